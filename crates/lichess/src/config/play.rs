// SPDX-License-Identifier: GPL-3.0-or-later
//! `[play]`, `[draw]`, `[resign]`, `[correspondence]`, `[chat]` and `[files]`.

use std::path::PathBuf;
use std::time::Duration;

use super::reader::Section;
use crate::words::{Opponent, Word};

/// How games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Play {
    /// Whether to think in the opponent's time.
    pub ponder: bool,
    /// The least time that a move is taken to need on its way; more is measured.
    pub overhead: Duration,
    /// How long the opponent may take for the first move before the game is aborted.
    pub abort_after: Duration,
    /// How many moves the opponent may take back in a game.
    pub takebacks: u32,
    /// After how many games to quit.
    pub quit_after: Option<u32>,
    /// What becomes of games under way when we are told to stop.
    pub on_stop: OnStop,
    /// How long to wait for them.
    pub stop_after: Duration,
}

/// What becomes of games under way when we are told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnStop {
    /// They are played to their end.
    Finish,
    /// They are left as they are, to be taken up at the next start.
    Leave,
}

impl Word for OnStop {
    const WHAT: &'static str = "way to stop";
    const ALL: &'static [Self] = &[Self::Finish, Self::Leave];

    fn name(self) -> &'static str {
        match self {
            Self::Finish => "finish",
            Self::Leave => "leave",
        }
    }
}

impl Play {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let seconds =
            |key, default| Duration::from_secs(section.number(key, 1..=86_400, default) as u64);
        let play = Self {
            ponder: section.flag("ponder", false),
            overhead: Duration::from_millis(section.number("overhead_ms", 0..=10_000, 100) as u64),
            abort_after: seconds("abort_seconds", 30),
            takebacks: section.number("takebacks", 0..=100, 0) as u32,
            quit_after: section.maybe_number("quit_after", 1..=1_000_000).map(|n| n as u32),
            on_stop: section.word("on_stop", OnStop::Finish),
            stop_after: seconds("stop_seconds", 600),
        };
        section.finish();
        play
    }
}

/// When draws are offered and accepted.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawRule {
    /// Whether to offer any.
    pub offer: bool,
    /// Whether to accept any.
    pub accept: bool,
    /// How far from zero the score may be, in centipawns.
    pub score: i32,
    /// For how many moves in a row.
    pub moves: u32,
    /// From which move of the game on.
    pub from_move: u32,
}

impl DrawRule {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let rule = Self {
            offer: section.flag("offer", true),
            accept: section.flag("accept", true),
            score: section.number("score", 0..=1000, 10) as i32,
            moves: section.number("moves", 1..=100, 8) as u32,
            from_move: section.number("from_move", 1..=500, 35) as u32,
        };
        section.finish();
        rule
    }
}

/// When games are given up.
#[derive(Clone, PartialEq, Debug)]
pub struct ResignRule {
    /// Whether any are.
    pub enabled: bool,
    /// The score below zero, in centipawns.
    pub score: i32,
    /// For how many moves in a row.
    pub moves: u32,
    /// Against whom.
    pub opponents: Vec<Opponent>,
}

impl ResignRule {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let rule = Self {
            enabled: section.flag("enabled", false),
            score: section.number("score", 100..=10_000, 1000) as i32,
            moves: section.number("moves", 1..=100, 5) as u32,
            opponents: section.words("opponents", &[Opponent::Bot]),
        };
        section.finish();
        rule
    }
}

/// Games without a running clock.
#[derive(Clone, PartialEq, Debug)]
pub struct Correspondence {
    /// How many at a time, besides the others.
    pub games: usize,
    /// How long to think about a move.
    pub move_time: Duration,
    /// How long to stay when it is the opponent's turn.
    pub linger: Duration,
    /// How often to look whether a move has come.
    pub check_in: Duration,
}

impl Correspondence {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let seconds =
            |key, default| Duration::from_secs(section.number(key, 1..=86_400, default) as u64);
        let correspondence = Self {
            games: section.number("games", 0..=100, 4) as usize,
            move_time: seconds("move_seconds", 30),
            linger: seconds("linger_seconds", 120),
            check_in: seconds("check_in_seconds", 600),
        };
        section.finish();
        correspondence
    }
}

/// What is said. `{me}`, `{opponent}` and `{engine}` stand for names; nothing is said if empty.
#[derive(Clone, PartialEq, Debug)]
pub struct Chat {
    /// To the opponent, at the start.
    pub greeting: String,
    /// To the opponent, at the end.
    pub goodbye: String,
    /// To spectators, at the start.
    pub spectator_greeting: String,
    /// To spectators, at the end.
    pub spectator_goodbye: String,
    /// Whether `!help` and the like are answered.
    pub commands: bool,
}

/// Lichess cuts what is longer.
const LONGEST: usize = 140;

impl Chat {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let line = |key| {
            let text = section.text(key).unwrap_or_default();
            if text.chars().count() > LONGEST {
                section.wrong_section(key, format!("expected at most {LONGEST} letters"));
            }
            if let Some(name) = unknown_name(&text) {
                let message = format!("`{{{name}}}` is none of {{me}}, {{opponent}}, {{engine}}");
                section.wrong_section(key, message);
            }
            text
        };
        let chat = Self {
            greeting: line("greeting"),
            goodbye: line("goodbye"),
            spectator_greeting: line("spectator_greeting"),
            spectator_goodbye: line("spectator_goodbye"),
            commands: section.flag("commands", true),
        };
        section.finish();
        chat
    }
}

/// A name in braces that nothing stands for.
fn unknown_name(text: &str) -> Option<&str> {
    let names = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let mut names = names.map(|(name, _)| name);
    names.find(|name| !["me", "opponent", "engine"].contains(name))
}

/// What is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct Files {
    /// Where: the games under way, the results, and the games in `games/`.
    pub folder: PathBuf,
    /// Which files the games are written to.
    pub pgn: PgnFiles,
}

/// Which files games are written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnFiles {
    /// One for each game.
    Game,
    /// One for each opponent.
    Opponent,
    /// One for all.
    All,
    /// None.
    None,
}

impl Word for PgnFiles {
    const WHAT: &'static str = "kind of file";
    const ALL: &'static [Self] = &[Self::Game, Self::Opponent, Self::All, Self::None];

    fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Opponent => "opponent",
            Self::All => "all",
            Self::None => "none",
        }
    }
}

impl Files {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let folder = section.path("folder").unwrap_or_else(|| section.folder().join("lichess"));
        if folder.exists() && !folder.is_dir() {
            section.wrong_section("folder", format!("`{}` is not a folder", folder.display()));
        }
        let files = Self { folder, pgn: section.word("pgn", PgnFiles::Game) };
        section.finish();
        files
    }
}
