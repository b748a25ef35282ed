// SPDX-License-Identifier: GPL-3.0-or-later
//! From the engine's values to the words of the protocol.

use chess::{Board, CastlingMode, Move};
use search::{Bound, Effort, Info, Line, Odds, Score, ShownScore, Wdl};
use uci::{BestMove, MoveText, Reply};

use crate::event::Event;
use crate::move_stats::MoveStatsLine;
use crate::options::Settings;

/// How castling must be written: as the user wants, unless only one way can express it.
pub fn castling_mode(board: &Board, is_chess960: bool) -> CastlingMode {
    if is_chess960 || board.is_chess960() { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

/// A move as the protocol writes it.
fn move_text(mv: Move, mode: CastlingMode) -> MoveText {
    mv.uci(mode).to_string().parse().expect("a move prints as one")
}

/// A score as the protocol writes it.
pub fn uci_score(score: Score, bound: Bound, odds: Odds) -> uci::UciScore {
    let value = match odds.shown(score) {
        ShownScore::Mate(moves) => uci::UciScore::mate(moves),
        ShownScore::Centipawns(centipawns) => uci::UciScore::cp(centipawns.0),
    };
    value.with_bound(match bound {
        Bound::Exact => uci::Bound::Exact,
        Bound::Lower => uci::Bound::Lower,
        Bound::Upper => uci::Bound::Upper,
    })
}

/// How a search's events are written.
#[derive(Clone, Copy, Debug)]
struct Style {
    mode: CastlingMode,
    /// What scores mean.
    odds: Odds,
    shows_wdl: bool,
    /// A comment for the PGN before the best move.
    writes_pgn_comment: bool,
    /// Only the last line before the best move.
    is_minimal: bool,
    /// The same, unless the user debugs.
    hides_without_debug: bool,
    /// Also what each depth cut.
    is_debug: bool,
    /// Whether a position without a move is mate rather than stalemate.
    in_check: bool,
}

/// Writes the events of one search.
#[derive(Debug)]
pub struct UciPrinter {
    style: Style,
    /// The last exact best line that was written.
    shown: Option<Line>,
}

impl UciPrinter {
    /// For the search of a board, as the settings want it.
    pub fn new(board: &Board, settings: &Settings) -> Self {
        let style = Style {
            mode: castling_mode(board, settings.is_chess960),
            odds: Odds::on(board),
            shows_wdl: settings.shows_wdl,
            writes_pgn_comment: settings.writes_pgn_comment,
            is_minimal: settings.is_minimal,
            hides_without_debug: settings.hides_without_debug,
            is_debug: false,
            in_check: board.in_check(),
        };
        Self { style, shown: None }
    }

    /// The same, where each depth also tells what it has cut.
    #[must_use]
    pub const fn with_debug(mut self, is_debug: bool) -> Self {
        self.style.is_debug = is_debug;
        self.style.is_minimal |= self.style.hides_without_debug && !is_debug;
        self
    }

    /// The lines that tell of an event.
    pub fn print(&mut self, event: &Event) -> Vec<Reply> {
        match event {
            Event::Info(info) => self.info(info),
            Event::Failed(reason) => {
                vec![message(format_args!(
                    "the search failed: {reason}. The table starts empty; please report this"
                ))]
            }
            Event::Ended(answer) => match &answer.best {
                Some(best) => self.best_move(best, &answer.effort),
                None => self.no_move(),
            },
        }
    }

    fn info(&mut self, info: &Info) -> Vec<Reply> {
        let Style { mode, is_minimal, is_debug, .. } = self.style;
        match info {
            Info::Line(line, effort) if !is_minimal => vec![self.line(line, effort)],
            Info::CurrentMove(mv, number) if !is_minimal => vec![reply(uci::InfoLine {
                currmove: Some(move_text(*mv, mode)),
                currmovenumber: Some(*number as u32),
                ..uci::InfoLine::default()
            })],
            Info::Depth(depth, stats) if is_debug => {
                vec![message(format_args!("depth {depth}: {stats}"))]
            }
            Info::Moves(all) if !is_minimal => {
                let moves = all.len() - 1;
                let line = |stats| message(MoveStatsLine { stats, mode, moves });
                all.iter().map(line).collect()
            }
            _ => vec![],
        }
    }

    fn line(&mut self, line: &Line, effort: &Effort) -> Reply {
        if line.rank == 1 {
            self.shown = (line.bound == Bound::Exact).then(|| line.clone());
        }
        let Style { mode, odds, shows_wdl, .. } = self.style;
        let nps = (effort.nodes as f64 / effort.time.as_secs_f64().max(1e-6)) as u64;
        let Wdl { win, draw, loss } = odds.wdl(line.score);
        reply(uci::InfoLine {
            depth: Some(line.depth),
            seldepth: Some(line.selective_depth as u32),
            multipv: Some(line.rank as u32),
            score: Some(uci_score(line.score, line.bound, odds)),
            wdl: shows_wdl.then_some(uci::UciWdl { win, draw, loss }),
            nodes: Some(effort.nodes),
            nps: Some(nps),
            hashfull: effort.table_fill.map(|fill| fill as u32),
            tbhits: Some(effort.table_hits),
            time: Some(effort.time.as_millis() as u64),
            pv: line.moves.iter().map(|&mv| move_text(mv, mode)).collect(),
            ..uci::InfoLine::default()
        })
    }

    /// The best line, unless it was the last one shown, and the best move.
    fn best_move(&mut self, best: &Line, effort: &Effort) -> Vec<Reply> {
        let is_shown = self
            .shown
            .take()
            .is_some_and(|line| line.moves == best.moves && line.score == best.score);
        let line = (!is_shown).then(|| self.line(best, effort));
        let text = |mv: &Move| move_text(*mv, self.style.mode);
        let (mv, ponder) = (best.moves.first().map(text), best.moves.get(1).map(text));
        let comment = self.style.writes_pgn_comment.then(|| self.pgn_comment(best, effort));
        let answer = Reply::BestMove(BestMove { mv, ponder });
        line.into_iter().chain(comment).chain([answer]).collect()
    }

    /// What match runners keep beside the move, in the mover's view.
    fn pgn_comment(&self, best: &Line, effort: &Effort) -> Reply {
        let Wdl { win, draw, loss } = self.style.odds.wdl(best.score);
        message(format_args!("pgncomment wdl {win} {draw} {loss} nodes {}", effort.nodes))
    }

    /// Mate or stalemate on the board.
    fn no_move(&self) -> Vec<Reply> {
        let score = if self.style.in_check { Score::mated_in(0) } else { Score::DRAW };
        let info = uci::InfoLine {
            depth: Some(0),
            score: Some(uci_score(score, Bound::Exact, self.style.odds)),
            ..uci::InfoLine::default()
        };
        vec![reply(info), Reply::BestMove(BestMove { mv: None, ponder: None })]
    }
}

fn reply(info: uci::InfoLine) -> Reply {
    Reply::Info(Box::new(info))
}

fn message(text: impl std::fmt::Display) -> Reply {
    reply(uci::InfoLine::message(text))
}
