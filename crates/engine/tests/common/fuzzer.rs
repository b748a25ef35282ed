// SPDX-License-Identifier: GPL-3.0-or-later
//! Bursts of odd UCI lines against a session, and what must hold after each.
//!
//! Lines come from a grammar and are then damaged. After a burst, `stop` and `isready` are sent:
//! `readyok` must come, and exactly one `bestmove` for each `go`. Now and then the input ends
//! instead, and the session must end too.

use std::io::{BufReader, Read};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::{Console, Memory, Output, UciSession};
use uci::Command;

/// Whatever takes longer hangs, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bursts until the input ends and a new session begins.
const SESSION_BURSTS: u64 = 40;

/// The burst under way, for whoever reports a panic.
pub(crate) static BURST: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs bursts while `goes_on` says so, given their number; says what went wrong.
pub(crate) fn run(seed: u64, mut goes_on: impl FnMut(u64) -> bool) -> Result<u64, String> {
    let mut random = Random(seed);
    let mut bursts = 0;
    while goes_on(bursts) {
        let mut conversation = Conversation::start();
        for _ in 0..SESSION_BURSTS {
            if !goes_on(bursts) {
                break;
            }
            conversation.burst(&mut random)?;
            bursts += 1;
        }
        conversation.end(&mut random)?;
    }
    Ok(bursts)
}

/// A session that reads from us.
struct Conversation {
    input: Option<Sender<Vec<u8>>>,
    session: JoinHandle<()>,
    output: Memory,
    /// Answers that are due: best moves and `readyok`.
    due: Counts,
    came: Counts,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    best_moves: usize,
    ready: usize,
}

impl Conversation {
    fn start() -> Self {
        let (input, lines) = channel();
        let (sink, output) = Output::to_memory();
        let session = thread::spawn(move || {
            UciSession::new(sink).run(BufReader::new(Pipe { lines, rest: vec![] }));
        });
        let (due, came) = (Counts::default(), Counts::default());
        Self { input: Some(input), session, output, due, came }
    }

    fn burst(&mut self, random: &mut Random) -> Result<(), String> {
        self.send_lines(random)?;
        self.send(b"stop".to_vec())?;
        self.send(b"isready".to_vec())?;
        self.settle()?;
        // Nothing may come after it, not even a second best move.
        self.send(b"isready".to_vec())?;
        self.settle()
    }

    fn send_lines(&mut self, random: &mut Random) -> Result<(), String> {
        lock_burst().clear();
        for _ in 0..=random.below(10) {
            let line = damaged_line(random);
            if is_allowed(&String::from_utf8_lossy(&line)) {
                self.send(line)?;
            }
            if random.below(4) == 0 {
                thread::sleep(Duration::from_micros(random.below(3_000) as u64));
            }
        }
        Ok(())
    }

    fn send(&mut self, mut line: Vec<u8>) -> Result<(), String> {
        let text = String::from_utf8_lossy(&line).into_owned();
        match Command::parse(&text).map(|parsed| parsed.command) {
            Ok(Command::Go(go)) if go.perft.is_none() => self.due.best_moves += 1,
            Ok(Command::IsReady) => self.due.ready += 1,
            _ => (),
        }
        lock_burst().push(text);
        line.push(b'\n');
        let sent = self.input.as_ref().is_some_and(|input| input.send(line).is_ok());
        if sent { Ok(()) } else { Err(finding("the session has ended")) }
    }

