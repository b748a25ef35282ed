// SPDX-License-Identifier: GPL-3.0-or-later
//! The line that is being searched, ply by ply.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use chess::{Board, Move, Threats};

use super::correction::LastMoves;
use super::history::{CONTINUATIONS, HistoryContext, PieceTo, PreviousMoves};
use super::order::Killers;
use super::worker::Worker;
use crate::{MAX_PLY, Score};

/// Moves of a line, best play by both sides.
pub(super) type PvLine = ArrayVec<Move, MAX_PLY>;

/// A move that was made, as later plies see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    pub(super) mv: Move,
    pub(super) to: PieceTo,
}

/// What belongs to one ply of the line that is being searched. Principal variations, which few plies have,
/// are kept apart: a frame is five cache lines, three of them the board.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Frame {
    pub(super) board: Board,
    /// What the opponent attacks; known once the node has been looked at.
    pub(super) threats: Threats,
    /// The corrected evaluation; `None` in check.
    pub(super) eval: Option<Score>,
    pub(super) killers: Killers,
    /// The move that leads to the next ply; `None` for a null move.
    pub(super) played: Option<Played>,
    /// How many moves were searched before `played`; 255 stands for more.
    pub(super) moves_before: u8,
    /// The move that is left out here while the others are searched.
    pub(super) excluded: Option<Move>,
    /// By how much the search behind `played` is reduced, in 1/1024 ply.
    pub(super) reduction: i32,
    /// How often nodes at this ply were cut since their grandparent was entered.
    pub(super) cutoffs: i32,
    /// Whether the node is or was in a principal variation.
    pub(super) was_pv: bool,
    /// Plies by which the line to here was extended more than once a move.
    pub(super) double_extensions: i32,
}

impl Frame {
    pub(super) fn new(board: Board) -> Self {
        Self {
            board,
            threats: Threats::default(),
            eval: None,
            killers: Killers::default(),
            played: None,
            moves_before: 0,
            excluded: None,
            reduction: 0,
            cutoffs: 0,
            was_pv: false,
            double_extensions: 0,
        }
    }

    /// Gets ready to be the root of another search.
    pub(super) fn forget(&mut self) {
        self.eval = None;
        self.killers = Killers::default();
        self.played = None;
        self.excluded = None;
        (self.reduction, self.cutoffs, self.double_extensions) = (0, 0, 0);
        self.was_pv = false;
    }
}

/// Plies that have a frame: a node looks two plies ahead. A power of two, so that places need no check.
pub(super) const FRAMES: usize = (MAX_PLY + 4).next_power_of_two();

/// The frames of a line by ply.
pub(super) struct Frames(Box<[Frame; FRAMES]>);

impl Frames {
    /// Frames that all show this board.
    pub(super) fn new(board: &Board) -> Self {
        match vec![Frame::new(*board); FRAMES].into_boxed_slice().try_into() {
            Ok(frames) => Self(frames),
            Err(_) => unreachable!("there are that many frames"),
        }
    }

    /// Gets ready for another search.
    pub(super) fn forget_first(&mut self) {
        self.0[..FIRST_FRAMES].iter_mut().for_each(Frame::forget);
    }

    /// Forgets all that a search has left.
    pub(super) fn forget(&mut self) {
        self.0.iter_mut().for_each(Frame::forget);
    }

    /// Gets the frame after `ply` ready, and hands out its board, on which the move is still to be played.
    #[inline]
    pub(super) fn next_board(&mut self, ply: usize, played: Option<Played>) -> &mut Board {
        let (above, below) = self.0.split_at_mut(ply + 1);
        let (here, next) = (&mut above[ply], &mut below[0]);
        (here.played, here.moves_before) = (played, 0);
        next.board = here.board;
        next.excluded = None;
        next.double_extensions = here.double_extensions;
        // A tree search walks to its leaves without a look at the nodes on its way.
        (next.eval, next.was_pv) = (None, false);
        &mut next.board
    }
}

