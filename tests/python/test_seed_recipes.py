# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands in the first lines of recipes/seed-*.toml, which make the data, run from an empty folder.

The games are two each instead of thousands. Training itself is tested in crates/train/tests."""

import os
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("QUINCUNX", str(ROOT / "quincunx"))
RECIPES = sorted((ROOT / "recipes").glob("seed-*.toml"))


def commands(recipe: pathlib.Path) -> list[list[str]]:
    """The indented commands of the comment at the top, in order."""
    lines = []
    for line in recipe.read_text().splitlines():
        if not line.startswith("#"):
            break
        lines.append(line[1:])
    text = "\n".join(line for line in lines if line.startswith("   "))
    joined = re.sub(r"\\\n\s*", " ", text)
    return [shlex.split(line) for line in joined.splitlines()]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_the_commands_of_a_recipe_make_its_data(recipe, tmp_path):
    made = set()
    for words in commands(recipe):
        if words[0] == "mkdir":
            (tmp_path / words[-1]).mkdir(parents=True)
            continue
        assert words[0] == "quincunx", words
        if words[1] == "train":
            assert (ROOT / words[2]) == recipe, words
            continue
        if "import" in words:
            continue  # of the author's own file, which is not here
        if words[1] == "selfplay":
            words[words.index("--games") + 1] = "2"
            network = words.index("--network") + 1
            # The second generation's network is made by `train`.
            words[network] = words[network] if "/" not in words[network] else "material"
        run = subprocess.run(
            [BINARY, *words[1:]], cwd=tmp_path, capture_output=True, text=True, timeout=300
        )
        assert run.returncode == 0, f"{shlex.join(words)}: {run.stderr}"
        made.add(words[words.index("--out") + 1])
    text = recipe.read_text()
    [train] = re.findall(r'^train = \["(.*)"\]', text, re.MULTILINE)
    assert train in made and all((tmp_path / path).exists() for path in made), made
