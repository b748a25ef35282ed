// SPDX-License-Identifier: GPL-3.0-or-later
//! `sprt`: a calculator for tests from their counts.

use anyhow::Result;
use arena::stats::{Estimate, Model, Pentanomial, SprtVerdict};
use clap::Args;
use serde::Serialize;

use super::match_::Bounds;
use super::print_json;
use crate::output;

/// Tell what the pair counts of a match say about a test
#[derive(Args, Debug)]
pub(crate) struct SprtCommand {
    /// Pairs of games by score: LL,LD,WL+DD,WD,WW
    #[arg(long, value_name = "A,B,C,D,E", allow_hyphen_values = true)]
    ptnml: Pentanomial,
    /// The two Elo differences to decide between
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    bounds: Bounds,
    /// Elo scale of the bounds: normalized or logistic
    #[arg(long, value_name = "MODEL", default_value = "normalized")]
    model: Model,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

/// The answer as JSON.
#[derive(Debug, Serialize)]
struct Answer {
    llr: f64,
    lower: f64,
    upper: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
    verdict: SprtVerdict,
}

impl SprtCommand {
    /// Prints where the test stands.
    pub(crate) fn run(self) -> Result<()> {
        let sprt = self.bounds.0.with_model(self.model);
        let pairs = self.ptnml;
        let standing = sprt.evaluate(&pairs);
        let (elo, nelo, los) = (pairs.elo(), pairs.nelo(), pairs.los());
        if self.json {
            return print_json(&Answer {
                llr: standing.llr,
                lower: standing.lower,
                upper: standing.upper,
                elo: elo.map(|elo| elo.value),
                elo_error: elo.and_then(|elo| elo.error),
                nelo: nelo.map(|nelo| nelo.value),
                nelo_error: nelo.and_then(|nelo| nelo.error),
                los,
                verdict: standing.verdict,
            });
        }
        let show = |value: Option<Estimate>| value.map_or("n/a".to_owned(), |it| it.to_string());
        let los = los.map_or("n/a".to_owned(), |los| format!("{:.2} %", 100.0 * los));
        output::print(&format!(
            "Elo: {}, nElo: {}\nLOS: {los}\nGames: {}, {pairs}\n{standing} {sprt}\nVerdict: {}\n",
            show(elo),
            show(nelo),
            pairs.games(),
            standing.verdict
        ))
    }
}
