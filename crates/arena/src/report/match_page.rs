// SPDX-License-Identifier: GPL-3.0-or-later
//! The page of a match.

use std::collections::BTreeMap;
use std::path::Path;

use chess::{Color, Outcome};
use serde::Deserialize;

use super::{ReportError, read};
use crate::chart::{Bar, Guide, Series, bars, histogram, lines, number};
use crate::page::{Page, table};
use crate::run::{LOG_FILE, LogLine, STATE_FILE, read_log};
use crate::stats::{FirstResult as Result1, Pentanomial};
use crate::tournament::MatchSettings;

/// Openings shown at each end of their order.
const EXTREMES: usize = 12;

/// The part of `run.json` that the page needs.
#[derive(Deserialize)]
struct PageState {
    settings: MatchSettings,
    log_bytes: usize,
    #[serde(default)]
    seconds: f64,
}

/// The page of a match's folder.
pub(super) fn render(folder: &Path) -> Result<String, ReportError> {
    let path = folder.join(STATE_FILE);
    let state: PageState = serde_json::from_str(&read(&path)?)
        .map_err(|source| ReportError::State { path, source })?;
    let path = folder.join(LOG_FILE);
    let text = read(&path)?;
    // What a killed run wrote beyond the valid part does not count.
    let valid = text.get(..state.log_bytes).unwrap_or(&text);
    let games = read_log(valid).map_err(|source| ReportError::Log { path, source })?;
    Ok(page(&state, &games))
}

fn page(state: &PageState, games: &[LogLine]) -> String {
    let settings = &state.settings;
    let names: Vec<&str> = settings.engines.iter().map(|engine| engine.name.as_str()).collect();
    let limits = settings.engines.first().map(|engine| engine.limit.to_string());
    let subtitle = format!(
        "{} games in {:.1} minutes; {}; {}",
        games.len(),
        state.seconds / 60.0,
        limits.unwrap_or_default(),
        settings.book.as_ref().map_or("no book".into(), |book| book.file.to_string_lossy()),
    );
    let mut page = Page::new(names.join(" – "), subtitle);
    page.wide_card("Results", "all games of each engine", &standings(&names, games));
    let first = names.first().copied().unwrap_or_default();
    if let Some(sprt) = settings.sprt.filter(|_| names.len() == 2) {
        let guides = [("H1", sprt.upper()), ("H0", sprt.lower())]
            .map(|(name, y)| Guide { y, label: format!("{name} at {y:.2}") });
        let path = [Series { points: llr_path(games), color: "a" }];
        let note = format!("{sprt}: the test ends when the path leaves the band");
        page.card("Log-likelihood ratio", &note, &lines(&path, &guides, "pairs"));
    }
    let even = Guide { y: 50.0, label: "even".to_owned() };
    let path = [Series { points: score_path(first, games), color: "a" }];
    let note = format!("share of points of {first}, in percent");
    page.card("Score", &note, &lines(&path, &[even], "games"));
    let ptnml = pentanomial(first, games);
    page.card("Pairs", &pairs_note(first, &ptnml), &bars(&pair_bars(&ptnml), "points of a pair"));
    let lengths: Vec<f64> = games.iter().map(|game| game.plies as f64).collect();
    page.card(
        "Game lengths",
        "games by number of plies",
        &bars(&histogram(&lengths, 20, "a"), "plies"),
    );
    page.card(
        "Time use",
        "mean thinking time in a game, in seconds",
        &bars(&time_use(&names, games), "engine"),
    );
    page.card("Endings", "why games ended", &endings(games));
    let note = format!("points of {first} out of those played, worst and best openings");
    page.wide_card("Score by opening", &note, &by_opening(first, games));
    page.finish()
}

/// Points of an engine in a game it took part in.
fn points(name: &str, game: &LogLine) -> Option<f64> {
    let color = match name {
        _ if game.white == name => Color::White,
        _ if game.black == name => Color::Black,
        _ => return None,
    };
    Some(match game.outcome {
        Outcome::Draw => 0.5,
        Outcome::Decisive { winner } => f64::from(u8::from(winner == color)),
    })
}

fn standings(names: &[&str], games: &[LogLine]) -> String {
    let row = |name: &&str| {
        let results: Vec<f64> = games.iter().filter_map(|game| points(name, game)).collect();
        let count = |wanted: f64| results.iter().filter(|&&one| (one - wanted).abs() < 0.1).count();
        let total: f64 = results.iter().sum();
        let share = 100.0 * total / results.len().max(1) as f64;
        let elo = pentanomial(name, games).elo();
        vec![
            (*name).to_owned(),
            results.len().to_string(),
            count(1.0).to_string(),
            count(0.5).to_string(),
            count(0.0).to_string(),
            number(total),
            format!("{share:.1} %"),
            elo.map_or_else(|| "n/a".to_owned(), |elo| elo.to_string()),
        ]
    };
    let rows: Vec<_> = names.iter().map(row).collect();
    table(&["engine", "games", "won", "drawn", "lost", "points", "score", "Elo"], &rows)
}

