#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the targets of fuzz/ one after the other, and prints what each has done as a Markdown table.

Usage: scripts/fuzz_record.py [--seconds 600] [--targets NAME...] [--table] [--folder runs/fuzz]

Needs cargo-fuzz (`cargo install cargo-fuzz`) and a C++ compiler; the stable toolchain of this workspace will do.
Findings, corpora and logs are kept in FOLDER. `--table` runs nothing, and only reads the logs that are there.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FUZZ = ROOT / "fuzz"
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-max_len=65536", "-print_final_stats=1"]


def targets():
    return sorted(path.stem for path in (FUZZ / "fuzz_targets").glob("*.rs"))


def build():
    # Instruments are an unstable feature of rustc, and this is how a stable one is told to allow them.
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1"}
    subprocess.run(["cargo", "fuzz", "build"], cwd=ROOT, env=environment, check=True)


def run(target, seconds, folder):
    corpus, findings = folder / "corpus" / target, folder / "artifacts" / target
    for path in (corpus, findings):
        path.mkdir(parents=True, exist_ok=True)
    binary, = (FUZZ / "target").glob(f"*/release/{target}")
    command = [binary, corpus, FUZZ / "seeds" / target, f"-artifact_prefix={findings}/", f"-max_total_time={seconds}"]
    with open(folder / f"fuzz-{target}.log", "wb") as log:
        return subprocess.run(command + LIMITS, stdout=log, stderr=log, check=False).returncode == 0


def row(target, folder):
    log = folder / f"fuzz-{target}.log"
    text = log.read_text(errors="replace") if log.exists() else ""
    done = re.search(r"Done (\d+) runs in (\d+) second", text)
    found = re.search(r"(?:SUMMARY|ERROR): .*", text)
    edges = re.findall(r" cov: (\d+)", text)
    peak = re.search(r"peak_rss_mb:\s*(\d+)", text)
    if not done and not found:
        return f"| {target} | – | – | – | – | not run to the end |"
    runs, seconds = (int(done[1]), int(done[2])) if done else (0, 0)
    return (f"| {target} | {runs:,} | {seconds / 60:.0f} | {edges[-1] if edges else '–'} | "
            f"{peak[1] if peak else '–'} MB | {found[0][:80] if found else 'none'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--targets", nargs="+", choices=targets(), default=targets())
    parser.add_argument("--folder", type=Path, default=ROOT / "runs/fuzz")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    is_clean = True
    if not options.table:
        build()
        for target in options.targets:
            print(target, file=sys.stderr, flush=True)
            is_clean &= run(target, options.seconds, options.folder)
    print("| target | executions | minutes | edges | peak memory | findings |\n| --- | ---: | ---: | ---: | ---: | --- |")
    print("\n".join(row(target, options.folder) for target in options.targets))
    sys.exit(0 if is_clean else 1)


if __name__ == "__main__":
    main()
