// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading TOML key by key, so that one mistake does not hide the next.
//!
//! A reader that stops at the first error makes people run it again and again. Here every key is
//! asked for with its range and its default: whatever is wrong is noted with its line, the default
//! takes its place, and reading goes on. Keys that nobody asked for are mistakes too.

use std::cell::RefCell;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use tools::suggest::nearest;

use super::mistake::{Mistake, Mistakes};
use crate::words::Word;

pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// A text, and what was found wrong with it so far.
#[derive(Debug)]
pub(super) struct ConfigReader<'t> {
    text: &'t str,
    /// Where relative paths begin.
    folder: &'t Path,
    mistakes: RefCell<Vec<Mistake>>,
}

impl<'t> ConfigReader<'t> {
    pub(super) fn new(text: &'t str, folder: &'t Path) -> Self {
        Self { text, folder, mistakes: RefCell::default() }
    }

    /// The table of the whole text, as far as it is TOML.
    pub(super) fn parse(&self) -> Spanned<DeTable<'t>> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            // Only the sentence: the library's full text quotes the line, which may hold a token.
            let message = format!("not TOML: {}", error.message().replace('\n', ", "));
            self.note(error.span().unwrap_or(0..0), "", message, None);
        }
        table
    }

    pub(super) fn root<'a>(&'a self, table: &'a Spanned<DeTable<'t>>) -> Section<'a, 't> {
        Section {
            reader: self,
            path: String::new(),
            span: table.span(),
            table: Some(table.get_ref()),
            known: RefCell::default(),
        }
    }

    /// Nothing, if there was no mistake.
    pub(super) fn finish(self) -> Result<(), Mistakes> {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.line);
        mistakes.dedup();
        if mistakes.is_empty() { Ok(()) } else { Err(Mistakes(mistakes)) }
    }

    fn note(&self, at: Range<usize>, key: &str, message: impl Display, hint: Option<String>) {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        let (key, message) = (key.to_owned(), message.to_string());
        self.mistakes.borrow_mut().push(Mistake { line, key, message, hint });
    }
}

/// A table of the text; empty if it is not there.
#[derive(Debug)]
pub(super) struct Section<'a, 't> {
    reader: &'a ConfigReader<'t>,
    path: String,
    span: Range<usize>,
    table: Option<&'a DeTable<'t>>,
    known: RefCell<Vec<&'static str>>,
}

impl<'a, 't> Section<'a, 't> {
    /// The value of a key, if it is there.
    pub(super) fn value(&self, key: &'static str) -> Option<&'a Value<'t>> {
        self.known.borrow_mut().push(key);
        self.table?.get(key)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.table.is_some_and(|table| table.contains_key(key))
    }

    /// Notes what is wrong with a value.
    pub(super) fn wrong(&self, key: &str, value: &Value<'t>, message: impl Display) {
        self.reader.note(value.span(), &self.key(key), message, None);
    }

    pub(super) fn wrong_hint(
        &self,
        key: &str,
        value: &Value<'t>,
        message: impl Display,
        hint: String,
    ) {
        self.reader.note(value.span(), &self.key(key), message, Some(hint));
    }

    /// Notes what is wrong with the section as a whole, or with a key that has no value.
    pub(super) fn wrong_section(&self, key: &str, message: impl Display) {
        let span =
            self.table.and_then(|table| table.get(key)).map_or(self.span.clone(), Spanned::span);
        self.reader.note(span, &self.key(key), message, None);
    }

    fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn mismatch(&self, key: &str, value: &Value<'t>, expected: impl Display) {
        self.wrong(key, value, format!("expected {expected}, found {}", found(value)));
    }

