// SPDX-License-Identifier: GPL-3.0-or-later
//! One game after the other.

use std::fmt;
use std::io::{self, Read};

use super::builder::{Builder, MAX_ERRORS};
use super::game::start_position;
use super::lexer::{Lexer, Token};
use super::tag::read_tag;
use super::{PgnError, PgnErrorKind, PgnGame, Place};
use crate::{Board, GameResult};

/// How much of a game is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Everything.
    #[default]
    Full,
    /// Tags, the moves that were played, and the result.
    Mainline,
}

/// Reads games from a stream, one at a time.
///
/// Yields an [`io::Error`] if the stream fails, and nothing after that. Faults of the text are in
/// each game's [`errors`](PgnGame::errors). The stream needs no buffer of its own.
pub struct PgnReader<R> {
    lexer: Lexer<R>,
    detail: Detail,
    games: usize,
    /// A token of the next game.
    waiting: Option<Token>,
    /// A tag of the next game.
    waiting_tag: Option<(String, String)>,
}

impl<R: Read> PgnReader<R> {
    /// A reader of everything.
    pub fn new(reader: R) -> Self {
        Self::with_detail(reader, Detail::Full)
    }

    /// A reader that leaves out variations, comments and glyphs, for books and statistics.
    ///
    /// ```
    /// use chess::pgn::PgnReader;
    /// let text = "1. e4 {best} (1. d4 d5) e5 $1 1-0";
    /// let game = PgnReader::mainline(text.as_bytes()).next().unwrap().unwrap();
    /// assert_eq!(game.mainline.moves.len(), 2);
    /// assert!(game.mainline.moves[0].comments.is_empty());
    /// assert_eq!(game.result.to_string(), "1-0");
    /// ```
    pub fn mainline(reader: R) -> Self {
        Self::with_detail(reader, Detail::Mainline)
    }

    /// A reader of as much as is asked for.
    pub fn with_detail(reader: R, detail: Detail) -> Self {
        let lexer = Lexer::new(reader, detail);
        Self { lexer, detail, games: 0, waiting: None, waiting_tag: None }
    }

    fn token(&mut self) -> Token {
        self.waiting.take().unwrap_or_else(|| self.lexer.next())
    }

    fn read_game(&mut self) -> Option<PgnGame> {
        let head = self.read_head()?;
        self.games += 1;
        let mut errors: Vec<PgnError> = Vec::new();
        let mut report =
            |kind| errors.push(PgnError { game: self.games, place: Place::Tags, kind });
        head.bad_tags.into_iter().for_each(|text| report(PgnErrorKind::Tag(text)));
        let start = start_position(&head.tags).map_err(report);
        let mut builder = Builder::new(self.games, self.detail, start.as_ref().ok());
        head.comments.into_iter().for_each(|comment| builder.comment(comment));
        let marker = self.read_moves(&mut builder);
        let mainline = builder.finish(&mut errors);
        let tagged = || {
            let tag = head.tags.iter().find(|(name, _)| name == "Result");
            tag.and_then(|(_, value)| value.parse().ok()).unwrap_or_default()
        };
        let result = marker.unwrap_or_else(tagged);
        let start = start.unwrap_or_else(|()| Board::default());
        Some(PgnGame { tags: head.tags, start, mainline, result, errors })
    }

    /// Reads tags up to the first token of the moves. Nothing if the stream ends before a game.
    fn read_head(&mut self) -> Option<Head> {
        self.lexer.expects_tags = true;
        let mut head = Head::default();
        head.tags.extend(self.waiting_tag.take());
        let mut blank_lines = 0;
        loop {
            match self.token() {
                Token::End if head.is_empty() => return None,
                Token::BlankLine => blank_lines += 1,
                Token::Comment => head.comments.push(self.lexer.text()),
                Token::Tag => match read_tag(&mut self.lexer.scanner) {
                    Ok(tag) => {
                        // A game may have no moves at all, not even a result.
                        let is_next = head.tags.iter().any(|(name, _)| *name == tag.0);
                        if !head.is_empty() && blank_lines > 0 && (is_next || blank_lines > 1) {
                            self.waiting_tag = Some(tag);
                            return Some(head);
                        }
                        head.tags.push(tag);
                        blank_lines = 0;
                    }
                    Err(text) if head.bad_tags.len() < MAX_ERRORS => head.bad_tags.push(text),
                    Err(_) => (),
                },
                token => {
                    self.waiting = Some(token);
                    return Some(head);
                }
            }
        }
    }

    /// Reads moves to the end of the game. Returns the result at their end.
    fn read_moves(&mut self, builder: &mut Builder) -> Option<GameResult> {
        if self.waiting_tag.is_some() {
            return None;
        }
        self.lexer.expects_tags = false;
        let mut result = None;
        let mut is_excess_reported = false;
        loop {
            let token = self.token();
            match token {
                Token::End | Token::BlankLine => return result,
                Token::Tag => {
                    self.waiting = Some(token);
                    return result;
                }
                Token::Result(_) if result.is_some() => (),
                Token::Result(found) if builder.is_mainline() => {
                    result = Some(found);
                    self.lexer.expects_tags = true;
                }
                Token::Number(1) if result.is_some() => {
                    self.waiting = Some(token);
                    return result;
                }
                Token::Move | Token::Open if result.is_some() => {
                    if !std::mem::replace(&mut is_excess_reported, true) {
                        builder.report(PgnErrorKind::AfterResult(self.lexer.text()));
                    }
                }
                Token::Number(_) | Token::Result(_) => (),
                _ => self.build(token, builder),
            }
        }
    }

    fn build(&self, token: Token, builder: &mut Builder) {
        match token {
            Token::Move => builder.play(self.lexer.word().as_ref()),
            Token::Open => builder.open(),
            Token::Close => builder.close(),
            Token::Nag(Some(nag)) => builder.annotate(nag),
            Token::Nag(None) => builder.report(PgnErrorKind::Nag(self.lexer.text())),
            Token::Comment => builder.comment(self.lexer.text()),
            Token::OpenComment => {
                let beginning = self.lexer.text().chars().take(40).collect();
                builder.report(PgnErrorKind::UnclosedComment(beginning));
                builder.comment(self.lexer.text());
            }
            Token::Unexpected => builder.report(PgnErrorKind::Unexpected(self.lexer.text())),
            _ => (),
        }
    }
}

/// What comes before a game's moves.
#[derive(Default)]
struct Head {
    tags: Vec<(String, String)>,
    bad_tags: Vec<String>,
    comments: Vec<String>,
}

impl Head {
    const fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.bad_tags.is_empty() && self.comments.is_empty()
    }
}

impl<R: Read> Iterator for PgnReader<R> {
    type Item = io::Result<PgnGame>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.read_game();
        match self.lexer.scanner.take_failure() {
            Some(error) => Some(Err(error)),
            None => game.map(Ok),
        }
    }
}

impl<R> fmt::Debug for PgnReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { detail, games, .. } = self;
        f.debug_struct("PgnReader")
            .field("detail", detail)
            .field("games", games)
            .finish_non_exhaustive()
    }
}
