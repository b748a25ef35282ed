// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx play`: a game in the terminal.

mod board_view;
mod game;

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, Result};
use chess::{Color, Outcome};
use clap::{Args, ValueEnum};

use search::Odds;

use super::FenArg;
use super::analyze::{moves_text, score_text};
use board_view::BoardView;
use game::{Level, Table, Turn};

/// Play a game against the engine in the terminal.
#[derive(Args, Debug)]
pub(crate) struct Play {
    /// Your color
    #[arg(long, value_enum, default_value_t = Side::White)]
    color: Side,
    /// How strong the engine plays
    #[arg(long, default_value_t = 8, value_name = "1..20",
          value_parser = clap::value_parser!(u32).range(1..=20))]
    level: u32,
    /// Seconds that the engine thinks about a move, instead of a level
    #[arg(long, value_name = "S", conflicts_with = "level")]
    time: Option<f64>,
    /// Start from this position
    #[arg(long, default_value = "startpos")]
    fen: FenArg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    White,
    Black,
    Random,
}

impl Side {
    fn color(self) -> Color {
        // The clock's lowest digit is as good as a coin here.
        let coin =
            || std::time::UNIX_EPOCH.elapsed().is_ok_and(|time| time.subsec_nanos() & 64 == 0);
        match self {
            Self::Random if coin() => Color::White,
            Self::White => Color::White,
            Self::Black | Self::Random => Color::Black,
        }
    }
}

/// A hint shows no more of the line than fits in a row.
const HINT_PLIES: usize = 7;

const HELP: &str = "\
A move:   e4  Nf3  exd5  O-O  e8=Q   or   e2e4  e7e8q
  hint        what the engine would play here
  eval        what it thinks of the position
  undo        take back your last move and the answer
  moves       the moves so far
  flip        turn the board
  level N     1 (weakest) to 20
  save FILE   write the game as PGN
  resign      give up;  quit: leave";

impl Play {
    pub(crate) fn run(&self) -> Result<()> {
        let color = self.color.color();
        let level = match self.time {
            Some(seconds) if seconds > 0.0 && seconds.is_finite() => {
                Level::Time(Duration::from_secs_f64(seconds))
            }
            Some(seconds) => anyhow::bail!("--time: expected seconds above 0, found `{seconds}`"),
            None => Level::Strength(self.level),
        };
        let is_plain = !io::stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some();
        let view = BoardView { from: color, is_plain };
        let mut match_ = Match { table: Table::new(self.fen.0, color, level), view };
        match_.run()
    }
}

/// A game with its board on the screen.
struct Match {
    table: Table,
    view: BoardView,
}

/// What comes after a line.
#[derive(PartialEq, Eq)]
enum Flow {
    /// The board has changed: show it.
    Draw,
    /// Ask again.
    Ask,
    Leave,
}

impl Match {
    fn run(&mut self) -> Result<()> {
        let (name, color) = (engine::NAME, self.table.human());
        println!("{name}: you have the {color} pieces. `help` lists what you can type.");
        let mut flow = Flow::Draw;
        while flow != Flow::Leave {
            if self.table.turn() == Turn::Engine {
                self.engine_moves();
            }
            if flow == Flow::Draw {
                self.draw();
                self.announce_end();
            }
            let Some(line) = prompt(&self.table.prompt())? else { break };
            flow = self.obey(line.trim());
        }
        Ok(())
    }

    fn announce_end(&self) {
        let Some((outcome, reason)) = self.table.verdict() else { return };
        let how = match outcome {
            Outcome::Draw => "drawn".to_owned(),
            Outcome::Decisive { winner } => format!("won by {winner}"),
        };
        println!("The game is {how}: {reason}.");
        println!("`save FILE` keeps it, `undo` goes back, `quit` leaves.");
    }

    fn draw(&self) {
        println!("\n{}", self.view.draw(self.table.board(), self.table.last_move()));
    }

    fn engine_moves(&mut self) {
        if let Some((san, line)) = self.table.engine_move() {
            let odds = Odds::on(self.table.board());
            println!("\nQuincunx plays {san}   ({})", score_text(&line, odds));
        }
    }

    fn obey(&mut self, line: &str) -> Flow {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => (),
            "help" | "?" => println!("{HELP}"),
            "hint" => self.hint(),
            "eval" => println!("{}", self.table.opinion()),
            "moves" => println!("{}", self.table.move_text()),
            "level" => self.set_level(rest.trim()),
            "save" => self.save(rest.trim()),
            "undo" if !self.table.undo() => println!("There is nothing to take back."),
            "undo" => return Flow::Draw,
            "flip" => {
                self.view.from = !self.view.from;
                return Flow::Draw;
            }
            "resign" => {
                self.table.resign();
                return Flow::Draw;
            }
            "quit" | "exit" => return Flow::Leave,
            _ => match self.table.human_move(word) {
                Ok(()) => return Flow::Draw,
                Err(error) => println!("{error}; `help` lists what you can type"),
            },
        }
        Flow::Ask
    }

    fn hint(&mut self) {
        match self.table.hint() {
            Some((san, mut line)) => {
                line.moves.truncate(HINT_PLIES);
                let board = *self.table.board();
                let (score, moves) =
                    (score_text(&line, Odds::on(&board)), moves_text(&board, &line));
                println!("{san}   ({score}: {moves})");
            }
            None => println!("The game is over."),
        }
    }

    fn set_level(&mut self, text: &str) {
        match text.parse() {
            Ok(level @ 1..=20) => self.table.level = Level::Strength(level),
            _ => println!("expected a level from 1 to 20, found `{text}`"),
        }
    }

    fn save(&self, path: &str) {
        if path.is_empty() {
            println!("expected a file name after `save`");
            return;
        }
        match self.table.save(path) {
            Ok(()) => println!("Saved to {path}."),
            Err(error) => println!("cannot save to `{path}`: {error:#}"),
        }
    }
}

/// Asks for a line; `None` at the end of input.
fn prompt(text: &str) -> Result<Option<String>> {
    print!("{text}> ");
    io::stdout().flush().context("writing to the terminal")?;
    let mut line = String::new();
    let length = io::stdin().lock().read_line(&mut line).context("reading from the terminal")?;
    Ok((length > 0).then_some(line))
}
