#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The games that the second generation of networks learns from. Every line may be broken off at any moment;
# the whole script goes on where it was.
#
#     scripts/second_generation.sh [FOLDER]        takes hours on two cores
set -eu
out=${1:-runs/second}
books=../shared/data/books
mkdir -p "$out"

# FILE  POSITIONS  SOFT NODES  BOOK FOR HALF OF THE GAMES  SEED; the other half begins with random moves, a
# tenth of it from Chess960 positions.
play() {
    ./quincunx selfplay --out "$out/$1.vf" --positions "$2" --nodes "$3" --openings "$books/$4" --seed "$5"
}

play balanced 30000000 150 8moves_v3.epd.zst 101
play uneven 20000000 150 UHO_4060_v4_sample.epd.zst 102
play endings 6000000 150 endgames_sample.epd.zst 103
play drawn 6000000 150 Drawkiller_balanced_big.epd.zst 104
play fine 500000 5000 8moves_v3.epd.zst 105

./quincunx data expand "$out"/balanced.vf "$out"/uneven.vf "$out"/endings.vf "$out"/drawn.vf \
    --out "$out/train.qrec" --validation 0.005 --validation-out "$out/val.qrec"
./quincunx data expand "$out/fine.vf" --out "$out/train-fine.qrec" --validation 0.02 \
    --validation-out "$out/val-fine.qrec"
for file in "$out"/*.vf; do ./quincunx data info "$file"; done
