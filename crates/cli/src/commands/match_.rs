// SPDX-License-Identifier: GPL-3.0-or-later
//! `match`: games between UCI engines.

mod arguments;
mod view;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};
use arena::openings::{OpeningBook, starting_position};
use arena::run::RunFolder;
use arena::tournament::{Conduct, Journal, Match, MatchSettings, NoJournal, Standings};
use clap::Args;

use super::print_json;
use crate::output;

pub(crate) use arguments::{Bounds, usage_error};
pub(crate) use view::MatchView;

/// Play games between UCI engines, resumable, with a sequential test if asked for
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MatchCommand {
    #[command(flatten)]
    plan: arguments::Plan,
    /// Games at a time [default: all physical cores]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Folder of the run; resumed if it exists. Nothing is kept without it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End with exit code 1 if any game was lost by a crash, a stall, an illegal move or on time. Without
    /// this, only if all of them were
    #[arg(long)]
    strict: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Engines are described by words: cmd=PROGRAM name=TEXT args=\"A B\" dir=PATH opt.NAME=VALUE
tc=MOVES/SECONDS+INCREMENT st=SECONDS nodes=N depth=N ponder=true

Examples:
  quincunx match --engine cmd=./new name=new --engine cmd=./old name=old --tc 10+0.1 \\
      --openings book.epd.zst --sprt 0,5 --concurrency 2 --out runs/new-feature
  quincunx match --engine cmd=./a --engine cmd=./b --each nodes=2000 opt.Hash=16 --games 400 \\
      --openings book.epd";

impl MatchCommand {
    /// Plays the match and prints its result.
    pub(crate) fn run(self) -> Result<()> {
        let mut settings = self.plan.settings();
        let book = load_book(&mut settings)?;
        let game = Match::new(settings.clone(), book).unwrap_or_else(|error| usage_error(&error));
        let concurrency = self.concurrency.unwrap_or_else(default_concurrency);
        let stop = stop_on_interrupt()?;
        let standings = if let Some(path) = &self.out {
            play(&game, &mut RunFolder::open(path, &settings)?, concurrency, &stop)?
        } else {
            play(&game, &mut NoJournal, concurrency, &stop)?
        };
        if self.json {
            print_json(&standings.result())?;
        } else {
            output::print(&standings.summary(&settings))?;
        }
        check_faults(&standings, self.strict)
    }
}

/// Games that were all lost by faults measure nothing; with `--strict`, not even one may be.
fn check_faults(standings: &Standings, is_strict: bool) -> Result<()> {
    let (games, lost) = (2 * standings.pair_count(), standings.games_lost_by_faults());
    let is_bad = lost > 0 && (is_strict || lost == games);
    ensure!(!is_bad, "{lost} of {games} games were lost by a fault: expected sound engines");
    Ok(())
}

/// One game for each physical core.
pub(crate) fn default_concurrency() -> NonZeroUsize {
    NonZeroUsize::new(num_cpus::get_physical()).unwrap_or(NonZeroUsize::MIN)
}

/// Loads the book and takes over what it says about castling.
pub(crate) fn load_book(settings: &mut MatchSettings) -> Result<OpeningBook> {
    let Some(book) = &settings.book else {
        eprintln!("warning: no book (`--openings`): engines that always answer alike repeat games");
        return Ok(starting_position());
    };
    let book = OpeningBook::load(book)?;
    settings.chess960 |= book.castling() == chess::CastlingMode::Chess960;
    if let Some(first) = book.skipped().first() {
        let count = book.skipped().len();
        eprintln!("warning: {count} openings cannot be played, such as {first}");
    }
    Ok(book)
}

/// Plays what is left of a match, shows it, and says how to go on if it is interrupted.
pub(crate) fn play(
    game: &Match,
    journal: &mut dyn Journal,
    concurrency: NonZeroUsize,
    should_stop: &AtomicBool,
) -> Result<Standings> {
    let mut view = MatchView::new(game, journal.finished_pairs());
    let conduct = Conduct { concurrency, should_stop };
    let played = game.run(journal, conduct, &mut view);
    view.end();
    let standings = played.context("the match was broken off")?;
    if should_stop.load(Ordering::Relaxed) {
        eprintln!("interrupted after {} games", 2 * standings.pair_count());
        if journal.is_lasting() {
            eprintln!("the same command continues:\n  {}", command_line());
        } else {
            eprintln!("nothing is kept: with --out DIR a match can go on");
        }
    }
    Ok(standings)
}

/// The first Ctrl-C ends the match in order, the second at once.
pub(crate) fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    const INTERRUPTED: i32 = 130;
    let should_stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&should_stop);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    };
    ctrlc::set_handler(handler).context("preparing for Ctrl-C")?;
    Ok(should_stop)
}

/// Our own command line, quoted for a shell.
pub(crate) fn command_line() -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=+./,:%@".contains(letter);
    let quote = |word: String| {
        let needs_none = !word.is_empty() && word.chars().all(is_plain);
        if needs_none { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    std::env::args().map(quote).collect::<Vec<_>>().join(" ")
}
