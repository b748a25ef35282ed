// SPDX-License-Identifier: GPL-3.0-or-later
//! EPD: positions with operations.

use chess::{Color, Epd, Outcome, White};

use super::Sample;
use super::value::read_outcome;
use crate::{Label, LabelScore};

/// Reads a line: nothing if it is blank or a comment. `ce` and `dm` are the side to move's, a
/// result such as `c9 "1-0"` is as in games. A position without any of them is there to be labelled
/// later.
pub(super) fn read(line: &str) -> Result<Option<Sample>, String> {
    let Some(epd) = Epd::read_line(line).map_err(|error| error.to_string())? else {
        return Ok(None);
    };
    let board = *epd.board();
    let label = Label {
        score: score(&epd, board.turn())?,
        best_move: epd.best_moves().first().copied(),
        outcome: outcome(&epd),
    };
    Ok(Some(Sample { board, label }))
}

fn score(epd: &Epd, turn: Color) -> Result<Option<LabelScore>, String> {
    if let Some(moves) = epd.mate_distance().map_err(|error| error.to_string())? {
        let winner = if moves < 0 { !turn } else { turn };
        let moves = moves.clamp(-1000, 1000) as i32;
        return Ok(Some(LabelScore::mate(moves, winner)));
    }
    let centipawns = epd.centipawns().map_err(|error| error.to_string())?;
    Ok(centipawns.map(|value| LabelScore::clamped(White::seen_by(turn, value))))
}

fn outcome(epd: &Epd) -> Option<Outcome> {
    ["c9", "c0"].iter().find_map(|opcode| read_outcome(&epd.text(opcode)?))
}
