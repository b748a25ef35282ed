// SPDX-License-Identifier: GPL-3.0-or-later
//! One tab: its messages, its limits and its engines.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use chess::Game;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tablebase::{FiftyMoves, RootMove, Tables};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::openings;
use crate::protocol::{Named, Place, Reply, Request, TableMove, VERSION};
use crate::server::Shared;
use crate::thinker::{Task, Thinker, texts};
use crate::watch::Watched;

/// Messages that may wait for a slow reader.
const WAITING: usize = 64;
/// A reader that takes no message for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(5);
/// A message each so often is fine, and that many at once.
const RATE: Duration = Duration::from_millis(10);
const BURST: u32 = 300;
/// How often a run that is watched is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// How often its boards are looked at.
const GLANCE: Duration = Duration::from_millis(150);
/// The longest game that all networks judge, in plies.
const MAX_JUDGED: usize = 600;

/// Serves one tab until it is closed.
pub(crate) async fn serve(socket: WebSocket, shared: Arc<Shared>) {
    let (sink, stream) = socket.split();
    let (replies, outbox) = mpsc::channel(WAITING);
    let writer = tokio::spawn(write(sink, outbox));
    let thinker =
        Thinker::new(Arc::clone(&shared.minds), Arc::clone(&shared.budget), replies.clone());
    let mut tab = Tab { shared, thinker, replies, session: None, watch: None };
    tokio::select! {
        () = tab.read(stream) => (),
        // A reader that is too slow, or that has gone.
        _ = writer => (),
    }
    tab.watch(None);
}

/// Sends what is in the outbox, until nobody takes it.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut outbox: mpsc::Receiver<Reply>) {
    while let Some(reply) = outbox.recv().await {
        let text = serde_json::to_string(&reply).expect("plain data");
        let sent = timeout(PATIENCE, sink.send(Message::Text(text.into()))).await;
        if !matches!(sent, Ok(Ok(()))) {
            return;
        }
    }
    let frame = CloseFrame { code: close_code::POLICY, reason: Utf8Bytes::from_static("too much") };
    let _ = timeout(PATIENCE, sink.send(Message::Close(Some(frame)))).await;
}

/// Counts messages: each takes a token, and tokens come back with time.
struct Meter {
    tokens: f64,
    last: Instant,
}

impl Meter {
    fn new() -> Self {
        Self { tokens: BURST.into(), last: Instant::now() }
    }

    fn takes(&mut self) -> bool {
        let back = self.last.elapsed().as_secs_f64() / RATE.as_secs_f64();
        self.last = Instant::now();
        self.tokens = (self.tokens + back).min(BURST.into()) - 1.0;
        self.tokens >= 0.0
    }
}

struct Tab {
    shared: Arc<Shared>,
    thinker: Thinker,
    replies: mpsc::Sender<Reply>,
    /// Its name, once it has said hello.
    session: Option<String>,
    watch: Option<JoinHandle<()>>,
}

impl Tab {
    /// Reads messages until the tab is closed, or says too much.
    async fn read(&mut self, mut stream: SplitStream<WebSocket>) {
        let mut meter = Meter::new();
        while let Some(Ok(message)) = stream.next().await {
            if !meter.takes() {
                return self.fail(None, "too many messages: the connection is closed").await;
            }
            match message {
                Message::Text(text) => self.obey(&text).await,
                Message::Close(_) => return,
                Message::Binary(_) => self.fail(None, "expected text, found binary data").await,
                Message::Ping(_) | Message::Pong(_) => (),
            }
        }
    }

    async fn tell(&self, reply: Reply) {
        let _ = self.replies.send(reply).await;
    }

    async fn fail(&self, id: Option<u32>, message: impl ToString) {
        self.tell(Reply::Error { id, message: message.to_string() }).await;
    }

