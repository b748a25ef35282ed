#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the results of a games.pgn again, independently of the program that wrote it.

Usage: scripts/recount_pgn.py GAMES.PGN [FIRST_ENGINE]

Prints wins, draws and losses of every player and the pentanomial counts of the first engine (by
default White of the first game) as JSON. Games belong to a pair if their Round tags agree before
the dot. Uses nothing but the standard library.
"""

import json
import re
import sys
from collections import defaultdict

TAG = re.compile(r'^\[(\w+) "(.*)"\]$')
POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}


def read_games(path):
    """The tags of each game."""
    tags = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = TAG.match(line.rstrip("\n"))
            if match:
                tags[match[1]] = match[2].replace('\\"', '"').replace("\\\\", "\\")
            elif line.strip() and tags:
                yield tags
                tags = {}


def main():
    games = list(read_games(sys.argv[1]))
    first = sys.argv[2] if len(sys.argv) > 2 else games[0]["White"]
    players = defaultdict(lambda: {"games": 0, "wins": 0, "draws": 0, "losses": 0})
    pairs = defaultdict(list)
    for game in games:
        points = POINTS[game["Result"]]
        for name, score in ((game["White"], points), (game["Black"], 2 - points)):
            players[name]["games"] += 1
            players[name][("losses", "draws", "wins")[score]] += 1
            if name == first:
                pairs[game["Round"].split(".")[0]].append((game.get("FEN"), score))
    ptnml = [0] * 5
    for number, pair in pairs.items():
        if len(pair) != 2 or pair[0][0] != pair[1][0]:
            sys.exit(f"round {number} is not a pair of games from one opening")
        ptnml[pair[0][1] + pair[1][1]] += 1
    print(json.dumps({"first": first, "players": players, "ptnml": ptnml}))


if __name__ == "__main__":
    main()
