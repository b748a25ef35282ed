#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rates the levels of UCI_Elo by games between neighbours and against Debian's Stockfish with its own
# UCI_Elo, and prints the table. The points of crates/engine/src/strength.rs are given the ratings that come
# out; run it again after a change of the search or of `house`.
#
#     scripts/calibrate_strength.sh [GAMES A PAIR] [FOLDER]
set -eu
games=${1:-100}
out=${2:-runs/strength}
book=../shared/data/books/8moves_v3.epd.zst
levels="1000 1250 1500 1750 2000 2300 2600 2900 3200"
anchor=1750
PATH=$PATH:/usr/games

limit() { echo "opt.UCI_LimitStrength=true opt.UCI_Elo=$1 opt.Hash=4"; }
# More nodes than the highest level takes.
ours() { echo "cmd=./quincunx name=level-$1 nodes=100000 $(limit "$1")"; }
# It chooses its move at a small depth that its strength gives: more nodes would change nothing.
theirs() { echo "cmd=stockfish name=stockfish-$1 nodes=10000 $(limit "$1")"; }

# Words without spaces in them: they may be split.
play() {
    ./quincunx match --engine $2 --engine $3 --games "$games" --openings $book --order random \
        --seed 5 --concurrency 2 --out "$out/$1" >/dev/null
}

before=
for level in $levels; do
    if [ -n "$before" ]; then play "$before-$level" "$(ours "$before")" "$(ours "$level")"; fi
    before=$level
done
for level in 1500 1750 2000; do
    play "stockfish-$level" "$(ours $level)" "$(theirs $level)"
done
./quincunx league --rate "$out"/*/ --anchor stockfish-$anchor=$anchor --table "$out/table.md"
cat "$out/table.md"
