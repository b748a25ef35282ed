# SPDX-License-Identifier: GPL-3.0-or-later
"""Which entries of a screen are taken, and how they become options."""

import importlib.util
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "scripts" / "confirm_screen.py"
spec = importlib.util.spec_from_file_location("confirm_screen", FILE)
confirm_screen = importlib.util.module_from_spec(spec)
spec.loader.exec_module(confirm_screen)


def effects(values, error):
    return [{"name": str(i), "elo": elo, "error": error} for i, elo in enumerate(values)]


def test_estimates_within_their_errors_are_all_the_same():
    expected = confirm_screen.drawn(effects([4, -4, 2, -2], 10))
    assert all(abs(elo) < 1e-9 for elo in expected.values())


def test_estimates_far_outside_their_errors_stay():
    expected = confirm_screen.drawn(effects([40, -40, 20, -20], 2))
    assert 39 < expected["0"] < 40 and -40 < expected["1"] < -39


def test_nothing_is_expected_of_entries_without_an_error():
    assert confirm_screen.drawn(effects([5, 6], None)) == {}


def test_groups_and_single_entries_become_options():
    entries = [
        {"name": "a_try", "from": 0, "to": 1},
        {"name": "group", "options": [{"name": "b", "from": 1, "to": 2}, {"name": "c", "from": 3, "to": 4}]},
        {"name": "d", "from": 5, "to": 6},
    ]
    assert confirm_screen.options({"entry": entries}, {"group", "a_try"}) == ["opt.a_try=1", "opt.b=2", "opt.c=4"]
