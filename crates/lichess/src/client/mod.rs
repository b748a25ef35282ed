// SPDX-License-Identifier: GPL-3.0-or-later
//! A thin client of the fifteen endpoints of Lichess that a bot needs.
//!
//! Requests come in two kinds. *Patient* ones (challenges, chat, the list of bots) keep away for a
//! minute after the server has said that there are too many. *Urgent* ones (moves, and the streams of
//! games under way) come again at once, since a clock is running; see `retry`.

mod backoff;
mod body;
mod error;
mod lines;
mod quota;
mod retry;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, HeaderMap, USER_AGENT};
use reqwest::{Method, RequestBuilder, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::config::Pool;
use crate::model::{Challenge, OnlineBot, Profile};
use crate::token::Token;
use crate::words::{Opponent, Reason, Word};

pub(crate) use backoff::{Backoff, random};
pub(crate) use body::json;
pub use error::ApiError;
pub(crate) use error::check;
pub(crate) use lines::Lines;
pub(crate) use quota::Quota;
pub(crate) use retry::move_wait;

/// Distinct, since Lichess closes the older of two streams of a game with the same agent.
const AGENT: &str = concat!("quincunx-bot/", env!("CARGO_PKG_VERSION"));

/// How long things may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timing {
    /// How often the server sends a blank line.
    pub keep_alive: Duration,
    /// How long to keep away after too many requests, if the server does not say.
    pub rest: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self { keep_alive: Duration::from_secs(7), rest: Duration::from_mins(1) }
    }
}

impl Timing {
    /// Two blank lines missed, and a little more: the stream is dead.
    pub(crate) fn silence(self) -> Duration {
        self.keep_alive.mul_f64(2.15)
    }
}

/// What can be done in a game besides moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    Abort,
    Resign,
    Draw(bool),
    Takeback(bool),
    ClaimVictory,
    ClaimDraw,
}

impl Act {
    const fn path(self) -> &'static str {
        match self {
            Self::Abort => "abort",
            Self::Resign => "resign",
            Self::Draw(true) => "draw/yes",
            Self::Draw(false) => "draw/no",
            Self::Takeback(true) => "takeback/yes",
            Self::Takeback(false) => "takeback/no",
            Self::ClaimVictory => "claim-victory",
            Self::ClaimDraw => "claim-draw",
        }
    }
}

/// Where something is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Room {
    Player,
    Spectator,
}

impl Room {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Spectator => "spectator",
        }
    }
}

/// The client.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: Token,
    timing: Timing,
    limits: Mutex<Limits>,
}

/// What the server allows, kept a little below its own numbers.
#[derive(Debug)]
struct Limits {
    /// Nothing patient is sent before.
    rest_until: Option<Instant>,
    event_streams: Quota,
    challenges_minute: Quota,
    challenges_day: Quota,
}

const DAY: Duration = Duration::from_hours(24);

impl Limits {
    const fn new() -> Self {
        Self {
            rest_until: None,
            // Of 30.
            event_streams: Quota::new(27, Duration::from_mins(10)),
            // Of 25, where a bot costs 1 and a person 5.
            challenges_minute: Quota::new(20, Duration::from_mins(1)),
            // Of 200.
            challenges_day: Quota::new(190, DAY),
        }
    }
}

impl Client {
    /// A client of the Lichess at `base`.
    pub fn new(base: &str, token: Token, timing: Timing) -> Result<Self, ApiError> {
        // Whoever was first in this process has chosen the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, token.header());
        headers.insert(USER_AGENT, AGENT.parse().expect("a plain text"));
        let http = builder(base).default_headers(headers).build()?;
        let base = base.trim_end_matches('/').to_owned();
        Ok(Self { http, base, token, timing, limits: Mutex::new(Limits::new()) })
    }

    /// How long things may take.
    pub(crate) const fn timing(&self) -> Timing {
        self.timing
    }

    /// Where the server is.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Our own account.
    pub async fn account(&self) -> Result<Profile, ApiError> {
        self.get("/api/account").await
    }

    /// What the token allows, by words such as `bot:play`.
    pub async fn scopes(&self) -> Result<Vec<String>, ApiError> {
        let token = self.token.expose();
        let request = self.request(Method::POST, "/api/token/test").body(token.to_owned());
        let answer: Value = json(self.patient(request).await?).await?;
        let entry = answer.get(token).filter(|entry| !entry.is_null());
        let entry = entry.ok_or_else(|| ApiError::Refused {
            status: 401,
            message: "the server does not know this token".to_owned(),
            limit: None,
        })?;
        let scopes = entry.get("scopes").and_then(Value::as_str).unwrap_or_default();
        Ok(scopes.split(',').map(|scope| scope.trim().to_owned()).collect())
    }

