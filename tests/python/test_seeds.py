# SPDX-License-Identifier: GPL-3.0-or-later
"""The networks of the five seeds, evaluated by the encodings and formulas that their authors publish.

Nothing is shared with the engine but the files: weights are read from their bytes, positions by
python-chess. Integers must agree exactly, floats within a point."""

import os
import pathlib
import random
import struct
import subprocess

import chess
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("QUINCUNX", str(ROOT / "quincunx"))

CONCATENATED, BOUNDED = 2, 4
ROLES = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]


class Net:
    """A `.qnet`: its header, and its numbers one after the other."""

    def __init__(self, path: pathlib.Path):
        data = path.read_bytes()
        assert data[:8] == b"QUINCNET" and len(data) == struct.unpack_from("<Q", data, 40)[0]
        self.widths = struct.unpack_from("<4H", data, 16)
        self.flags, self.scale = struct.unpack_from("<HI", data, 26)
        self.units = struct.unpack_from("<2H", data, 32)
        name, provenance = struct.unpack_from("<2H", data, 36)
        self.data, self.at = data, 64 + name + provenance

    def take(self, kind: str, *shape: int) -> np.ndarray:
        kind = np.dtype("<" + kind)
        count = int(np.prod(shape))
        numbers = np.frombuffer(self.data, kind, count, self.at).reshape(shape)
        self.at += count * kind.itemsize
        return numbers.astype(np.int64 if kind.kind == "i" else np.float64)

    def end(self) -> None:
        assert self.at == len(self.data)


def cut(numerator: int, denominator: int) -> int:
    """A quotient rounded toward zero."""
    quotient = abs(int(numerator)) // denominator
    return quotient if numerator >= 0 else -quotient


def mover(board: chess.Board) -> int:
    return 1 if board.turn == chess.WHITE else -1


def nectar(net: Net):
    """Nectar: 384 for Black, 64 for each role, squares from a8 as a FEN has them."""
    n, (qa, qb) = net.widths[0], net.units
    rows, bias = net.take("i2", 768, n), net.take("i2", n)
    output, last = net.take("i2", n), int(net.take("i4", 1)[0])
    net.end()

    def evaluate(board: chess.Board) -> float:
        sums = bias.copy()
        for row, text in enumerate(board.board_fen().split("/")):
            column = 0
            for letter in text:
                if letter.isdigit():
                    column += int(letter)
                    continue
                sums += rows[64 * "PNBRQKpnbrqk".index(letter) + 8 * row + column]
                column += 1
        squares = np.clip(sums, 0, qa) ** 2
        total = cut(squares @ output, qa) + last
        return mover(board) * cut(total * net.scale, qa * qb)

    return evaluate


def rengar(net: Net):
    """Rengar: four classes of 184 orbits, signs by color and wing, products of classes."""
    h, m = net.widths[:2]
    orbits, tempo = net.take("i2", 184, 4, h), net.take("i2", h)
    even, even_bias = net.take("f4", 4 * h, m), net.take("f4", m)
    odd, u, w = net.take("f4", 3 * h, m), net.take("f4", m), net.take("f4", m)
    net.end()
    limit = 127 / 128

    def evaluate(board: chess.Board) -> float:
        sums = np.zeros((4, h), dtype=np.int64)
        for square, piece in board.piece_map().items():
            rank, file = chess.square_rank(square), chess.square_file(square)
            color = 1 if piece.color else -1
            wing = 1 if file > 3 else -1
            from_enemy = 7 - rank if piece.color else rank
            offset = [-4, 24, 56, 88, 120, 152][piece.piece_type - 1]
            orbit = orbits[offset + 4 * from_enemy + min(file, 7 - file)]
            for index, sign in enumerate([1, color, wing, color * wing]):
                sums[index] += sign * orbit[index]
        sums[1] += mover(board) * tempo
        fs, va, ha, ra = np.clip(sums / net.units[0], -limit, limit)
        inputs = np.concatenate([fs, abs(va), abs(ha), abs(ra)])
        second = np.clip(inputs @ even + even_bias, -limit, limit)
        third = np.concatenate([va, fs * va, ha * ra]) @ odd
        return mover(board) * net.scale * float(u @ third + w @ (second * third))

    return evaluate


