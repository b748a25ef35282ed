// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx book`: asks Polyglot books and makes them from games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chess::Board;
use chess::pgn::PgnReader;
use chess::polyglot::{Book as Polyglot, BookMaker, Found};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::{FenArg, print_json};
use crate::{input, output};

/// Ask a Polyglot opening book, or make one from games.
#[derive(Args, Debug)]
pub(crate) struct BookCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Probe(Probe),
    Make(Make),
}

impl BookCommand {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.action {
            Action::Probe(probe) => probe.run(),
            Action::Make(make) => make.run(),
        }
    }
}

/// Show the moves that a book has for a position.
#[derive(Args, Debug)]
struct Probe {
    /// The book
    file: PathBuf,
    /// The position: a FEN, or `startpos`
    #[arg(default_value = "startpos")]
    fen: FenArg,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    fen: String,
    key: String,
    moves: Vec<AnswerMove>,
    errors: Vec<String>,
}

#[derive(Serialize)]
struct AnswerMove {
    #[serde(rename = "move")]
    uci: String,
    san: String,
    weight: u16,
    /// The probability of being played.
    share: f64,
    learn: u32,
}

impl Answer {
    fn new(board: &Board, found: &Found) -> Self {
        let total: f64 = found.moves.iter().map(|entry| f64::from(entry.weight)).sum();
        let moves = found.moves.iter().map(|entry| AnswerMove {
            uci: entry.uci(board),
            san: board.san(entry.mv).to_string(),
            weight: entry.weight,
            share: if total > 0.0 { f64::from(entry.weight) / total } else { 0.0 },
            learn: entry.learn,
        });
        Self {
            fen: board.fen().to_string(),
            key: format!("{:016x}", board.polyglot_key()),
            moves: moves.collect(),
            errors: found.errors.iter().map(ToString::to_string).collect(),
        }
    }
}

impl Probe {
    fn run(&self) -> Result<()> {
        let name = self.file.display();
        let reading = || format!("reading book `{name}`");
        let book = Polyglot::read(input::open(&self.file)?).with_context(reading)?;
        let answer = Answer::new(&self.fen.0, &book.find(&self.fen.0));
        for error in &answer.errors {
            eprintln!("warning: an entry of `{name}` is left out: {error}");
        }
        if self.json {
            return print_json(&answer);
        }
        let mut out = io::stdout().lock();
        if answer.moves.is_empty() {
            writeln!(out, "No move for this position.")?;
        }
        for AnswerMove { uci, san, weight, share, learn } in &answer.moves {
            let percent = 100.0 * share;
            writeln!(out, "{san:<8} {uci:<6} weight {weight:>5} {percent:>5.1} %  learn {learn}")?;
        }
        Ok(())
    }
}

/// Make a book from the moves of games. A win is worth two points to the winner's moves, a draw one.
#[derive(Args, Debug)]
struct Make {
    /// The book to write; compressed if it ends in .zst, `-` is standard output
    out: PathBuf,
    /// The games
    #[arg(required = true)]
    pgn: Vec<PathBuf>,
    /// Take so many plies of each game
    #[arg(long, value_name = "N", default_value = "40", value_parser = clap::value_parser!(u32).range(1..))]
    max_ply: u32,
    /// Take moves that were played in so many games
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Made {
    out: PathBuf,
    games: usize,
    positions: usize,
    entries: usize,
    errors: usize,
}

/// More warnings are only counted.
const MAX_WARNINGS: usize = 10;

impl Make {
    fn run(&self) -> Result<()> {
        let mut maker = BookMaker::new(self.max_ply as usize, self.min_games);
        let mut errors = 0;
        for path in &self.pgn {
            add_games(path, &mut maker, &mut errors)?;
        }
        if errors > MAX_WARNINGS {
            eprintln!("warning: {} more", errors - MAX_WARNINGS);
        }
        let games = maker.games();
        let book = maker.finish();
        ensure!(!book.is_empty(), "no move for a book in {games} games");
        let mut bytes = Vec::new();
        book.write(&mut bytes)?;
        output::write(&self.out, &bytes)?;
        let made = Made {
            out: self.out.clone(),
            games,
            positions: book.positions(),
            entries: book.len(),
            errors,
        };
        if self.json && self.out != Path::new("-") {
            return print_json(&made);
        }
        let Made { positions, entries, .. } = made;
        eprintln!("{games} games: {entries} moves in {positions} positions");
        Ok(())
    }
}

fn add_games(path: &Path, maker: &mut BookMaker, errors: &mut usize) -> Result<()> {
    let name = path.display();
    for game in PgnReader::mainline(input::open(path)?) {
        let game = game.with_context(|| format!("reading games `{name}`"))?;
        for error in &game.errors {
            *errors += 1;
            if *errors <= MAX_WARNINGS {
                eprintln!("warning: `{name}`: {error}");
            }
        }
        maker.add(&game);
    }
    Ok(())
}
