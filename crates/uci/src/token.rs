// SPDX-License-Identifier: GPL-3.0-or-later
//! Cutting a protocol line into words.
//!
//! Blanks are ASCII white space, in any number. Words are not enough everywhere: an option's value
//! is the rest of the line with its inner blanks intact, so these helpers work on slices.

/// Longest piece of foreign text that is quoted in a message, in characters.
const EXCERPT_CHARS: usize = 40;

/// The first line of `text` that is not blank, without the blanks around it.
///
/// A byte-order mark is dropped: shells on Windows put one before the first piped line.
pub(crate) fn first_line(text: &str) -> &str {
    let text = text.trim_ascii();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_ascii();
    text.split(['\n', '\r']).next().unwrap_or_default().trim_ascii()
}

/// Splits off the first word; both parts come back without the blanks around them.
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

/// Splits around the first word that `is_keyword` accepts, if there is one.
pub(crate) fn split_around(text: &str, is_keyword: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    let text = text.trim_ascii();
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = split_word(rest);
        if is_keyword(word) {
            let start = text.len() - rest.len();
            return Some((text[..start].trim_ascii(), after));
        }
        rest = after;
    }
    None
}

/// Owned copies of all words.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

/// The words with exactly one blank between them.
pub(crate) fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// Foreign text made fit to be quoted: clipped, and without control characters that could break
/// the line or garble a terminal.
pub(crate) fn excerpt(text: &str) -> String {
    let clean = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut quoted: String = text.chars().take(EXCERPT_CHARS).map(clean).collect();
    if text.chars().nth(EXCERPT_CHARS).is_some() {
        quoted.push_str("...");
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_line_drops_blanks_marks_and_what_follows() {
        assert_eq!(first_line("\u{feff} uci \r\nisready"), "uci");
        assert_eq!(first_line("\r\n\t go depth 3 \t\r\n"), "go depth 3");
        assert_eq!(first_line(" \t\r\n"), "");
    }

    #[test]
    fn split_word_takes_any_blanks() {
        assert_eq!(split_word("\t a \t b  c "), ("a", "b  c"));
        assert_eq!(split_word("a"), ("a", ""));
        assert_eq!(split_word("  "), ("", ""));
    }

    #[test]
    fn split_around_wants_the_whole_word() {
        let at_value = |text| split_around(text, |word| word == "value");
        assert_eq!(at_value("Clear Hash"), None);
        assert_eq!(at_value("my values  value \t x  y "), Some(("my values", "x  y")));
        assert_eq!(at_value(" value "), Some(("", "")));
    }

    #[test]
    fn excerpt_is_one_short_line_and_stable() {
        assert_eq!(excerpt("a\nb\u{7}"), "a\u{fffd}b\u{fffd}");
        let long = excerpt(&"é".repeat(100));
        assert_eq!(long.chars().count(), EXCERPT_CHARS + 3);
        assert_eq!(excerpt(&long), long);
    }
}
