// SPDX-License-Identifier: GPL-3.0-or-later
//! Bringing a move to the server, whatever the network does.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::Context;
use crate::client::{ApiError, Backoff, move_wait};

/// A move on its way.
#[derive(Clone, Debug)]
pub(super) struct Parcel {
    pub(super) game: String,
    pub(super) mv: String,
    pub(super) offers_draw: bool,
    /// When our clock runs out; none without a clock.
    pub(super) deadline: Option<Instant>,
}

/// The task that brings it. Dropped, it gives up.
#[derive(Debug)]
pub(super) struct Delivery(JoinHandle<Result<(), ApiError>>);

impl Delivery {
    pub(super) fn start(context: Arc<Context>, parcel: Parcel) -> Self {
        Self(tokio::spawn(async move { deliver(&context, &parcel).await }))
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
async fn deliver(context: &Context, parcel: &Parcel) -> Result<(), ApiError> {
    const NO_HURRY: Duration = Duration::from_hours(1);
    let mut backoff = Backoff::new(Duration::from_millis(200), Duration::from_secs(2));
    loop {
        let began = Instant::now();
        let left = parcel.deadline.map_or(NO_HURRY, |end| end.saturating_duration_since(began));
        // An answer that does not come must leave time for another try.
        let patience = (left / 6).clamp(Duration::from_millis(700), Duration::from_secs(6));
        let Parcel { game, mv, offers_draw, .. } = parcel;
        match context.client.play(game, mv, *offers_draw, patience).await {
            Ok(()) => {
                context.lag.note(began.elapsed());
                return Ok(());
            }
            Err(error) if error.is_transient() => {
                let left = left.saturating_sub(began.elapsed());
                let wait = move_wait(&error, left, &mut backoff);
                tracing::warn!("game {game}: {mv}: {error}; again in {} ms", wait.as_millis());
                tokio::time::sleep(wait).await;
            }
            Err(error) => return Err(error),
        }
    }
}
