// SPDX-License-Identifier: GPL-3.0-or-later
//! Games in PGN's export format.
//!
//! The seven tags that every game has come first, then the others; lines of moves end before the
//! eightieth column. Reading the text gives the same game.

use std::fmt::{self, Write};

use super::{PgnGame, PgnLine, PgnNode};
use crate::{Board, Color};

/// Tags that every game has, and what stands for a value that is not known.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// The longest line of moves.
const WIDTH: usize = 79;

/// Writes the tags, a blank line, and the moves. A blank line must part it from another game.
///
/// A line of moves ends before a move that is not legal.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        let mut words = Words::default();
        words.line(&self.mainline, &self.start);
        words.push(self.result.to_string());
        words.write(f)
    }
}

impl PgnGame {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, unknown) in ROSTER {
            write_tag(f, name, self.tag(name).unwrap_or(unknown))?;
        }
        write_tag(f, "Result", &self.result.to_string())?;
        let is_told = self.tag("FEN").map_or(Ok(Board::default()), str::parse) == Ok(self.start);
        let is_written = |name: &str| {
            let is_roster = name == "Result" || ROSTER.iter().any(|(other, _)| *other == name);
            is_roster || !is_told && matches!(name, "FEN" | "SetUp")
        };
        for (name, value) in self.tags.iter().filter(|(name, _)| !is_written(name)) {
            write_tag(f, name, value)?;
        }
        if !is_told {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start.fen().to_string())?;
        }
        Ok(())
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for letter in value.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            '\n' | '\r' => f.write_char(' ')?,
            _ => f.write_char(letter)?,
        }
    }
    f.write_str("\"]\n")
}

/// What stands between blanks and may go to the next line.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    /// Whether the next word follows without a blank.
    is_glued: bool,
}

impl Words {
    fn push(&mut self, word: String) {
        match self.words.last_mut().filter(|_| self.is_glued) {
            Some(last) => last.push_str(&word),
            None => self.words.push(word),
        }
        self.is_glued = false;
    }

    fn line(&mut self, line: &PgnLine, start: &Board) {
        let mut board = *start;
        // Black's moves are numbered at the start of a line and after an interruption.
        let mut is_interrupted = true;
        self.comments(&line.comments);
        for node in &line.moves {
            let san = match node.mv {
                Some(mv) if board.is_legal(mv) => board.san(mv).to_string(),
                None if !board.in_check() => "--".to_owned(),
                _ => break,
            };
            let number = board.fullmove_number();
            match board.turn() {
                Color::White => self.push(format!("{number}.")),
                Color::Black if is_interrupted => self.push(format!("{number}...")),
                Color::Black => (),
            }
            self.push(san);
            is_interrupted = self.node(node, &board);
            match node.mv {
                Some(mv) => drop(board.play(mv)),
                None => board.play_null(),
            }
        }
    }

    /// Writes what is said about a move. Returns whether there is any text between it and the next.
    fn node(&mut self, node: &PgnNode, before: &Board) -> bool {
        node.nags.iter().for_each(|nag| self.push(format!("${nag}")));
        let is_commented = self.comments(&node.comments);
        for variation in &node.variations {
            self.push("(".to_owned());
            self.is_glued = true;
            self.line(variation, before);
            self.is_glued = true;
            self.push(")".to_owned());
        }
        is_commented || !node.variations.is_empty()
    }

    fn comments(&mut self, comments: &[String]) -> bool {
        let count = self.words.len();
        for comment in comments {
            let text = comment.replace('}', ")");
            let mut words = text.split_ascii_whitespace().peekable();
            if words.peek().is_none() {
                continue;
            }
            self.push("{".to_owned());
            self.is_glued = true;
            words.for_each(|word| self.push(word.to_owned()));
            self.is_glued = true;
            self.push("}".to_owned());
        }
        self.words.len() > count
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut column = 0;
        for word in &self.words {
            let width = word.chars().count();
            if column > 0 {
                let fits = column + 1 + width <= WIDTH;
                f.write_char(if fits { ' ' } else { '\n' })?;
                column = if fits { column + 1 } else { 0 };
            }
            f.write_str(word)?;
            column += width;
        }
        f.write_char('\n')
    }
}
