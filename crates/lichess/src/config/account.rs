// SPDX-License-Identifier: GPL-3.0-or-later
//! `[account]` and `[connection]`: who we are, and how we are connected.

use std::time::Duration;

use super::reader::{Section, found};
use crate::token::{Token, TokenSource, looks_secret};

/// Who we are, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Account {
    /// Where Lichess is.
    pub url: String,
    /// Where the token is kept.
    pub token: TokenSource,
}

/// The variable that holds the token if nothing else is said.
const VARIABLE: &str = "LICHESS_TOKEN";
const SOURCES: [&str; 3] = ["token", "token_file", "token_env"];

impl Account {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let url = read_url(&section, "url").unwrap_or_else(|| "https://lichess.org".to_owned());
        let token = read_source(&section);
        section.finish();
        Self { url, token }
    }
}

/// An address without a slash at its end.
pub(super) fn read_url(section: &Section<'_, '_>, key: &'static str) -> Option<String> {
    let value = section.value(key)?;
    let parsed = value.get_ref().as_str().and_then(|text| reqwest::Url::parse(text).ok());
    let is_plain = |url: &reqwest::Url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
    };
    let Some(url) = parsed.filter(is_plain) else {
        let expected = "expected an address such as `https://lichess.org`";
        section.wrong(key, value, format!("{expected}, found {}", found(value)));
        return None;
    };
    Some(url.as_str().trim_end_matches('/').to_owned())
}

fn read_source(section: &Section<'_, '_>) -> TokenSource {
    let given: Vec<_> = SOURCES.into_iter().filter(|key| section.has(key)).collect();
    if let [first, second, ..] = given[..] {
        section.wrong_section(second, format!("only one of `{first}` and `{second}` can be used"));
    }
    let token = read_token(section);
    let file = read_name(section, "token_file").map(|text| section.folder().join(text));
    let variable = read_name(section, "token_env").unwrap_or_else(|| VARIABLE.to_owned());
    match (token, file) {
        (Some(token), _) => TokenSource::Given(token),
        (None, Some(file)) => TokenSource::File(file),
        (None, None) => TokenSource::Environment(variable),
    }
}

/// The token itself. Whatever is wrong with it, it is not quoted.
fn read_token(section: &Section<'_, '_>) -> Option<Token> {
    let value = section.value("token")?;
    let Some(text) = value.get_ref().as_str() else {
        section.wrong("token", value, "expected a text in quotation marks");
        return None;
    };
    Token::new(text).map_err(|error| section.wrong("token", value, error)).ok()
}

/// The name of a file or a variable, into which people put the token itself by mistake.
fn read_name(section: &Section<'_, '_>, key: &'static str) -> Option<String> {
    let text = section.text(key)?;
    if looks_secret(&text) {
        let message = "this is a token, not the name of where it is; `token` can hold it";
        section.wrong_section(key, message);
        return None;
    }
    if text.is_empty() {
        section.wrong_section(key, "expected a name, found nothing");
        return None;
    }
    Some(text)
}

/// How the connection is watched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Connection {
    /// How often Lichess sends a blank line if there is nothing else to say.
    pub keep_alive: Duration,
}

impl Connection {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let keep_alive = section.number("keep_alive_ms", 50..=60_000, 7000);
        section.finish();
        Self { keep_alive: Duration::from_millis(keep_alive as u64) }
    }
}
