// SPDX-License-Identifier: GPL-3.0-or-later
//! A page of charts that needs no network to be read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tools::text::html as escape;

use super::calibration::sigmoid;
use super::{CLASS, PLIES, Stats, chart};

const STYLE: &str = "
:root { --paper:#fbfaf7; --card:#ffffff; --ink:#22252a; --soft:#6b7078; --line:#e4e2dc; }
@media (prefers-color-scheme: dark) { :root { --paper:#16181c; --card:#1f2227; --ink:#e6e6e3;
  --soft:#9aa0a8; --line:#343840; } }
body { margin:0 auto; max-width:72rem; padding:2rem 1.2rem; background:var(--paper);
  color:var(--ink); font:16px/1.5 system-ui, sans-serif; }
h1 { font-size:1.6rem; margin:0 0 .2rem; } h2 { font-size:1.05rem; margin:0 0 .4rem; }
p { margin:.2rem 0 1rem; color:var(--soft); }
.grid { display:grid; grid-template-columns:repeat(auto-fit,minmax(24rem,1fr)); gap:1rem; }
section { background:var(--card); border:1px solid var(--line); border-radius:.6rem;
  padding:1rem 1.2rem; overflow-x:auto; }
table { border-collapse:collapse; font-variant-numeric:tabular-nums; width:100%; }
td { padding:.2rem .6rem; border-bottom:1px solid var(--line); } td+td { text-align:right; }
svg { width:100%; height:auto; }
";

/// The numbers and charts as one HTML document.
pub fn page(stats: &Stats, title: &str) -> String {
    let mut body = String::new();
    card(&mut body, "In numbers", "", &numbers(stats));
    let scale = stats.calibration.scale;
    let note = scale.map_or_else(String::new, |scale| {
        format!("Points: what White scored. Curve: 1/(1+exp(−score/{scale:.0})), the best fit.")
    });
    let curve = scale.map(|scale| move |score: f64| sigmoid(score / scale));
    let curve = curve.as_ref().map(|curve| curve as &dyn Fn(f64) -> f64);
    let points: Vec<_> =
        stats.calibration.points.iter().map(|point| (point.score, point.white_points)).collect();
    let plot = chart::points(&points, curve, "score in centipawns, White's view");
    chart_card(&mut body, "Do scores foretell results?", &note, plot);
    let scores = bars(&stats.scores, f64::from(CLASS), "score in centipawns, White's view");
    chart_card(&mut body, "Scores", "Positions by score; the ends hold what is beyond.", scores);
    let pieces = bars(&stats.pieces, 1.0, "pieces on the board");
    chart_card(&mut body, "Pieces", "Positions by number of pieces.", pieces);
    if !stats.plies.is_empty() {
        let plies = bars(&stats.plies, PLIES as f64, "plies since the start of the game");
        chart_card(&mut body, "Plies", "Positions by their place in the game.", plies);
        let lengths = bars(&stats.lengths, PLIES as f64, "plies");
        chart_card(&mut body, "Lengths", "Games by number of plies.", lengths);
    }
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>{STYLE}</style></head>\n<body>\n\
         <h1>{title}</h1>\n<div class=\"grid\">\n{body}</div>\n</body></html>\n"
    )
}

fn numbers(stats: &Stats) -> String {
    let mut html = "<table>".to_owned();
    let mut row = |name: &str, value: u64| {
        let _ = write!(html, "<tr><td>{}</td><td>{value}</td></tr>", escape(name));
    };
    row("games", stats.games);
    row("of them Chess960", stats.chess960_games);
    row("positions", stats.positions);
    row("of them out of searches", stats.leaves);
    row("White won", stats.results.white);
    row("drawn", stats.results.draw);
    row("Black won", stats.results.black);
    row("positions with a score", stats.scored);
    row("with a mate score", stats.mates);
    row("quiet, by the usual filter", stats.quiet);
    for (reason, &count) in &stats.rejected {
        row(&format!("left out: {reason}"), count);
    }
    row("bad and skipped", stats.problems);
    html + "</table>"
}

fn bars<K: Copy + Into<Number>>(
    counts: &BTreeMap<K, u64>,
    width: f64,
    x_label: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    // A class of one number stands around it, a wider one begins at its lower end.
    let shift = if width > 1.0 { 0.0 } else { 0.5 };
    let bars: Vec<_> =
        counts.iter().map(|(&start, &count)| (start.into().0 - shift, count as f64)).collect();
    chart::bars(&bars, width, x_label)
}

/// The lower end of a class.
struct Number(f64);

impl From<i32> for Number {
    fn from(number: i32) -> Self {
        Self(f64::from(number))
    }
}

impl From<usize> for Number {
    fn from(number: usize) -> Self {
        Self(number as f64)
    }
}

fn chart_card(
    body: &mut String,
    heading: &str,
    note: &str,
    chart: Result<String, Box<dyn std::error::Error>>,
) {
    let content = chart.unwrap_or_else(|error| format!("<p>no chart: {}</p>", escape(error)));
    card(body, heading, note, &content);
}

fn card(body: &mut String, heading: &str, note: &str, content: &str) {
    let note = escape(note);
    let _ = writeln!(body, "<section><h2>{heading}</h2><p>{note}</p>{content}</section>");
}
