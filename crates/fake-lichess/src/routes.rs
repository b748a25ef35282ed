// SPDX-License-Identifier: GPL-3.0-or-later
//! The doors: what clients may ask for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Map, Value, json};

use crate::challenge::{ChallengeClock, ChallengeSpec};
use crate::external;
use crate::faults::{Moment, NetworkFault};
use crate::opponent::Part;
use crate::server::HangUp;
use crate::stream::Tap;
use crate::world::{Shared, User, World, begin};

type Fake = State<Arc<Shared>>;

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/account", get(account))
        .route("/api/account/playing", get(playing))
        .route("/api/token/test", post(test_token))
        .route("/api/bot/account/upgrade", post(upgrade))
        .route("/api/bot/online", get(online))
        .route("/api/stream/event", get(events))
        .route("/api/bot/game/stream/{id}", get(game_stream))
        .route("/api/bot/game/{id}/move/{mv}", post(play))
        .route("/api/bot/game/{id}/chat", post(chat))
        .route("/api/bot/game/{id}/{act}", post(act))
        .route("/api/bot/game/{id}/draw/{answer}", post(draw))
        .route("/api/bot/game/{id}/takeback/{answer}", post(takeback))
        .route("/api/challenge/{id}", post(challenge))
        .route("/api/challenge/{id}/{answer}", post(answer_challenge))
        .route("/api/external-engine", get(external::list).post(external::register))
        .route("/api/external-engine/work", post(external::acquire))
        .route("/api/external-engine/{id}", axum::routing::put(external::update))
        .route("/api/external-engine/work/{id}", post(external::submit))
        .with_state(shared)
}

pub(crate) fn ok() -> Response {
    axum::Json(json!({"ok": true})).into_response()
}

pub(crate) fn refuse(status: StatusCode, message: &str) -> Response {
    (status, axum::Json(json!({"error": message}))).into_response()
}

fn unknown() -> Response {
    refuse(StatusCode::NOT_FOUND, "Not found")
}

fn hang_up() -> Response {
    let mut response = ok();
    response.extensions_mut().insert(HangUp);
    response
}

fn too_many(wait: Option<u64>) -> Response {
    let body = axum::Json(json!({"error": "Too many requests. Try again later."}));
    let mut response = (StatusCode::TOO_MANY_REQUESTS, body).into_response();
    if let Some(wait) = wait {
        response.headers_mut().insert(RETRY_AFTER, wait.into());
    }
    response
}

/// The account behind a request.
pub(crate) fn authorize(shared: &Shared, headers: &HeaderMap) -> Option<User> {
    let mut world = shared.world();
    world.counts.requests += 1;
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let id = world.tokens.get(header.strip_prefix("Bearer ")?)?;
    world.users.get(id).cloned()
}

fn no_token() -> Response {
    refuse(StatusCode::UNAUTHORIZED, "No such token")
}

/// The fields of a body, which may be JSON or a form.
pub(crate) fn fields(headers: &HeaderMap, body: &[u8]) -> Value {
    let kind = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/json") {
        return serde_json::from_slice(body).unwrap_or_default();
    }
    let mut map = Map::new();
    let text = String::from_utf8_lossy(body);
    for (key, value) in text.split('&').filter_map(|pair| pair.split_once('=')) {
        map.insert(decode(key), Value::String(decode(value)));
    }
    Value::Object(map)
}

