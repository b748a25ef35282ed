// SPDX-License-Identifier: GPL-3.0-or-later
//! The operations of an EPD as text.

use std::fmt;

use super::EpdError;

/// One thing said about a position: a name and its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    opcode: String,
    operands: Vec<Operand>,
}

impl Operation {
    /// An operation. What its text cannot hold is left out: blanks and semicolons in the name, and
    /// quotation marks in an operand.
    pub fn new(opcode: &str, operands: Vec<Operand>) -> Self {
        let is_fit = |c: &char| !c.is_whitespace() && !matches!(c, ';' | '"');
        Self { opcode: opcode.chars().filter(is_fit).collect(), operands }
    }

    /// The name.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// The operands.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// The operands as one text.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.operands.iter().map(|operand| operand.text.as_str()).collect();
        texts.join(" ")
    }

    /// The operand as a number.
    pub fn number(&self) -> Result<i64, EpdError> {
        self.text().parse().map_err(|_| self.bad_number())
    }

    /// Whether a reader could take the name for a field of the position before it.
    pub(super) fn looks_like_clock(&self) -> bool {
        self.opcode.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+'))
    }

    pub(super) fn bad_number(&self) -> EpdError {
        let found = self.text().chars().take(80).collect();
        EpdError::Number { opcode: self.opcode.clone(), found }
    }
}

/// A word, or a text in quotation marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    text: String,
    is_quoted: bool,
}

impl Operand {
    /// An operand, in quotation marks if its text needs them. Quotation marks and line breaks in the
    /// text itself become `'` and blanks.
    pub fn new(text: &str) -> Self {
        let text = text.replace('"', "'").replace(['\n', '\r'], " ");
        let is_quoted = text.is_empty() || text.contains(|c: char| c.is_whitespace() || c == ';');
        Self { text, is_quoted }
    }

    /// The text, without quotation marks.
    pub fn text(&self) -> &str {
        &self.text
    }
}

pub(super) fn read_operations(text: &str) -> Vec<Operation> {
    // Some suites have a fifth dash between position and operations.
    let mut rest = text.trim_start();
    if let Some(after) = rest.strip_prefix('-')
        && !after.starts_with(|c: char| !c.is_whitespace() && c != ';')
    {
        rest = after;
    }
    let mut operations = Vec::new();
    while !rest.is_empty() {
        let operands;
        (operands, rest) = read_operands(rest);
        let mut operands = operands.into_iter();
        if let Some(opcode) = operands.next() {
            operations.push(Operation::new(&opcode.text, operands.collect()));
        }
    }
    operations.retain(|operation| !operation.opcode.is_empty());
    operations
}

/// Reads words and quoted texts up to the next semicolon. Returns what follows it.
fn read_operands(text: &str) -> (Vec<Operand>, &str) {
    let mut operands = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(';') {
            return (operands, after);
        }
        let operand;
        (operand, rest) = read_operand(rest);
        operands.push(operand);
        rest = rest.trim_start();
    }
    (operands, rest)
}

fn read_operand(text: &str) -> (Operand, &str) {
    if let Some(quoted) = text.strip_prefix('"') {
        // A quotation that is never closed ends with the line.
        let to_line_end = || (quoted.trim_end().trim_end_matches(';'), "");
        let (inside, after) = quoted.split_once('"').unwrap_or_else(to_line_end);
        return (Operand { text: inside.to_owned(), is_quoted: true }, after);
    }
    let end = text.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(text.len());
    (Operand { text: text[..end].replace('"', "'"), is_quoted: false }, &text[end..])
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for Operand { text, is_quoted } in &self.operands {
            if *is_quoted { write!(f, " \"{text}\"")? } else { write!(f, " {text}")? }
        }
        f.write_str(";")
    }
}
