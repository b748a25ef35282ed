# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/touch_table.py: the table is right, and a planted place more is found."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "touch_table.py"


def count(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path):
    """What the script reads, to be changed."""
    shutil.copy(ROOT / "ARCHITECTURE.md", tmp_path)
    for folder in ("crates/engine/src", "crates/cli/src"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for manifest in ROOT.glob("crates/*/Cargo.toml"):
        (tmp_path / "crates" / manifest.parent.name).mkdir(exist_ok=True)
        shutil.copy(manifest, tmp_path / "crates" / manifest.parent.name)
    return tmp_path


def test_the_table_is_right(copy):
    assert count().returncode == 0
    assert count(copy).returncode == 0


def test_an_option_named_twice_is_found(copy):
    path = copy / "crates/engine/src/lib.rs"
    path.write_text(path.read_text() + '\nconst FORGOTTEN: &str = "Move Overhead";\n')
    result = count(copy)
    assert result.returncode == 1 and "'Move Overhead': 2" in result.stdout, result.stdout


def test_a_command_named_once_more_is_found(copy):
    path = copy / "crates/cli/src/main.rs"
    path.write_text(path.read_text() + "\nfn more() { commands::perft::more() }\n")
    result = count(copy)
    assert result.returncode == 1 and "'perft': 4" in result.stdout, result.stdout


def test_another_count_in_the_table_is_found(copy):
    path = copy / "ARCHITECTURE.md"
    path.write_text(path.read_text().replace("| an option | 1 |", "| an option | 2 |"))
    assert count(copy).returncode == 1


def test_a_crate_that_knows_one_more_is_found(copy):
    path = copy / "crates/net/Cargo.toml"
    path.write_text(path.read_text().replace("[dependencies]", "[dependencies]\nuci.workspace = true"))
    result = count(copy)
    assert result.returncode == 1 and "net: knows ['chess', 'uci']" in result.stdout, result.stdout
