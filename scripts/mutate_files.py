#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Damages files of every kind that quincunx reads, and gives them to the commands that read them.

The damage knows nothing of the formats. A run fails if a command panics, is ended by a signal, takes longer
than 10 seconds or more than 1 GB of memory, or ends with an error code and no sentence.

Usage: scripts/mutate_files.py [--binary ./quincunx] [--count 3000] [--seed 1] [--kind NAME] [--keep FOLDER]

Prints a Markdown table: kind, files, refused, accepted, slowest, most memory, findings. The files that did
harm are kept in FOLDER.
"""

import argparse
import lzma
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 10
MEMORY = 1 << 30


def run_once(arguments, folder, lines=""):
    """Exit code (None: too slow), what was said, seconds, and the most memory that it had."""
    said = tempfile.TemporaryFile()
    asked = tempfile.TemporaryFile()
    asked.write(lines.encode())
    asked.seek(0)
    began = time.monotonic()
    # A process that is not stopped from outside: this is a busy machine's time, not the wall's.
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    process = subprocess.Popen(arguments, cwd=folder, stdin=asked, stdout=said, stderr=said, preexec_fn=limit,
                               start_new_session=True)
    code, usage = None, None
    while time.monotonic() < began + 60 * SECONDS:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            break
        time.sleep(0.002)
    else:
        os.killpg(process.pid, signal.SIGKILL)
        _, _, usage = os.wait4(process.pid, 0)
    process.returncode = code
    seconds = usage.ru_utime + usage.ru_stime
    said.seek(0)
    return code, said.read().decode(errors="replace"), seconds, usage.ru_maxrss * 1024


def make_seeds(folder, binary):
    """Sound files of every kind, most of them made by the program itself."""

    def quincunx(*words):
        code, said, *_ = run_once([binary, *map(str, words)], folder)
        if code != 0:
            sys.exit(f"cannot make the seeds: {' '.join(map(str, words))}: {said}")

    opening = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {[%eval 0.25] [%clk 0:01:00]} (3... Nf6 4. O-O $1) 4. Ba4"
    game = f'[Event "seed"]\n[White "w"]\n[Black "b"]\n[Result "1-0"]\n\n{opening} 1-0\n\n'
    (folder / "games.pgn").write_text(game * 3)
    fens = ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]
    (folder / "book.epd").write_text("".join(f"{fen}\n" for fen in fens))
    (folder / "small.epd").write_text(
        '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "one"; c0 "x";\n')
    (folder / "scored.csv").write_text("".join(f"{fen},35,0.5\n" for fen in fens))
    for name, mode in (("games.vf", "alphabeta"), ("visits.vf", "mcts")):
        quincunx("selfplay", "--out", name, "--games", 2, "--nodes", 20, "--mode", mode, "--json")
    records = (ROOT / "recipes/data/smoke-train.qrec").read_bytes()
    (folder / "train.qrec").write_bytes(records)
    (folder / "validation.qrec").write_bytes((ROOT / "recipes/data/smoke-validation.qrec").read_bytes())
    recipe = (ROOT / "recipes/smoke.toml").read_text().replace("data/smoke-", "")
    (folder / "recipe.toml").write_text(recipe)
    quincunx("train", "recipe.toml", "--out", "run", "--set", "schedule.passes=1")
    shutil.copy(folder / "run/smoke.qnet", folder / "net.qnet")
    shutil.copy(folder / "run/checkpoint.bin", folder / "checkpoint.bin")
    quincunx("book", "make", "book.bin", "games.pgn")
    engines = [f"--engine cmd={binary} name={name} nodes={nodes}".split() for name, nodes in (("a", 9), ("b", 5))]
    quincunx("match", *engines[0], *engines[1], "--games", 2, "--max-moves", 6, "--out", "match",
             "--openings", "book.epd")
    for name in ("log.csv", "run.json", "games.pgn"):
        shutil.copy(folder / "match" / name, folder / f"match-{name}")
    sides = "".join(f'[[engine]]\nname = "{n}"\ncmd = "{binary}"\nnodes = 5\n' for n in "ab")
    (folder / "league.toml").write_text(f'games = 2\nout = "league"\nmax_moves = 4\n{sides}')
    (folder / "tuning.toml").write_text(
        f'engine = "cmd={binary} nodes=5"\nout = "tuning"\ntrials = 1\nbook = "book.epd"\n'
        'parameters = ["Move Overhead, int, 100, 0, 1000, 40.5, 0.05"]\nresign = "movecount=2 score=300"\n')
    (folder / "lichess.toml").write_bytes((ROOT / "crates/lichess/src/config/example.toml").read_bytes())
    (folder / "weights.txt").write_text("0.01 " * (801 * 16 + 65))
    lines = game.encode() * 50
    (folder / "games.pgn.xz").write_bytes(lzma.compress(lines))
    packed = subprocess.run(["zstd", "-c"], input=lines, capture_output=True, check=False)
    (folder / "games.pgn.zst").write_bytes(packed.stdout)
    (folder / "uci.txt").write_text(
        "uci\nsetoption name Hash value 1\nposition startpos moves e2e4 e7e5\ngo nodes 50\n"
        "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\ngo depth 2 searchmoves e1g1\neval\nd\nquit\n")
    (folder / "fen.txt").write_text(fens[1])


def match_again(name):
    """A match that was broken off, with one of its files damaged."""

    def command(binary, file, folder):
        run = folder / "again"
        shutil.copytree(folder / "match", run, dirs_exist_ok=True)
        shutil.copy(file, run / name)
        engines = [f"--engine cmd={binary} name={n} nodes={k}".split() for n, k in (("a", 9), ("b", 5))]
        return [binary, "match", *engines[0], *engines[1], "--games", "2", "--max-moves", "6", "--out", "again",
                "--openings", "book.epd"], run

    return command


def train_again(binary, file, folder):
    run = folder / "again"
    shutil.copytree(folder / "run", run, dirs_exist_ok=True)
    shutil.copy(file, run / "checkpoint.bin")
    (run / "summary.toml").unlink(missing_ok=True)
    return [binary, "train", "recipe.toml", "--out", "again", "--resume", "--set", "schedule.passes=1"], run


def words(*arguments, out=None):
    """The command with `FILE` in the place of the damaged file; what it writes is removed."""

    def command(binary, file, folder):
        filled = [binary if word == "BINARY" else word.replace("FILE", str(file)) for word in arguments]
        return [binary, *filled], folder / out if out else None

    return command


KINDS = {
    "FEN": ("fen.txt", words("eval", "TEXT")),
    "UCI lines": ("uci.txt", None),
    "EPD, suite": ("small.epd", words("suite", "FILE", "--nodes", "50")),
    "EPD, perft": ("book.epd", words("perft", "--suite", "FILE", "--max-nodes", "1000")),
    "PGN, import": ("games.pgn", words("data", "import", "FILE", "--out", "out.vf", out="out.vf")),
    "PGN, book": ("games.pgn", words("book", "make", "out.bin", "FILE", out="out.bin")),
    "PGN in xz": ("games.pgn.xz", words("book", "make", "out.bin", "FILE", out="out.bin")),
    "PGN in zst": ("games.pgn.zst", words("book", "make", "out.bin", "FILE", out="out.bin")),
    "openings, match": ("book.epd", words(
        "match", "--engine", "cmd=QUINCUNX", "name=a", "nodes=5", "--engine", "cmd=QUINCUNX", "name=b", "nodes=5",
        "--games", "2", "--max-moves", "3", "--openings", "FILE", "--out", "out", out="out")),
    "Polyglot": ("book.bin", words("book", "probe", "FILE")),
    "network": ("net.qnet", words("eval", "startpos", "--network", "FILE")),
    "network, info": ("net.qnet", words("net", "info", "FILE")),
    "policy": ("policy.qnet", words("net", "info", "FILE")),
    "weights.txt": ("weights.txt", words("net", "convert", "FILE", "--out", "out.qnet", out="out.qnet")),
    "games, info": ("games.vf", words("data", "info", "FILE")),
    "games, check": ("games.vf", words("data", "check", "FILE")),
    "games, expand": ("games.vf", words("data", "expand", "FILE", "--out", "out.qrec", out="out.qrec")),
    "games, relabel": ("games.vf", words(
        "data", "relabel", "FILE", "--out", "out.vf", "--engine", "QUINCUNX", "--nodes", "5", "--threads", "1",
        out="out.vf")),
    "records, info": ("validation.qrec", words("data", "info", "FILE")),
    "records, shuffle": ("validation.qrec", words("data", "shuffle", "FILE", "--out", "out.qrec", out="out.qrec")),
    "records, relabel": ("few.qrec", words(
        "data", "relabel", "FILE", "--out", "out.qrec", "--engine", "QUINCUNX", "--nodes", "5", "--threads", "1",
        out="out.qrec")),
    "visits": ("visits.vf", words("data", "info", "FILE")),
    "visits, sample": ("visits.vf", words("data", "sample", "FILE", "--out", "out.qrec", out="out.qrec")),
    "recipe": ("recipe.toml", words("train", "FILE", "--out", "out", "--set", "schedule.passes=1", out="out")),
    "checkpoint": ("checkpoint.bin", train_again),
    "match log": ("match-log.csv", match_again("log.csv")),
    "match settings": ("match-run.json", match_again("run.json")),
    "match games": ("match-games.pgn", match_again("games.pgn")),
    "league": ("league.toml", words("league", "FILE", out="league")),
    "tuning": ("tuning.toml", words("tune", "FILE", out="tuning")),
    "bot's settings": ("lichess.toml", words("lichess", "check", "--config", "FILE")),
}

EDGES = [b"\0" * 8, b"\xff" * 8, b"\x7f" + b"\xff" * 7, b"-1", b"99999999999999999999", b"1e999", b"NaN", b"\n" * 50,
         b"\x1b[2J", "‮".encode(), b"../../x", b"<script>", b'"', b"[" * 500, b"{" * 500, b"(" * 500]


def damaged(data, chance):
    data = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1) if chance.random() < 0.6 else chance.randrange(min(len(data), 96) + 1)
        size = chance.choice([1, 1, 2, 4, 8, 40, 400])
        match chance.randrange(8):
            case 0: data[at:at + 1] = bytes([chance.randrange(256)])
            case 1: data[at:at + size] = b""
            case 2: data[at:at] = data[at:at + size] * chance.choice([1, 2, 50])
            case 3: data[at:at + size] = chance.randbytes(size)
            case 4: edge = chance.choice(EDGES); data[at:at + len(edge)] = edge
            case 5: data[at:at] = chance.choice(EDGES)
            case 6: del data[at:]
            case _:
                if at < len(data): data[at] ^= 1 << chance.randrange(8)
    return bytes(data)


def problem_of(code, said, seconds, memory):
    if code is None or code == -signal.SIGXCPU or seconds > SECONDS:
        return "hangs"
    if "panicked at" in said:
        return "panic"
    if memory > MEMORY:
        return "memory"
    if code < 0:
        return f"signal {-code}"
    if code != 0 and not said.strip():
        return "no sentence"
    return None


class Row:
    def __init__(self):
        self.files = self.refused = self.accepted = 0
        self.seconds = self.memory = 0
        self.findings = []


def run_kind(kind, data, folder, seeds, binary):
    """Gives a file to the command that reads it: what was run, and how it went."""
    seed, command = KINDS[kind]
    file = folder / f"damaged-{seed}"
    file.write_bytes(data)
    lines, written = "", None
    if command is None:
        arguments, lines = [binary], file.read_bytes().decode(errors="replace")
    elif kind == "FEN":
        text = file.read_bytes().replace(b"\0", b"?").decode(errors="replace")
        arguments = [binary, "eval", "--", text]
    else:
        arguments, written = command(binary, file, folder)
        arguments = [word.replace("QUINCUNX", binary) for word in arguments]
    ended = run_once(arguments, folder, lines)
    for path in folder.glob(written.name + "*") if written else []:
        if path.name not in seeds:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return arguments, ended


def try_one(kind, number, folder, seeds, binary, keep, chance, row):
    seed, _ = KINDS[kind]
    data = damaged((folder / seed).read_bytes(), chance)
    arguments, (code, said, seconds, memory) = run_kind(kind, data, folder, seeds, binary)
    row.files += 1
    row.accepted += code == 0
    row.refused += code != 0
    row.seconds, row.memory = max(row.seconds, seconds), max(row.memory, memory)
    problem = problem_of(code, said, seconds, memory)
    if problem:
        row.findings.append(f"{problem} ({number})")
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{number}-{problem.replace(' ', '-')}-{seed}").write_bytes(data)
        (keep / f"{number}-said.txt").write_text(" ".join(arguments)[:2000] + "\n" + said[-4000:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "quincunx")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--keep", type=Path, default=ROOT / "runs/mutations")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    kinds = [options.kind] if options.kind else list(KINDS)
    rows = {kind: Row() for kind in kinds}
    with tempfile.TemporaryDirectory(prefix="mutations-") as parent:
        folder = Path(parent)
        binary = str(shutil.copy2(options.binary, folder / "quincunx"))
        make_seeds(folder, binary)
        (folder / "policy.qnet").write_bytes((ROOT / "nets/policy.qnet").read_bytes())
        (folder / "few.qrec").write_bytes((folder / "validation.qrec").read_bytes()[:64 + 32 * 20])
        seeds = {path.name for path in folder.iterdir()}
        for kind in kinds:
            # Otherwise the damage would be refused for another reason than itself.
            arguments, (code, said, *_) = run_kind(kind, (folder / KINDS[kind][0]).read_bytes(), folder, seeds, binary)
            if code != 0:
                sys.exit(f"the sound file for `{kind}` is refused: {' '.join(arguments)}: {said}")
        for number in range(options.count):
            kind = kinds[number % len(kinds)]
            try_one(kind, number, folder, seeds, binary, options.keep, chance, rows[kind])
            if number % 100 == 99:
                print(f"{number + 1} of {options.count}", file=sys.stderr, flush=True)
    print("| kind | files | refused | accepted | slowest | most memory | findings |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for kind, row in rows.items():
        found = "; ".join(row.findings[:8]) or "none"
        print(f"| {kind} | {row.files} | {row.refused} | {row.accepted} | {row.seconds:.1f} s | "
              f"{row.memory >> 20} MB | {found} |")
    findings = sum(len(row.findings) for row in rows.values())
    print(f"{sum(row.files for row in rows.values())} files, {findings} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
