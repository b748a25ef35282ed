// SPDX-License-Identifier: GPL-3.0-or-later
//! The rules of chess: boards, moves, notation and perft.
//!
//! Standard chess, Chess960 and double Chess960 alike. Text becomes a [`Setup`], a [`Setup`] becomes
//! a [`Board`] or an error that says what is wrong, and a [`Board`] changes by legal moves only.
//!
//! ```
//! use chess::Board;
//! let mut board = Board::default();
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     board.play(board.parse_san(san).unwrap());
//! }
//! assert!(board.is_checkmate());
//! assert_eq!(
//!     board.to_string(),
//!     "8  r n b . k b n r\n\
//!      7  p p p p . p p p\n\
//!      6  . . . . . . . .\n\
//!      5  . . . . p . . .\n\
//!      4  . . . . . . P q\n\
//!      3  . . . . . P . .\n\
//!      2  P P P P P . . P\n\
//!      1  R N B Q K B N R\n   a b c d e f g h"
//! );
//! ```

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
mod cuckoo;
mod epd;
mod fen;
mod game;
mod history;
mod mv;
mod notation;
mod perft;
pub mod pgn;
mod piece;
pub mod polyglot;
mod san;
mod setup;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::{
    All, Board, BoardError, CheckSquares, Delta, MoveList, MoveSink, Noisy, PieceValues, Placed,
    Quiet, Stage, Threats,
};
pub use castling::{Castling, Wing};
pub use color::{ByColor, Color, White};
pub use epd::{Epd, EpdError, Operand, Operation};
pub use fen::{CastlingStyle, Fen, FenError, STARTING};
pub use game::{Ending, Game, GameResult, Outcome, Reason, ResultError};
pub use history::History;
pub use mv::{Move, MoveKind};
pub use notation::{CastlingMode, MoveError, UciMove};
pub use perft::{divide, perft, perft_after};
pub use piece::{ByRole, Piece, Role};
pub use san::San;
pub use setup::Setup;
pub use square::{File, Rank, Square, SquareError};
pub use zobrist::Keys;
