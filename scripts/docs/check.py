#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks every Markdown file of the repository. Prints one line for each fault; exits with 1 if there is one.

- A link inside the repository leads to a file that exists, and to a heading that exists.
- Every page below docs/ stands in docs/SUMMARY.md, and every line there has its page.
- A picture has a description, and no picture below docs/ is unused.
- A page of docs/lab has the five headings of its form, and its date in its name.
- Words and phrases of scripts/docs/words.txt are not used.
- A sentence has at most 45 words. The average is below 22 for a page of ten sentences or more, and below 18 for all together.
- The pages that follow from the source are up to date (scripts/docs/reference.py).
"""

import os
import pathlib
import re
import sys

import reference
from pages import ROOT, anchors, links, pages, paragraphs, read, sentences, without_code

DOCS = ROOT / "docs"
MOST_WORDS, AVERAGE, PAGE_AVERAGE, ENOUGH = 45, 18.0, 22.0, 10
# Lists of changes and decisions are written in other forms than prose.
FREE_OF_AVERAGE = {"CHANGELOG.md", "CODE_OF_CONDUCT.md"}


def main():
    faults = [*links_that_fail(), *summary_faults(), *pictures_unused(), *lab_faults(), *words(), *long_sentences()]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    sys.argv = [sys.argv[0], "--check"]
    stale = reference.main()
    if not faults and not stale:
        print(f"docs: {len(pages())} pages, {average(pages()):.1f} words per sentence, no fault")
    return 1 if faults or stale else 0


def name(path):
    return path.relative_to(ROOT)


def links_that_fail():
    known = {}
    for page in pages():
        for number, target in links(page):
            if "://" in target or target.startswith("mailto:"):
                continue
            file, _, anchor = target.partition("#")
            path = pathlib.Path(os.path.normpath(page.parent / file)) if file else page
            place = f"{name(page)}:{number}: link `{target}`"
            if not path.exists():
                yield f"{place} leads nowhere: there is no `{os.path.relpath(path, ROOT)}`"
            elif anchor and path.suffix == ".md":
                found = known.setdefault(path, anchors(path))
                if anchor not in found:
                    yield f"{place}: `{os.path.relpath(path, ROOT)}` has no heading `#{anchor}`"
        for number, line in enumerate(without_code(read(page)), 1):
            if re.search(r"!\[\s*\]\(", line):
                yield f"{name(page)}:{number}: a picture needs a description between its brackets"


def summary_faults():
    listed = [target for _, target in links(DOCS / "SUMMARY.md")]
    for target in listed:
        if listed.count(target) > 1:
            yield f"docs/SUMMARY.md lists `{target}` twice"
    for page in pages():
        if page.is_relative_to(DOCS) and page.name != "SUMMARY.md":
            if str(page.relative_to(DOCS)) not in listed:
                yield f"{name(page)} is not listed in docs/SUMMARY.md"


def pictures_unused():
    used = {os.path.normpath(page.parent / target) for page in pages() for _, target in links(page)}
    used |= {f"{ROOT}/{found}" for page in pages() for found in re.findall(r'src="([^"]+)"', read(page))}
    for picture in sorted([*DOCS.rglob("*.png"), *DOCS.rglob("*.svg")]):
        if str(picture) not in used and "-dark" not in picture.name:
            yield f"{name(picture)} is not used by any page"


LAB_FORM = ["Question", "Set-up", "Command", "Result", "Decision"]


def lab_faults():
    for page in sorted((DOCS / "lab").glob("*.md")):
        if page.name == "index.md":
            continue
        found = re.findall(r"^## (.*)$", "\n".join(without_code(read(page))), re.M)
        if found != LAB_FORM:
            yield f"{name(page)}: headings {', '.join(found)}; expected {', '.join(LAB_FORM)}"
        if not re.match(r"\d{4}-\d{2}-\d{2}-", page.name) or f"*{page.name[:10]}*" not in read(page):
            yield f"{name(page)}: the name begins with the date, and the line below the title with the same date"
        if f"({page.name})" not in read(DOCS / "lab/index.md"):
            yield f"{name(page)} is not listed in docs/lab/index.md"


def words():
    rules = []
    for line in read(ROOT / "scripts/docs/words.txt").splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, _, better = line.partition("=>")
            rules.append((re.compile(rf"\b(?:{pattern.strip()})\b", re.I), pattern.strip(), better.strip()))
    for page in pages():
        for number, line in enumerate(without_code(read(page)), 1):
            bare = re.sub(r"`[^`]*`", "", line)
            for rule, pattern, better in rules:
                if found := rule.search(bare):
                    yield f"{name(page)}:{number}: `{found.group()}`: write {better}"


def measured(page):
    return [(line, count) for line, text in paragraphs(page) for _, count in sentences(text)]


def average(wanted):
    counts = [count for page in wanted for _, count in measured(page)]
    return sum(counts) / max(len(counts), 1)


def long_sentences():
    for page in pages():
        found = measured(page)
        for line, count in found:
            if count > MOST_WORDS:
                yield f"{name(page)}:{line}: a sentence of {count} words; at most {MOST_WORDS}"
        mean = sum(count for _, count in found) / max(len(found), 1)
        if len(found) >= ENOUGH and mean >= PAGE_AVERAGE and str(name(page)) not in FREE_OF_AVERAGE:
            yield f"{name(page)}: {mean:.1f} words per sentence on average; fewer than {PAGE_AVERAGE:.0f} are wanted"
    if average(pages()) >= AVERAGE:
        yield f"all pages: {average(pages()):.1f} words per sentence on average; fewer than {AVERAGE:.0f} are wanted"


if __name__ == "__main__":
    sys.exit(main())
