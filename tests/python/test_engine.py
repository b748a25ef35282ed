# SPDX-License-Identifier: GPL-3.0-or-later
"""python-chess drives the engine: what GUIs, bots and scripts built on it will do."""

import os
import pathlib
import random

import chess
import chess.engine
import chess.pgn
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("QUINCUNX", str(ROOT / "quincunx"))

# Long, for busy machines: only a hang takes longer.
TIMEOUT = 30.0

# Too large to be tried at their limits on any machine.
MODEST = {"Hash": 64, "hashbits": 22, "Threads": 8}

# What python-chess sets by itself and does not let us set.
MANAGED = {"multipv", "ponder", "uci_analysemode", "uci_chess960", "uci_variant"}


@pytest.fixture
def engine():
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=TIMEOUT) as engine:
        yield engine


def check_info(board: chess.Board, info: chess.engine.InfoDict) -> None:
    """The line can be played, does not outlast the game, and ends in mate if it promises one."""
    position = board.copy()
    for i, move in enumerate(info["pv"]):
        is_over = position.is_game_over() or position.is_repetition(3) or position.is_fifty_moves()
        assert i == 0 or not is_over, f"{board.fen()}: {info} goes on after the end"
        assert position.is_legal(move), f"{board.fen()}: {info}"
        position.push(move)
    if "lowerbound" in info or "upperbound" in info:
        return
    mate = info["score"].relative.mate()
    if mate is not None:
        assert len(info["pv"]) == (2 * mate - 1 if mate > 0 else -2 * mate), f"{board.fen()}: {info}"
        assert position.is_checkmate(), f"{board.fen()}: {info}"


def test_identity(engine):
    assert engine.id["name"].startswith("Quincunx ")
    assert engine.id["author"]


@pytest.mark.parametrize("lines", [2, 5, 256])
def test_multipv_lines_are_distinct_ordered_and_complete(engine, lines):
    for fen in [
        chess.STARTING_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/8/8/8/R7/K6k w - - 90 120",
    ]:
        board = chess.Board(fen)
        infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=lines)
        assert len(infos) == min(lines, board.legal_moves.count())
        assert [info["multipv"] for info in infos] == list(range(1, len(infos) + 1))
        assert len({info["pv"][0] for info in infos}) == len(infos)
        scores = [info["score"].relative for info in infos]
        assert scores == sorted(scores, reverse=True)
        for info in infos:
            check_info(board, info)
            assert info["depth"] == 5


def test_root_moves_are_respected(engine):
    board = chess.Board()
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    result = engine.play(board, chess.engine.Limit(depth=5), root_moves=wanted)
    assert result.move in wanted
    infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=5, root_moves=wanted)
    assert {info["pv"][0] for info in infos} == set(wanted)


def test_pondering_hits_and_misses(engine):
    board = chess.Board()
    generator = random.Random(1)
    hits = misses = 0
    for ply in range(12):
        limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
        result = engine.play(board, limit, ponder=True, info=chess.engine.INFO_ALL)
        assert board.is_legal(result.move)
        board.push(result.move)
        if board.is_game_over():
            break
        # Every other time the expected reply comes, so that the next search is a hit.
        expected = result.ponder
        others = [move for move in board.legal_moves if move != expected]
        if expected is not None and (ply % 2 == 0 or not others):
            reply, hits = expected, hits + 1
        else:
            reply, misses = generator.choice(others), misses + 1
        assert board.is_legal(reply)
        board.push(reply)
        if board.is_game_over():
            break
    assert hits >= 2 and misses >= 2


@pytest.mark.parametrize("number", [0, 1, 518, 959, 342])
def test_chess960_games(engine, number):
    board = chess.Board.from_chess960_pos(number)
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        result = engine.play(board, chess.engine.Limit(nodes=1000), info=chess.engine.INFO_ALL)
        assert board.is_legal(result.move)
        check_info(board, result.info)
        board.push(result.move)


def test_chess960_castling_is_king_takes_rook(engine):
    board = chess.Board("4k3/8/8/8/8/8/8/1R2KR2 w BF - 0 1", chess960=True)
    castling = [move for move in board.legal_moves if board.is_castling(move)]
    assert castling
    for move in castling:
        result = engine.play(board, chess.engine.Limit(depth=3), root_moves=[move])
        assert result.move == move


