#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints how long `make play` takes until the engine is ready to move, and how long `make test` takes, each
# from an empty target directory. Nothing else should be running; both need what `make tools` installs.
#
# Usage: scripts/build_times.sh [ROUNDS=1] [play|test]...
set -euo pipefail
cd "$(dirname "$0")/.."

rounds=${1:-1}
shift || true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What other builds have left lies elsewhere, and stays.
export CARGO_TARGET_DIR="$work/target"

ready_to_move() { # a game is begun, and left at the first question
    make --silent play EXE="$work/quincunx" </dev/null
}
all_tests() {
    make test EXE="$work/quincunx"
}
measure() { # NAME LIMIT COMMAND: minutes of the clock, and seconds of both processors
    rm -rf "$CARGO_TARGET_DIR"
    local result=passed TIMEFORMAT='%R %U %S' real user system
    { time "$3" >"$work/log" 2>&1 || result=FAILED; } 2>"$work/time"
    [ "$result" = passed ] || tail -n 20 "$work/log"
    read -r real user system < <(tail -n 1 "$work/time")
    printf '%-10s %s in %d:%02d (limit %d:00), processors %.0f s of programs and %.0f s of the system\n' \
        "$1" "$result" $((${real%.*} / 60)) $((${real%.*} % 60)) "$2" "$user" "$system"
}

for _ in $(seq "$rounds"); do
    for what in "${@:-play test}"; do
        for each in $what; do
            case $each in
            play) measure "make play" 3 ready_to_move ;;
            test) measure "make test" 12 all_tests ;;
            *) echo "expected play or test, found $each" >&2; exit 2 ;;
            esac
        done
    done
done
