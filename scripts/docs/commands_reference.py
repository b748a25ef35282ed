#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/reference/commands.md: every command and option, as the binary itself describes them.

usage: scripts/docs/commands_reference.py --binary FILE [--check]

Asks `quincunx COMMAND --help` for every command and for those below it. --check compares only: a command or an option that
the page does not have is an error, and another wording is a note.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

from pages import ROOT

PAGE = ROOT / "docs/reference/commands.md"
HEAD = """\
# Commands

This page is generated from what the binary answers to `--help`: see `scripts/docs/commands_reference.py`.

Without a command, `quincunx` speaks [UCI](uci.md) on standard input and output. With UCI lines as arguments it runs them in order and exits:
`quincunx "position startpos" "go depth 8"`.

Every command keeps these rules:

- `--json` prints one JSON document, or one object per line for a stream ([the keys](json.md)), and nothing else on standard output. Progress,
  logs and warnings go to standard error.
- The exit code is 0 for success, 1 for failure and 2 for wrong usage.
- A FEN may be `startpos`, an X-FEN, a Shredder-FEN or a FEN of four fields.
- Files ending in `.zst` or `.xz` are unpacked; `-` is standard input or output.
"""


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--binary", default=str(ROOT / "quincunx"))
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    page = page_of(str(pathlib.Path(arguments.binary).resolve()))
    if not arguments.check:
        PAGE.write_text(page, encoding="utf-8")
        return 0
    found = PAGE.read_text(encoding="utf-8").splitlines()
    if found == page.splitlines():
        print(f"commands: {page.count(chr(10) + '## ')} commands, every option is in the reference")
        return 0
    missing = sorted(options(page.splitlines()) - options(found))
    if not missing:
        print("note: help texts have changed; `make reference` writes docs/reference/commands.md again")
        return 0
    print("error: docs/reference/commands.md lacks these; write it again by `make reference`:", *missing[:20],
          sep="\n  ", file=sys.stderr)
    return 1


def options(lines):
    """Every command, and every option of each."""
    found, command = set(), ""
    for line in lines:
        command = line[3:] if line.startswith("## ") else command
        found |= {f"{command} {option}" for option in re.findall(r"^ +(?:-\w, )?(--[a-z0-9-]+)", line)} | {command}
    return found


def page_of(binary):
    commands = list(below(binary, []))
    rows = "".join(
        f"| [`{' '.join(words)}`](#quincunx-{'-'.join(words)}) | {summary(text)} |\n"
        for words, text in commands if len(words) == 1
    )
    sections = "".join(
        f"\n## quincunx {' '.join(words)}\n\n```text\n{text}\n```\n" for words, text in commands
    )
    return f"{HEAD}\n| command | what it does |\n|---|---|\n{rows}{sections}"


def below(binary, words):
    """The commands below one, each before those below it, with its help."""
    for name in re.findall(r"^  ([a-z][a-z-]*)(?=\s{2,}|$)", commands_part(help_of(binary, words)), re.M):
        if name != "help":
            text = help_of(binary, [*words, name])
            yield [*words, name], text
            yield from below(binary, [*words, name])


def commands_part(text):
    found = re.search(r"^Commands:\n(.*?)(?=^\S|\Z)", text, re.M | re.S)
    return found.group(1) if found else ""


def help_of(binary, words):
    environment = dict(os.environ, COLUMNS="100", NO_COLOR="1")
    done = subprocess.run([binary, *words, "--help"], capture_output=True, text=True, env=environment, timeout=60)
    if done.returncode:
        sys.exit(f"error: `quincunx {' '.join(words)} --help`: {done.stderr.strip()}")
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def summary(text):
    """The first sentence of a help."""
    first = text.split("\n\nUsage:")[0].split("\n\n")[0]
    return re.split(r"(?<=[a-z)])\. ", " ".join(first.split()))[0].rstrip(".").replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
