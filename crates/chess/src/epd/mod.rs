// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions with operations: EPD, as test suites and perft lists use it.
//!
//! A line is the first four fields of a FEN and operations such as `bm Nf3;`. Files in the wild add
//! FEN's clocks, a fifth dash, UCI moves or a stray semicolon; all of that is read. See
//! <https://www.chessprogramming.org/Extended_Position_Description>.

mod operation;

pub use operation::{Operand, Operation};

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use operation::read_operations;

use crate::fen::read_fields;
use crate::{Board, BoardError, FenError, Move, MoveError};

/// A position and what is said about it.
///
/// Moves to find and to avoid are checked when the line is read; clocks, given either way, are part
/// of the board; all other operations are kept as text.
///
/// ```
/// use chess::Epd;
/// let line = r#"6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; dm 1; id "back rank";"#;
/// let epd: Epd = line.parse().unwrap();
/// assert_eq!(epd.best_moves(), [epd.board().parse_uci("d1d8").unwrap()]);
/// assert_eq!(epd.mate_distance(), Ok(Some(1)));
/// assert_eq!(epd.id().as_deref(), Some("back rank"));
/// assert_eq!(epd.to_string(), line);
/// assert_eq!(
///     "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd9;".parse::<Epd>().unwrap_err().to_string(),
///     "bm: expected a move like `Nf3`, `exd5` or `O-O`, found `Rd9`"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    board: Board,
    best_moves: Vec<Move>,
    avoid_moves: Vec<Move>,
    operations: Vec<Operation>,
}

/// Why a line is not an EPD.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EpdError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operand should be a move.
    #[error("{opcode}: {error}")]
    Move {
        /// The operation.
        opcode: String,
        /// What is wrong with the move.
        error: MoveError,
    },
    /// An operand should be a number.
    #[error("{opcode}: expected a whole number, found `{found}`")]
    Number {
        /// The operation.
        opcode: String,
        /// What is there.
        found: String,
    },
}

impl From<BoardError> for EpdError {
    fn from(error: BoardError) -> Self {
        Self::Position(error.into())
    }
}

impl Epd {
    /// A position without operations.
    pub const fn new(board: Board) -> Self {
        Self { board, best_moves: Vec::new(), avoid_moves: Vec::new(), operations: Vec::new() }
    }

    /// Reads a line of a file: nothing if it is blank or a comment (`#`, `%`, `;` or `//`).
    pub fn read_line(line: &str) -> Result<Option<Self>, EpdError> {
        let line = line.trim_start_matches('\u{feff}').trim();
        let is_comment = line.starts_with(['#', '%', ';']) || line.starts_with("//");
        if line.is_empty() || is_comment { Ok(None) } else { line.parse().map(Some) }
    }

    /// The position, with its clocks.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The moves to find: `bm`.
    pub fn best_moves(&self) -> &[Move] {
        &self.best_moves
    }

    /// The moves to avoid: `am`.
    pub fn avoid_moves(&self) -> &[Move] {
        &self.avoid_moves
    }

    /// All operations but `bm`, `am`, `hmvc` and `fmvn`.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The first operation of this name.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode() == opcode)
    }

    /// The operands of an operation as one text, such as a comment of `c0` to `c9`.
    pub fn text(&self, opcode: &str) -> Option<String> {
        self.operation(opcode).map(Operation::text)
    }

    /// The position's name.
    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// The number that an operation consists of.
    pub fn number(&self, opcode: &str) -> Result<Option<i64>, EpdError> {
        self.operation(opcode).map(Operation::number).transpose()
    }

    /// Full moves to mate, `dm`: negative if the side to move is mated.
    pub fn mate_distance(&self) -> Result<Option<i64>, EpdError> {
        self.number("dm")
    }

    /// The evaluation for the side to move in centipawns, `ce`.
    pub fn centipawns(&self) -> Result<Option<i64>, EpdError> {
        self.number("ce")
    }

    /// The depth of the analysis in plies, `acd`.
    pub fn analysis_depth(&self) -> Result<Option<i64>, EpdError> {
        self.number("acd")
    }

    /// The line of best play, `pv`: each move legal after the one before it.
    pub fn principal_variation(&self) -> Result<Vec<Move>, EpdError> {
        let mut board = self.board;
        let operands = self.operation("pv").map_or(&[][..], Operation::operands);
        let moves = operands.iter().flat_map(|operand| operand.text().split_whitespace());
        let play = |text| {
            let mv = read_move(&board, "pv", text)?;
            board.play(mv);
            Ok(mv)
        };
        moves.map(play).collect()
    }

    /// Replaces the moves to find.
    ///
    /// # Panics
    /// If one is not legal.
    pub fn set_best_moves(&mut self, moves: Vec<Move>) {
        assert!(moves.iter().all(|&mv| self.board.is_legal(mv)), "an illegal move in {moves:?}");
        self.best_moves = moves;
    }

    /// Adds an operation.
    pub fn push(&mut self, operation: Operation) {
        self.operations.push(operation);
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Self, EpdError> {
        let line = line.trim_start_matches('\u{feff}');
        // A position holds no semicolon, so that the first one ends the position at the latest.
        let head = &line[..line.find(';').unwrap_or(line.len())];
        let (mut setup, rest) = read_fields(head)?;
        let mut operations = read_operations(&line[head.len() - rest.len()..]);
        if let Some(clock) = take_number(&mut operations, "hmvc")? {
            setup.halfmoves = clock;
        }
        if let Some(number) = take_number(&mut operations, "fmvn")? {
            setup.fullmoves = number;
        }
        let board = setup.board()?;
        let best_moves = take_moves(&mut operations, "bm", &board)?;
        let avoid_moves = take_moves(&mut operations, "am", &board)?;
        Ok(Self { board, best_moves, avoid_moves, operations })
    }
}

