#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plays against Stockfish with hardly any time, and says how many games each side has lost on time.
#
# Usage: scripts/clock_losses.sh busy|quiet OUT
#   busy    200 games at 0.5+0.01, with a busy process at `nice 0` beside each core
#   quiet   1,000 games at 1+0.01, nothing else running
# GAMES=N plays another number. A match that was stopped goes on where it was. A clock may not be overstepped by a millisecond.
# On Linux, processes of another session get an equal share whatever their niceness while
# /proc/sys/kernel/sched_autogroup_enabled is 1: then put 0 there first.
set -euo pipefail

kind=${1:?"busy or quiet?"}
out=${2:?"where do the games go?"}
engine=${ENGINE:-./quincunx}
stockfish=${STOCKFISH:-/usr/games/stockfish}
book=${BOOK:-../shared/data/books/UHO_4060_v4_sample.epd.zst}
cores=$(nproc)

case $kind in
busy) time=0.5+0.01 games=${GAMES:-200} ;;
quiet) time=1+0.01 games=${GAMES:-1000} ;;
*)
    echo "expected busy or quiet, found $kind" >&2
    exit 2
    ;;
esac

mkdir -p "$out"
if [ "$kind" = busy ]; then
    for _ in $(seq "$cores"); do
        (while :; do :; done) &
        busy+=($!)
    done
    trap 'kill "${busy[@]}"' EXIT
fi
# Its exit code is 1 if every game was lost by a fault; what follows says more.
"$engine" match --engine cmd="$engine" name=quincunx opt.Hash=16 \
    --engine cmd="$stockfish" name=stockfish opt.Hash=16 \
    --tc "$time" --time-margin 0 --games "$games" --concurrency "$cores" \
    --openings "$book" --order random --seed 23 --out "$out/$kind" --json >"$out/$kind.json" || true
python3 - "$out/$kind.json" <<'END'
import json, sys

result = json.load(open(sys.argv[1]))
lost = lambda name: sum(fault["engine"] == name for fault in result["faults"])
for engine in result["engines"]:
    print(f"{engine['name']}: {lost(engine['name'])} of {engine['games']} games lost by faults, "
          f"{engine['wins']} won, {engine['draws']} drawn, {engine['losses']} lost")
for fault in result["faults"]:
    print(f"game {fault['game']}: {fault['engine']}: {fault['kind']}: {fault['detail']}")
END
