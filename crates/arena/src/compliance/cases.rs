// SPDX-License-Identifier: GPL-3.0-or-later
//! The cases, a file for each group. To add one, add an entry to its group's list.

mod bad_input;
mod castling;
mod clients;
mod end;
mod handshake;
mod limits;
mod options;
mod output;
mod ponder;
mod positions;
mod rules;
mod stop;

use super::Case;
use super::probe::{CaseResult, Probe};

/// All groups, in the order of the report.
pub(super) const GROUPS: &[(&str, &[Case])] = &[
    ("handshake", handshake::CASES),
    ("options", options::CASES),
    ("positions", positions::CASES),
    ("castling", castling::CASES),
    ("limits", limits::CASES),
    ("stop", stop::CASES),
    ("ponder", ponder::CASES),
    ("bad input", bad_input::CASES),
    ("rules", rules::CASES),
    ("output", output::CASES),
    ("clients", clients::CASES),
    ("end", end::CASES),
];

/// An entry of a group's list; its group is filled in when the groups are joined.
const fn case(
    name: &'static str,
    reason: &'static str,
    check: fn(&mut Probe) -> CaseResult,
) -> Case {
    Case { group: "", name, reason, check }
}

/// A position with play for both sides, White to move.
const MIDDLEGAME: &str =
    "fen r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6";

/// The same with Black to move.
const BLACK_TO_MOVE: &str =
    "fen r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 b kq - 1 6";

/// White mates in one.
const MATE_IN_ONE: &str = "fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1";

/// White mates in two: the rooks climb.
const MATE_IN_TWO: &str = "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

/// White is mated.
const MATED: &str = "fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

/// Black is stalemated.
const STALEMATED: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::cases;
    use super::super::probe::read_position;
    use super::*;

    #[test]
    fn there_are_enough_cases_with_a_name_and_a_reason_each() {
        let names: HashSet<&str> = cases().map(|case| case.name).collect();
        assert_eq!(names.len(), cases().count(), "a name is used twice");
        assert!(names.len() >= 100, "{}", names.len());
        for case in cases() {
            assert!(case.reason.len() > 20 && !case.reason.ends_with('.'), "{}", case.name);
        }
    }

    #[test]
    fn the_shared_positions_are_what_they_are_called() {
        let board = |position| *read_position(position).board();
        assert!(board(MATED).is_checkmate());
        assert!(board(STALEMATED).is_stalemate());
        let mut mate = board(MATE_IN_ONE);
        mate.play(mate.parse_uci("a1a8").unwrap());
        assert!(mate.is_checkmate());
        assert!(board(MIDDLEGAME).has_legal_moves() && board(BLACK_TO_MOVE).has_legal_moves());
    }
}