def tal(net: Net):
    """Tal's hand: no kings, ranks flipped for Black, blocks of the second layer by both kings."""
    n, m, k = net.widths[:3]
    rows, bias = net.take("i2", 640, n), net.take("i2", n)
    own, their = net.take("i1", 64, m, n), net.take("i1", 64, m, n)
    joined = 2 * m if net.flags & CONCATENATED else m
    second_bias = net.take("i4", joined)
    third, third_bias = net.take("i1", k, joined), net.take("i4", k)
    last, last_bias = net.take("i1", k), int(net.take("i4", 1)[0])
    net.end()

    def evaluate(board: chess.Board) -> float:
        flip = 0 if board.turn else 56
        sums = bias.copy()
        for square, piece in board.piece_map().items():
            if piece.piece_type != chess.KING:
                theirs = 0 if piece.color == board.turn else 5
                sums += rows[64 * (piece.piece_type - 1 + theirs) + (square ^ flip)]
        first = np.clip(sums, 0, 127)
        halves = [
            own[board.king(board.turn) ^ flip] @ first,
            their[board.king(not board.turn) ^ flip] @ first,
        ]
        second = np.concatenate(halves) if net.flags & CONCATENATED else halves[0] + halves[1]
        second = np.clip((second + second_bias) >> 6, 0, 127)
        values = np.clip((third @ second + third_bias) >> 6, 0, 127)
        return cut((int(last @ values) + last_bias) * net.scale, 64 * 64)

    return evaluate


def batu(net: Net):
    """Batu: pieces in the order PRNBQKprnbqk, squares from a8; the sum through tanh if bounded."""
    n, m = net.widths[:2]
    qa, qb = net.units
    table = net.take("i4", 768) / 32768
    rows, bias = net.take("i2", 768, n) / qa, net.take("i2", n) / qa
    second, second_bias = net.take("i2", m, n) / qb, net.take("i4", m) / (qa * qb)
    last, last_bias = net.take("f4", m), float(net.take("f4", 1)[0])
    net.end()

    def evaluate(board: chess.Board) -> float:
        pieces = board.piece_map().items()
        features = [64 * "PRNBQKprnbqk".index(p.symbol()) + (square ^ 56) for square, p in pieces]
        first = np.maximum(rows[features].sum(axis=0) + bias, 0)
        hidden = np.maximum(second @ first + second_bias, 0)
        output = table[features].sum() + last @ hidden + last_bias
        output = np.tanh(output) if net.flags & BOUNDED else output
        return mover(board) * net.scale * float(output)

    return evaluate


def napoleon_planes(board: chess.Board) -> np.ndarray:
    """The 34 planes of docs/concepts/napoleon.md, in the mover's view."""
    planes = np.zeros((34, 64))
    flip = 0 if board.turn else 56
    for square, piece in board.piece_map().items():
        offset, sign = (0, 1) if piece.color == board.turn else (6, -1)
        plane = offset + piece.piece_type - 1
        planes[plane, square ^ flip] = sign
        attacked = board.attacks(square)
        planes[33, square ^ flip] = len(attacked)
        for target in attacked:
            planes[12 + plane, target ^ flip] += sign
    planes[24:30] = planes[12:18] + planes[18:24]
    planes[30] = planes[24:30].sum(axis=0)
    planes[31] = planes[12:18].sum(axis=0)
    planes[32] = planes[18:24].sum(axis=0)
    return planes


