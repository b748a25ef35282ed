// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine says about itself.

use crate::option::OptionSpec;
use crate::reply::{MalformedReply, Reply};

/// Most options, and most bad lines, that are kept; an engine could declare them without end.
const MAX_KEPT: usize = 4096;

/// The answers to `uci`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handshake {
    /// From `id name`.
    pub name: Option<String>,
    /// From `id author`.
    pub author: Option<String>,
    /// The options in the order of their declaration.
    pub options: Vec<OptionSpec>,
    /// Lines that some GUIs would choke on.
    pub malformed: Vec<MalformedReply>,
}

impl Handshake {
    /// The option of this name, without regard to case.
    pub fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.is_named(name))
    }

    /// Takes in one line; true if it was the last.
    pub(super) fn take(&mut self, line: &str) -> bool {
        match Reply::parse(line) {
            Reply::UciOk => return true,
            Reply::IdName(name) => self.name = Some(name),
            Reply::IdAuthor(author) => self.author = Some(author),
            Reply::Option(option) if self.options.len() < MAX_KEPT => self.options.push(option),
            Reply::Malformed(reply) if self.malformed.len() < MAX_KEPT => {
                self.malformed.push(reply);
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_up_to_uciok_are_taken() {
        let mut handshake = Handshake::default();
        for line in [
            "Greetings",
            "id name X 1",
            "id author Y",
            "option name Clear Hash type button",
            "option name Bad type spin default 0 min 1 max 2",
        ] {
            assert!(!handshake.take(line), "{line}");
        }
        assert!(handshake.take("uciok"));
        assert_eq!(handshake.name.as_deref(), Some("X 1"));
        assert_eq!(handshake.author.as_deref(), Some("Y"));
        assert!(handshake.option("clear hash").is_some());
        assert_eq!((handshake.options.len(), handshake.malformed.len()), (1, 1));
    }
}
