// SPDX-License-Identifier: GPL-3.0-or-later
//! The provider of analysis, against the fake.

use std::time::Duration;

use crate::common::{PATIENCE, fake};
use fake_lichess::{Fake, Script};
use lichess::{Config, Stop, Timing};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

fn config(fake: &Fake) -> Config {
    let (url, token) = (fake.url(), crate::common::TOKEN);
    let text = format!(
        "[account]\nurl = \"{url}\"\ntoken = \"{token}\"\n[engine]\nhash = 1\n\
         [external_engine]\nname = \"Tester\"\nthreads = 1\nhash = 2\nbroker = \"{url}\"\n"
    );
    Config::parse(&text, std::path::Path::new(".")).unwrap()
}

fn work(limit: &str, value: Value) -> Value {
    let mut work = json!({
        "sessionId": "s1", "threads": 8, "hash": 512, "multiPv": 2, "variant": "standard",
        "initialFen": chess::STARTING, "moves": ["e2e4", "e7e5"],
    });
    work[limit] = value;
    work
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_is_done_and_given_up() {
    let fake = fake(Script::none()).await;
    let (stops, orders) = unbounded_channel();
    let task = tokio::spawn(lichess::provide(config(&fake), Timing::default(), orders));
    let id = fake.analyze(work("depth", json!(6)));
    let is_done = |fake: &Fake, id: &str| fake.analysis(id).1;
    assert!(fake.wait_for(PATIENCE, |fake| is_done(fake, &id)).await);
    let (lines, _) = fake.analysis(&id);
    let first: Vec<_> = lines.iter().filter(|line| line.contains(" multipv 1 ")).collect();
    let depths: Vec<_> = first.iter().map(|line| line.split(' ').nth(2).unwrap()).collect();
    assert_eq!(depths, ["1", "2", "3", "4", "5", "6"], "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")));
    assert!(lines.iter().all(|line| line.contains("score") || line.starts_with("bestmove ")));

    // Work without end, until nobody looks; then there is more.
    let endless = fake.analyze(work("infinite", json!(true)));
    let has_begun = |fake: &Fake| fake.analysis(&endless).0.len() > 3;
    assert!(fake.wait_for(PATIENCE, has_begun).await);
    fake.abandon(&endless);
    let next = fake.analyze(work("nodes", json!(2000)));
    assert!(fake.wait_for(PATIENCE, |fake| is_done(fake, &next)).await);
    assert!(fake.analysis(&next).0.last().unwrap().starts_with("bestmove "));

    stops.send(Stop::Gently).unwrap();
    tokio::time::timeout(Duration::from_secs(20), task).await.unwrap().unwrap().unwrap();
}
