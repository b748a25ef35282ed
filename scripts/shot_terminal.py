#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws what a terminal shows, colours included, as SVG.

usage: tmux capture-pane -p -e | scripts/shot_terminal.py OUT.svg [TITLE]

Reads lines with the colour codes that tmux writes, drops empty lines at the end, and needs nothing
but the standard library. Used by scripts/shots.sh.
"""
import html
import re
import sys

CELL_WIDTH, CELL_HEIGHT, MARGIN = 9.0, 20, 14
PAPER, INK = "#1d1f21", "#d5d8d6"
COLORS = {30: "#373b41", 31: "#e07a7a", 32: "#8fc98f", 33: "#e5c07b", 34: "#7aa6da",
          35: "#c397d8", 36: "#70c0c0", 37: INK}
BLOCKS = {letter: (index + 1) / 8 for index, letter in enumerate("▁▂▃▄▅▆▇█")}


class Pen:
    """The style that the codes so far have set."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.ink, self.is_bold, self.is_dim = INK, False, False

    def obey(self, codes):
        for code in (int(code or 0) for code in codes.split(";")):
            if code == 0:
                self.reset()
            elif code == 1:
                self.is_bold = True
            elif code == 2:
                self.is_dim = True
            elif code == 22:
                self.is_bold = self.is_dim = False
            elif code == 39:
                self.ink = INK
            elif code in COLORS:
                self.ink = COLORS[code]

    def attributes(self):
        weight = ' font-weight="bold"' if self.is_bold else ""
        faint = ' opacity="0.6"' if self.is_dim else ""
        return f'fill="{self.ink}"{weight}{faint}'


def draw_text(pen, text, left, top):
    """A run of letters; blocks are drawn, as fonts disagree about their size."""
    parts = []
    for place, run in ((m.start(), m[0]) for m in re.finditer("[▁-█]+|[^▁-█]+", text)):
        x = left + place * CELL_WIDTH
        if run[0] in BLOCKS:
            for index, letter in enumerate(run):
                height = BLOCKS[letter] * (CELL_HEIGHT - 4)
                parts.append(f'<rect x="{x + index * CELL_WIDTH:.1f}" y="{top + CELL_HEIGHT - 3 - height:.1f}" '
                             f'width="{CELL_WIDTH - 0.6:.1f}" height="{height:.1f}" {pen.attributes()}/>')
        elif run.strip():
            parts.append(f'<text x="{x:.1f}" y="{top + 15}" textLength="{len(run) * CELL_WIDTH:.1f}" '
                         f'{pen.attributes()} xml:space="preserve">{html.escape(run)}</text>')
    return parts


def draw(lines, title):
    pen, parts = Pen(), []
    head = 30 if title else 0
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    width = max(map(len, plain)) * CELL_WIDTH + 2 * MARGIN
    height = len(lines) * CELL_HEIGHT + 2 * MARGIN + head
    for row, line in enumerate(lines):
        column = 0
        for token in re.split(r"(\x1b\[[0-9;]*m)", line):
            if code := re.fullmatch(r"\x1b\[([0-9;]*)m", token):
                pen.obey(code[1])
            elif token:
                top = head + MARGIN + row * CELL_HEIGHT
                parts += draw_text(pen, token, MARGIN + column * CELL_WIDTH, top)
                column += len(token)
    frame = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
             f'viewBox="0 0 {width:.0f} {height}" '
             f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15">',
             f'<rect width="{width:.0f}" height="{height}" rx="8" fill="{PAPER}"/>']
    if title:
        frame.append(f'<text x="{MARGIN}" y="24" fill="{INK}" opacity="0.6">{html.escape(title)}</text>')
    return "\n".join(frame + parts + ["</svg>\n"])


def main():
    lines = [line.rstrip() for line in sys.stdin.read().split("\n")]
    while lines and not re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]).strip():
        lines.pop()
    if not lines:
        sys.exit("nothing to draw")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(draw(lines, sys.argv[2] if len(sys.argv) > 2 else ""))


if __name__ == "__main__":
    main()
