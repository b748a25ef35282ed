#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the dependencies of the workspace without a network: `make lint` runs it.

- Licences: each crate in Cargo.lock must offer at least one licence from the list in deny.toml.
- Sources: crates come from crates.io or from this repository.
- Unused: each dependency that a crate declares must be named in its code.
- Undeclared: each entry of [workspace.dependencies] must be used by some crate.
- Duplicates: crates in two versions are listed; only more of them than DUPLICATES are an error.

Exit code 1 with one line for each finding. `cargo deny check` does the first three more thoroughly, and knows
the list of vulnerabilities; it reads the same deny.toml.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"
DUPLICATES = 8
"""How many crates may be there in two versions; lower it when one goes."""


def metadata():
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


def is_allowed(expression, allowed):
    """Whether a licence expression can be met by allowed licences."""
    words = re.findall(r"\(|\)|[\w.+-]+|/", (expression or "").replace(" WITH ", "-WITH-"))
    terms = ["or" if word in ("OR", "/") else "and" if word == "AND" else word if word in "()"
             else str(word.replace("-WITH-", " WITH ") in allowed) for word in words]
    return bool(terms) and eval(" ".join(terms))  # noqa: S307: only True, False, and, or, brackets


def licences(packages, allowed):
    for package in packages:
        if package["source"] and not is_allowed(package["license"], allowed):
            yield f"{package['name']} {package['version']}: licence {package['license']} is not in deny.toml"


def sources(packages):
    for package in packages:
        if package["source"] not in (None, CRATES_IO):
            yield f"{package['name']}: from {package['source']}, expected crates.io"


def code_of(folder, kinds):
    files = [path for kind in kinds for path in (folder / kind).rglob("*.rs")]
    if (folder / "build.rs").exists():
        files.append(folder / "build.rs")
    return "\n".join(path.read_text() for path in files)


def unused(packages):
    for package in packages:
        if package["source"]:
            continue
        folder = Path(package["manifest_path"]).parent
        for dependency in package["dependencies"]:
            is_dev = dependency["kind"] == "dev"
            kinds = ("src", "tests", "examples", "benches")
            name = (dependency["rename"] or dependency["name"]).replace("-", "_")
            text = code_of(folder, kinds if is_dev else (*kinds[:1], "tests/helpers", "build"))
            if not re.search(rf"\b{name}\b", text):
                kind = "dev-dependency" if is_dev else "dependency"
                yield f"{package['name']}: {kind} {dependency['name']} is not used"


def undeclared(packages, names):
    used = {dependency["name"] for package in packages if not package["source"]
            for dependency in package["dependencies"]}
    return (f"workspace dependency {name} is used by no crate" for name in names if name not in used)


def duplicates(packages):
    versions = defaultdict(set)
    for package in packages:
        versions[package["name"]].add(package["version"])
    twice = {name: sorted(found) for name, found in versions.items() if len(found) > 1}
    if len(twice) > DUPLICATES:
        yield f"{len(twice)} crates in two versions, expected at most {DUPLICATES}: {', '.join(sorted(twice))}"


def main():
    packages = metadata()["packages"]
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
    findings = [*licences(packages, allowed), *sources(packages), *unused(packages),
                *undeclared(packages, manifest["workspace"]["dependencies"]), *duplicates(packages)]
    print("\n".join(findings), end="\n" if findings else "")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
