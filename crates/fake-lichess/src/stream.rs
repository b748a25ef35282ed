// SPDX-License-Identifier: GPL-3.0-or-later
//! Streams of lines, with keep-alives, and ways to break them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::UnboundedReceiverStream;

/// The server's end of a stream. When the last copy is dropped, the stream ends.
#[derive(Clone, Debug)]
pub(crate) struct Tap {
    sender: UnboundedSender<io::Result<Bytes>>,
    is_stalled: Arc<AtomicBool>,
    /// Set when the stream must end; the task of the keep-alives lets go then.
    is_closed: Arc<AtomicBool>,
}

impl Tap {
    /// Opens a stream: the server's end, and the response.
    pub(crate) fn open(keep_alive: Duration, delay: Duration) -> (Self, Response) {
        let (sender, receiver) = unbounded_channel();
        let tap = Self { sender, is_stalled: Arc::default(), is_closed: Arc::default() };
        tokio::spawn(keep_alives(tap.clone(), keep_alive));
        let closed = Arc::clone(&tap.is_closed);
        let stream = UnboundedReceiverStream::new(receiver);
        // An empty chunk is the sign that the stream was closed in order.
        let stream = stream.take_while(move |chunk: &io::Result<Bytes>| {
            let is_end = chunk.as_ref().is_ok_and(Bytes::is_empty);
            !(is_end && closed.load(Ordering::Relaxed))
        });
        let slow = futures_delay(delay, stream);
        let response = Response::builder().header(CONTENT_TYPE, "application/x-ndjson");
        let response = response.body(Body::from_stream(slow)).expect("a sound response");
        (tap, response)
    }

    /// Whether anybody still reads.
    pub(crate) fn is_open(&self) -> bool {
        !self.sender.is_closed() && !self.is_closed.load(Ordering::Relaxed)
    }

    /// Sends an object as a line.
    pub(crate) fn send(&self, object: &Value) {
        self.raw(format!("{object}\n"));
    }

    /// Sends half of a line, and ends the stream.
    pub(crate) fn send_half(&self, object: &Value) {
        let text = object.to_string();
        self.raw(text[..text.len() / 2].to_owned());
        self.close();
    }

    /// Says nothing any more, but stays open.
    pub(crate) fn stall(&self) {
        self.is_stalled.store(true, Ordering::Relaxed);
    }

    /// Ends the stream in order.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        let _ = self.sender.send(Ok(Bytes::new()));
    }

    /// Breaks the stream.
    pub(crate) fn reset(&self) {
        let _ = self.sender.send(Err(io::ErrorKind::ConnectionReset.into()));
        self.is_closed.store(true, Ordering::Relaxed);
    }

    fn raw(&self, text: String) {
        if !self.is_stalled.load(Ordering::Relaxed) {
            let _ = self.sender.send(Ok(text.into()));
        }
    }
}

async fn keep_alives(tap: Tap, every: Duration) {
    while tap.is_open() {
        tap.raw("\n".to_owned());
        tokio::time::sleep(every).await;
    }
}

/// A stream whose first item takes its time.
fn futures_delay<S>(delay: Duration, stream: S) -> impl tokio_stream::Stream<Item = S::Item>
where
    S: tokio_stream::Stream,
{
    let mut first = true;
    tokio_stream::StreamExt::then(stream, move |item| {
        let wait = if std::mem::take(&mut first) { delay } else { Duration::ZERO };
        async move {
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
            item
        }
    })
}
