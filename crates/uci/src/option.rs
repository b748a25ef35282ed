// SPDX-License-Identifier: GPL-3.0-or-later
//! The options that an engine declares, and the values it is given for them.
//!
//! A spin whose default is out of range, or a combo whose default is not among its choices, stops
//! some GUIs from loading the engine at all; so an [`OptionSpec`] cannot be made that way. One
//! declaration serves both to print the option and to check what a GUI sets it to.

mod parse;
mod value;

use std::fmt;
use std::ops::RangeInclusive;

use crate::token::{collapse, excerpt};

pub use value::{AcceptedValue, OptionError, OptionValue, OptionWarning};

/// What the protocol writes for an empty text.
const EMPTY: &str = "<empty>";

/// The declaration of one option.
///
/// ```
/// use uci::{OptionSpec, OptionValue};
///
/// let hash = OptionSpec::spin("Hash", 16, 1..=1024)?;
/// assert_eq!(hash.to_string(), "option name Hash type spin default 16 min 1 max 1024");
/// assert_eq!(hash.to_string().parse(), Ok(hash.clone()));
///
/// let accepted = hash.parse_value("4096")?;
/// assert_eq!(accepted.value, OptionValue::Spin(1024));
/// assert_eq!(
///     accepted.warning.unwrap().to_string(),
///     "option `Hash`: 4096 taken as 1024: expected an integer from 1 to 1024",
/// );
/// assert!(OptionSpec::spin("Hash", 0, 1..=1024).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OptionSpec {
    name: String,
    kind: OptionKind,
}

/// The five types of option, each with its default.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// Value if never set.
        default: bool,
    },
    /// An integer in a range.
    Spin {
        /// Value if never set; within the range.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Value if never set; one of `vars`.
        default: String,
        /// The choices.
        vars: Vec<String>,
    },
    /// An action without value.
    Button,
    /// Any text, often a path.
    String {
        /// Value if never set.
        default: String,
    },
}

/// Why an option cannot be declared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionSpecError {
    /// The line is not an option line, or ends too early.
    #[error("option `{option}`: expected {expected}, found nothing")]
    Missing {
        /// The option, empty if its name is what is missing.
        option: String,
        /// What should have followed.
        expected: &'static str,
    },
    /// Something else stands where an argument should.
    #[error("option `{option}`: expected {expected}, found `{token}`")]
    Unexpected {
        /// The option, empty if its name is not known yet.
        option: String,
        /// What was found, clipped.
        token: String,
        /// What should have been there.
        expected: &'static str,
    },
    /// A spin's default lies outside its range.
    #[error("option `{option}`: default {default} is not from {min} to {max}")]
    DefaultOutOfRange {
        /// The option.
        option: String,
        /// The default.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// A combo's default is none of its choices.
    #[error("option `{option}`: default `{default}` is none of its choices")]
    DefaultNotAChoice {
        /// The option.
        option: String,
        /// The default.
        default: String,
    },
    /// A text holds a word or a line break that would be read as something else.
    #[error("option `{option}`: `{text}` cannot be told apart from the protocol's own words")]
    Ambiguous {
        /// The option.
        option: String,
        /// The text, clipped.
        text: String,
    },
}

impl OptionSpec {
    /// Declares a yes-or-no option.
    pub fn check(name: &str, default: bool) -> Result<Self, OptionSpecError> {
        Self::new(name, OptionKind::Check { default })
    }

    /// Declares an integer option.
    pub fn spin(
        name: &str,
        default: i64,
        range: RangeInclusive<i64>,
    ) -> Result<Self, OptionSpecError> {
        let (min, max) = range.into_inner();
        Self::new(name, OptionKind::Spin { default, min, max })
    }

    /// Declares a choice.
    pub fn combo(name: &str, default: &str, vars: &[&str]) -> Result<Self, OptionSpecError> {
        let vars = vars.iter().map(ToString::to_string).collect();
        Self::new(name, OptionKind::Combo { default: default.to_owned(), vars })
    }

    /// Declares an action.
    pub fn button(name: &str) -> Result<Self, OptionSpecError> {
        Self::new(name, OptionKind::Button)
    }

    /// Declares a text option.
    pub fn string(name: &str, default: &str) -> Result<Self, OptionSpecError> {
        Self::new(name, OptionKind::String { default: default.to_owned() })
    }

    /// Declares an option after checking that it prints to a line that reads back the same.
    pub fn new(name: &str, kind: OptionKind) -> Result<Self, OptionSpecError> {
        let option = collapse(name);
        if option.is_empty() {
            return Err(OptionSpecError::Missing { option, expected: "a name" });
        }
        // `type` ends the name in an option line, `value` in a setoption line.
        if option.split(' ').any(|word| matches!(word, "type" | "value")) {
            return Err(OptionSpecError::Ambiguous { text: excerpt(&option), option });
        }
        let kind = kind.checked(&option)?;
        Ok(Self { name: option, kind })
    }

    /// The option's name, with single blanks.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The option's type and default.
    pub fn kind(&self) -> &OptionKind {
        &self.kind
    }

    /// Whether a GUI means this option; case and the number of blanks do not matter.
    pub fn is_named(&self, name: &str) -> bool {
        collapse(name).eq_ignore_ascii_case(&self.name)
    }

