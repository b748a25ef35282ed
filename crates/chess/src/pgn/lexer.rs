// SPDX-License-Identifier: GPL-3.0-or-later
//! The text of moves cut into tokens.

use std::borrow::Cow;
use std::io::Read;

use super::reader::Detail;
use super::scanner::{Scanner, decode};
use crate::{GameResult, Outcome};

/// A piece of a game's text. Words are in [`Lexer::text`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// The end of the stream.
    End,
    /// A line with nothing on it.
    BlankLine,
    /// The `[` of a tag, not yet taken.
    Tag,
    /// A comment with its text.
    Comment,
    /// A comment that is not closed.
    OpenComment,
    /// `(`
    Open,
    /// `)`
    Close,
    /// A glyph, if its number is right.
    Nag(Option<u8>),
    /// A move's number.
    Number(u32),
    /// A move's text.
    Move,
    /// The game's end.
    Result(GameResult),
    /// Text that means nothing.
    Unexpected,
}

/// Cuts text into tokens.
pub(super) struct Lexer<R> {
    pub(super) scanner: Scanner<R>,
    detail: Detail,
    bytes: Vec<u8>,
    /// Only blanks since the line began.
    is_line_start: bool,
    /// Whether a `[` opens a tag also within a line.
    pub(super) expects_tags: bool,
}

/// Longer words are cut: no move is as long.
const MAX_WORD: usize = 80;

impl<R: Read> Lexer<R> {
    pub(super) fn new(reader: R, detail: Detail) -> Self {
        Self {
            scanner: Scanner::new(reader),
            detail,
            bytes: Vec::new(),
            is_line_start: true,
            expects_tags: true,
        }
    }

    /// The text of the last token.
    pub(super) fn text(&self) -> String {
        decode(&self.bytes)
    }

