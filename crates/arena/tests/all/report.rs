// SPDX-License-Identifier: GPL-3.0-or-later
//! The page of a match folder.

use std::fs;

use arena::report::{ReportError, render};
use arena::run::LOG_HEADER;

/// A folder as the match runner leaves it, one pair long, with half a line of a pair that was not
/// finished.
fn folder(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let log = format!(
        "{LOG_HEADER}0,1,{name},B,1-0,61,checkmate,2.5,1.2,1.1,0.10000,{opening},\n\
         0,2,B,{name},1/2-1/2,80,stalemate,3.5,1.6,1.7,0.10000,{opening},\n"
    );
    let engine = |name: &str| {
        serde_json::json!({
            "name": name, "command": name, "args": [], "cwd": null, "options": [],
            "limit": {"tc": null, "nodes": 5, "depth": null, "movetime": null}, "ponder": false,
        })
    };
    let state = serde_json::json!({
        "kind": "match", "version": 1, "pairs": 1, "pgn_bytes": 0, "log_bytes": log.len(),
        "seconds": 60.0,
        "settings": {
            "engines": [engine(name), engine("B")], "format": "round-robin", "games": 2,
            "sprt": {"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05, "model": "normalized"},
            "book": null, "draw": null, "resign": null, "max_moves": null,
            "margin_ms": 20, "patience_ms": 1000, "chess960": false,
        },
    });
    fs::write(folder.path().join("run.json"), state.to_string()).unwrap();
    fs::write(folder.path().join("log.csv"), log + "1,3,half a li").unwrap();
    folder
}

#[test]
fn the_page_has_every_chart_and_loads_nothing() {
    let page = render(folder("A").path()).unwrap();
    for part in [
        "Log-likelihood ratio",
        "Pairs",
        "Game lengths",
        "Time use",
        "Score by opening",
        "Endings",
        "75.0 %",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert!(page.matches("<svg").count() >= 5);
    for loaded in ["http:", "https:", "src=", "<script", "<link", "@import", "NaN"] {
        assert!(!page.contains(loaded), "{loaded}");
    }
}

#[test]
fn names_are_escaped() {
    let page = render(folder("<b>A").path()).unwrap();
    assert!(page.contains("&lt;b&gt;A") && !page.contains("<b>A"));
}

#[test]
fn other_folders_are_refused() {
    let empty = tempfile::tempdir().unwrap();
    let error = render(empty.path()).unwrap_err();
    assert!(matches!(error, ReportError::NoRun { .. }), "{error}");
    let damaged = folder("A");
    fs::write(damaged.path().join("log.csv"), "no header\n").unwrap();
    assert!(matches!(render(damaged.path()).unwrap_err(), ReportError::Log { .. }));
}
