// SPDX-License-Identifier: GPL-3.0-or-later
//! A picture of the bot for a terminal: games under way, results, and ratings over time.

use std::collections::BTreeMap;
use std::time::Instant;

use chess::{Board, Color, File, Piece, Rank, Square};

use crate::update::{GameView, ResultRecord, Update};

/// What is shown.
#[derive(Debug, Default)]
pub struct StatusView {
    name: String,
    games: BTreeMap<String, (GameView, Instant)>,
    results: Vec<ResultRecord>,
    notes: Vec<String>,
    is_stopping: bool,
}

/// The width of a game with the gap after it.
const CELL: usize = 28;
/// The longest path of a rating.
const PATH: usize = 40;
/// Lines of the log that are shown.
const NOTES: usize = 5;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

impl StatusView {
    /// A view with the results of earlier days.
    pub fn new(results: Vec<ResultRecord>) -> Self {
        Self { results, ..Self::default() }
    }

    /// Takes in what happened.
    pub fn apply(&mut self, update: Update) {
        match update {
            Update::Connected { name } => self.name = name,
            Update::Game(game) => {
                self.games.insert(game.id.clone(), (*game, Instant::now()));
            }
            Update::Ended(outcome) => {
                self.games.remove(&outcome.id);
                self.results.push(*outcome);
            }
            Update::Stopping { .. } => self.is_stopping = true,
            Update::Challenge { .. } | Update::Challenging { .. } => (),
        }
    }

    /// Takes in a line of the log.
    pub fn note(&mut self, line: &str) {
        self.notes.push(line.to_owned());
        let extra = self.notes.len().saturating_sub(NOTES);
        self.notes.drain(..extra);
    }

    /// The picture, in lines of at most `width` letters.
    pub fn draw(&self, width: usize) -> Vec<String> {
        let mut lines = vec![self.heading(), String::new()];
        let games: Vec<_> = self.games.values().collect();
        for row in games.chunks((width / CELL).max(1)) {
            let cells: Vec<_> = row.iter().map(|(game, since)| cell(game, *since)).collect();
            for index in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let parts = cells.iter().map(|cell| {
                    let part = cell.get(index).map_or("", String::as_str);
                    let gap = CELL.saturating_sub(part.chars().count());
                    format!("{part}{}", " ".repeat(gap))
                });
                lines.push(parts.collect::<String>());
            }
            lines.push(String::new());
        }
        lines.extend(self.ratings());
        lines.extend(self.latest());
        lines.extend(self.notes.iter().map(|note| format!("  {note}")));
        let cut = |line: String| line.chars().take(width).collect::<String>().trim_end().to_owned();
        lines.into_iter().map(cut).collect()
    }

    fn heading(&self) -> String {
        let count =
            |points: f32| self.results.iter().filter(|it| it.points == Some(points)).count();
        let (won, drawn, lost) = (count(1.0), count(0.5), count(0.0));
        let state = if self.is_stopping { "stopping" } else { "online" };
        let name = if self.name.is_empty() { "connecting …" } else { &self.name };
        format!("{name}  {state}  games {}  +{won} ={drawn} -{lost}", self.games.len())
    }

    /// The path of the rating at each speed.
    fn ratings(&self) -> Vec<String> {
        let mut paths: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for outcome in self.results.iter().filter(|outcome| outcome.rated) {
            paths.entry(&outcome.speed).or_default().extend(outcome.rating);
        }
        let line = |(speed, path): (&str, Vec<u32>)| {
            let recent = &path[path.len().saturating_sub(PATH)..];
            let last = recent.last().copied()?;
            Some(format!("{speed:<14} {last:>5} {}", spark(recent)))
        };
        paths.into_iter().filter_map(line).collect()
    }

    fn latest(&self) -> Vec<String> {
        let line = |outcome: &ResultRecord| {
            let points = match outcome.points {
                Some(1.0) => "won",
                Some(0.5) => "drawn",
                Some(_) => "lost",
                None => "aborted",
            };
            let ResultRecord { opponent, status, speed, plies, .. } = outcome;
            format!("  {points:<8} {opponent:<20} {speed:<10} {status}, {} moves", plies / 2)
        };
        self.results.iter().rev().take(5).map(line).collect()
    }
}

