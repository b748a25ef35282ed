#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Elo against nodes a move: us against a rival at equal nodes, and what twice the nodes are worth to both.

    scripts/depth_curve.py [--points NODES:GAMES ...] [--out DIR]

For each number of nodes N three matches are played by `quincunx match`:

    ours N    against  rival N     the difference in strength
    ours 2N   against  ours N      Elo of a doubling for us
    rival 2N  against  rival N     Elo of a doubling for the rival

If our doublings are worth less than the rival's, our search wastes depth; if they are worth the same
and the difference stays, it is the evaluation. Each match has its folder in DIR: the script may be killed
at any moment, the same command goes on, and finished matches are not played again. A point with more
games than before plays the missing ones. DIR gets curve.md (a table), curve.json and curve.svg.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

POINTS = ["5000:1000", "20000:1000", "80000:400", "320000:100"]
KINDS = ("difference", "ours", "rival")
NAMES = {
    "difference": "ours against rival",
    "ours": "doubling, ours",
    "rival": "doubling, rival",
}
COLORS = {"difference": "#2f6f9f", "ours": "#3b8f5a", "rival": "#c2703d"}


def point(text):
    """NODES:GAMES as two numbers."""
    try:
        nodes, games = (int(word) for word in text.split(":"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"bad point `{text}`: expected NODES:GAMES, such as 5000:1000") from None
    if nodes < 1 or games < 1:
        raise argparse.ArgumentTypeError(f"bad point `{text}`: expected two numbers above 0")
    return nodes, games


def sides(kind, nodes):
    """Who plays with how many nodes: the side whose Elo is asked first."""
    return {
        "difference": (("ours", nodes), ("rival", nodes)),
        "ours": (("ours", 2 * nodes), ("ours", nodes)),
        "rival": (("rival", 2 * nodes), ("rival", nodes)),
    }[kind]


def play(kind, nodes, games, args):
    """The result of one match, played if it is not finished."""
    commands = {"ours": args.engine, "rival": args.rival}
    command = [args.runner, "match"]
    for who, limit in sides(kind, nodes):
        command += ["--engine", f"cmd={commands[who]}", f"name={who}-{limit}", f"nodes={limit}"]
        command += ["opt.Hash=16", "opt.Threads=1"]
    command += ["--games", str(games), "--concurrency", str(args.concurrency)]
    if args.book:
        command += ["--openings", args.book, "--order", "random", "--seed", str(args.seed)]
    if args.adjudicate:
        command += ["--resign", "movecount=3", "score=700", "twosided=true"]
        command += ["--draw", "movenumber=34", "movecount=8", "score=8"]
    command += ["--out", str(args.out / f"{kind}-{nodes}"), "--json"]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"error: the match {kind} at {nodes} nodes ended with code {done.returncode}; see above")
    answer = json.loads(done.stdout.splitlines()[-1])
    first = answer["engines"][0]
    result = {key: first[key] for key in ("games", "wins", "draws", "losses", "elo", "error")}
    fatal = {"illegal-move", "time-forfeit", "no-answer", "disconnect"}
    result["faults"] = sum(fault["kind"] in fatal for fault in answer["faults"])
    # A match that was interrupted is no point of the curve.
    if result["games"] < games:
        sys.exit(f"stopped in the match {kind} at {nodes} nodes; the same command goes on")
    return {"kind": kind, "nodes": nodes, **result}


def elo(row):
    if row is None:
        return ""
    if row["elo"] is None:
        return "all won" if row["wins"] else "all lost"
    error = "?" if row["error"] is None else f"{row['error']:.0f}"
    return f"{row['elo']:+.0f} ± {error}".replace("-", "−")


def table(rows, args):
    """A row for each number of nodes."""
    found = {(row["kind"], row["nodes"]): row for row in rows}
    lines = [f"| nodes | {' | '.join(NAMES[kind] for kind in KINDS)} | games of each |", "|---:|---:|---:|---:|---|"]
    for nodes, _ in args.points:
        cells = [found.get((kind, nodes)) for kind in KINDS]
        games = ", ".join(str(row["games"]) for row in cells if row)
        lines.append(f"| {nodes:,} | {' | '.join(elo(row) for row in cells)} | {games} |")
    lines += ["", f"ours: `{args.engine}`, rival: `{args.rival}`; book: `{args.book or 'none'}`; 95 % intervals"]
    lines.append("A doubling is 2N nodes against N nodes, N being the row's number.")
    faults = sum(row["faults"] for row in rows)
    lines.append(f"Games lost by a fault: {faults}")
    return "\n".join(lines) + "\n"


