// SPDX-License-Identifier: GPL-3.0-or-later
//! Tokens become a tree of legal moves.

use super::reader::Detail;
use super::{PgnError, PgnErrorKind, PgnLine, PgnNode, Place};
use crate::Board;

/// Deeper variations are left out: a tree that deep would exhaust the stack when it is dropped.
const MAX_DEPTH: usize = 100;

/// Further errors of a game are not reported.
pub(super) const MAX_ERRORS: usize = 32;

/// A line under construction.
struct Frame {
    line: PgnLine,
    board: Board,
    /// The position before the last move, where its variations begin.
    before: Option<Board>,
    /// Whether a move could not be read, so that nothing after it can be.
    is_broken: bool,
}

impl Frame {
    fn new(board: Board) -> Self {
        Self { line: PgnLine::default(), board, before: None, is_broken: false }
    }
}

/// Builds a game's tree.
pub(super) struct Builder {
    game: usize,
    detail: Detail,
    /// The main line, and the variations that are open.
    frames: Vec<Frame>,
    /// How deep we are in variations that are left out.
    skipped: usize,
    errors: Vec<PgnError>,
}

impl Builder {
    /// Without a position no move can be read.
    pub(super) fn new(game: usize, detail: Detail, start: Option<&Board>) -> Self {
        let mut main = Frame::new(start.copied().unwrap_or_default());
        main.is_broken = start.is_none();
        Self { game, detail, frames: vec![main], skipped: 0, errors: Vec::new() }
    }

    /// Whether no variation is open.
    pub(super) const fn is_mainline(&self) -> bool {
        self.skipped == 0 && self.frames.len() == 1
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the main line is never closed")
    }

    pub(super) fn report(&mut self, kind: PgnErrorKind) {
        let place = Place::of(&self.frame().board);
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(PgnError { game: self.game, place, kind });
        }
    }

    pub(super) fn play(&mut self, text: &str) {
        if self.skipped > 0 || self.frame().is_broken {
            return;
        }
        let frame = self.frame();
        if is_null(text) && !frame.board.in_check() {
            frame.before = Some(frame.board);
            frame.board.play_null();
            frame.line.moves.push(PgnNode::null());
            return;
        }
        match frame.board.parse_san(text) {
            Ok(mv) => {
                frame.before = Some(frame.board);
                frame.board.play(mv);
                frame.line.moves.push(PgnNode::new(mv));
            }
            Err(error) => {
                frame.is_broken = true;
                self.report(error.into());
            }
        }
    }

    pub(super) fn open(&mut self) {
        if self.skipped > 0 || self.detail == Detail::Mainline || self.frame().is_broken {
            self.skipped += 1;
            return;
        }
        let before = self.frame().before;
        let problem = match before {
            Some(board) if self.frames.len() <= MAX_DEPTH => {
                self.frames.push(Frame::new(board));
                return;
            }
            Some(_) => PgnErrorKind::TooDeep,
            None => PgnErrorKind::NoMove,
        };
        self.report(problem);
        self.skipped = 1;
    }

    pub(super) fn close(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if self.frames.len() > 1 {
            self.close_frame();
        } else {
            self.report(PgnErrorKind::StrayClose);
        }
    }

    fn close_frame(&mut self) {
        let closed = self.frames.pop().map(|frame| frame.line).filter(|line| !line.is_empty());
        if let Some(line) = closed
            && let Some(node) = self.frame().line.moves.last_mut()
        {
            node.variations.push(line);
        }
    }

    pub(super) fn annotate(&mut self, nag: u8) {
        if let Some(node) = self.open_line().and_then(|line| line.moves.last_mut()) {
            node.nags.push(nag);
        }
    }

    pub(super) fn comment(&mut self, text: String) {
        if let Some(line) = self.open_line().filter(|_| !text.is_empty()) {
            line.comments_mut().push(text);
        }
    }

    /// The line about which something may be said.
    fn open_line(&mut self) -> Option<&mut PgnLine> {
        let is_open = self.skipped == 0 && self.detail == Detail::Full && !self.frame().is_broken;
        is_open.then(|| &mut self.frame().line)
    }

    /// The main line. Errors are added to those of the tags.
    pub(super) fn finish(mut self, errors: &mut Vec<PgnError>) -> PgnLine {
        if !self.is_mainline() {
            self.report(PgnErrorKind::UnclosedVariation);
        }
        while self.frames.len() > 1 {
            self.close_frame();
        }
        errors.append(&mut self.errors);
        self.frames.pop().map(|frame| frame.line).unwrap_or_default()
    }
}

/// Whether the text lets a side pass, in the spelling of one program or another.
fn is_null(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "null" | "@@@@")
}
