#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the diagrams of the book's part Understand into docs/img/understand.

The paths of sprt.svg are simulated with a fixed seed: pairs of games between engines that differ by 0, 2.5 and 5
normalized Elo, tested with the bounds [0, 5].
"""

import math
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/img/understand"
INK, SOFT, LINE = "#24292f", "#57606a", "#8c959f"
BLUE, GREEN, RED, YELLOW = "#0550ae", "#116329", "#b3261e", "#fff1c2"
FILL = {"blue": "#dbeafe", "green": "#dcf5e3", "red": "#fde3e1", "grey": "#eef1f4", "yellow": YELLOW}


class Picture:
    """An SVG of its own background, so that it can be read on a dark page."""

    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'font-family="system-ui, sans-serif" font-size="15" role="img"><title>{title}</title>',
            f'<rect width="{width}" height="{height}" rx="10" fill="#ffffff"/>',
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{LINE}"/></marker></defs>',
        ]

    def box(self, x, y, width, height, text, fill="grey", small=""):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="7" fill="{FILL[fill]}" '
                          f'stroke="{LINE}"/>')
        middle = y + height / 2 + (5 if not small else -3)
        self.text(x + width / 2, middle, text, anchor="middle")
        if small:
            self.text(x + width / 2, middle + 19, small, anchor="middle", size=12.5, color=SOFT)

    def text(self, x, y, text, anchor="start", size=15, color=INK, weight="normal"):
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'font-weight="{weight}" fill="{color}">{text}</text>')

    def line(self, x1, y1, x2, y2, color=LINE, arrow=False, dash="", width=1.6):
        tip = ' marker-end="url(#tip)"' if arrow else ""
        stroke = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
                          f'stroke-width="{width}"{stroke}{tip}/>')

    def path(self, points, color):
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{steps}" fill="none" stroke="{color}" stroke-width="1.6"/>')

    def save(self, name):
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text("\n".join([*self.parts, "</svg>"]) + "\n", encoding="utf-8")


def engine():
    picture = Picture(760, 250, "A position goes in, a move comes out")
    picture.box(20, 95, 120, 60, "position", "grey", "FEN and moves")
    picture.box(200, 30, 340, 190, "", "blue")
    picture.text(370, 55, "search", "middle", weight="bold")
    picture.text(370, 74, "tries moves, best guess first", "middle", 12.5, SOFT)
    picture.box(225, 100, 130, 70, "rules", "green", "legal moves")
    picture.box(385, 100, 130, 70, "evaluation", "yellow", "a number")
    picture.text(370, 203, "again and again, a million times a second", "middle", 12.5, SOFT)
    picture.box(600, 95, 140, 60, "best move", "grey", "score and line")
    picture.line(140, 125, 198, 125, arrow=True)
    picture.line(540, 125, 598, 125, arrow=True)
    picture.save("engine.svg")


def alpha_beta():
    picture = Picture(760, 330, "An alpha-beta tree: the second branch is cut after one answer")
    picture.box(320, 20, 120, 46, "you: +1", "blue")
    picture.box(120, 120, 130, 46, "opponent: +1", "grey")
    picture.box(510, 120, 150, 46, "opponent: ≤ −2", "grey")
    for parent, child in (((350, 66), (185, 118)), ((410, 66), (585, 118))):
        picture.line(*parent, *child, arrow=True)
    picture.text(240, 92, "first move", "end", 13, SOFT)
    picture.text(520, 92, "second move", size=13, color=SOFT)
    for x, text in ((40, "+3"), (155, "+1"), (270, "+5")):
        picture.box(x, 230, 70, 42, text, "green")
        picture.line(185, 166, x + 35, 228, arrow=True)
    picture.box(440, 230, 70, 42, "−2", "red")
    picture.line(585, 166, 475, 228, arrow=True)
    for x in (550, 660):
        picture.box(x, 230, 70, 42, "?", "grey")
        picture.line(585, 166, x + 35, 228, dash="5 4")
    picture.text(185, 305, "the opponent takes the lowest: +1", "middle", 13, SOFT)
    picture.text(640, 305, "never searched", "middle", 13, RED)
    picture.save("alpha-beta.svg")


def nnue():
    picture = Picture(760, 330, "Rows are added and subtracted as a piece moves")
    picture.text(20, 35, "the first layer: one row of weights for each piece on each square", weight="bold")
    rows = [("white king, e1", "grey", ""), ("white knight, b1", "red", "− leaves"),
            ("white knight, c3", "green", "+ arrives"), ("black queen, d8", "grey", ""), ("… 768 rows", "grey", "")]
    for index, (name, fill, mark) in enumerate(rows):
        y = 55 + 38 * index
        picture.text(20, y + 20, name, size=13.5)
        for lane in range(14):
            picture.parts.append(f'<rect x="{165 + 20 * lane}" y="{y}" width="18" height="28" rx="3" '
                                 f'fill="{FILL[fill]}" stroke="{LINE}"/>')
        if mark:
            picture.text(455, y + 19, mark, size=13.5, color=RED if fill == "red" else GREEN)
            picture.line(530, y + 14, 566, 152, arrow=True)
    picture.box(570, 120, 170, 64, "the sum", "blue", "kept from ply to ply")
    picture.line(655, 184, 655, 218, arrow=True)
    picture.box(570, 220, 170, 40, "clamp, square", "yellow")
    picture.line(655, 260, 655, 284, arrow=True)
    picture.box(570, 286, 170, 32, "one number", "grey")
    picture.text(20, 285, "A knight moves b1–c3: one row is subtracted, one is added.", size=13.5, color=SOFT)
    picture.text(20, 306, "The other 30 pieces cost nothing.", size=13.5, color=SOFT)
    picture.save("nnue.svg")


def walk(elo, generator):
    """LLR after each pair: the shift per pair in units of its own noise, for bounds [0, 5]."""
    unit = math.sqrt(2) * math.log(10) / 800
    shift, upper, llr, path = elo * unit, 5 * unit, 0.0, [0.0]
    while abs(llr) < math.log(19):
        llr += upper * generator.gauss(shift, 1) - upper * upper / 2
        path.append(llr)
    return path


def sprt():
    generator = random.Random(5)
    width, height, left, top, bottom = 760, 360, 60, 40, 300
    paths = [(elo, walk(elo, generator)) for elo in (0, 0, 2.5, 2.5, 5, 5)]
    longest = max(len(path) for _, path in paths)
    picture = Picture(width, height, "The paths of LLR for engines that gain 0, 2.5 and 5 nElo, simulated")
    bound = math.log(19)

    def at(pair, llr):
        return left + (width - left - 30) * pair / longest, (top + bottom) / 2 - llr / 3.4 * (bottom - top) / 2

    for llr, name, color in ((bound, "H1: it gains", GREEN), (-bound, "H0: it does not", RED)):
        y = at(0, llr)[1]
        picture.line(left, y, width - 30, y, color, dash="6 4")
        picture.text(width - 34, y - 7 if llr > 0 else y + 18, name, "end", 13, color)
        picture.text(left - 8, y + 5, f"{llr:+.2f}", "end", 13, SOFT)
    picture.line(left, at(0, 0)[1], width - 30, at(0, 0)[1], "#d0d7de")
    colors = {0: RED, 2.5: "#9a6700", 5: GREEN}
    for elo, path in paths:
        step = max(1, len(path) // 300)
        picture.path([at(pair, path[pair]) for pair in [*range(0, len(path), step), len(path) - 1]], colors[elo])
    for part in range(0, 2 * longest, 10000):
        x = at(part / 2, 0)[0]
        picture.text(x, bottom + 28, f"{part:,}", "middle", 12.5, SOFT)
    picture.text((width + left) / 2, bottom + 48, "games", "middle", 13, SOFT)
    for index, (elo, name) in enumerate(((0, "gains nothing"), (2.5, "gains 2.5"), (5, "gains 5"))):
        picture.line(left + 150 * index, 20, left + 24 + 150 * index, 20, colors[elo], width=3)
        picture.text(left + 32 + 150 * index, 25, name, size=13)
    picture.save("sprt.svg")


if __name__ == "__main__":
    engine()
    alpha_beta()
    nnue()
    sprt()