/// The pairs of an engine, from its view.
fn pentanomial(name: &str, games: &[LogLine]) -> Pentanomial {
    let mut pairs: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for game in games {
        if let Some(points) = points(name, game) {
            pairs.entry(game.pair).or_default().push(points);
        }
    }
    let mut ptnml = Pentanomial::default();
    for pair in pairs.values() {
        if let [one, other] = pair[..] {
            ptnml.add_pair(outcome(one), outcome(other));
        }
    }
    ptnml
}

fn outcome(points: f64) -> Result1 {
    match points {
        points if points > 0.75 => Result1::Win,
        points if points < 0.25 => Result1::Loss,
        _ => Result1::Draw,
    }
}

/// The ratio after each pair, in the order in which the pairs were finished.
fn llr_path(games: &[LogLine]) -> Vec<(f64, f64)> {
    let last_of_pairs = games.iter().skip(1).step_by(2);
    (1..)
        .zip(last_of_pairs)
        .filter_map(|(pairs, game)| Some((f64::from(pairs), game.llr?)))
        .collect()
}

fn score_path(name: &str, games: &[LogLine]) -> Vec<(f64, f64)> {
    let mut total = 0.0;
    let points = games.iter().filter_map(|game| points(name, game));
    let path = (1..).zip(points).map(|(count, points)| {
        total += points;
        (f64::from(count), 100.0 * total / f64::from(count))
    });
    path.collect()
}

fn pairs_note(name: &str, ptnml: &Pentanomial) -> String {
    let nelo = ptnml.nelo().map_or_else(|| "n/a".to_owned(), |nelo| nelo.to_string());
    format!("points of {name} in the two games of a pair; normalized Elo {nelo}")
}

fn pair_bars(ptnml: &Pentanomial) -> Vec<Bar> {
    let labels = ["0", "½", "1", "1½", "2"];
    let colors = ["bad", "bad", "soft", "good", "good"];
    let bar = |i: usize| Bar {
        label: labels[i].to_owned(),
        value: ptnml.0[i] as f64,
        color: colors[i],
        hint: format!("{} pairs with {} points", ptnml.0[i], labels[i]),
    };
    (0..5).map(bar).collect()
}

fn time_use(names: &[&str], games: &[LogLine]) -> Vec<Bar> {
    let seconds = |name: &str, game: &LogLine| match name {
        _ if game.white == name => Some(game.white_seconds),
        _ if game.black == name => Some(game.black_seconds),
        _ => None,
    };
    let colors = ["a", "b"];
    let bar = |(i, name): (usize, &&str)| {
        let all: Vec<f64> = games.iter().filter_map(|game| seconds(name, game)).collect();
        let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
        Bar {
            label: (*name).to_owned(),
            value: mean,
            color: colors[i % 2],
            hint: format!("{name}: {mean:.2} s"),
        }
    };
    names.iter().enumerate().map(bar).collect()
}

fn endings(games: &[LogLine]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for game in games {
        *counts.entry(game.ending.as_str()).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let row = |(ending, count): (&str, usize)| vec![ending.to_owned(), count.to_string()];
    let rows: Vec<_> = counts.into_iter().map(row).collect();
    table(&["ending", "games"], &rows)
}

fn by_opening(name: &str, games: &[LogLine]) -> String {
    let mut openings: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for game in games {
        if let Some(points) = points(name, game) {
            let sum = openings.entry(game.opening.as_str()).or_default();
            *sum = (sum.0 + points, sum.1 + 1.0);
        }
    }
    let mut openings: Vec<_> = openings.into_iter().collect();
    let share = |(points, played): (f64, f64)| points / played;
    openings.sort_by(|one, other| share(one.1).total_cmp(&share(other.1)));
    let count = openings.len();
    let is_shown = |&(i, _): &(usize, _)| i < EXTREMES || i + EXTREMES >= count;
    let shown: Vec<_> = openings.iter().enumerate().filter(is_shown).map(|(_, one)| one).collect();
    let bar = |&&(fen, sum): &&(&str, (f64, f64))| Bar {
        label: number(sum.0),
        value: 100.0 * share(sum),
        color: if share(sum) < 0.5 { "bad" } else { "good" },
        hint: format!("{fen}: {} of {}", number(sum.0), number(sum.1)),
    };
    let chart: Vec<Bar> = shown.iter().map(bar).collect();
    let row = |&&(fen, sum): &&(&str, (f64, f64))| {
        vec![fen.to_owned(), format!("{} of {}", number(sum.0), number(sum.1))]
    };
    let rows: Vec<_> = shown.iter().map(row).collect();
    bars(&chart, "openings, worst to best") + &table(&["opening", "points"], &rows)
}