/// Bars as high as the numbers, from the lowest to the highest.
fn spark(numbers: &[u32]) -> String {
    let least = numbers.iter().min().copied().unwrap_or(0);
    let range = numbers.iter().max().map_or(0, |most| most - least).max(1);
    let bar = |number: &u32| BARS[((number - least) * 7 / range) as usize];
    numbers.iter().map(bar).collect()
}

/// A game: names, clocks, board and evaluation.
fn cell(game: &GameView, since: Instant) -> Vec<String> {
    let Ok(board) = game.fen.parse::<Board>() else { return vec![] };
    let bottom = if game.color == "white" { Color::White } else { Color::Black };
    let mut lines = vec![player(game, !bottom, &board, since)];
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    // Letters, large for White: the hollow and the filled symbols swap their colors on a dark terminal.
    for rank in ranks {
        let square = |file| board.piece_on(Square::new(file, rank)).map_or('·', Piece::letter);
        let row: Vec<_> = files.iter().map(|&file| square(file).to_string()).collect();
        lines.push(format!(" {} {}", rank.digit(), row.join(" ")));
    }
    lines.push(player(game, bottom, &board, since));
    let dots = if game.ply.is_multiple_of(2) { "..." } else { "." };
    let (number, mv) = (game.ply.div_ceil(2).max(1), game.last_san.as_deref());
    lines.push(format!(" {number}{dots} {}", mv.unwrap_or("-")));
    let score = game.score.as_ref().zip(game.depth);
    lines.extend(score.map(|(score, depth)| format!(" {score} for White, depth {depth}")));
    lines
}

fn player(game: &GameView, color: Color, board: &Board, since: Instant) -> String {
    let name = if color == Color::White { &game.white } else { &game.black };
    let name: String = name.chars().take(16).collect();
    let clock = game.clocks.map(|clocks| {
        // The clock of the side to move runs on while nothing is told.
        let is_running = board.turn() == color && game.ply >= 2;
        let spent = if is_running { since.elapsed().as_millis() as u64 } else { 0 };
        let left = clocks[color.index()].saturating_sub(spent) / 1000;
        format!("{}:{:02}", left / 60, left % 60)
    });
    let mark = if board.turn() == color { '▸' } else { ' ' };
    format!("{mark}{name:<17}{:>7}", clock.unwrap_or_else(|| "∞".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(id: &str, color: &'static str) -> Update {
        Update::Game(Box::new(GameView {
            id: id.into(),
            white: "Quincunx".into(),
            black: "A very long name indeed".into(),
            color,
            fen: chess::STARTING.into(),
            last_move: Some("e2e4".into()),
            last_san: Some("e4".into()),
            ply: 1,
            clocks: Some([61_000, 9_000]),
            eval: Some(35),
            score: Some("0.35".into()),
            depth: Some(12),
        }))
    }

    fn outcome(points: f32, rating: u32) -> ResultRecord {
        ResultRecord {
            time: 0,
            id: "x".into(),
            opponent: "Anna".into(),
            is_bot: false,
            color: "white".into(),
            points: Some(points),
            status: "mate".into(),
            speed: "blitz".into(),
            rated: true,
            rating: Some(rating),
            opponent_rating: None,
            plies: 80,
        }
    }

    #[test]
    fn games_results_and_ratings_are_shown() {
        let mut view = StatusView::new(vec![outcome(1.0, 1500), outcome(0.5, 1520)]);
        view.apply(Update::Connected { name: "Quincunx".into() });
        view.apply(game("a", "white"));
        view.apply(game("b", "black"));
        view.note("something happened");
        let picture = view.draw(80);
        let text = picture.join("\n");
        assert!(picture[0].contains("Quincunx  online  games 2  +1 =1 -0"), "{text}");
        for part in [
            "1:01",
            "0:09",
            "1. e4",
            "0.35 for White, depth 12",
            "blitz",
            "1520 ▁█",
            "won      Anna",
            "some",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(picture.iter().all(|line| line.chars().count() <= 80));
        assert!(picture[3].contains("8 r n") && picture[3].contains("1 R N"), "{text}");
        view.apply(Update::Ended(Box::new(ResultRecord { id: "a".into(), ..outcome(0.0, 1530) })));
        assert!(view.draw(80)[0].contains("games 1  +1 =1 -1"));
        assert!(view.draw(10).iter().all(|line| line.chars().count() <= 10));
    }
}
