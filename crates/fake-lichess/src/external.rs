// SPDX-License-Identifier: GPL-3.0-or-later
//! Work for external engines.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio_stream::StreamExt;

use crate::routes::{authorize, fields, ok, refuse};
use crate::world::Shared;

/// Engines, and what they are asked.
#[derive(Debug, Default)]
pub(crate) struct External {
    engines: BTreeMap<String, Value>,
    waiting: VecDeque<(String, Value)>,
    results: BTreeMap<String, Analysis>,
    count: u32,
}

#[derive(Debug, Default)]
struct Analysis {
    text: String,
    is_done: bool,
    is_abandoned: bool,
}

impl External {
    pub(crate) fn add(&mut self, work: Value) -> String {
        self.count += 1;
        let id = format!("work{}", self.count);
        self.waiting.push_back((id.clone(), work));
        self.results.insert(id.clone(), Analysis::default());
        id
    }

    pub(crate) fn result(&self, id: &str) -> (Vec<String>, bool) {
        let analysis = self.results.get(id);
        let lines = analysis.map(|it| it.text.lines().map(str::to_owned).collect());
        (lines.unwrap_or_default(), analysis.is_some_and(|it| it.is_done))
    }

    pub(crate) fn abandon(&mut self, id: &str) {
        if let Some(analysis) = self.results.get_mut(id) {
            analysis.is_abandoned = true;
        }
    }
}

pub(crate) async fn list(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    if authorize(&shared, &headers).is_none() {
        return refuse(StatusCode::UNAUTHORIZED, "No such token");
    }
    let engines: Vec<_> = shared.world().external.engines.values().cloned().collect();
    axum::Json(engines).into_response()
}

pub(crate) async fn register(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    save(&shared, &headers, &body, None)
}

pub(crate) async fn update(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    save(&shared, &headers, &body, Some(id))
}

fn save(shared: &Shared, headers: &HeaderMap, body: &[u8], id: Option<String>) -> Response {
    if authorize(shared, headers).is_none() {
        return refuse(StatusCode::UNAUTHORIZED, "No such token");
    }
    let mut engine = fields(headers, body);
    let is_complete = ["name", "maxThreads", "maxHash", "providerSecret"]
        .iter()
        .all(|key| !engine[*key].is_null());
    if !is_complete {
        return refuse(StatusCode::BAD_REQUEST, "Missing fields");
    }
    let mut world = shared.world();
    let id = id.unwrap_or_else(|| format!("eei_{}", world.external.engines.len() + 1));
    engine["id"] = json!(id);
    engine["clientSecret"] = json!("ees_client");
    world.external.engines.insert(id, engine.clone());
    axum::Json(engine).into_response()
}

/// Waits a moment for work.
pub(crate) async fn acquire(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let secret = fields(&headers, &body)["providerSecret"].clone();
    let end = Instant::now() + Duration::from_secs(1);
    while Instant::now() < end {
        {
            let external = &mut shared.world().external;
            let engine = external.engines.values().find(|it| it["providerSecret"] == secret);
            let Some(engine) = engine.cloned() else {
                return refuse(StatusCode::NOT_FOUND, "No such engine");
            };
            if let Some((id, work)) = external.waiting.pop_front() {
                let answer = json!({"id": id, "work": work, "engine": engine});
                return axum::Json(answer).into_response();
            }
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    StatusCode::NO_CONTENT.into_response()
}

/// Takes what an engine says, until it ends or nobody looks any more.
pub(crate) async fn submit(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    body: Body,
) -> Response {
    let mut chunks = body.into_data_stream();
    loop {
        let chunk = tokio::time::timeout(Duration::from_millis(20), chunks.next()).await;
        let mut world = shared.world();
        let Some(analysis) = world.external.results.get_mut(&id) else {
            return refuse(StatusCode::NOT_FOUND, "No such work");
        };
        match chunk {
            Ok(Some(Ok(bytes))) => analysis.text.push_str(&String::from_utf8_lossy(&bytes)),
            Ok(None | Some(Err(_))) => {
                analysis.is_done = true;
                return ok();
            }
            Err(_) if analysis.is_abandoned => {
                analysis.is_done = true;
                return ok();
            }
            Err(_) => (),
        }
    }
}
