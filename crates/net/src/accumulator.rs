// SPDX-License-Identifier: GPL-3.0-or-later
//! The accumulators: sums of rows that follow a line of play.
//!
//! A move only notes what it changed. Sums are brought up to date when an evaluation asks for them,
//! from the last ply that has them, so that nodes without an evaluation cost nothing. Where a king's
//! move changes all features, the sum is taken from a cache instead: for every view and every set of
//! features, the last sum and the pieces that it was made of.

use chess::{Bitboard, Board, Color, Delta, Piece, Placed, Role, Square};

use crate::Kernels;
use crate::features::Features;
use crate::layers::{Aligned, FirstLayer};

/// Sums of rows for every ply of a line.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    width: usize,
    views: usize,
    frames: Vec<Frame>,
    /// `[ply][view][lane]`.
    sums: Aligned,
    top: usize,
    /// `[view][slot]`.
    cache: Vec<Cached>,
    slots: usize,
}

/// One ply of the line.
#[derive(Clone, Debug, Default)]
struct Frame {
    /// The pieces that left with the move to this ply, the mover first.
    off: [Option<Placed>; 2],
    /// The pieces that entered, the mover first.
    on: [Option<Placed>; 2],
    /// The ply whose sums hold for this one, by view; `None` if they are still to be made.
    source: [Option<u32>; 2],
}

/// A sum and the pieces that it was made of.
#[derive(Clone, Debug)]
struct Cached {
    pieces: [Bitboard; Piece::NUM],
    sum: Aligned,
}

impl Stack {
    /// Room for as many plies as a search goes deep; it grows if need be.
    const PLIES: usize = 256;

    /// A stack for networks without accumulators.
    pub(crate) fn empty() -> Self {
        let (frames, cache) = (vec![Frame::default()], Vec::new());
        Self { width: 0, views: 0, frames, sums: Aligned::zeroed(0), top: 0, cache, slots: 0 }
    }

    /// A stack for `views` views of this layer. It does not know a position yet.
    pub(crate) fn new<F: Features>(layer: &FirstLayer<F>, views: usize) -> Self {
        let (width, slots) = (layer.width(), layer.features.slots());
        let cached = Cached { pieces: [Bitboard::EMPTY; Piece::NUM], sum: layer.bias.clone() };
        Self {
            width,
            views,
            frames: vec![Frame::default(); Self::PLIES],
            sums: Aligned::zeroed(Self::PLIES * views * width),
            top: 0,
            cache: vec![cached; views * slots],
            slots,
        }
    }

    /// Where the sums of a ply begin.
    #[inline]
    fn start(&self, ply: usize, view: Color) -> usize {
        (ply * self.views + view.index()) * self.width
    }

    /// Begins a new line with this board.
    pub(crate) fn reset<F: Features>(
        &mut self,
        layer: &FirstLayer<F>,
        board: &Board,
        kernels: &Kernels,
    ) {
        self.top = 0;
        for &view in &Color::ALL[..self.views] {
            self.refresh(layer, view, board, kernels);
        }
    }

    /// Notes a move.
    #[inline]
    pub(crate) fn push(&mut self, delta: &Delta) {
        self.top += 1;
        if self.top >= self.frames.len() {
            self.grow();
        }
        let frame = &mut self.frames[self.top];
        frame.off = std::array::from_fn(|i| delta.off.get(i).copied());
        frame.on = std::array::from_fn(|i| delta.on.get(i).copied());
        frame.source = [None; 2];
    }

    #[cold]
    fn grow(&mut self) {
        let plies = 2 * self.top;
        self.frames.resize(plies, Frame::default());
        let mut sums = Aligned::zeroed(plies * self.views * self.width);
        sums[..self.sums.len()].copy_from_slice(&self.sums);
        self.sums = sums;
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.top = self.top.checked_sub(1).expect("a move was pushed before");
    }

    /// The sums of a view for the current ply, which must be up to date.
    #[inline]
    pub(crate) fn row(&self, view: Color) -> &[i16] {
        let source = self.frames[self.top].source[view.index()].expect("the view is up to date");
        self.sums(self.start(source as usize, view))
    }

    /// The sums that begin at a place that [`Stack::update`] gave.
    #[inline]
    pub(crate) fn sums(&self, start: usize) -> &[i16] {
        &self.sums[start..start + self.width]
    }

    /// Brings a view up to date and says where its sums begin. The board is the one that the moves led
    /// to.
    ///
    /// A call of its own for each view: both in one have more to keep in mind than there are registers.
    #[inline(never)]
    pub(crate) fn update<F: Features>(
        &mut self,
        layer: &FirstLayer<F>,
        view: Color,
        board: &Board,
        kernels: &Kernels,
    ) -> usize {
        let mut ply = self.top;
        let mut source = loop {
            let frame = &self.frames[ply];
            if let Some(source) = frame.source[view.index()] {
                break source as usize;
            }
            let king_move = frame.king_move(view);
            if king_move.is_some_and(|(from, to)| layer.features.needs_refresh(view, from, to)) {
                return self.refresh(layer, view, board, kernels);
            }
            ply -= 1;
        };
        let king = board.king(view);
        while ply < self.top {
            ply += 1;
            source = self.follow(layer, view, king, [source, ply], kernels);
        }
        self.start(source, view)
    }

