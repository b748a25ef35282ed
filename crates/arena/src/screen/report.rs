// SPDX-License-Identifier: GPL-3.0-or-later
//! The effects of a screening in order, as table, JSON and picture.

use std::fmt::{self, Write};

use serde::Serialize;

use super::ScreenState;
use crate::chart::{Interval, intervals};
use crate::page::standalone;
use crate::stats::{Pentanomial, Z95, erfc};

/// The chance of a wrong mark.
const RISK: f64 = 0.05;

/// What a screening has found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Games played.
    pub games: u64,
    /// All pairs as the plus side sees them: even, but for chance.
    pub ptnml: Pentanomial,
    /// Whether there are too few pairs, so that all effects are held near zero.
    pub is_held: bool,
    /// Games that an engine lost by a fault.
    pub fault_count: u64,
    /// The first of them in words.
    pub faults: Vec<String>,
    /// The largest gain first.
    pub effects: Vec<Effect>,
}

/// What an entry is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The entry.
    pub name: String,
    /// Elo that the engine gains by the change `from` → `to`; below zero if it loses.
    pub elo: f64,
    /// Half of the 95 % interval.
    pub error: Option<f64>,
    /// Whether that is more than chance.
    pub mark: Mark,
}

/// How sure the sign of an effect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// A gain, also if one considers how many entries there are: the chance that *any* mark of this
    /// kind is wrong is below 5 %.
    Gain,
    /// A gain by its own 95 % interval. One of twenty entries without effect gets such a mark.
    PerhapsGain,
    /// Zero lies in the interval.
    Open,
    /// A loss by its own 95 % interval.
    PerhapsLoss,
    /// A loss, also if one considers how many entries there are.
    Loss,
}

impl Mark {
    fn of(elo: f64, error: Option<f64>, entries: usize) -> Self {
        let Some(error) = error.filter(|&error| error > 0.0) else { return Self::Open };
        let deviations = elo.abs() / error * Z95;
        let chance = erfc(deviations / std::f64::consts::SQRT_2);
        match (chance * (entries as f64) < RISK, chance < RISK, elo > 0.0) {
            (true, _, true) => Self::Gain,
            (true, _, false) => Self::Loss,
            (false, true, true) => Self::PerhapsGain,
            (false, true, false) => Self::PerhapsLoss,
            (false, false, _) => Self::Open,
        }
    }

    /// The mark in a table.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Gain => "++",
            Self::PerhapsGain => "+",
            Self::Open => "",
            Self::PerhapsLoss => "-",
            Self::Loss => "--",
        }
    }

    const fn color(self) -> &'static str {
        match self {
            Self::Gain | Self::PerhapsGain => "good",
            Self::Open => "soft",
            Self::PerhapsLoss | Self::Loss => "bad",
        }
    }
}

impl Report {
    /// What the pairs played so far say.
    pub fn of(state: &ScreenState) -> Self {
        let (fit, names) = (state.fit(), state.names());
        let effect = |(name, estimate): (&String, &crate::stats::Estimate)| Effect {
            name: name.clone(),
            elo: estimate.value,
            error: estimate.error,
            // Held effects are no measurement.
            mark: if fit.is_held {
                Mark::Open
            } else {
                Mark::of(estimate.value, estimate.error, names.len())
            },
        };
        let mut effects: Vec<Effect> = names.iter().zip(&fit.effects).map(effect).collect();
        effects.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        Self {
            games: 2 * state.pairs(),
            ptnml: state.pentanomial(),
            is_held: fit.is_held,
            fault_count: state.fault_count(),
            faults: state.faults().to_vec(),
            effects,
        }
    }

    /// The effects as a chart without frame, for a page.
    pub fn chart(&self) -> String {
        let row = |effect: &Effect| Interval {
            label: format!("{} {}", effect.name, effect.mark.sign()).trim_end().to_owned(),
            value: effect.elo,
            error: effect.error.unwrap_or(0.0),
            hint: format!("{}: {}", effect.name, elo_text(effect)),
            color: effect.mark.color(),
        };
        let rows: Vec<Interval> = self.effects.iter().map(row).collect();
        intervals(&rows, &format!("Elo of the change, 95 % intervals, {} games", self.games))
    }

    /// The effects as a picture that stands alone.
    pub fn svg(&self) -> String {
        standalone(&self.chart())
    }
}

/// `+3.1 ± 4.4`, or without error where it is unknown.
fn elo_text(effect: &Effect) -> String {
    match effect.error {
        Some(error) => format!("{:+.1} ± {error:.1}", effect.elo),
        None => format!("{:+.1} ± ?", effect.elo),
    }
}

/// A Markdown table that is also readable as it stands.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.effects.iter().map(|effect| effect.name.chars().count()).max();
        let width = width.unwrap_or(0).max(6);
        writeln!(f, "| {:width$} | Elo of the change |    |", "change")?;
        writeln!(f, "|:{}|------------------:|----|", "-".repeat(width + 1))?;
        for effect in &self.effects {
            let (elo, sign) = (elo_text(effect), effect.mark.sign());
            writeln!(f, "| {:width$} | {elo:>17} | {sign:2} |", effect.name)?;
        }
        f.write_char('\n')?;
        let Self { games, ptnml, .. } = self;
        writeln!(f, "{games} games, {ptnml} of the two sides (even but for chance)")?;
        writeln!(
            f,
            "above 0: the engine is better with the value after the arrow; 95 % intervals"
        )?;
        writeln!(
            f,
            "++ and -- are proved, + and - are beyond their own interval only: one entry in"
        )?;
        writeln!(f, "twenty without effect gets such a mark")?;
        if self.is_held {
            writeln!(f, "too few games: all effects are held near zero and nothing is marked")?;
        }
        match self.fault_count {
            0 => writeln!(f, "no game was lost by a fault"),
            count => {
                writeln!(f, "{count} games were lost by a fault, which spoils the result:")?;
                self.faults.iter().try_for_each(|fault| writeln!(f, "  {fault}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_consider_how_many_entries_there_are() {
        assert_eq!(Mark::of(5.0, Some(4.4), 1), Mark::Gain);
        assert_eq!(Mark::of(5.0, Some(4.4), 34), Mark::PerhapsGain);
        assert_eq!(Mark::of(-8.0, Some(4.4), 34), Mark::Loss);
        assert_eq!(Mark::of(-4.0, Some(4.4), 1), Mark::Open);
        assert_eq!(Mark::of(100.0, None, 1), Mark::Open);
    }
}
