// SPDX-License-Identifier: GPL-3.0-or-later
//! The page of a screening: what each change is worth.

use crate::page::{Page, table};
use crate::screen::{Effect, Report, ScreenState};
use crate::trials::Saved;

/// The page of a screening.
pub(super) fn render(state: &ScreenState) -> String {
    let report = Report::of(state);
    let mut page = Page::new("Screening", &state.header().purpose);
    let note = format!("{} games, {} games lost by a fault", report.games, report.fault_count);
    page.wide_card("Effects", &note, &report.chart());
    let note = "Elo of the change with its 95 % interval; ++ and -- are proved, + and - are beyond \
                their own interval only";
    page.wide_card("Table", note, &effects(&report.effects));
    page.finish()
}

fn effects(effects: &[Effect]) -> String {
    let row = |effect: &Effect| {
        let error = effect.error.map_or_else(|| "?".to_owned(), |error| format!("{error:.1}"));
        let sign = effect.mark.sign().to_owned();
        vec![effect.name.clone(), format!("{:+.1}", effect.elo), error, sign]
    };
    let rows: Vec<_> = effects.iter().map(row).collect();
    table(&["change", "Elo", "±", ""], &rows)
}
