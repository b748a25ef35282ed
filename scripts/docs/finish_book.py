#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes pictures that no page shows out of the built book, prints it to one PDF with headless Chromium, and says how
large both are.

usage: scripts/docs/finish_book.py target/book
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    shown = "".join(page.read_text(encoding="utf-8") for page in (folder / "html").rglob("*.html"))
    for picture in [*(folder / "html").rglob("*.png"), *(folder / "html").rglob("*.svg")]:
        if picture.name not in shown:
            picture.unlink()
    page, pdf = folder / "html/print.html", folder / "quincunx.pdf"
    if not shutil.which("chromium"):
        print("skipped: the PDF needs chromium")
        return
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
