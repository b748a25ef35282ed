// SPDX-License-Identifier: GPL-3.0-or-later
//! Bringing our decision to the server, a move or a resignation, whatever the network does.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::Context;
use crate::client::{Act, ApiError, Backoff, move_wait};

/// What we have decided.
#[derive(Clone, Debug)]
pub(super) enum Decision {
    /// To play a move.
    Move {
        /// The move as the server wants it.
        text: String,
        offers_draw: bool,
    },
    /// To give the game up.
    Resign,
}

/// A decision on its way.
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    pub(super) game: String,
    pub(super) decision: Decision,
    /// When our clock runs out; none without a clock.
    pub(super) deadline: Option<Instant>,
}

impl Dispatch {
    async fn send(&self, context: &Context, patience: Duration) -> Result<(), ApiError> {
        match &self.decision {
            Decision::Move { text, offers_draw } => {
                context.client.play(&self.game, text, *offers_draw, patience).await
            }
            Decision::Resign => context.client.act(&self.game, Act::Resign).await,
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { text, .. } => f.write_str(text),
            Self::Resign => f.write_str("resignation"),
        }
    }
}

/// The task that brings it. Dropped, it gives up.
#[derive(Debug)]
pub(super) struct Delivery(JoinHandle<Result<(), ApiError>>);

impl Delivery {
    pub(super) fn start(context: Arc<Context>, dispatch: Dispatch) -> Self {
        Self(tokio::spawn(async move { deliver(&context, &dispatch).await }))
    }

    /// Waits for the end: the server has it, or will not take it.
    pub(super) async fn wait(&mut self) -> Result<(), ApiError> {
        let gone = |_| Err(ApiError::Transport("the delivery was given up".to_owned()));
        (&mut self.0).await.unwrap_or_else(gone)
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Tries until the server answers with yes or no.
async fn deliver(context: &Context, dispatch: &Dispatch) -> Result<(), ApiError> {
    const NO_HURRY: Duration = Duration::from_hours(1);
    let mut backoff = Backoff::new(Duration::from_millis(200), Duration::from_secs(2));
    loop {
        let began = Instant::now();
        let left = dispatch.deadline.map_or(NO_HURRY, |end| end.saturating_duration_since(began));
        // An answer that does not come must leave time for another try.
        let patience = (left / 6).clamp(Duration::from_millis(700), Duration::from_secs(6));
        let Dispatch { game, decision, .. } = dispatch;
        match dispatch.send(context, patience).await {
            Ok(()) => {
                context.lag.note(began.elapsed());
                return Ok(());
            }
            Err(error) if error.is_transient() => {
                let left = left.saturating_sub(began.elapsed());
                let wait = move_wait(&error, left, &mut backoff);
                tracing::warn!(
                    "game {game}: {decision}: {error}; again in {} ms",
                    wait.as_millis()
                );
                tokio::time::sleep(wait).await;
            }
            Err(error) => return Err(error),
        }
    }
}