/// Undoes the encoding of forms.
fn decode(text: &str) -> String {
    let bytes = text.replace('+', " ").into_bytes();
    let escaped = |at: usize| {
        let hex = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%')?;
        u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
    };
    let (mut out, mut at) = (vec![], 0);
    while at < bytes.len() {
        let byte = escaped(at);
        out.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

async fn account(State(shared): Fake, headers: HeaderMap) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    shared.world().counts.accounts += 1;
    let mut object = user.json();
    object["username"] = json!(user.name);
    object["perfs"] = perfs(&user);
    axum::Json(object).into_response()
}

fn perfs(user: &User) -> Value {
    let rating = json!({"games": 10, "rating": user.rating, "rd": 50, "prog": 0});
    json!({
        "ultraBullet": rating, "bullet": rating, "blitz": rating, "rapid": rating,
        "classical": rating, "correspondence": rating, "chess960": rating, "storm": {"runs": 1},
    })
}

async fn playing(State(shared): Fake, headers: HeaderMap) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let world = shared.world();
    let own = world.games.values().filter(|it| !it.is_over() && it.color_of(&user.id).is_some());
    let games: Vec<_> = own.map(|game| game.info(&user.id)).collect();
    axum::Json(json!({"nowPlaying": games})).into_response()
}

async fn test_token(State(shared): Fake, body: String) -> Response {
    let world = shared.world();
    let mut answer = Map::new();
    for token in body.split(',').map(str::trim) {
        let entry = world
            .tokens
            .get(token)
            .map(|id| json!({"userId": id, "scopes": "bot:play,challenge:read,challenge:write"}));
        answer.insert(token.to_owned(), entry.unwrap_or_default());
    }
    axum::Json(answer).into_response()
}

async fn upgrade(State(shared): Fake, headers: HeaderMap) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let mut world = shared.world();
    if let Some(user) = world.users.get_mut(&user.id) {
        user.title = Some("BOT".to_owned());
    }
    ok()
}

async fn online(State(shared): Fake, headers: HeaderMap) -> Response {
    if authorize(&shared, &headers).is_none() {
        return no_token();
    }
    let mut world = shared.world();
    world.counts.bot_lists += 1;
    let bots = world.users.values().filter(|user| user.title.as_deref() == Some("BOT"));
    let lines = bots.map(|bot| {
        let mut object = bot.json();
        object["username"] = json!(bot.name);
        object["perfs"] = perfs(bot);
        format!("{object}\n")
    });
    lines.collect::<String>().into_response()
}

/// The stream of an account's events. A second one ends the first.
async fn events(State(shared): Fake, headers: HeaderMap) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let mut world = shared.world();
    let now = Instant::now();
    world.counts.event_streams.push(now);
    let is_recent = |time: &&Instant| now.duration_since(**time) < Duration::from_mins(10);
    if world.counts.event_streams.iter().filter(is_recent).count() > 30 {
        world.counts.violations.push("event streams".to_owned());
        return too_many(Some(60));
    }
    let (tap, response) = Tap::open(shared.settings.keep_alive, Duration::ZERO);
    if let Some(old) = world.events.insert(user.id.clone(), tap.clone()) {
        old.close();
    }
    let games = world.games.values().filter(|game| !game.is_over());
    for game in games.filter(|game| game.color_of(&user.id).is_some()) {
        tap.send(&json!({"type": "gameStart", "game": game.info(&user.id)}));
    }
    let is_open = |it: &crate::challenge::Challenge| it.json()["status"] == "created";
    for challenge in world.challenges.values().filter(|it| is_open(it) && it.to.id == user.id) {
        tap.send(&json!({"type": "challenge", "challenge": challenge.json()}));
    }
    response
}

/// The stream of a game. A second one by the same client ends the first.
async fn game_stream(State(shared): Fake, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let mut world = shared.world();
    world.counts.game_streams += 1;
    let fault = world.script.draw(Moment::GameOpen);
    let Some(game) = world.games.get_mut(&id) else { return unknown() };
    let delay = match fault {
        Some(NetworkFault::GameOpenBadGateway) => return StatusCode::BAD_GATEWAY.into_response(),
        Some(NetworkFault::GameOpenTooMany) => return too_many(None),
        Some(NetworkFault::GameSlowStart) => shared.settings.slow,
        _ => Duration::ZERO,
    };
    let (tap, response) = Tap::open(shared.settings.keep_alive, delay);
    tap.send(&game.full());
    if game.is_over() {
        tap.close();
        return response;
    }
    let agent = headers.get("user-agent").and_then(|it| it.to_str().ok()).unwrap_or_default();
    let listener = format!("{} {agent}", user.id);
    for (_, old) in game.taps.iter().filter(|(name, _)| *name == listener) {
        old.close();
    }
    game.taps.retain(|(name, tap)| *name != listener && tap.is_open());
    game.taps.push((listener, tap));
    response
}

