#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Follows the guides word for word: runs their shell blocks, writes their files, makes their edits.

usage: scripts/docs/run.py [--binary FILE] [--keep] [--no-builds] [PAGE…]

Each page gets a fresh copy of the repository, in a folder `quincunx` with the binary in it and on the PATH.
Blocks of language `sh` run there in order; the first command that fails ends the page. Comments above a block change
what happens:

    <!-- file: PATH -->            the block is written to PATH
    <!-- edit: PATH -->            the block, a diff without line numbers, is applied to PATH
    <!-- test: skip REASON -->     not run; REASON is printed
    <!-- test: replace A => B -->  A is replaced by B first, as in the shorter form of a long run
    <!-- test: expect TEXT -->     the output must hold TEXT
    <!-- test: input TEXT -->      what is typed, with \\n between lines
    <!-- test: stop SECONDS -->    the command is a server: it must still run after SECONDS, then it is stopped
    <!-- test: status N -->        the exit code is N, not 0
    <!-- test: unless TEXT -->     if it fails with TEXT in its output, it counts as skipped

Blocks of a page share one shell: what a block exports, and the folder that it changes to, hold for the next.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib

from pages import ROOT, blocks, pages

GUIDES = ("README.md", "CONTRIBUTING.md", "docs/start/", "docs/guide/")
COMMANDS = ("./quincunx", "quincunx ", "make", "cargo ", "git ", "cd ", "export ", "sudo ")
TIMEOUT = 600


# Goes on where the block before has left the shell.
SHELL = """[ ! -f {state} ] || source {state}
trap '{{ declare -px | grep -v -e "declare -[a-z]*r" -e " SHLVL=" -e " _="; printf "cd %q\n" "$PWD"; }} > {state}' EXIT
"""


class Fault(Exception):
    """Why a page cannot be followed."""


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--binary", default=str(ROOT / "quincunx"))
    parser.add_argument("--keep", action="store_true", help="leave the copies for a look")
    parser.add_argument("--no-builds", action="store_true", help="leave out pages that compile something")
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    binary = pathlib.Path(arguments.binary).resolve()
    if not binary.is_file():
        sys.exit(f"error: there is no `{binary}`; build it by `make`")
    wanted = [pathlib.Path(page).resolve() for page in arguments.pages]
    guides = [page for page in pages() if str(page.relative_to(ROOT)).startswith(GUIDES)]
    faults, ran, skipped = [], 0, []
    for page in wanted or guides:
        if arguments.no_builds and builds(page):
            skipped.append(f"{page.relative_to(ROOT)}: it compiles something; `make guides` follows it")
            continue
        try:
            done, left_out = follow(page, binary, arguments.keep)
            ran, skipped = ran + done, skipped + left_out
        except Fault as fault:
            faults.append(str(fault))
            print(f"error: {fault}", file=sys.stderr)
    for line in skipped:
        print(f"skipped: {line}")
    print(f"guides: {ran} blocks ran, {len(skipped)} skipped, {len(faults)} pages failed")
    return 1 if faults else 0


def builds(page):
    """Whether following a page runs cargo."""
    texts = [block.text + str(block.directives) for block in blocks(page) if block.language == "sh"]
    skips = [any(value.startswith("skip") for _, value in block.directives) for block in blocks(page) if block.language == "sh"]
    return any("cargo " in text and not is_skipped for text, is_skipped in zip(texts, skips))


def follow(page, binary, keep):
    """Follows a page; the number of blocks that ran, and those that were skipped."""
    todo, skipped = [], []
    for block in blocks(page):
        place = f"{page.relative_to(ROOT)}:{block.line}"
        if block.language in ("", "text", "console") and block.text.startswith(COMMANDS):
            raise Fault(f"{place}: a block of commands needs the language `sh`, so that it is tested")
        if block.language == "sh" or any(kind != "test" for kind, _ in block.directives):
            reasons = [value.removeprefix("skip").strip() for kind, value in block.directives
                       if kind == "test" and value.startswith("skip")]
            if reasons:
                if not reasons[0]:
                    raise Fault(f"{place}: `skip` needs a reason")
                skipped.append(f"{place}: {reasons[0]}")
            else:
                todo.append((place, block))
    if not todo:
        return 0, skipped
    began, folder = time.monotonic(), fresh_copy(page, binary)
    for place, block in todo:
        if reason := obey(place, block, folder):
            skipped.append(f"{place}: {reason}")
    if not keep:
        shutil.rmtree(folder.parent)
    print(f"{page.relative_to(ROOT)}: {len(todo)} blocks, {time.monotonic() - began:.0f} s", flush=True)
    return len(todo), skipped


