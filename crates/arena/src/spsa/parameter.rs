// SPDX-License-Identifier: GPL-3.0-or-later
//! One tuned parameter and its line of text.
//!
//! The line is OpenBench's, `name, int|float, value, min, max, c_end, r_end`, so that what one
//! program prints the other can read. It is also how a parameter is saved: a state file then shows
//! lines that can be pasted, and a value survives unchanged whatever reads the file's numbers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The smallest step of an integer parameter: any less and both sides would often play the same.
const MIN_INT_STEP: f64 = 0.5;

/// What values an engine takes for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterKind {
    /// Whole numbers; the tuned value between them is rounded at random for each trial.
    Int,
    /// Any numbers.
    Float,
}

impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Int => "int",
            Self::Float => "float",
        })
    }
}

impl FromStr for ParameterKind {
    type Err = ParameterError;

    fn from_str(token: &str) -> Result<Self, ParameterError> {
        match token {
            "int" => Ok(Self::Int),
            "float" => Ok(Self::Float),
            _ => Err(ParameterError::Kind { token: token.to_owned() }),
        }
    }
}

/// A parameter with its present value, which always lies in its range.
///
/// ```
/// use arena::spsa::{ParameterKind, Parameter};
///
/// let line = "rfp_margin, int, 80, 20, 200, 8, 0.002";
/// let parameter: Parameter = line.parse()?;
/// assert_eq!((parameter.name(), parameter.kind()), ("rfp_margin", ParameterKind::Int));
/// assert_eq!(parameter.to_string(), line);
///
/// let error = "rfp_margin, int, 80, 20, 2oo, 8, 0.002".parse::<Parameter>().unwrap_err();
/// assert_eq!(error.to_string(), "bad max `2oo` of a parameter, expected a finite number");
/// # Ok::<(), arena::spsa::ParameterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Parameter {
    name: String,
    kind: ParameterKind,
    value: f64,
    min: f64,
    max: f64,
    c_end: f64,
    r_end: f64,
}

impl Parameter {
    /// The name of the engine's option.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the engine takes whole numbers only.
    pub const fn kind(&self) -> ParameterKind {
        self.kind
    }

    /// The present value, between whole numbers also for [`ParameterKind::Int`].
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// The smallest value allowed.
    pub const fn min(&self) -> f64 {
        self.min
    }

    /// The largest value allowed.
    pub const fn max(&self) -> f64 {
        self.max
    }

    /// The distance of a trial's values from the present one at the end of the run.
    pub const fn c_end(&self) -> f64 {
        self.c_end
    }

    /// The learning rate at the end of the run, relative to `c_end`.
    pub const fn r_end(&self) -> f64 {
        self.r_end
    }

    /// The same with another learning rate.
    #[must_use]
    pub(crate) fn with_rate(self, r_end: f64) -> Self {
        Self { r_end, ..self }
    }

    /// The value to ship: rounded for [`ParameterKind::Int`].
    pub fn final_value(&self) -> f64 {
        match self.kind {
            ParameterKind::Int => self.value.round().clamp(self.min, self.max),
            ParameterKind::Float => self.value,
        }
    }

    /// A value `offset` away that the engine can be given. With `noise` in `0.0..1.0` an integer is
    /// rounded up as often as its fraction says.
    pub(super) fn probe(&self, offset: f64, noise: f64) -> f64 {
        let value = self.value + offset;
        let value = match self.kind {
            ParameterKind::Int => (value + noise).floor(),
            ParameterKind::Float => value,
        };
        value.clamp(self.min, self.max)
    }

    /// Moves the value, at most to the end of its range.
    pub(super) fn shift(&mut self, offset: f64) {
        self.value = (self.value + offset).clamp(self.min, self.max);
    }

    /// The distance for a trial, where `growth` is its size relative to the end of the run.
    pub(super) fn step(&self, growth: f64) -> f64 {
        let step = self.c_end * growth;
        match self.kind {
            ParameterKind::Int => step.max(MIN_INT_STEP),
            ParameterKind::Float => step,
        }
    }

    fn check(self) -> Result<Self, ParameterError> {
        for (field, value) in [("min", self.min), ("max", self.max)] {
            if self.kind == ParameterKind::Int && value.fract() != 0.0 {
                return Err(ParameterError::Fraction { field, token: value.to_string() });
            }
        }
        for (field, value) in [("c_end", self.c_end), ("r_end", self.r_end)] {
            if value <= 0.0 {
                return Err(ParameterError::NotPositive { field, token: value.to_string() });
            }
        }
        let Self { value, min, max, .. } = self;
        if min >= max {
            return Err(ParameterError::EmptyRange { name: self.name, min, max });
        }
        if !(min..=max).contains(&value) {
            return Err(ParameterError::OutOfRange { name: self.name, value, min, max });
        }
        Ok(self)
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, value, min, max, c_end, r_end } = self;
        write!(f, "{name}, {kind}, {value}, {min}, {max}, {c_end}, {r_end}")
    }
}

impl FromStr for Parameter {
    type Err = ParameterError;

    fn from_str(line: &str) -> Result<Self, ParameterError> {
        let tokens: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, value, min, max, c_end, r_end] = tokens[..] else {
            return Err(ParameterError::Fields { line: line.to_owned(), found: tokens.len() });
        };
        if name.is_empty() {
            return Err(ParameterError::NoName { line: line.to_owned() });
        }
        let parameter = Self {
            name: name.to_owned(),
            kind: kind.parse()?,
            value: parse_number("value", value)?,
            min: parse_number("min", min)?,
            max: parse_number("max", max)?,
            c_end: parse_number("c_end", c_end)?,
            r_end: parse_number("r_end", r_end)?,
        };
        parameter.check()
    }
}