/// A move, which may not get through.
async fn play(
    State(shared): Fake,
    Path((id, mv)): Path<(String, String)>,
    Query(query): Query<Value>,
    headers: HeaderMap,
) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let fault = {
        let mut world = shared.world();
        world.counts.moves += 1;
        world.script.draw(Moment::Move)
    };
    match fault {
        Some(NetworkFault::MoveTooMany) => return too_many(None),
        Some(NetworkFault::MoveRetryAfter) => return too_many(Some(1)),
        Some(NetworkFault::MoveRetryNever) => return too_many(Some(u64::MAX)),
        Some(NetworkFault::MoveBadGateway) => return StatusCode::BAD_GATEWAY.into_response(),
        Some(NetworkFault::MoveReset) => return hang_up(),
        Some(NetworkFault::MoveSlow) => tokio::time::sleep(shared.settings.slow).await,
        _ => (),
    }
    let answer = {
        let mut world = shared.world();
        let Some(game) = world.games.get_mut(&id) else { return unknown() };
        let Some(color) = game.color_of(&user.id) else { return unknown() };
        match game.play(color, &mv) {
            Ok(()) => {
                if query["offeringDraw"] == "true" {
                    game.draws[color.index()] = true;
                }
                world.push(&id);
                ok()
            }
            Err(message) => refuse(StatusCode::BAD_REQUEST, &message),
        }
    };
    match fault {
        Some(NetworkFault::MoveBadGatewayAfter) => StatusCode::BAD_GATEWAY.into_response(),
        Some(NetworkFault::MoveResetAfter) => hang_up(),
        _ => answer,
    }
}

async fn chat(
    State(shared): Fake,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let fields = fields(&headers, &body);
    let text = |key: &str| fields[key].as_str().unwrap_or_default().to_owned();
    let (room, text) = (text("room"), text("text"));
    if text.is_empty() || text.chars().count() > 140 {
        return refuse(StatusCode::BAD_REQUEST, "Bad text");
    }
    let mut world = shared.world();
    let Some(game) = world.games.get_mut(&id) else { return unknown() };
    game.tell(&json!({"type": "chatLine", "room": room, "username": user.name, "text": text}));
    game.chat.push((user.name, room, text));
    ok()
}

