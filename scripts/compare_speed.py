#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs programs in turn and prints a table of their speeds, with medians and ratios to the first one.

    scripts/compare_speed.py OLD NEW [--stockfish PROGRAM] [--depth 14] [--runs 5] [--network FILE]
    scripts/compare_speed.py OLD NEW --selfplay [--games 1500] [--nodes 150] [--runs 2]

Without --selfplay: nodes per second of `bench DEPTH`; Stockfish runs `bench 16 1 DEPTH default depth`. With it:
positions per second of `selfplay` with two threads, by the clock. Nothing else should run meanwhile.
"""

import argparse
import os
import re
import statistics
import subprocess
import tempfile
import time


def output(command):
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def bench(program, args):
    network = ["--network", args.network] if args.network else []
    text = output([program, "bench", str(args.depth), *network])
    nodes, speed = re.findall(r"(\d+) nodes (\d+) nps", text)[-1]
    return float(speed), nodes


def stockfish(program, args):
    text = output([program, "bench", "16", "1", str(args.depth), "default", "depth"])
    nodes = re.search(r"Nodes searched\s*: (\d+)", text).group(1)
    return float(re.search(r"Nodes/second\s*: (\d+)", text).group(1)), nodes


def selfplay(program, args):
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "selfplay", "--out", os.path.join(folder, "games.vf"), "--json"]
        command += ["--threads", str(args.threads), "--games", str(args.games)]
        start = time.monotonic()
        text = output([*command, "--nodes", str(args.nodes)])
        seconds = time.monotonic() - start
    positions = int(re.search(r'"positions":(\d+)', text).group(1))
    return positions / seconds, positions


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--stockfish")
    parser.add_argument("--depth", type=int, default=14)
    parser.add_argument("--network")
    parser.add_argument("--selfplay", action="store_true")
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--nodes", type=int, default=150)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()

    measure = selfplay if args.selfplay else bench
    rivals = [(program, measure) for program in args.programs]
    if args.stockfish and not args.selfplay:
        rivals.append((args.stockfish, stockfish))
    speeds = [[] for _ in rivals]
    print("| run | " + " | ".join(os.path.basename(program) for program, _ in rivals) + " |")
    print("|---|" + "---:|" * len(rivals))
    for run in range(args.runs):
        counts = []
        for (program, measure), of_program in zip(rivals, speeds):
            speed, count = measure(program, args)
            of_program.append(speed)
            counts.append(str(count))
        row = " | ".join(f"{of_program[-1]:,.0f}" for of_program in speeds)
        print(f"| {run + 1} | {row} |", flush=True)
    medians = [statistics.median(of_program) for of_program in speeds]
    print("| median | " + " | ".join(f"{median:,.0f}" for median in medians) + " |")
    print("| to the first | " + " | ".join(f"{m / medians[0]:.2f}" for m in medians) + " |")
    print("counts: " + ", ".join(counts))


if __name__ == "__main__":
    main()