    /// Makes the account a bot's, for good.
    pub async fn upgrade(&self) -> Result<(), ApiError> {
        self.post("/api/bot/account/upgrade", &[]).await.map(drop)
    }

    /// Opens the stream of what happens to the account. The limit on opening it is waited for.
    pub(crate) async fn events(&self) -> Result<Lines, ApiError> {
        let wait = {
            let (mut limits, now) = (self.limits(), Instant::now());
            let wait = limits.event_streams.delay(now, 1);
            limits.event_streams.spend(now + wait, 1);
            wait
        };
        if !wait.is_zero() {
            tracing::warn!("opening the stream of events again in {} s", wait.as_secs());
            tokio::time::sleep(wait).await;
        }
        self.stream("/api/stream/event").await
    }

    /// Opens the stream of a game.
    pub(crate) async fn game(&self, id: &str) -> Result<Lines, ApiError> {
        self.stream(&format!("/api/bot/game/stream/{id}")).await
    }

    /// Plays a move, trying once. How long to wait for the answer is up to whoever has the clock.
    pub(crate) async fn play(
        &self,
        id: &str,
        mv: &str,
        offers_draw: bool,
        patience: Duration,
    ) -> Result<(), ApiError> {
        let path = format!("/api/bot/game/{id}/move/{mv}?offeringDraw={offers_draw}");
        let response = self.request(Method::POST, &path).timeout(patience).send().await?;
        error::check(response).await?;
        Ok(())
    }

    /// Does something else in a game.
    pub(crate) async fn act(&self, id: &str, act: Act) -> Result<(), ApiError> {
        let path = format!("/api/bot/game/{id}/{}", act.path());
        let mut backoff = Backoff::new(Duration::from_millis(300), Duration::from_secs(5));
        let mut tries = 0;
        loop {
            let result = self.once(self.request(Method::POST, &path)).await.map(drop);
            tries += 1;
            match result {
                Err(error) if error.is_transient() && tries < 4 => {
                    tokio::time::sleep(backoff.next()).await;
                }
                result => return result,
            }
        }
    }

    /// Says something; Lichess cuts what is longer than 140 letters.
    pub(crate) async fn say(&self, id: &str, room: Room, text: &str) -> Result<(), ApiError> {
        let text: String = text.chars().take(140).collect();
        let form = [("room", room.name()), ("text", &text)];
        self.post(&format!("/api/bot/game/{id}/chat"), &form).await.map(drop)
    }

    /// Accepts a challenge.
    pub(crate) async fn accept(&self, id: &str) -> Result<(), ApiError> {
        self.post(&format!("/api/challenge/{id}/accept"), &[]).await.map(drop)
    }

    /// Declines a challenge.
    pub(crate) async fn decline(&self, id: &str, reason: Reason) -> Result<(), ApiError> {
        let form = [("reason", reason.name())];
        self.post(&format!("/api/challenge/{id}/decline"), &form).await.map(drop)
    }

    /// Takes a challenge back.
    pub(crate) async fn cancel(&self, id: &str) -> Result<(), ApiError> {
        self.post(&format!("/api/challenge/{id}/cancel"), &[]).await.map(drop)
    }

    /// How long to wait until somebody may be challenged.
    pub(crate) fn challenge_delay(&self, kind: Opponent) -> Duration {
        let (mut limits, now, cost) = (self.limits(), Instant::now(), challenge_cost(kind));
        let minute = limits.challenges_minute.delay(now, cost);
        minute.max(limits.challenges_day.delay(now, cost)).max(limits.rest(now))
    }

    /// Challenges somebody, unless that would be more often than Lichess allows.
    pub async fn challenge(
        &self,
        user: &str,
        kind: Opponent,
        pool: &Pool,
    ) -> Result<Challenge, ApiError> {
        let wait = self.challenge_delay(kind);
        if !wait.is_zero() {
            let limit = Some("our own count of challenges".to_owned());
            return Err(ApiError::TooMany { wait: Some(wait), limit });
        }
        {
            let (mut limits, now, cost) = (self.limits(), Instant::now(), challenge_cost(kind));
            limits.challenges_minute.spend(now, cost);
            limits.challenges_day.spend(now, cost);
        }
        let form = [
            ("rated", (pool.mode == crate::words::Mode::Rated).to_string()),
            ("clock.limit", pool.clock.initial.to_string()),
            ("clock.increment", pool.clock.increment.to_string()),
            ("variant", pool.variant.name().to_owned()),
        ];
        let request = self.request(Method::POST, &format!("/api/challenge/{user}")).form(&form);
        let answer: Value = json(self.once_noting(request).await?).await?;
        // Some versions wrap it.
        let challenge = answer.get("challenge").unwrap_or(&answer).clone();
        serde_json::from_value(challenge).map_err(|error| ApiError::Garbled(error.to_string()))
    }

