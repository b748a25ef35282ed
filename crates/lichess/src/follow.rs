// SPDX-License-Identifier: GPL-3.0-or-later
//! Streams that are opened again and again, for as long as anybody listens.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, mpsc};

use crate::client::{ApiError, Backoff, Client, Lines};
use crate::model::{Event, GameEvent};

/// What is heard from a stream.
#[derive(Debug)]
pub(crate) enum Item<T> {
    /// It was opened; what follows is how things stand now.
    Opened,
    /// Something happened.
    Event(T),
    /// The server does not know what we ask about, and will not.
    Missing(ApiError),
}

/// A stream that outlives its connections.
#[derive(Debug)]
pub(crate) struct Stream<T> {
    items: mpsc::Receiver<Item<T>>,
    resync: Arc<Notify>,
    task: tokio::task::JoinHandle<()>,
}

impl<T> Stream<T> {
    /// The next item. It never ends by itself, but for a stream that is [`Item::Missing`].
    pub(crate) async fn next(&mut self) -> Option<Item<T>> {
        self.items.recv().await
    }

    /// Opens it anew, so that the server tells how things stand.
    pub(crate) fn resync(&self) {
        self.resync.notify_one();
    }
}

impl<T> Drop for Stream<T> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What the account's stream tells.
pub(crate) fn events(client: Arc<Client>) -> Stream<Event> {
    let waits = Waits {
        backoff: Backoff::new(Duration::from_secs(1), Duration::from_mins(1)),
        on_too_many: client.timing().rest,
        longest: Duration::from_mins(10),
    };
    start(client, Source::Events, waits)
}

/// What a game's stream tells. A clock may be running: waits are short.
pub(crate) fn game(client: Arc<Client>, id: &str) -> Stream<GameEvent> {
    let longest = Duration::from_secs(5);
    let waits = Waits {
        backoff: Backoff::new(Duration::from_millis(250), longest),
        on_too_many: Duration::from_secs(1),
        longest,
    };
    start(client, Source::Game(id.to_owned()), waits)
}

/// A stream that nobody tells anything.
pub(crate) fn quiet<T>() -> Stream<T> {
    let (_, items) = mpsc::channel(1);
    Stream { items, resync: Arc::default(), task: tokio::spawn(async {}) }
}

#[derive(Clone, Debug)]
enum Source {
    Events,
    Game(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Events => f.write_str("the stream of events"),
            Self::Game(id) => write!(f, "the stream of game {id}"),
        }
    }
}

impl Source {
    async fn open(&self, client: &Client) -> Result<Lines, ApiError> {
        match self {
            Self::Events => client.events().await,
            Self::Game(id) => client.game(id).await,
        }
    }
}

/// How long to wait before a stream is opened again.
#[derive(Clone, Copy, Debug)]
struct Waits {
    backoff: Backoff,
    /// After too many requests, if the server does not say.
    on_too_many: Duration,
    /// Even if the server wants more.
    longest: Duration,
}

impl Waits {
    fn after(&mut self, error: Option<&ApiError>) -> Duration {
        let usual = self.backoff.next();
        match error {
            Some(ApiError::TooMany { wait, .. }) => {
                usual.max(wait.unwrap_or(self.on_too_many)).min(self.longest)
            }
            _ => usual,
        }
    }
}

fn start<T>(client: Arc<Client>, source: Source, waits: Waits) -> Stream<T>
where
    T: serde::de::DeserializeOwned + Send + 'static,
{
    let (sender, items) = mpsc::channel(64);
    let resync = Arc::new(Notify::new());
    let follower = Follower { client, source, waits, sender, resync: Arc::clone(&resync) };
    Stream { items, resync, task: tokio::spawn(follower.run()) }
}

struct Follower<T> {
    client: Arc<Client>,
    source: Source,
    waits: Waits,
    sender: mpsc::Sender<Item<T>>,
    resync: Arc<Notify>,
}

/// How a connection ended.
enum End {
    /// Nobody listens any more.
    Unheard,
    /// We wanted it anew.
    Resync,
    /// By the server or on the way.
    Lost(Option<ApiError>),
}

impl<T: serde::de::DeserializeOwned> Follower<T> {
    async fn run(mut self) {
        loop {
            let began = Instant::now();
            let end = match self.source.open(&self.client).await {
                Ok(lines) => self.read(lines).await,
                Err(error) if error.is_missing() || error.is_unauthorized() => {
                    let _ = self.sender.send(Item::Missing(error)).await;
                    return;
                }
                Err(error) => End::Lost(Some(error)),
            };
            match end {
                End::Unheard => return,
                End::Resync => (),
                End::Lost(error) => {
                    // One that lived was well: what ended it is news.
                    if began.elapsed() > self.client.timing().silence() * 2 {
                        self.waits.backoff.reset();
                    }
                    if self.wait(error).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Waits before the next try; an error if nobody listens any more. News from elsewhere, such as that
    /// the game is over, cut the wait short, unless the server has asked for it.
    async fn wait(&mut self, error: Option<ApiError>) -> Result<(), ()> {
        let wait = self.waits.after(error.as_ref());
        let is_asked_for = matches!(error, Some(ApiError::TooMany { .. }));
        let cause = error.map_or_else(|| "closed".to_owned(), |e| e.to_string());
        tracing::info!("{}: {cause}; again in {} ms", self.source, wait.as_millis());
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            () = self.resync.notified(), if !is_asked_for => Ok(()),
            () = self.sender.closed() => Err(()),
        }
    }

    async fn read(&mut self, mut lines: Lines) -> End {
        if self.sender.send(Item::Opened).await.is_err() {
            return End::Unheard;
        }
        loop {
            let event = tokio::select! {
                event = lines.next::<T>() => event,
                () = self.resync.notified() => return End::Resync,
                () = self.sender.closed() => return End::Unheard,
            };
            match event {
                Ok(Some(event)) => {
                    if self.sender.send(Item::Event(event)).await.is_err() {
                        return End::Unheard;
                    }
                }
                Ok(None) => return End::Lost(None),
                Err(error) => return End::Lost(Some(error)),
            }
        }
    }
}
