// SPDX-License-Identifier: GPL-3.0-or-later
//! Screening: what each of many switches and numbers is worth, all measured by the same games.
//!
//! In each pair of games an engine plays against itself. Every *entry* (a change of one or more
//! options, such as `rfp_on` from 1 to 0) is made on exactly one of the two sides, on which one a coin
//! decides. So every pair tells something about every entry, and a regression of the pairs' scores on
//! the coins gives an effect in Elo with its error for each of them: with n entries, n times as much
//! as a match for each entry would give for the same games.
//!
//! An effect is that of the entry **averaged over the other entries being made or not**, which is what
//! it is worth among the others, not alone. [`Config::share`] makes fewer of them at a time.
//!
//! - [`Design`]: on which side each entry of a pair is made; it follows from seed and number.
//! - [`fit`]: the regression.
//! - [`ScreenState`]: the run on disk.
//! - [`Report`]: the effects in order, with marks for what is proved.

mod config;
mod design;
mod fit;
mod play;
mod report;
mod state;

use std::path::Path;

use tools::store::Lock;

pub use config::{Change, Config, Entry};
pub use design::{Design, Side};
pub use fit::{Fit, Row, fit};
pub use play::{PairPlayer, check};
pub use report::{Effect, Mark, Report};
pub use state::{PairGames, ScreenState};

use crate::trials::{self, Saved, TrialError, Trials};

/// Plays the pairs that are missing, `workers` at a time, and tells `progress` after each.
///
/// Each worker has a player of its own, which plays the pair with a given number. `progress` returns
/// whether to go on. The folder is up to date whenever it is called.
pub fn run<P>(
    folder: &Lock,
    state: ScreenState,
    pairs: u64,
    workers: usize,
    new_player: impl Fn() -> P + Sync,
    progress: impl Fn(&ScreenState) -> bool + Sync,
) -> Result<ScreenState, TrialError>
where
    P: FnMut(u64) -> Result<PairGames, TrialError>,
{
    let screening = Screening { state, pairs, next: 0 };
    let new_player = || {
        let mut play = new_player();
        move |pair: &u64| play(*pair)
    };
    let progress = |screening: &Screening| progress(&screening.state);
    Ok(trials::run(folder, screening, workers, new_player, progress)?.state)
}

/// A screening under way.
struct Screening {
    state: ScreenState,
    /// How many pairs to play.
    pairs: u64,
    /// All pairs before this one are played or under way.
    next: u64,
}

impl Trials for Screening {
    type Trial = u64;
    type Games = PairGames;

    fn next(&mut self) -> Option<u64> {
        let pair = (self.next..self.pairs).find(|&pair| self.state.score(pair).is_none())?;
        self.next = pair + 1;
        Some(pair)
    }

    fn report(&mut self, &pair: &u64, games: PairGames) -> Result<(), TrialError> {
        self.state.add(pair, games);
        Ok(())
    }

    fn save(&self, folder: &Path) -> Result<(), TrialError> {
        self.state.save(folder)
    }
}
