// SPDX-License-Identifier: GPL-3.0-or-later
//! The provider of an external engine: people analyze on the Lichess site, and the engine thinks
//! here.
//!
//! The engine is registered with the account's token. Work is handed out by another server, the
//! broker, against a secret made anew at each start; the token is not shown to it. What the engine
//! says goes back as the body of one long request, which ends when nobody looks any more.

use std::fmt::Write as _;
use std::time::Duration;

use engine::{Event, Limits, Position, Settings, UciPrinter};
use reqwest::{Body, Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio_stream::wrappers::ReceiverStream;

use crate::bot::{BotError, Stop, connect};
use crate::client::{ApiError, Backoff, Client, Timing};
use crate::config::{Config, ExternalEngine};
use crate::thinker::{SearchEvent, Thinker};
use crate::words::{Variant, Word};

/// How long the broker may keep us waiting before it says that there is nothing.
const POLL: Duration = Duration::from_mins(1);

/// How long the broker may take to say that it has heard everything.
const LAST_WORD: Duration = Duration::from_secs(15);

/// Something to analyze.
#[derive(Clone, Debug, Deserialize)]
struct AnalysisJob {
    id: String,
    work: Work,
}

/// What to analyze, and how.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Work {
    session_id: String,
    #[serde(default)]
    threads: Option<u32>,
    #[serde(default)]
    hash: Option<u32>,
    #[serde(default)]
    multi_pv: Option<u32>,
    #[serde(default)]
    variant: String,
    initial_fen: String,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    movetime: Option<u64>,
    #[serde(default)]
    depth: Option<u32>,
    #[serde(default)]
    nodes: Option<u64>,
}

impl Work {
    fn is_chess960(&self) -> bool {
        self.variant == Variant::Chess960.name()
    }

    fn position(&self) -> Result<Position, PositionError> {
        let mut position = Position::from_fen(&self.initial_fen)?;
        for text in &self.moves {
            position.play(position.board().parse_uci(text)?);
        }
        Ok(position)
    }

    fn limits(&self) -> Limits {
        let limits = Limits::default();
        match (self.movetime, self.depth, self.nodes) {
            (Some(time), ..) => Limits { move_time: Some(Duration::from_millis(time)), ..limits },
            (_, Some(depth), _) => Limits::to_depth(depth),
            (_, _, Some(nodes)) => Limits::of_nodes(nodes),
            (None, None, None) => Limits { infinite: true, ..limits },
        }
    }
}

