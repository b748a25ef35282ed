// SPDX-License-Identifier: GPL-3.0-or-later
//! One game.

use chess::{Board, Color, Move, Outcome, White};
use data::visits::VisitedMove;
use data::{LabelPoints, LabelScore, ScoredMove};
use search::{Limits, Mode, Network, Odds, Position, Ranking, Score, Searcher, ShownScore};
use tools::random::{Rng, mix, unit};

use crate::{GenerationSettings, Openings, Writing, leaf};

/// Games that go on for longer are drawn.
const MAX_PLIES: usize = 500;
/// Openings are judged with this many nodes.
const OPENING_NODES: u64 = 1_000;

/// Plays games, one at a time.
#[derive(Debug)]
pub struct GameGenerator<'a> {
    settings: &'a GenerationSettings,
    openings: &'a Openings,
    searcher: Searcher,
}

impl<'a> GameGenerator<'a> {
    /// A player with a table and a network of its own.
    ///
    /// # Panics
    /// If there is no memory for a small tree.
    pub fn new(
        settings: &'a GenerationSettings,
        openings: &'a Openings,
        network: Network,
        ranking: Ranking,
    ) -> Self {
        let mut searcher = Searcher::new(1, settings.table);
        searcher.set_params(GenerationSettings::params());
        searcher.set_network(network);
        searcher.set_ranking(ranking);
        assert!(searcher.set_mode(settings.mode()), "memory for a small tree");
        Self { settings, openings, searcher }
    }

    /// Plays the game of this number, always in the same way. Must be called on a thread with
    /// [`search::STACK_BYTES`] of stack.
    pub fn play(&mut self, number: u64) -> Writing {
        let mut rng = Rng::new(mix(self.settings.seed ^ mix(number)));
        let start = self.opening(&mut rng);
        let mut referee = Adjudicator::new(self.settings, &mut rng);
        let mut position = Position::new(start);
        let mut moves = Writing::new(self.settings.mode(), start);
        let outcome = loop {
            if let Some(outcome) = ended(&position, moves.len()) {
                break outcome;
            }
            let answer = self.searcher.think_here(&position, &self.limits());
            let Some(line) = answer.best else { break Outcome::Draw };
            let white = White::seen_by(position.board().turn(), line.score);
            moves.push(self.visited(&position, line.moves[0], label(position.board(), white)));
            self.add_leaves(&position, &mut rng, &mut moves);
            position.play(line.moves[0]);
            if let Some(outcome) = referee.judge(white, moves.len()) {
                break outcome;
            }
        };
        moves.finish(outcome)
    }

    /// A move with its score, and with the visits of all moves if a tree was searched.
    fn visited(&self, position: &Position, mv: Move, score: LabelScore) -> VisitedMove {
        let tree = self.searcher.tree(&[], 1);
        let Some((_, root)) = tree else { return VisitedMove { mv, score, visits: vec![] } };
        VisitedMove::new(position.board(), mv, score, |mv| {
            let found = root.children.iter().find(|child| child.stats.mv == Some(mv));
            found.map_or(0, |child| child.stats.visits)
        })
    }

    fn limits(&self) -> Limits {
        if self.settings.mode() != Mode::AlphaBeta {
            return Limits::of_nodes(self.settings.soft_nodes);
        }
        soft(self.settings.soft_nodes)
    }

    /// Searches some of the positions that the last search looked at, while the table still knows them.
    fn add_leaves(&mut self, root: &Position, rng: &mut Rng, moves: &mut Writing) {
        let wanted = self.settings.leaves;
        if wanted == 0.0 || self.settings.mode() != Mode::AlphaBeta {
            return;
        }
        let some_more = unit(rng.next_u64()) < wanted.fract();
        for _ in 0..wanted as usize + usize::from(some_more) {
            let Some(position) = leaf::draw(&self.searcher, root, rng) else { continue };
            let answer = self.searcher.think_here(&position, &soft(self.settings.leaf_nodes));
            let Some(line) = answer.best else { continue };
            let board = *position.board();
            let score = label(&board, White::seen_by(board.turn(), line.score));
            moves.add_leaf(board, ScoredMove { mv: line.moves[0], score });
        }
    }

