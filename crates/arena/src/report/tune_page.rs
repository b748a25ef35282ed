// SPDX-License-Identifier: GPL-3.0-or-later
//! The page of a tuning: where each parameter has gone.

use crate::chart::{Guide, Series, lines, number};
use crate::page::{Page, table};
use crate::spsa::Parameter;
use crate::trials::Saved;
use crate::tune::TuneState;

/// The page of a tuning run.
pub(super) fn render(state: &TuneState) -> String {
    let spsa = &state.spsa;
    let (done, all) = (spsa.reported(), spsa.schedule().trials);
    let subtitle = format!("{}; {done} of {all} trials", state.header().purpose);
    let mut page = Page::new("Tuning", subtitle);
    let games = state.games;
    let total = games.wins + games.draws + games.losses;
    let note = format!(
        "{total} games; the plus side won {}, drew {}, lost {}",
        games.wins, games.draws, games.losses
    );
    page.wide_card("Values", &note, &values(state));
    for (i, parameter) in spsa.parameters().iter().enumerate() {
        let point = |point: &crate::spsa::Point| (point.trials as f64, point.values[i]);
        let mut points: Vec<(f64, f64)> = spsa.history().points().iter().map(point).collect();
        points.push((done as f64, parameter.value()));
        let start = Guide { y: points[0].1, label: format!("start {}", number(points[0].1)) };
        let chart = lines(&[Series { points, color: "a" }], &[start], "trials");
        page.card(parameter.name(), &range(parameter), &chart);
    }
    page.finish()
}

fn range(parameter: &Parameter) -> String {
    format!(
        "now {}, allowed {} to {}, last step {}",
        number(parameter.value()),
        number(parameter.min()),
        number(parameter.max()),
        number(parameter.c_end())
    )
}

fn values(state: &TuneState) -> String {
    let spsa = &state.spsa;
    let start = spsa.history().points().first().map(|point| point.values.clone());
    let start = start.unwrap_or_default();
    let row = |(i, parameter): (usize, &Parameter)| {
        let from = start.get(i).copied().unwrap_or(parameter.value());
        let moved = (parameter.value() - from) / parameter.c_end();
        vec![
            parameter.name().to_owned(),
            number(from),
            number(parameter.final_value()),
            format!("{moved:+.2}"),
            parameter.to_string(),
        ]
    };
    let rows: Vec<_> = spsa.parameters().iter().enumerate().map(row).collect();
    table(&["parameter", "start", "value", "moved (steps)", "OpenBench line"], &rows)
}
