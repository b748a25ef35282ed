#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the guide: the report page of a match or a tuning, light and dark.
#
# Usage: scripts/shots.sh RUN [NAME]   (pictures go to docs/guide/img/NAME-light.png and NAME-dark.png;
# QUINCUNX names the binary, ./quincunx by default)
set -eu
cd "$(dirname "$0")/.."
run=${1:?usage: scripts/shots.sh RUN [NAME]}
name=${2:-report}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    apt-get update -qq && apt-get install -y -qq chromium
    browser=$(command -v chromium)
fi
folder=docs/guide/img
mkdir -p "$folder"
page=$(mktemp --suffix=.html)
trap 'rm -f "$page"' EXIT
"${QUINCUNX:-./quincunx}" report "$run" --out "$page" >/dev/null
for scheme in light dark; do
    flag=""
    [ "$scheme" = dark ] && flag="--blink-settings=preferredColorScheme=0"
    # shellcheck disable=SC2086
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars $flag \
        --window-size=1100,1500 --screenshot="$folder/$name-$scheme.png" "file://$page" 2>/dev/null
    echo "$folder/$name-$scheme.png"
done
