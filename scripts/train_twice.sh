#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Trains the first part of a recipe twice and compares the networks bit by bit: what a recipe makes depends on
# nothing but the recipe and its data.
#
# Usage: scripts/train_twice.sh RECIPE.toml OUT [PASSES]      (a tenth of the recipe's passes without a number)
# Prints both files' checksums; fails if they differ. A run that was stopped goes on where it was.
set -euo pipefail

recipe=${1:?"which recipe?"}
out=${2:?"where do the runs go?"}
program=${QUINCUNX:-./quincunx}
passes=${3:-$(awk '$1 == "passes" { print $3 / 10 }' "$recipe")}

for run in one two; do
    resume=()
    [ ! -e "$out/$run/checkpoint.bin" ] || resume=(--resume)
    "$program" train "$recipe" --set "schedule.passes=$passes" --out "$out/$run" "${resume[@]}"
done
name=$(basename "$recipe" .toml)
sha256sum "$out/one/$name.qnet" "$out/two/$name.qnet"
cmp "$out/one/$name.qnet" "$out/two/$name.qnet"
