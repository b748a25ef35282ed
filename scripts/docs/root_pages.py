#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A preprocessor of mdBook, for what stands outside docs/.

`<!-- page: FILE -->` in a chapter is replaced by FILE of the repository's root, with its links bent to the
chapter. A link to a file outside docs/ becomes the name of that file, because it is not in the book.
"""

import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# Files of the root that are chapters of the book.
CHAPTERS = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "CODE_OF_CONDUCT.md": "project/conduct.md",
}


def main():
    if sys.argv[1:2] == ["supports"]:
        return 0
    _, book = json.load(sys.stdin)
    walk(book["items"] if "items" in book else book["sections"])
    json.dump(book, sys.stdout)
    return 0


def walk(items):
    for item in items:
        if not (isinstance(item, dict) and item.get("Chapter")):
            continue
        chapter = item["Chapter"]
        if chapter.get("path"):
            chapter["content"] = rewritten(chapter["content"], DOCS / chapter["path"])
        walk(chapter["sub_items"])


def rewritten(text, page):
    whole = re.match(r"\s*<!-- page: (\S+) -->\s*$", text)
    if whole:
        source = ROOT / whole.group(1)
        text = source.read_text(encoding="utf-8")
    else:
        source = page
    parts = re.split(r"(^```.*?^```|`[^`\n]+`(?!\]))", text, flags=re.S | re.M)
    return "".join(
        part if part.startswith("`") else LINK.sub(lambda found: bent(found, source, page), part)
        for part in parts
    )


def bent(found, source, page):
    mark, label, target = found.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return found.group()
    file, _, anchor = target.partition("#")
    path = pathlib.Path(os.path.normpath(source.parent / file))
    if path.is_relative_to(ROOT) and str(path.relative_to(ROOT)) in CHAPTERS:
        path = DOCS / CHAPTERS[str(path.relative_to(ROOT))]
    if not path.is_relative_to(DOCS) or path.is_dir():
        name = os.path.relpath(path, ROOT)
        return label if name in label or label.strip("`") == name else f"{label} (`{name}`)"
    near = os.path.relpath(path, page.parent) + (f"#{anchor}" if anchor else "")
    return f"{mark}[{label}]({near})"


if __name__ == "__main__":
    sys.exit(main())
