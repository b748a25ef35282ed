# SPDX-License-Identifier: GPL-3.0-or-later
"""A sound engine with one planted fault: passes lines between its own input and the engine's.

Usage: compliance_proxy.py FAULT ENGINE. Each fault is a small function on lines; see FAULTS.
"""

import re
import subprocess
import sys
import threading
import time

fault, program = sys.argv[1:3]
searching = threading.Event()
held = []


def spoil_output(line):
    """Lines to print in place of one line of the engine."""
    if fault == "no-author" and line.startswith("id author"):
        return []
    if fault == "late-option" and line == "uciok":
        return [line, "option name Late type check default false"]
    if fault == "bad-spin" and line.startswith("option name Hash"):
        return ["option name Hash type spin default 0 min 1 max 1024"]
    if fault == "two-moves" and line.startswith("bestmove"):
        return [line, line]
    if fault == "king-castles" and line.startswith("bestmove e1h1"):
        return ["bestmove e1g1"]
    if fault == "upper-case" and line.startswith("bestmove"):
        return ["bestmove " + line.split()[1].upper()]
    if fault == "decimals":
        return [re.sub(r" time (\d+)", r" time \1.5", line)]
    if fault == "depth-jumps":
        return [re.sub(r"^info depth (\d+)", lambda m: f"info depth {2 * int(m[1])}", line)]
    if fault == "bad-pv":
        return [re.sub(r" pv (.*)", r" pv \1 a1a1", line)]
    if fault == "other-move" and line.startswith("bestmove"):
        return ["bestmove a2a3" if "a2a3" not in line else "bestmove h2h3"]
    if fault == "same-lines":
        return [re.sub(r" multipv \d+ (.*) pv .*", r" multipv 2 \1 pv e1g1", line)]
    if fault == "wdl":
        return [re.sub(r" wdl \d+", " wdl 1001", line)]
    if fault == "always-moves" and line.startswith("bestmove (none)"):
        return ["bestmove a1a1"]
    if fault == "long-mate":
        return [line.replace("score mate 1", "score mate 2")]
    if fault == "chatter" and line.startswith("info"):
        return ["thinking...", line]
    if fault == "unflushed" and line.startswith(("info", "bestmove")):
        held.append(line)
        if line.startswith("info"):
            return []
        lines, held[:] = list(held), []
        return lines
    return [line]


def spoil_input(line):
    """Lines to send in place of one line to the engine."""
    if line.startswith("go"):
        searching.set()
    if fault == "deaf" and line == "isready" and searching.is_set():
        return []
    if fault == "hasty" and ("ponder" in line.split() or "infinite" in line.split()):
        return ["go depth 2"]
    if fault == "no-searchmoves":
        return [re.sub(r" searchmoves( [a-h][1-8][a-h][1-8])+", "", line)]
    if fault == "dies" and "zzzz" in line:
        return ["quit"]
    if fault == "one-sided" and line in ("go wtime 100", "go btime 100"):
        return []
    return [line]


engine = subprocess.Popen(
    [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
)


def forward():
    for line in engine.stdout:
        for spoiled in spoil_output(line.rstrip("\n")):
            if spoiled.startswith("bestmove"):
                searching.clear()
            print(spoiled, flush=True)


reader = threading.Thread(target=forward, daemon=True)
reader.start()
quit_seen = False
for line in sys.stdin:
    for spoiled in spoil_input(line.rstrip("\n")):
        engine.stdin.write(spoiled + "\n")
        engine.stdin.flush()
    if line.strip() == "quit" or (fault == "dies" and "zzzz" in line):
        quit_seen = True
        break
if fault == "immortal" and not quit_seen:
    time.sleep(3600)
engine.stdin.close()
engine.wait()
reader.join()
