# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/lint_uci_text.py: the sources are clean, and planted lines are found."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "lint_uci_text.py"


def lint(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)


def test_the_sources_are_clean():
    result = lint()
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("line", [
    'session.run_line(&line);',
    'let line = format!("setoption name Hash value {hash}");',
    'let mut line = format!("position fen {fen} moves");',
    'write!(line, " wtime {white} btime {black}")?;',
    'thinker.ask("go depth 3");',
    'println!("bestmove {mv}");',
    'println!("info string hello");',
    'use uci::{InfoLine, UciScore};',
    'let uci::Reply::Info(info) = reply else { return };',
])
def test_a_planted_line_is_found(tmp_path, line):
    path = tmp_path / "lichess" / "src" / "thinker.rs"
    path.parent.mkdir(parents=True)
    path.write_text(f"fn f() {{\n    {line}\n}}\n")
    result = lint(tmp_path)
    assert result.returncode == 1 and f"{path}:2:" in result.stdout, result.stdout


def test_tests_comments_and_the_adapter_may_have_it(tmp_path):
    line = 'f("go depth 3");\n'
    for name, text in {
        "lichess/src/a.rs": f"// {line}#[cfg(test)]\n{line}",
        "lichess/tests/b.rs": line,
        "uci/src/c.rs": line,
        "engine/src/console/d.rs": line,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert lint(tmp_path).returncode == 0