class Axis:
    """A range of values over a range of pixels."""

    def __init__(self, values, low, high, step):
        self.first = math.floor(min(values) / step) * step
        self.last = max(math.ceil(max(values) / step) * step, self.first + step)
        self.low, self.high, self.step = low, high, step

    def place(self, value):
        return self.low + (value - self.first) / (self.last - self.first) * (self.high - self.low)

    def ticks(self):
        return [self.first + i * self.step for i in range(round((self.last - self.first) / self.step) + 1)]


def round_step(span):
    """A step of 1, 2 or 5 times a power of ten, about five for the span."""
    raw = max(span / 5, 1)
    power = 10 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)


def panel(rows, kinds, title, left, nodes):
    """One chart: Elo over nodes, the nodes on a logarithmic scale."""
    width, top, bottom = 400, 50, 270
    shown = [row for row in rows if row["kind"] in kinds and row["elo"] is not None]
    ends = [row["elo"] + sign * (row["error"] or 0) for row in shown for sign in (-1, 1)] + [0]
    y = Axis(ends, bottom, top, round_step(max(ends) - min(ends)))
    logs = [math.log2(n) for n in nodes]
    room = max(logs) - min(logs) or 1

    def x(n):
        return left + 60 + (math.log2(n) - min(logs)) / room * (width - 100)

    svg = [f'<text x="{left + width / 2}" y="24" text-anchor="middle" font-size="14" fill="#22252a">{title}</text>']
    for tick in y.ticks():
        at, color = y.place(tick), "#6b7078" if tick == 0 else "#e4e2dc"
        svg.append(f'<line x1="{left + 40}" x2="{left + width - 20}" y1="{at:.1f}" y2="{at:.1f}" stroke="{color}"/>')
        label = f"{tick:g}".replace("-", "−")
        svg.append(f'<text x="{left + 34}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
    for n in nodes:
        svg.append(f'<text x="{x(n):.1f}" y="{bottom + 18}" text-anchor="middle">{n:,}</text>')
    svg.append(f'<text x="{left + width / 2}" y="{bottom + 38}" text-anchor="middle">nodes a move</text>')
    for index, kind in enumerate(kinds):
        line = sorted((row for row in shown if row["kind"] == kind), key=lambda row: row["nodes"])
        color = COLORS[kind]
        # Side by side where several lines share their nodes.
        shift = 6 * index - 3 * (len(kinds) - 1)
        points = " ".join(f"{x(row['nodes']) + shift:.1f},{y.place(row['elo']):.1f}" for row in line)
        svg.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        for row in line:
            at, error = x(row["nodes"]) + shift, row["error"] or 0
            low, high = y.place(row["elo"] - error), y.place(row["elo"] + error)
            svg.append(
                f'<g><title>{NAMES[kind]}, {row["nodes"]:,} nodes: {elo(row)}</title>'
                f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{color}" stroke-width="2"/>'
                f'<circle cx="{at:.1f}" cy="{y.place(row["elo"]):.1f}" r="4" fill="{color}"/></g>'
            )
        if len(kinds) > 1:
            svg.append(f'<text x="{left + 50 + 130 * index}" y="42" fill="{color}">● {NAMES[kind]}</text>')
    return svg


def picture(rows, args):
    nodes = [nodes for nodes, _ in args.points]
    svg = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 320" font-family="system-ui, sans-serif" '
        'font-size="12" fill="#6b7078" style="background:#ffffff">'
    ]
    svg += panel(rows, ("difference",), "Elo of ours over the rival", 0, nodes)
    svg += panel(rows, ("ours", "rival"), "Elo of twice the nodes", 410, nodes)
    return "\n".join([*svg, "</svg>"]) + "\n"


def replace(path, text):
    """Writes a file under another name and renames it: nobody sees half of it."""
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", nargs="+", type=point, default=[point(text) for text in POINTS],
                        metavar="NODES:GAMES", help=f"default: {' '.join(POINTS)}")
    parser.add_argument("--out", type=Path, default=Path("runs/depth-curve"))
    parser.add_argument("--engine", default="./quincunx")
    parser.add_argument("--rival", default="/usr/games/stockfish")
    parser.add_argument("--runner", default="./quincunx", help="the binary that plays the matches")
    parser.add_argument("--book", default="../shared/data/books/UHO_4060_v4_sample.epd.zst")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--no-adjudication", dest="adjudicate", action="store_false")
    args = parser.parse_args()
    args.points.sort()
    args.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for nodes, games in args.points:
        for kind in KINDS:
            rows.append(play(kind, nodes, games, args))
            replace(args.out / "curve.json", json.dumps(rows, indent=1) + "\n")
            replace(args.out / "curve.md", table(rows, args))
            replace(args.out / "curve.svg", picture(rows, args))
            print(f"{NAMES[kind]} at {nodes:,} nodes: {elo(rows[-1])}", flush=True)
    print("\n" + table(rows, args), end="")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on")
