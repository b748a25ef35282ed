// SPDX-License-Identifier: GPL-3.0-or-later
//! The key to an account. Nothing here prints it: not `Debug`, not errors, not logs.

use std::fmt;
use std::path::PathBuf;

use reqwest::header::HeaderValue;
use thiserror::Error;

/// An access token. It can be sent, and that is all.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A token from its text; blanks around it are not part of it.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TokenError::Empty);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(TokenError::Malformed);
        }
        Ok(Self(text.to_owned()))
    }

    /// The header that opens doors. It is marked as a secret, so that no client logs it.
    pub(crate) fn header(&self) -> HeaderValue {
        let header = HeaderValue::from_str(&format!("Bearer {}", self.0));
        let mut header = header.expect("a token is printable ASCII");
        header.set_sensitive(true);
        header
    }

    /// The bare text, for the one request that has it in its body.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Whether a text looks like a Lichess token, and so must not be quoted wherever it was found.
pub(crate) fn looks_secret(text: &str) -> bool {
    ["lip_", "lio_", "Bearer "].iter().any(|start| text.contains(start))
}

/// Where the token is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenSource {
    /// In the configuration itself.
    Given(Token),
    /// Alone in a file.
    File(PathBuf),
    /// In an environment variable.
    Environment(String),
}

impl TokenSource {
    /// Fetches the token.
    pub fn token(&self) -> Result<Token, TokenError> {
        match self {
            Self::Given(token) => Ok(token.clone()),
            Self::File(path) => {
                let text = tools::read::read_text(path);
                Token::new(&text.map_err(|error| TokenError::File(path.clone(), error))?)
            }
            Self::Environment(name) => {
                Token::new(&std::env::var(name).map_err(|_| TokenError::Unset(name.clone()))?)
            }
        }
    }
}

/// Why there is no token.
#[derive(Debug, Error)]
pub enum TokenError {
    /// Nothing but blanks.
    #[error("the token is empty")]
    Empty,
    /// Blanks or odd letters inside.
    #[error("the token has blanks or letters that no token has")]
    Malformed,
    /// The file cannot be read.
    #[error("the token file `{path}` cannot be read: {1}", path = .0.display())]
    File(PathBuf, std::io::Error),
    /// The variable is not set.
    #[error("the environment variable `{0}`, which should hold the token, is not set")]
    Unset(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_never_printed() {
        let token = Token::new(" lip_secret\n").unwrap();
        let source = TokenSource::Given(token.clone());
        for text in [format!("{token:?}"), format!("{source:#?}"), format!("{:?}", token.header())]
        {
            assert!(!text.contains("secret"), "{text}");
        }
        assert_eq!(token.header().to_str().unwrap(), "Bearer lip_secret");
    }

    #[test]
    fn errors_do_not_quote_what_may_be_a_token() {
        let error = Token::new("lip_one lip_two").unwrap_err().to_string();
        assert!(!error.contains("lip_"), "{error}");
        assert!(matches!(Token::new("  "), Err(TokenError::Empty)));
        let missing = TokenSource::Environment("QUINCUNX_NO_SUCH_VARIABLE".to_owned());
        assert!(missing.token().unwrap_err().to_string().contains("QUINCUNX_NO_SUCH_VARIABLE"));
    }
}