impl TryFrom<String> for Parameter {
    type Error = ParameterError;

    fn try_from(line: String) -> Result<Self, ParameterError> {
        line.parse()
    }
}

impl From<Parameter> for String {
    fn from(parameter: Parameter) -> Self {
        parameter.to_string()
    }
}

fn parse_number(field: &'static str, token: &str) -> Result<f64, ParameterError> {
    let number = token.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| ParameterError::Number { field, token: token.to_owned() })
}

/// Why a line is no [`Parameter`].
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParameterError {
    /// Too few or too many fields.
    #[error("{found} fields in `{line}`, expected name, int|float, value, min, max, c_end, r_end")]
    Fields {
        /// The whole line.
        line: String,
        /// How many fields it has.
        found: usize,
    },
    /// The first field is empty.
    #[error("no name in `{line}`, expected it before the first comma")]
    NoName {
        /// The whole line.
        line: String,
    },
    /// The second field is something else.
    #[error("unknown kind `{token}` of a parameter, expected `int` or `float`")]
    Kind {
        /// What stands in its place.
        token: String,
    },
    /// A field is not a number.
    #[error("bad {field} `{token}` of a parameter, expected a finite number")]
    Number {
        /// Which field.
        field: &'static str,
        /// What stands in its place.
        token: String,
    },
    /// An integer parameter's range does not end at whole numbers.
    #[error("bad {field} `{token}` of an int parameter, expected a whole number")]
    Fraction {
        /// Which field.
        field: &'static str,
        /// Its number.
        token: String,
    },
    /// A step or rate is zero or negative.
    #[error("bad {field} `{token}` of a parameter, expected more than zero")]
    NotPositive {
        /// Which field.
        field: &'static str,
        /// Its number.
        token: String,
    },
    /// There is nothing to choose from.
    #[error("the range {min} to {max} of `{name}` is empty, expected min below max")]
    EmptyRange {
        /// The parameter.
        name: String,
        /// Its lower end.
        min: f64,
        /// Its upper end.
        max: f64,
    },
    /// The value lies elsewhere.
    #[error("the value {value} of `{name}` is out of range, expected {min} to {max}")]
    OutOfRange {
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
        /// The range's lower end.
        min: f64,
        /// The range's upper end.
        max: f64,
    },
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip_exactly() {
        for line in ["a, int, 5, -10, 10, 1.5, 0.002", "b b, float, 0.1, -1, 1, 0.05, 0.0005"] {
            assert_eq!(line.parse::<Parameter>().unwrap().to_string(), line);
        }
        let mut parameter: Parameter = "x,float,0.5,-1e3,1e3,0.05,2e-3".parse().unwrap();
        for _ in 0..1000 {
            parameter.shift(1.0 / 3.0 - 0.01 * parameter.value());
            assert_eq!(parameter.to_string().parse(), Ok(parameter.clone()));
        }
    }

    #[test]
    fn errors_name_the_token() {
        let cases = [
            ("a, int, 5, 0", "4 fields in `a, int, 5, 0`, expected name, int|float"),
            (", int, 5, 0, 10, 1, 1", "no name in `, int, 5"),
            ("a, bool, 5, 0, 10, 1, 1", "unknown kind `bool`"),
            ("a, int, five, 0, 10, 1, 1", "bad value `five`"),
            ("a, int, 5, NaN, 10, 1, 1", "bad min `NaN`"),
            ("a, int, 5, 0, inf, 1, 1", "bad max `inf`"),
            ("a, int, 5, 0.5, 10, 1, 1", "bad min `0.5` of an int parameter"),
            ("a, float, 5, 0, 10, 0, 1", "bad c_end `0`"),
            ("a, float, 5, 0, 10, 1, -2", "bad r_end `-2`"),
            ("a, float, 5, 10, 10, 1, 1", "the range 10 to 10 of `a` is empty"),
            ("a, float, 11, 0, 10, 1, 1", "the value 11 of `a` is out of range, expected 0 to 10"),
        ];
        for (line, expected) in cases {
            let error = line.parse::<Parameter>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn integers_are_rounded_up_as_often_as_their_fraction_says() {
        let parameter: Parameter = "a, int, 5, 0, 10, 1, 1".parse().unwrap();
        let noises = (0..100).map(|i| f64::from(i) / 100.0);
        let probes: Vec<f64> = noises.map(|noise| parameter.probe(0.3, noise)).collect();
        assert_eq!(probes.iter().filter(|&&probe| probe == 6.0).count(), 30);
        assert_eq!(probes.iter().filter(|&&probe| probe == 5.0).count(), 70);
        assert_eq!((parameter.probe(50.0, 0.9), parameter.probe(-50.0, 0.1)), (10.0, 0.0));
    }

    #[test]
    fn only_integers_have_a_smallest_step() {
        let int: Parameter = "a, int, 5, 0, 10, 0.1, 1".parse().unwrap();
        let float: Parameter = "a, float, 5, 0, 10, 0.1, 1".parse().unwrap();
        assert_eq!((int.step(1.0), float.step(1.0)), (0.5, 0.1));
        assert_eq!(int.step(10.0), 1.0);
    }

    #[test]
    fn the_final_value_of_an_integer_is_whole() {
        let int: Parameter = "a, int, 5.6, 0, 10, 1, 1".parse().unwrap();
        let float: Parameter = "a, float, 5.6, 0, 10, 1, 1".parse().unwrap();
        assert_eq!((int.final_value(), float.final_value()), (6.0, 5.6));
    }
}
