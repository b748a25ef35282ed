#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plays the matches that docs/results.md calls anchors: against the first search with today's network, against an
# earlier engine, Ethereal, Stockfish with the same time, with a quarter of it and with five times as much for both (the
# earlier engine too), and two threads against one.
#
# Usage: scripts/anchors.sh OUT [NAME...]      (all of them without a name)
# A match that was stopped goes on where it was. Nothing else should run on the machine meanwhile.
# FIRST=PROGRAM names the first search: `cargo build --release -p quincunx` of commit db17f4e. BEFORE=PROGRAM names an
# earlier engine as it was, network and all: that of commit 85ad7f7 is the last one with the first `house`.
set -euo pipefail

out=${1:?"where do the games go?"}
shift
names=("$@")
engine=${ENGINE:-./quincunx}
network=$(realpath nets/house.qnet)
book=${BOOK:-../shared/data/books/UHO_4060_v4_sample.epd.zst}
stockfish=${STOCKFISH:-/usr/games/stockfish}
ethereal=${ETHEREAL:-/usr/games/ethereal-chess}

wanted() {
    [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " == *" $1 "* ]]
}

# play NAME GAMES CONCURRENCY "WORDS OF ONE" "WORDS OF THE OTHER" [FURTHER WORDS...]
play() {
    wanted "$1" || return 0
    mkdir -p "$out"
    # The words of an engine are meant to be split.
    # shellcheck disable=SC2086
    "$engine" match --engine $4 --engine $5 --tc "${time:-2+0.02}" --games "$2" --concurrency "$3" \
        --openings "$book" --order random --seed 8 --resign movecount=4 score=1000 \
        --out "$out/$1" --json "${@:6}" >"$out/$1.json" 2>"$out/$1.log"
    echo "$1: $(tail -n 1 "$out/$1.log")"
}

us="cmd=$engine name=quincunx opt.Hash=16"
if [ -n "${FIRST:-}" ]; then
    play first 400 2 "$us" "cmd=$FIRST name=first opt.Hash=16 opt.EvalFile=$network"
fi
if [ -n "${BEFORE:-}" ]; then
    play before 2000 2 "$us" "cmd=$BEFORE name=before opt.Hash=16" --sprt 0,10
    time=10+0.1 play before-stockfish-long 100 2 "cmd=$BEFORE name=before opt.Hash=16" \
        "cmd=$stockfish name=stockfish opt.Hash=16"
fi
play ethereal 300 2 "$us" "cmd=$ethereal name=ethereal opt.Hash=16"
play stockfish 300 2 "$us" "cmd=$stockfish name=stockfish opt.Hash=16"
play stockfish-quarter 300 2 "$us" "cmd=$stockfish name=stockfish opt.Hash=16 tc=0.5+0.005"
time=10+0.1 play stockfish-long 100 2 "$us" "cmd=$stockfish name=stockfish opt.Hash=16"
play threads 300 1 "cmd=$engine name=two opt.Hash=32 opt.Threads=2" "cmd=$engine name=one opt.Hash=32"
