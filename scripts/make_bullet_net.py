#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a small raw network in bullet's layout and evaluates positions with it.

Usage: make_bullet_net.py DIRECTORY

Reads DIRECTORY/fens.txt, writes DIRECTORY/quantised.bin, and prints an evaluation per line. The
network is (768 x 2 king buckets -> 32)x2 -> 1 x 8 output buckets, mirrored, with SCReLU, QA 255,
QB 64 and scale 400. Nothing here is shared with the engine: the test that runs it compares both.
"""

import random
import struct
import sys
from pathlib import Path

WIDTH, INPUT_BUCKETS, OUTPUT_BUCKETS, SCALE, QA, QB = 32, 2, 8, 400, 255, 64


def truncated(numerator: int, denominator: int) -> int:
    """Division toward zero, as integers divide in C and Rust."""
    quotient = abs(numerator) // denominator
    return quotient if numerator >= 0 else -quotient


def pieces_of(placement: str) -> list[tuple[str, int]]:
    """Letters and squares, a1 = 0."""
    pieces = []
    for row, rank in enumerate(placement.split("/")):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces.append((letter, (7 - row) * 8 + file))
                file += 1
    return pieces


class Network:
    """The weights, drawn from a fixed seed."""

    def __init__(self) -> None:
        draw = random.Random(20).randint
        self.l0w = [draw(-60, 60) for _ in range(768 * INPUT_BUCKETS * WIDTH)]
        self.l0b = [draw(-60, 60) for _ in range(WIDTH)]
        self.l1w = [draw(-128, 128) for _ in range(OUTPUT_BUCKETS * 2 * WIDTH)]
        self.l1b = [draw(-9000, 9000) for _ in range(OUTPUT_BUCKETS)]

    def write(self, path: Path) -> None:
        numbers = self.l0w + self.l0b + self.l1w + self.l1b
        data = struct.pack(f"<{len(numbers)}h", *numbers)
        padding = (b"bullet" * 11)[: -len(data) % 64]
        path.write_bytes(data + padding)

    def accumulator(self, pieces: list[tuple[str, int]], white: bool) -> list[int]:
        turn = 0 if white else 56
        king = next(square for letter, square in pieces if letter == ("K" if white else "k")) ^ turn
        flip = 7 if king % 8 > 3 else 0
        bucket = (king // 8) // 4
        sums = list(self.l0b)
        for letter, square in pieces:
            theirs = letter.isupper() != white
            feature = 768 * bucket + 384 * theirs + 64 * "pnbrqk".index(letter.lower())
            feature += square ^ turn ^ flip
            row = self.l0w[feature * WIDTH : (feature + 1) * WIDTH]
            sums = [total + weight for total, weight in zip(sums, row)]
        return sums

    def evaluate(self, fen: str) -> int:
        placement, turn = fen.split()[:2]
        pieces = pieces_of(placement)
        white = turn == "w"
        bucket = (len(pieces) - 2) // (32 // OUTPUT_BUCKETS)
        lanes = self.accumulator(pieces, white) + self.accumulator(pieces, not white)
        weights = self.l1w[bucket * 2 * WIDTH : (bucket + 1) * 2 * WIDTH]
        total = sum(min(max(lane, 0), QA) ** 2 * weight for lane, weight in zip(lanes, weights))
        return truncated((truncated(total, QA) + self.l1b[bucket]) * SCALE, QA * QB)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = Path(sys.argv[1])
    network = Network()
    network.write(directory / "quantised.bin")
    for fen in (directory / "fens.txt").read_text().splitlines():
        print(network.evaluate(fen))


if __name__ == "__main__":
    main()