    /// Waits until everything that is due has come, and not more.
    fn settle(&mut self) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.count_answers();
            let is_too_many =
                self.came.best_moves > self.due.best_moves || self.came.ready > self.due.ready;
            let (due, came) = (self.due, self.came);
            if is_too_many {
                return Err(finding(&format!("{due:?} due, {came:?} came")));
            }
            if came == due {
                return Ok(());
            }
            if Instant::now() > deadline || self.session.is_finished() {
                return Err(finding(&format!("{due:?} due, only {came:?} came")));
            }
            thread::sleep(Duration::from_micros(200));
        }
    }

    fn count_answers(&mut self) {
        for line in self.output.take().lines() {
            self.came.best_moves += usize::from(line.starts_with("bestmove "));
            self.came.ready += usize::from(line == "readyok");
        }
    }

    /// Ends the input in the middle of anything.
    fn end(mut self, random: &mut Random) -> Result<(), String> {
        self.send_lines(random)?;
        drop(self.input.take());
        let deadline = Instant::now() + PATIENCE;
        while !self.session.is_finished() {
            if Instant::now() > deadline {
                return Err(finding("no end after the end of input"));
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.count_answers();
        if self.session.join().is_err() {
            return Err(finding("the session panicked"));
        }
        let (due, came) = (self.due, self.came);
        if due == came {
            Ok(())
        } else {
            Err(finding(&format!("{due:?} due, {came:?} came at the end")))
        }
    }
}

fn lock_burst() -> std::sync::MutexGuard<'static, Vec<String>> {
    BURST.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn finding(what: &str) -> String {
    format!("{what} after {:#?}", *lock_burst())
}

/// Lines as a stream of bytes.
struct Pipe {
    lines: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.lines.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Whether a line does not end the conversation, take minutes by its nature, write files or take
/// the machine's memory.
fn is_allowed(line: &str) -> bool {
    match Console::parse(line) {
        Some(Ok(console)) => is_quick(&console),
        Some(Err(_)) => true,
        None => is_harmless(line),
    }
}

const fn is_quick(console: &Console) -> bool {
    match console {
        Console::Perft(depth) | Console::Divide(depth) => *depth <= 3,
        Console::Bench(_) | Console::SpeedTest { .. } | Console::GenFens(_) | Console::Wait => {
            false
        }
        _ => true,
    }
}

fn is_harmless(line: &str) -> bool {
    let Ok(parsed) = Command::parse(line) else { return true };
    match parsed.command {
        Command::Quit => false,
        Command::Go(go) => go.perft.is_none_or(|depth| depth <= 3),
        Command::SetOption(set) => {
            let name = set.name.to_ascii_lowercase();
            let number: i64 = set.value.as_deref().unwrap_or_default().trim().parse().unwrap_or(0);
            match name.as_str() {
                "hash" => number <= 64 || number > 1 << 25,
                "hashbits" => number <= 22,
                "threads" => number <= 8,
                _ => !name.contains("log"),
            }
        }
        _ => true,
    }
}

/// A line from the grammar, often damaged.
fn damaged_line(random: &mut Random) -> Vec<u8> {
    let mut line = grammatical_line(random).into_bytes();
    let damages = [0, 0, 0, 1, 1, 3][random.below(6)];
    for _ in 0..damages {
        let at = random.below(line.len() + 1);
        match random.below(8) {
            0 => line.truncate(at),
            1 => line.insert(at, random.below(256) as u8),
            2 if at < line.len() => line[at] ^= 1 << random.below(8),
            3 if at < line.len() => drop(line.remove(at)),
            4 => line.splice(at..at, *b"  \t ").for_each(drop),
            5 => line.extend(grammatical_line(random).into_bytes()),
            6 => line.make_ascii_uppercase(),
            _ => {
                let more = line[at..].to_vec();
                line.extend(more);
            }
        }
    }
    line.retain(|&byte| byte != b'\n');
    line
}

const WORDS: [&str; 30] = [
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "debug on",
    "debug off",
    "register later",
    "d",
    "eval",
    "legal",
    "forcing",
    "moveorder",
    "hashstats",
    "searchstats",
    "lookup",
    "flip",
    "help",
    "version",
    "tree",
    "tunables",
    "perft 2",
    "divide 2",
    "go perft 2",
    "moves e2e4 e7e5",
    "",
    "xboard",
    "# comment",
    "go",
    "joho debug on",
];

const FENS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/8/6K1/8/8/8/8/R7 w - - 99 90",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "R6k/8/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/8/8/k1K5 b - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    "4k3/pppppppp/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "7k/8/8/8/8/8/Q7/K7 w - - 150 9999",
];

const MOVES: [&str; 16] = [
    "e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8", "e1g1", "e1h1", "0000", "a7a8q", "h1g1", "Nf3",
    "O-O", "a1a8", "zzzz", "e1c1",
];

const OPTIONS: [&str; 16] = [
    "Hash value 1",
    "Hash value 17",
    "Hash value 999999999",
    "Threads value 1",
    "Threads value 3",
    "Threads value 0",
    "Clear Hash",
    "MultiPV value 1",
    "MultiPV value 500",
    "Ponder value true",
    "UCI_Chess960 value true",
    "UCI_ShowWDL value true",
    "Minimal value true",
    "Minimal value false",
    "NoSuchOption value 5",
    "Move Overhead value 10000",
];

const GO_PARTS: [&str; 15] = [
    "infinite",
    "ponder",
    "depth",
    "nodes",
    "softnodes",
    "softtime",
    "movetime",
    "mate",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "searchmoves",
    "perft 1",
];

const NUMBERS: [&str; 10] =
    ["0", "1", "2", "5", "30", "1000", "-5", "99999999999", "18446744073709551616", "abc"];

fn grammatical_line(random: &mut Random) -> String {
    match random.below(10) {
        0..=2 => WORDS[random.below(WORDS.len())].to_owned(),
        3 => format!("setoption name {}", OPTIONS[random.below(OPTIONS.len())]),
        4 => format!("position startpos{}", move_list(random)),
        5 | 6 => format!("position fen {}{}", FENS[random.below(FENS.len())], move_list(random)),
        _ => go_line(random),
    }
}

fn move_list(random: &mut Random) -> String {
    if random.below(2) == 0 {
        return String::new();
    }
    let moves: Vec<&str> =
        (0..random.below(12)).map(|_| MOVES[random.below(MOVES.len())]).collect();
    format!(" moves {}", moves.join(" "))
}

fn go_line(random: &mut Random) -> String {
    let mut line = "go".to_owned();
    for _ in 0..random.below(4) {
        let part = GO_PARTS[random.below(GO_PARTS.len())];
        line.push(' ');
        line.push_str(part);
        match part {
            "infinite" | "ponder" | "perft 1" => (),
            "searchmoves" => {
                for _ in 0..random.below(4) {
                    line.push(' ');
                    line.push_str(MOVES[random.below(MOVES.len())]);
                }
            }
            _ => {
                line.push(' ');
                line.push_str(NUMBERS[random.below(NUMBERS.len())]);
            }
        }
    }
    line
}

/// The `SplitMix64` generator.
struct Random(u64);

impl Random {
    /// A number from 0 to `limit - 1`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}
