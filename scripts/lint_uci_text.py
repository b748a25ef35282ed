#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds UCI text that is written or read where values belong.

    scripts/lint_uci_text.py            the crates; prints each place and exits with 1 if there is any
    scripts/lint_uci_text.py FOLDER     the Rust files below another folder

UCI is text in few places only: the crate `uci`, which reads and prints it; the adapter, which is
`UciSession` and its printer in `engine`; and `driver` and `arena`, which talk to other programs. Everything
else, the bot and the commands of this program too, gives and takes values (docs/adr/0009-engine-api.md).
Tests, examples and comments are left out.
"""

import re
import sys
from pathlib import Path

CRATES = Path(__file__).resolve().parent.parent / "crates"

# Where UCI is text. Each has its reason.
ALLOWED = {
    "uci": "reads and prints the protocol",
    "driver": "talks to other programs",
    "arena": "asks other programs, and checks how they speak",
    "engine/src/uci_session.rs": "the adapter: lines to calls",
    "engine/src/uci_text.rs": "the adapter: events to lines",
    "engine/src/output.rs": "the adapter: where lines go",
    "engine/src/console": "shows scores and moves in the conversation",
    "cli/src/lines.rs": "hands the user's own lines to the adapter",
}

PATTERNS = {
    r'"setoption\b': "a `setoption` line: use `Engine::set`",
    r'"position (startpos|fen)\b': "a `position` line: use `Engine::set_position`",
    r'"go (depth|nodes|movetime|wtime|btime|infinite|ponder|mate|searchmoves)\b': "a `go` line: use `Limits`",
    r'" (wtime|btime|winc|binc|movetime|nodes|depth) \{': "a part of a `go` line: use `Limits`",
    r'"(bestmove |info depth|info string|info score|option name|id name|readyok|uciok|ucinewgame|ponderhit)':
        "a line of the protocol: use `Event` or `UciPrinter`",
    r"\buci::(Reply|Command|Info|InfoLine|Go|Position|UciPosition|BestMove)\b": "a type of the protocol: use the engine's own",
    r"\buse uci::.*\b(Reply|Command|Info|InfoLine|Go|Position|UciPosition|BestMove)\b": "a type of the protocol: use the engine's own",
    r"\.run_line\(": "a line for a UciSession: use `Engine`",
}


def code_of(path):
    """Lines without comments, up to the first test module, with their numbers."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip() == "#[cfg(test)]":
            return
        if not line.lstrip().startswith("//"):
            yield number, line


def is_allowed(name):
    parts = Path(name).parts
    if {"tests", "benches", "examples"} & set(parts) or parts[0] == "fake-lichess":
        return True
    if parts[-1] in ("tests.rs", "testing.rs"):
        return True
    return any(name == place or name.startswith(place + "/") for place in ALLOWED)


def faults(folder):
    for path in sorted(folder.rglob("*.rs")):
        name = path.relative_to(folder).as_posix()
        if is_allowed(name):
            continue
        for number, line in code_of(path):
            for pattern, advice in PATTERNS.items():
                if re.search(pattern, line):
                    yield f"{path}:{number}: {advice}\n    {line.strip()}"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else CRATES
    found = list(faults(folder))
    print("\n".join(found) if found else f"no UCI text outside its places in {folder}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
