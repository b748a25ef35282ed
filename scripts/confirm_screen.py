#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of a screen that won, all together, against the engine as it is.

    scripts/confirm_screen.py SCREEN.toml [--nodes N] [--games N] [--least ELO] [--print]

A screen tells what each change is worth alone and at few nodes; a match tells whether the winners win
together and at more nodes. Estimates are drawn towards their mean by as much as their errors ask for (the
largest of sixty is mostly luck); what stays above --least is in. A screen of fewer than 2,000 games
decides nothing and is refused. The match has its folder beside the screen's: the same command goes on
with it after a kill. --print only shows the command.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

LEAST_GAMES = 2000
Z95 = 1.959964


def drawn(effects):
    """Estimates drawn towards their mean: by name, what is to be expected of each."""
    known = [effect for effect in effects if effect["error"]]
    variances = {effect["name"]: (effect["error"] / Z95) ** 2 for effect in known}
    if not known:
        return {}
    weights = {name: 1 / variance for name, variance in variances.items()}
    total = sum(weights.values())
    mean = sum(weights[effect["name"]] * effect["elo"] for effect in known) / total
    # The scatter that errors do not explain is that of the changes themselves.
    scatter = sum((effect["elo"] - mean) ** 2 - variances[effect["name"]] for effect in known)
    real = max(scatter / len(known), 0.0)
    return {
        effect["name"]: mean + (effect["elo"] - mean) * real / (real + variances[effect["name"]])
        for effect in known
    }


def options(config, names):
    """What the named entries change, as options of the engine."""
    changed = []
    for entry in config["entry"]:
        if entry["name"] in names:
            changed += entry.get("options", [entry])
    return [f"opt.{option['name']}={option['to']}" for option in changed]


def match(args, config, changed):
    """The command of the match."""
    engine = shlex.split(config["engine"])
    folder = Path(config.get("out", args.screen.with_suffix(""))).with_name(f"{args.screen.stem}-confirmed")
    command = [args.quincunx, "match"]
    command += ["--engine", *engine, "name=winners", *changed]
    command += ["--engine", *engine, "name=before"]
    command += ["--nodes", str(args.nodes), "--games", str(args.games)]
    command += ["--concurrency", str(config.get("concurrency", 1))]
    if "book" in config:
        command += ["--openings", config["book"], "--order", "random", "--seed", str(args.seed)]
    for rule in ("resign", "draw"):
        if rule in config:
            command += [f"--{rule}", *shlex.split(config[rule])]
    return command + ["--out", str(folder)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("screen", type=Path, help="the screen's TOML file")
    parser.add_argument("--quincunx", default="./quincunx", help="the program [./quincunx]")
    parser.add_argument("--nodes", type=int, default=40000, help="nodes a move [40000]")
    parser.add_argument("--games", type=int, default=2500, help="games of the match [2500]")
    parser.add_argument("--least", type=float, default=1.0, help="the least Elo to be expected of a winner [1]")
    parser.add_argument("--seed", type=int, default=40, help="the seed of the openings [40]")
    parser.add_argument("--print", action="store_true", help="show the command and play nothing")
    args = parser.parse_args()
    config = tomllib.loads(args.screen.read_text())
    shown = subprocess.run(
        [args.quincunx, "screen", str(args.screen), "--show", "--json"], check=True, stdout=subprocess.PIPE
    )
    report = json.loads(shown.stdout)
    if report["games"] < LEAST_GAMES:
        sys.exit(f"error: {report['games']} games decide nothing: expected at least {LEAST_GAMES}; play on")
    expected = drawn(report["effects"])
    names = {name for name, elo in expected.items() if elo >= args.least}
    if not names:
        sys.exit(f"no entry is expected to be worth {args.least} Elo")
    print(f"{len(names)} of {len(expected)} entries, {sum(expected[name] for name in names):+.0f} Elo expected:")
    for name in sorted(names, key=expected.get, reverse=True):
        print(f"  {expected[name]:+5.1f}  {name}")
    command = match(args, config, options(config, names))
    print(shlex.join(command), flush=True)
    if not args.print:
        sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