def fresh_copy(page, binary):
    """What git knows or would take up, with its times, so that cargo need not build it again."""
    # Outside the repository, or cargo would take a new package for a member of its workspace. Always in the same
    # place, or cargo would build everything again.
    name = f"quincunx-guides-{zlib.crc32(str(ROOT).encode()):08x}"
    parent = pathlib.Path(tempfile.gettempdir()) / name / "-".join(page.relative_to(ROOT).with_suffix("").parts)
    shutil.rmtree(parent, ignore_errors=True)
    folder = parent / "quincunx"
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in names.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    shutil.copy2(binary, folder / "quincunx")
    author = ["-c", "user.name=Reader", "-c", "user.email=reader@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "--quiet"], ["add", "--all"], [*author, "commit", "--quiet", "--message", "Start"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def obey(place, block, folder):
    directives = [("test", *split(value)) if kind == "test" else (kind, kind, value) for kind, value in block.directives]
    text = block.text
    for _, word, value in directives:
        if word == "replace":
            old, _, new = value.partition(" => ")
            if old not in text:
                raise Fault(f"{place}: `{old}`, which the test wants to replace, is not in the block")
            text = text.replace(old, new)
    options = {word: value for _, word, value in directives}
    if "file" in options:
        path = folder / options["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    elif "edit" in options:
        edit(place, folder / options["edit"], text)
    else:
        return run(place, text, options, folder)
    return None


def edit(place, path, diff):
    """Applies hunks that begin with `@@`: blank and `-` lines are looked for, blank and `+` lines put there."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for hunk in diff.split("@@\n"):
        old = [line[1:] for line in hunk.splitlines() if line[:1] in (" ", "-", "")]
        new = [line[1:] for line in hunk.splitlines() if line[:1] in (" ", "+", "")]
        if old == new:
            continue
        places = [at for at in range(len(lines)) if lines[at : at + len(old)] == old]
        if len(places) != 1:
            shown = "\n".join(old)
            raise Fault(f"{place}: found these lines {len(places)} times in {path.name}, expected once:\n{shown}")
        lines[places[0] : places[0] + len(old)] = new
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def split(value):
    word, _, rest = value.partition(" ")
    return word, rest.strip()


def run(place, text, options, folder):
    environment = dict(os.environ, PATH=f"{folder}{os.pathsep}{os.environ['PATH']}", EDITOR="true", PAGER="cat")
    environment["CARGO_TARGET_DIR"] = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    process = subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", SHELL.format(state=folder.parent / "shell") + text], cwd=folder, env=environment, text=True, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    typed = options.get("input", "").replace("\\n", "\n") + "\n" if "input" in options else ""
    server = float(options["stop"]) if "stop" in options else None
    try:
        output, _ = process.communicate(typed, timeout=server or TIMEOUT)
        is_running = False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        output, _ = process.communicate()
        is_running = True
    end = "\n".join(output.splitlines()[-15:])
    if process.returncode and options.get("unless", "\0") in output:
        return next(line for line in output.splitlines() if options["unless"] in line)
    if server is not None and not is_running:
        raise Fault(f"{place}: ended with {process.returncode} within {server} s, expected it to go on:\n{end}")
    if server is None and is_running:
        raise Fault(f"{place}: has not ended after {TIMEOUT} s:\n{end}")
    if server is None and process.returncode != int(options.get("status", 0)):
        raise Fault(f"{place}: exit code {process.returncode}, expected {options.get('status', 0)}:\n{end}")
    if "expect" in options and options["expect"] not in output:
        raise Fault(f"{place}: the output does not hold `{options['expect']}`:\n{end}")
    return None


if __name__ == "__main__":
    sys.exit(main())
