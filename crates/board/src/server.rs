// SPDX-License-Identifier: GPL-3.0-or-later
//! Connections: who may connect, and what they get.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tablebase::Tables;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::budget::Budget;
use crate::page::{self, Page};
use crate::protocol::Choices;
use crate::socket;
use crate::store::Store;
use crate::thinker::Minds;
use crate::watch::{Render, Runs};

/// Connections at a time; who comes later is turned away.
const MAX_CONNECTIONS: usize = 512;
/// Tabs at a time.
const MAX_TABS: usize = 32;
/// A client that does not send its request by then is dropped.
const REQUEST_TIME: Duration = Duration::from_secs(5);
/// The largest message, above the largest game that is kept.
const MAX_MESSAGE: usize = 1 << 20;

/// How the server runs.
pub struct Config {
    /// Where it listens.
    pub address: SocketAddr,
    /// Threads for all searches together.
    pub threads: usize,
    /// Memory for all searches together, in MiB.
    pub hash: usize,
    /// Where games are kept.
    pub games: PathBuf,
    /// The folder of the page, if not the one in the binary is shown.
    pub page: Option<PathBuf>,
    /// The folder of runs.
    pub runs: PathBuf,
    /// The folder of the Lichess bot, to watch its games.
    pub bot: Option<PathBuf>,
    /// Endgame tables for searches and for the page.
    pub tables: Option<Arc<Tables>>,
    /// Makes the page of a run.
    pub render: Render,
}

/// What all tabs share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) minds: Arc<Minds>,
    pub(crate) budget: Arc<Budget>,
    pub(crate) store: Store,
    pub(crate) runs: Runs,
    pub(crate) tables: Option<Arc<Tables>>,
    page: Page,
    address: SocketAddr,
    tabs: Arc<Semaphore>,
}

impl Shared {
    /// What there is to choose from.
    pub(crate) fn choices(&self) -> Choices {
        Choices {
            threads: self.budget.threads() as u16,
            runs: self.runs.is_there(),
            tables: self.tables.as_ref().map_or(0, |tables| tables.largest() as u32),
            ..self.minds.choices()
        }
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Begins to listen.
    pub async fn bind(config: Config) -> io::Result<Self> {
        let page = config.page.as_deref().map_or_else(|| Ok(Page::embedded()), Page::read)?;
        let listener = TcpListener::bind(config.address).await?;
        let shared = Shared {
            minds: Arc::new(Minds::new(config.tables.as_deref())),
            budget: Budget::new(config.threads, config.hash),
            store: Store::new(config.games),
            runs: Runs::new(config.runs, config.bot, config.render),
            tables: config.tables,
            page,
            address: listener.local_addr()?,
            tabs: Arc::new(Semaphore::new(MAX_TABS)),
        };
        Ok(Self { listener, shared: Arc::new(shared) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// Serves until the future is dropped.
    pub async fn run(self) {
        let routes = Router::new()
            .route("/socket", get(open_socket))
            .fallback(get(serve_file))
            .layer(middleware::from_fn_with_state(Arc::clone(&self.shared), guard))
            .with_state(self.shared);
        let limit = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                // Out of file handles, or the client has gone: others may be luckier soon.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let Ok(permit) = Arc::clone(&limit).try_acquire_owned() else { continue };
            let service = TowerToHyperService::new(routes.clone());
            tokio::spawn(async move {
                let _ = stream.set_nodelay(true);
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(REQUEST_TIME)
                    .max_buf_size(32 << 10)
                    .serve_connection(TokioIo::new(stream), service)
                    .with_upgrades();
                let _ = connection.await;
                drop(permit);
            });
        }
    }
}

/// Refuses requests by another name than this server's, which is what a page elsewhere would use whose name
/// suddenly points here; and gives every answer its rules.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| is_ours(host, shared.address)) {
        let text = format!("this server is at {}: open it by that address\n", shared.address);
        return (StatusCode::MISDIRECTED_REQUEST, text).into_response();
    }
    let mut response = next.run(request).await;
    for (name, value) in RULES {
        response
            .headers_mut()
            .insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Nothing from elsewhere is loaded, and nobody else may show the page in a frame.
const RULES: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Whether a `Host` names this server: on this machine only by its usual names, in a network by an address.
fn is_ours(host: &str, address: SocketAddr) -> bool {
    let suffix = format!(":{}", address.port());
    let name = match host.strip_suffix(&suffix) {
        Some(name) => name,
        None if address.port() == 80 => host,
        None => return false,
    };
    if name == "localhost" {
        return true;
    }
    let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    ip.is_ok_and(|ip| ip.is_loopback() || !address.ip().is_loopback())
}

/// Opens a socket for a page of this server. Browsers name the page's origin in every such request.
async fn open_socket(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let (host, origin) = (text(header::HOST), text(header::ORIGIN));
    let is_same = host.zip(origin).is_some_and(|(host, origin)| {
        origin.strip_prefix("http://").is_some_and(|origin| origin == host)
    });
    if !is_same {
        let text = "only pages of this server may open its socket\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    let Ok(permit) = Arc::clone(&shared.tabs).try_acquire_owned() else {
        let text = format!("{MAX_TABS} tabs are open: close one of them\n");
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(
        async move |socket| {
            socket::serve(socket, shared).await;
            drop(permit);
        },
    )
}

/// A file of the page. Names of scripts and styles hold a hash, so that they may be kept for ever.
async fn serve_file(State(shared): State<Arc<Shared>>, uri: Uri) -> Response {
    let Some((path, bytes)) = shared.page.file(uri.path()) else {
        return (StatusCode::NOT_FOUND, "there is no such page\n").into_response();
    };
    let keep = if path.starts_with("assets/") { "max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, page::media_type(path)), (header::CACHE_CONTROL, keep)];
    (headers, bytes).into_response()
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Config").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_ours() {
        let local: SocketAddr = "127.0.0.1:8080".parse().unwrap();
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            assert!(is_ours(host, local), "{host}");
        }
        for host in ["evil.test:8080", "127.0.0.1", "127.0.0.1:81", "192.168.0.7:8080", ""] {
            assert!(!is_ours(host, local), "{host}");
        }
        let open: SocketAddr = "0.0.0.0:80".parse().unwrap();
        assert!(is_ours("192.168.0.7", open) && !is_ours("evil.test", open));
    }
}
