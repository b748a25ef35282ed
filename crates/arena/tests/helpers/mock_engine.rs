// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine that misbehaves on request, for the tests of the referee.
//!
//! Usage: `mock-engine BEHAVIOR [TOKEN]`; the token only marks the process. It plays random legal
//! moves that depend on the position alone.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an engine talks")]

use std::io::{BufRead, Write};
use std::thread::sleep;
use std::time::Duration;

use chess::{Board, CastlingMode, Move};
use tools::Rng;
use uci::{Base, Command, UciPosition};

/// The search in which engines that fail later fail.
const LATER: usize = 3;

fn main() {
    let behavior = std::env::args().nth(1).unwrap_or_default();
    let mut engine = Mock { behavior, board: Board::default(), searches: 0, is_pondering: false };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if !engine.obey(&line) {
            break;
        }
    }
    if engine.behavior == "late" {
        sleep(Duration::from_hours(1));
    }
}

struct Mock {
    behavior: String,
    board: Board,
    searches: usize,
    is_pondering: bool,
}

impl Mock {
    /// Obeys one line; false to quit.
    fn obey(&mut self, line: &str) -> bool {
        let Ok(command) = line.parse::<Command>() else { return true };
        match command {
            Command::Uci => {
                say("id name Mock\nid author Tests\noption name Ponder type check default false");
                say("option name UCI_Chess960 type check default false\nuciok");
            }
            Command::IsReady => say("readyok"),
            Command::Position(position) => self.board = read_position(&position),
            Command::Go(go) if go.ponder && self.behavior != "hasty" => self.is_pondering = true,
            Command::Go(_) => self.search(),
            Command::PonderHit | Command::Stop if self.is_pondering => {
                self.is_pondering = false;
                self.search();
            }
            Command::Quit => return self.behavior == "late",
            _ => {}
        }
        true
    }

    fn search(&mut self) {
        self.searches += 1;
        let is_later = self.searches == LATER;
        match self.behavior.as_str() {
            "silent" => return,
            "crashing" if is_later => {
                eprintln!("mock: out of cheese");
                std::process::exit(3);
            }
            "slow" => sleep(Duration::from_millis(400)),
            "flooding" => flood(),
            _ => {}
        }
        let moves: Vec<Move> = self.board.legal_moves().iter().copied().collect();
        let mut rng = Rng::new(self.board.key());
        let mut best = moves[rng.below(moves.len())];
        if self.behavior == "greedy" {
            best = moves.iter().copied().find(|mv| mv.is_capture()).unwrap_or(best);
        }
        let best = best.uci(CastlingMode::Chess960).to_string();
        let other = moves[moves.len() - 1].uci(CastlingMode::Chess960).to_string();
        let pv = match self.behavior.as_str() {
            "dishonest" if other == best => moves[0].uci(CastlingMode::Chess960).to_string(),
            "dishonest" => other,
            "dreaming" => format!("{best} a1a1"),
            _ => best.clone(),
        };
        let best = if self.behavior == "illegal" && is_later { "a1a1" } else { best.as_str() };
        say(&format!("info depth 1 seldepth 2 score cp 7 nodes 42 time 0 pv {pv}"));
        self.answer(best);
    }

    fn answer(&self, best: &str) {
        say(&format!("bestmove {best} ponder {}", self.expected(best).unwrap_or_default()));
        if self.behavior == "hasty" {
            say(&format!("bestmove {best}"));
        }
    }

    /// The answer that the mock itself would give.
    fn expected(&self, best: &str) -> Option<String> {
        let mut board = self.board;
        board.play(board.parse_uci(best).ok()?);
        let moves: Vec<Move> = board.legal_moves().iter().copied().collect();
        let index = (!moves.is_empty()).then(|| Rng::new(board.key()).below(moves.len()))?;
        Some(moves[index].uci(CastlingMode::Chess960).to_string())
    }
}

fn read_position(position: &UciPosition) -> Board {
    let mut board = match &position.base {
        Base::Startpos => Board::default(),
        Base::Fen(fen) => fen.parse().expect("the referee sends sound positions"),
    };
    for mv in &position.moves {
        board.play(board.parse_uci(mv).expect("the referee sends legal moves"));
    }
    board
}

fn say(line: &str) {
    println!("{line}");
    // Whoever does not listen has killed us or is about to.
    let _ = std::io::stdout().flush();
}

fn flood() {
    let line = format!("info string {}\ninfo depth 1 score cp 1 pv e2e4\n", "x".repeat(500));
    let text = line.repeat(2000);
    let _ = std::io::stdout().write_all(text.as_bytes());
}
