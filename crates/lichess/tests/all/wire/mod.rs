// SPDX-License-Identifier: GPL-3.0-or-later
//! The bot against the fake Lichess, over a real connection.

mod external;
mod games;
mod matchmaking;
