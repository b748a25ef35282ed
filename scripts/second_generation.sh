#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The games that the second generation of networks learns from, and the records made of them. Every line may be
# broken off at any moment; the whole script goes on where it was.
#
#     scripts/second_generation.sh [FOLDER]        half an hour on two fast cores, hours on slow ones
#
# A game depends on its number, the seed and the network alone, so the counts of games name the data. They
# were played with the first `house` (hash a7ee0855c350a66c): recipes/house-first.toml makes it, and
# `git show d5d7f89:nets/house.qnet` has it.
set -eu
out=${1:-runs/second}
network=${NETWORK:-runs/house-first/house.qnet}
books=../shared/data/books
mkdir -p "$out"

# FILE  GAMES  SOFT NODES  BOOK FOR HALF OF THE GAMES  SEED; the other half begins with random moves, and a
# tenth of all from Chess960 positions.
play() {
    ./quincunx selfplay --out "$out/$1.vf" --games "$2" --nodes "$3" --openings "$books/$4" --seed "$5" \
        --network "$network"
}

play balanced 204651 150 8moves_v3.epd.zst 101
play uneven 71651 150 UHO_4060_v4_sample.epd.zst 102
play endings 37773 150 endgames_sample.epd.zst 103
play drawn 27681 150 Drawkiller_balanced_big.epd.zst 104
play fine 2068 5000 8moves_v3.epd.zst 105

./quincunx data expand "$out"/balanced.vf "$out"/uneven.vf "$out"/endings.vf "$out"/drawn.vf \
    --out "$out/train.qrec" --validation 0.005 --validation-out "$out/val.qrec"
./quincunx data expand "$out/fine.vf" --out "$out/train-fine.qrec" --validation 0.04 \
    --validation-out "$out/val-fine.qrec"
for file in "$out"/*.vf; do ./quincunx data info "$file"; done
