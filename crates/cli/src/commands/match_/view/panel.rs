// SPDX-License-Identifier: GPL-3.0-or-later
//! The live picture of a match: a few lines that fit any terminal.

use std::fmt::Write;
use std::time::Duration;

use arena::stats::{Pentanomial, Sprt, SprtStanding, Trinomial};
use arena::tournament::{BoardView, Standings};
use console::{StyledObject, style, truncate_str};
use uci::ScoreValue;

/// Width of the path of the LLR, in letters.
const PATH_WIDTH: usize = 40;

/// Width of the scale from one bound of a test to the other.
const SCALE_WIDTH: usize = 31;

/// Longest bar of the pentanomial.
const BAR_WIDTH: f64 = 10.0;

/// Most engines to be listed.
const MOST_ENGINES: usize = 12;

/// Everything that is shown.
#[derive(Debug)]
pub(super) struct Panel<'a> {
    pub(super) heading: &'a str,
    pub(super) boards: &'a [BoardView],
    pub(super) standings: &'a Standings,
    /// The LLR after each pair.
    pub(super) path: &'a [f64],
    /// All games of the match, if their number is known.
    pub(super) total: Option<usize>,
    pub(super) games_per_minute: f64,
    pub(super) left: Option<Duration>,
}

impl Panel<'_> {
    /// The lines, each cut to `width`.
    pub(super) fn draw(&self, width: usize) -> Vec<String> {
        let mut lines = vec![bold(self.heading).to_string()];
        lines.extend(self.boards.iter().map(board));
        let done = 2 * self.standings.pair_count();
        if done > 0 {
            if self.standings.names().len() > 2 {
                lines.extend(self.list());
            } else {
                lines.extend(self.duel());
            }
        }
        if let (Some(evaluation), Some(sprt)) = (self.standings.evaluation(), self.standings.sprt())
        {
            lines.push(test(evaluation, sprt));
            lines.push(label("path") + &blue(&sparkline(self.path)).to_string());
        }
        lines.push(self.progress(done));
        let cut = |line: &String| truncate_str(line, width, "…").into_owned();
        lines.iter().map(cut).collect()
    }

    /// Two engines: the first one's score and its pairs.
    fn duel(&self) -> Vec<String> {
        let (games, pairs) = (self.standings.games_of(0), self.standings.pentanomial());
        let mut score = label("score") + &points(games);
        if let Some(elo) = pairs.elo() {
            let _ = write!(score, "  Elo {elo}");
        }
        vec![score, label("pairs") + &pair_bars(&pairs)]
    }

    /// More engines: everybody's score.
    fn list(&self) -> Vec<String> {
        let names = self.standings.names();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let row = |(engine, name): (usize, &String)| {
            format!("  {name:width$}  {}", points(self.standings.games_of(engine)))
        };
        names.iter().enumerate().take(MOST_ENGINES).map(row).collect()
    }

    fn progress(&self, done: u64) -> String {
        let total = self.total.map_or_else(String::new, |total| format!(" of {total}"));
        let mut line = label("games") + &format!("{done}{total}");
        if self.games_per_minute > 0.0 {
            let _ = write!(line, "  {:.1} a minute", self.games_per_minute);
        }
        if let Some(left) = self.left {
            let _ = write!(line, "  about {} left", clock(left));
        }
        line + &dim("  Ctrl-C stops").to_string()
    }
}

fn label(text: &str) -> String {
    dim(&format!("{text:<7}")).to_string()
}

fn bold(text: &str) -> StyledObject<&str> {
    style(text).for_stderr().bold()
}

fn dim(text: &str) -> StyledObject<&str> {
    style(text).for_stderr().dim()
}

fn blue(text: &str) -> StyledObject<&str> {
    style(text).for_stderr().cyan()
}

fn green(text: &str) -> StyledObject<&str> {
    style(text).for_stderr().green()
}

fn red(text: &str) -> StyledObject<&str> {
    style(text).for_stderr().red()
}

/// A game under way; the score is White's.
fn board(view: &BoardView) -> String {
    let BoardView { game, white, black, moves, score, .. } = view;
    let score = score.map_or_else(String::new, show_score);
    let number = format!("move {:>3}", moves.len().div_ceil(2));
    format!("{}{white} – {black}  {}  {score}", label(&game.to_string()), dim(&number))
}

