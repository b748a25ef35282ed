// SPDX-License-Identifier: GPL-3.0-or-later
//! What `match` is told to play.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use arena::openings::{BookSettings, Order};
use arena::referee::{DrawRule, ResignRule, TableSettings};
use arena::stats::{Model, Sprt};
use arena::tournament::{Format, MatchSettings};
use arena::{EngineSpec, Limit, TimeControl};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};

/// Everything that the results depend on.
#[derive(Args, Debug)]
pub(super) struct Plan {
    #[command(flatten)]
    engines: Engines,
    /// Time control of engines without limit of their own: moves/seconds+increment
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Nodes for each move of engines without limit of their own
    #[arg(long, value_name = "N", conflicts_with = "tc")]
    nodes: Option<std::num::NonZeroU64>,
    /// Games of each pairing, an even number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Stop when this test has a verdict
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Bounds>,
    /// Elo scale of the test: normalized or logistic
    #[arg(long, value_name = "MODEL", default_value = "normalized")]
    model: Model,
    /// Rate of wrong acceptances of the test
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,
    /// Rate of wrong rejections of the test
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,
    /// Who meets whom: round-robin or gauntlet (the first engine against all others)
    #[arg(long, value_name = "FORMAT", default_value_t)]
    format: Format,
    /// EPD or PGN file of openings, perhaps compressed
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order of the openings: sequential or random
    #[arg(long, value_name = "ORDER", default_value_t)]
    order: Order,
    /// Seed of the random order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of the first opening, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    start: usize,
    /// Most plies to take from a PGN opening
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Adjudicate draws: movenumber=N movecount=N score=CENTIPAWNS
    #[arg(long, value_name = "WORD", num_args = 1..)]
    draw: Vec<String>,
    /// Adjudicate losses: movecount=N score=CENTIPAWNS twosided=true
    #[arg(long, value_name = "WORD", num_args = 1..)]
    resign: Vec<String>,
    /// Adjudicate a draw after this many full moves
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Adjudicate by Syzygy tables in these folders, separated by `:` (`;` on Windows)
    #[arg(long, value_name = "PATH")]
    tb: Option<String>,
    /// Most men for which tables decide [default: as many as they know]
    #[arg(long, value_name = "N", requires = "tb", value_parser = clap::value_parser!(u8).range(2..=7))]
    tb_pieces: Option<u8>,
    /// Tables count wins that the fifty-move rule spoils as wins
    #[arg(long = "tb-ignore-50", requires = "tb")]
    tb_ignore_fifty: bool,
    /// Milliseconds by which a clock may be overstepped
    #[arg(long, value_name = "MS", default_value_t = 0)]
    time_margin: u64,
    /// Seconds after which an engine without clock is taken for dead
    #[arg(long, value_name = "S", default_value_t = 600)]
    patience: u64,
    /// All engines think in the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Play Chess960; on by itself if an opening needs it
    #[arg(long)]
    chess960: bool,
}

impl Plan {
    /// The settings of the match; what makes no sense ends the program.
    pub(super) fn settings(self) -> MatchSettings {
        let common = Limit { tc: self.tc, nodes: self.nodes, ..Limit::default() };
        let engine = |words: &Vec<String>| {
            let words = self.engines.each.iter().chain(words);
            let mut spec =
                EngineSpec::from_words(words).unwrap_or_else(|error| bad("--engine", &error));
            spec.limit = spec.limit.or(&common);
            spec.ponder |= self.ponder;
            spec
        };
        let book = self.openings.map(|file| BookSettings {
            file,
            order: self.order,
            seed: self.seed,
            start: self.start,
            plies: self.plies,
        });
        let sprt = self.sprt.map(|bounds| {
            let sprt = bounds.0.with_model(self.model);
            sprt.with_error_rates(self.alpha, self.beta)
                .unwrap_or_else(|error| bad("--alpha, --beta", &error))
        });
        let tables = self.tb.map(|path| TableSettings {
            path,
            men: self.tb_pieces.map(usize::from),
            ignore_fifty: self.tb_ignore_fifty,
        });
        MatchSettings {
            engines: self.engines.own.iter().map(engine).collect(),
            format: self.format,
            games: self.games.map(whole_pairs),
            sprt,
            book,
            draw: parse_words::<DrawRule>("--draw", &self.draw),
            resign: parse_words::<ResignRule>("--resign", &self.resign),
            max_moves: self.max_moves,
            tables,
            margin_ms: self.time_margin,
            patience_ms: self.patience.saturating_mul(1000),
            chess960: self.chess960,
        }
    }
}

/// Games are played in pairs, an opening with both colors.
fn whole_pairs(games: u64) -> u64 {
    let whole = games.next_multiple_of(2);
    if whole != games {
        eprintln!("note: games come in pairs with both colors, so {whole} are played, not {games}");
    }
    whole
}

fn parse_words<T: FromStr<Err: fmt::Display>>(argument: &str, words: &[String]) -> Option<T> {
    if words.is_empty() {
        return None;
    }
    Some(words.join(" ").parse().unwrap_or_else(|error| bad(argument, &error)))
}

fn bad(argument: &str, error: &dyn fmt::Display) -> ! {
    usage_error(&format!("{argument}: {error}"))
}

/// Ends the program because of wrong usage.
pub(crate) fn usage_error(message: &dyn fmt::Display) -> ! {
    let message = format!("{message}\n");
    clap::Error::raw(ErrorKind::ValueValidation, message).exit()
}

/// The two bounds of a test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds(pub(crate) Sprt);

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |token: &str| {
            let token = token.trim();
            token.parse().map_err(|_| format!("bad bound `{token}`, expected a number"))
        };
        let (elo0, elo1) =
            text.split_once(',').ok_or_else(|| "expected two bounds, elo0,elo1".to_owned())?;
        Sprt::new(number(elo0)?, number(elo1)?).map(Self).map_err(|error| error.to_string())
    }
}

/// The words of each `--engine`, and those of `--each`. Clap's derived arguments would run them together.
#[derive(Clone, Debug)]
struct Engines {
    own: Vec<Vec<String>>,
    /// Words for all engines, before their own.
    each: Vec<String>,
}

impl Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        let engine = Arg::new("engine")
            .long("engine")
            .value_name("WORD")
            .help("An engine in words, such as cmd=./engine name=x opt.Hash=16; twice or more")
            .num_args(1..)
            .action(ArgAction::Append)
            .required(true);
        let each = Arg::new("each")
            .long("each")
            .value_name("WORD")
            .help(
                "Words for all engines, such as opt.Hash=16; an engine's own words come after them",
            )
            .num_args(1..)
            .action(ArgAction::Append);
        command.arg(engine).arg(each)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let engines = matches.get_occurrences::<String>("engine").into_iter().flatten();
        let each = matches.get_many::<String>("each").into_iter().flatten();
        Ok(Self {
            own: engines.map(|words| words.cloned().collect()).collect(),
            each: each.cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
