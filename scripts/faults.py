#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Injects faults into the long jobs of quincunx and prints what was lost.

Each job runs once undisturbed. Then each fault strikes it at a random moment, the same command runs again
until it ends, and the result is compared with the undisturbed one.

Usage: scripts/faults.py [--binary ./quincunx] [--short] [--repeat N] [--job NAME] [--fault NAME] [--tally FILE]

Prints a Markdown table: job, fault, times, expected, happened, lost. Exit code 1 if anything was lost, a program
panicked or hung, or a process was left behind. Faults that need root (full disk, read-only folder) are
skipped without it, the bot without target/debug/fake-lichess (`cargo build -p fake-lichess`).
"""

import argparse
import contextlib
import hashlib
import json
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

from fault_services import Board, Bot

ROOT = Path(__file__).resolve().parent.parent
HANG = 600
"""Seconds after which a command is taken for hung: builds and stopped processes may take the machine away."""

TOO_LATE = "it had ended before"


class Job:
    """A command that leaves files, which must not depend on how often it was broken off."""

    def __init__(self, name, command, results, prepare=None, resume=(), locks=False):
        self.name = name
        self.command = command
        self.results = results
        self.prepare = prepare or (lambda folder, binary: None)
        self.resume = list(resume)
        self.locks = locks

    def begin(self, folder, binary):
        folder.mkdir(parents=True, exist_ok=True)
        self.prepare(folder, binary)

    def arguments(self, binary, again=False):
        return [binary, *self.command(binary), *(self.resume if again else [])]

    def end(self):
        """Ends what helped it."""

    def follow(self, folder, run):
        """Waits until the command has done its work."""
        return run.wait()


class Service(Job):
    """A program that runs until it is told to stop, and works for others meanwhile: see `fault_services`."""

    def __init__(self, name, service):
        super().__init__(name, service.command, service.results, service.begin)
        self.service = service

    def end(self):
        self.service.end()

    def follow(self, folder, run):
        deadline = time.monotonic() + HANG
        while run.process.poll() is None:
            if self.service.work(folder, run) or time.monotonic() > deadline:
                run.strike(signal.SIGTERM)
                ended = run.wait()
                # Told to end, and ended: by its own code or by the signal.
                return Ended(0, ended.errors) if ended.code == -signal.SIGTERM else ended
            time.sleep(0.05)
        return run.wait()


def digest(*names):
    """What these files hold."""

    def read(folder):
        return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}

    return read


def match_games(*logs):
    """Games by number with result and plies: all of a match that does not depend on time."""

    def read(folder):
        games = {}
        for log in logs:
            for line in (folder / log).read_text().splitlines()[1:]:
                pair, game, white, black, result, plies, ending = line.split(",")[:7]
                key = f"{log} {game}"
                games[key] = "twice" if key in games else [pair, white, black, result, plies, ending]
        return games

    return read


def engine_words(binary, name, nodes):
    return ["--engine", f"cmd={binary}", f"name={name}", f"nodes={nodes}", "opt.Hash=1"]


def write_league(folder, binary):
    engines = "".join(
        f'[[engine]]\nname = "{name}"\ncmd = "{binary}"\nnodes = {nodes}\noptions = {{ Hash = 1 }}\n'
        for name, nodes in (("a", 60), ("b", 40), ("c", 20))
    )
    (folder / "small.toml").write_text(f'games = 4\nout = "league"\nmax_moves = 12\n{engines}')


def write_tuning(folder, binary):
    (folder / "small.toml").write_text(
        f'engine = "cmd={binary} nodes=40 opt.Hash=1"\nout = "tuning"\ntrials = 10\nbook = "book.epd"\n'
        'parameters = ["Move Overhead, int, 100, 0, 1000, 40.5, 0.05"]\nresign = "movecount=2 score=300"\n'
    )
    write_book(folder)


def write_book(folder):
    fens = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1",
        "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1",
        "4k2r/8/8/8/8/8/4p3/4K3 b k - 0 1",
    ]
    (folder / "book.epd").write_text("".join(fen + "\n" for fen in fens))


def write_suite(folder, _):
    line = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"{}\";\n"
    (folder / "small.epd").write_text("".join(line.format(number) for number in range(24)))


def write_games(folder, count):
    text = "".join(f'[White "w{i}"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n' for i in range(count))
    (folder / "games.pgn").write_text(text)


FAKES = [ROOT / "target" / kind / "fake-lichess" for kind in ("release", "debug")]
FAKE = next((path for path in FAKES if path.exists()), FAKES[0])
RECORDS = str(ROOT / "recipes/data/smoke-train.qrec")
GAMES = str(ROOT / "crates/data/tests/data/small.vf")

JOBS = [
    Job("selfplay",
        lambda _: ["selfplay", "--out", "own.vf", "--games", "40", "--nodes", "60", "--threads", "2",
                   "--rotate", "4K", "--json"],
        lambda folder: digest(*sorted(p.name for p in folder.glob("own*.vf")))(folder), locks=True),
    Job("train",
        lambda _: ["train", str(ROOT / "recipes/smoke.toml"), "--out", "run", "--threads", "2", "--json",
                   "--set", "schedule.interval=20"],
        digest("run/smoke.qnet", "run/checkpoint.bin"), resume=["--resume"], locks=True),
    Job("match",
        lambda binary: ["match", *engine_words(binary, "a", 60), *engine_words(binary, "b", 30), "--games",
                        "16", "--max-moves", "12", "--concurrency", "1", "--out", "run", "--openings",
                        "book.epd"],
        match_games("run/log.csv"), prepare=lambda folder, _: write_book(folder), locks=True),
    Job("league",
        lambda _: ["league", "small.toml", "--concurrency", "1"],
        match_games("league/a-vs-b/log.csv", "league/a-vs-c/log.csv", "league/b-vs-c/log.csv"),
        prepare=write_league, locks=True),
    Job("tune",
        lambda _: ["tune", "small.toml"],
        digest("tuning/state.json"), prepare=write_tuning, locks=True),
    Job("suite",
        lambda _: ["suite", "small.epd", "--nodes", "2000"],
        lambda _: {}, prepare=write_suite),
    Job("data shuffle",
        lambda _: ["data", "shuffle", RECORDS, RECORDS, RECORDS, RECORDS, "--out", "all.qrec", "--seed", "3"],
        digest("all.qrec")),
    Job("data relabel",
        lambda binary: ["data", "relabel", GAMES, "--out", "new.vf", "--engine", binary, "--nodes", "30",
                        "--option", "Hash=1", "--threads", "1"],
        digest("new.vf")),
    Job("analyze",
        lambda _: ["analyze", "games.pgn", "--network", "material", "--nodes", "2000", "--threads", "2"],
        digest("games.analyzed.pgn"), prepare=lambda folder, _: write_games(folder, count=60), locks=True),
    Job("book make",
        lambda _: ["book", "make", "book.bin", "games.pgn"],
        digest("book.bin"), prepare=lambda folder, _: write_games(folder, count=30000)),
    Service("bot", Bot(FAKE)),
    Service("board", Board()),
]


class Run:
    """A command under way in a folder, with its own process group."""

    def __init__(self, arguments, folder, environment=None, **streams):
        self.errors = tempfile.TemporaryFile()
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **streams}
        self.process = subprocess.Popen(
            arguments, cwd=folder, env=environment or os.environ, stderr=self.errors, start_new_session=True,
            **streams)

    def wait(self, seconds=HANG):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return Ended(None, self.said())
        return Ended(self.process.returncode, self.said())

    def strike(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")


class Ended:
    """How a command ended."""

    def __init__(self, code, errors):
        self.code, self.errors = code, errors

    def is_sound(self):
        if self.code is None or "panicked at" in self.errors:
            return False
        # An allocation that fails ends a Rust program with SIGABRT and a sentence.
        return self.code != -signal.SIGABRT or "memory allocation" in self.errors

    def words(self):
        if self.code is None:
            return "hung"
        if "panicked at" in self.errors:
            return "panic"
        sentence = [line for line in self.errors.splitlines() if line.startswith("error")]
        return f"exit {self.code}" + (f": {sentence[0][:70]}" if sentence else "")


class Trial:
    """One fault in one job."""

    def __init__(self, job, folder, binary, wanted, seconds):
        self.job, self.folder, self.binary = job, folder, binary
        self.wanted, self.seconds = wanted, seconds
        self.problems = []

    def start(self, again=False, folder=None, **how):
        run = Run(self.job.arguments(self.binary, again), folder or self.folder, **how)
        if isinstance(self.job, Service):
            self.job.service.work(folder or self.folder, run)
        return run

    def follow(self, run, folder=None):
        """Waits until the work is done, and notes how it ended."""
        return self.note(self.job.follow(folder or self.folder, run))

    def pause(self):
        time.sleep(random.uniform(0.02, 0.95) * self.seconds)

    def note(self, ended):
        if not ended.is_sound():
            self.problems.append(ended.words())
        return ended

    def finish(self, folder=None):
        """Runs the job to its end, and compares."""
        folder = folder or self.folder
        ended = self.follow(self.start(again=True, folder=folder), folder)
        if ended.code != 0:
            self.problems.append(f"does not go on: {ended.words()}")
            return
        found = self.job.results(folder)
        if found != self.wanted:
            different = [key for key in {**found, **self.wanted} if found.get(key) != self.wanted.get(key)]
            self.problems.append("differs: " + ", ".join(sorted(different)[:3]))
        left = [path.name for path in folder.rglob("*") if path.suffix in (".part", ".new", ".tmp")]
        if left:
            self.problems.append("left behind: " + ", ".join(left))


def kill_by(number):
    def inject(trial):
        run = trial.start()
        trial.pause()
        is_late = run.process.poll() is not None
        run.strike(number)
        ended = trial.follow(run)
        if is_late:
            return TOO_LATE
        trial.finish()
        return ended.words()

    return inject


def stop_and_continue(trial):
    run = trial.start()
    trial.pause()
    run.strike(signal.SIGSTOP)
    time.sleep(0.5)
    run.strike(signal.SIGCONT)
    ended = trial.follow(run)
    trial.finish()
    return ended.words()


def no_home(trial):
    gone = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "USER")
    environment = {name: value for name, value in os.environ.items() if name not in gone}
    ended = trial.follow(trial.start(environment=environment))
    trial.finish()
    return ended.words()


def closed_output(trial):
    reader, writer = os.pipe()
    os.close(reader)
    run = trial.start(stdout=writer)
    os.close(writer)
    ended = trial.follow(run)
    trial.finish()
    return ended.words()


def full_output(trial):
    with open("/dev/full", "wb") as full:
        ended = trial.follow(trial.start(stdout=full))
    trial.finish()
    return ended.words()


def closed_input(trial):
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *trial.job.arguments(trial.binary)]
    ended = trial.follow(Run(command, trial.folder))
    trial.finish()
    return ended.words()


def two_processes(trial):
    first = trial.start()
    trial.pause()
    second = trial.follow(trial.start(again=True))
    ended = trial.follow(first)
    if trial.job.locks and second.code == 0 and "in use" in second.errors:
        trial.problems.append("the second one is refused, but with exit code 0")
    trial.finish()
    return f"first {ended.words()}; second {second.words()}"


def memory_limit(trial):
    limit = 300 << 20

    def restrict():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    ended = trial.follow(trial.start(preexec_fn=restrict))
    trial.finish()
    return ended.words()


@contextlib.contextmanager
def small_disk(folder, size):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=False)


def remount(folder, options):
    subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)


def full_disk(trial):
    with small_disk(trial.folder / "disk", "64m") as disk:
        trial.job.begin(disk, trial.binary)
        filler = disk / "filler"
        with contextlib.suppress(OSError), open(filler, "wb") as file:
            while True:
                file.write(b"\0" * 4096)
        # Room for a little, so that the job can begin.
        room = random.choice([0, 4096, 16384])
        with contextlib.suppress(OSError):
            os.truncate(filler, max(0, filler.stat().st_size - room))
        ended = trial.follow(trial.start(folder=disk), disk)
        filler.unlink()
        if ended.code not in (0, None) and "error" not in ended.errors:
            trial.problems.append("no sentence")
        trial.finish(disk)
        return ended.words()


def read_only(trial):
    with small_disk(trial.folder / "disk", "64m") as disk:
        trial.job.begin(disk, trial.binary)
        remount(disk, "ro")
        ended = trial.follow(trial.start(folder=disk), disk)
        remount(disk, "rw")
        if ended.code not in (0, None) and "error" not in ended.errors:
            trial.problems.append("no sentence")
        trial.finish(disk)
        return ended.words()


GOES_ON = "the same command goes on; same result"
SENTENCE = "a sentence; later the same result"
FAULTS = {
    "kill -9": (GOES_ON, kill_by(signal.SIGKILL)),
    "SIGTERM": (GOES_ON, kill_by(signal.SIGTERM)),
    "SIGHUP": (GOES_ON, kill_by(signal.SIGHUP)),
    "SIGSTOP, SIGCONT": ("same result", stop_and_continue),
    "full disk": (SENTENCE, full_disk),
    "read-only folder": (SENTENCE, read_only),
    "no HOME": ("same result", no_home),
    "closed input": ("same result", closed_input),
    "closed output": ("no panic; same result", closed_output),
    "full output": ("no panic; same result", full_output),
    "two processes": ("one is refused or both end; same result", two_processes),
    "memory limit": (SENTENCE, memory_limit),
}
NEED_ROOT = ("full disk", "read-only folder")
SHORT = [("selfplay", "kill -9"), ("train", "kill -9"), ("match", "kill -9"), ("league", "SIGTERM"),
         ("tune", "kill -9"), ("data shuffle", "kill -9"), ("data relabel", "kill -9"),
         ("book make", "kill -9"), ("match", "two processes"), ("train", "two processes"),
         ("selfplay", "full disk"), ("train", "full disk"), ("match", "full disk"), ("tune", "full disk"),
         ("data shuffle", "full disk"), ("match", "closed output"), ("suite", "closed output"),
         ("suite", "full output"), ("train", "full output"), ("selfplay", "read-only folder")]


def processes_of(folder):
    """Processes that still work in a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder) in os.readlink(entry / "cwd"):
                found.append(entry.name)
    return found


