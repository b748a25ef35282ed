# SPDX-License-Identifier: GPL-3.0-or-later
"""python-chess reads what `quincunx analyze` writes: every move legal, marks as the scores say."""

import math
import os
import pathlib
import subprocess

import chess
import chess.engine
import chess.pgn
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("QUINCUNX", str(ROOT / "quincunx"))
SHARED = ROOT.parent / "shared" / "data" / "pgn"

GAMES = """[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]

1. e4 Ke7 {old} (1... Kd7) 2. Kf2 *
"""

BAD = {chess.pgn.NAG_DUBIOUS_MOVE: 5, chess.pgn.NAG_MISTAKE: 10, chess.pgn.NAG_BLUNDER: 20}
"""Percent of the winning chance that a marked move loses at least."""


def chance(score: chess.engine.PovScore, side: bool) -> float:
    """The winning chance of a side in percent, as the guide defines it."""
    mate = score.white().mate()
    centipawns = score.white().score() if mate is None else math.copysign(1000, mate)
    centipawns = max(-1000, min(1000, centipawns))
    white = 50 + 50 * (2 / (1 + math.exp(-0.00368208 * centipawns)) - 1)
    return white if side else 100 - white


def check(game: chess.pgn.Game) -> int:
    """Looks at every move; returns how many have an evaluation."""
    assert not game.errors, game.errors
    evaluated = 0
    before = None
    for node in game.mainline():
        # Annotators let a side pass.
        assert not node.move or node.parent.board().is_legal(node.move), f"{node.move} in {game}"
        score = node.eval()
        evaluated += score is not None
        if before is not None and score is not None:
            loss = chance(before, node.parent.turn()) - chance(score, node.parent.turn())
            marks = [least for nag, least in BAD.items() if nag in node.nags]
            # Evaluations are written to a hundredth of a pawn.
            assert all(loss > least - 0.2 for least in marks), f"{node.san()}: {loss:.2f} {node.nags}"
            assert not marks or node.parent.variations[1:], f"{node.san()} has no better line"
        before = score
    return evaluated


def analyze(path: pathlib.Path, out: pathlib.Path) -> tuple[list[chess.pgn.Game], str]:
    command = [BINARY, "analyze", str(path), "--out", str(out), "--nodes", "300", "--hash", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        return [], done.stderr
    games = []
    with out.open() as file:
        while game := chess.pgn.read_game(file):
            games.append(game)
    return games, done.stderr


def test_games_are_read_again(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    games, _ = analyze(path, tmp_path / "out.pgn")
    assert [check(game) for game in games] == [6, 3]
    assert games[0].headers["WhiteAccuracy"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/data/pgn")
def test_games_of_all_kinds(tmp_path):
    evaluated = 0
    # The largest files would take minutes.
    paths = [path for path in sorted(SHARED.iterdir()) if path.suffix.lower() == ".pgn"]
    for path in (path for path in paths if path.stat().st_size < 20_000):
        games, errors = analyze(path, tmp_path / f"{path.name}.out")
        # Other games than chess, and files without any.
        assert games or "no game" in errors, f"{path.name}: {errors}"
        evaluated += sum(check(game) for game in games)
    assert evaluated > 500
