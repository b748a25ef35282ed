// SPDX-License-Identifier: GPL-3.0-or-later
//! The main lines of PGN games as openings.

use std::io::{self, BufRead};

use chess::Move;

use super::{Book, parse_start};

/// Adds the games of a file, each cut to at most `plies`, to a book.
pub(super) fn read(reader: impl BufRead, plies: Option<usize>, book: &mut Book) -> io::Result<()> {
    let mut game = Game::default();
    let mut number = 0;
    for line in reader.lines() {
        let line = line?;
        let line = line.trim_start_matches('\u{feff}');
        if line.starts_with('[') && !game.is_in_comment {
            if game.has_moves {
                number += 1;
                std::mem::take(&mut game).finish(number, plies, book);
            }
            game.read_tag(line);
        } else if !line.starts_with('%') {
            game.read_moves(line);
        }
    }
    if game.has_moves {
        game.finish(number + 1, plies, book);
    }
    Ok(())
}

/// A game as far as it was read.
#[derive(Default)]
struct Game {
    fen: Option<String>,
    words: Vec<String>,
    has_moves: bool,
    is_in_comment: bool,
    variations: usize,
}

impl Game {
    fn read_tag(&mut self, line: &str) {
        if let Some(value) = line.strip_prefix("[FEN \"") {
            self.fen = value.split('"').next().map(str::to_owned);
        }
    }

    fn read_moves(&mut self, line: &str) {
        let mut word = String::new();
        for letter in line.chars().chain(['\n']) {
            if self.is_in_comment {
                self.is_in_comment = letter != '}';
                continue;
            }
            let is_mark = matches!(letter, '{' | '(' | ')' | ';');
            if !is_mark && !letter.is_whitespace() {
                word.push(letter);
                continue;
            }
            self.take_word(&mut word);
            match letter {
                '{' => self.is_in_comment = true,
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                ';' => return,
                _ => {}
            }
        }
    }

    /// Keeps a word that may be a move: not a number, annotation or result.
    fn take_word(&mut self, word: &mut String) {
        let text = std::mem::take(word);
        if text.is_empty() {
            return;
        }
        self.has_moves = true;
        let is_result = matches!(text.as_str(), "1-0" | "0-1" | "1/2-1/2" | "*");
        let is_castling = text.starts_with("0-0");
        let san = if is_castling {
            text.as_str()
        } else {
            text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
        };
        if self.variations == 0 && !is_result && !san.is_empty() && !san.starts_with('$') {
            self.words.push(san.to_owned());
        }
    }

    fn finish(self, number: usize, plies: Option<usize>, book: &mut Book) {
        let start = match parse_start(self.fen.as_deref()) {
            Ok(start) => start,
            Err(error) => return book.skip(number, &error),
        };
        let mut board = start;
        let mut moves: Vec<Move> = Vec::new();
        for word in self.words.iter().take(plies.unwrap_or(usize::MAX)) {
            match board.parse_san(word) {
                Ok(mv) => {
                    board.play(mv);
                    moves.push(mv);
                }
                Err(error) => return book.skip(number, &error),
            }
        }
        book.push(number, &start, &moves);
    }
}
