// SPDX-License-Identifier: GPL-3.0-or-later
//! Results as bytes: White 2, draw 1, Black 0.

use chess::{Color, Outcome};

pub(crate) const fn code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Decisive { winner: Color::White } => 2,
        Outcome::Draw => 1,
        Outcome::Decisive { winner: Color::Black } => 0,
    }
}

pub(crate) const fn from_code(code: u8) -> Option<Outcome> {
    Some(match code {
        2 => Outcome::Decisive { winner: Color::White },
        1 => Outcome::Draw,
        0 => Outcome::Decisive { winner: Color::Black },
        _ => return None,
    })
}
