#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the win-draw-loss model of crates/search/src/wdl.rs to games of the arena.

    scripts/fit_wdl.py GAMES.pgn [GAMES.pgn ...] [--name ENGINE]

Reads the score of every move of ENGINE (all engines without --name) from the comments that the
arena writes, turns it back into the search's own points by the model that is in wdl.rs now, and
prints the coefficients of the new model: the score at which half of the games are won, and the
spread, as cubes of the material. Needs the packages chess, numpy and scipy.
"""

import argparse
import re
from pathlib import Path

import chess.pgn
import numpy as np
from scipy.optimize import minimize

MODEL = Path(__file__).parent.parent / "crates/search/src/wdl.rs"
UNIT, LEAST, MOST = 58.0, 10, 78
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
SCORE = re.compile(r"([+-]\d+\.\d+)/\d+")


def present(name):
    """The coefficients that are in use."""
    text = re.search(rf"const {name}: \[f64; 4\] = \[([^\]]*)\]", MODEL.read_text()).group(1)
    return np.array([float(number) for number in text.split(",") if number.strip()])


def material(board):
    count = sum(v * len(board.pieces(p, c)) for p, v in VALUES.items() for c in chess.COLORS)
    return min(max(count, LEAST), MOST) / UNIT


def samples(paths, name):
    """Score in points, material, and result (1, 0.5, 0) for the side that moved."""
    half_won = present("HALF_WON")
    for path in paths:
        with open(path) as file:
            while game := chess.pgn.read_game(file):
                result = game.headers["Result"]
                if result not in ("1-0", "0-1", "1/2-1/2"):
                    continue
                board = game.board()
                for node in game.mainline():
                    turn = board.turn
                    player = game.headers["White" if turn else "Black"]
                    match = SCORE.search(node.comment)
                    if match and (name is None or player == name) and board.ply() >= 16:
                        m = material(board)
                        points = float(match.group(1)) * np.polyval(half_won, m)
                        won = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
                        if abs(points) < 1500:
                            yield points, m, won if turn else 1.0 - won
                    board.push(node.move)


def fit(data):
    points, m, result = np.array(data).T
    wins, draws, losses = (result == r for r in (1.0, 0.5, 0.0))

    def loss(c):
        a, b = np.polyval(c[:4], m) * 100, np.maximum(np.polyval(c[4:], m) * 100, 5)
        win = 1 / (1 + np.exp((a - points) / b))
        lose = 1 / (1 + np.exp((a + points) / b))
        draw = np.maximum(1 - win - lose, 1e-6)
        chance = win * wins + draw * draws + lose * losses
        return -np.log(np.maximum(chance, 1e-9)).mean()

    start = np.array([0, 0, 0, 1.9, 0, 0, 0, 0.9])
    best = minimize(loss, start, method="Nelder-Mead", options={"maxiter": 8000, "maxfev": 8000})
    return best.x[:4] * 100, best.x[4:] * 100, best.fun


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pgn", nargs="+")
    parser.add_argument("--name")
    args = parser.parse_args()
    data = list(samples(args.pgn, args.name))
    half_won, spread, loss = fit(data)
    print(f"{len(data)} positions, loss {loss:.4f}")
    for name, values in ("HALF_WON", half_won), ("SPREAD", spread):
        print(f"const {name}: [f64; 4] = [{', '.join(f'{v:.1f}' for v in values)}];")
    for men in (10, 24, 40, 58, 78):
        print(f"material {men}: half won at {np.polyval(half_won, men / UNIT):.0f} points")


if __name__ == "__main__":
    main()
