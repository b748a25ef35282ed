#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a running OpenBench against our engine: the presets, the engine as its client calls it, and the
results of all jobs that the server has, recounted.

Usage: scripts/check_openbench.py URL SOURCE [--engine ./quincunx] [--user NAME --password WORD] [--openings 500]

URL is where the server listens, such as http://127.0.0.1:8000, and SOURCE the folder with its source. Nothing is
downloaded but answers of that server. The client's code is run as it is, but for the one function
that ends processes by name. Needs what OpenBench's client needs (Client/requirements.txt).

Prints a line for each check; exit code 1 if one fails.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRESETS = ROOT / "deploy" / "openbench"
THREADS = 2
SEEDS = [4001, 4002]


class Report:
    """Prints what was seen."""

    def __init__(self):
        self.failures = 0

    def check(self, is_so, what):
        self.failures += not is_so
        print(f"{'ok    ' if is_so else 'FAILED'} {what}", flush=True)


class Server:
    def __init__(self, url, user, password):
        self.url = url.rstrip("/")
        self.credentials = urllib.parse.urlencode({"username": user, "password": password}).encode()

    def raw(self, path):
        with urllib.request.urlopen(f"{self.url}/api/{path}/", data=self.credentials, timeout=60) as answer:
            return answer.read()

    def json(self, path):
        return json.loads(self.raw(path))


def check_presets(report, server, config):
    """Whether OpenBench's own checks accept our files, and whether the server has them."""
    for path in sorted(PRESETS.glob("*.json")):
        engine, presets = path.stem, json.loads(path.read_text())
        try:
            config.verify_engine_basics(presets)
            config.verify_engine_build(engine, presets)
            kinds = {"test": config.verify_engine_test_preset, "tune": config.verify_engine_tune_preset,
                     "datagen": config.verify_engine_datagen_preset}
            for kind, verify in kinds.items():
                for preset in presets.get(f"{kind}_presets", {}).values():
                    verify(preset)
            report.check(True, f"{path.name} passes OpenBench's own checks")
        except Exception as error:  # noqa: BLE001: whatever it is, it is the finding
            report.check(False, f"{path.name}: {error!r}")
        found = server.json(f"config/{engine}")
        same = all(found.get(key) == value for key, value in presets.items())
        report.check(same, f"the server has {path.name} as it is here")


def check_engine(report, engine, openings):
    """Bench and openings, asked for by OpenBench's client."""
    import bench
    import genfens
    import utils

    def kill_nobody(name):
        raise RuntimeError(f"`{name}` did not answer in time")

    utils.kill_process_by_name = kill_nobody
    expected = int((ROOT / "crates/engine/data/bench.count").read_text())
    try:
        speed, nodes = bench.run_benchmark(os.path.relpath(engine), THREADS, 1, expected)
        report.check(nodes == expected, f"bench is {nodes} in {THREADS} processes at once, {speed} nodes per second")
    except Exception as error:  # noqa: BLE001
        report.check(False, f"bench: {error}")
    rounds = [make_openings(genfens, engine, openings) for _ in range(2)]
    report.check(len(rounds[0]) == openings * THREADS, f"{len(rounds[0])} openings")
    report.check(rounds[0] == rounds[1], "the same for the same seeds")
    per_process = len(set(rounds[0]))
    report.check(per_process == len(rounds[0]), f"{per_process} of them are different")
    illegal = [fen for fen in rounds[0] if not is_legal(engine, fen)]
    report.check(not illegal, f"legal, with a legal move: {len(rounds[0]) - len(illegal)}")


def make_openings(genfens, engine, count):
    with tempfile.TemporaryFile("w+") as book:
        genfens.create_genfens_opening_book({
            "N": count, "book": "None", "seeds": SEEDS, "extra": "", "engine": os.path.relpath(engine),
            "threads": THREADS, "output": book,
        })
        book.seek(0)
        return sorted(book.read().splitlines())


