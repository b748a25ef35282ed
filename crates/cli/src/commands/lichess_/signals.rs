// SPDX-License-Identifier: GPL-3.0-or-later
//! Being told to stop: Ctrl-C and SIGTERM, gently at first.

use lichess::Stop;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// What comes of the signals: the first one asks, the second one insists.
pub(in crate::commands) fn stops() -> UnboundedReceiver<Stop> {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(async move {
        for stop in [Stop::Gently, Stop::Now] {
            wait().await;
            if sender.send(stop).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(unix)]
async fn wait() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut term) = signal(SignalKind::terminate()) else {
        // Ctrl-C is all there is, then.
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => (),
        _ = term.recv() => (),
    }
}

#[cfg(not(unix))]
async fn wait() {
    let _ = tokio::signal::ctrl_c().await;
}
