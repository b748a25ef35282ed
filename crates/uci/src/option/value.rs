// SPDX-License-Identifier: GPL-3.0-or-later
//! Checking what a GUI sets an option to.

use std::fmt;

use super::{EMPTY, OptionKind, OptionSpec};
use crate::number;
use crate::token::{collapse, excerpt};

/// A checked value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OptionValue {
    /// Of a check.
    Check(bool),
    /// Of a spin, within its range.
    Spin(i64),
    /// Of a combo, spelled as declared.
    Combo(String),
    /// A button was pressed.
    Button,
    /// Of a string.
    String(String),
}

/// A value to use, and what the GUI should know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedValue {
    /// The value.
    pub value: OptionValue,
    /// Set if the value is not what was sent, for `info string`.
    pub warning: Option<OptionWarning>,
}

/// A number was out of range or had a decimal point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option `{option}`: {token} taken as {used}: expected {expected}")]
pub struct OptionWarning {
    /// The option.
    pub option: String,
    /// The number as sent, clipped.
    pub token: String,
    /// The number used instead.
    pub used: i64,
    /// What would have been right.
    pub expected: String,
}

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No value was sent for an option that needs one.
    #[error("option `{option}`: no value: expected {expected}")]
    NoValue {
        /// The option.
        option: String,
        /// What would have been right.
        expected: String,
    },
    /// The value is none that the option can take.
    #[error("option `{option}`: bad value `{token}`: expected {expected}")]
    BadValue {
        /// The option.
        option: String,
        /// The value as sent, clipped.
        token: String,
        /// What would have been right.
        expected: String,
    },
}

impl OptionSpec {
    /// Checks what followed `value` in a `setoption`; the empty text stands for a missing value.
    ///
    /// A spin out of range is clamped with a warning. Combos and checks disregard case. A string
    /// takes anything, `<empty>` and nothing both meaning the empty text; a button takes anything
    /// and ignores it.
    pub fn parse_value(&self, text: &str) -> Result<AcceptedValue, OptionError> {
        let text = text.trim_ascii();
        let value = match self.kind() {
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("true") => {
                OptionValue::Check(true)
            }
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("false") => {
                OptionValue::Check(false)
            }
            OptionKind::Check { .. } => return Err(self.refuse(text)),
            OptionKind::Spin { min, max, .. } => return self.parse_spin(text, *min, *max),
            OptionKind::Combo { vars, .. } => {
                let wanted = collapse(text);
                let var = vars.iter().find(|var| var.eq_ignore_ascii_case(&wanted));
                OptionValue::Combo(var.ok_or_else(|| self.refuse(text))?.clone())
            }
            OptionKind::Button => OptionValue::Button,
            OptionKind::String { .. } if text == EMPTY => OptionValue::String(String::new()),
            OptionKind::String { .. } => OptionValue::String(text.to_owned()),
        };
        Ok(AcceptedValue { value, warning: None })
    }

    fn parse_spin(&self, text: &str, min: i64, max: i64) -> Result<AcceptedValue, OptionError> {
        let reading = number::read(text, min, max).ok_or_else(|| self.refuse(text))?;
        let warning = (!reading.is_exact).then(|| OptionWarning {
            option: self.name().to_owned(),
            token: excerpt(text),
            used: reading.value,
            expected: self.expectation(),
        });
        Ok(AcceptedValue { value: OptionValue::Spin(reading.value), warning })
    }

    fn refuse(&self, text: &str) -> OptionError {
        let (option, expected) = (self.name().to_owned(), self.expectation());
        if text.is_empty() {
            OptionError::NoValue { option, expected }
        } else {
            OptionError::BadValue { option, token: excerpt(text), expected }
        }
    }

    fn expectation(&self) -> String {
        match self.kind() {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("an integer from {min} to {max}"),
            OptionKind::Combo { vars, .. } => format!("one of {}", vars.join(", ")),
            OptionKind::Button => "no value".to_owned(),
            OptionKind::String { .. } => "a text".to_owned(),
        }
    }
}

/// The value as a `setoption` line carries it; empty for a button.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(is_on) => write!(f, "{is_on}"),
            Self::Spin(number) => write!(f, "{number}"),
            Self::Button => Ok(()),
            Self::String(text) if text.is_empty() => f.write_str(EMPTY),
            Self::Combo(text) | Self::String(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(spec: &OptionSpec, text: &str) -> OptionValue {
        let AcceptedValue { value, warning } = spec.parse_value(text).unwrap();
        assert_eq!(warning, None, "{text}");
        value
    }

    fn refusal(spec: &OptionSpec, text: &str) -> String {
        spec.parse_value(text).unwrap_err().to_string()
    }

    #[test]
    fn checks_take_true_and_false() {
        let spec = OptionSpec::check("Ponder", false).unwrap();
        assert_eq!(accepted(&spec, "true"), OptionValue::Check(true));
        assert_eq!(accepted(&spec, " FALSE "), OptionValue::Check(false));
        assert_eq!(
            refusal(&spec, "yes"),
            "option `Ponder`: bad value `yes`: expected true or false"
        );
        assert_eq!(refusal(&spec, ""), "option `Ponder`: no value: expected true or false");
    }

    #[test]
    fn spins_are_clamped_with_a_warning() {
        let spec = OptionSpec::spin("Threads", 1, 1..=512).unwrap();
        assert_eq!(accepted(&spec, "8"), OptionValue::Spin(8));
        for (text, used) in [("0", 1), ("-7", 1), ("99999999999999999999999", 512), ("2.5", 2)] {
            let accepted = spec.parse_value(text).unwrap();
            assert_eq!(accepted.value, OptionValue::Spin(used));
            assert_eq!(
                accepted.warning.unwrap().to_string(),
                format!(
                    "option `Threads`: {text} taken as {used}: expected an integer from 1 to 512"
                )
            );
        }
        assert_eq!(
            refusal(&spec, "many"),
            "option `Threads`: bad value `many`: expected an integer from 1 to 512"
        );
        assert_eq!(
            refusal(&spec, ""),
            "option `Threads`: no value: expected an integer from 1 to 512"
        );
    }

    #[test]
    fn combos_answer_in_the_declared_spelling() {
        let spec = OptionSpec::combo("Mode", "Alpha Beta", &["Alpha Beta", "mcts"]).unwrap();
        assert_eq!(accepted(&spec, "alpha  beta"), OptionValue::Combo("Alpha Beta".into()));
        assert_eq!(
            refusal(&spec, "x"),
            "option `Mode`: bad value `x`: expected one of Alpha Beta, mcts"
        );
        assert!(refusal(&spec, "").contains("no value"));
    }

    #[test]
    fn strings_and_buttons_take_anything() {
        let spec = OptionSpec::string("SyzygyPath", "").unwrap();
        for (text, value) in [("<empty>", ""), ("", ""), (" C:\\my  tables ", "C:\\my  tables")] {
            assert_eq!(accepted(&spec, text), OptionValue::String(value.into()));
        }
        let spec = OptionSpec::button("Clear Hash").unwrap();
        assert_eq!(accepted(&spec, ""), OptionValue::Button);
        assert_eq!(accepted(&spec, "true"), OptionValue::Button);
    }
}
