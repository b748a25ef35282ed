// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves as people write them: standard algebraic notation.
//!
//! Writing follows the PGN standard to the letter. Reading forgives what files in the wild contain:
//! wrong or missing check signs, annotation marks, `0-0`, `a8Q`, `a8(Q)`, long notation and UCI
//! moves.

use std::fmt;

use crate::notation::excerpt;
use crate::{
    Bitboard, Board, File, Move, MoveError, MoveKind, MoveList, Rank, Role, Square, Wing, attacks,
};

/// A move in standard algebraic notation, ready to be printed.
#[derive(Clone, Copy, Debug)]
pub struct San<'a> {
    board: &'a Board,
    mv: Move,
}

impl Board {
    /// A legal move in standard algebraic notation.
    ///
    /// ```
    /// use chess::Board;
    /// let board: Board = "7k/5Q2/5K2/8/8/8/8/8 w - - 0 1".parse().unwrap();
    /// let mv = board.parse_uci("f7g7").unwrap();
    /// assert_eq!(board.san(mv).to_string(), "Qg7#");
    /// assert_eq!(board.parse_san("Qg7"), Ok(mv));
    /// ```
    pub fn san(&self, mv: Move) -> San<'_> {
        San { board: self, mv }
    }

    /// The legal move that this text means.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let core = text.trim_end_matches(['+', '#', '!', '?']);
        if let Some(wing) = castling_wing(core) {
            return self.castling_move(wing).ok_or_else(|| MoveError::Illegal(excerpt(text)));
        }
        let Some(pattern) = Pattern::read(core) else {
            return Err(MoveError::Malformed {
                expected: "`Nf3`, `exd5` or `O-O`",
                found: excerpt(text),
            });
        };
        let moves = pattern.candidates(self);
        let mut legal = moves.iter().copied().filter(|&mv| self.is_legal(mv));
        match (legal.next(), legal.count()) {
            (Some(mv), 0) => Ok(mv),
            (Some(_), others) => Err(MoveError::Ambiguous(excerpt(text), others + 1)),
            (None, _) => self.parse_uci(core).map_err(|_| MoveError::Illegal(excerpt(text))),
        }
    }

    /// Castling to a wing, if it is legal.
    fn castling_move(&self, wing: Wing) -> Option<Move> {
        let us = self.turn();
        let rook = self.castling().rook(us, wing)?;
        Some(Move::new(self.king(us), rook, MoveKind::Castle)).filter(|&mv| self.is_legal(mv))
    }
}

/// Where the text says to castle, if it does.
fn castling_wing(text: &str) -> Option<Wing> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(Wing::King),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(Wing::Queen),
        _ => None,
    }
}

/// What a move's text says about it.
struct Pattern {
    role: Role,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl Pattern {
    /// Reads `[role][file][rank][x|-][square][promotion]`.
    fn read(text: &str) -> Option<Self> {
        let (role, text) = match text.chars().next()? {
            letter @ ('P' | 'N' | 'B' | 'R' | 'Q' | 'K') => {
                (Role::from_letter(letter)?, &text[1..])
            }
            _ => (Role::Pawn, text),
        };
        let (text, promotion) = split_promotion(text)?;
        let (origin, to) =
            text.is_ascii().then(|| text.split_at_checked(text.len().checked_sub(2)?))??;
        let to = to.parse().ok()?;
        let origin = origin.strip_suffix(['x', '-', ':']).unwrap_or(origin);
        let mut letters = origin.chars();
        let mut pattern = Self { role, from_file: None, from_rank: None, to, promotion };
        let mut next = letters.next();
        if let Some(file @ 'a'..='h') = next {
            pattern.from_file = File::from_letter(file);
            next = letters.next();
        }
        if let Some(rank @ '1'..='8') = next {
            pattern.from_rank = Some(Rank::ALL[rank as usize - '1' as usize]);
            next = letters.next();
        }
        next.is_none().then_some(pattern)
    }

    /// The moves that could be meant, found backwards from the target: much quicker than making all
    /// moves. Some may not be legal.
    fn candidates(&self, board: &Board) -> MoveList {
        let us = board.turn();
        let is_capture = board.by_color(!us).contains(self.to);
        let attackers = |role| attacks::of(role, !us, self.to, board.occupied());
        let back = |squares: i8| self.to.relative_to(us).offset(-squares).relative_to(us);
        let kind = if is_capture { MoveKind::Capture } else { MoveKind::Quiet };
        let mut moves = MoveList::new();
        let mut add = |from: Square, kind| {
            let is_meant = self.from_file.is_none_or(|file| from.file() == file)
                && self.from_rank.is_none_or(|rank| from.rank() == rank)
                && board.by_piece(us, self.role).contains(from);
            match self.promotion {
                _ if !is_meant => (),
                Some(role) => moves.push(Move::promoting(from, self.to, role, is_capture)),
                None => moves.push(Move::new(from, self.to, kind)),
            }
        };
        if self.role != Role::Pawn {
            attackers(self.role).into_iter().for_each(|from| add(from, kind));
        } else if self.from_file.is_none_or(|file| file == self.to.file()) {
            // Without an origin, a pawn's move is a push.
            add(back(8), MoveKind::Quiet);
            add(back(16), MoveKind::DoublePush);
        } else {
            let kind = if is_capture { kind } else { MoveKind::EnPassant };
            attackers(Role::Pawn).into_iter().for_each(|from| add(from, kind));
        }
        moves
    }
}

/// Splits `=Q`, `Q`, `/Q` or `(Q)` off the end. `None` if it is no possible promotion.
fn split_promotion(text: &str) -> Option<(&str, Option<Role>)> {
    let bare = text.strip_suffix(')').unwrap_or(text);
    let Some(letter) = bare.chars().next_back() else { return Some((text, None)) };
    if letter.is_ascii_digit() {
        return (bare.len() == text.len()).then_some((text, None));
    }
    let role = Role::from_letter(letter).filter(|role| Role::PROMOTIONS.contains(role))?;
    let rest = bare[..bare.len() - 1].trim_end_matches(['=', '(', '/']);
    Some((rest, Some(role)))
}

impl San<'_> {
    /// The piece's letter and as much of its origin as tells it from others of its kind.
    fn write_mover(&self, f: &mut fmt::Formatter<'_>, role: Role) -> fmt::Result {
        let (from, to) = (self.mv.from(), self.mv.to());
        if role == Role::Pawn {
            return if self.mv.is_capture() {
                write!(f, "{}", from.file().letter())
            } else {
                Ok(())
            };
        }
        write!(f, "{}", role.letter().to_ascii_uppercase())?;
        let moves = self.board.legal_moves();
        let rivals: Bitboard = moves
            .iter()
            .filter(|mv| mv.to() == to && mv.from() != from && !mv.is_castle())
            .filter(|mv| self.board.role_on(mv.from()) == Some(role))
            .map(|mv| mv.from())
            .collect();
        if rivals.is_empty() {
            return Ok(());
        }
        let on_file = (rivals & Bitboard::file(from.file())).any();
        let on_rank = (rivals & Bitboard::rank(from.rank())).any();
        if !on_file || on_rank {
            write!(f, "{}", from.file().letter())?;
        }
        if on_file {
            write!(f, "{}", from.rank().digit())?;
        }
        Ok(())
    }