    pub(super) fn flag(&self, key: &'static str, default: bool) -> bool {
        let Some(value) = self.value(key) else { return default };
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.mismatch(key, value, "true or false");
            default
        })
    }

    pub(super) fn number(
        &self,
        key: &'static str,
        range: RangeInclusive<i64>,
        default: i64,
    ) -> i64 {
        self.maybe_number(key, range).unwrap_or(default)
    }

    pub(super) fn maybe_number(
        &self,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<i64> {
        let value = self.value(key)?;
        let number = value.get_ref().as_integer().and_then(integer);
        if number.is_none_or(|number| !range.contains(&number)) {
            let (least, most) = range.into_inner();
            self.mismatch(key, value, format_args!("a whole number from {least} to {most}"));
            return None;
        }
        number
    }

    pub(super) fn text(&self, key: &'static str) -> Option<String> {
        let value = self.value(key)?;
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.mismatch(key, value, "a text in quotation marks");
        }
        text
    }

    /// A path, from the folder of the configuration.
    pub(super) fn path(&self, key: &'static str) -> Option<PathBuf> {
        let text = self.text(key).filter(|text| !text.is_empty())?;
        Some(self.reader.folder.join(text))
    }

    pub(super) fn folder(&self) -> &'t Path {
        self.reader.folder
    }

    pub(super) fn texts(&self, key: &'static str) -> Vec<String> {
        let texts = self.list(key).into_iter().filter_map(|item| {
            let text = item.get_ref().as_str().map(str::to_owned);
            if text.is_none() {
                self.mismatch(key, item, "a list of texts in quotation marks");
            }
            text
        });
        texts.collect()
    }

    /// The items of a list; none if the key is not there or holds something else.
    pub(super) fn list(&self, key: &'static str) -> Vec<&'a Value<'t>> {
        let Some(value) = self.value(key) else { return vec![] };
        let Some(items) = value.get_ref().as_array() else {
            self.mismatch(key, value, "a list in square brackets");
            return vec![];
        };
        items.iter().collect()
    }

    pub(super) fn word<W: Word>(&self, key: &'static str, default: W) -> W {
        self.maybe_word(key).unwrap_or(default)
    }

    pub(super) fn maybe_word<W: Word>(&self, key: &'static str) -> Option<W> {
        let value = self.value(key)?;
        self.read_word(key, value)
    }

    pub(super) fn words<W: Word>(&self, key: &'static str, default: &[W]) -> Vec<W> {
        self.maybe_words(key).unwrap_or_else(|| default.to_vec())
    }

    pub(super) fn maybe_words<W: Word>(&self, key: &'static str) -> Option<Vec<W>> {
        if !self.has(key) {
            self.known.borrow_mut().push(key);
            return None;
        }
        let items = self.list(key);
        Some(items.into_iter().filter_map(|item| self.read_word(key, item)).collect())
    }

    fn read_word<W: Word>(&self, key: &str, value: &Value<'t>) -> Option<W> {
        let word = value.get_ref().as_str().and_then(W::of);
        if word.is_none() {
            let names: Vec<_> = W::ALL.iter().map(|word| word.name()).collect();
            let message =
                format!("expected a {} of {}, found {}", W::WHAT, names.join(", "), found(value));
            let meant = value.get_ref().as_str().and_then(|text| nearest(text, names));
            match meant {
                Some(meant) => {
                    self.wrong_hint(key, value, message, format!("did you mean `{meant}`?"));
                }
                None => self.wrong(key, value, message),
            }
        }
        word
    }

    pub(super) fn section(&self, key: &'static str) -> Self {
        let value = self.value(key);
        let table = value.and_then(|value| {
            let table = value.get_ref().as_table();
            if table.is_none() {
                self.mismatch(key, value, format_args!("a section `[{}]`", self.key(key)));
            }
            table
        });
        let span = value.map_or(0..0, Spanned::span);
        let (reader, path) = (self.reader, self.key(key));
        Self { reader, path, span, table, known: RefCell::default() }
    }

    /// The tables of an array such as `[[engine.when]]`.
    pub(super) fn sections(&self, key: &'static str) -> Vec<Self> {
        let tables = self.list(key).into_iter().filter_map(|item| {
            let table = item.get_ref().as_table();
            if table.is_none() {
                self.mismatch(key, item, format_args!("sections `[[{}]]`", self.key(key)));
            }
            let (reader, path, span) = (self.reader, self.key(key), item.span());
            table.map(|table| Self {
                reader,
                path,
                span,
                table: Some(table),
                known: RefCell::default(),
            })
        });
        tables.collect()
    }

    /// All keys and values, for tables whose keys are not ours.
    pub(super) fn entries(&self) -> Vec<(String, &'a Value<'t>)> {
        let entries = self.table.into_iter().flat_map(|table| table.iter());
        entries.map(|(key, value)| (key.get_ref().to_string(), value)).collect()
    }

    /// Notes the keys that nobody asked for.
    pub(super) fn finish(self) {
        let known = self.known.borrow();
        for key in self.table.into_iter().flat_map(|table| table.keys()) {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let hint = match nearest(name, known.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("the keys here are {}", known.join(", ")),
                };
                self.reader.note(key.span(), &self.key(name), "unknown key", Some(hint));
            }
        }
    }
}

/// A whole number, in whatever base it is written.
pub(super) fn integer(number: &toml::de::DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok()
}

/// A value as a message quotes it, unless it may be a secret.
pub(super) fn found(value: &Value<'_>) -> String {
    const LONGEST: usize = 60;
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => return "a date".to_owned(),
        DeValue::Array(_) => return "a list".to_owned(),
        DeValue::Table(_) => return "a section".to_owned(),
    };
    if crate::token::looks_secret(&text) {
        return "what looks like a token".to_owned();
    }
    format!("`{}`", text.chars().take(LONGEST).collect::<String>())
}
