#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that no code of the program, tests apart, can panic without saying why it never will.

`unwrap` is not allowed: `expect` says what must hold. `expect`, `panic!` and `unreachable!` want a reason of at
least two words. `todo!` and `unimplemented!` are not allowed, and neither is printing past the one writer that
knows closed pipes and full disks (crates/cli/src/output.rs).
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WITHOUT_REASON = re.compile(r"\.(unwrap|unwrap_err|expect_err)\(|\b(todo|unimplemented)!")
WITH_REASON = re.compile(r'(?:\.expect|\b(?:panic|unreachable)!)\(\s*(?:"((?:[^"\\]|\\.)*)"|([A-Z_]+)\)|)')
PRINTING = re.compile(r"(?<![a-z_])e?print(?:ln)?!\(|\bio::stdout\(\)")
# The macros of this crate are its own; this file is the writer; the others only read from their own streams.
PRINTS = {"crates/cli": "its own macros", "crates/engine/src/output.rs": "the engine's writer",
          "crates/data/src/output.rs": "the writer of files of data, with its own errors",
          "crates/fake-lichess/src/main.rs": "a helper of tests"}


def without_tests(text):
    """The text with the items behind `#[cfg(test)]` and all comments blanked, lines kept."""
    text = re.sub(r"(?m)(^|\s)//[^\n]*", r"\1", text)
    while (found := re.search(r"#\[cfg\((?:all\()?test\b[^\]]*\]", text)):
        start = found.start()
        brace, semicolon = text.find("{", found.end()), text.find(";", found.end())
        if semicolon >= 0 and (brace < 0 or semicolon < brace):
            end = semicolon + 1
        else:
            depth, end = 0, brace
            while end < len(text):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
                if depth == 0:
                    break
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def is_of_tests(path, text):
    parts = path.relative_to(ROOT).parts
    return "tests" in parts or path.name in ("tests.rs", "testing.rs", "build.rs") or "#![cfg(test)]" in text


def complaints(path):
    name = str(path.relative_to(ROOT))
    text = path.read_text()
    if is_of_tests(path, text):
        return
    text = without_tests(text)
    line_of = lambda found: text.count("\n", 0, found.start()) + 1
    for found in WITHOUT_REASON.finditer(text):
        yield f"{name}:{line_of(found)}: `{found[0].strip('.(')}`: say with `expect` why it cannot fail"
    for found in WITH_REASON.finditer(text):
        if not found[2] and len((found[1] or "").split()) < 2:
            yield f"{name}:{line_of(found)}: a panic wants a reason of two words or more"
    if not any(name.startswith(start) for start in PRINTS):
        for found in PRINTING.finditer(text):
            yield f"{name}:{line_of(found)}: print by the writer of the command line, which knows full disks"


def main():
    tests = modules_of_tests()
    files = [path for path in sorted(ROOT.glob("crates/*/src/**/*.rs")) if path not in tests]
    found = [complaint for path in files for complaint in complaints(path)]
    print("\n".join(found), file=sys.stderr) if found else None
    sys.exit(1 if found else 0)


def modules_of_tests():
    """Files of modules that are declared behind `#[cfg(test)]`."""
    found = set()
    for path in ROOT.glob("crates/*/src/**/*.rs"):
        for name in re.findall(r"#\[cfg\(test\)\]\s*(?:pub(?:\([a-z]+\))? )?mod (\w+);", path.read_text()):
            folders = [path.parent, path.with_suffix("")]
            found.update(folder / end for folder in folders for end in (f"{name}.rs", f"{name}/mod.rs"))
    return found


if __name__ == "__main__":
    main()
