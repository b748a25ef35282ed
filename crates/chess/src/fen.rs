// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as text: FEN, X-FEN and Shredder-FEN.
//!
//! All three differ only in how they name castling rights; all are read alike. See
//! <https://www.chessprogramming.org/Forsyth-Edwards_Notation>.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::notation::excerpt;
use crate::{Board, BoardError, Castling, Color, File, Piece, Rank, Role, Setup, Square, Wing};

/// The starting position.
pub const STARTING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why text is not a FEN, or not that of a legal position. The message names the field.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// A field is not there.
    #[error("{field}: expected {expected}, found nothing")]
    Missing {
        /// The field.
        field: &'static str,
        /// What should be there.
        expected: &'static str,
    },
    /// A field is wrong.
    #[error("{field}: expected {expected}, found `{found}`")]
    Bad {
        /// The field.
        field: &'static str,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// The position is not legal.
    #[error(transparent)]
    Illegal(#[from] BoardError),
}

impl FenError {
    fn bad(field: &'static str, expected: &'static str, found: &str) -> Self {
        Self::Bad { field, expected, found: excerpt(found) }
    }
}

/// Four to six fields separated by blanks; clocks that are missing are 0 and 1.
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let (setup, rest) = read_fields(text)?;
        match rest.split_whitespace().next() {
            None => Ok(setup),
            Some(extra) => Err(FenError::bad("end of the FEN", "nothing more", extra)),
        }
    }
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Ok(text.parse::<Setup>()?.board()?)
    }
}

/// Reads the four fields of a position, and the clocks if they follow. Returns the rest.
pub(crate) fn read_fields(text: &str) -> Result<(Setup, &str), FenError> {
    let mut setup = Setup::EMPTY;
    let mut fields = Fields(text);
    setup.pieces = read_pieces(fields.next("pieces", "eight ranks separated by `/`")?)?;
    setup.turn = read_turn(fields.next("side to move", "`w` or `b`")?)?;
    setup.castling = read_castling(fields.next("castling", CASTLING_EXPECTED)?, &setup.pieces)?;
    let en_passant = fields.next("en passant", EN_PASSANT_EXPECTED)?;
    let mut halfmoves = fields.peek().filter(|text| is_number_like(text));
    // Some files run the dash and the first clock together: `- -0 1`.
    let is_clock = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let fused = en_passant.strip_prefix('-').filter(is_clock);
    if let Some(clock) = fused {
        setup.halfmoves = read_number("halfmove clock", clock)?;
        halfmoves = None;
    } else {
        setup.en_passant = read_en_passant(en_passant)?;
    }
    let is_clock_read = fused.is_some() || halfmoves.is_some();
    if let Some(clock) = halfmoves {
        setup.halfmoves = read_number("halfmove clock", clock)?;
        fields.skip();
    }
    if is_clock_read && let Some(number) = fields.peek().filter(|text| is_number_like(text)) {
        setup.fullmoves = read_number("move number", number)?;
        fields.skip();
    }
    Ok((setup, fields.0))
}

/// Text split at white space, with what is left of it.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.0.split_whitespace().next()
    }

    fn skip(&mut self) {
        let trimmed = self.0.trim_start();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        self.0 = &trimmed[end..];
    }

    fn next(&mut self, field: &'static str, expected: &'static str) -> Result<&'a str, FenError> {
        let text = self.peek().ok_or(FenError::Missing { field, expected })?;
        self.skip();
        Ok(text)
    }
}

const CASTLING_EXPECTED: &str = "`-`, letters of `KQkq`, or rook files such as `HAha`";
const EN_PASSANT_EXPECTED: &str = "`-` or a square such as `e3`";

