// SPDX-License-Identifier: GPL-3.0-or-later
//! The fake as a program, for clients in other languages.
//!
//! `fake-lichess [PORT] [NAME=TOKEN]…` starts it with a bot for each name, prints its address on a
//! line of its own, and runs until its input ends. Two scripted accounts, `Random` and `Robot`, accept
//! every challenge.
#![expect(clippy::print_stdout, reason = "whoever starts it must know where it is")]

use fake_lichess::{Fake, FakeSettings};
use tokio::io::AsyncReadExt;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let port = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(0);
    let fake = Fake::start(FakeSettings { port, ..FakeSettings::default() }).await;
    for (name, token) in arguments.iter().filter_map(|argument| argument.split_once('=')) {
        fake.add_user(name, Some("BOT"), token);
    }
    fake.add_scripted("Random", None, 1500);
    fake.add_scripted("Robot", Some("BOT"), 1500);
    println!("{}", fake.url());
    // Whoever started it holds the other end; when it goes, so do we.
    let mut rest = vec![];
    let _ = tokio::io::stdin().read_to_end(&mut rest).await;
}
