// SPDX-License-Identifier: GPL-3.0-or-later
//! How games are played.

use data::Unit;
use search::{Mode, Params};
use serde::{Deserialize, Serialize};

/// When enough has been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// At this many games.
    Games(u64),
    /// With the game that completes this many positions.
    Positions(u64),
}

/// How games are played: whoever changes a number gets other games. Kept beside the games, so that a
/// file is only continued by the settings that began it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GenerationSettings {
    /// Seed of the openings.
    pub seed: u64,
    /// What the scores in the file count; older files do not say it and hold points.
    pub unit: Unit,
    /// Which search plays: `alphabeta` or `mcts`.
    pub mode: String,
    /// A move's search ends with the depth in which it has spent this many nodes; a tree search after
    /// this many iterations.
    pub soft_nodes: u64,
    /// How many positions, on average, are taken out of each search and searched for themselves.
    pub leaves: f64,
    /// What the search of such a position spends, as `soft_nodes`.
    pub leaf_nodes: u64,
    /// Share of games that start from Chess960 positions, half of them with two different back ranks.
    pub chess960_share: f64,
    /// Share of games that start from the book, if there is one.
    pub book_share: f64,
    /// Fewest and most random plies from the start position.
    pub random_plies: (usize, usize),
    /// Fewest and most random plies from a position of the book.
    pub book_plies: (usize, usize),
    /// Openings worth more points than this to either side are dropped.
    pub max_opening_score: i32,
    /// A game is won after this many plies in a row beyond `win_score`.
    pub win_plies: usize,
    /// Points beyond which a game counts as won.
    pub win_score: i32,
    /// Share of games that are played to the end however clear they are.
    pub unadjudicated_share: f64,
    /// A game is drawn after this many plies in a row within `draw_score`.
    pub draw_plies: usize,
    /// Points within which a game counts as drawn.
    pub draw_score: i32,
    /// No game is called drawn before this ply.
    pub draw_from_ply: usize,
    /// MiB of table for each game.
    pub table: usize,
    /// What identifies the network.
    pub network: String,
    /// What identifies the policy of a tree search; empty without one.
    pub policy: String,
}

/// Ways to play that have a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preset {
    /// Many games with a little search: each generation sees a bit further than its network.
    #[default]
    Volume,
    /// Few games with more search from eight random plies, none called before its end; what is not
    /// quiet is left out when they are loaded. Nectar's way.
    Nectar,
}

impl GenerationSettings {
    /// The settings of a preset.
    pub fn of(preset: Preset, seed: u64, network: String) -> Self {
        match preset {
            Preset::Volume => Self::new(seed, 200, network),
            Preset::Nectar => Self {
                chess960_share: 0.0,
                book_share: 0.0,
                random_plies: (8, 8),
                unadjudicated_share: 1.0,
                ..Self::new(seed, 5_000, network)
            },
        }
    }

    /// Volume: a little search on the network for each move.
    pub fn new(seed: u64, soft_nodes: u64, network: String) -> Self {
        Self {
            seed,
            unit: Unit::Centipawns,
            mode: Mode::AlphaBeta.name().to_owned(),
            soft_nodes,
            leaves: 0.0,
            leaf_nodes: 80,
            chess960_share: 0.1,
            book_share: 0.5,
            random_plies: (8, 9),
            book_plies: (0, 4),
            max_opening_score: 400,
            win_plies: 5,
            win_score: 2_000,
            unadjudicated_share: 0.15,
            draw_plies: 12,
            draw_score: 8,
            draw_from_ply: 80,
            table: 2,
            network,
            policy: String::new(),
        }
    }

    /// The same with another search.
    #[must_use]
    pub fn in_mode(self, mode: Mode, policy: String) -> Self {
        Self { mode: mode.name().to_owned(), policy, ..self }
    }

    /// Which search plays.
    pub(crate) fn mode(&self) -> Mode {
        Mode::by_name(&self.mode).unwrap_or_default()
    }

    /// The numbers of the search. What is true of the game but not of the position is off: a network that
    /// learns from optimistic scores is optimistic itself, and the next one even more; and it does not
    /// see the clock of the fifty-move rule.
    pub(crate) fn params() -> Params {
        Params::default().with("optimism_on", 0).with("fifty_on", 0)
    }

    /// The most nodes of one search, however long its last depth takes.
    pub(crate) const fn hard_nodes(soft: u64) -> u64 {
        soft * 8 + 1_000
    }
}