@pytest.mark.parametrize(
    "fen, moves",
    [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1),
        ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ],
)
def test_mate_limits(engine, fen, moves):
    board = chess.Board(fen)
    info = engine.analyse(board, chess.engine.Limit(mate=moves))
    assert info["score"].relative == chess.engine.Mate(moves)
    check_info(board, info)


def test_no_legal_moves(engine):
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R6k/8/6K1/8/8/8/8/8 b - - 0 1"]:
        result = engine.play(chess.Board(fen), chess.engine.Limit(depth=3))
        assert result.move is None


def values(option: chess.engine.Option) -> list:
    """The smallest, the largest and another value."""
    if option.type == "spin":
        largest = min(option.max, MODEST.get(option.name, option.max))
        return [option.min, largest, (option.min + largest) // 2, option.default]
    if option.type == "check":
        return [True, False, option.default]
    if option.type == "combo":
        return [*option.var, option.default]
    if option.type == "string":
        return ["", "some words, and more", option.default]
    return [None]


def test_every_option_is_set_and_read_back(tmp_path):
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=TIMEOUT) as engine:
        options = dict(engine.options)
        assert {"Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "UCI_ShowWDL"} <= set(options)
        for option in options.values():
            assert option.default is None or option.parse(str(option.default)) is not None
            if option.name.lower() in MANAGED:
                continue
            for value in values(option):
                if option.name == "Debug Log File" and value:
                    value = str(tmp_path / "engine.log")
                engine.configure({option.name: value})
                if option.type != "button":
                    assert engine.protocol.config.get(option.name, value) == value
            engine.ping()
            result = engine.play(chess.Board(), chess.engine.Limit(nodes=200))
            assert result.move is not None, option.name
        # Asked again, the engine declares the same.
        again = chess.engine.SimpleEngine.popen_uci(BINARY, timeout=TIMEOUT)
        assert dict(again.options) == options
        again.quit()


def test_options_beyond_the_machine_do_no_harm(engine):
    for name in ["Hash", "hashbits"]:
        engine.configure({name: engine.options[name].max})
        assert engine.play(chess.Board(), chess.engine.Limit(nodes=200)).move is not None


def test_wdl(engine):
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=5))
    assert sum(info["wdl"].relative) == 1000


def test_analysis_is_stopped(engine):
    board = chess.Board()
    with engine.analysis(board, multipv=2) as analysis:
        for info in analysis:
            if "pv" in info:
                check_info(board, info)
            if info.get("depth", 0) >= 6:
                break
        analysis.stop()
        best = analysis.wait()
        assert board.is_legal(best.move)
    assert engine.play(board, chess.engine.Limit(depth=1)).move is not None


def test_depths_come_one_by_one(engine):
    board = chess.Board("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10")
    depths = []
    with engine.analysis(board, chess.engine.Limit(depth=9)) as analysis:
        for info in analysis:
            if "pv" in info and "lowerbound" not in info and "upperbound" not in info:
                depths.append(info["depth"])
    assert depths == list(range(1, 10))


@pytest.mark.parametrize("opening", ["e2e4 c7c5", "d2d4 g8f6", "c2c4 e7e5", "g1f3 d7d5"])
def test_a_quick_game_against_itself(opening):
    """0.2 seconds and 5 ms a move, with every line checked. The clock is not: machines are busy."""
    board = chess.Board()
    for move in opening.split():
        board.push_uci(move)
    clocks = {chess.WHITE: 0.2, chess.BLACK: 0.2}
    with (
        chess.engine.SimpleEngine.popen_uci(BINARY, timeout=TIMEOUT) as white,
        chess.engine.SimpleEngine.popen_uci(BINARY, timeout=TIMEOUT) as black,
    ):
        while not board.is_game_over(claim_draw=True) and board.ply() < 300:
            engine = white if board.turn else black
            limit = chess.engine.Limit(
                white_clock=clocks[chess.WHITE],
                black_clock=clocks[chess.BLACK],
                white_inc=0.005,
                black_inc=0.005,
            )
            with engine.analysis(board, limit, game=opening) as analysis:
                for info in analysis:
                    if "pv" in info:
                        check_info(board, info)
                        seconds = info["time"]
                best = analysis.wait()
            assert best.move == info["pv"][0], "the last line shows the best move"
            assert board.is_legal(best.move)
            # By the engine's own reckoning the clock lasts.
            clocks[board.turn] = max(clocks[board.turn] - seconds, 0.001) + 0.005
            board.push(best.move)
    game = chess.pgn.Game.from_board(board)
    assert not game.errors