    /// The value before anyone set it.
    pub fn default_value(&self) -> OptionValue {
        match &self.kind {
            OptionKind::Check { default } => OptionValue::Check(*default),
            OptionKind::Spin { default, .. } => OptionValue::Spin(*default),
            OptionKind::Combo { default, .. } => OptionValue::Combo(default.clone()),
            OptionKind::Button => OptionValue::Button,
            OptionKind::String { default } => OptionValue::String(default.clone()),
        }
    }
}

impl OptionKind {
    /// Puts texts into their printable form, or says why there is none.
    fn checked(self, option: &str) -> Result<Self, OptionSpecError> {
        match self {
            Self::Spin { default, min, max } if !(min..=max).contains(&default) => {
                let option = option.to_owned();
                Err(OptionSpecError::DefaultOutOfRange { option, default, min, max })
            }
            Self::Combo { default, vars } => checked_combo(option, &default, &vars),
            Self::String { default } => {
                let default = default.trim_ascii();
                if default.contains(['\n', '\r']) {
                    let (option, text) = (option.to_owned(), excerpt(default));
                    return Err(OptionSpecError::Ambiguous { option, text });
                }
                let default = if default == EMPTY { "" } else { default };
                Ok(Self::String { default: default.to_owned() })
            }
            Self::Check { .. } | Self::Spin { .. } | Self::Button => Ok(self),
        }
    }
}

fn checked_combo(
    option: &str,
    default: &str,
    vars: &[String],
) -> Result<OptionKind, OptionSpecError> {
    let vars: Vec<String> = vars.iter().map(|var| collapse(var)).collect();
    let default = collapse(default);
    let is_keyword = |word: &str| matches!(word, "var" | "default");
    let is_ambiguous = |var: &&String| var.is_empty() || var.split(' ').any(is_keyword);
    if let Some(var) = vars.iter().find(is_ambiguous) {
        let (option, text) = (option.to_owned(), excerpt(var));
        return Err(OptionSpecError::Ambiguous { option, text });
    }
    if !vars.contains(&default) {
        let (option, default) = (option.to_owned(), excerpt(&default));
        return Err(OptionSpecError::DefaultNotAChoice { option, default });
    }
    Ok(OptionKind::Combo { default, vars })
}

impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", self.name, self.kind)
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default } => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Self::Combo { default, vars } => {
                write!(f, "combo default {default}")?;
                vars.iter().try_for_each(|var| write!(f, " var {var}"))
            }
            Self::Button => f.write_str("button"),
            // Cutechess drops strings without default.
            Self::String { default } if default.is_empty() => write!(f, "string default {EMPTY}"),
            Self::String { default } => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_print_as_the_protocol_wants() {
        for (spec, line) in [
            (OptionSpec::check("Ponder", false), "option name Ponder type check default false"),
            (
                OptionSpec::spin("Hash", 16, 1..=64),
                "option name Hash type spin default 16 min 1 max 64",
            ),
            (
                OptionSpec::combo("Style", "Semi Solid", &["Solid", "Semi Solid"]),
                "option name Style type combo default Semi Solid var Solid var Semi Solid",
            ),
            (OptionSpec::button("Clear Hash"), "option name Clear Hash type button"),
            (
                OptionSpec::string("SyzygyPath", ""),
                "option name SyzygyPath type string default <empty>",
            ),
            (OptionSpec::string("X", "<empty>"), "option name X type string default <empty>"),
            (OptionSpec::string("X", " /a  b "), "option name X type string default /a  b"),
        ] {
            assert_eq!(spec.unwrap().to_string(), line);
        }
    }

    #[test]
    fn defaults_that_stop_guis_cannot_be_declared() {
        let message = |spec: Result<OptionSpec, OptionSpecError>| spec.unwrap_err().to_string();
        assert_eq!(
            message(OptionSpec::spin("Hash", 0, 1..=64)),
            "option `Hash`: default 0 is not from 1 to 64"
        );
        assert_eq!(
            message(OptionSpec::combo("Mode", "c", &["a", "b"])),
            "option `Mode`: default `c` is none of its choices"
        );
        assert!(OptionSpec::combo("Mode", "", &[]).is_err());
        assert_eq!(message(OptionSpec::button("  ")), "option ``: expected a name, found nothing");
    }

    #[test]
    fn texts_that_would_read_back_wrong_cannot_be_declared() {
        assert!(OptionSpec::button("my type").is_err());
        assert!(OptionSpec::button("my value").is_err());
        assert!(OptionSpec::combo("Mode", "a var b", &["a var b"]).is_err());
        assert!(OptionSpec::string("X", "two\nlines").is_err());
        assert!(OptionSpec::button("Pawn Value").is_ok());
    }

    #[test]
    fn names_match_without_case_and_blanks() {
        let spec = OptionSpec::button("Clear Hash").unwrap();
        assert!(spec.is_named("clear  hash"));
        assert!(!spec.is_named("clearhash"));
    }

    #[test]
    fn default_values_are_accepted_values() {
        for spec in [
            OptionSpec::check("C", true),
            OptionSpec::spin("S", -3, -5..=5),
            OptionSpec::combo("M", "b", &["a", "b"]),
            OptionSpec::button("B"),
            OptionSpec::string("T", ""),
            OptionSpec::string("T", "x y"),
        ] {
            let spec = spec.unwrap();
            let value = spec.default_value();
            assert_eq!(spec.parse_value(&value.to_string()).unwrap().value, value);
        }
    }
}
