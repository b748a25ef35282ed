// SPDX-License-Identifier: GPL-3.0-or-later
//! The score of a match in words, in the form that engine authors paste into commit messages.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::settings::MatchSettings;
use super::standings::Standings;
use tools::text::printable;

use crate::referee::FaultKind;
use crate::stats::{Anchor, Estimate, Rating};

impl Standings {
    /// The report block: the first engine's view, then the rating list if there are more than two.
    pub fn summary(&self, settings: &MatchSettings) -> String {
        let mut text = String::new();
        let written = if self.names().len() == 2 {
            self.write_duel(settings, &mut text)
        } else {
            self.write_list(&mut text)
        };
        written.and_then(|()| self.write_faults(&mut text)).expect("a string takes everything");
        text
    }

    /// A line for each engine that did something wrong, or one that says that nobody did.
    fn write_faults(&self, f: &mut String) -> fmt::Result {
        if self.faults().is_empty() {
            return writeln!(f, "Faults: none");
        }
        for name in self.names() {
            let mut counts: BTreeMap<FaultKind, usize> = BTreeMap::new();
            for fault in self.faults().iter().filter(|fault| fault.engine == *name) {
                *counts.entry(fault.kind).or_default() += 1;
            }
            let counts: Vec<String> =
                counts.iter().map(|(kind, &count)| kind.counted(count)).collect();
            let counts = if counts.is_empty() { "none".to_owned() } else { counts.join(", ") };
            writeln!(f, "Faults of {name}: {counts}")?;
        }
        Ok(())
    }

    fn write_duel(&self, settings: &MatchSettings, f: &mut String) -> fmt::Result {
        let (games, pairs) = (self.games_of(0), self.pentanomial());
        writeln!(f, "Results of {}:", settings.heading())?;
        writeln!(f, "Elo: {}, nElo: {}", estimate(pairs.elo()), estimate(pairs.nelo()))?;
        writeln!(
            f,
            "LOS: {}, DrawRatio: {}, PairsRatio: {}",
            percent(pairs.los()),
            percent(pairs.draw_ratio()),
            ratio(pairs.pairs_ratio())
        )?;
        writeln!(
            f,
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {} ({})",
            games.games(),
            games.wins,
            games.losses,
            games.draws,
            games.points(),
            percent(games.score())
        )?;
        writeln!(f, "{pairs}, WL/DD Ratio: {}", ratio(self.traded_ratio()))?;
        if let (Some(standing), Some(sprt)) = (self.evaluation(), self.sprt()) {
            writeln!(f, "{standing} {sprt}")?;
            writeln!(f, "Verdict: {}", standing.verdict)?;
        }
        Ok(())
    }

    fn write_list(&self, f: &mut String) -> fmt::Result {
        match self.ratings(&Anchor::Mean) {
            Ok(ratings) => f.write_str(&rating_table(&ratings)),
            Err(error) => writeln!(f, "no rating list: {error}"),
        }
    }
}

/// A rating list as a Markdown table that is also readable as it stands.
///
/// ```
/// use arena::stats::Rating;
///
/// let row = Rating {
///     rank: 1, name: "fox".into(), elo: 12.34, error: 5.0, games: 8, score: 0.5, draws: 0.25,
/// };
/// assert_eq!(
///     arena::tournament::rating_table(&[row]),
///     "| Rank | Name |  Elo | ± | Games | Score | Draws |\n\
///      | ---: | :--- | ---: | ---: | ---: | ---: | ---: |\n\
///      |    1 | fox  |   12 |  5 |     8 |  50.0 % |  25.0 % |\n"
/// );
/// ```
pub fn rating_table(ratings: &[Rating]) -> String {
    let width = ratings.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!(
        "| Rank | {:width$} |  Elo | ± | Games | Score | Draws |\n\
         | ---: | :{} | ---: | ---: | ---: | ---: | ---: |\n",
        "Name",
        "-".repeat(width - 1)
    );
    for row in ratings {
        let Rating { rank, name, elo, error, games, score, draws } = row;
        let name = printable(name).replace('|', "\\|");
        let (score, draws) = (100.0 * score, 100.0 * draws);
        let _ = writeln!(
            text,
            "| {rank:4} | {name:width$} | {elo:4.0} | {error:2.0} | {games:5} | {score:5.1} % | {draws:5.1} % |"
        );
    }
    text
}

impl MatchSettings {
    /// Who plays, and how: `new vs old (8+0.08, 16MB, book.epd)`.
    pub fn heading(&self) -> String {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        format!("{} ({})", names.join(" vs "), conditions(self))
    }
}

/// Time control, threads, hash and book, as far as both engines agree.
fn conditions(settings: &MatchSettings) -> String {
    let limits: Vec<String> =
        settings.engines.iter().map(|engine| engine.limit.to_string()).collect();
    let option = |name: &str| -> Option<String> {
        let value = |engine: &crate::EngineSpec| {
            let is_it = |(key, _): &&(String, String)| key.eq_ignore_ascii_case(name);
            engine.options.iter().find(is_it).map(|(_, value)| value.clone())
        };
        let values: Vec<String> = settings.engines.iter().filter_map(value).collect();
        join_equal(&values)
    };
    let book = settings.book.as_ref().and_then(|book| book.file.file_name());
    let parts = [
        join_equal(&limits),
        option("Threads").map(|threads| format!("{threads}t")),
        option("Hash").map(|hash| format!("{hash}MB")),
        Some(book.map_or("no book".into(), |name| name.to_string_lossy().into_owned())),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// One text if all are equal, otherwise all of them.
fn join_equal(texts: &[String]) -> Option<String> {
    let first = texts.first()?;
    let is_same = texts.iter().all(|text| text == first);
    Some(if is_same { first.clone() } else { texts.join(" - ") })
}

fn estimate(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "n/a".to_owned(), |estimate| estimate.to_string())
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "n/a".to_owned(), |share| format!("{:.2} %", 100.0 * share))
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "n/a".to_owned(), |ratio| format!("{ratio:.2}"))
}