fn points(games: Trinomial) -> String {
    let Trinomial { wins, draws, losses } = games;
    let share = games.score().map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share));
    let (wins, losses) = (format!("+{wins}"), format!("-{losses}"));
    format!("{} ={draws} {}  {share}", green(&wins), red(&losses))
}

/// The five kinds of pairs by the first engine's points.
fn pair_bars(pairs: &Pentanomial) -> String {
    let most = pairs.0.iter().copied().max().unwrap_or(0).max(1) as f64;
    let show = |(points, count): (&str, &u64)| {
        let bar = "▇".repeat((BAR_WIDTH * *count as f64 / most).ceil() as usize);
        let bar = match points {
            "0" | "½" => red(&bar).to_string(),
            "1" => dim(&bar).to_string(),
            _ => green(&bar).to_string(),
        };
        format!("{} {bar} {count}", dim(points))
    };
    let shown: Vec<String> =
        ["0", "½", "1", "1½", "2"].into_iter().zip(&pairs.0).map(show).collect();
    shown.join("  ")
}

/// Where a test stands between its bounds.
fn test(evaluation: SprtStanding, sprt: Sprt) -> String {
    let SprtStanding { llr, lower, upper, .. } = evaluation;
    let place = ((llr - lower) / (upper - lower)).clamp(0.0, 1.0);
    let marked = (place * (SCALE_WIDTH - 1) as f64).round() as usize;
    let dash = |i: usize| if i == SCALE_WIDTH / 2 { '┼' } else { '─' };
    let (before, after): (String, String) =
        ((0..marked).map(dash).collect(), (marked + 1..SCALE_WIDTH).map(dash).collect());
    let mark = if llr < 0.0 { red("●") } else { green("●") };
    format!(
        "{}{llr:+.2}  H0 {lower:.2} {}{mark}{} {upper:.2} H1  {sprt}",
        label("LLR"),
        dim(&before),
        dim(&after)
    )
}

fn show_score(score: ScoreValue) -> String {
    match score {
        ScoreValue::Cp(score) => format!("{:+.2}", f64::from(score) / 100.0),
        ScoreValue::Mate(moves) => format!("mate {moves}"),
    }
}

/// A small graph in one line, the newest value on the right.
fn sparkline(values: &[f64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let step = values.len().div_ceil(PATH_WIDTH).max(1);
    let shown: Vec<f64> = values.iter().rev().step_by(step).rev().copied().collect();
    let low = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let high = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let scale = (BARS.len() - 1) as f64 / (high - low).max(1e-9);
    shown.iter().map(|value| BARS[((value - low) * scale).round() as usize]).collect()
}

pub(super) fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        _ => format!("{}:{:02} h", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparklines_span_their_range() {
        assert_eq!(sparkline(&[0.0, 0.5, 1.0]), "▁▅█");
        assert_eq!(sparkline(&[2.0, 2.0]), "▁▁");
        assert_eq!(sparkline(&[]), "");
        let many: Vec<f64> = (0..1000).map(f64::from).collect();
        assert!(sparkline(&many).chars().count() <= PATH_WIDTH);
        assert!(sparkline(&many).ends_with('█'));
    }

    #[test]
    fn times_are_short() {
        let show = |seconds| clock(Duration::from_secs(seconds));
        assert_eq!([show(5), show(65), show(7260)], ["5 s", "1:05 min", "2:01 h"]);
    }

    #[test]
    fn the_scale_is_marked_where_the_test_stands() {
        console::set_colors_enabled_stderr(false);
        let sprt = Sprt::new(0.0, 5.0).unwrap();
        let place = |llr: f64| {
            let evaluation = SprtStanding { llr, ..sprt.evaluate(&Pentanomial::default()) };
            let line = test(evaluation, sprt);
            let start = line.find("-2.94 ").unwrap();
            line[start..].chars().position(|letter| letter == '●').unwrap() - 6
        };
        assert_eq!([place(-9.0), place(0.0), place(9.0)], [0, SCALE_WIDTH / 2, SCALE_WIDTH - 1]);
    }

    #[test]
    fn bars_are_as_long_as_their_counts() {
        console::set_colors_enabled_stderr(false);
        let shown = pair_bars(&Pentanomial([0, 1, 20, 10, 5]));
        assert_eq!(shown, "0  0  ½ ▇ 1  1 ▇▇▇▇▇▇▇▇▇▇ 20  1½ ▇▇▇▇▇ 10  2 ▇▇▇ 5");
    }
}