    fn write_move(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mv.is_castle() {
            return f.write_str(if self.mv.to() > self.mv.from() { "O-O" } else { "O-O-O" });
        }
        let role = self.board.role_on(self.mv.from()).unwrap_or(Role::Pawn);
        self.write_mover(f, role)?;
        if self.mv.is_capture() {
            f.write_str("x")?;
        }
        write!(f, "{}", self.mv.to())?;
        match self.mv.promotion() {
            Some(role) => write!(f, "={}", role.letter().to_ascii_uppercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for San<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_move(f)?;
        let mut after = *self.board;
        after.play(self.mv);
        match (after.in_check(), after.has_legal_moves()) {
            (false, _) => Ok(()),
            (true, true) => f.write_str("+"),
            (true, false) => f.write_str("#"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, san: &str) -> Result<String, MoveError> {
        let board: Board = fen.parse().unwrap();
        board.parse_san(san).map(|mv| board.san(mv).to_string())
    }

    #[test]
    fn forgiving_spellings_mean_the_same_move() {
        let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (fen, text, san) in [
            (castle, "0-0", "O-O"),
            (castle, "O-O-O+", "O-O-O"),
            (castle, "e1g1", "O-O"),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8Q", "a8=Q"),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8(N)", "a8=N"),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q"),
            (crate::fen::STARTING, "Ng1-f3!?", "Nf3"),
            (crate::fen::STARTING, "e2e4", "e4"),
            (crate::fen::STARTING, "e2-e4", "e4"),
            (crate::fen::STARTING, "e4+", "e4"),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", "exd5"),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5", "exd5"),
        ] {
            assert_eq!(read(fen, text).as_deref(), Ok(san), "{text}");
        }
    }

    #[test]
    fn origins_are_named_only_as_far_as_needed() {
        for (fen, uci, san) in [
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
            ("6k1/8/8/8/8/8/1K6/R6R w - - 0 1", "a1d1", "Rad1"),
            ("7k/R7/8/8/8/8/1K6/R7 w - - 0 1", "a1a4", "R1a4"),
            ("6k1/8/8/8/Q6Q/8/8/Q6K w - - 0 1", "a4d4", "Qa4d4"),
            // The other knight is pinned, so nothing needs telling apart.
            ("4k3/8/8/8/4r3/8/4N3/1N2K3 w - - 0 1", "b1c3", "Nc3"),
        ] {
            let board: Board = fen.parse().unwrap();
            let mv = board.parse_uci(uci).unwrap();
            assert_eq!(board.san(mv).to_string(), san, "{fen}");
        }
    }

    #[test]
    fn errors_tell_apart_nonsense_illegal_and_ambiguous() {
        use MoveError as E;
        let start = crate::fen::STARTING;
        assert!(matches!(read(start, "Sf3"), Err(E::Malformed { .. })));
        assert!(matches!(read(start, "--"), Err(E::Malformed { .. })));
        assert!(matches!(read(start, "é4"), Err(E::Malformed { .. })));
        assert!(matches!(read(start, ""), Err(E::Malformed { .. })));
        assert!(matches!(read(start, "Ke3"), Err(E::Illegal(_))));
        assert!(matches!(read(start, "O-O"), Err(E::Illegal(_))));
        assert!(matches!(read("6k1/8/8/8/8/8/1K6/R6R w - - 0 1", "Rd1"), Err(E::Ambiguous(_, 2))));
    }
}
