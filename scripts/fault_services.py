# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts/faults.py needs to know of the two programs that run until they are told to stop: the bot, which
plays on the fake Lichess, and the board, which keeps what a page sends to it."""

import base64
import contextlib
import json
import os
import re
import socket
import struct
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

TYPES = Path(__file__).resolve().parent.parent / "crates/board/web/src/protocol.ts"
PROTOCOL = int(re.search(r"VERSION = (\d+)", TYPES.read_text())[1])

TOKEN = "lip_verySecretToken"
GAMES = 2
SOUND_ENDS = ("mate", "stalemate", "draw", "resign")


class Bot:
    """Plays its games; what counts is that each is finished and on disk, and that the token is in no file."""

    def __init__(self, fake):
        self.fake = str(fake)
        self.servers = []

    def begin(self, folder, _binary):
        server = subprocess.Popen([self.fake, "0", f"Quincunx={TOKEN}"], cwd="/", stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.servers.append(server)
        self.url = server.stdout.readline().strip()
        (folder / "bot.token").write_text(TOKEN)
        (folder / "bot.token").chmod(0o600)
        (folder / "bot.toml").write_text(
            f'[account]\ntoken_file = "bot.token"\nurl = "{self.url}"\n[challenge]\nconcurrency = {GAMES}\n'
            "[engine]\nhash = 1\nnodes = 200\n[play]\nabort_seconds = 600\n")
        for name in ["Random", "Robot"][:GAMES]:
            self.ask(f"/api/challenge/{name}", {"clock.limit": 10800, "clock.increment": 60})

    def command(self, _binary):
        return ["lichess", "run", "--config", "bot.toml", "--plain"]

    def ask(self, path, fields=None):
        data = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(self.url + path, data, {"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def work(self, folder, _run):
        """Whether there is nothing more to do."""
        with contextlib.suppress(OSError, ValueError):
            if self.ask("/api/account/playing")["nowPlaying"]:
                self.over = None
                return False
        # The last game is saved after its end.
        self.over = getattr(self, "over", None) or time.monotonic()
        return len(self.saved(folder)) >= GAMES or time.monotonic() > self.over + 10

    def saved(self, folder):
        return [path for path in (folder / "lichess").rglob("*.pgn") if "Termination" in path.read_text()]

    def results(self, folder):
        found = {"games": len(self.saved(folder))}
        for path in self.saved(folder):
            end = re.search(r'\[Termination "(.*)"\]', path.read_text())[1]
            if end not in SOUND_ENDS:
                found[path.name] = end
        for path in folder.rglob("*"):
            if path.is_file() and path.name != "bot.token" and TOKEN.encode() in path.read_bytes():
                found[path.name] = "the token is in it"
        return found

    def end(self):
        for server in self.servers:
            server.stdin.close()
            server.wait()
        self.servers = []


class Board:
    """Keeps a game that grows; what counts is that nothing is lost once the page was told that it is kept."""

    SESSION = "0123456789abcdef0123456789abcdef"
    SAVES = 60

    def begin(self, folder, _binary):
        self.kept = 0
        (folder / "page").mkdir()
        (folder / "page/index.html").write_text("<p>the page</p>")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def command(self, _binary):
        return ["board", "--port", str(self.port), "--games", "games", "--runs", "runs", "--page", "page", "--no-open",
                "--threads", "1", "--hash", "16"]

    def work(self, _folder, run):
        """Whether there is nothing more to do. The first call begins to talk."""
        if not hasattr(run, "talk"):
            run.talk = threading.Thread(target=self.talk, args=(run,), daemon=True)
            run.talk.start()
        return not run.talk.is_alive()

    def talk(self, run):
        """Saves until all is kept, or the program has ended, or it refuses for too long."""
        deadline = time.monotonic() + 30
        while self.kept < self.SAVES and run.process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError, ValueError, KeyError):
                page = Page(f"127.0.0.1:{self.port}")
                page.say({"type": "hello", "version": PROTOCOL, "session": self.SESSION})
                page.hear()
                while self.kept < self.SAVES and self.save(page):
                    time.sleep(0.01)
            time.sleep(0.1)

    def save(self, page):
        """Whether a game was kept: if so, it must be there ever after."""
        page.say({"type": "save", "document": {"pgn": "1. e4 *", "state": str(self.kept + 1)}})
        is_kept = page.hear()["type"] == "saved"
        self.kept += is_kept
        return is_kept

    def results(self, folder):
        kept = json.loads((folder / "games" / f"{self.SESSION}.json").read_text())["document"]["state"]
        return {"kept": "all" if int(kept) == self.kept == self.SAVES else f"{kept} of {self.kept}"}

    def end(self):
        pass


class Page:
    """As much of a WebSocket as the board's own page uses."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.stream = socket.create_connection((host, int(port)), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET /socket HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self.take(1)
        if b" 101 " not in answer:
            raise OSError(answer.decode())

    def take(self, count):
        data = b""
        while len(data) < count:
            part = self.stream.recv(count - len(data))
            if not part:
                raise OSError("closed")
            data += part
        return data

    def say(self, message):
        text = json.dumps(message).encode()
        mask = os.urandom(4)
        head = bytes([0x81, 0x80 | len(text)]) if len(text) < 126 else struct.pack("!BBH", 0x81, 0xFE, len(text))
        self.stream.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(text)))

    def hear(self):
        first, length = self.take(2)
        if length == 126:
            length, = struct.unpack("!H", self.take(2))
        elif length == 127:
            length, = struct.unpack("!Q", self.take(8))
        data = self.take(length)
        return json.loads(data) if first & 15 == 1 else self.hear()