    /// The first random opening that is balanced enough. The search remembers nothing from before it.
    fn opening(&mut self, rng: &mut Rng) -> Board {
        loop {
            let Some(board) = self.openings.draw(self.settings, rng) else { continue };
            self.searcher.clear();
            let limits = Limits::of_nodes(OPENING_NODES);
            let answer = self.searcher.think_here(&Position::new(board), &limits);
            let limit = self.settings.max_opening_score;
            if answer.best.is_some_and(|line| line.score.value().abs() <= limit) {
                return board;
            }
        }
    }
}

/// An alpha-beta search ends with the depth in which it has spent so many nodes.
fn soft(nodes: u64) -> Limits {
    let most = GenerationSettings::hard_nodes(nodes);
    Limits { soft_nodes: Some(nodes), nodes: Some(most), ..Limits::default() }
}

/// The result by the rules; draws need not be claimed.
fn ended(position: &Position, plies: usize) -> Option<Outcome> {
    let ending = position.board().ending_with_claims(position.history().occurrences());
    let is_long = plies >= MAX_PLIES;
    ending.map(|ending| ending.outcome).or(is_long.then_some(Outcome::Draw))
}

/// A score of this position as a label holds it: in the centipawns that UCI prints.
fn label(board: &Board, white: White<Score>) -> LabelScore {
    let score = white.get();
    match Odds::on(board).shown(score) {
        ShownScore::Mate(moves) => {
            LabelScore::mate(moves, if score.is_win() { Color::White } else { Color::Black })
        }
        ShownScore::Centipawns(shown) => LabelScore::clamped(White::new(shown.0.into())),
    }
}

/// Centipawns of the points that older self-play wrote, by today's model of chances.
pub fn centipawns(board: &Board, points: LabelPoints) -> LabelScore {
    label(board, points.get().map(|points| Score::new(points.into())))
}

/// Ends games that are decided.
struct Adjudicator<'a> {
    settings: &'a GenerationSettings,
    calls_wins: bool,
    calls_draws: bool,
    won_plies: usize,
    drawn_plies: usize,
}

impl<'a> Adjudicator<'a> {
    fn new(settings: &'a GenerationSettings, rng: &mut Rng) -> Self {
        let mut lot = || unit(rng.next_u64()) >= settings.unadjudicated_share;
        Self { settings, calls_wins: lot(), calls_draws: lot(), won_plies: 0, drawn_plies: 0 }
    }

    fn judge(&mut self, white: White<Score>, plies: usize) -> Option<Outcome> {
        let GenerationSettings {
            win_score, win_plies, draw_score, draw_plies, draw_from_ply, ..
        } = *self.settings;
        let score = white.get();
        let size = score.value().abs();
        self.won_plies = if size >= win_score { self.won_plies + 1 } else { 0 };
        let is_drawish = size <= draw_score && plies >= draw_from_ply;
        self.drawn_plies = if is_drawish { self.drawn_plies + 1 } else { 0 };
        if self.calls_wins && self.won_plies >= win_plies {
            let winner = if score.value() > 0 { Color::White } else { Color::Black };
            return Some(Outcome::Decisive { winner });
        }
        (self.calls_draws && self.drawn_plies >= draw_plies).then_some(Outcome::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_what_uci_prints_and_mates_stay_mates() {
        let start = Board::default();
        let ending: Board = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1".parse().unwrap();
        let score = White::new(Score::new(300));
        assert_eq!(label(&start, score).get(), 236);
        assert_eq!(label(&ending, score).get(), 95);
        let [won, lost] = [Score::mate_in(5), Score::mated_in(4)].map(White::new);
        assert_eq!(label(&ending, won), LabelScore::mate(3, Color::White));
        assert_eq!(label(&ending, lost), LabelScore::mate(2, Color::Black));
        let shown = Odds::on(&ending).centipawns(score.get());
        assert_eq!(i32::from(label(&ending, score).get()), shown.0);
    }
}
