// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading the option lines of other engines.

use std::str::FromStr;

use super::{OptionKind, OptionSpec, OptionSpecError};
use crate::number;
use crate::token::{excerpt, first_line, split_around, split_word};

/// Reads a whole `option name … type …` line.
///
/// Names and choices may hold blanks, the arguments after the type may come in any order, and
/// `type filename` counts as a string. A check or a string without default gets `false` or the
/// empty text; a spin or a combo needs all its parts.
impl FromStr for OptionSpec {
    type Err = OptionSpecError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let expected = "`option name`";
        let mut rest = first_line(line);
        for keyword in ["option", "name"] {
            let (word, after) = split_word(rest);
            if word.is_empty() {
                return Err(OptionSpecError::Missing { option: String::new(), expected });
            }
            if word != keyword {
                let (option, token) = (String::new(), excerpt(word));
                return Err(OptionSpecError::Unexpected { option, token, expected });
            }
            rest = after;
        }
        let Some((name, rest)) = split_around(rest, |word| word == "type") else {
            let option = excerpt(rest);
            return Err(OptionSpecError::Missing { option, expected: "`type`" });
        };
        Self::new(name, parse_kind(name, rest)?)
    }
}

fn parse_kind(name: &str, rest: &str) -> Result<OptionKind, OptionSpecError> {
    let (kind, arguments) = split_word(rest);
    match kind {
        "check" => parse_check(name, arguments),
        "spin" => Ok(OptionKind::Spin {
            default: spin_number(name, arguments, "default", "a default")?,
            min: spin_number(name, arguments, "min", "a minimum")?,
            max: spin_number(name, arguments, "max", "a maximum")?,
        }),
        "combo" => parse_combo(name, arguments),
        "button" => Ok(OptionKind::Button),
        "string" | "filename" => {
            let default = after_keyword(arguments, "default").unwrap_or_default().to_owned();
            Ok(OptionKind::String { default })
        }
        other => {
            let expected = "`check`, `spin`, `combo`, `button` or `string`";
            Err(missing_or_unexpected(name, other, expected))
        }
    }
}

fn parse_check(name: &str, arguments: &str) -> Result<OptionKind, OptionSpecError> {
    match split_word(after_keyword(arguments, "default").unwrap_or("false")).0 {
        word if word.eq_ignore_ascii_case("true") => Ok(OptionKind::Check { default: true }),
        word if word.eq_ignore_ascii_case("false") => Ok(OptionKind::Check { default: false }),
        other => Err(missing_or_unexpected(name, other, "`default true` or `default false`")),
    }
}

fn parse_combo(name: &str, arguments: &str) -> Result<OptionKind, OptionSpecError> {
    let mut default = None;
    let mut vars = Vec::new();
    let mut rest = arguments;
    loop {
        let (keyword, after) = split_word(rest);
        let (text, _) = split_around(after, is_combo_keyword).unwrap_or((after, ""));
        match keyword {
            "" => break,
            "default" => default = Some(text.to_owned()),
            "var" => vars.push(text.to_owned()),
            other => return Err(missing_or_unexpected(name, other, "`default` or `var`")),
        }
        rest = after[text.len()..].trim_ascii_start();
    }
    let Some(default) = default else {
        return Err(missing_or_unexpected(name, "", "a default"));
    };
    Ok(OptionKind::Combo { default, vars })
}

fn is_combo_keyword(word: &str) -> bool {
    matches!(word, "default" | "var")
}

fn spin_number(
    name: &str,
    arguments: &str,
    keyword: &str,
    expected: &'static str,
) -> Result<i64, OptionSpecError> {
    let (token, _) = split_word(after_keyword(arguments, keyword).unwrap_or_default());
    match number::read(token, i64::MIN, i64::MAX) {
        Some(reading) if reading.is_exact => Ok(reading.value),
        _ => Err(missing_or_unexpected(name, token, expected)),
    }
}

fn after_keyword<'a>(arguments: &'a str, keyword: &str) -> Option<&'a str> {
    split_around(arguments, |word| word == keyword).map(|(_, after)| after)
}

fn missing_or_unexpected(name: &str, token: &str, expected: &'static str) -> OptionSpecError {
    let option = excerpt(name);
    if token.is_empty() {
        OptionSpecError::Missing { option, expected }
    } else {
        OptionSpecError::Unexpected { option, token: excerpt(token), expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_round_trips() {
        for line in [
            "option name Ponder type check default true",
            "option name Move Overhead type spin default -10 min -20 max 5000",
            "option name Style type combo default Semi Solid var Solid var Semi Solid",
            "option name Clear Hash type button",
            "option name Debug Log File type string default <empty>",
            "option name SyzygyPath type string default C:\\my  tables;D:\\x",
            "option name Odd type string default min 3 var default",
        ] {
            assert_eq!(line.parse::<OptionSpec>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn foreign_spellings_are_understood() {
        for (line, printed) in [
            (
                "option  name  Hash \t type spin min 1 max 9 default 4\r",
                "option name Hash type spin default 4 min 1 max 9",
            ),
            (
                "option name Book type filename default",
                "option name Book type string default <empty>",
            ),
            ("option name Book type string", "option name Book type string default <empty>"),
            ("option name P type check", "option name P type check default false"),
            ("option name P type check default TRUE", "option name P type check default true"),
            (
                "option name M type combo var a var b default b",
                "option name M type combo default b var a var b",
            ),
        ] {
            assert_eq!(line.parse::<OptionSpec>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn errors_name_option_token_and_expectation() {
        for (line, message) in [
            ("", "option ``: expected `option name`, found nothing"),
            ("option", "option ``: expected `option name`, found nothing"),
            ("option Hash", "option ``: expected `option name`, found `Hash`"),
            ("option name Hash", "option `Hash`: expected `type`, found nothing"),
            ("option name type spin", "option ``: expected a default, found nothing"),
            ("option name type button", "option ``: expected a name, found nothing"),
            (
                "option name Hash type",
                "option `Hash`: expected `check`, `spin`, `combo`, `button` or `string`, found nothing",
            ),
            (
                "option name Hash type slider",
                "option `Hash`: expected `check`, `spin`, `combo`, `button` or `string`, found `slider`",
            ),
            (
                "option name H type spin default 1 min 1",
                "option `H`: expected a maximum, found nothing",
            ),
            (
                "option name H type spin default 1.5 min 1 max 3",
                "option `H`: expected a default, found `1.5`",
            ),
            (
                "option name H type spin default 9 min 1 max 3",
                "option `H`: default 9 is not from 1 to 3",
            ),
            (
                "option name M type combo default c var a",
                "option `M`: default `c` is none of its choices",
            ),
            ("option name M type combo var a", "option `M`: expected a default, found nothing"),
            ("option name M type combo a", "option `M`: expected `default` or `var`, found `a`"),
            (
                "option name P type check default maybe",
                "option `P`: expected `default true` or `default false`, found `maybe`",
            ),
        ] {
            assert_eq!(line.parse::<OptionSpec>().unwrap_err().to_string(), message);
        }
    }
}
