// SPDX-License-Identifier: GPL-3.0-or-later
//! Streams of JSON, one object to a line, with blank lines that only say `I am alive`.

use std::time::Duration;

use reqwest::Response;
use serde::de::DeserializeOwned;

use super::ApiError;

/// A line can be no longer: a game of a thousand moves has six thousand letters.
const LONGEST: usize = 1 << 20;

/// An open stream.
#[derive(Debug)]
pub(crate) struct Lines {
    response: Response,
    /// What was read of the next line, or lines.
    buffer: Vec<u8>,
    /// Longer silence means that it is dead.
    silence: Duration,
}

impl Lines {
    pub(super) const fn new(response: Response, silence: Duration) -> Self {
        Self { response, buffer: Vec::new(), silence }
    }

    /// The next object; nothing at the end of the stream. Lines that cannot be read are skipped, and
    /// half a line at the end is not one.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, ApiError> {
        loop {
            while let Some(line) = self.line() {
                match serde_json::from_slice(&line) {
                    Ok(object) => return Ok(Some(object)),
                    Err(error) if !line.trim_ascii().is_empty() => {
                        tracing::warn!("a line of the stream cannot be read: {error}");
                    }
                    Err(_) => (),
                }
            }
            if !self.read().await? {
                return Ok(None);
            }
        }
    }

    fn line(&mut self) -> Option<Vec<u8>> {
        let end = self.buffer.iter().position(|&byte| byte == b'\n')?;
        Some(self.buffer.drain(..=end).collect())
    }

    /// Whether anything came.
    async fn read(&mut self) -> Result<bool, ApiError> {
        let chunk = tokio::time::timeout(self.silence, self.response.chunk()).await;
        let silent = || ApiError::Transport("the stream has fallen silent".to_owned());
        let Some(chunk) = chunk.map_err(|_| silent())?? else { return Ok(false) };
        self.buffer.extend_from_slice(&chunk);
        if self.buffer.len() > LONGEST {
            return Err(ApiError::Garbled("a line without end".to_owned()));
        }
        Ok(true)
    }
}
