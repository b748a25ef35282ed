// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine of one game, in this process: a [`Session`] in a thread of its own.
//!
//! The session speaks UCI, as to any GUI; so everything that it can be set to works here too. Each
//! search is a numbered question, and what is heard carries its number, so that the end of an old
//! search is not taken for the answer to a new one.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use engine::{Output, Session};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use uci::{BestMove, Info, OptionSpec, Reply};

/// The options of the engine.
pub(crate) fn option_specs() -> &'static [OptionSpec] {
    static SPECS: OnceLock<Vec<OptionSpec>> = OnceLock::new();
    SPECS.get_or_init(|| {
        let (output, text) = Output::to_memory();
        Session::new(output).run_line("uci");
        let spec = |line: &str| match Reply::parse(line) {
            Reply::Option(spec) => Some(spec),
            _ => None,
        };
        text.contents().lines().filter_map(spec).collect()
    })
}

/// Something the engine said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Heard {
    /// The number of the question that was being thought about.
    pub(crate) question: u64,
    /// What it said.
    pub(crate) what: Said,
}

/// What the engine said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// A line of play, or a message.
    Info(Box<Info>),
    /// Its answer.
    Best(BestMove),
}

/// A running engine. Dropped, it stops.
#[derive(Debug)]
pub(crate) struct Thinker {
    lines: Sender<String>,
    asked: u64,
}

impl Thinker {
    /// Starts an engine with some options, and returns what it says.
    pub(crate) fn start(options: &[(String, String)]) -> (Self, UnboundedReceiver<Heard>) {
        let (lines, orders) = channel();
        let (heard, ears) = unbounded_channel();
        thread::spawn(move || run(&orders, heard));
        let thinker = Self { lines, asked: 0 };
        for (name, value) in options {
            thinker.set(name, value);
        }
        (thinker, ears)
    }

    /// Sets an option.
    pub(crate) fn set(&self, name: &str, value: &str) {
        self.tell(format!("setoption name {name} value {value}"));
    }

    /// Asks a question, which gets the number that is returned. A search that is still under way is
    /// ended.
    pub(crate) fn ask(&mut self, position: &str, go: &str) -> u64 {
        self.tell(position.to_owned());
        self.tell(go.to_owned());
        self.asked += 1;
        self.asked
    }

    /// Ends the search with the best move so far.
    pub(crate) fn stop(&self) {
        self.tell("stop".to_owned());
    }

    /// The move that was pondered on has been played.
    pub(crate) fn ponder_hit(&self) {
        self.tell("ponderhit".to_owned());
    }

    /// Forgets the last game.
    pub(crate) fn new_game(&self) {
        self.tell("ucinewgame".to_owned());
    }

    fn tell(&self, line: String) {
        // The thread ends only after this sender.
        let _ = self.lines.send(line);
    }
}

/// Reads orders until nobody can give any more.
fn run(orders: &Receiver<String>, heard: UnboundedSender<Heard>) {
    let mut session = Session::new(Output::new(Ears { heard, question: 1, rest: vec![] }));
    for line in orders {
        session.run_line(&line);
    }
    session.stop();
    session.wait();
}

/// Turns the bytes of a session into what was said.
struct Ears {
    heard: UnboundedSender<Heard>,
    /// The question that is thought about, or that comes next.
    question: u64,
    /// The beginning of a line.
    rest: Vec<u8>,
}

impl Ears {
    fn hear(&mut self, line: &str) {
        let what = match Reply::parse(line) {
            Reply::Info(info) => Said::Info(info),
            Reply::BestMove(best) => Said::Best(best),
            _ => return,
        };
        let is_end = matches!(what, Said::Best(_));
        // A game that has ended does not listen any more.
        let _ = self.heard.send(Heard { question: self.question, what });
        self.question += u64::from(is_end);
    }
}

impl Write for Ears {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        while let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.hear(String::from_utf8_lossy(&line).trim_end());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(ears: &mut UnboundedReceiver<Heard>) -> (u64, BestMove) {
        loop {
            let heard = ears.blocking_recv().expect("the engine lives");
            if let Said::Best(best) = heard.what {
                return (heard.question, best);
            }
        }
    }

    #[test]
    fn answers_belong_to_their_questions() {
        let (mut thinker, mut ears) = Thinker::start(&[("Hash".to_owned(), "1".to_owned())]);
        let endless = thinker.ask("position startpos", "go infinite");
        let mate = thinker.ask("position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "go depth 3");
        assert_eq!((endless, mate), (1, 2));
        assert_eq!(answer(&mut ears).0, 1);
        let (question, best) = answer(&mut ears);
        assert_eq!((question, best.mv.unwrap().to_string().as_str()), (2, "g5g7"));
    }

    #[test]
    fn the_options_are_those_of_the_engine() {
        for name in ["Hash", "SearchMode", "Skill Level"] {
            assert!(option_specs().iter().any(|spec| spec.is_named(name)), "{name}");
        }
    }
}
