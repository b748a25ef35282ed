// SPDX-License-Identifier: GPL-3.0-or-later
//! The numbers of moves in the form that lc0 made common and that GUIs such as Nibbler read.

use std::fmt;

use chess::CastlingMode;
use search::MoveStats;

/// One line: the move, or `node` for the root, and its numbers from -1 to 1.
pub(crate) struct MoveStatsLine<'a> {
    pub(crate) stats: &'a MoveStats,
    pub(crate) mode: CastlingMode,
    /// How many moves there are.
    pub(crate) moves: usize,
}

/// A number, or dashes in its place.
struct Field {
    label: &'static str,
    value: Option<f32>,
    /// Characters and digits behind the point.
    width: usize,
    digits: usize,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, value, width, digits } = self;
        match value {
            Some(value) => write!(f, " ({label}: {value:width$.digits$})"),
            None => write!(f, " ({label}: {:>width$})", format!("-.{}", "-".repeat(*digits))),
        }
    }
}

impl fmt::Display for MoveStatsLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = self.stats;
        // From a share of 1 to a number from -1 to 1.
        let edge = |share: f32| 2.0 * share - 1.0;
        match stats.mv {
            Some(mv) => {
                let text = mv.uci(self.mode).to_string();
                write!(f, "{text:<6}({:<4})", mv.bits().get() & 0xFFF)?;
            }
            None => write!(f, "node  ({:>4})", self.moves)?,
        }
        write!(f, " N: {:>7} (+{:>2})", stats.visits, stats.in_flight)?;
        write!(f, " (P: {:>5.2}%)", 100.0 * stats.prior)?;
        let exploration = 2.0 * stats.exploration;
        let value = stats.value.map(edge);
        let field = |label, value, width, digits| Field { label, value, width, digits };
        for field in [
            field("WL", stats.plain.map(edge), 8, 5),
            field("D", stats.draw, 5, 3),
            field("M", None, 4, 1),
            field("Q", value, 8, 5),
            field("U", Some(exploration), 7, 5),
            field("S", value.map(|value| value + exploration), 8, 5),
            field("V", stats.first_value.map(edge), 7, 4),
        ] {
            write!(f, "{field}")?;
        }
        if stats.proof.is_some() { write!(f, " (T)") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    #[test]
    fn lines_have_the_form_that_guis_read() {
        let mut stats = MoveStats {
            mv: Board::default().parse_uci("e2e4").ok(),
            visits: 193,
            in_flight: 6,
            prior: 0.1568,
            value: Some(0.55),
            plain: Some(0.55),
            draw: Some(0.574),
            exploration: 0.01,
            first_value: Some(0.5),
            proof: None,
        };
        let text = |stats: &MoveStats| {
            MoveStatsLine { stats, mode: CastlingMode::Standard, moves: 20 }.to_string()
        };
        assert_eq!(
            text(&stats),
            "e2e4  (1804) N:     193 (+ 6) (P: 15.68%) (WL:  0.10000) (D: 0.574) (M:  -.-) \
             (Q:  0.10000) (U: 0.02000) (S:  0.12000) (V:  0.0000)"
        );
        (stats.mv, stats.value, stats.plain, stats.draw) = (None, None, None, None);
        assert!(text(&stats).starts_with("node  (  20) N: "), "{}", text(&stats));
        assert!(text(&stats).contains("(WL:  -.-----) (D: -.---)"), "{}", text(&stats));
    }
}
