// SPDX-License-Identifier: GPL-3.0-or-later
//! Playing weaker than one can, as people do: by seeing less, and by misjudging what is seen.
//!
//! A limited engine searches a number of nodes whatever the clock says, and then chooses among its
//! best lines by chance: the smaller the difference of two scores against the *slip*, the likelier
//! the worse one is played. Both numbers are interpolated between points that were calibrated by
//! matches; docs/concepts/strength.md has the table.

use std::hash::{BuildHasher, RandomState};

use search::{Line, Score};

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// Nodes to search for each move.
    pub nodes: u64,
    /// Points by which a line may seem better than it is.
    slip: f64,
}

/// Elo, nodes, slip: what `scripts/calibrate_strength.sh` measured.
const POINTS: [(f64, f64, f64); 9] = [
    (980.0, 8.0, 400.0),
    (1090.0, 16.0, 260.0),
    (1250.0, 32.0, 170.0),
    (1440.0, 80.0, 100.0),
    (1530.0, 200.0, 60.0),
    (1760.0, 600.0, 32.0),
    (2085.0, 2_000.0, 15.0),
    (2625.0, 8_000.0, 6.0),
    (3270.0, 60_000.0, 0.0),
];

impl Strength {
    /// The weakest and the strongest limit.
    pub const ELO: std::ops::RangeInclusive<i64> = 1000..=3200;
    /// The levels of `Skill Level` and of `quincunx play`; the highest is no limit.
    pub const LEVELS: i64 = 20;
    /// How many lines it chooses from.
    pub const LINES: usize = 5;

    /// The strength of players with this rating.
    pub fn of_elo(elo: i64) -> Self {
        let elo = (elo as f64).clamp(POINTS[0].0, POINTS[POINTS.len() - 1].0);
        let pair = POINTS.windows(2).find(|pair| elo <= pair[1].0).unwrap_or(&POINTS[..2]);
        let [low, high] = [pair[0], pair[1]];
        let share = (elo - low.0) / (high.0 - low.0);
        let nodes = (low.1.ln() + share * (high.1 / low.1).ln()).exp();
        Self { nodes: nodes.round() as u64, slip: low.2 + share * (high.2 - low.2) }
    }

    /// The strength of a level; `None` for the highest, which is no limit.
    pub fn of_level(level: i64) -> Option<Self> {
        Self::elo_of_level(level).map(Self::of_elo)
    }

    /// The rating of a level; `None` for the highest, which is no limit.
    pub fn elo_of_level(level: i64) -> Option<i64> {
        let (first, last) = (*Self::ELO.start(), *Self::ELO.end());
        (level < Self::LEVELS).then(|| first + level * (last - first) / Self::LEVELS)
    }

    /// Chooses one of the lines. A mate that is seen is played.
    pub fn choose(self, lines: &[Line]) -> Option<&Line> {
        let best = lines.first()?;
        if best.score.is_decisive() {
            return Some(best);
        }
        let seen = |score: Score| f64::from(score.value()) + self.slip * gumbel();
        let mut chosen = (best, seen(best.score));
        for line in &lines[1..] {
            let worth = seen(line.score);
            if worth > chosen.1 && !line.score.is_loss() {
                chosen = (line, worth);
            }
        }
        Some(chosen.0)
    }
}

/// A random number with the distribution that makes a choice by the largest sum a choice by chance.
fn gumbel() -> f64 {
    let bits = RandomState::new().hash_one(0u8) >> 11;
    let uniform = (bits as f64 + 0.5) / (1u64 << 53) as f64;
    -(-uniform.ln()).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;
    use search::Bound;

    #[test]
    fn more_elo_is_more_nodes_and_fewer_slips() {
        let mut last = Strength::of_elo(0);
        for elo in (1000..=3200).step_by(50) {
            let strength = Strength::of_elo(elo);
            assert!(strength.nodes >= last.nodes && strength.slip <= last.slip, "{strength:?}");
            last = strength;
        }
        assert_eq!(Strength::of_elo(9999), Strength::of_elo(3270));
        assert_eq!(Strength::of_level(20), None);
        assert_eq!(Strength::of_level(0), Some(Strength::of_elo(1000)));
    }

    #[test]
    fn the_weak_choose_worse_lines_and_the_strong_do_not() {
        let line = |mv: &str, score: i32| Line {
            depth: 3,
            selective_depth: 3,
            rank: 1,
            score: Score::new(score),
            bound: Bound::Exact,
            moves: vec![Board::default().parse_uci(mv).unwrap()],
        };
        let lines = [line("e2e4", 50), line("a2a3", -100)];
        let slips = |elo: i64| {
            let strength = Strength::of_elo(elo);
            (0..400).filter(|_| strength.choose(&lines) == Some(&lines[1])).count()
        };
        assert_eq!(slips(3270), 0);
        let weak = slips(1000);
        assert!((60..340).contains(&weak), "{weak}");
    }
}
