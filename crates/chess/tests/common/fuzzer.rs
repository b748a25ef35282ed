// SPDX-License-Identifier: GPL-3.0-or-later
//! A fuzzer without instruments: it damages sound text at random and lets a check look at it. Text
//! that is accepted is damaged further, so that the fuzzer gets away from its seeds.

use std::any::Any;
use std::panic;

use crate::checks;
use crate::common::Random;

/// What is fuzzed: a reader with its check, text that it accepts, and words of its language.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) check: fn(&str) -> bool,
    seeds: &'static [&'static str],
    words: &'static [&'static str],
}

pub(crate) const TARGETS: [Target; 5] = [
    Target { name: "fen", check: checks::fen, seeds: FENS, words: POSITION_WORDS },
    Target { name: "san", check: checks::san, seeds: SANS, words: MOVE_WORDS },
    Target { name: "epd", check: checks::epd, seeds: EPDS, words: EPD_WORDS },
    Target { name: "pgn", check: checks::pgn, seeds: PGNS, words: PGN_WORDS },
    Target { name: "uci", check: checks::uci, seeds: UCI_LINES, words: UCI_WORDS },
];

const FENS: &[&str] = &[
    chess::STARTING,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "8/8/8/8/8/8/8/rR1K3k w Q - 65535 4294967295",
    "4k3/8/8/8/8/8/8/4K3 w - -7 30",
    "QQQQQQQQ/8/8/QQQQQQQQ/8/k7/8/K7 b - -",
];

const SANS: &[&str] = &[
    "Nf3",
    "e2-e4!?",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nO-O-O+",
    "8/P6k/8/8/8/8/8/K7 w - - 0 1\na8=Q",
    "8/P6k/8/8/8/8/8/K7 w - - 0 1\na8(N)#",
    "6k1/8/8/8/Q6Q/8/8/QK6 w - - 0 1\nQa4xd4",
    "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1\nexd5 e.p.",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1\nf1g1",
];

const EPDS: &[&str] = &[
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; am a4 Kh1; id \"WAC.001\";",
    "6k1/5ppp/8/8/8/8/8/K2R4 w - - acd 12; ce -250; dm 1; pv Rd8#; c9 \"1-0\"; hmvc 7; fmvn 31;",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - ;D1 14 ;D2 191 ;D3 2812",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1 | 35 | 0.5",
];

const PGNS: &[&str] = &[
    "[Event \"F/S \\\"Return\\\" Match\"]\n[White \"Fischer\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 \
     Nc6 3. Bb5 {This opening is called the Ruy Lopez.} a6 4. Ba4 $14 Nf6 ; to the end\n5. O-O \
     (5. d3 b5 (5... d6 6. c3) 6. Bb3) 5... Be7 1/2-1/2\n",
    "[SetUp \"1\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 b - - 0 30\"]\n\n30... Kg7?! 31. a8=Q!! {[%eval #5] \
     [%clk 0:00:05]} 1-0\n\n[White \"B\"]\n\n1.d4 d5 2.c4 *\n",
    "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\
     \n9. O-O {+0.35/12 0.1s} O-O 0-1",
    "% escaped\n1. e4 Z0 2. -- e.p. <reserved>\n\n\n{only a comment} *",
];

const UCI_LINES: &[&str] = &[
    "setoption name SyzygyPath value C:\\my tables;D:\\x",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5 a7a8q",
    "go ponder wtime 60000 btime -20 winc 100 binc 100 movestogo 40 searchmoves e2e4 d2d4",
    "go depth 12 nodes 5000 mate 3 movetime 100 infinite perft 5 softnodes 7 softtime 8",
    "register name Stefan MK code 4359874324",
    "genfens 16 seed 12345 book None frc",
    "option name Style type combo default Semi Solid var Solid var Semi Solid",
    "option name Hash type spin default 16 min 1 max 1024",
    "info depth 20 seldepth 31 multipv 1 score cp -35 upperbound wdl 100 700 200 nodes 1000000",
    "info nps 900000 hashfull 412 time 1111 currmove e2e4 currmovenumber 3 pv e2e4 e7e5",
    "info score mate -3 lowerbound string hello  world",
    "bestmove e2e4 ponder e7e5",
];

const POSITION_WORDS: &[&str] = &[
    "k", "K", "Q", "q", "r", "R", "p", "P", "8", "/", "//", " w ", " b ", " - ", "KQkq", "HAha",
    "e3", "d6", "pppppppp", "QQQQQQQQ", "NNNNNNNN", " 0 1",
];

const MOVE_WORDS: &[&str] = &[
    "x", "=", "(Q)", "=N", "O-O", "0-0-0", "+", "#", "!?", "-", "e8", "a1", "N", "K", "e.p.", "--",
    "\n", "Z0", "@", "h1h8",
];

const EPD_WORDS: &[&str] = &[
    ";", "\"", " bm ", " am ", " dm ", " id ", " c0 ", " hmvc ", " fmvn ", " pv ", " - ", "Qg6",
    "e2e4", "|", "# ", ",", " 0 1", "[0.5]",
];