fn read_pieces(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    const FIELD: &str = "pieces";
    let mut pieces = [None; 64];
    let mut ranks = text.split('/');
    for rank in Rank::ALL.into_iter().rev() {
        let Some(row) = ranks.next().filter(|row| !row.is_empty()) else {
            return Err(FenError::bad(FIELD, "eight ranks separated by `/`", text));
        };
        let mut file = 0;
        for letter in row.chars() {
            match (letter, Piece::from_letter(letter)) {
                ('1'..='8', _) => file += letter as usize - '0' as usize,
                (_, Some(piece)) if file < 8 => {
                    pieces[8 * rank.index() + file] = Some(piece);
                    file += 1;
                }
                (_, Some(_)) => file += 1,
                _ => {
                    let found = letter.to_string();
                    return Err(FenError::bad(
                        FIELD,
                        "a letter of PNBRQKpnbrqk or a digit 1-8",
                        &found,
                    ));
                }
            }
            if file > 8 {
                break;
            }
        }
        if file != 8 {
            return Err(FenError::bad(FIELD, "eight squares in each rank", row));
        }
    }
    match ranks.next() {
        None => Ok(pieces),
        Some(_) => Err(FenError::bad(FIELD, "eight ranks separated by `/`", text)),
    }
}

fn read_turn(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::bad("side to move", "`w` or `b`", text)),
    }
}

/// `K` and `Q` mean the outermost rook on that side of the king, a file letter that very rook.
fn read_castling(text: &str, pieces: &[Option<Piece>; 64]) -> Result<Castling, FenError> {
    let mut castling = Castling::NONE;
    if text == "-" {
        return Ok(castling);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let king = king_file(pieces, color);
        match letter.to_ascii_lowercase() {
            'k' => grant(&mut castling, color, Wing::King, outer_rook(pieces, color, Wing::King)),
            'q' => grant(&mut castling, color, Wing::Queen, outer_rook(pieces, color, Wing::Queen)),
            'a'..='h' => {
                let file = File::from_letter(letter);
                let wing = if file > king { Wing::King } else { Wing::Queen };
                grant(&mut castling, color, wing, file.filter(|_| king.is_some()));
            }
            _ => return Err(FenError::bad("castling", CASTLING_EXPECTED, text)),
        }
    }
    Ok(castling)
}

fn grant(castling: &mut Castling, color: Color, wing: Wing, file: Option<File>) {
    if let Some(file) = file {
        castling.grant(color, wing, file);
    }
}

fn on_back_rank(pieces: &[Option<Piece>; 64], color: Color, file: File) -> Option<Piece> {
    pieces[Square::new(file, Rank::First.relative_to(color)).index()]
}

fn king_file(pieces: &[Option<Piece>; 64], color: Color) -> Option<File> {
    let king = Piece::new(color, Role::King);
    File::ALL.into_iter().find(|&file| on_back_rank(pieces, color, file) == Some(king))
}

/// The rook that is furthest from the king on a wing.
fn outer_rook(pieces: &[Option<Piece>; 64], color: Color, wing: Wing) -> Option<File> {
    let king = king_file(pieces, color)?;
    let rook = Some(Piece::new(color, Role::Rook));
    let mut rooks = File::ALL.into_iter().filter(|&file| on_back_rank(pieces, color, file) == rook);
    match wing {
        Wing::King => rooks.next_back().filter(|&file| file > king),
        Wing::Queen => rooks.next().filter(|&file| file < king),
    }
}

fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let square = text.parse();
    square.map(Some).map_err(|_| FenError::bad("en passant", EN_PASSANT_EXPECTED, text))
}

fn is_number_like(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') && text != "-"
}

fn read_number<T: FromStr>(field: &'static str, text: &str) -> Result<T, FenError> {
    text.parse().map_err(|_| FenError::bad(field, "a whole number from 0", text))
}

/// How castling rights are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingStyle {
    /// `KQkq`, and a file's letter only where an outer rook would be meant otherwise (X-FEN).
    #[default]
    XFen,
    /// Always the file of the rook: `HAha` (Shredder-FEN).
    Shredder,
}

/// A board's FEN, ready to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Fen<'a> {
    board: &'a Board,
    style: CastlingStyle,
}

impl Board {
    /// The FEN of this position, with castling rights as in X-FEN and an en-passant square only if
    /// the capture is legal.
    pub fn fen(&self) -> Fen<'_> {
        self.fen_with(CastlingStyle::XFen)
    }

    /// The FEN with castling rights in a given style.
    ///
    /// ```
    /// use chess::{Board, CastlingStyle};
    /// let board = Board::default();
    /// let fen = board.fen_with(CastlingStyle::Shredder).to_string();
    /// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    /// ```
    pub fn fen_with(&self, style: CastlingStyle) -> Fen<'_> {
        Fen { board: self, style }
    }
}

