# SPDX-License-Identifier: GPL-3.0-or-later
"""Another client on the fake Lichess: what `berserk` can play on is like the real one.

The bot's tests lean on the fake; if it were wrong, they would prove nothing. So the client that most
Python bots use logs in, challenges, moves and talks here, and plays a whole game; and then it plays one
against our own bot.
"""

import os
import pathlib
import random
import subprocess

import berserk
import chess
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("QUINCUNX", str(ROOT / "quincunx"))
FAKE = os.environ.get("FAKE_LICHESS", str(ROOT / "target" / "debug" / "fake-lichess"))
TOKENS = {"Guest": "lip_guest", "Quincunx": "lip_house"}


@pytest.fixture
def url():
    arguments = [FAKE, "0", *(f"{name}={token}" for name, token in TOKENS.items())]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as fake:
        yield fake.stdout.readline().strip()
        fake.stdin.close()
        fake.wait(timeout=30)


@pytest.fixture
def client(url):
    session = berserk.TokenSession(TOKENS["Guest"])
    session.trust_env = False  # No proxy comes between two programs of one machine.
    return berserk.Client(session=session, base_url=url)


def play(client, game_id, generator):
    """Plays a game by any legal moves, and returns its last state and the board."""
    board, color, state = chess.Board(), None, None
    for event in client.bots.stream_game_state(game_id):
        if event["type"] == "gameFull":
            assert event["id"] == game_id and event["initialFen"] == "startpos"
            color = chess.WHITE if event["white"]["id"] == "guest" else chess.BLACK
            state = event["state"]
        elif event["type"] == "gameState":
            state = event
        else:
            continue
        board = chess.Board()
        for move in state["moves"].split():
            board.push_uci(move)
        if state["status"] != "started":
            break
        if board.turn == color and not board.is_game_over():
            move = generator.choice(list(board.legal_moves))
            client.bots.make_move(game_id, move.uci())
    return state, board


def start_of(client, challenge_id):
    for event in client.bots.stream_incoming_events():
        if event["type"] == "gameStart" and event["game"]["gameId"] == challenge_id:
            return event["game"]
    raise AssertionError("the stream of events ended")


def check_end(state, board):
    if state["status"] == "mate":
        assert board.is_checkmate()
        assert state["winner"] == ("black" if board.turn else "white")
    else:
        assert state["status"] in ("draw", "stalemate"), state
        assert board.is_game_over() and not board.is_checkmate()


def test_berserk_plays_a_whole_game(client):
    assert client.account.get()["username"] == "Guest"
    challenge = client.challenges.create(
        "Random", rated=False, clock_limit=300, clock_increment=2, color="white"
    )
    game = start_of(client, challenge["id"])
    assert game["color"] == "white" and game["opponent"]["username"] == "Random"
    client.bots.post_message(challenge["id"], "Good luck!")
    state, board = play(client, challenge["id"], random.Random(2))
    assert board.ply() > 10
    check_end(state, board)
    # The server knows what it does not allow.
    with pytest.raises(berserk.exceptions.ResponseError):
        client.bots.make_move(challenge["id"], "e2e4")


@pytest.mark.skipif(not pathlib.Path(BINARY).exists(), reason="the binary is not built")
def test_berserk_plays_against_our_bot(client, url, tmp_path):
    config = tmp_path / "lichess.toml"
    config.write_text(f"[account]\nurl = {url!r}\n[engine]\nnodes = 2000\n[chat]\ngreeting = 'Hello!'\n")
    environment = {**os.environ, "LICHESS_TOKEN": TOKENS["Quincunx"]}
    command = [BINARY, "lichess", "run", "--json", "--config", str(config)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as bot:
        assert '"connected"' in bot.stdout.readline()
        challenge = client.challenges.create(
            "Quincunx", rated=False, clock_limit=300, clock_increment=2, color="black"
        )
        start_of(client, challenge["id"])
        state, board = play(client, challenge["id"], random.Random(3))
        assert state["status"] == "mate" and state["winner"] == "white"
        assert board.is_checkmate()
        bot.terminate()
        rest = bot.stdout.read()
        assert bot.wait(timeout=30) == 0
    assert '"ended"' in rest
    assert TOKENS["Quincunx"] not in rest
    assert (tmp_path / "lichess" / "games" / f"{challenge['id']}.pgn").exists()