/// What has no answer in its path.
async fn act(
    State(shared): Fake,
    Path((id, act)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let mut world = shared.world();
    let Some(game) = world.games.get_mut(&id) else { return unknown() };
    let Some(color) = game.color_of(&user.id) else { return unknown() };
    let is_young = game.moves.moves().len() < 2;
    let is_claimable = game.claimable[(!color).index()].is_some_and(|it| Instant::now() >= it);
    let is_done = !game.is_over()
        && match act.as_str() {
            "abort" | "resign" if is_young => {
                game.end("aborted", None);
                true
            }
            "resign" => {
                game.end("resign", Some(!color));
                true
            }
            "claim-victory" if is_claimable => {
                game.end("timeout", Some(color));
                true
            }
            "claim-draw" => game.claim_draw(),
            _ => false,
        };
    if !is_done {
        return refuse(StatusCode::BAD_REQUEST, "This cannot be done now");
    }
    world.push(&id);
    ok()
}

async fn draw(
    State(shared): Fake,
    Path((id, answer)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    change(&shared, &user, &id, |game, color| {
        if answer != "yes" {
            game.draws = [false; 2];
        } else if game.draws[(!color).index()] {
            game.end("draw", None);
        } else {
            game.draws[color.index()] = true;
        }
    })
}

async fn takeback(
    State(shared): Fake,
    Path((id, answer)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    change(&shared, &user, &id, |game, color| {
        if answer != "yes" {
            game.takebacks = [false; 2];
        } else if game.takebacks[(!color).index()] {
            game.take_back(!color);
        } else {
            game.takebacks[color.index()] = true;
        }
    })
}

fn change(
    shared: &Shared,
    user: &User,
    id: &str,
    change: impl FnOnce(&mut crate::game::Game, chess::Color),
) -> Response {
    let mut world = shared.world();
    let Some(game) = world.games.get_mut(id) else { return unknown() };
    let Some(color) = game.color_of(&user.id).filter(|_| !game.is_over()) else {
        return refuse(StatusCode::BAD_REQUEST, "Game already over");
    };
    change(game, color);
    world.push(id);
    ok()
}

async fn challenge(
    State(shared): Fake,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let mut world = shared.world();
    if !count_challenge(&mut world) {
        return too_many(Some(60));
    }
    if let Some((status, body)) = world.challenge_answers.pop_front() {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
        return (status, axum::Json(body)).into_response();
    }
    let Some(to) = world.users.get(&name.to_lowercase()).cloned() else { return unknown() };
    let spec = read_spec(&fields(&headers, &body));
    let id = world.challenge(user, to.clone(), spec);
    let object = world.challenges[&id].json();
    let refusal = world.refusals.get(&to.id).cloned();
    drop(world);
    if to.is_scripted {
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            match refusal.as_deref() {
                Some("silence") => (),
                Some(reason) => shared.world().decline(&id, reason),
                None => begin(&shared, &id),
            }
        });
    }
    axum::Json(object).into_response()
}

/// Counts a challenge, as if to a bot; `false` if there were too many.
fn count_challenge(world: &mut World) -> bool {
    let now = Instant::now();
    world.counts.challenges.push(now);
    let is_recent = |time: &&Instant| now.duration_since(**time) < Duration::from_mins(1);
    let is_fine = world.counts.challenges.iter().filter(is_recent).count() <= 25;
    if !is_fine {
        world.counts.violations.push("challenges in a minute".to_owned());
    }
    is_fine
}

fn read_spec(fields: &Value) -> ChallengeSpec {
    let number = |key: &str| match &fields[key] {
        Value::String(text) => text.parse().ok(),
        value => value.as_u64(),
    };
    let text = |key: &str, default: &str| fields[key].as_str().unwrap_or(default).to_owned();
    let clock = match (number("clock.limit"), number("days")) {
        (Some(limit), _) => ChallengeClock::Real {
            initial: Duration::from_secs(limit),
            increment: Duration::from_secs(number("clock.increment").unwrap_or(0)),
        },
        (None, Some(days)) => ChallengeClock::Days(days as u32),
        (None, None) => ChallengeClock::Unlimited,
    };
    ChallengeSpec {
        clock,
        rated: fields["rated"] == "true" || fields["rated"] == json!(true),
        variant: text("variant", "standard"),
        fen: fields["fen"].as_str().map(str::to_owned),
        color: text("color", "random"),
        rematch_of: None,
        part: Part::Plain,
    }
}

async fn answer_challenge(
    State(shared): Fake,
    Path((id, answer)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(user) = authorize(&shared, &headers) else { return no_token() };
    let Some(challenge) = shared.world().challenges.get(&id).cloned() else { return unknown() };
    let is_open = challenge.json()["status"] == "created";
    let (is_ours, is_mine) = (challenge.to.id == user.id, challenge.from.id == user.id);
    match answer.as_str() {
        "accept" if is_ours && is_open => begin(&shared, &id),
        "decline" if is_ours && is_open => {
            let fields = fields(&headers, &body);
            let reason = fields["reason"].as_str().unwrap_or("generic");
            shared.world().decline(&id, reason);
        }
        "cancel" if is_mine && is_open => shared.world().cancel(&id),
        _ => return unknown(),
    }
    ok()
}
