#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the reference pages that follow from comments and declarations of the source.

usage: scripts/docs/reference.py [--check]

    docs/reference/errors.md         every error message of the libraries, with what it means
    docs/reference/file-formats.md   the layouts of files, from the documentation of their readers

--check writes nothing; it fails if a page is out of date. Pages that need compiled declarations are written by
tests: `make reference` runs them all.
"""

import re
import sys

from pages import ROOT

ERRORS_HEAD = """\
# Error messages

This page is generated from the source by `scripts/docs/reference.py`. It lists the messages of the libraries. A
command prints `error: `, then what it was doing, then one of these. Words in braces stand for the file, the
token or the number at fault.

The exit code is 1 for an error, and 2 for wrong usage: an unknown option, or a value that the option does not take.
The UCI engine never exits because of bad input. It answers `info string` and continues.
"""

FORMATS_HEAD = """\
# File formats

This page is generated from the documentation of the readers by `scripts/docs/reference.py`. All numbers are
little-endian. Files that end in `.zst` or `.xz` are unpacked when they are read; `-` is standard input or output.

| ending | holds | written by | read by |
|---|---|---|---|
| `.qnet` | a network | `train`, `net convert` | the engine, `net` |
| `.vf` | games with a score for each move (viriformat) | `selfplay`, `data` | `data`, other trainers |
| `.vis` | games of a tree search with the visits of each move | `selfplay --mode mcts` | `data sample`, `data info` |
| `.qrec` | shuffled positions with their labels | `data expand`, `data import`, `data shuffle` | `train`, `data` |
| `.pgn` | games | `match`, `play`, `lichess`, `analyze` | `data import`, `match --openings`, `analyze` |
| `.epd` | positions with operations | `data export` | `suite`, `perft --suite`, `match --openings` |
| `.bin` | an opening book (Polyglot) | `book make` | `book probe`, `lichess` |
| `.rtbw`, `.rtbz` | endgame tables (Syzygy) | other programs | the engine, `tb probe`, `match --tb` |
"""

# Title, file, and the item whose comment is meant (None: the module's own).
FORMATS = [
    ("Networks (`.qnet`)", "crates/net/src/format/header.rs", "pub struct Header"),
    ("Games (`.vf`)", "crates/data/src/viri/mod.rs", None),
    ("Games of tree searches (`.vis`)", "crates/data/src/visits/mod.rs", None),
    ("Files of records (`.qrec`)", "crates/data/src/qrec/mod.rs", None),
    ("Records", "crates/data/src/record.rs", "pub struct Record"),
]


def main():
    pages = {"errors.md": errors_page(), "file-formats.md": formats_page()}
    stale = []
    for name, text in pages.items():
        path = ROOT / "docs/reference" / name
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    for name in stale:
        print(f"error: docs/reference/{name} is out of date; write it anew by `make reference`", file=sys.stderr)
    return 1 if stale else 0


def errors_page():
    page = [ERRORS_HEAD]
    for crate in sorted(path.name for path in (ROOT / "crates").iterdir() if (path / "src").is_dir()):
        rows = [row for file in sorted((ROOT / "crates" / crate / "src").rglob("*.rs")) for row in errors_of(file)]
        if rows:
            page.append(f"\n## {crate}\n\n| message | meaning |\n|---|---|\n" + "".join(sorted(set(rows))))
    return "".join(page)


ERROR = re.compile(
    r'(?P<doc>(?:^[ ]*///[^\n]*\n)*)(?:^[ ]*#\[(?!error)[^\n]*\n)*^[ ]*#\[error\(\s*"(?P<text>(?:[^"\\]|\\.)*)"(?P<arguments>.*?)\)\]\s*\n'
    r"(?P<after>(?:[ ]*(?:///|#\[)[^\n]*\n)*)",
    re.S | re.M,
)


def errors_of(file):
    source = file.read_text(encoding="utf-8").split("\n#[cfg(test)]\nmod tests")[0]
    for found in ERROR.finditer(source):
        comment = found["doc"] + "".join(
            line for line in found["after"].splitlines(True) if line.strip().startswith("///")
        )
        text = re.sub(r"\\\n\s*", "", found["text"]).replace('\\"', '"').replace("\\\\", "\\")
        yield f"| {code(placeholders(text))} | {cell(prose(comment))} |\n"


def placeholders(text):
    """`{0:?}` and `{.found}` say less than a name does."""
    text = re.sub(r"\{(\w*)(?::[^}]*)?\}", lambda found: f"{{{names(found.group(1))}}}", text)
    return text.replace("{{", "{").replace("}}", "}").replace("\\n", " ")


def names(name):
    return "…" if not name or name.isdigit() else name.replace("_", " ")


def code(text):
    fence = "``" if "`" in text else "`"
    inner = f" {text} " if fence == "``" else text
    return f"{fence}{inner}{fence}".replace("|", "\\|")


def prose(comment):
    lines = [line.strip().removeprefix("///").strip() for line in comment.splitlines()]
    return without_links(" ".join(line for line in lines if line))


def without_links(text):
    """Rustdoc's links lead nowhere in the book."""
    text = re.sub(r"\[(`[^`]+`)\](?:\([^)]*\))?", r"\1", text)
    return re.sub(r"\[([^\]]+)\]\((?:super|crate|Self)[^)]*\)", r"\1", text)


def cell(text):
    return text.replace("|", "\\|")


def formats_page():
    page = [FORMATS_HEAD]
    for title, name, item in FORMATS:
        file = ROOT / name
        page.append(f"\n## {title}\n\nSource: `{name}`\n\n{comment_of(file, item)}")
    return "".join(page)


def comment_of(file, item):
    """The documentation of a module or of an item, as Markdown."""
    lines = file.read_text(encoding="utf-8").splitlines()
    if item is None:
        wanted = [line[3:].removeprefix(" ") for line in lines if line.startswith("//!")]
    else:
        last = next((at for at, line in enumerate(lines) if line.startswith(item)), None)
        if last is None:
            sys.exit(f"error: {file}: expected `{item}`; mend the list in scripts/docs/reference.py")
        first = last
        while lines[first - 1].startswith(("///", "#[", "    ", ")]")):
            first -= 1
        wanted = [line[3:].removeprefix(" ") for line in lines[first:last] if line.startswith("///")]
    text = "\n".join(wanted)
    text = re.split(r"^#+ (?:Example|Panics|Errors)|^```$(?=\nuse )", text, flags=re.M)[0]
    return without_links(re.sub(r"^# ", "### ", text, flags=re.M)).rstrip() + "\n"


if __name__ == "__main__":
    sys.exit(main())
