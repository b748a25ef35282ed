// SPDX-License-Identifier: GPL-3.0-or-later
//! The provider of an external engine: people analyze on the Lichess site, and the engine thinks
//! here.
//!
//! The engine is registered with the account's token. Work is handed out by another server, the
//! broker, against a secret made anew at each start; the token is not shown to it. What the engine
//! says goes back as the body of one long request, which ends when nobody looks any more.

use std::time::Duration;

use reqwest::{Body, Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio_stream::wrappers::ReceiverStream;

use crate::bot::{BotError, Stop, connect};
use crate::client::{ApiError, Backoff, Client, Timing};
use crate::config::{Config, ExternalEngine};
use crate::thinker::{Heard, Said, Thinker};
use crate::words::{Variant, Word};

/// How long the broker may keep us waiting before it says that there is nothing.
const POLL: Duration = Duration::from_mins(1);

/// How long the broker may take to say that it has heard everything.
const LAST_WORD: Duration = Duration::from_secs(15);

/// Something to analyze.
#[derive(Clone, Debug, Deserialize)]
struct Job {
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
    fn position(&self) -> String {
        format!("position fen {} moves {}", self.initial_fen, self.moves.join(" "))
    }

    fn go(&self) -> String {
        match (self.movetime, self.depth, self.nodes) {
            (Some(time), ..) => format!("go movetime {time}"),
            (_, Some(depth), _) => format!("go depth {depth}"),
            (_, _, Some(nodes)) => format!("go nodes {nodes}"),
            (None, None, None) => "go infinite".to_owned(),
        }
    }
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
    let (thinker, ears) = Thinker::start(&config.engine.base.options);
    let mut desk =
        Desk { http: plain, settings: settings.clone(), secret, thinker, ears, session: None };
    tokio::select! {
        () = desk.serve() => (),
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
    const DOOR: &str = "/api/external-engine";
    let answer = client.patient(client.request(Method::GET, DOOR)).await?;
    let known: Vec<Value> = answer.json().await?;
    let same = known.iter().find(|engine| engine["name"] == settings.name.as_str());
    let id = same.and_then(|engine| engine["id"].as_str());
    let variants: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    let engine = json!({
        "name": settings.name, "maxThreads": settings.threads, "maxHash": settings.hash,
        "variants": variants, "providerSecret": secret, "providerData": engine::NAME,
    });
    let request = match id {
        Some(id) => client.request(Method::PUT, &format!("{DOOR}/{id}")),
        None => client.request(Method::POST, DOOR),
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

/// Where the work is done.
struct Desk {
    http: reqwest::Client,
    settings: ExternalEngine,
    secret: String,
    thinker: Thinker,
    ears: UnboundedReceiver<Heard>,
    /// Whose analysis the table remembers.
    session: Option<String>,
}

impl Desk {
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
    async fn fetch(&self) -> Result<Option<Job>, ApiError> {
        let url = format!("{}/api/external-engine/work", self.settings.broker);
        let body = json!({"providerSecret": self.secret});
        let response = self.http.post(url).json(&body).timeout(POLL).send().await?;
        if response.status() == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        Ok(Some(crate::client::check(response).await?.json().await?))
    }

    /// Does a piece of work, until it is done or nobody wants it.
    async fn analyze(&mut self, job: &Job) {
        let question = self.begin(&job.work);
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
                Some(heard) = self.ears.recv() => {
                    if heard.question != question {
                        continue;
                    }
                    match heard.what {
                        Said::Info(info) if info.score.is_some() => {
                            if let Some(sender) = &sender {
                                // A line that cannot be sent is followed by a better one.
                                let _ = sender.try_send(Ok(format!("{info}\n")));
                            }
                        }
                        Said::Info(_) => (),
                        Said::Best(best) => {
                            end = Some(tokio::time::Instant::now() + LAST_WORD);
                            if let Some(sender) = sender.take() {
                                let line = uci::Reply::BestMove(best);
                                let _ = sender.send(Ok(format!("{line}\n"))).await;
                            }
                        }
                    }
                }
                () = until(end) => break,
            }
        }
        self.thinker.stop();
    }

    fn begin(&mut self, work: &Work) -> u64 {
        let Self { thinker, settings, .. } = self;
        if self.session.as_ref() != Some(&work.session_id) {
            thinker.new_game();
            self.session = Some(work.session_id.clone());
        }
        let threads = work.threads.unwrap_or(1).clamp(1, settings.threads);
        let hash = work.hash.unwrap_or(16).clamp(1, settings.hash);
        let is_960 = work.variant == Variant::Chess960.name();
        for (name, value) in [
            ("UCI_AnalyseMode", "true".to_owned()),
            ("UCI_Chess960", is_960.to_string()),
            ("Threads", threads.to_string()),
            ("Hash", hash.to_string()),
            ("MultiPV", work.multi_pv.unwrap_or(1).clamp(1, 5).to_string()),
        ] {
            thinker.set(name, &value);
        }
        thinker.ask(&work.position(), &work.go())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_becomes_lines() {
        let json = r#"{"id":"x","work":{"sessionId":"s","threads":4,"hash":16,"multiPv":2,
            "variant":"standard","initialFen":"startpos-fen","moves":["e2e4"],"depth":7,
            "new":{}},"engine":{}}"#;
        let job: Job = serde_json::from_str(json).unwrap();
        assert_eq!(job.work.position(), "position fen startpos-fen moves e2e4");
        assert_eq!(job.work.go(), "go depth 7");
        let endless = Work { depth: None, ..job.work };
        assert_eq!(endless.go(), "go infinite");
        assert_eq!(Work { movetime: Some(90), ..endless }.go(), "go movetime 90");
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(secret(), secret());
        assert_eq!(secret().len(), 32);
    }
}
