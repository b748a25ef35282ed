// SPDX-License-Identifier: GPL-3.0-or-later
//! The scores between which a search must be exact.

use std::ops::Neg;

use crate::info::Bound;
use crate::score::Score;

/// An open interval of scores. A result at or below `alpha` is an upper bound, one at or above
/// `beta` a lower bound, one in between is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// What the side to move has already.
    pub alpha: Score,
    /// What the opponent will not allow.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Self = Self { alpha: Score::MIN, beta: Score::MAX };

    /// The window that only asks whether a score is above `alpha`.
    #[inline]
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window that only asks whether a score reaches `beta`.
    #[inline]
    pub fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// A window of `margin` to each side, within what scores can be.
    pub fn around(center: Score, margin: i32) -> Self {
        Self { alpha: (center - margin).max(Score::MIN), beta: (center + margin).min(Score::MAX) }
    }

    /// Raises alpha to a better score; tells whether it was better.
    #[inline]
    pub fn raise(&mut self, score: Score) -> bool {
        let is_better = score > self.alpha;
        if is_better {
            self.alpha = score;
        }
        is_better
    }

    /// Whether a score reaches beta.
    #[inline]
    pub fn is_fail_high(&self, score: Score) -> bool {
        score >= self.beta
    }

    /// How a result of a search with this window is to be read.
    #[inline]
    pub fn bound_of(&self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a bound says on which side of the window the score lies.
    #[inline]
    pub fn is_settled_by(&self, score: Score, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        }
    }

    /// Whether nothing lies between the bounds.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.alpha >= self.beta
    }
}

/// The window as the opponent sees it.
impl Neg for Window {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_turns_around() {
        let window = Window::around(Score::new(30), 20);
        assert_eq!(-window, Window::around(Score::new(-30), 20));
        assert_eq!(-Window::above(Score::new(5)), Window::below(Score::new(-5)));
        assert_eq!(-Window::FULL, Window::FULL);
    }

    #[test]
    fn results_are_bounds_at_the_edges_and_beyond() {
        let window = Window { alpha: Score::new(-10), beta: Score::new(10) };
        let bounds = [-10, -9, 9, 10].map(|score| window.bound_of(Score::new(score)));
        assert_eq!(bounds, [Bound::Upper, Bound::Exact, Bound::Exact, Bound::Lower]);
        for (score, bound, is_settled) in [
            (10, Bound::Lower, true),
            (9, Bound::Lower, false),
            (-10, Bound::Upper, true),
            (-9, Bound::Upper, false),
            (0, Bound::Exact, true),
        ] {
            assert_eq!(window.is_settled_by(Score::new(score), bound), is_settled);
        }
    }

    #[test]
    fn raising_keeps_the_best() {
        let mut window = Window::around(Score::DRAW, 10);
        assert!(window.raise(Score::new(3)));
        assert!(!window.raise(Score::new(3)));
        assert!(window.is_fail_high(Score::new(10)));
        assert!(!window.is_empty());
    }
}
