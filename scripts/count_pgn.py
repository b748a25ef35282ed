#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts games and moves of PGN files with python-chess, as a second opinion on our own reader.

Usage: count_pgn.py FOLDER > counts.json

Prints {file: {"games": n, "plies": n}}. Plies are those of the main line; games of variants other
than chess and Chess960 count as games without moves. Needs the package `chess` from PyPI.
"""

import json
import pathlib
import sys

import chess.pgn


class Counter(chess.pgn.BaseVisitor):
    """Counts the moves of the main line."""

    def begin_game(self):
        self.plies = 0

    def visit_board(self, board):
        self.is_chess = board.uci_variant == "chess"

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_move(self, board, move):
        self.plies += self.is_chess

    def handle_error(self, error):
        """An illegal move ends the main line, as in our reader."""

    def result(self):
        return self.plies


def count(path):
    """The games and plies of one file."""
    games = plies = 0
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        while (found := chess.pgn.read_game(file, Visitor=Counter)) is not None:
            games += 1
            plies += found
    return {"games": games, "plies": plies}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    files = sorted(p for p in pathlib.Path(sys.argv[1]).iterdir() if p.suffix.lower() == ".pgn")
    json.dump({path.name: count(path) for path in files}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
