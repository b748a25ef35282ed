// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines that a person types: with editing and a history in a terminal, as they are elsewhere.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Context, Result};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// Where lines come from.
pub(super) enum Prompt {
    Terminal(Box<DefaultEditor>),
    Pipe,
}

impl Prompt {
    pub(super) fn new() -> Self {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let editor = is_terminal.then(|| DefaultEditor::new().ok()).flatten();
        editor.map_or(Self::Pipe, |editor| Self::Terminal(Box::new(editor)))
    }

    /// Asks for a line; `None` at the end of input.
    pub(super) fn ask(&mut self, text: &str) -> Result<Option<String>> {
        match self {
            Self::Pipe => {
                print!("{text}> ");
                io::stdout().flush().context("writing to the terminal")?;
                let mut line = String::new();
                let input = io::stdin().lock().read_line(&mut line);
                let is_end = input.context("reading what you type")? == 0;
                if is_end {
                    println!();
                }
                Ok((!is_end).then_some(line))
            }
            Self::Terminal(editor) => match editor.readline(&format!("{text}> ")) {
                Ok(line) => {
                    // A line that cannot be remembered can be typed again.
                    let _ = editor.add_history_entry(&line);
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(error).context("reading what you type"),
            },
        }
    }
}
