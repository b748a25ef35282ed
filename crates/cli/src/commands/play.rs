// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx play`: a game in the terminal.

mod board_view;
mod game;
mod moves;
mod prompt;
mod save;

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::Result;
use chess::{Color, Outcome};
use clap::{Args, ValueEnum};
use engine::{Setting, Strength};
use tools::suggest::nearest;

use super::analyze::moves_text;
use super::{FenArg, ModeArgs, NetworkArgs, engine_with};
use board_view::BoardView;
use game::{Level, Session, Turn, in_words};
use prompt::Prompt;
use save::Saved;

/// Play a game against the engine in the terminal.
#[derive(Args, Debug)]
pub(crate) struct Play {
    /// Your color
    #[arg(long, value_enum, default_value_t = Side::White)]
    color: Side,
    /// How strong the engine plays: 0 is a beginner of 1000 Elo, each level adds 110, 20 is no limit
    /// [default: 3]
    #[arg(long, value_name = "0..20", conflicts_with = "elo",
          value_parser = clap::value_parser!(i64).range(0..=Strength::LEVELS))]
    level: Option<i64>,
    /// How strong the engine plays, as a rating
    #[arg(long, value_name = "1000..3200", value_parser = clap::value_parser!(i64).range(Strength::ELO))]
    elo: Option<i64>,
    /// Seconds that the engine thinks about a move; without a level, as strong as it can
    #[arg(long, value_name = "S")]
    time: Option<f64>,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    mode: ModeArgs,
    /// Start from this position
    #[arg(long, default_value = "startpos")]
    fen: FenArg,
}

const DEFAULT_LEVEL: i64 = 3;

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
  level N     0 (weakest) to 20 (no limit); alone: how strong it plays now
  elo N       a rating from 1000 to 3200
  save FILE   append the game to a PGN file
  resign      give up;  quit: leave";

const COMMANDS: [&str; 13] = [
    "help", "hint", "eval", "undo", "moves", "flip", "level", "elo", "save", "resign", "quit",
    "exit", "board",
];

impl Play {
    pub(crate) fn run(&self) -> Result<()> {
        let color = self.color.color();
        let time = self.time()?;
        let settings = [self.network.setting()].into_iter().chain(self.mode.settings());
        let engine = engine_with(settings.chain([Setting::Hash(64)]))?;
        let mut session = Session::new(self.fen.0, color, engine, self.network_and_mode());
        session.set_level(self.level(time));
        session.set_time(time);
        let has_no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_plain = !io::stdout().is_terminal() || has_no_color;
        let view = BoardView { from: color, is_plain };
        let mut game = Terminal { session, view, prompt: Prompt::new(), saved: None };
        game.run()
    }

    fn time(&self) -> Result<Option<Duration>> {
        let Some(seconds) = self.time else { return Ok(None) };
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
        anyhow::ensure!(time.is_some(), "--time: expected seconds above 0, found `{seconds}`");
        Ok(time)
    }

    fn level(&self, time: Option<Duration>) -> Level {
        match (self.elo, self.level) {
            (Some(elo), _) => Level::Elo(elo),
            (None, Some(level)) => Level::Skill(level),
            (None, None) if time.is_some() => Level::FULL,
            (None, None) => Level::Skill(DEFAULT_LEVEL),
        }
    }

    /// What thinks, in words.
    fn network_and_mode(&self) -> String {
        match self.mode.get() {
            search::Mode::AlphaBeta => self.network.name().to_owned(),
            mode => format!("{}, {mode}", self.network.name()),
        }
    }
}

/// A game with its board on the screen.
struct Terminal {
    session: Session,
    view: BoardView,
    prompt: Prompt,
    saved: Option<Saved>,
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

impl Terminal {
    fn run(&mut self) -> Result<()> {
        let (name, color) = (engine::NAME, self.session.human());
        println!("{name} ({}): you have the {color} pieces.", self.session.opponent());
        println!("`help` lists what you can type.");
        let mut flow = Flow::Draw;
        while flow != Flow::Leave {
            if self.session.turn() == Turn::Engine {
                self.engine_moves()?;
            }
            if flow == Flow::Draw {
                self.draw();
                self.announce_end();
            }
            let Some(line) = self.prompt.ask(&self.session.prompt())? else { break };
            flow = self.obey(line.trim())?;
        }
        Ok(())
    }

