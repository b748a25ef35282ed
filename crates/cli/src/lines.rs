// SPDX-License-Identifier: GPL-3.0-or-later
//! UCI lines as arguments of the program: `quincunx "go depth 5"`, and `quincunx go depth 5` too.

use anyhow::Result;
use common::suggest::nearest;
use engine::{Output, Reply, UciSession};

/// For `--help`.
pub(crate) const HELP: &str = "\
UCI lines may be given as arguments and are run in order, each search to its end:
  quincunx go depth 8
  quincunx \"position startpos moves e2e4\" \"go depth 8\" hashstats";

/// The arguments are no lines that the engine understands.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(String);

/// Whether an argument is a line for the engine rather than a sub-command: it holds a blank, or is a
/// word that the engine understands.
pub(crate) fn is_line(argument: &str, program: &clap::Command) -> bool {
    let is_command = program.find_subcommand(argument).is_some() || argument == "help";
    argument.contains(char::is_whitespace)
        || !is_command && !argument.starts_with('-') && UciSession::understands(argument)
}

/// Runs arguments as UCI lines, each search to its end. What the engine refuses is a failure.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let lines = lines(arguments);
    for line in &lines {
        check(line)?;
    }
    let output = Output::to_stdout();
    let mut session = UciSession::new(output.clone());
    for line in &lines {
        if session.run_line(line) == Reply::Quit {
            break;
        }
        session.wait();
    }
    if let Some(error) = output.take_error() {
        return Err(anyhow::Error::from(error).context("writing to standard output"));
    }
    anyhow::ensure!(!output.has_refused(), "the engine refused a line: see above");
    Ok(())
}

/// The lines that arguments stand for. Words without quotes are one line, unless each of them is a
/// line: `go depth 5` and `uci isready quit`.
fn lines(arguments: &[String]) -> Vec<String> {
    let are_words = !arguments.iter().any(|argument| argument.contains(char::is_whitespace));
    let are_lines = arguments.iter().all(|argument| UciSession::understands(argument));
    if are_words && !are_lines { vec![arguments.join(" ")] } else { arguments.to_vec() }
}

/// Refuses a line that begins with no command.
fn check(line: &str) -> Result<(), UsageError> {
    if UciSession::understands(line) {
        return Ok(());
    }
    let word = line.split_whitespace().next().unwrap_or_default();
    let hint = nearest(word, UciSession::words()).map_or_else(
        || "`quincunx help` shows what there is".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    Err(UsageError(format!("`{word}` is no command of the engine: {hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(arguments: &[&str]) -> Vec<String> {
        lines(&arguments.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn words_without_quotes_are_one_line() {
        assert_eq!(lines_of(&["go", "depth", "4"]), ["go depth 4"]);
        assert_eq!(lines_of(&["position", "startpos"]), ["position startpos"]);
        assert_eq!(lines_of(&["uci", "isready", "quit"]), ["uci", "isready", "quit"]);
        assert_eq!(lines_of(&["go depth 4", "d"]), ["go depth 4", "d"]);
    }

    #[test]
    fn misspelt_words_are_refused_with_a_hint() {
        let error = check("posision startpos").unwrap_err().to_string();
        assert!(error.contains("`posision`") && error.contains("`position`"), "{error}");
    }
}
