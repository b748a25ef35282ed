#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets Quincunx and a rival solve the suites of ../shared/data side by side, and prints a Markdown table.

    scripts/compare_suites.py [--rival /usr/games/stockfish] [--nodes 200000] [--rival-nodes 200000]
    scripts/compare_suites.py --rival "./quincunx opt.SearchMode=mcts" --rival-nodes 16000

    scripts/compare_suites.py --tables ../shared/data/syzygy --nodes 20000

Mates (300 of mates2000.epd of at most six moves) are asked of Stockfish with half of the nodes. No
tablebases, unless asked for: then only the endings that they cover are asked, which needs the package
chess. `quincunx suite` does the work. An iteration of the tree search takes as long as a dozen nodes
of alpha-beta: give it fewer.
"""

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

MATES, LONGEST_MATE = 300, 6
PUZZLES = 300


def mates(data, folder):
    """A file with mates of few moves, evenly spread over those that there are."""
    lines = (data / "mates/mates2000.epd").read_text().splitlines()
    short = [line for line in lines if abs(int(re.search(r"dm (-?\d+)", line).group(1))) <= LONGEST_MATE]
    chosen = [short[i * len(short) // MATES] for i in range(min(MATES, len(short)))]
    path = Path(folder) / "mates.epd"
    path.write_text("\n".join(chosen) + "\n")
    return path


def covered(files, tables, folder):
    """A file with the positions that the tables know."""
    import chess
    import chess.syzygy

    def is_known(tablebase, line):
        try:
            tablebase.probe_wdl(chess.Board.from_epd(line)[0])
        except KeyError:
            return False
        return True

    lines = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    with chess.syzygy.open_tablebase(str(tables)) as tablebase:
        known = [line for line in lines if is_known(tablebase, line)]
    path = Path(folder) / "covered.epd"
    path.write_text("\n".join(known) + "\n")
    return path


def solve(args, engine, nodes, files, *more):
    """The suites of the files as the engine solved them."""
    words = f"cmd={engine} opt.Hash=64"
    if args.tables:
        words += f" opt.SyzygyPath={args.tables.resolve()}"
    command = [args.engine, "suite", *map(str, files), "--engine", words, "--nodes", str(nodes), "--json"]
    command += ["--concurrency", str(args.concurrency), *more]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True)
    return json.loads(run.stdout)["suites"]


def row(name, ours, theirs, key="solved"):
    most = sum(s["max_points" if key == "points" else "positions"] for s in ours)
    print(f"| {name} | {most} | {sum(s[key] for s in ours)} | {sum(s[key] for s in theirs)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="./quincunx")
    parser.add_argument("--rival", default="/usr/games/stockfish")
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--rival-nodes", type=int, help="if it gets others than ours, also for mates")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--tables", type=Path, help="ask only the endings that these Syzygy tables cover, with them")
    parser.add_argument("--concurrency", type=int, default=2)
    args = parser.parse_args()

    def compare(name, files, *more, key="solved", rival_share=1.0):
        ours = solve(args, args.engine, args.nodes, files, *more)
        rival_nodes = args.rival_nodes or int(args.nodes * rival_share)
        theirs = solve(args, args.rival, rival_nodes, files, *more)
        row(name, ours, theirs, key)

    suites, endgames = args.data / "suites", args.data / "endgames"
    print("| suite | of | ours | rival |\n|---|---:|---:|---:|", flush=True)
    sound = [*sorted(suites.glob("zugzwang_*.epd")), *sorted(endgames.glob("*.epd"))]
    with tempfile.TemporaryDirectory() as folder:
        if args.tables:
            compare("endings that the tables cover", [covered(sound, args.tables, folder)])
            return
        compare("mates of at most six moves", [mates(args.data, folder)], rival_share=0.5)
    compare("zugzwang, stalemates, only wins and draws", sound)
    compare("wac300", [suites / "wac300.epd"])
    compare("sts_v3, points", [suites / "sts_v3.epd"], key="points")
    compare("arasan2024", [suites / "arasan2024.epd"])
    compare("Lichess puzzles", sorted((args.data / "puzzles").iterdir()), "--sample", str(PUZZLES))


if __name__ == "__main__":
    main()