def napoleon(net: Net):
    """Napoleon: one block of type 1, blocks of type 2, and the head."""
    channels, blocks, squeezed, head = net.widths

    def norm(planes):
        return net.take("f4", planes), net.take("f4", planes)

    def dense(inputs, outputs):
        return net.take("f4", inputs, outputs), net.take("f4", outputs)

    def gate(planes):
        return dense(planes * 64, squeezed), dense(squeezed, planes)

    first = norm(34), gate(34), norm(34)
    others = []
    for index in range(blocks):
        inputs = 34 if index == 0 else channels
        conv = net.take("f4", channels, inputs, 3, 3), net.take("f4", channels)
        others.append((conv, norm(channels), gate(channels), norm(channels), norm(channels)))
    layers = [dense(channels * 64, head), dense(head, head), dense(head, 1)]
    net.end()

    def apply(layer, x):
        return x @ layer[0] + layer[1]

    def scaled(factors, x):
        return x * factors[0][:, None] + factors[1][:, None]

    def relu(x):
        return np.maximum(x, 0)

    def convolved(conv, planes):
        weights, bias = conv
        padded = np.pad(planes.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
        out = np.zeros((len(bias), 8, 8))
        for rank in range(3):
            for file in range(3):
                part = padded[:, rank : rank + 8, file : file + 8]
                out += np.einsum("oi,irf->orf", weights[:, :, rank, file], part)
        return out.reshape(-1, 64) + bias[:, None]

    def evaluate(board: chess.Board) -> float:
        x = scaled(first[0], napoleon_planes(board))
        g = np.tanh(apply(first[1][1], np.tanh(apply(first[1][0], x.ravel()))))
        # His norm follows tanh.
        a = scaled(first[2], np.tanh(x + x * g[:, None]))
        for conv, conv_norm, (squeeze, excite), gate_norm, sum_norm in others:
            y = scaled(conv_norm, relu(convolved(conv, a)))
            g = relu(apply(excite, relu(apply(squeeze, y.ravel()))))
            g = g * gate_norm[0] + gate_norm[1]
            a = np.vstack([a, np.zeros((channels - len(a), 64))]) + y * g[:, None]
            a = scaled(sum_norm, relu(a))
        hidden = relu(apply(layers[0], a.ravel()))
        output = float(apply(layers[2], relu(apply(layers[1], hidden)))[0])
        output = np.tanh(output) if net.flags & BOUNDED else output
        return net.scale * output

    return evaluate


REFERENCES = {"nectar": nectar, "rengar": rengar, "tal": tal, "batu": batu, "napoleon": napoleon}
# Architectures whose sums are integers to the end: they agree exactly.
EXACT = {"nectar", "tal"}
NETS = sorted(
    path
    for path in [*ROOT.glob("nets/*.qnet"), *ROOT.glob("nets/seeds/*.qnet")]
    if path.stem.split("-")[0] in REFERENCES
)


def positions(count: int, seed: int) -> list[chess.Board]:
    """Positions of random games, a few of them far into the ending."""
    dice, boards = random.Random(seed), []
    while len(boards) < count:
        board = chess.Board()
        for _ in range(dice.randrange(4, 120)):
            if board.is_game_over():
                break
            board.push(dice.choice(list(board.legal_moves)))
        if not board.is_game_over():
            boards.append(board)
    return boards


def outputs(path: pathlib.Path, boards: list[chess.Board]) -> list[int]:
    """What the engine's network says for the side to move, in points."""
    lines = [f"setoption name EvalFile value {path}"]
    for board in boards:
        lines += [f"position fen {board.fen()}", "eval"]
    text = "\n".join([*lines, "quit", ""])
    run = subprocess.run([BINARY], input=text, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    said = [line for line in run.stdout.splitlines() if line.startswith("Network: ")]
    assert len(said) == len(boards), run.stdout[-2000:]
    return [int(line.split(" output ")[1].split()[0]) for line in said]


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_the_engine_agrees_with_the_authors_formulas(path):
    family = path.stem.split("-")[0]
    evaluate = REFERENCES[family](Net(path))
    boards = positions(60, 27)
    found, expected = outputs(path, boards), [evaluate(board) for board in boards]
    for board, one, other in zip(boards, found, expected):
        distance = abs(one - other)
        assert distance == 0 if family in EXACT else distance < 1.5, f"{board.fen()}: {one} {other}"
    assert max(expected) - min(expected) > 100, "so even that nothing would be proved"
    if Net(path).flags & BOUNDED:
        assert max(map(abs, found)) <= Net(path).scale


def swapped(board: chess.Board) -> chess.Board:
    return board.mirror()


def mirrored(board: chess.Board) -> chess.Board:
    other = board.transform(chess.flip_horizontal)
    other.castling_rights, other.ep_square = chess.BB_EMPTY, None
    return other


def bare(board: chess.Board) -> chess.Board:
    """Without castling rights and en passant, which no network sees."""
    board = board.copy(stack=False)
    board.castling_rights, board.ep_square = chess.BB_EMPTY, None
    return board


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_laws(path):
    """What must hold holds to the point, and what no network of the kind keeps is not kept."""
    family = path.stem.split("-")[0]
    boards = [bare(board) for board in positions(30, 5)]
    # In check with the other side to move, a swap is still legal: only the board is turned.
    plain = outputs(path, boards)
    turned = outputs(path, [swapped(board) for board in boards])
    flipped = outputs(path, [mirrored(board) for board in boards])
    # Points are the mover's: swapping colors and the side to move keeps them.
    assert (plain == turned) == (family in {"rengar", "tal", "napoleon"})
    assert (plain == flipped) == (family == "rengar")


def test_every_preset_of_a_seed_is_there():
    names = {path.stem for path in NETS}
    presets = {"nectar-16", "rengar-seed", "tal-8", "tal-8-sum", "batu-tanh", "napoleon-2"}
    assert presets <= names, presets - names
