// SPDX-License-Identifier: GPL-3.0-or-later
//! Tags: `[Name "value"]`.

use std::io::Read;

use super::scanner::{Scanner, decode};
use crate::notation::excerpt;

/// Reads a tag whose `[` is next, or the text that is not one.
///
/// Forgiven are a missing `]`, quotation marks inside the value that are not escaped, and a backslash
/// before the last one.
pub(super) fn read_tag<R: Read>(scanner: &mut Scanner<R>) -> Result<(String, String), String> {
    scanner.bump();
    skip_blanks(scanner);
    let mut name = Vec::new();
    while let Some(byte) =
        scanner.peek().filter(|&byte| byte > b' ' && !matches!(byte, b'"' | b']'))
    {
        push(&mut name, byte);
        scanner.bump();
    }
    skip_blanks(scanner);
    if scanner.peek() != Some(b'"') {
        skip_to_line_end(scanner);
        return Err(excerpt(&format!("[{}", decode(&name))));
    }
    scanner.bump();
    let value = read_value(scanner);
    if name.is_empty() {
        Err(excerpt(&format!("[ \"{value}\"]")))
    } else {
        Ok((decode(&name), value))
    }
}

/// Longer names and values are cut.
const MAX_LEN: usize = 1 << 16;

fn push(bytes: &mut Vec<u8>, byte: u8) {
    if bytes.len() < MAX_LEN {
        bytes.push(byte);
    }
}

fn read_value<R: Read>(scanner: &mut Scanner<R>) -> String {
    let mut value = Vec::new();
    while let Some(byte) = scanner.peek().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        let escaped =
            scanner.peek_at(1).filter(|next| byte == b'\\' && matches!(next, b'"' | b'\\'));
        if let Some(next) = escaped
            && !(next == b'"' && closes_at(scanner, 1))
        {
            push(&mut value, next);
            scanner.skip(2);
        } else if byte == b'"' && (closes_at(scanner, 0) || ends_line_at(scanner, 1)) {
            scanner.bump();
            skip_blanks(scanner);
            if scanner.peek() == Some(b']') {
                scanner.bump();
            }
            break;
        } else {
            push(&mut value, byte);
            scanner.bump();
        }
    }
    decode(&value)
}

/// Whether the quotation mark so far ahead is followed by `]`; after a backslash, which may escape
/// it, the line must end there too.
fn closes_at<R: Read>(scanner: &mut Scanner<R>, ahead: usize) -> bool {
    let bracket = ahead + 1 + count_blanks(scanner, ahead + 1);
    scanner.peek_at(bracket) == Some(b']') && (ahead == 0 || ends_line_at(scanner, bracket + 1))
}

fn ends_line_at<R: Read>(scanner: &mut Scanner<R>, ahead: usize) -> bool {
    let end = ahead + count_blanks(scanner, ahead);
    matches!(scanner.peek_at(end), None | Some(b'\n' | b'\r'))
}

/// How many blanks there are so far ahead, up to a few.
fn count_blanks<R: Read>(scanner: &mut Scanner<R>, ahead: usize) -> usize {
    let is_blank = |count: &usize| matches!(scanner.peek_at(ahead + count), Some(b' ' | b'\t'));
    (0..16).take_while(is_blank).count()
}

fn skip_blanks<R: Read>(scanner: &mut Scanner<R>) {
    while matches!(scanner.peek(), Some(b' ' | b'\t')) {
        scanner.bump();
    }
}

fn skip_to_line_end<R: Read>(scanner: &mut Scanner<R>) {
    while scanner.peek().is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
        scanner.bump();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, String), String> {
        let mut scanner = Scanner::new(text.as_bytes());
        assert_eq!(scanner.peek(), Some(b'['));
        read_tag(&mut scanner)
    }

    #[test]
    fn values_with_quotes_and_brackets() {
        for (text, value) in [
            (r#"[Event "a"]"#, "a"),
            (r#"[Event ""]"#, ""),
            (r#"  [Event  "a" ] "#.trim_start(), "a"),
            (r#"[Event "a \"quoted\" event \\ end"]"#, r#"a "quoted" event \ end"#),
            (r#"[Event "said \"hi\""]"#, r#"said "hi""#),
            (r#"[Event "Tournament \"]"#, r"Tournament \"),
            (r#"[Event "C:\\"]"#, r"C:\"),
            (r#"[Event "John "The King""]"#, r#"John "The King""#),
            (r#"[Event "closing ] opening [x]"]"#, "closing ] opening [x]"),
            ("[Event \"x\"\n[Site \"?\"]", "x"),
            ("[Event \"x\n[Site \"?\"]", "x"),
            ("[Event \"x", "x"),
        ] {
            assert_eq!(read(text), Ok(("Event".to_owned(), value.to_owned())), "{text}");
        }
    }

    #[test]
    fn text_without_name_or_value_is_no_tag() {
        assert_eq!(read("[ \"x\"]"), Err("[ \"x\"]".to_owned()));
        assert_eq!(read("[Event]"), Err("[Event".to_owned()));
        assert_eq!(read("["), Err("[".to_owned()));
    }
}