/// Removes all operations of a name and reads the last one's number.
fn take_number<T: TryFrom<i64>>(
    operations: &mut Vec<Operation>,
    opcode: &str,
) -> Result<Option<T>, EpdError> {
    let mut number = None;
    for operation in operations.extract_if(.., |operation| operation.opcode() == opcode) {
        let fitting = T::try_from(operation.number()?);
        number = Some(fitting.map_err(|_| operation.bad_number())?);
    }
    Ok(number)
}

/// Removes all operations of a name and reads their moves.
fn take_moves(
    operations: &mut Vec<Operation>,
    opcode: &str,
    board: &Board,
) -> Result<Vec<Move>, EpdError> {
    let mut moves = Vec::new();
    for operation in operations.extract_if(.., |operation| operation.opcode() == opcode) {
        for operand in operation.operands() {
            let texts = operand.text().split([' ', ',']).filter(|text| !text.is_empty());
            for text in texts {
                moves.push(read_move(board, opcode, text)?);
            }
        }
    }
    Ok(moves)
}

fn read_move(board: &Board, opcode: &str, text: &str) -> Result<Move, EpdError> {
    board.parse_san(text).map_err(|error| EpdError::Move { opcode: opcode.to_owned(), error })
}

/// Writes the four fields, `bm` and `am`, then the other operations, and clocks that are not 0 and 1.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.board.fen().to_string();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        f.write_str(&fields.join(" "))?;
        if self.operations.first().is_some_and(Operation::looks_like_clock) {
            f.write_str(" ;")?;
        }
        for (opcode, moves) in [("bm", &self.best_moves), ("am", &self.avoid_moves)] {
            if !moves.is_empty() {
                write!(f, " {opcode}")?;
                moves.iter().try_for_each(|&mv| write!(f, " {}", self.board.san(mv)))?;
                f.write_str(";")?;
            }
        }
        self.operations.iter().try_for_each(|operation| write!(f, " {operation}"))?;
        if self.board.halfmove_clock() != 0 {
            write!(f, " hmvc {};", self.board.halfmove_clock())?;
        }
        if self.board.fullmove_number() != 1 {
            write!(f, " fmvn {};", self.board.fullmove_number())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAC: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";

    fn read(operations: &str) -> Result<Epd, EpdError> {
        format!("{WAC}{operations}").parse()
    }

    #[test]
    fn writing_and_reading_again_changes_nothing() {
        for operations in [
            "",
            " bm Qg6; am a4 Kh1; id \"a;b c\"; c0 \"\";",
            " 0 1;30 queens; is it",
            " ;D1 20 ;D2 400",
            " ; - dash",
            " [0.5]",
            " 3 9 | 35 | 0.5",
            " hmvc 12; fmvn 45; bm g3g6",
            " - bm Qg6; id \"open",
            " foo say\"what\" ;; bar",
        ] {
            let epd = read(operations).unwrap();
            let written = epd.to_string();
            assert_eq!(written.parse::<Epd>().as_ref(), Ok(&epd), "{operations} -> {written}");
        }
    }

    #[test]
    fn operations_are_typed() {
        let epd = read(" acd 12; ce -250; dm 3; pv Qg6 fxg6 Nxg6#; c9 \"1-0\" x; id W 1; hmvc 7;");
        let epd = epd.unwrap();
        assert_eq!(epd.analysis_depth(), Ok(Some(12)));
        assert_eq!(epd.centipawns(), Ok(Some(-250)));
        assert_eq!(epd.mate_distance(), Ok(Some(3)));
        assert_eq!(epd.principal_variation().unwrap().len(), 3);
        assert_eq!(epd.text("c9").as_deref(), Some("1-0 x"));
        assert_eq!(epd.id().as_deref(), Some("W 1"));
        assert_eq!(epd.board().halfmove_clock(), 7);
        assert_eq!(epd.number("acn"), Ok(None));
        assert_eq!(epd.operation("c9").unwrap().operands().len(), 2);
    }

    #[test]
    fn errors_name_the_operation_and_the_token() {
        let error = |operations: &str| read(operations).unwrap_err().to_string();
        assert_eq!(error(" bm Qg6 Qa8;"), "bm: `Qa8` is not a legal move here");
        assert!(error(" am Dg6;").ends_with("found `Dg6`"));
        assert_eq!(error(" hmvc soon;"), "hmvc: expected a whole number, found `soon`");
        assert_eq!(error(" fmvn -3;"), "fmvn: expected a whole number, found `-3`");
        let epd = read(" dm x; pv Qg6 Ka1;").unwrap();
        assert!(epd.mate_distance().unwrap_err().to_string().contains("`x`"));
        assert!(epd.principal_variation().unwrap_err().to_string().contains("`Ka1`"));
    }

    #[test]
    fn blank_and_comment_lines_are_nothing() {
        for line in ["", "  \r", "# note", "; note", "% note", "// note", "\u{feff}"] {
            assert_eq!(Epd::read_line(line), Ok(None), "{line}");
        }
        assert!(Epd::read_line(&format!("\u{feff}{WAC} bm Qg6;\r")).unwrap().is_some());
    }

    #[test]
    fn built_operations_can_be_read() {
        let mut epd = Epd::new(Board::default());
        epd.set_best_moves(vec![epd.board().parse_san("e4").unwrap()]);
        epd.push(Operation::new("i d", vec![Operand::new("say \"hi\"; bye"), Operand::new("x")]));
        let written = epd.to_string();
        assert!(written.ends_with(r#"bm e4; id "say 'hi'; bye" x;"#), "{written}");
        assert_eq!(written.parse::<Epd>(), Ok(epd));
    }
}
