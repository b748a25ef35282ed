#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays a short game with ./quincunx play and draws the terminal as SVG.

usage: picture_play.py docs/img/play.svg
"""
import html
import os
import pty
import re
import select
import subprocess
import sys
import time

COLUMNS, CELL_WIDTH, CELL_HEIGHT = 74, 9.6, 21
PALETTE = {"48;5;180": "#d7af87", "48;5;137": "#af875f", "48;5;143": "#afaf5f"}
INK = {"1;38;5;231": "#ffffff", "1;38;5;16": "#000000"}
TYPED = ["e4", "Nf3", "hint"]


def record():
    """The text of the terminal while the moves are typed."""
    leader, follower = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    game = subprocess.Popen(["./quincunx", "play", "--level", "10"], stdin=follower,
                            stdout=follower, stderr=follower, env=environment, close_fds=True)
    text = b""

    def read_until_prompt(number):
        nonlocal text
        end = time.time() + 30
        while time.time() < end and text.count(b"your move> ") < number:
            if select.select([leader], [], [], 0.2)[0]:
                text += os.read(leader, 65536)

    for number, line in enumerate(TYPED, 1):
        read_until_prompt(number)
        os.write(leader, line.encode() + b"\n")
    read_until_prompt(len(TYPED) + 1)
    game.kill()
    return text.decode().replace("\r", "")


def draw(text):
    lines = text.split("\n")[-26:]
    height = len(lines) * CELL_HEIGHT + 24
    width = COLUMNS * CELL_WIDTH + 24
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
             f'font-family="DejaVu Sans Mono, Menlo, monospace" font-size="16">',
             f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#1d1f21"/>']
    for row, line in enumerate(lines):
        column, ground, ink = 0, None, "#c5c8c6"
        top = 12 + row * CELL_HEIGHT
        for token in re.split(r"(\x1b\[[0-9;]*m)", line):
            if code := re.fullmatch(r"\x1b\[([0-9;]*)m", token):
                ground = PALETTE.get(code[1], None if code[1] == "0" else ground)
                ink = "#c5c8c6" if code[1] == "0" else INK.get(code[1], ink)
                continue
            if not token:
                continue
            left = 12 + column * CELL_WIDTH
            if ground:
                parts.append(f'<rect x="{left:.1f}" y="{top}" width="{len(token) * CELL_WIDTH:.1f}" '
                             f'height="{CELL_HEIGHT}" fill="{ground}"/>')
            parts.append(f'<text x="{left:.1f}" y="{top + 16}" fill="{ink}" '
                         f'xml:space="preserve">{html.escape(token)}</text>')
            column += len(token)
    return "\n".join(parts + ["</svg>\n"])


with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(draw(record()))