def is_legal(engine, epd):
    """As another program sees it, if there is one; otherwise as we do."""
    fen = " ".join(epd.split()[:4]) + " 0 1"
    try:
        import chess
    except ImportError:
        run = subprocess.run([engine, f"position fen {fen}", "legal"], capture_output=True, text=True, check=False)
        return run.returncode == 0 and "refused" not in run.stdout
    board = chess.Board(fen)
    return board.is_valid() and any(board.legal_moves)


def check_jobs(report, server, engine):
    """All jobs from the first on: the machines' results add up, and our tools come to the same."""
    number, seen = 1, {}
    while "info" in (answer := server.json(f"workload/{number}/info")):
        info = answer["info"]
        kind = info["test_mode"]
        seen[kind] = seen.get(kind, 0) + 1
        name = f"job {number} ({kind}, {info['games']} games)"
        check_counts(report, server, number, info, name)
        if kind == "SPRT":
            check_llr(report, engine, info, name)
        if kind == "SPSA":
            lines = server.raw(f"spsa/{number}/outputs").decode().split("\n")
            report.check(any(line.strip() for line in lines), f"{name}: {'; '.join(filter(None, lines))}")
        if info["upload_pgns"] != "FALSE" and info["finished"]:
            check_games(report, server, engine, number, info, name)
        number += 1
    report.check(bool(seen), f"jobs: {seen}")


def check_counts(report, server, number, info, name):
    results = server.json(f"workload/{number}/results")["results"]
    machines = sum(result["games"] for result in results)
    losses, draws, wins = info["tri"]
    report.check(machines == info["games"] == losses + draws + wins,
                 f"{name}: {len(results)} results, +{wins} ={draws} -{losses}")
    if info["use_penta"]:
        report.check(2 * sum(info["penta"]) == info["games"], f"{name}: pairs {info['penta']}")
    faults = sum(result["crashes"] + result["timeloss"] for result in results)
    report.check(faults == 0, f"{name}: {faults} crashes and losses on time")


def check_llr(report, engine, info, name):
    if not any(info["penta"]):
        return
    bounds = f"{info['elolower']},{info['eloupper']}"
    counts = ",".join(map(str, info["penta"]))
    command = [engine, "sprt", f"--ptnml={counts}", f"--bounds={bounds}", "--json"]
    ours = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    difference = abs(ours["llr"] - info["currentllr"])
    report.check(difference < 0.01, f"{name}: LLR {info['currentllr']:.3f} there, {ours['llr']:.3f} with `sprt`")


def check_games(report, server, engine, number, info, name):
    """The games that were uploaded are those that were counted, and all become training data."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / f"{number}.pgn.tar"
        archive.write_bytes(server.raw(f"pgns/{number}"))
        if not tarfile.is_tarfile(archive):
            report.check(False, f"{name}: {archive.read_text()[:200]}")
            return
        out = Path(folder) / "games.vf"
        command = [engine, "data", "import", "--from", "openbench", archive, "--out", out, "--json"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            report.check(False, f"{name}: {run.stderr.strip()}")
            return
        found = json.loads(run.stdout)
        report.check(found["games"] == info["games"] and found["problems"] == 0,
                     f"{name}: {found['games']} games uploaded, {found['positions']} positions imported, "
                     f"{found['problems']} problems")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("source", type=Path)
    parser.add_argument("--engine", type=Path, default=ROOT / "quincunx")
    parser.add_argument("--user", default="")
    parser.add_argument("--password", default="")
    parser.add_argument("--openings", type=int, default=500, help="for each of two processes")
    options = parser.parse_args()
    if not re.match(r"https?://", options.url):
        parser.error(f"expected the server's address, such as http://127.0.0.1:8000, found `{options.url}`")
    sys.path[:0] = [str(options.source), str(options.source / "Client")]
    sys.dont_write_bytecode = True
    from OpenBench import config

    report, engine = Report(), options.engine.resolve()
    server = Server(options.url, options.user, options.password)
    check_presets(report, server, config)
    check_engine(report, engine, options.openings)
    check_jobs(report, server, engine)
    sys.exit(report.failures > 0)


if __name__ == "__main__":
    main()
