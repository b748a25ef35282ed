#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the built book to one PDF with headless Chromium, and says how large both are.

usage: scripts/docs/print_book.py target/book
"""

import pathlib
import subprocess
import sys
import tempfile


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    page, pdf = folder / "html/print.html", folder / "quincunx.pdf"
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                   "--no-pdf-header-footer", "--virtual-time-budget=20000", f"--print-to-pdf={pdf}", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    if done.returncode or not pdf.is_file():
        sys.exit(f"error: chromium did not print the book: {done.stderr.strip()[-500:]}")
    size = sum(file.stat().st_size for file in (folder / "html").rglob("*") if file.is_file())
    print(f"{folder}/html: {size / 1e6:.1f} MB; {pdf.name}: {pdf.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
