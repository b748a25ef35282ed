#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the module graph of every crate and fails on cycles between modules.

    scripts/module_graph.py                  the crates of CLEAN, one line each; exit code 1 on a cycle
    scripts/module_graph.py --all            every crate with all its edges and cycles
    scripts/module_graph.py net search       these crates only, with all edges; exit code 1 on a cycle

A node is a top-level module of a crate. `a -> b` means that a file of `a` names an item of `b` by a path
that begins with `crate::` or leads to the crate's root through `super::`. A name that the crate's root
re-exports counts for the module that declares it. Tests and comments are left out. Items that the root
itself declares belong to the node `(root)`, which no cycle counts: the root is above all modules.
"""

import re
import sys
from pathlib import Path

CRATES = Path(__file__).resolve().parent.parent / "crates"
ROOT = "(root)"

# `make lint` fails when one of these has a cycle. Add a crate when its last cycle is gone.
CLEAN = [
    "arena", "cli", "data", "driver", "engine", "lichess", "net", "search", "selfplay", "tablebase", "tools", "train", "uci",
]


# --- Source text -----------------------------------------------------------------------------------

TOKEN = re.compile(
    r"""
      (?P<line>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>\bb?r(?P<hashes>\#*)".*?"(?P=hashes))
    | (?P<string>\bb?"(?:\\.|[^"\\])*"|"(?:\\.|[^"\\])*")
    | (?P<char>\bb?'(?:\\.[^']*|[^'\\])'|'(?:\\.[^']*|[^'\\])')
    """,
    re.VERBOSE | re.DOTALL,
)


def without_comments(text):
    """The text with comments and literals replaced by blanks."""
    parts, position = [], 0
    while match := TOKEN.search(text, position):
        parts.append(text[position : match.start()])
        position = match.end()
        if match["block"]:
            position = end_of_block_comment(text, position)
        parts.append(" ")
    return "".join(parts) + text[position:]


def end_of_block_comment(text, position):
    """Where a block comment ends that began before `position`; they nest in Rust."""
    depth = 1
    for match in re.compile(r"/\*|\*/").finditer(text, position):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def closing(text, position):
    """The position behind the bracket that closes the one at `position`."""
    depth = 0
    for index in range(position, len(text)):
        if text[index] in "{[(":
            depth += 1
        elif text[index] in "}])":
            depth -= 1
            if depth == 0:
                return index + 1
    return len(text)


def without_tests(text):
    """The text without the items behind `#[cfg(test)]`."""
    attribute = re.compile(r"#\[cfg\(test\)\]")
    while match := attribute.search(text):
        end = re.compile(r"[{;]").search(text, match.end())
        stop = len(text) if end is None else end.end()
        if end is not None and end[0] == "{":
            stop = closing(text, end.start())
        text = text[: match.start()] + text[stop:]
    return text


# --- Paths -----------------------------------------------------------------------------------------


def paths_of_tree(text, position, prefix=()):
    """All paths of the `use` tree or plain path at `position`, as tuples of names."""
    while True:
        space = re.compile(r"\s*").match(text, position).end()
        if text.startswith("{", space):
            inner = text[space + 1 : closing(text, space) - 1]
            return [path for branch in split(inner) for path in paths_of_tree(branch, 0, prefix)]
        name = re.compile(r"\s*(\w+|\*)").match(text, position)
        if name is None:
            return [prefix]
        prefix += (name[1],)
        position = name.end()
        separator = re.compile(r"\s*::").match(text, position)
        if separator is None:
            return [prefix]
        position = separator.end()


def split(text):
    """The parts between commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in "{[(") - (character in "}])")
        if character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part for part in [*parts, text[start:]] if part.strip()]


# A path that leads to the root, or the beginning or the end of a module within the file.
EVENT = re.compile(r"\bmod\s+(?P<mod>\w+)\s*\{|(?P<path>\b(?:crate|super)\s*::\s*)|(?P<brace>[{}])")


def paths_from_root(text, module):
    """The paths that the text of a module names, as tuples of names from the crate's root."""
    found, stack = [], []
    for match in EVENT.finditer(text):
        if match["mod"]:
            stack.append(match["mod"])
        elif match["brace"]:
            stack.append(None) if match[0] == "{" else stack and stack.pop()
        else:
            if re.search(r"::\s*$", text[: match.start()]):
                continue  # the second `super` of `super::super`
            here = (*module, *(name for name in stack if name))
            found += [absolute(path, here) for path in paths_of_tree(text, match.start())]
    return [path for path in found if path]


def absolute(path, here):
    """The path from the crate's root, for a path written in the module `here`."""
    if path[0] == "crate":
        return path[1:]
    ups = 0
    while ups < len(path) and path[ups] == "super":
        ups += 1
    return (*here[: max(0, len(here) - ups)], *path[ups:])


