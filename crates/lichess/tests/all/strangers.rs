// SPDX-License-Identifier: GPL-3.0-or-later
//! Servers that are not Lichess, and want the token.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lichess::{Client, Timing, Token};

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
