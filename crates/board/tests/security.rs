// SPDX-License-Identifier: GPL-3.0-or-later
//! What the server does with those who mean it no good, and with those who are merely clumsy.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use board::protocol::{Mind, Place, Reply, Request, VERSION};
use board::{Config, Server};
use futures_util::{SinkExt as _, StreamExt as _};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

const SOON: Duration = Duration::from_secs(20);

/// A server on a free port, with a page of one file.
struct Board {
    address: SocketAddr,
    _folder: TempDir,
}

impl Board {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page");
        std::fs::create_dir(&page).unwrap();
        std::fs::write(page.join("index.html"), "<p>the page</p>").unwrap();
        let config = Config {
            address: "127.0.0.1:0".parse().unwrap(),
            threads: 2,
            hash: 16,
            games: folder.path().join("games"),
            page: Some(page),
            runs: folder.path().join("runs"),
            bot: None,
            tables: None,
            render: Arc::new(|_| Err("none".to_owned())),
        };
        let server = Server::bind(config).await.unwrap();
        let address = server.address();
        tokio::spawn(server.run());
        Self { address, _folder: folder }
    }

    /// The answer to a plain request.
    async fn get(&self, path: &str, host: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.address).await?;
        let text = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(text.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    /// Whether the page is served, within the time that is due to everybody.
    async fn answers(&self) {
        let began = Instant::now();
        let host = self.address.to_string();
        loop {
            let answer = timeout(SOON, self.get("/", &host)).await;
            if matches!(&answer, Ok(Ok(text)) if text.contains("the page")) {
                return;
            }
            assert!(began.elapsed() < SOON, "{answer:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn open(&self, origin: Option<&str>) -> Result<Socket, Error> {
        let mut request = format!("ws://{}/socket", self.address).into_client_request()?;
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        connect_async(request).await.map(|(socket, _)| socket)
    }

    fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A tab that has said hello.
    async fn tab(&self) -> Socket {
        let mut socket = self.open(Some(&self.origin())).await.unwrap();
        send(&mut socket, &Request::Hello { version: VERSION, session: None }).await;
        assert!(matches!(hear(&mut socket).await, Some(Reply::Welcome { .. })));
        socket
    }
}

async fn send(socket: &mut Socket, request: &Request) {
    let text = serde_json::to_string(request).unwrap();
    socket.send(Message::Text(text.into())).await.unwrap();
}

/// The next reply; nothing at the end.
async fn hear(socket: &mut Socket) -> Option<Reply> {
    loop {
        match timeout(SOON, socket.next()).await.expect("an answer in time")? {
            Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => (),
        }
    }
}

fn start() -> Place {
    Place { fen: chess::STARTING.to_owned(), moves: vec![] }
}

fn analysis() -> Request {
    let mind = Mind { network: "material".to_owned(), mode: "alphabeta".to_owned() };
    Request::Analyze { id: 1, place: start(), mind, lines: 2, threads: 1, focus: vec![] }
}

#[tokio::test]
async fn only_our_own_address_is_served() {
    let board = Board::start().await;
    let port = board.address.port();
    for host in ["evil.test".to_owned(), format!("evil.test:{port}"), "127.0.0.1:1".to_owned()] {
        let answer = board.get("/", &host).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 421"), "{host}: {answer}");
        assert!(!answer.contains("the page"));
    }
    let answer = board.get("/", &format!("localhost:{port}")).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("content-security-policy: default-src 'self'"), "{answer}");
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/assets/../../x"] {
        let answer = board.get(path, &format!("localhost:{port}")).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn pages_from_elsewhere_cannot_open_the_socket() {
    let board = Board::start().await;
    for origin in [Some("http://evil.test"), Some("null"), Some("http://127.0.0.1:1"), None] {
        match board.open(origin).await {
            Err(Error::Http(answer)) => assert_eq!(answer.status(), 403, "{origin:?}"),
            other => panic!("{origin:?}: {other:?}"),
        }
    }
    board.tab().await;
}

#[tokio::test]
async fn nonsense_gets_a_sentence() {
    let board = Board::start().await;
    let mut socket = board.open(Some(&board.origin())).await.unwrap();
    send(&mut socket, &analysis()).await;
    let Some(Reply::Error { message, .. }) = hear(&mut socket).await else { panic!() };
    assert!(message.contains("hello"), "{message}");
    let mut socket = board.tab().await;
    for text in ["", "{", "[]", r#"{"type":"nosuch"}"#, r#"{"type":"analyze","id":-1}"#] {
        socket.send(Message::Text(text.into())).await.unwrap();
        let Some(Reply::Error { message, .. }) = hear(&mut socket).await else { panic!("{text}") };
        assert!(message.starts_with("a message is not understood"), "{message}");
    }
    let place = Place { fen: "8/8/8/8/8/8/8/8 w - - 0 1".to_owned(), moves: vec![] };
    send(&mut socket, &Request::Look { id: 7, place }).await;
    let Some(Reply::Error { id: Some(7), message }) = hear(&mut socket).await else { panic!() };
    assert!(message.starts_with("the position is refused"), "{message}");
    send(&mut socket, &Request::Load { session: "../../etc/passwd".to_owned() }).await;
    assert!(matches!(hear(&mut socket).await, Some(Reply::Error { .. })));
    let mind = Mind { network: "/etc/passwd".to_owned(), mode: "alphabeta".to_owned() };
    let pace = board::protocol::Pace::Nodes { nodes: 1 };
    send(&mut socket, &Request::Play { id: 8, place: start(), mind, pace }).await;
    let Some(Reply::Error { id: Some(8), message }) = hear(&mut socket).await else { panic!() };
    assert!(message.starts_with("no network"), "{message}");
}

#[tokio::test]
async fn ten_megabytes_of_garbage_change_nothing() {
    let board = Board::start().await;
    let garbage: Vec<u8> =
        (0..10_000_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut stream = TcpStream::connect(board.address).await.unwrap();
    // The server hangs up somewhere within.
    let _ = stream.write_all(&garbage).await;
    board.answers().await;
    let mut tab = board.tab().await;
    let _ = tab.send(Message::Text("x".repeat(10_000_000).into())).await;
    assert!(hear(&mut tab).await.is_none(), "a message that is too large ends the connection");
    let mut tab = board.tab().await;
    tab.send(Message::Binary(garbage[..500_000].to_vec().into())).await.unwrap();
    assert!(matches!(hear(&mut tab).await, Some(Reply::Error { .. })));
    board.answers().await;
}

#[tokio::test]
async fn a_thousand_connections_do_not_lock_others_out() {
    let board = Board::start().await;
    let mut held = Vec::new();
    for i in 0..1000 {
        // The system may not allow this process so many files.
        let Ok(mut stream) = TcpStream::connect(board.address).await else { break };
        if i % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ").await;
        }
        held.push(stream);
    }
    assert!(held.len() >= 300, "{} connections", held.len());
    // Room for our own questions, if files ran out.
    held.truncate(held.len() - 20);
    board.answers().await;
    drop(held);
    board.answers().await;
}

#[tokio::test]
async fn tabs_are_counted() {
    let board = Board::start().await;
    let mut tabs = Vec::new();
    for _ in 0..32 {
        tabs.push(board.tab().await);
    }
    match board.open(Some(&board.origin())).await {
        Err(Error::Http(answer)) => assert_eq!(answer.status(), 503),
        other => panic!("{other:?}"),
    }
    board.answers().await;
    tabs.pop();
    tokio::time::sleep(Duration::from_millis(300)).await;
    board.tab().await;
}

#[tokio::test]
async fn a_reader_that_does_not_read_is_dropped_and_disturbs_nobody() {
    let board = Board::start().await;
    let mut slow = board.tab().await;
    // Each answer is tens of kilobytes; nobody reads them.
    let flood = async {
        for id in 0..2000 {
            let text = serde_json::to_string(&Request::Look { id, place: start() }).unwrap();
            if slow.send(Message::Text(text.into())).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(11)).await;
        }
        panic!("nobody has hung up");
    };
    let other = async {
        for _ in 0..5 {
            board.answers().await;
            let mut tab = board.tab().await;
            send(&mut tab, &Request::Look { id: 1, place: start() }).await;
            assert!(matches!(hear(&mut tab).await, Some(Reply::Looked { .. })));
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    timeout(Duration::from_mins(1), async { tokio::join!(flood, other) }).await.unwrap();
}

#[tokio::test]
async fn searches_end_with_their_tabs_however_these_end() {
    let board = Board::start().await;
    for _ in 0..20 {
        let mut tab = board.tab().await;
        send(&mut tab, &analysis()).await;
        assert!(matches!(
            hear(&mut tab).await,
            Some(Reply::Info { .. } | Reply::Tree { .. } | Reply::Waiting { .. })
        ));
        // No close frame: the connection just goes.
        drop(tab);
    }
    let mut tab = board.tab().await;
    send(&mut tab, &analysis()).await;
    let began = Instant::now();
    while !matches!(hear(&mut tab).await, Some(Reply::Info { .. })) {
        assert!(began.elapsed() < SOON);
    }
}

#[tokio::test]
async fn whoever_talks_too_much_is_cut_off() {
    let board = Board::start().await;
    let mut tab = board.tab().await;
    for _ in 0..2000 {
        if tab.send(Message::Text(r#"{"type":"stop"}"#.into())).await.is_err() {
            break;
        }
    }
    let mut last = None;
    while let Some(reply) = hear(&mut tab).await {
        last = Some(reply);
    }
    let Some(Reply::Error { message, .. }) = last else { panic!("{last:?}") };
    assert!(message.starts_with("too many messages"), "{message}");
    board.answers().await;
}

#[tokio::test]
async fn games_survive_a_connection() {
    let board = Board::start().await;
    let mut tab = board.open(Some(&board.origin())).await.unwrap();
    send(&mut tab, &Request::Hello { version: VERSION, session: None }).await;
    let Some(Reply::Welcome { session, .. }) = hear(&mut tab).await else { panic!() };
    let document = board::protocol::Document { pgn: "1. e4 *".into(), state: "{}".into() };
    send(&mut tab, &Request::Save { document: document.clone() }).await;
    assert_eq!(hear(&mut tab).await, Some(Reply::Saved));
    drop(tab);
    let mut tab = board.open(Some(&board.origin())).await.unwrap();
    send(&mut tab, &Request::Hello { version: VERSION, session: Some(session) }).await;
    let Some(Reply::Welcome { document: kept, .. }) = hear(&mut tab).await else { panic!() };
    assert_eq!(kept, Some(document));
}