/// Why a position cannot be analyzed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum PositionError {
    #[error("its position: {0}")]
    Start(#[from] chess::FenError),
    #[error("its moves: {0}")]
    Move(#[from] chess::MoveError),
}

/// Provides the engine until told to stop.
pub async fn provide(
    config: Config,
    timing: Timing,
    mut stops: UnboundedReceiver<Stop>,
) -> Result<(), BotError> {
    let client = connect(&config, timing)?;
    let settings = &config.external_engine;
    let secret = secret();
    register(&client, settings, &secret)
        .await
        .map_err(|error| BotError::Api("registering the engine", error))?;
    tracing::info!("`{}` can be chosen on the analysis board", settings.name);
    let plain = crate::client::builder(&settings.broker).build();
    let plain = plain.map_err(|error| BotError::Api("preparing the connection", error.into()))?;
    let (thinker, searched) = Thinker::start(&config.engine.base.options);
    let settings = settings.clone();
    let mut provider = Provider { http: plain, settings, secret, thinker, searched, session: None };
    tokio::select! {
        () = provider.serve() => (),
        _ = stops.recv() => (),
    }
    Ok(())
}

/// Tells Lichess that there is an engine; one of the same name is replaced.
async fn register(
    client: &Client,
    settings: &ExternalEngine,
    secret: &str,
) -> Result<(), ApiError> {
    const PATH: &str = "/api/external-engine";
    let answer = client.patient(client.request(Method::GET, PATH)).await?;
    let known: Vec<Value> = crate::client::json(answer).await?;
    let same = known.iter().find(|engine| engine["name"] == settings.name.as_str());
    let id = same.and_then(|engine| engine["id"].as_str());
    let variants: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    let engine = json!({
        "name": settings.name, "maxThreads": settings.threads, "maxHash": settings.hash,
        "variants": variants, "providerSecret": secret, "providerData": engine::NAME,
    });
    let request = match id {
        Some(id) => client.request(Method::PUT, &format!("{PATH}/{id}")),
        None => client.request(Method::POST, PATH),
    };
    client.patient(request.json(&engine)).await.map(drop)
}

/// Sixteen bytes that nobody can guess.
fn secret() -> String {
    let mut bytes = [0; 16];
    let provider = rustls::crypto::ring::default_provider();
    provider.secure_random.fill(&mut bytes).expect("the system has random numbers");
    format!("{:032x}", u128::from_le_bytes(bytes))
}

/// Waits until a time; forever if there is none.
async fn until(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// The engine with its line to the broker.
struct Provider {
    http: reqwest::Client,
    settings: ExternalEngine,
    secret: String,
    thinker: Thinker,
    searched: UnboundedReceiver<SearchEvent>,
    /// Whose analysis the table remembers.
    session: Option<String>,
}

impl Provider {
    async fn serve(&mut self) {
        let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(1));
        loop {
            match self.fetch().await {
                Ok(Some(job)) => {
                    backoff.reset();
                    self.analyze(&job).await;
                }
                Ok(None) => backoff.reset(),
                Err(error) => {
                    let wait = match &error {
                        ApiError::TooMany { wait: Some(wait), .. } => *wait,
                        _ => backoff.next(),
                    };
                    tracing::warn!("{error}; again in {} ms", wait.as_millis());
                    tokio::time::sleep(wait).await;
                }
            }
        }
    }

    /// Asks for work; nothing if there is none at the moment.
    async fn fetch(&self) -> Result<Option<AnalysisJob>, ApiError> {
        let url = format!("{}/api/external-engine/work", self.settings.broker);
        let body = json!({"providerSecret": self.secret});
        let response = self.http.post(url).json(&body).timeout(POLL).send().await?;
        if response.status() == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        crate::client::json(crate::client::check(response).await?).await.map(Some)
    }

    /// Does a piece of work, until it is done or nobody wants it.
    async fn analyze(&mut self, job: &AnalysisJob) {
        let begun = self.begin(&job.work);
        let (search, mut printer) = match begun {
            Ok(begun) => begun,
            Err(error) => return tracing::warn!("work {} is skipped: {error}", job.id),
        };
        let (sender, receiver) = mpsc::channel::<Result<String, std::io::Error>>(16);
        let url = format!("{}/api/external-engine/work/{}", self.settings.broker, job.id);
        let body = Body::wrap_stream(ReceiverStream::new(receiver));
        let mut sending = Box::pin(self.http.post(url).body(body).send());
        let mut sender = Some(sender);
        // When the answer to the whole is given up, once all was sent.
        let mut end = None;
        tracing::info!("analyzing {}", job.work.initial_fen);
        loop {
            tokio::select! {
                // The request ends before us: nobody looks any more.
                result = &mut sending => {
                    if let Err(error) = result {
                        tracing::info!("analysis given up: {}", ApiError::from(error));
                    }
                    break;
                }
                Some(SearchEvent { event, .. }) = next_event(&mut self.searched, search) => {
                    let mut lines = String::new();
                    for line in printer.print(&event) {
                        let _ = writeln!(lines, "{line}");
                    }
                    if matches!(event, Event::Ended(_)) {
                        end = Some(tokio::time::Instant::now() + LAST_WORD);
                        if let Some(sender) = sender.take() {
                            let _ = sender.send(Ok(lines)).await;
                        }
                    } else if let Some(sender) = &sender
                        && !lines.is_empty()
                    {
                        // A line that cannot be sent is followed by a better one.
                        let _ = sender.try_send(Ok(lines));
                    }
                }
                () = until(end) => break,
            }
        }
        self.thinker.stop();
    }

    /// Begins the search, and tells how its events are written: as the lines of UCI that the broker
    /// expects.
    fn begin(&mut self, work: &Work) -> Result<(u64, UciPrinter), PositionError> {
        let position = work.position()?;
        let Self { thinker, settings, .. } = self;
        if self.session.as_ref() != Some(&work.session_id) {
            thinker.new_game();
            self.session = Some(work.session_id.clone());
        }
        let threads = work.threads.unwrap_or(1).clamp(1, settings.threads);
        let hash = work.hash.unwrap_or(16).clamp(1, settings.hash);
        for (name, value) in [
            ("UCI_AnalyseMode", "true".to_owned()),
            ("Threads", threads.to_string()),
            ("Hash", hash.to_string()),
            ("MultiPV", work.multi_pv.unwrap_or(1).clamp(1, 5).to_string()),
        ] {
            thinker.set(name, &value);
        }
        let written = Settings { is_chess960: work.is_chess960(), ..Settings::default() };
        let printer = UciPrinter::new(position.board(), &written);
        Ok((thinker.search(position, work.limits()), printer))
    }
}

/// The next event of a search; those of others are dropped.
async fn next_event(
    events: &mut UnboundedReceiver<SearchEvent>,
    search: u64,
) -> Option<SearchEvent> {
    loop {
        let event = events.recv().await?;
        if event.search == search {
            return Some(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_becomes_a_search() {
        let json = r#"{"id":"x","work":{"sessionId":"s","threads":4,"hash":16,"multiPv":2,
            "variant":"standard","initialFen":"8/8/8/8/8/k7/p7/K7 w - - 0 1","moves":[],"depth":7,
            "new":{}},"engine":{}}"#;
        let job: AnalysisJob = serde_json::from_str(json).unwrap();
        assert!(job.work.position().is_ok());
        assert_eq!(job.work.limits(), Limits::to_depth(7));
        let endless = Work { depth: None, ..job.work };
        assert!(endless.limits().infinite);
        let timed = Work { movetime: Some(90), ..endless.clone() };
        assert_eq!(timed.limits().move_time, Some(Duration::from_millis(90)));
        let bad = Work { moves: vec!["e2e4".to_owned()], ..endless };
        assert!(matches!(bad.position(), Err(PositionError::Move(_))));
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(secret(), secret());
        assert_eq!(secret().len(), 32);
    }
}
