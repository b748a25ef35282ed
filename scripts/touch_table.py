#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what ARCHITECTURE.md says about the places that one edits to add something, and which crates know which.

    scripts/touch_table.py            this repository
    scripts/touch_table.py FOLDER     another copy of it

It counts the places in the sources for every option and every sub-command there is, prints the counts,
and fails if one of them differs from the table "What you touch to add" in ARCHITECTURE.md. It also fails if
the table "Who may know whom" there differs from the crates' manifests.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent


def sources(folder):
    """Rust files without their test modules."""
    for path in sorted((ROOT / folder).rglob("*.rs")):
        yield path, path.read_text().split("#[cfg(test)]")[0]


def option_places():
    """For each option the lines of the engine that name it: one, where it is declared."""
    table = (ROOT / "crates/engine/src/options/table.rs").read_text()
    names = re.findall(r'^    \w+: \w+\([^)]*\)+ = "([^"]+)",', table, re.MULTILINE)
    code = [re.sub(r"//.*", "", text) for _, text in sources("crates/engine/src")]
    return {name: sum(text.count(f'"{name}"') for text in code) for name in names}


def command_places():
    """For each sub-command: its file, its module's line, its line in the list of commands."""
    main = (ROOT / "crates/cli/src/main.rs").read_text()
    modules = (ROOT / "crates/cli/src/commands/mod.rs").read_text()
    places = {}
    for module in re.findall(r"^    \w+\(commands::(\w+)::\w+\),", main, re.MULTILINE):
        files = (ROOT / f"crates/cli/src/commands/{module}.rs").is_file()
        lines = len(re.findall(rf"\bmod {module};", modules)) + main.count(f"commands::{module}::")
        places[module] = files + lines
    return places


def crate_graph():
    """For each crate the crates of this workspace that it depends on, tests left out."""
    manifests = {path.parent.name: tomllib.loads(path.read_text()) for path in ROOT.glob("crates/*/Cargo.toml")}
    return {name: sorted(set(manifest.get("dependencies", {})) & set(manifests))
            for name, manifest in manifests.items()}


def promised_graph():
    """The same as ARCHITECTURE.md says it."""
    section = (ROOT / "ARCHITECTURE.md").read_text().split("## Who may know whom")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([\w-]+)` \| (.*) \|$", section, re.MULTILINE)
    return {name: [] if known == "nothing" else known.split(", ") for name, known in rows}


def is_graph_right():
    """Prints the crates whose row differs."""
    found, said = crate_graph(), promised_graph()
    wrong = [name for name in sorted(set(found) | set(said)) if found.get(name) != said.get(name)]
    print(f"crates: {len(found)} found, {len(found) - len(wrong)} as ARCHITECTURE.md says")
    for name in wrong:
        print(f"    {name}: knows {found.get(name)}, ARCHITECTURE.md says {said.get(name)}")
    return not wrong


def promised(what):
    """The count in the table of ARCHITECTURE.md."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    row = re.search(rf"^\| {what} \| (\d+) \|", text, re.MULTILINE)
    return int(row[1]) if row else None


def main():
    is_right = is_graph_right()
    for what, places in (("an option", option_places()), ("a sub-command", command_places())):
        limit = promised(what)
        counts = sorted(set(places.values()))
        print(f"{what}: {len(places)} found, places {counts}, ARCHITECTURE.md says {limit}")
        wrong = {name: count for name, count in places.items() if count != limit}
        if wrong or len(places) < 10:
            print(f"    differs: {wrong or 'too few found'}")
            is_right = False
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