    async fn obey(&mut self, text: &str) {
        match serde_json::from_str(text) {
            Ok(Request::Hello { version, session }) => self.greet(version, session).await,
            Ok(request) if self.session.is_some() => self.answer(request).await,
            Ok(_) => self.fail(None, "expected `hello` first").await,
            Err(error) => self.fail(None, format!("a message is not understood: {error}")).await,
        }
    }

    async fn greet(&mut self, version: u32, session: Option<String>) {
        if version != VERSION {
            let text =
                format!("this page speaks version {version}, the server {VERSION}: reload it");
            return self.fail(None, text).await;
        }
        let session = session.unwrap_or_else(new_session);
        let document = self.shared.store.load(&session);
        let (session, document) = match document {
            Ok(document) => (session, document),
            Err(error) => {
                // The damaged file stays; the tab goes on under a new name.
                self.fail(None, error).await;
                (new_session(), None)
            }
        };
        self.session = Some(session.clone());
        let choices = self.shared.choices();
        self.tell(Reply::Welcome { version: VERSION, session, document, choices }).await;
    }

    async fn answer(&mut self, request: Request) {
        match request {
            Request::Hello { .. } => (),
            Request::Save { document } => {
                let session = self.session.clone().unwrap_or_default();
                match self.shared.store.save(&session, &document) {
                    Ok(()) => self.tell(Reply::Saved).await,
                    Err(error) => self.fail(None, error).await,
                }
            }
            Request::Games => self.tell(Reply::Games { games: self.shared.store.list() }).await,
            Request::Load { session } => match self.shared.store.load(&session) {
                Ok(Some(document)) => self.tell(Reply::Loaded { document }).await,
                Ok(None) => self.fail(None, "this game is no longer there").await,
                Err(error) => self.fail(None, error).await,
            },
            Request::Analyze { id, place, mind, lines, threads, focus } => {
                self.thinker.set_focus(focus);
                self.think(id, &place, mind, Task::Analyze { lines, threads }).await;
            }
            Request::Focus { line } => self.thinker.set_focus(line),
            Request::Play { id, place, mind, pace } => {
                self.think(id, &place, mind, Task::Play(pace)).await;
            }
            Request::Review { id, place, mind, nodes } => {
                self.think(id, &place, mind, Task::Review { nodes }).await;
            }
            Request::Stop => self.thinker.stop(),
            other => self.look(other).await,
        }
    }

    async fn look(&mut self, request: Request) {
        match request {
            Request::Look { id, place } => {
                let minds = Arc::clone(&self.shared.minds);
                let look = move |game: Game| Reply::Looked { id, views: minds.views(game.board()) };
                self.compute(id, &place, look).await;
            }
            Request::Judges { id, place } if place.moves.len() > MAX_JUDGED => {
                self.fail(Some(id), format!("expected at most {MAX_JUDGED} plies")).await;
            }
            Request::Judges { id, place } => {
                let minds = Arc::clone(&self.shared.minds);
                let judge = move |game: Game| Reply::Judges { id, opinions: minds.opinions(&game) };
                self.compute(id, &place, judge).await;
            }
            Request::Openings { id, place } => {
                let name = move |game: Game| Reply::Openings { id, names: named(&game) };
                self.compute(id, &place, name).await;
            }
            Request::Tables { id, place } => {
                let tables = self.shared.tables.clone();
                let ask = move |game: Game| Reply::Tables { id, moves: table_moves(tables, &game) };
                self.compute(id, &place, ask).await;
            }
            Request::Runs => self.tell(Reply::Runs { runs: self.shared.runs.list() }).await,
            Request::Watch { name } => self.watch(name),
            _ => (),
        }
    }

    async fn think(&mut self, id: u32, place: &Place, mind: crate::protocol::Mind, task: Task) {
        match place.game() {
            Ok(game) => self.thinker.start(id, game, mind, task),
            Err(error) => self.fail(Some(id), error).await,
        }
    }

