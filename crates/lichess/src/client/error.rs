// SPDX-License-Identifier: GPL-3.0-or-later
//! What can go wrong between us and Lichess.

use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use thiserror::Error;

/// Why a request has failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ApiError {
    /// The connection failed, or was too slow.
    #[error("no answer: {0}")]
    Transport(String),
    /// Too many requests.
    #[error("too many requests{}", .limit.as_ref().map(|l| format!(": {l}")).unwrap_or_default())]
    TooMany {
        /// How long to wait, if the server says so.
        wait: Option<Duration>,
        /// The limit that was reached, if the server says so.
        limit: Option<String>,
    },
    /// The server has failed.
    #[error("the server answers {0}")]
    Server(u16),
    /// The server does not do it.
    #[error("refused with {status}: {message}")]
    Refused {
        /// The status.
        status: u16,
        /// What the server says.
        message: String,
        /// The limit that somebody else has reached, and for how long.
        limit: Option<(String, Duration)>,
    },
    /// The answer makes no sense.
    #[error("an answer that cannot be read: {0}")]
    Garbled(String),
}

impl ApiError {
    /// Whether the same request may work later.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Transport(_) | Self::TooMany { .. } | Self::Server(_))
    }

    /// Whether the server does not know what was asked about.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Refused { status: 404, .. })
    }

    /// Whether the token is no good.
    pub const fn is_unauthorized(&self) -> bool {
        matches!(self, Self::Refused { status: 401 | 403, .. })
    }
}

impl From<reqwest::Error> for ApiError {
    fn from(error: reqwest::Error) -> Self {
        if error.is_decode() {
            return Self::Garbled(error.without_url().to_string());
        }
        let what = match () {
            () if error.is_timeout() => "timed out",
            () if error.is_connect() => "cannot connect",
            () => "the connection broke",
        };
        // The innermost cause says most: `connection refused`, `certificate expired`.
        let mut cause: &dyn std::error::Error = &error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        let is_bare = std::ptr::addr_eq(cause, &raw const error);
        Self::Transport(if is_bare { what.to_owned() } else { format!("{what}: {cause}") })
    }
}

/// Whatever the server says, we ask again after an hour.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// The same for a limit on one kind of request: those of Lichess are for a day.
const LONGEST_LIMIT: Duration = Duration::from_hours(24);

/// The body of an error.
#[derive(Deserialize, Default)]
struct Complaint {
    #[serde(default)]
    error: serde_json::Value,
    #[serde(default)]
    ratelimit: Option<RateLimit>,
}

#[derive(Deserialize)]
struct RateLimit {
    key: String,
    seconds: u64,
}

/// The response, or what is wrong with it.
pub(crate) async fn check(response: Response) -> Result<Response, ApiError> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let header = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let wait = header.and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let body = super::body::complaint(response).await;
    let complaint: Complaint = serde_json::from_str(&body).unwrap_or_default();
    Err(explain(status, wait, complaint, &body))
}

fn explain(
    status: StatusCode,
    wait: Option<Duration>,
    complaint: Complaint,
    body: &str,
) -> ApiError {
    let wait = wait.map(|wait| wait.min(LONGEST_WAIT));
    let of_limit =
        |limit: RateLimit| (limit.key, Duration::from_secs(limit.seconds).min(LONGEST_LIMIT));
    let limit = complaint.ratelimit.map(of_limit);
    if status == StatusCode::TOO_MANY_REQUESTS {
        let (limit, seconds) = limit.unzip();
        return ApiError::TooMany { wait: wait.or(seconds), limit };
    }
    if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
        return ApiError::Server(status.as_u16());
    }
    let message = match complaint.error {
        serde_json::Value::String(text) => text,
        serde_json::Value::Null => body.to_owned(),
        other => other.to_string(),
    };
    let message = message.chars().take(200).collect();
    ApiError::Refused { status: status.as_u16(), message, limit }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(status: u16, wait: Option<u64>, body: &str) -> ApiError {
        let complaint = serde_json::from_str(body).unwrap_or_default();
        let wait = wait.map(Duration::from_secs);
        explain(StatusCode::from_u16(status).unwrap(), wait, complaint, body)
    }

    #[test]
    fn limits_are_read_from_header_and_body() {
        let day = r#"{"error":"x","ratelimit":{"key":"bot.vsBot.day","seconds":90}}"#;
        let limit = "bot.vsBot.day".to_owned();
        let ninety = Duration::from_secs(90);
        assert_eq!(
            error(429, None, day),
            ApiError::TooMany { wait: Some(ninety), limit: Some(limit.clone()) }
        );
        let plain = ApiError::TooMany { wait: Some(Duration::from_secs(7)), limit: None };
        assert_eq!(error(429, Some(7), "oops"), plain);
        let ApiError::Refused { limit: theirs, .. } = error(400, None, day) else { panic!() };
        assert_eq!(theirs, Some((limit, ninety)));
    }

    #[test]
    fn absurd_waits_are_cut() {
        let ApiError::TooMany { wait, .. } = error(429, Some(u64::MAX), "") else { panic!() };
        assert_eq!(wait, Some(LONGEST_WAIT));
        let body = r#"{"ratelimit":{"key":"x","seconds":18446744073709551615}}"#;
        let ApiError::TooMany { wait, .. } = error(429, None, body) else { panic!() };
        assert_eq!(wait, Some(LONGEST_LIMIT));
    }

    #[test]
    fn only_what_may_pass_is_transient() {
        for (status, is_transient) in [(429, true), (502, true), (503, true), (408, true)] {
            assert_eq!(error(status, None, "").is_transient(), is_transient, "{status}");
        }
        for status in [400, 401, 404] {
            assert!(!error(status, None, "").is_transient(), "{status}");
        }
        let text = error(400, None, r#"{"error":"Not your turn"}"#).to_string();
        assert_eq!(text, "refused with 400: Not your turn");
    }
}