impl Index<usize> for Frames {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        debug_assert!(ply < FRAMES, "ply {ply}");
        &self.0[ply % FRAMES]
    }
}

impl IndexMut<usize> for Frames {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        debug_assert!(ply < FRAMES, "ply {ply}");
        &mut self.0[ply % FRAMES]
    }
}

/// Frames that a search reads before it has written them: the root's, and those whose killers and cutoffs
/// no grandparent clears.
const FIRST_FRAMES: usize = 2;

const _: () = assert!(size_of::<Frame>() == 5 * 64, "a frame is five cache lines");

impl Worker {
    #[inline]
    pub(super) fn frame(&self) -> &Frame {
        &self.frames[self.ply]
    }

    #[inline]
    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frames[self.ply]
    }

    /// The frame some plies before.
    #[inline]
    pub(super) fn frame_before(&self, plies: usize) -> Option<&Frame> {
        Some(&self.frames[self.ply.checked_sub(plies)?])
    }

    /// The move made some plies ago.
    #[inline]
    fn played_before(&self, plies: usize) -> Option<PieceTo> {
        Some(self.frame_before(plies)?.played?.to)
    }

    /// The move that led here; `None` after a null move and at the root.
    #[inline]
    pub(super) fn last_move(&self) -> Option<Move> {
        Some(self.frame_before(1)?.played?.mv)
    }

    /// Whether a null move led here.
    pub(super) fn is_after_null(&self) -> bool {
        self.frame_before(1).is_some_and(|frame| frame.played.is_none())
    }

    /// The moves that continuation history looks at.
    #[inline]
    pub(super) fn previous_moves(&self) -> PreviousMoves {
        CONTINUATIONS.map(|plies| self.played_before(plies))
    }

    /// The moves that correction history looks at.
    #[inline]
    pub(super) fn last_moves(&self) -> LastMoves {
        LastMoves {
            last: self.played_before(1),
            second: self.played_before(2),
            fourth: self.played_before(4),
        }
    }

    /// What histories need to know about the node.
    #[inline]
    pub(super) fn history_context<'a>(
        &'a self,
        previous_moves: &'a PreviousMoves,
    ) -> HistoryContext<'a> {
        let frame = self.frame();
        HistoryContext { board: &frame.board, threats: &frame.threats, previous_moves }
    }

    /// Finds out what the opponent attacks.
    #[inline]
    pub(super) fn compute_threats(&mut self) {
        let frame = self.frame_mut();
        frame.threats = frame.board.threats(!frame.board.turn());
    }

    /// By how many points the side to move stands better than at its last turn, or at the one before if it
    /// was in check then; 0 if it was in check at both.
    #[inline]
    pub(super) fn improvement(&self, eval: Score) -> i32 {
        let earlier = |plies: usize| self.frame_before(plies)?.eval;
        earlier(2).or_else(|| earlier(4)).map_or(0, |before| eval - before)
    }

    /// Whether one of the first moves led here. True at the root.
    #[inline]
    pub(super) fn is_after_early_move(&self, moves: u8) -> bool {
        self.frame_before(1).is_none_or(|frame| frame.moves_before < moves)
    }

    /// Forgets what belongs to siblings under another grandparent.
    #[inline]
    pub(super) fn clear_grandchildren(&mut self) {
        let frame = &mut self.frames[self.ply + 2];
        frame.killers = Killers::default();
        frame.cutoffs = 0;
    }

    #[inline]
    pub(super) fn clear_pv(&mut self) {
        self.pvs[self.ply].clear();
    }

    /// Puts a move before the best line of the child that it led to.
    #[inline]
    pub(super) fn update_pv(&mut self, mv: Move) {
        let (above, below) = self.pvs.split_at_mut(self.ply + 1);
        let pv = &mut above[self.ply];
        pv.clear();
        pv.push(mv);
        pv.extend(below[0].iter().copied().take(MAX_PLY - 1));
    }
}
