# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the Markdown of this repository: pages, links, headings, sentences and code blocks."""

import dataclasses
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(\S*)")
DIRECTIVE = re.compile(r"^<!-- (test|file|edit): ?(.*?) ?-->$")


@dataclasses.dataclass
class Block:
    """A fenced code block, with the directives that stand in comments above it."""

    page: pathlib.Path
    line: int
    language: str
    text: str
    directives: list


def pages():
    """All Markdown files that git knows or would take up, in a fixed order."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.md"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in sorted(set(names.split("\0"))) if name and (ROOT / name).is_file()]


def read(page):
    return page.read_text(encoding="utf-8")


def blocks(page):
    """The code blocks of a page."""
    found, directives, fence = [], [], None
    for number, line in enumerate(read(page).splitlines(), 1):
        start = FENCE.match(line)
        if fence is None and start:
            fence, lines = start.group(2), []
            block = Block(page, number, start.group(3), "", directives)
            indent, directives = len(start.group(1)), []
        elif fence is not None and line.strip() == fence:
            block.text = "".join(f"{text}\n" for text in lines)
            found.append(block)
            fence = None
        elif fence is not None:
            lines.append(line[indent:] if line[:indent].isspace() or not indent else line)
        elif directive := DIRECTIVE.match(line.strip()):
            directives.append(directive.groups())
        elif line.strip():
            directives = []
    return found


def without_code(text):
    """The text with its fenced blocks and comments made empty, line by line."""
    lines, fence = [], None
    for line in re.sub(r"<!--.*?-->", lambda found: "\n" * found.group().count("\n"), text, flags=re.S).splitlines():
        start = FENCE.match(line)
        if fence is None and start:
            fence = start.group(2)
            lines.append("")
        elif fence is not None:
            fence = None if line.strip() == fence else fence
            lines.append("")
        else:
            lines.append(line)
    return lines


def anchors(page):
    """The anchors of a page's headings, as mdBook and the usual forges make them."""
    found = set()
    for line in without_code(read(page)):
        if heading := re.match(r"^#{1,6}\s+(.*?)\s*#*$", line):
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).replace("`", "")
            slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            anchor, count = slug, 0
            while anchor in found:
                count += 1
                anchor = f"{slug}-{count}"
            found.add(anchor)
    return found


def links(page):
    """Pairs of line number and target of every link and picture."""
    for number, line in enumerate(without_code(read(page)), 1):
        for target in re.findall(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", re.sub(r"`[^`]*`", "", line.replace("](`", "]("))):
            yield number, target


PARAGRAPH_START = re.compile(r"^\s*([-*+]\s+|\d+\.\s+|>\s?)")
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|vs|etc|cf|Nr|No|approx)\.|(?<=\d)\.(?=\s+[a-h1-8KQRBNO])")


def paragraphs(page):
    """Pairs of line number and prose: no tables, headings, code or pictures."""
    number, words = 0, []
    for line_number, line in enumerate([*without_code(read(page)), ""], 1):
        bare = line.strip()
        is_other = not bare or bare.startswith(("#", "|", "![", "[!", "<")) or set(bare) <= set("-=*")
        if words and (is_other or PARAGRAPH_START.match(line)):
            yield number, " ".join(words)
            words = []
        if not is_other:
            number = number if words else line_number
            words.append(PARAGRAPH_START.sub("", line).strip())


def sentences(text):
    """The sentences of a paragraph; code counts as one word."""
    text = re.sub(r"`[^`]+`", "code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = ABBREVIATIONS.sub(lambda found: found.group().replace(".", ""), text)
    for sentence in re.split(r"(?<=[.!?])[)\"*_]*\s+", text):
        words = [word for word in re.findall(r"[^\s]+", sentence) if re.search(r"\w", word)]
        if words:
            yield sentence, len(words)
