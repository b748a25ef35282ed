// SPDX-License-Identifier: GPL-3.0-or-later
//! docs/reference/commands.md lists every command and option. To write it anew: `make reference`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use clap::{Arg, ArgAction, Command, CommandFactory};

use crate::Cli;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/commands.md");

const HEAD: &str = "\
# Commands

This page is generated from the declarations of the commands: see `crates/cli/src/reference.rs`. `quincunx COMMAND --help`
prints the same.

Without a command, `quincunx` speaks UCI on standard input and output. With quoted UCI lines as arguments it runs them in
order and exits: `quincunx \"position startpos\" \"go depth 8\"`.

Every command keeps these rules:

- `--json` prints one JSON document, or one object per line for a stream, and nothing else on standard output
  ([the keys](json.md)). Progress, logs and warnings go to standard error.
- The exit code is 0 for success, 1 for failure and 2 for wrong usage.
- A FEN may be `startpos`, an X-FEN, a Shredder-FEN or a FEN of four fields.
- Files ending in `.zst` or `.xz` are unpacked; `-` is standard input or output.
";

#[test]
#[cfg(feature = "lichess")]
fn the_page_of_all_commands_is_up_to_date() {
    let page = page();
    if env::var_os("WRITE_DOCS").is_some() {
        fs::create_dir_all(Path::new(PAGE).parent().unwrap()).unwrap();
        fs::write(PAGE, &page).unwrap();
    }
    let found = fs::read_to_string(PAGE).unwrap_or_default();
    assert!(found == page, "{PAGE} is out of date: write it again by `make reference`");
}

fn page() -> String {
    let mut root = Cli::command();
    root.build();
    let mut page = HEAD.to_owned();
    let commands: Vec<&Command> = root.get_subcommands().filter(|it| it.get_name() != "help").collect();
    page.push_str("\n| command | what it does |\n|---|---|\n");
    for command in &commands {
        let (name, about) = (command.get_name(), first_sentence(&about(command)));
        let _ = writeln!(page, "| [`{name}`](#{}) | {about} |", anchor(command));
    }
    for command in commands {
        write_command(&mut page, command);
    }
    page
}

/// A command and those below it, each with a heading of its own.
fn write_command(page: &mut String, command: &Command) {
    let name = full_name(command);
    let aliases: Vec<_> = command.get_all_aliases().collect();
    let also = if aliases.is_empty() { String::new() } else { format!("\n\nAlso: `{}`.", aliases.join("`, `")) };
    let _ = writeln!(page, "\n## {name}\n\n{}{also}", about(command));
    let usage = command.clone().render_usage().to_string();
    let _ = writeln!(page, "\n```text\n{}\n```", usage.trim_start_matches("Usage: ").trim());
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str()))
        .collect();
    if !arguments.is_empty() {
        page.push_str("\n| argument | meaning |\n|---|---|\n");
        for argument in arguments {
            let _ = writeln!(page, "| {} | {} |", written(argument), meaning(argument));
        }
    }
    if let Some(more) = command.get_after_long_help().or_else(|| command.get_after_help()) {
        let _ = writeln!(page, "\n```text\n{}\n```", more.to_string().trim());
    }
    for command in command.get_subcommands().filter(|it| it.get_name() != "help") {
        write_command(page, command);
    }
}

/// `quincunx net info`.
fn full_name(command: &Command) -> String {
    command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn anchor(command: &Command) -> String {
    full_name(command).replace(' ', "-")
}

/// How an argument is typed: `` `--nodes <N>` ``.
fn written(argument: &Arg) -> String {
    let values: Vec<String> =
        argument.get_value_names().unwrap_or_default().iter().map(|name| format!("<{name}>")).collect();
    let takes_value = matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
    let value = if takes_value { values.join(" ") } else { String::new() };
    let many = argument.get_num_args().is_some_and(|range| range.max_values() > 1 && values.len() < 2);
    let dots = if many && takes_value { "…" } else { "" };
    match (argument.get_short(), argument.get_long()) {
        (Some(short), Some(long)) => format!("`-{short}`, `{}`", format!("--{long} {value}{dots}").trim()),
        (None, Some(long)) => format!("`{}`", format!("--{long} {value}{dots}").trim()),
        (Some(short), None) => format!("`{}`", format!("-{short} {value}{dots}").trim()),
        (None, None) => format!("`{value}{dots}`"),
    }
}

/// The help of an argument with its values and its default.
fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let mut text = one_line(&help.map(ToString::to_string).unwrap_or_default());
    let values: Vec<_> = argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let is_switch = !matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
    if !values.is_empty() && !is_switch && !argument.is_hide_possible_values_set() {
        let _ = write!(text, " One of `{}`.", values.join("`, `"));
    }
    // The machine that writes the page must not show in it.
    let is_of_machine = ["threads", "concurrency"].contains(&argument.get_id().as_str());
    if !argument.get_default_values().is_empty() && !is_switch && !argument.is_hide_default_value_set() && !is_of_machine {
        let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        let _ = write!(text, " Default: `{}`.", defaults.join(" "));
    }
    text
}

fn about(command: &Command) -> String {
    let about = command.get_long_about().or_else(|| command.get_about());
    about.map(ToString::to_string).unwrap_or_default().trim().to_owned()
}

fn first_sentence(text: &str) -> String {
    let line = one_line(text);
    line.split_once(". ").map_or(line.clone(), |(first, _)| first.to_owned()).trim_end_matches('.').to_owned()
}

/// A text as a cell of a table.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    if line.is_empty() || line.ends_with(['.', '?', '!']) { line } else { line + "." }
}
