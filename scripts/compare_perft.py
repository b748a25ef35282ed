#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the speed of perft with Stockfish, cozy-chess and shakmaty.

usage: compare_perft.py QUINCUNX RIVALS [ROUNDS]

All run on one thread and in turn, so that a busy machine disturbs all of them alike; the best of
the rounds counts. Every program is timed without its start-up. The last column is how many times
as fast ours is.
"""

import json
import shutil
import subprocess
import sys
import time

POSITIONS = [
    ("start, depth 6", 6, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 119060324),
    (
        "Kiwipete, depth 5",
        5,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        193690690,
    ),
]


def quincunx(binary, depth, fen):
    command = [binary, "perft", str(depth), fen, "--threads", "1", "--json"]
    answer = json.loads(subprocess.check_output(command))
    return answer["nodes"], answer["seconds"]


def rival(binary, library, depth, fen):
    answer = subprocess.check_output([binary, library, str(depth), fen], text=True).split()
    return int(answer[0]), float(answer[1])


class Stockfish:
    """One process for all rounds; only the time between question and answer counts."""

    def __init__(self, binary):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([binary], text=True, bufsize=1, **pipes)

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def wait_for(self, prefix):
        for line in self.process.stdout:
            if line.startswith(prefix):
                return line
        sys.exit("error: Stockfish has ended")

    def perft(self, depth, fen):
        self.send(f"position fen {fen}")
        self.send("isready")
        self.wait_for("readyok")
        start = time.perf_counter()
        self.send(f"go perft {depth}")
        line = self.wait_for("Nodes searched")
        return int(line.split(":")[1]), time.perf_counter() - start

    def quit(self):
        self.send("quit")
        self.process.wait()


def find_stockfish():
    return shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


def measure(programs, depth, fen, nodes, rounds):
    best = {}
    for _ in range(rounds):
        for name, run in programs.items():
            found, seconds = run(depth, fen)
            if found != nodes:
                sys.exit(f"error: {name} counts {found}, not {nodes}, at depth {depth} of {fen}")
            best[name] = min(best.get(name, seconds), seconds)
    return best


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    ours, rivals = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    programs = {"quincunx": lambda *position: quincunx(ours, *position)}
    stockfish = find_stockfish()
    if stockfish:
        stockfish = Stockfish(stockfish)
        programs["stockfish"] = stockfish.perft
    else:
        print("Stockfish is not installed, and left out", file=sys.stderr)
    programs["cozy-chess"] = lambda *position: rival(rivals, "cozy-chess", *position)
    programs["shakmaty"] = lambda *position: rival(rivals, "shakmaty", *position)
    print(f"{'position':<20}{'program':<14}{'seconds':>9}{'Mnodes/s':>10}{'ratio':>8}")
    for title, depth, fen, nodes in POSITIONS:
        best = measure(programs, depth, fen, nodes, rounds)
        for name, seconds in best.items():
            speed, ratio = nodes / seconds / 1e6, seconds / best["quincunx"]
            print(f"{title:<20}{name:<14}{seconds:>9.3f}{speed:>10.1f}{ratio:>8.2f}")
    if stockfish:
        stockfish.quit()


if __name__ == "__main__":
    main()