    /// Bots that are online.
    pub(crate) async fn online_bots(&self, most: u32) -> Result<Vec<OnlineBot>, ApiError> {
        let path = format!("/api/bot/online?nb={most}");
        let text = body::text(self.patient(self.request(Method::GET, &path)).await?).await?;
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// A request to any address, with the token.
    pub(crate) fn request_to(&self, method: Method, url: &str) -> RequestBuilder {
        self.http.request(method, url)
    }

    /// A request to the server.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.request_to(method, &format!("{}{path}", self.base))
    }

    async fn stream(&self, path: &str) -> Result<Lines, ApiError> {
        let silence = self.timing.silence();
        let opening = self.request(Method::GET, path).send();
        let silent = |_| ApiError::Transport("the stream does not open".to_owned());
        let response = tokio::time::timeout(silence, opening).await.map_err(silent)??;
        Ok(Lines::new(error::check(response).await?, silence))
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ApiError> {
        json(self.patient(self.request(Method::GET, path)).await?).await
    }

    async fn post(&self, path: &str, form: &[(&str, &str)]) -> Result<Response, ApiError> {
        self.patient(self.request(Method::POST, path).form(form)).await
    }

    /// Sends a request, waiting and trying again if that may help.
    pub(crate) async fn patient(&self, request: RequestBuilder) -> Result<Response, ApiError> {
        const TRIES: u32 = 4;
        let mut backoff = Backoff::new(Duration::from_millis(500), Duration::from_secs(10));
        for _ in 1..TRIES {
            let copy = request.try_clone().expect("bodies are kept whole");
            match self.once_noting(copy).await {
                Err(ApiError::TooMany { .. }) => (),
                Err(error) if error.is_transient() => tokio::time::sleep(backoff.next()).await,
                result => return result,
            }
        }
        self.once_noting(request).await
    }

    /// Sends a request once, after a rest if the server wants one, and notes if it does.
    async fn once_noting(&self, request: RequestBuilder) -> Result<Response, ApiError> {
        let rest = self.limits().rest(Instant::now());
        tokio::time::sleep(rest).await;
        let result = self.once(request).await;
        if let Err(ApiError::TooMany { wait, limit }) = &result {
            // A limit with a name is that of one thing, not of all requests.
            if limit.is_none() {
                let rest = wait.unwrap_or(self.timing.rest);
                tracing::warn!("too many requests: nothing but moves for {} s", rest.as_secs());
                self.limits().rest_until = Some(Instant::now() + rest);
            }
        }
        result
    }

    async fn once(&self, request: RequestBuilder) -> Result<Response, ApiError> {
        const PATIENCE: Duration = Duration::from_secs(10);
        error::check(request.timeout(PATIENCE).send().await?).await
    }

    fn limits(&self) -> MutexGuard<'_, Limits> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client of one server. Redirects are not followed: they would take secrets along.
///
/// It speaks HTTP/1.1 only, on purpose: HTTP/2 has one connection for everything, and when that dies
/// without a word, a move that is sent again goes the same way as before. Here each try that got no
/// answer takes its connection along, and the next one has another.
pub(crate) fn builder(base: &str) -> reqwest::ClientBuilder {
    let builder = reqwest::Client::builder()
        .connect_timeout(Duration::from_secs(5))
        .tcp_nodelay(true)
        .tcp_keepalive(Duration::from_secs(15))
        .pool_idle_timeout(Duration::from_secs(30))
        .pool_max_idle_per_host(4)
        .redirect(reqwest::redirect::Policy::none());
    let host = reqwest::Url::parse(base).ok().and_then(|url| url.host_str().map(str::to_owned));
    // Nobody else can reach this machine for us.
    let is_here = host.is_some_and(|host| matches!(host.as_str(), "127.0.0.1" | "localhost"));
    if is_here { builder.no_proxy() } else { builder }
}

impl Limits {
    fn rest(&self, now: Instant) -> Duration {
        self.rest_until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }
}

const fn challenge_cost(kind: Opponent) -> u32 {
    match kind {
        Opponent::Human => 5,
        Opponent::Bot => 1,
    }
}
