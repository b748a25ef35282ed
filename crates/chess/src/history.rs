// SPDX-License-Identifier: GPL-3.0-or-later
//! The positions that led to the present one, for the rules of repetition.

use crate::{Board, cuckoo, zobrist};

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// How many plies back a repetition of this position can lie.
    reversible: usize,
}

/// The keys of all positions of a line of play, the present one last.
///
/// The game's moves and the search's are kept in one line, so that repetitions are seen across
/// both. It follows a board: push after every move, pop when it is taken back.
///
/// ```
/// use chess::{Board, History};
/// let mut board = Board::default();
/// let mut history = History::new(&board);
/// for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     board.play(board.parse_uci(mv).unwrap());
///     history.push(&board);
/// }
/// assert_eq!(history.occurrences(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
}

impl History {
    /// A line that begins with this position.
    pub fn new(board: &Board) -> Self {
        Self { entries: vec![Entry { key: board.key(), reversible: 0 }] }
    }

    /// Adds the position after a move.
    #[inline]
    pub fn push(&mut self, board: &Board) {
        let before = self.entries.last().map_or(0, |entry| entry.reversible + 1);
        let reversible = before.min(board.halfmove_clock());
        self.entries.push(Entry { key: board.key(), reversible });
    }

    /// Adds the position after a null move, over which nothing repeats.
    #[inline]
    pub fn push_null(&mut self, board: &Board) {
        self.entries.push(Entry { key: board.key(), reversible: 0 });
    }

    /// Takes the last position back. The first one stays.
    #[inline]
    pub fn pop(&mut self) {
        if self.entries.len() > 1 {
            self.entries.pop();
        }
    }

    /// How many positions there are, the first one included.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The key of the position so many plies before the present one.
    pub fn key_before(&self, plies: usize) -> Option<u64> {
        let index = (self.entries.len() - 1).checked_sub(plies)?;
        Some(self.entries[index].key)
    }

    /// How many plies this line goes beyond an earlier one that it begins with; `None` if it does not.
    ///
    /// ```
    /// use chess::{Board, History};
    /// let mut board = Board::default();
    /// let earlier = History::new(&board);
    /// let mut later = earlier.clone();
    /// board.play(board.parse_uci("e2e4").unwrap());
    /// later.push(&board);
    /// assert_eq!((later.plies_since(&earlier), earlier.plies_since(&later)), (Some(1), None));
    /// assert_eq!(later.key_before(1), Some(Board::default().key()));
    /// ```
    pub fn plies_since(&self, earlier: &Self) -> Option<usize> {
        let more = self.len().checked_sub(earlier.len())?;
        let is_same = self.entries.iter().zip(&earlier.entries).all(|(a, b)| a.key == b.key);
        is_same.then_some(more)
    }

    /// A line always holds a position.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// How often the present position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.earlier().count()
    }

    /// Plies back to each earlier occurrence of the present position, nearest first.
    fn earlier(&self) -> impl Iterator<Item = usize> {
        let last = self.entries.len() - 1;
        let Entry { key, reversible } = self.entries[last];
        let plies = (4..=reversible.min(last)).step_by(2);
        plies.filter(move |&plies| self.entries[last - plies].key == key)
    }

    /// Whether the present position is a draw by repetition for a search whose root lies `ply` plies
    /// back: one repetition of a position after the root, or two of any.
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut seen_before_root = false;
        for plies in self.earlier() {
            if plies < ply || seen_before_root {
                return true;
            }
            seen_before_root = true;
        }
        false
    }

    /// Whether the side to move can repeat an earlier position at once. `board` is the present
    /// position, and the search's root lies `ply` plies back.
    ///
    /// Found without generating moves: the difference of the two keys must be that of one reversible
    /// move whose path is free.
    #[inline]
    pub fn has_upcoming_repetition(&self, board: &Board, ply: usize) -> bool {
        let last = self.entries.len() - 1;
        let Entry { key, reversible } = self.entries[last];
        let limit = reversible.min(last);
        if limit < 3 {
            return false;
        }
        // What the opponent's moves since then have changed: nothing, if one move of ours leads back.
        let mut by_opponent = key ^ self.entries[last - 1].key ^ zobrist::BLACK_TO_MOVE;
        (3..=limit).step_by(2).any(|plies| {
            let (before, after) =
                (self.entries[last - plies].key, self.entries[last - plies + 1].key);
            by_opponent ^= before ^ after ^ zobrist::BLACK_TO_MOVE;
            if by_opponent != 0 {
                return false;
            }
            let Some(squares) = cuckoo::find(key ^ before) else { return false };
            let is_free = (cuckoo::path(squares) & board.occupied()).is_empty();
            // At or before the root a single repetition is no draw yet.
            is_free && (plies < ply || self.occurred_before(last - plies))
        })
    }

    /// Whether the position at this index had itself occurred before.
    fn occurred_before(&self, index: usize) -> bool {
        let Entry { key, reversible } = self.entries[index];
        let plies = (4..=reversible.min(index)).step_by(2);
        plies.into_iter().any(|plies| self.entries[index - plies].key == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: &str, moves: &[&str]) -> (Board, History) {
        let mut board: Board = fen.parse().unwrap();
        let mut history = History::new(&board);
        for mv in moves {
            board.play(board.parse_uci(mv).unwrap());
            history.push(&board);
        }
        (board, history)
    }

    const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

    #[test]
    fn one_repetition_counts_inside_the_tree_only() {
        let (_, history) = line(crate::fen::STARTING, &SHUFFLE);
        assert!(history.is_repetition(5));
        assert!(!history.is_repetition(4));
        let twice = [SHUFFLE, SHUFFLE].concat();
        let (_, history) = line(crate::fen::STARTING, &twice);
        assert!(history.is_repetition(0));
    }

    #[test]
    fn a_null_move_breaks_the_line() {
        let (mut board, mut history) = line(crate::fen::STARTING, &SHUFFLE[..2]);
        board.play_null();
        history.push_null(&board);
        board.play_null();
        history.push_null(&board);
        for mv in &SHUFFLE[2..] {
            board.play(board.parse_uci(mv).unwrap());
            history.push(&board);
        }
        assert_eq!(history.occurrences(), 1);
    }

    #[test]
    fn upcoming_repetition_is_seen_before_it_happens() {
        let (board, history) = line(crate::fen::STARTING, &SHUFFLE[..3]);
        assert!(history.has_upcoming_repetition(&board, 4));
        assert!(!history.has_upcoming_repetition(&board, 3));
        let (board, history) = line(crate::fen::STARTING, &["g1f3", "g8f6", "b1c3"]);
        assert!(!history.has_upcoming_repetition(&board, 4));
    }
}