const PGN_WORDS: &[&str] = &[
    "[",
    "]",
    "\"",
    "\\",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "\n",
    "\n\n",
    "$",
    "$255",
    "1.",
    "1...",
    "*",
    "1-0",
    "1/2-1/2",
    "O-O",
    "e4",
    "Nf3",
    "!?",
    "[FEN \"",
    "[Variant \"",
    "<",
    ">",
    "--",
    "\r",
    "\u{feff}",
    " ( ( ( ",
];

const UCI_WORDS: &[&str] = &[
    "position ",
    "startpos ",
    " moves ",
    "go ",
    "setoption ",
    " name ",
    " value ",
    " type ",
    " default ",
    " var ",
    "<empty>",
    "info ",
    "string ",
    " score ",
    " cp ",
    " mate ",
    "e2e4",
    "0000",
    "\n",
    "\t",
];

/// Numbers at and beyond the limits of machine integers.
const NUMBERS: &[&str] = &[
    "-1",
    "0",
    "1.5",
    "+7",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "99999999999999999999999",
];

/// How a run went.
#[derive(Default, Debug)]
pub(crate) struct Report {
    pub(crate) runs: u64,
    pub(crate) accepted: u64,
    pub(crate) findings: Vec<Finding>,
}

/// Text on which a check panicked.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) text: String,
    pub(crate) message: String,
}

impl Finding {
    fn new(text: &str, panic: &(dyn Any + Send)) -> Self {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref().copied()).unwrap_or_default();
        Self { text: text.to_owned(), message: message.to_owned() }
    }
}

/// Texts that were accepted are kept up to this number.
const POOL: usize = 4096;
/// Longer text only costs time.
const LONGEST: usize = 4096;

impl Target {
    /// Checks damaged texts as long as `goes_on` says so after this many runs, or until the tenth
    /// finding.
    pub(crate) fn fuzz(&self, seed: u64, mut goes_on: impl FnMut(u64) -> bool) -> Report {
        let mut random = Random::new(seed);
        let mut pool: Vec<Vec<u8>> =
            self.seeds.iter().map(|text| text.as_bytes().to_vec()).collect();
        let mut report = Report::default();
        while goes_on(report.runs) && report.findings.len() < 10 {
            report.runs += 1;
            let bytes = self.damaged(&pool, &mut random);
            let text = String::from_utf8_lossy(&bytes);
            match panic::catch_unwind(|| (self.check)(&text)) {
                Ok(false) => (),
                Ok(true) => {
                    report.accepted += 1;
                    keep(&mut pool, bytes, self.seeds.len(), &mut random);
                }
                Err(panic) => report.findings.push(Finding::new(&text, &*panic)),
            }
        }
        report
    }

    fn damaged(&self, pool: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
        let any = |random: &mut Random| random.pick(pool).cloned().unwrap_or_default();
        let mut text = any(random);
        for _ in 0..=random.below(5) {
            let at = random.below(text.len() + 1);
            let removed = at..(at + random.below(8)).min(text.len());
            let one = at..(at + 1).min(text.len());
            match random.below(9) {
                0 => drop(text.splice(at..at, word(self.words, random))),
                1 => drop(text.splice(removed, word(self.words, random))),
                2 => drop(text.splice(one, [b' ' + random.below(95) as u8])),
                3 => drop(text.drain(removed)),
                4 => repeat(&mut text, removed, random),
                5 => drop(text.splice(at.., any(random).into_iter().skip(at))),
                6 => replace_number(&mut text, at, random),
                7 => swap_words(&mut text, random),
                _ => drop(text.splice(one, [random.next() as u8])),
            }
        }
        text.truncate(LONGEST);
        text
    }
}

/// Adds to the pool, or replaces something other than a seed once it is full.
fn keep(pool: &mut Vec<Vec<u8>>, text: Vec<u8>, seeds: usize, random: &mut Random) {
    if pool.len() < POOL {
        pool.push(text);
    } else {
        let at = seeds + random.below(POOL - seeds);
        pool[at] = text;
    }
}

fn word(words: &[&'static str], random: &mut Random) -> impl Iterator<Item = u8> + use<> {
    random.pick(words).copied().unwrap_or_default().bytes()
}

fn repeat(text: &mut Vec<u8>, range: std::ops::Range<usize>, random: &mut Random) {
    let times = if random.one_in(16) { 200 } else { 1 + random.below(3) };
    let copies = text[range.clone()].repeat(times);
    text.splice(range.start..range.start, copies);
}

/// Replaces the first run of digits from `at` on.
fn replace_number(text: &mut Vec<u8>, at: usize, random: &mut Random) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    if let Some(start) = text[at..].iter().position(is_digit).map(|offset| at + offset) {
        let length = text[start..].iter().take_while(|byte| is_digit(byte)).count();
        text.splice(start..start + length, word(NUMBERS, random));
    }
}

fn swap_words(text: &mut Vec<u8>, random: &mut Random) {
    let mut words: Vec<&[u8]> = text.split(|&byte| byte == b' ').collect();
    let [one, other] = [(); 2].map(|()| random.below(words.len()));
    words.swap(one, other);
    *text = words.join(&b' ');
}
