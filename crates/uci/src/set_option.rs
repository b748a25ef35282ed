// SPDX-License-Identifier: GPL-3.0-or-later
//! `setoption`: an option's name and, unless it is a button, its value.
//!
//! Names and values may hold blanks. Which names exist, and which values they take, is the
//! engine's knowledge: see [`OptionSpec`](crate::OptionSpec).

use std::fmt;

use crate::error::CommandError;
use crate::token::{collapse, excerpt, split_around, split_word};

/// One `setoption` command.
///
/// ```
/// use uci::{Command, SetOption};
///
/// let line = r"setoption name SyzygyPath value C:\my tables;D:\x";
/// let Command::SetOption(option) = line.parse()? else { panic!() };
/// assert_eq!(option, SetOption::new("SyzygyPath", r"C:\my tables;D:\x"));
/// assert_eq!(option.to_string(), line);
/// # Ok::<(), uci::CommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SetOption {
    /// The name as sent, with single blanks; engines compare it without regard to case.
    pub name: String,
    /// What followed the word `value`, inner blanks untouched. `Some("")` if nothing followed it,
    /// `None` if the word itself was missing, as for buttons.
    pub value: Option<String>,
}

impl SetOption {
    /// Sets the option to a value.
    pub fn new(name: impl Into<String>, value: impl fmt::Display) -> Self {
        Self { name: name.into(), value: Some(value.to_string()) }
    }

    /// Presses a button.
    pub fn press(name: impl Into<String>) -> Self {
        Self { name: name.into(), value: None }
    }

    /// Reads what follows the word `setoption`.
    ///
    /// The keywords count in lower case only: `Pawn Value` is a name.
    pub(crate) fn parse(arguments: &str) -> Result<Self, CommandError> {
        const COMMAND: &str = "setoption";
        let expected = "`name` and an option name";
        let (keyword, rest) = split_word(arguments);
        if keyword.is_empty() {
            return Err(CommandError::Missing { command: COMMAND, expected });
        }
        if keyword != "name" {
            let token = excerpt(keyword);
            return Err(CommandError::Unexpected { command: COMMAND, token, expected });
        }
        let (name, value) = match split_around(rest, |word| word == "value") {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (rest, None),
        };
        if name.is_empty() {
            let expected = "an option name after `name`";
            return Err(CommandError::Missing { command: COMMAND, expected });
        }
        Ok(Self { name: collapse(name), value })
    }
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", self.name)?;
        match self.value.as_deref() {
            None => Ok(()),
            Some("") => f.write_str(" value"),
            Some(value) => write!(f, " value {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<SetOption, CommandError> {
        SetOption::parse(arguments)
    }

    #[test]
    fn names_and_values_keep_their_blanks() {
        assert_eq!(parse("name Clear Hash"), Ok(SetOption::press("Clear Hash")));
        assert_eq!(parse("name  Clear \t Hash  "), Ok(SetOption::press("Clear Hash")));
        assert_eq!(
            parse(r"name SyzygyPath value C:\my  tables;D:\x"),
            Ok(SetOption::new("SyzygyPath", r"C:\my  tables;D:\x"))
        );
        assert_eq!(
            parse("name  Move  Overhead \t value \t 30 "),
            Ok(SetOption::new("Move Overhead", 30))
        );
        assert_eq!(parse("name X value value 3"), Ok(SetOption::new("X", "value 3")));
        assert_eq!(parse("name Pawn Value value 100"), Ok(SetOption::new("Pawn Value", 100)));
    }

    #[test]
    fn a_missing_value_differs_from_an_empty_one() {
        assert_eq!(parse("name Hash"), Ok(SetOption::press("Hash")));
        assert_eq!(parse("name Hash value"), Ok(SetOption::new("Hash", "")));
        assert_eq!(parse("name Hash value   "), Ok(SetOption::new("Hash", "")));
    }

    #[test]
    fn without_the_word_value_all_is_name() {
        assert_eq!(parse("name Hash 64"), Ok(SetOption::press("Hash 64")));
    }

    #[test]
    fn errors_say_what_was_expected() {
        let message = |arguments| parse(arguments).unwrap_err().to_string();
        assert_eq!(message(""), "`setoption`: expected `name` and an option name, found nothing");
        assert_eq!(
            message("Hash value 3"),
            "`setoption`: expected `name` and an option name, found `Hash`"
        );
        for nameless in ["name", "name value 5", "name value"] {
            assert_eq!(
                message(nameless),
                "`setoption`: expected an option name after `name`, found nothing"
            );
        }
    }

    #[test]
    fn printing_is_read_back() {
        for option in
            [SetOption::press("Clear Hash"), SetOption::new("A B", "c  d"), SetOption::new("S", "")]
        {
            let printed = option.to_string();
            assert_eq!(parse(printed.strip_prefix("setoption ").unwrap()), Ok(option));
        }
    }
}