    /// The text of the last token, without a copy if it is UTF-8, as all moves are.
    pub(super) fn word(&self) -> Cow<'_, str> {
        str::from_utf8(&self.bytes).map_or_else(|_| decode(&self.bytes).into(), Cow::Borrowed)
    }

    pub(super) fn next(&mut self) -> Token {
        loop {
            let Some(byte) = self.scanner.peek() else { return Token::End };
            match byte {
                b'\n' | b'\r' => {
                    self.scanner.take_line_break();
                    if std::mem::replace(&mut self.is_line_start, true) {
                        return Token::BlankLine;
                    }
                }
                b'%' if self.is_line_start => self.skip_line(),
                0..=b' ' | 0x7f => self.scanner.bump(),
                0xef if self.scanner.starts_with(b"\xef\xbb\xbf") => self.scanner.skip(3),
                b'.' | b'}' | b']' => self.take(),
                b'[' if self.is_tag() => {
                    // Whatever follows the tag is not at the line's start.
                    self.is_line_start = false;
                    return Token::Tag;
                }
                _ => {
                    self.is_line_start = false;
                    if let Some(token) = self.read_token(byte) {
                        return token;
                    }
                }
            }
        }
    }

    fn read_token(&mut self, first: u8) -> Option<Token> {
        self.bytes.clear();
        Some(match first {
            b'{' => self.read_comment(),
            b';' => self.read_line_comment(),
            b'(' => {
                self.take();
                Token::Open
            }
            b')' => {
                self.take();
                Token::Close
            }
            b'*' => {
                self.take();
                Token::Result(GameResult(None))
            }
            b'$' => {
                self.keep_while(|byte| byte.is_ascii_digit());
                Token::Nag(self.word()[1..].parse().ok())
            }
            b'!' | b'?' => {
                self.keep_while(|byte| matches!(byte, b'!' | b'?'));
                Token::Nag(mark(&self.bytes))
            }
            b'[' => {
                self.keep_while(|byte| !matches!(byte, b']' | b'\n' | b'\r'));
                Token::Unexpected
            }
            _ => return self.read_word(),
        })
    }

    /// A `[` at the start of a line opens a tag, also if the last game has no result.
    fn is_tag(&mut self) -> bool {
        let is_name = self.scanner.peek_at(1).is_some_and(|byte| byte.is_ascii_alphabetic());
        self.expects_tags || self.is_line_start && is_name
    }

    fn take(&mut self) {
        self.is_line_start = false;
        self.scanner.bump();
    }

    fn keep(&mut self) {
        if let Some(byte) = self.scanner.peek() {
            if self.bytes.len() < MAX_WORD {
                self.bytes.push(byte);
            }
            self.scanner.bump();
        }
    }

    /// Takes bytes into the word. At least one, so that the stream always goes on.
    fn keep_while(&mut self, is_part: impl Fn(u8) -> bool) {
        self.keep();
        while self.scanner.peek().is_some_and(&is_part) {
            self.keep();
        }
    }

    fn skip_line(&mut self) {
        while self.scanner.peek().is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
            self.scanner.bump();
        }
        self.scanner.take_line_break();
    }

    /// Adds a byte of a comment, any run of blanks as one.
    fn keep_comment(&mut self, byte: u8) {
        if self.detail == Detail::Mainline {
            return;
        }
        if !byte.is_ascii_whitespace() {
            self.bytes.push(byte);
        } else if !matches!(self.bytes.last(), None | Some(b' ')) {
            self.bytes.push(b' ');
        }
    }

    fn end_comment(&mut self) {
        if self.bytes.last() == Some(&b' ') {
            self.bytes.pop();
        }
    }

    fn read_comment(&mut self) -> Token {
        self.scanner.bump();
        let mut blank_lines = 0;
        loop {
            let Some(byte) = self.scanner.peek() else {
                self.end_comment();
                return Token::OpenComment;
            };
            if byte == b'}' {
                self.scanner.bump();
                self.end_comment();
                return Token::Comment;
            }
            self.keep_comment(byte);
            if !self.scanner.take_line_break() {
                self.scanner.bump();
                blank_lines = if byte.is_ascii_whitespace() { blank_lines } else { 0 };
                continue;
            }
            blank_lines += 1;
            // A comment that has not been closed must not swallow the games that follow.
            if blank_lines > 1 && self.scanner.starts_with(b"[Event \"") {
                self.is_line_start = true;
                self.end_comment();
                return Token::OpenComment;
            }
        }
    }

    fn read_line_comment(&mut self) -> Token {
        self.scanner.bump();
        while let Some(byte) = self.scanner.peek().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
            // Such a comment is written between braces later.
            self.keep_comment(if byte == b'}' { b')' } else { byte });
            self.scanner.bump();
        }
        self.end_comment();
        Token::Comment
    }

    fn read_word(&mut self) -> Option<Token> {
        let is_digit = |byte: u8| byte.is_ascii_digit();
        self.keep_while(is_word);
        if self.scanner.peek() == Some(b'(') && self.is_promotion() {
            (0..3).for_each(|_| self.keep());
        }
        let digits = self.bytes.iter().take_while(|&&byte| is_digit(byte)).count();
        if digits > 0 && matches!(self.bytes.get(digits), None | Some(b'.')) {
            let number = str::from_utf8(&self.bytes[..digits]).ok()?.parse().unwrap_or(u32::MAX);
            let dots = self.bytes[digits..].iter().take_while(|&&byte| byte == b'.').count();
            self.bytes.drain(..digits + dots);
            return Some(if self.bytes.is_empty() { Token::Number(number) } else { Token::Move });
        }
        if !self.bytes[0].is_ascii_alphabetic() {
            let text = self.text();
            if let Some(token) = read_result(&text).map(Token::Result).or_else(|| symbol(&text)) {
                return Some(token);
            }
        }
        (!matches!(self.bytes.as_slice(), b"e.p." | b"ep")).then_some(Token::Move)
    }

    /// Whether a promotion in parentheses follows, as in `a8(Q)`.
    fn is_promotion(&mut self) -> bool {
        matches!(self.bytes.last(), Some(b'1' | b'8'))
            && matches!(self.scanner.peek_at(1), Some(b'Q' | b'R' | b'B' | b'N'))
            && self.scanner.peek_at(2) == Some(b')')
    }
}

fn is_word(byte: u8) -> bool {
    byte > b' '
        && !matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'!' | b'?' | b'*' | 0x7f
        )
}

/// A result, also as people write it.
fn read_result(text: &str) -> Option<GameResult> {
    let text = text.replace(['–', '—', '−'], "-").replace('½', "1/2");
    match text.as_str() {
        "1/2" => Some(Outcome::Draw.into()),
        "*" => None,
        text => text.parse().ok(),
    }
}

/// The number of a traditional mark.
fn mark(bytes: &[u8]) -> Option<u8> {
    let marks: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];
    marks.iter().position(|mark| *mark == bytes).map(|index| index as u8 + 1)
}

/// A sign of evaluation as books print it.
fn symbol(text: &str) -> Option<Token> {
    Some(Token::Nag(Some(match text {
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" => 18,
        "-+" => 19,
        _ => return None,
    })))
}