def has_root():
    return os.geteuid() == 0 and shutil.which("mount") is not None


def reference(job, folder, binary):
    """The undisturbed result, and how long it takes."""
    job.begin(folder, binary)
    began = time.monotonic()
    ended = job.follow(folder, Run(job.arguments(binary), folder))
    job.end()
    if ended.code != 0:
        sys.exit(f"{job.name} does not run undisturbed: {ended.words()}\n{ended.errors}")
    return job.results(folder), time.monotonic() - began


def strike(job, fault, parent, binary, wanted, seconds):
    """One trial; one that came too late is tried again, earlier."""
    for _ in range(6):
        happened, problems = strike_once(job, fault, parent, binary, wanted, seconds)
        if happened != TOO_LATE:
            break
        seconds /= 2
    return happened, problems


def strike_once(job, fault, parent, binary, wanted, seconds):
    folder = Path(tempfile.mkdtemp(dir=parent))
    job.begin(folder, binary)
    trial = Trial(job, folder, binary, wanted, seconds)
    happened = FAULTS[fault][1](trial)
    job.end()
    deadline = time.monotonic() + 5
    while processes_of(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    if processes_of(folder):
        trial.problems.append("processes are left behind")
    shutil.rmtree(folder, ignore_errors=True)
    return happened, trial.problems


class Tally:
    """What happened so far, by job and fault. With a file, a run that was broken off goes on."""

    def __init__(self, path, binary):
        self.path = path
        self.rows = {}
        self.build = digest(binary.name)(binary.parent)[binary.name][:16]
        if path and path.exists():
            saved = json.loads(path.read_text())
            if saved["build"] != self.build:
                sys.exit(f"{path} tells of another binary: move it away to begin again")
            self.rows = saved["rows"]

    def row(self, job, fault):
        return self.rows.setdefault(f"{job}, {fault}", {"times": 0, "happened": {}, "lost": []})

    def add(self, job, fault, happened, lost):
        row = self.row(job, fault)
        row["times"] += 1
        row["happened"][happened] = row["happened"].get(happened, 0) + 1
        row["lost"] += lost
        if self.path:
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps({"build": self.build, "rows": self.rows}, indent=1))
            new.replace(self.path)

    def line(self, job, fault):
        row = self.row(job, fault)
        usual = sorted(row["happened"].items(), key=lambda item: -item[1])
        words = "; ".join(text if row["times"] == 1 else f"{count} x {text}" for text, count in usual)
        lost = "; ".join(row["lost"][:5]) or "nothing"
        return f"| {job} | {fault} | {row['times']} | {FAULTS[fault][0]} | {words[:160]} | {lost} |"

    def table(self, pairs):
        head = "| job | fault | times | expected | happened | lost |\n| --- | --- | ---: | --- | --- | --- |"
        return "\n".join([head, *(self.line(*pair) for pair in pairs)])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "quincunx")
    parser.add_argument("--short", action="store_true", help="some faults of each job, once: for `make test`")
    parser.add_argument("--repeat", type=int, default=1, help="how often each fault strikes")
    parser.add_argument("--job", help="only this job")
    parser.add_argument("--fault", help="only this fault")
    parser.add_argument("--seed", type=int, default=None, help="of the random moments")
    parser.add_argument("--tally", type=Path, help="a file that keeps what happened: the same command goes on")
    return parser.parse_args()


