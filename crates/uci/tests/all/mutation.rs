// SPDX-License-Identifier: GPL-3.0-or-later
//! Randomly damaged lines: nothing panics, and what was read prints to a line that reads the same.

use uci::{Command, InfoLine, OptionSpec, Reply};

const ROUNDS: u32 = 50_000;

/// Sound lines of both directions, to be damaged.
const SEEDS: [&str; 24] = [
    "uci",
    "debug on",
    "setoption name Clear Hash",
    "setoption name SyzygyPath value C:\\my tables;D:\\x",
    "register name Stefan MK code 4359874324",
    "position startpos moves e2e4 e7e5 a7a8q",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
    "go ponder wtime 60000 btime -20 winc 100 binc 100 movestogo 40",
    "go depth 12 nodes 5000 mate 3 movetime 100 infinite searchmoves e2e4 d2d4",
    "go perft 5 softnodes 5000 softtime 99999999999999999999",
    "genfens 16 seed 12345 book None frc",
    "bench 13",
    "perft 5",
    "moves e2e4 e7e5",
    "id name Quincunx 0.1",
    "option name Ponder type check default false",
    "option name Hash type spin default 16 min 1 max 1024",
    "option name Style type combo default Semi Solid var Solid var Semi Solid",
    "option name Book type string default <empty>",
    "info depth 20 seldepth 31 multipv 1 score cp -35 upperbound wdl 100 700 200 nodes 1000000",
    "info nps 900000 hashfull 412 tbhits 0 time 1111 currmove e2e4 currmovenumber 3 pv e2e4 e7e5",
    "info score mate -3 lowerbound string hello  world",
    "bestmove e2e4 ponder e7e5",
    "registration checking",
];

/// Pieces that are likely to confuse a reader.
const PIECES: [&str; 18] = [
    " ",
    "\t",
    "\r",
    "\n",
    "-1",
    "0",
    "99999999999999999999",
    "1.5",
    "value",
    "name",
    "type",
    "var",
    "default",
    "moves",
    "é",
    "\u{0}",
    "<empty>",
    "string",
];

/// Marsaglia's xorshift: enough to stir lines, the same on every run.
struct Xorshift(u64);

impl Xorshift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

/// Removes, doubles, replaces or inserts a few characters, words or pieces.
fn damage(line: &str, random: &mut Xorshift) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    for _ in 0..random.below(5) {
        let at = random.below(chars.len() + 1);
        let piece = match random.below(5) {
            0 => random.pick(&PIECES).to_owned(),
            1 => format!(" {} ", random.pick(&PIECES)),
            2 => format!(" {} ", random.pick(&SEEDS)),
            3 => char::from_u32(random.next() as u32 % 0x300).unwrap_or(' ').to_string(),
            _ => String::new(),
        };
        let removed = random.below(4).min(chars.len() - at);
        chars.splice(at..at + removed, piece.chars());
    }
    chars.into_iter().collect()
}

fn check_command(line: &str) {
    let Ok(parsed) = Command::parse(line) else { return };
    let printed = parsed.command.to_string();
    assert!(!printed.contains(['\n', '\r']), "{line:?}");
    let again = Command::parse(&printed).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    assert_eq!(again.command, parsed.command, "{line:?}");
    assert_eq!(again.warnings, [], "{line:?}");
}

fn check_reply(line: &str) {
    let reply = Reply::parse(line);
    let printed = reply.to_string();
    assert!(!printed.contains(['\n', '\r']), "{line:?}");
    assert_eq!(Reply::parse(&printed), reply, "{line:?}");
    if let Reply::Info(info) = reply {
        assert_eq!(InfoLine::parse(&printed), Ok((*info, vec![])), "{line:?}");
    }
}

fn check_value(spec: &OptionSpec, text: &str) {
    if let Ok(accepted) = spec.parse_value(text) {
        let again = spec.parse_value(&accepted.value.to_string()).unwrap();
        assert_eq!(again.value, accepted.value, "{text:?}");
        assert_eq!(again.warning, None, "{text:?}");
    }
}

#[test]
fn damaged_lines_never_panic_and_round_trip() {
    let mut random = Xorshift(0x5175_696e_6375_6e78);
    let specs: Vec<OptionSpec> = SEEDS.iter().filter_map(|seed| seed.parse().ok()).collect();
    assert_eq!(specs.len(), 4);
    for _ in 0..ROUNDS {
        let seed = random.pick(&SEEDS);
        let line = damage(seed, &mut random);
        check_command(&line);
        check_reply(&line);
        check_value(&specs[random.below(specs.len())], &line);
    }
}

#[test]
fn noise_never_panics() {
    let mut random = Xorshift(42);
    for _ in 0..ROUNDS {
        let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.next() as u8).collect();
        let line = String::from_utf8_lossy(&bytes);
        check_command(&line);
        check_reply(&line);
    }
}
