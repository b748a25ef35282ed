#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the guide.
#
# usage: scripts/shots.sh report RUN [NAME]  the report page of a match, a tuning or a league's page,
#                                            as docs/guide/img/NAME-light.png and NAME-dark.png
#        scripts/shots.sh live               the live view of a test and of a gauntlet, as
#                                            docs/guide/img/live-test.svg and live-gauntlet.svg
#
# QUINCUNX names the binary, ./quincunx by default; BOOK the openings. Installs chromium or tmux if
# they are missing.
set -eu
cd "$(dirname "$0")/.."
quincunx=$(realpath "${QUINCUNX:-./quincunx}")
book=${BOOK:-../shared/data/books/8moves_v3.epd.zst}
folder=docs/guide/img
mkdir -p "$folder"

need() {
    command -v "$1" >/dev/null || { apt-get update -qq && apt-get install -y -qq "$1"; }
}

shoot_report() {
    run=${1:?usage: scripts/shots.sh report RUN [NAME]}
    name=${2:-report}
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
    [ -n "$browser" ] || { need chromium; browser=chromium; }
    page=$(mktemp --suffix=.html)
    trap 'rm -f "$page"' EXIT
    case $run in
        *.html) cp "$run" "$page" ;;
        *) "$quincunx" report "$run" --out "$page" >/dev/null ;;
    esac
    for scheme in light dark; do
        flag=""
        [ "$scheme" = dark ] && flag="--blink-settings=preferredColorScheme=0"
        # shellcheck disable=SC2086
        "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars $flag \
            --window-size=1100,"${HEIGHT:-1500}" --screenshot="$folder/$name-$scheme.png" "file://$page" \
            2>/dev/null
        echo "$folder/$name-$scheme.png"
    done
}

# Runs a command in a terminal of its own and draws what it shows after some seconds.
shoot_terminal() {
    name=$1 seconds=$2
    shift 2
    tmux -L shots new-session -d -x 92 -y 24 "$*"
    sleep "$seconds"
    tmux -L shots capture-pane -p -e | scripts/shot_terminal.py "$folder/$name.svg"
    # Ctrl-C, and a moment to end in order.
    tmux -L shots send-keys C-c
    sleep 3
    tmux -L shots kill-server 2>/dev/null || true
    echo "$folder/$name.svg"
}

shoot_live() {
    need tmux
    player="cmd=$quincunx opt.Hash=8"
    shoot_terminal live-test "${SECONDS_SHOWN:-25}" "$quincunx" match \
        --engine $player name=new nodes=2200 --engine $player name=old nodes=2000 \
        --sprt 0,10 --openings "$book" --order random --concurrency 2
    shoot_terminal live-gauntlet "${SECONDS_SHOWN:-25}" "$quincunx" match --format gauntlet \
        --engine $player name=new nodes=2000 --engine $player name=half nodes=1000 \
        --engine $player name=quarter nodes=500 --engine $player name=twice nodes=4000 \
        --games 200 --openings "$book" --order random --concurrency 2
}

case ${1:-} in
    report) shift; shoot_report "$@" ;;
    live) shoot_live ;;
    *) sed -n '4,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
