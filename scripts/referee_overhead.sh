#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How much of the processor time of a match goes to the engines, and how much to the referee?
#
# Usage: scripts/referee_overhead.sh [QUINCUNX] [ENGINE] [NODES] [GAMES]
# Plays ENGINE against itself, two games at a time, refereed by the release binary QUINCUNX
# (./quincunx by default, what `make` leaves), and prints the engines' share of all processor time.
# Exits 1 if it is below 97 %. Wants a quiet machine.
set -eu
quincunx=${1:-./quincunx}
[ -x "$quincunx" ] || { echo "no program \`$quincunx\`: expected a release binary, as \`make\` builds it" >&2; exit 2; }
quincunx=$(realpath "$quincunx")
engine=${2:-/usr/games/stockfish}
nodes=${3:-10000}
games=${4:-20}
book=${BOOK:-../shared/data/books/8moves_v3.epd.zst}
exec python3 - "$quincunx" "$engine" "$nodes" "$games" "$book" <<'PYTHON'
import os
import subprocess
import sys

quincunx, engine, nodes, games, book = sys.argv[1:]
command = [quincunx, "match", "--games", games, "--concurrency", "2", "--json"]
for name in "AB":
    command += ["--engine", f"cmd={engine}", f"name={name}", f"nodes={nodes}", "opt.Hash=16"]
if os.path.exists(book):
    command += ["--openings", book]
runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
# The dead process is left unreaped, so that its times can still be read.
os.waitid(os.P_PID, runner.pid, os.WEXITED | os.WNOWAIT)
with open(f"/proc/{runner.pid}/stat") as stat:
    fields = stat.read().rpartition(")")[2].split()
if runner.wait() != 0:
    sys.exit(f"the match failed: {' '.join(command)}")
user, system, engine_user, engine_system = (int(field) for field in fields[11:15])
tick = os.sysconf("SC_CLK_TCK")
referee = (user + system) / tick
engines = (engine_user + engine_system) / tick
share = 100 * engines / (referee + engines)
print(f"{quincunx}, {games} games at {nodes} nodes a move, two at a time:")
print(f"engines {engines:.2f} s, referee {referee:.2f} s: engines' share {share:.2f} %")
sys.exit(share < 97)
PYTHON
