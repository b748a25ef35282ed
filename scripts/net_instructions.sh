#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How many instructions do the networks take on the AVX2 path?
#
# Usage: scripts/net_instructions.sh
# Counts with callgrind, so that other work on the machine does not matter, and prints the instructions
# of a quiet move's update and evaluation by `house` (N = 512, SCReLU, at most 1500) and those for each
# multiply-add of `napoleon` (at most 0.4). Exits 1 if one of them takes more. RUSTFLAGS are those of
# `make` unless given.
set -eu
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { apt-get update -qq && apt-get install -y -qq valgrind; }
export RUSTFLAGS="${RUSTFLAGS--C target-cpu=x86-64-v3}"
cargo build --release --quiet -p net --example callgrind_house --example callgrind_napoleon
examples=${CARGO_TARGET_DIR:-target}/release/examples
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# collected FUNCTION PROGRAM ARGUMENT...: instructions within the function and what it calls.
collected() {
    function=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="*$function*" \
        "$@" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' "$log"
}

rounds=2000
house=$(collected measured "$examples/callgrind_house" avx2 $rounds)
napoleon=$(collected evaluate_all "$examples/callgrind_napoleon" avx2 4)
macs=$(sed -n 's/.* \([0-9]*\) multiply-adds.*/\1/p' "$log")
awk -v house="$house" -v rounds=$rounds -v napoleon="$napoleon" -v macs="$macs" 'BEGIN {
    update = house / rounds
    share = napoleon / macs
    printf "house 512 screlu: %.0f instructions per quiet move and evaluation, at most 1500\n", update
    printf "napoleon: %.3f instructions per multiply-add, at most 0.4\n", share
    exit update > 1500 || share > 0.4
}'