impl Fen<'_> {
    fn write_pieces(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0;
            for file in File::ALL {
                let Some(piece) = self.board.piece_on(Square::new(file, rank)) else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    write!(f, "{gap}")?;
                    gap = 0;
                }
                write!(f, "{}", piece.letter())?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        Ok(())
    }

    fn write_castling(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.board.castling().is_none() {
            return f.write_str("-");
        }
        for (color, wing, rook) in self.board.castling().iter() {
            let file = rook.file();
            let pieces = &self.board.pieces_by_square();
            let is_outer = outer_rook(pieces, color, wing) == Some(file);
            let letter = match (self.style, wing) {
                (CastlingStyle::XFen, Wing::King) if is_outer => 'k',
                (CastlingStyle::XFen, Wing::Queen) if is_outer => 'q',
                _ => file.letter(),
            };
            let letter = if color == Color::White { letter.to_ascii_uppercase() } else { letter };
            write!(f, "{letter}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_pieces(f)?;
        f.write_str(if self.board.turn() == Color::White { " w " } else { " b " })?;
        self.write_castling(f)?;
        match self.board.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.board.halfmove_clock(), self.board.fullmove_number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(fen: &str) -> String {
        fen.parse::<Board>().unwrap_err().to_string()
    }

    #[test]
    fn fens_are_written_as_read() {
        for fen in [
            STARTING,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1",
            "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 1",
            "8/8/8/8/8/8/8/rR1K3k w Q - 0 1",
        ] {
            assert_eq!(fen.parse::<Board>().unwrap().fen().to_string(), fen);
        }
    }

    #[test]
    fn errors_name_the_field_and_the_token() {
        assert_eq!(error(""), "pieces: expected eight ranks separated by `/`, found nothing");
        assert_eq!(
            error("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            "pieces: expected a letter of PNBRQKpnbrqk or a digit 1-8, found `9`"
        );
        assert_eq!(
            error("4k3/8/8/8/8/8/8/4K3 x - - 0 1"),
            "side to move: expected `w` or `b`, found `x`"
        );
        assert!(error("4k3/8/8/8/8/8/8/4K3 w 18 - 0 1").starts_with("castling: expected"));
        assert!(error("4k3/8/8/8/8/8/8/4K3 w - e9 0 1").starts_with("en passant: expected"));
        assert!(error("4k3/8/8/8/8/8/8/4K3 w - - 1.5 1").contains("`1.5`"));
        assert!(error("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x").contains("`x`"));
        assert_eq!(
            error("4k3/8/8/8/8/8/8/K3R3 w - - 0 1"),
            "side to move: white is to move, but the other king is in check from e1"
        );
    }

    #[test]
    fn clocks_may_be_missing_or_fused() {
        let board: Board = "4k3/8/8/8/8/8/8/4K3 w - -".parse().unwrap();
        assert_eq!((board.halfmove_clock(), board.fullmove_number()), (0, 1));
        let board: Board = "4k3/8/8/8/8/8/8/4K3 w - -7 30".parse().unwrap();
        assert_eq!((board.halfmove_clock(), board.fullmove_number()), (7, 30));
    }

    #[test]
    fn en_passant_is_kept_only_if_legal() {
        let kept = |fen: &str| fen.parse::<Board>().unwrap().en_passant().is_some();
        assert!(kept("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"));
        assert!(!kept("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"));
        assert!(!kept("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"));
        assert!(!kept("rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1"));
    }

    #[test]
    fn impossible_castling_is_dropped() {
        let castling = |fen: &str| fen.parse::<Board>().unwrap().castling().mask();
        assert_eq!(castling("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1"), 0b1110);
        assert_eq!(castling("r3k2r/8/8/8/4K3/8/8/R6R w KQkq - 0 1"), 0b1100);
        assert_eq!(castling("4k3/8/8/8/8/8/8/R3K2R w GB - 0 1"), 0);
    }
}
