# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the piece-square tables of crates/search/src/eval/tables.rs and prints that file.

usage: fit_material.py GAMES.vf MAX_GAMES > tables.rs      (needs numpy and python-chess)

The evaluation is linear in two values per piece and square, blended by the amount of material on
the board. It is fitted by logistic regression to the scores of quiet positions in viriformat games.
Tables are symmetric about the middle of the board, and each square's value is drawn towards the
mean of its piece, so that rare squares stay sensible.
"""
import struct
import sys

import chess
import numpy as np

ROLES = "PNBRQK"
PHASE = {"P": 0, "N": 1, "B": 1, "R": 2, "Q": 4, "K": 0}
START_VALUES = np.array([90, 320, 340, 480, 1000, 0], dtype=float)
SCALE = 400.0
# Units in which a pawn of the middlegame and endgame together counts about 100.
UNITS = 0.65


def read_start(data):
    """The packed start position: occupied squares, a nibble per piece, turn and en passant."""
    board = chess.Board(None, chess960=True)
    occupied, pieces, turn = struct.unpack("<Q16sB", data[:25])
    for i, square in enumerate(chess.scan_forward(occupied)):
        nibble = pieces[i // 2] >> (4 * (i % 2)) & 15
        role = nibble & 7
        if role == 6:  # a rook that may castle
            role = 3
            board.castling_rights |= chess.BB_SQUARES[square]
        board.set_piece_at(square, chess.Piece(role + 1, nibble < 8))
    board.turn = turn < 128
    board.ep_square = turn & 127 if turn & 127 < 64 else None
    return board


def games(path, limit):
    """Each game as its start and its (move, score) pairs."""
    data = open(path, "rb").read()
    at = 0
    while at < len(data) and limit > 0:
        board, at, plies = read_start(data[at:at + 32]), at + 32, []
        while (pair := struct.unpack("<Hh", data[at:at + 4])) != (0, 0):
            plies.append(pair)
            at += 4
        at, limit = at + 4, limit - 1
        yield board, plies


def read_move(board, bits):
    promotion = (bits >> 12 & 3) + 2 if bits >> 14 == 3 else None
    return chess.Move(bits & 63, bits >> 6 & 63, promotion)


def features(board):
    """Signed features, and the share of middlegame."""
    columns, signs, phase = [], [], 0
    for square, piece in board.piece_map().items():
        rank, file = divmod(square, 8)
        row = rank if piece.color else 7 - rank
        columns.append((piece.piece_type - 1) * 32 + row * 4 + min(file, 7 - file))
        signs.append(1 if piece.color else -1)
        phase += PHASE[ROLES[piece.piece_type - 1]]
    return columns, signs, min(phase, 24) / 24, 1 if board.turn else -1


def load(path, limit):
    rows, columns, values_mg, values_eg, tempo, targets = [], [], [], [], [], []
    for board, plies in games(path, limit):
        for ply, (bits, score) in enumerate(plies):
            move = read_move(board, bits)
            is_quiet = not board.is_capture(move) and not move.promotion and not board.is_check()
            if ply % 3 == 0 and is_quiet and abs(score) < 2000:
                cols, signs, phase, turn = features(board)
                rows.extend([len(targets)] * len(cols))
                columns.extend(cols)
                values_mg.extend(s * phase for s in signs)
                values_eg.extend(s * (1 - phase) for s in signs)
                tempo.append(turn)
                targets.append(1 / (1 + np.exp(-score / SCALE)))
            board.push(move)
    print(f"{len(targets)} positions", file=sys.stderr)
    weights = np.ones(len(targets))
    arrays = (rows, columns, values_mg, values_eg, tempo, targets, weights)
    return [np.array(a) for a in arrays]


def fit(rows, columns, values_mg, values_eg, tempo, targets, weights, steps=1500):
    theta = np.concatenate([np.repeat(START_VALUES, 32)] * 2 + [np.array([20.0])])
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for step in range(1, steps + 1):
        mg, eg = theta[:192], theta[192:384]
        terms = values_mg * mg[columns] + values_eg * eg[columns]
        out = np.bincount(rows, terms, len(targets)) + theta[384] * tempo
        p = 1 / (1 + np.exp(-out / SCALE))
        slope = weights * (p - targets) * p * (1 - p) / SCALE
        grad = np.concatenate([
            np.bincount(columns, slope[rows] * values_mg, 192),
            np.bincount(columns, slope[rows] * values_eg, 192),
            [np.dot(slope, tempo)],
        ])
        for part in range(12):
            block = slice(part * 32, part * 32 + 32)
            grad[block] += 3e-6 * (theta[block] - theta[block].mean())
        first = 0.9 * first + 0.1 * grad
        second = 0.999 * second + 0.001 * grad**2
        rate = 2.0 * (1 - step / steps) + 0.02
        theta -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-12)
        if step % 250 == 0:
            loss = np.average((p - targets) ** 2, weights=weights)
            print(f"step {step} loss {loss:.5f}", file=sys.stderr)
    return theta


def write(theta):
    theta = theta * UNITS
    print("// SPDX-License-Identifier: GPL-3.0-or-later")
    print("//! Piece-square tables, fitted by `scripts/fit_material.py`.")
    print("//!")
    print("//! For each kind of piece, the squares of files a to d from rank 1 to rank 8, as White sees")
    print("//! them; files e to h are their mirror image. Middlegame and endgame values in centipawns.")
    print(f"\n/// What the right to move is worth.\npub(super) const TEMPO: i32 = {round(theta[384])};")
    print("\n/// Pawn, knight, bishop, rook, queen, king.")
    print("#[rustfmt::skip]")
    print("pub(super) const TABLES: [[(i32, i32); 32]; 6] = [")
    for role in range(6):
        mg, eg = theta[role * 32:role * 32 + 32].copy(), theta[192 + role * 32:224 + role * 32].copy()
        if role == 0:
            for table in (mg, eg):
                table[:4] = table[28:] = 0
        if role == 5:
            mg -= mg.mean()
            eg -= eg.mean()
        print("    [")
        for row in range(8):
            cells = (f"({round(mg[row * 4 + i])}, {round(eg[row * 4 + i])})" for i in range(4))
            print("        " + ", ".join(cells) + ",")
        print("    ],")
    print("];")


write(fit(*load(sys.argv[1], int(sys.argv[2]))))
