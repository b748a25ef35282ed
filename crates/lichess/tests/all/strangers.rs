// SPDX-License-Identifier: GPL-3.0-or-later
//! Servers that are not Lichess, and want the token.
//!
//! `../data/nobody.crt` is a certificate for `localhost` that nobody has signed but its owner, made with
//! `openssl req -x509 -newkey ec -nodes`; `nobody.key` is its key.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lichess::{Client, Timing, Token};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection};

const TOKEN: &str = "lip_verySecretToken";

fn client(base: &str) -> Client {
    Client::new(base, Token::new(TOKEN).unwrap(), Timing::default()).unwrap()
}

/// A server for one connection: where it is, and what `serve` made of the connection.
fn server<T: Send + 'static>(
    serve: impl FnOnce(TcpStream) -> T + Send + 'static,
) -> (u16, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (port, thread::spawn(move || serve(listener.accept().unwrap().0)))
}

/// What a client says until it waits for the answer.
fn request_of(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    while !said.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        said.push(byte[0]);
    }
    String::from_utf8(said).unwrap()
}

#[tokio::test]
async fn a_wrong_certificate_ends_the_connection_before_anything_is_said() {
    let certificate = CertificateDer::from(include_bytes!("../data/nobody.crt").to_vec());
    let key = PrivatePkcs8KeyDer::from(include_bytes!("../data/nobody.key").to_vec());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::from(key))
        .unwrap();
    let (port, heard) = server(move |mut stream| {
        let mut tls = ServerConnection::new(Arc::new(config)).unwrap();
        let mut said = Vec::new();
        // Fails as soon as the client breaks off.
        while tls.complete_io(&mut stream).is_ok_and(|(read, _)| read > 0) {
            let _ = tls.reader().read_to_end(&mut said);
        }
        said
    });
    let error = client(&format!("https://localhost:{port}")).account().await.unwrap_err();
    assert!(error.to_string().contains("certificate"), "{error}");
    assert_eq!(heard.join().unwrap(), b"", "nothing is said to a stranger");
}

#[tokio::test]
async fn the_token_follows_no_redirect() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let target = other.local_addr().unwrap();
    let (port, asked) = server(move |mut stream| {
        let request = request_of(&mut stream);
        let answer = format!(
            "HTTP/1.1 302 Found\r\nLocation: http://{target}/api/account\r\nContent-Length: 0\r\n\r\n"
        );
        stream.write_all(answer.as_bytes()).unwrap();
        request
    });
    let error = client(&format!("http://127.0.0.1:{port}")).account().await.unwrap_err();
    assert!(asked.join().unwrap().contains(TOKEN), "the server that was asked gets it");
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(other.accept().is_err(), "nobody comes to the other server: {error}");
    assert!(!format!("{error} {error:?}").contains(TOKEN));
}

#[tokio::test]
async fn an_answer_without_end_is_not_read_to_its_end() {
    const MOST: usize = 64 << 20;
    let (port, sent) = server(|mut stream| {
        request_of(&mut stream);
        let mut sent = 0;
        let mut open = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n{\"id\":\"").is_ok();
        while open && sent < MOST {
            open = stream.write_all(&[b'x'; 1 << 12]).is_ok();
            sent += 1 << 12;
        }
        sent
    });
    let error = client(&format!("http://127.0.0.1:{port}")).account().await.unwrap_err();
    assert!(!error.to_string().is_empty());
    assert!(sent.join().unwrap() < MOST, "the client has hung up: {error}");
}
