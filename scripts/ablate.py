#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each heuristic of the search is worth: the engine without it plays the engine as it is.

    make && make tune && scripts/ablate.py [--groups] [--games N] [--nodes N] [--out DIR] [--only WORD]

The heuristics are those that `./quincunx tunables --json` lists; `--list` prints them and plays nothing.

Prints a row of a Markdown table per heuristic, or per group of them, with the Elo that it brings
(with it against without it). Finished matches are kept in DIR and not played again.
"""

import argparse
import json
import subprocess
from pathlib import Path

BOOK = "../shared/data/books/UHO_4060_v4_sample.epd.zst"

# The groups of docs/concepts/history.md, as far as they can be switched off, by names of heuristics.
GROUPS = {
    "1 histories": "continuation history_last_move history_eval",
    "2 corrections": "correction",
    "3 extensions": "singular hindsight",
    "4 reductions": "lmr_terms lmr_confidence",
    "5 pruning": "razor probcut probcut_table history_prune fail_high_blend qs_blend qs_late",
}


def ablations():
    """What takes each heuristic of the alpha-beta search out, or in if it ships off: name, title, settings."""
    command = ["./quincunx", "tunables", "--json"]
    families = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    for heuristic in (heuristic for family in families for heuristic in family["heuristics"]):
        if heuristic["scope"] == "alphabeta" and heuristic["without"]:
            off = "(off) " if heuristic["is_on"] is False else ""
            yield heuristic["name"], off + heuristic["title"], heuristic["without"]


def groups(known):
    """The settings of several heuristics together, by the group's title."""
    for title, names in GROUPS.items():
        missing = [name for name in names.split() if name not in known]
        if missing:
            raise SystemExit(f"group `{title}`: the engine has no heuristic {', '.join(missing)}")
        yield title, {key: value for name in names.split() for key, value in known[name].items()}


def play(name, settings, args):
    """The match's result, from the side with all heuristics."""
    folder = args.out / "".join(c if c.isalnum() else "-" for c in f"{name} {args.nodes}")
    engine = ["cmd=./quincunx-tune", "opt.Hash=16"]
    command = ["./quincunx", "match", "--engine", *engine, "name=with", "--engine", *engine, "name=without"]
    command += [f"opt.{key}={value}" for key, value in settings.items()]
    command += ["--nodes", str(args.nodes), "--games", str(args.games), "--openings", BOOK, "--order", "random"]
    command += ["--seed", "17", "--resign", "movecount=3", "score=700", "--draw", "movenumber=34", "movecount=8"]
    command += ["score=8", "--concurrency", "2", "--out", str(folder), "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout.splitlines()[-1])["engines"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=8000)
    parser.add_argument("--out", type=Path, default=Path("runs/ablations"))
    parser.add_argument("--groups", action="store_true", help="whole groups instead of single heuristics")
    parser.add_argument("--only", default="", help="those whose name contains this")
    parser.add_argument("--list", action="store_true", help="print settings, play nothing")
    args = parser.parse_args()
    found = list(ablations())
    known = {name: settings for name, _, settings in found}
    chosen = dict(groups(known)) if args.groups else {title: settings for _, title, settings in found}
    if args.list:
        for name, settings in chosen.items():
            print(f"{name}: " + " ".join(f"{key}={value}" for key, value in settings.items()))
        return
    print("| heuristic | games | with against without | Elo |\n|---|---:|---|---:|")
    for name, settings in chosen.items():
        if args.only in name:
            r = play(name, settings, args)
            score = f"+{r['wins']} ={r['draws']} −{r['losses']}"
            elo = f"{r['elo']:+.0f} ± {r['error']:.0f}".replace("-", "−") if r["elo"] is not None else ""
            print(f"| {name} | {args.games} | {score} | {elo} |", flush=True)


if __name__ == "__main__":
    main()
