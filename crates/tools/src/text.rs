// SPDX-License-Identifier: GPL-3.0-or-later
//! Texts of strangers: names of engines and players, chat, file names, what an engine prints.
//!
//! They must not move a terminal's cursor, end a page's element, leave a folder or turn the direction of
//! writing. Every text from outside goes through one of these on its way to a terminal, a page or a path.

use std::fmt::Display;

/// The longest file name that is made of a text.
const MAX_NAME: usize = 100;

/// Whether a character shows itself and nothing else: no control character, no mark that turns the
/// direction of writing, nothing invisible.
pub const fn is_printable(letter: char) -> bool {
    !matches!(letter,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text for one line of a terminal, a log or a tag of PGN: what is not printable becomes `?`.
///
/// ```
/// use tools::text::printable;
///
/// assert_eq!(printable("\x1b[2J\u{202e}evil\n"), "?[2J?evil?");
/// ```
pub fn printable(text: impl Display) -> String {
    text.to_string().chars().map(|letter| if is_printable(letter) { letter } else { '?' }).collect()
}

/// The same for several lines: line breaks stay.
pub fn printable_lines(text: impl Display) -> String {
    let keep = |letter| if letter == '\n' || is_printable(letter) { letter } else { '?' };
    text.to_string().chars().map(keep).collect()
}

/// A text for HTML or SVG, inside elements as well as inside attributes.
///
/// ```
/// use tools::text::html;
///
/// assert_eq!(html("<script>\"&'"), "&lt;script&gt;&quot;&amp;&#39;");
/// ```
pub fn html(text: impl Display) -> String {
    let mut html = String::new();
    for letter in text.to_string().chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\n' | '\t' => html.push(letter),
            letter if is_printable(letter) => html.push(letter),
            _ => html.push('?'),
        }
    }
    html
}

/// A text as the name of one file: letters, digits and `-`, `_`, `.`, `+`, but no `.` in front. The same
/// text gives the same name, but two texts may give the same one.
///
/// ```
/// use tools::text::file_name;
///
/// assert_eq!(file_name("../../etc/passwd"), "_._.._etc_passwd");
/// assert_eq!(file_name("Stockfish 17"), "Stockfish_17");
/// ```
pub fn file_name(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
    let plain = text.chars().map(|letter| if is_plain(letter) { letter } else { '_' });
    let mut name: String = plain.take(MAX_NAME).collect();
    if name.is_empty() || name.starts_with(['.', '-']) {
        let rest = name.get(1..).unwrap_or_default();
        name = format!("_{rest}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What strangers have tried elsewhere.
    const HOSTILE: [&str; 9] = [
        "\x1b]0;title\x07",
        "\x1b[31mred\x1b[0m",
        "a\r\nbestmove e2e4",
        "\u{202e}gnp.exe",
        "\u{200b}\u{feff}",
        "<script>alert(1)</script>",
        "\" onload=\"x",
        "../../etc/passwd",
        "\u{9b}2J",
    ];

    #[test]
    fn nothing_reaches_a_terminal_but_what_shows_itself() {
        for text in HOSTILE {
            let shown = printable(text);
            assert!(shown.chars().all(is_printable), "{shown:?}");
            assert_eq!(shown.chars().count(), text.chars().count());
        }
        assert_eq!(printable("Müller–Схинка 象棋 ♞ é"), "Müller–Схинка 象棋 ♞ é");
        assert_eq!(printable_lines("a\nb\x1b"), "a\nb?");
    }

    #[test]
    fn nothing_ends_an_element_or_an_attribute() {
        for text in HOSTILE {
            let shown = html(text);
            assert!(!shown.contains(['<', '>', '"', '\'', '\x1b', '\u{202e}']), "{shown:?}");
        }
    }

    #[test]
    fn names_stay_in_their_folder() {
        for text in HOSTILE.into_iter().chain(["", ".", "..", "/", "C:\\x", "-rf", "~/x", "a/../b"])
        {
            let name = file_name(text);
            let path = std::path::Path::new(&name);
            assert_eq!(path.components().count(), 1, "{name:?}");
            assert!(matches!(path.components().next(), Some(std::path::Component::Normal(_))));
            assert!(!name.contains(['\\', ':', '~']) && !name.starts_with('-'), "{name:?}");
        }
        assert_eq!(file_name(&"x".repeat(1000)).len(), MAX_NAME);
    }
}