# --- Crates ----------------------------------------------------------------------------------------


class Crate:
    """A crate's top-level modules and the edges between them."""

    def __init__(self, directory):
        self.name = directory.name
        self.source = directory / "src"
        roots = [self.source / "lib.rs", self.source / "main.rs"]
        self.root = next(root for root in roots if root.exists())
        text = read(self.root)
        self.modules = set(re.findall(r"\bmod\s+(\w+)\s*[;{]", text))
        self.exports = dict(self.find_exports(text))
        self.edges = {module: set() for module in self.modules}
        for path in sorted(self.source.rglob("*.rs")):
            self.add_file(path)

    def find_exports(self, text):
        """Pairs of a name that the root re-exports and the module that declares it."""
        for match in re.finditer(r"\buse\s+", text):
            statement = text[match.end() : text.index(";", match.end())]
            aliases = dict(re.findall(r"(\w+)\s+as\s+(\w+)", statement))
            for path in paths_of_tree(statement, 0):
                path = path[1:] if path[0] in ("crate", "self") else path
                if path and path[0] in self.modules and len(path) > 1:
                    yield aliases.get(path[-1], path[-1]), path[0]

    def add_file(self, path):
        parts = path.relative_to(self.source).with_suffix("").parts
        module = parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts
        is_other_target = parts[0] == "bin" or (module and module[0] not in self.modules)
        if is_other_target or "tests" in module:
            return
        text = read(path)
        if path == self.root:
            text = re.sub(r"\b(?:pub(?:\([^)]*\))?\s+)?use\s+[^;]*;", " ", text)
        origin = module[0] if module else ROOT
        for target in paths_from_root(text, module):
            self.add_edge(origin, self.module_of(target))
        if origin == ROOT:
            for name in re.findall(r"\b(\w+)\s*::", text):
                if name in self.modules:
                    self.add_edge(ROOT, name)

    def module_of(self, path):
        if path[0] in self.modules:
            return path[0]
        return self.exports.get(path[0], ROOT)

    def add_edge(self, origin, target):
        self.edges.setdefault(origin, set())
        self.edges.setdefault(target, set())
        if origin != target:
            self.edges[origin].add(target)

    def cycles(self):
        """The groups of modules that can all reach each other, each sorted."""
        reach = {module: reachable(self.edges, module) for module in self.modules}
        groups = set()
        for module in self.modules:
            group = {other for other in reach[module] if module in reach.get(other, ())}
            if group:
                groups.add(tuple(sorted(group | {module})))
        return sorted(groups)


def reachable(edges, start):
    """All modules that a path of at least one edge leads to, the root left out."""
    seen, waiting = set(), list(edges[start])
    while waiting:
        module = waiting.pop()
        if module not in seen and module != ROOT:
            seen.add(module)
            waiting.extend(edges[module])
    return seen


def read(path):
    return without_tests(without_comments(path.read_text(encoding="utf-8")))


def crates(directory=CRATES):
    """All crates by name."""
    manifests = sorted(directory.glob("*/Cargo.toml"))
    return {manifest.parent.name: Crate(manifest.parent) for manifest in manifests}


def show(crate, with_edges):
    """Prints a crate and returns how many cycles it has."""
    cycles = crate.cycles()
    state = "no cycle" if not cycles else f"{len(cycles)} cycle(s)"
    print(f"{crate.name}: {len(crate.modules)} modules, {state}")
    for cycle in cycles:
        print(f"  cycle: {' '.join(cycle)}")
        inside = [(a, b) for a in cycle for b in sorted(crate.edges[a]) if b in cycle]
        if not with_edges:
            print("".join(f"    {a} -> {b}\n" for a, b in inside), end="")
    if with_edges:
        for module in sorted(crate.edges):
            if crate.edges[module]:
                print(f"  {module} -> {' '.join(sorted(crate.edges[module]))}")
    return len(cycles)


def main(arguments):
    known = crates()
    with_all = "--all" in arguments
    named = [argument for argument in arguments if argument != "--all"]
    unknown = [name for name in [*named, *CLEAN] if name not in known]
    if unknown:
        print(f"error: no crate `{unknown[0]}`; there are {', '.join(known)}", file=sys.stderr)
        return 2
    if with_all:
        for crate in known.values():
            show(crate, with_edges=True)
        return 0
    cycles = sum(show(known[name], with_edges=bool(named)) for name in named or CLEAN)
    if cycles:
        print("error: modules of a crate use each other in a circle; move what both need into a "
              "module of its own", file=sys.stderr)
    return 1 if cycles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