    fn announce_end(&self) {
        let Some((outcome, reason)) = self.session.verdict() else { return };
        let how = match outcome {
            Outcome::Draw => "drawn".to_owned(),
            Outcome::Decisive { winner } => format!("won by {winner}"),
        };
        println!("The game is {how}: {reason}.");
        println!("`save FILE` keeps it, `undo` goes back, `quit` leaves.");
    }

    fn draw(&self) {
        println!("\n{}", self.view.draw(self.session.board(), self.session.last_move()));
    }

    fn engine_moves(&mut self) -> Result<()> {
        if let Some(thought) = self.session.engine_move()? {
            println!("\nQuincunx plays {}   ({})", thought.san, in_words(thought.score));
        }
        Ok(())
    }

    fn obey(&mut self, line: &str) -> Result<Flow> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => (),
            "help" | "?" => println!("{HELP}"),
            "hint" => self.hint()?,
            "eval" => self.eval()?,
            "moves" => println!("{}", self.session.move_text()),
            "level" => self.set_level(rest.trim(), 0..=Strength::LEVELS, Level::Skill),
            "elo" => self.set_level(rest.trim(), Strength::ELO, Level::Elo),
            "save" => self.save(rest.trim()),
            "undo" if !self.session.undo() => println!("There is nothing to take back."),
            "undo" | "board" => return Ok(Flow::Draw),
            "flip" => {
                self.view.from = !self.view.from;
                return Ok(Flow::Draw);
            }
            "resign" => {
                self.session.resign();
                return Ok(Flow::Draw);
            }
            "quit" | "exit" => return Ok(Flow::Leave),
            _ => return Ok(self.play(word)),
        }
        Ok(Flow::Ask)
    }

    fn play(&mut self, word: &str) -> Flow {
        let Err(error) = self.session.human_move(word) else { return Flow::Draw };
        match nearest(word, COMMANDS) {
            Some(near) => println!("{error}; did you mean `{near}`?"),
            None => println!("{error}; `help` lists what you can type"),
        }
        Flow::Ask
    }

    fn hint(&mut self) -> Result<()> {
        match self.session.opinion()? {
            Some(mut thought) => {
                thought.moves.truncate(HINT_PLIES);
                let moves = moves_text(self.session.board(), &thought.moves);
                println!("{}   ({}: {moves})", thought.san, in_words(thought.score));
            }
            None => println!("The game is over."),
        }
        Ok(())
    }

    fn eval(&mut self) -> Result<()> {
        match self.session.opinion()? {
            Some(thought) => println!("{}", in_words(thought.score)),
            None => println!("The game is over."),
        }
        Ok(())
    }

    fn set_level(
        &mut self,
        text: &str,
        range: std::ops::RangeInclusive<i64>,
        level: impl Fn(i64) -> Level,
    ) {
        match text.parse() {
            _ if text.is_empty() => println!("It plays at {}.", self.session.level()),
            Ok(number) if range.contains(&number) => {
                self.session.set_level(level(number));
                println!("From now on it plays at {}.", self.session.level());
            }
            _ => {
                let (least, most) = range.into_inner();
                println!("expected a number from {least} to {most}, found `{text}`");
            }
        }
    }

    fn save(&mut self, path: &str) {
        if path.is_empty() {
            println!("expected a file name after `save`");
            return;
        }
        let path = save::expand(path);
        let (name, had_games) = (path.display().to_string(), save::has_games(&path));
        match save::append(&path, &self.session.pgn().to_string(), self.saved.as_ref()) {
            Ok(saved) => {
                let how = if had_games { "Saved to the end of" } else { "Saved to" };
                println!("{how} {name}.");
                self.saved = Some(saved);
            }
            Err(error) => println!("cannot save to `{name}`: {error}"),
        }
    }
}