def wanted_pairs(options):
    pairs = SHORT if options.short else [(job.name, fault) for job in JOBS for fault in FAULTS]
    is_wanted = lambda job, fault: options.job in (None, job) and options.fault in (None, fault)
    pairs = [(job, fault) for job, fault in pairs if is_wanted(job, fault)]
    pairs = [pair for pair in pairs if has_root() or pair[1] not in NEED_ROOT]
    return [pair for pair in pairs if FAKE.exists() or pair[0] != "bot"]


def main():
    options = arguments()
    random.seed(options.seed)
    # A build under way may replace the binary: all trials need the same one.
    with tempfile.TemporaryDirectory(prefix="faults-") as parent:
        binary = Path(shutil.copy2(options.binary, Path(parent) / "quincunx"))
        tally, pairs, references = Tally(options.tally, binary), wanted_pairs(options), {}
        for times in range(1, options.repeat + 1):
            for name, fault in pairs:
                if tally.row(name, fault)["times"] >= times:
                    continue
                job = next(job for job in JOBS if job.name == name)
                if name not in references:
                    references[name] = reference(job, Path(parent) / f"undisturbed {name}", str(binary))
                happened, lost = strike(job, fault, parent, str(binary), *references[name])
                tally.add(name, fault, happened, lost)
    print(tally.table(pairs))
    if not has_root():
        print(f"skipped: {', '.join(NEED_ROOT)} (they need root and mount)")
    if not FAKE.exists():
        print("skipped: bot (it needs `cargo build -p fake-lichess`)")
    problems = sum(len(tally.row(*pair)["lost"]) for pair in pairs)
    print(f"{len(pairs)} rows, {options.repeat} of each, {problems} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
