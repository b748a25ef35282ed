#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many nodes and how much time two engines need to reach each depth, and how fast they are.

    scripts/depth_race.py [ENGINE [RIVAL]] [--depth N]

Searches the positions of crates/engine/data/bench.epd with one thread and 16 MB each, one engine after
the other on every position, and prints per depth the sum over all positions, then nodes per second.
ENGINE is ./quincunx, RIVAL Debian's stockfish unless told otherwise. Needs the package chess.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import chess
import chess.engine

POSITIONS = Path(__file__).parent.parent / "crates/engine/data/bench.epd"


def boards():
    for line in POSITIONS.read_text().splitlines():
        board = chess.Board(line.split(";")[0].strip(), chess960=True)
        if board.is_valid() and any(board.legal_moves):
            yield board


def race(command, depth):
    """Nodes and seconds at which each depth was first reported, summed over the positions."""
    nodes, seconds = defaultdict(int), defaultdict(float)
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        engine.configure({"Hash": 16, "Threads": 1})
        for board in boards():
            seen = {}
            with engine.analysis(board, chess.engine.Limit(depth=depth), game=object()) as analysis:
                for info in analysis:
                    at = info.get("depth")
                    if at and "nodes" in info and "lowerbound" not in info and "upperbound" not in info:
                        seen.setdefault(at, (info["nodes"], info.get("time", 0.0)))
            last = (0, 0.0)
            for at in range(1, depth + 1):
                last = seen.get(at, last)
                nodes[at] += last[0]
                seconds[at] += last[1]
    return nodes, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", nargs="?", default="./quincunx")
    parser.add_argument("rival", nargs="?", default="/usr/games/stockfish")
    parser.add_argument("--depth", type=int, default=14)
    args = parser.parse_args()
    ours, theirs = race(args.engine, args.depth), race(args.rival, args.depth)
    print(f"{'depth':>5} {'nodes':>12} {'rival':>12} {'ratio':>6} {'ms':>8} {'rival':>8} {'ratio':>6}")
    for depth in range(4, args.depth + 1):
        (n, s), (m, t) = ((side[0][depth], side[1][depth]) for side in (ours, theirs))
        print(
            f"{depth:>5} {n:>12} {m:>12} {n / max(m, 1):>6.2f}"
            f" {s * 1e3:>8.0f} {t * 1e3:>8.0f} {s / max(t, 1e-3):>6.2f}"
        )
    speed = [side[0][args.depth] / max(side[1][args.depth], 1e-3) for side in (ours, theirs)]
    print(f"nodes per second: {speed[0]:.0f} against {speed[1]:.0f}, ratio {speed[0] / speed[1]:.2f}")


if __name__ == "__main__":
    main()
