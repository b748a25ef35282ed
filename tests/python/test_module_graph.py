# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/module_graph.py: it finds a planted cycle, and does not find one where there is none."""

import importlib.util
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "module_graph.py"
spec = importlib.util.spec_from_file_location("module_graph", SCRIPT)
module_graph = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module_graph)


def crate(directory, files):
    """A crate `made` with these files, read."""
    (directory / "made" / "src").mkdir(parents=True)
    (directory / "made" / "Cargo.toml").write_text("")
    for name, text in files.items():
        path = directory / "made" / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return module_graph.crates(directory)["made"]


ROOT = "mod a;\nmod b;\nmod c;\npub use c::Third as Renamed;\n"


def test_a_planted_cycle_is_found(tmp_path):
    made = crate(tmp_path, {
        "lib.rs": ROOT,
        "a.rs": "use crate::{b::{One, Two}, Other};\n",
        "b/mod.rs": "mod deep;\n",
        "b/deep.rs": "fn f() { super::super::Renamed::new() }\n",
        "c.rs": "impl super::a::Trait for Third {}\n",
    })
    assert made.cycles() == [("a", "b", "c")]
    assert made.edges["b"] == {"c"}


def test_comments_texts_and_tests_do_not_count(tmp_path):
    made = crate(tmp_path, {
        "lib.rs": ROOT,
        "a.rs": "use crate::b::One;\n",
        "b/mod.rs": '''
            // use crate::a::X; and a lone ' and "
            /* crate::a /* crate::a */ crate::a */
            const TEXT: &str = "crate::a::X \\" crate::a";
            const RAW: &str = r#"crate::a " "#;
            const QUOTE: char = '"';
            fn f<'a>(x: &'a str) { use super::c::Third; }
            mod inner { use super::super::c::Third; use super::f; }
            #[cfg(test)]
            mod tests { use crate::a::X; mod more { use super::super::super::a::X; } }
        ''',
        "b/tests.rs": "use crate::a::X;\n",
        "c.rs": "",
    })
    assert made.cycles() == []
    assert made.edges["b"] == {"c"}


def test_items_of_the_root_make_no_cycle(tmp_path):
    made = crate(tmp_path, {
        "lib.rs": ROOT + "pub struct Whole(a::Part);\n",
        "a.rs": "use crate::Whole;\n",
        "b.rs": "",
        "c.rs": "",
    })
    assert made.cycles() == []
    assert made.edges["(root)"] == {"a"}


def test_an_unknown_crate_is_named():
    run = subprocess.run([sys.executable, SCRIPT, "nowhere"], capture_output=True, text=True)
    assert run.returncode == 2 and "no crate `nowhere`" in run.stderr