    /// Answers what takes a moment of a processor, beside the connection.
    async fn compute(
        &self,
        id: u32,
        place: &Place,
        work: impl FnOnce(Game) -> Reply + Send + 'static,
    ) {
        let game = match place.game() {
            Ok(game) => game,
            Err(error) => return self.fail(Some(id), error).await,
        };
        match tokio::task::spawn_blocking(move || work(game)).await {
            Ok(reply) => self.tell(reply).await,
            Err(_) => self.fail(Some(id), "the answer failed; please report this").await,
        }
    }

    /// Watches another run, or none.
    fn watch(&mut self, name: Option<String>) {
        if let Some(task) = self.watch.take() {
            task.abort();
        }
        self.watch = name.map(|name| {
            let (runs, replies) = (self.shared.runs.clone(), self.replies.clone());
            tokio::spawn(async move {
                let found = tokio::task::spawn_blocking(move || runs.find(&name)).await;
                match found {
                    Ok(Ok(run)) => watch_run(run, replies).await,
                    Ok(Err(message)) => {
                        let _ = replies.send(Reply::Error { id: None, message }).await;
                    }
                    Err(_) => (),
                }
            })
        });
    }
}

/// Tells how a run goes: its boards as they change, its page no more than once a second.
async fn watch_run(run: Watched, replies: mpsc::Sender<Reply>) {
    let (mut seen, mut looked) = (None::<SystemTime>, None::<Instant>);
    let mut boards = Vec::new();
    loop {
        let is_due = looked.is_none_or(|looked| looked.elapsed() >= LOOK);
        let (watched, before) = (run.clone(), seen);
        let look = tokio::task::spawn_blocking(move || {
            let page = is_due.then(|| new_page(&watched, before)).flatten();
            (watched.live(), page)
        });
        let Ok((live, page)) = look.await else { return };
        if is_due {
            looked = Some(Instant::now());
        }
        if let Some((changed, page)) = page {
            seen = Some(changed);
            if replies.send(page).await.is_err() {
                return;
            }
        }
        if live != boards {
            boards.clone_from(&live);
            if replies.send(run.live_reply(live)).await.is_err() {
                return;
            }
        }
        tokio::time::sleep(GLANCE).await;
    }
}

/// The page of a run, if the run has changed since the last one.
fn new_page(run: &Watched, seen: Option<SystemTime>) -> Option<(SystemTime, Reply)> {
    let changed = run.changed();
    let is_new =
        seen.is_none_or(|seen| changed.duration_since(seen).is_ok_and(|gap| gap > LOOK / 2));
    is_new.then(|| (changed, run.show()))
}

/// What the tables say of each move; nothing without tables that know.
fn table_moves(tables: Option<Arc<Tables>>, game: &Game) -> Vec<TableMove> {
    let board = game.board();
    let ranked = tables.and_then(|tables| tables.root_moves(board, FiftyMoves::Counted));
    let told = |one: &RootMove| {
        let RootMove { mv, wdl, dtz, is_mate } = *one;
        let mv = texts(board, &[mv]).pop()?;
        Some(TableMove { mv, wdl: wdl.value(), dtz: dtz.map(|dtz| dtz.plies), mate: is_mate })
    };
    ranked.iter().flatten().filter_map(told).collect()
}

fn named(game: &Game) -> Vec<Named> {
    let names = openings::names(game).into_iter();
    let named = |(ply, opening): (usize, openings::Opening)| Named {
        ply: ply as u32,
        eco: opening.eco.to_owned(),
        name: opening.name.to_owned(),
    };
    names.map(named).collect()
}

/// A name that nobody guesses. The standard library seeds its hashers from the system.
fn new_session() -> String {
    let half = || RandomState::new().hash_one(SystemTime::now());
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_differ_and_are_names_that_the_store_takes() {
        let (one, other) = (new_session(), new_session());
        assert!(one != other && one.len() == 32);
    }

    #[test]
    fn a_flood_runs_dry() {
        let mut meter = Meter::new();
        let taken = (0..10 * BURST).take_while(|_| meter.takes()).count() as u32;
        assert!((BURST..2 * BURST).contains(&taken), "{taken}");
    }
}