    /// Makes the sums of a ply from those of `source`, which hold for the ply before, and says which
    /// ply's sums hold for this one.
    #[inline]
    fn follow<F: Features>(
        &mut self,
        layer: &FirstLayer<F>,
        view: Color,
        king: Square,
        [source, ply]: [usize; 2],
        kernels: &Kernels,
    ) -> usize {
        let (from, to) = (self.start(source, view), self.start(ply, view));
        let frame = &mut self.frames[ply];
        let on = rows(&layer.features, view, king, frame.on);
        let off = rows(&layer.features, view, king, frame.off);
        if on.is_empty() && off.is_empty() {
            frame.source[view.index()] = Some(source as u32);
            return source;
        }
        frame.source[view.index()] = Some(ply as u32);
        let (before, after) = self.sums.split_at_mut(to);
        let (from, out) = (&before[from..from + self.width], &mut after[..self.width]);
        kernels.apply(out, from, &layer.rows, on.get(), off.get());
        ply
    }

    /// Makes the sums of the current ply from the cache: only pieces that stand elsewhere than the
    /// last time cost anything. Says where the sums begin.
    #[inline(never)]
    fn refresh<F: Features>(
        &mut self,
        layer: &FirstLayer<F>,
        view: Color,
        board: &Board,
        kernels: &Kernels,
    ) -> usize {
        let king = board.king(view);
        let slot = view.index() * self.slots + layer.features.slot(view, king);
        let cached = &mut self.cache[slot];
        let (mut on, mut off) = (List::<64>::default(), List::<64>::default());
        for piece in Piece::ALL {
            let now = board.by_piece(piece.color(), piece.role());
            let was = std::mem::replace(&mut cached.pieces[piece.index()], now);
            let index = |square| layer.features.index(view, king, piece, square);
            for square in now - was {
                on.extend(index(square));
            }
            for square in was - now {
                off.extend(index(square));
            }
        }
        let start = self.start(self.top, view);
        let cached = &mut self.cache[slot];
        let out = &mut self.sums[start..start + self.width];
        kernels.apply(out, &cached.sum, &layer.rows, on.get(), off.get());
        cached.sum.copy_from_slice(out);
        self.frames[self.top].source[view.index()] = Some(self.top as u32);
        start
    }
}

/// The rows of up to two pieces.
#[inline]
fn rows<F: Features>(
    features: &F,
    view: Color,
    king: Square,
    placed: [Option<Placed>; 2],
) -> List<2> {
    let mut list = List::default();
    let [mover, other] = placed;
    if let Some(Placed { piece, square }) = mover {
        list.extend(features.index(view, king, piece, square));
    }
    if let Some(Placed { piece, square }) = other {
        list.extend(features.index(view, king, piece, square));
    }
    list
}

impl Frame {
    /// Where the king of this color went, if it was its move.
    #[inline]
    fn king_move(&self, color: Color) -> Option<(Square, Square)> {
        let king = Piece::new(color, Role::King);
        let square = |mover: Option<Placed>| mover.filter(|m| m.piece == king).map(|m| m.square);
        Some((square(self.off[0])?, square(self.on[0])?))
    }
}

/// A short list of rows.
struct List<const N: usize> {
    rows: [u32; N],
    len: usize,
}

impl<const N: usize> Default for List<N> {
    fn default() -> Self {
        Self { rows: [0; N], len: 0 }
    }
}

impl<const N: usize> List<N> {
    #[inline]
    fn extend(&mut self, row: Option<usize>) {
        if let Some(row) = row {
            self.rows[self.len] = row as u32;
            self.len += 1;
        }
    }

    #[inline]
    fn get(&self) -> &[u32] {
        &self.rows[..self.len]
    }

    #[inline]
    const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{self, Random};
    use crate::{Architecture, Net};

    /// Only which block the head reads may change.
    #[test]
    fn kings_of_tal_leave_both_views_alone() {
        let Net::Tal(net) = random::network(Architecture::Tal, 5) else { unreachable!() };
        let (kernels, mut random) = (Kernels::detect(), Random::new(7));
        let mut stack = Stack::new(&net.first, 2);
        let mut king_moves = 0;
        for _ in 0..100 {
            let mut board = Board::default();
            stack.reset(&net.first, &board, &kernels);
            for _ in 0..100 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len())];
                let is_king = board.role_on(mv.from()) == Some(Role::King);
                let before = Color::ALL.map(|view| stack.row(view).to_vec());
                stack.push(&board.play(mv));
                for view in Color::ALL {
                    stack.update(&net.first, view, &board, &kernels);
                }
                let after = Color::ALL.map(|view| stack.row(view).to_vec());
                let is_quiet_king = is_king && !mv.is_castle() && !mv.is_capture();
                assert_eq!(before == after, is_quiet_king, "{mv:?}");
                if is_quiet_king {
                    let frame = &stack.frames[stack.top];
                    assert!(frame.source.iter().all(|source| *source < Some(stack.top as u32)));
                    king_moves += 1;
                }
            }
        }
        assert!(king_moves > 200);
    }
}
