#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The games of our own that networks learn from, and the records made of them. Every line may be broken off at
# any moment; the whole script goes on where it was.
#
#     scripts/own_games.sh second|third|fourth [FOLDER]        about an hour on two fast cores, hours on slow ones
#     scripts/own_games.sh fifth [FOLDER]                      for days, beside other work
#
# A game depends on its number, the seed, the network and the search alone, so the counts of games name the data:
#
#   second   the first `house` (hash a7ee0855c350a66c; recipes/house-first.toml, `git show d5d7f89:nets/house.qnet`);
#            which commit's search played them was not written down
#   third    the second `house` (hash a625a46fe07c579a; recipes/house-second.toml, `git show dd4c99d:nets/house.qnet`)
#            under the search of dd4c99d
#   fourth   the third `house` (hash ad465a56e93c8d93; recipes/house.toml, `git show e1db0b0:nets/house.qnet`) under
#            the search of e1db0b0: fewer games, each move thought over for longer
#   fifth    the third `house` under the search of 2026-11-19 (bench 1362578): the first labels in centipawns,
#            without optimism and fifty-move damping. In rounds, so that it may end after any of them: each
#            round has about 20 M positions from all kinds of openings. Two digits of the seed
#            are the round's number.
set -eu
generation=${1:?"which generation: second, third, fourth or fifth?"}
out=${2:-runs/$generation}
program=${QUINCUNX:-./quincunx}
books=../shared/data/books
mkdir -p "$out"

# FILE  GAMES  SOFT NODES  BOOK FOR HALF OF THE GAMES  SEED; the other half begins with random moves, and a
# tenth of all from Chess960 positions.
play() {
    "$program" selfplay --out "$out/$1.vf" --games "$2" --nodes "$3" --openings "$books/$4" --seed "$5" \
        --network "$network"
}

# The records of training and of validation, named NAME and made of FILES, of which SHARE are validation.
records() {
    name=$1 share=$2
    shift 2
    "$program" data expand "$@" --out "$out/train$name.qrec" --validation "$share" \
        --validation-out "$out/val$name.qrec"
}

# The records that policies learn from, checks and captures among them.
moves() {
    name=$1
    shift
    "$program" data expand --all "$@" --out "$out/$name.qrec" --validation 0.005 \
        --validation-out "$out/$name-val.qrec"
}

# One round of the fifth generation: about 180,000 games.
round() {
    play_idle "$1-balanced" 50000 8moves_v3.epd.zst "5${1}1"
    play_idle "$1-uneven" 40000 UHO_4060_v4_sample.epd.zst "5${1}2"
    play_idle "$1-popular" 40000 popularpos_lichess_v3_sample.epd.zst "5${1}3"
    play_idle "$1-early" 15000 2moves_v1.epd.zst "5${1}4"
    play_idle "$1-human" 10000 noob_3moves.epd.zst "5${1}5"
    play_idle "$1-endings" 15000 endgames_sample.epd.zst "5${1}6"
    play_idle "$1-closed" 5000 closedpos_sample.epd.zst "5${1}7"
    play_idle "$1-drawn" 5000 Drawkiller_balanced_big.epd.zst "5${1}8"
}

# FILE  GAMES  BOOK  SEED: 150 soft nodes, a twentieth from Chess960 positions, behind all other work.
play_idle() {
    "$program" selfplay --idle --out "$out/$1.vf" --games "$2" --nodes 150 --openings "$books/$3" --seed "$4" \
        --frc 0.05 --network "$network"
}

case $generation in
second)
    network=${NETWORK:-runs/house-first/house.qnet}
    play balanced 204651 150 8moves_v3.epd.zst 101
    play uneven 71651 150 UHO_4060_v4_sample.epd.zst 102
    play endings 37773 150 endgames_sample.epd.zst 103
    play drawn 27681 150 Drawkiller_balanced_big.epd.zst 104
    play fine 2068 5000 8moves_v3.epd.zst 105
    records "" 0.005 "$out"/balanced.vf "$out"/uneven.vf "$out"/endings.vf "$out"/drawn.vf
    records -fine 0.04 "$out"/fine.vf
    ;;
third)
    network=${NETWORK:-runs/house-second/house.qnet}
    play balanced 200000 150 8moves_v3.epd.zst 201
    play uneven 140000 150 UHO_4060_v4_sample.epd.zst 202
    play popular 80000 150 popularpos_lichess_v3_sample.epd.zst 203
    play endings 60000 150 endgames_sample.epd.zst 204
    play closed 40000 150 closedpos_sample.epd.zst 205
    play drawn 40000 150 Drawkiller_balanced_big.epd.zst 206
    records "" 0.004 "$out"/balanced.vf "$out"/uneven.vf "$out"/popular.vf "$out"/endings.vf \
        "$out"/closed.vf "$out"/drawn.vf
    play better 10000 1000 8moves_v3.epd.zst 208
    play fine 2500 5000 UHO_4060_v4_sample.epd.zst 207
    records -fine 0.02 "$out"/better.vf "$out"/fine.vf
    moves policy "$out"/balanced.vf
    moves policy-fine "$out"/better.vf "$out"/fine.vf
    ;;
fourth)
    network=${NETWORK:-nets/house.qnet}
    play uneven 18000 1000 UHO_4060_v4_sample.epd.zst 301
    play popular 5000 1000 popularpos_lichess_v3_sample.epd.zst 302
    play endings 5000 1000 endgames_sample.epd.zst 303
    play fine 800 5000 8moves_v3.epd.zst 304
    records "" 0.01 "$out"/uneven.vf "$out"/popular.vf "$out"/endings.vf
    records -fine 0.04 "$out"/fine.vf
    moves policy "$out"/uneven.vf "$out"/popular.vf "$out"/endings.vf "$out"/fine.vf
    ;;
fifth)
    network=${NETWORK:-nets/house.qnet}
    for number in $(seq 10 "${LAST_ROUND:-60}"); do
        round "$number"
    done
    ;;
*)
    echo "$0: \`$generation\` is no generation, expected second, third, fourth or fifth" >&2
    exit 2
    ;;
esac
for file in "$out"/*.vf; do "$program" data info "$file"; done
