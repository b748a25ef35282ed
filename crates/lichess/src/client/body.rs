// SPDX-License-Identifier: GPL-3.0-or-later
//! Answers, as long as an answer may be: one without end must not take all memory.

use reqwest::Response;
use serde::de::DeserializeOwned;

use super::ApiError;

/// The longest answer. The list of all bots that are online is the longest one that we ask for, with a
/// few hundred bytes for each.
const LONGEST: usize = 4 << 20;

/// What explains an error is shorter.
const LONGEST_COMPLAINT: usize = 64 << 10;

/// An answer as JSON.
pub(crate) async fn json<T: DeserializeOwned>(response: Response) -> Result<T, ApiError> {
    let bytes = read(response).await?;
    serde_json::from_slice(&bytes).map_err(|error| ApiError::Garbled(error.to_string()))
}

/// An answer as text.
pub(crate) async fn text(response: Response) -> Result<String, ApiError> {
    Ok(String::from_utf8_lossy(&read(response).await?).into_owned())
}

async fn read(response: Response) -> Result<Vec<u8>, ApiError> {
    let (bytes, is_whole) = read_some(response, LONGEST).await?;
    if is_whole {
        return Ok(bytes);
    }
    Err(ApiError::Garbled(format!("an answer of more than {LONGEST} bytes")))
}

/// The beginning of what explains an error. One that breaks off adds nothing to the status.
pub(super) async fn complaint(response: Response) -> String {
    let read = read_some(response, LONGEST_COMPLAINT).await;
    let (bytes, _) = read.unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The body, and whether it is no longer than that.
async fn read_some(mut response: Response, most: usize) -> Result<(Vec<u8>, bool), ApiError> {
    let mut bytes = vec![];
    while let Some(chunk) = response.chunk().await? {
        if bytes.len() + chunk.len() > most {
            return Ok((bytes, false));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((bytes, true))
}
