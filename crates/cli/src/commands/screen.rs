// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx screen`: what each of many switches and numbers is worth, all measured at once.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use arena::screen::{self, Config, PairPlayer, Report, ScreenState};
use arena::trials::Saved;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tools::store::Lock;

use super::{match_, print_json};
use crate::{input, output};

/// The picture in the run's folder.
const PICTURE: &str = "screen.svg";

/// How often a line is printed where there is no bar.
const REPORT: Duration = Duration::from_secs(30);

/// Measure many switches and numbers of an engine at once, each in Elo with its error.
///
/// Each pair of games makes every change on one of the two sides, on which one a coin decides; a
/// regression tells what each change is worth. The run may be killed at any moment; the same command
/// continues it, and shows the result of one that is finished.
#[derive(Args, Debug)]
pub(crate) struct Screen {
    /// The run as a TOML file: engine, nodes or tc, book, games, entries (screens/README.md)
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// The run's folder [default: `out` of the file, or the file's name without its ending]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Pairs at the same time [default: `concurrency` of the file]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Play no games: show what the games played so far say
    #[arg(long)]
    show: bool,
    /// Print the result as one JSON document
    #[arg(long)]
    json: bool,
}

impl Screen {
    pub(crate) fn run(&self) -> Result<()> {
        let name = self.file.display();
        let text = input::read_text(&self.file)?;
        let config = Config::parse(&text).with_context(|| format!("reading `{name}`"))?;
        let folder = self.out.clone().unwrap_or_else(|| config.duel.folder(&self.file));
        let state = if self.show { shown(&folder)? } else { self.play(&config, &folder)? };
        let report = Report::of(&state);
        let picture = folder.join(PICTURE);
        output::write(&picture, report.svg().as_bytes())?;
        eprintln!("picture in `{}`", picture.display());
        if self.json { print_json(&report) } else { output::print(&report.to_string()) }
    }

    /// Plays what is missing.
    fn play(&self, config: &Config, folder: &Path) -> Result<ScreenState> {
        let fresh = ScreenState::new(config)?;
        let is_finished = |state: &ScreenState| state.pairs() >= config.pairs();
        if !ScreenState::read(folder)?.is_some_and(|state| is_finished(&state)) {
            screen::check(config)?;
        }
        let lock = Lock::folder(folder)?;
        let kept = ScreenState::resume_or(&lock, fresh)?;
        if is_finished(&kept) {
            return Ok(kept);
        }
        let (duel, entries) = (config.duel.duel()?, config.entries()?);
        eprintln!("kept in `{}`; Ctrl-C ends it after the pairs under way", folder.display());
        let watch = Watch::new(&kept, config.pairs());
        let should_stop = match_::stop_on_interrupt()?;
        let workers = self.concurrency.unwrap_or(config.duel.concurrency);
        let new_player = || {
            let mut player = PairPlayer::new(&duel, config.design(), &entries);
            move |pair| player.play(pair)
        };
        let state = screen::run(&lock, kept, config.pairs(), workers, new_player, |state| {
            watch.show(state);
            !should_stop.load(Ordering::Relaxed)
        })?;
        watch.close();
        if state.pairs() < config.pairs() {
            eprintln!("stopped; the same command continues:\n  {}", match_::command_line());
        }
        Ok(state)
    }
}

/// The run in a folder that holds one.
fn shown(folder: &Path) -> Result<ScreenState> {
    let state = ScreenState::read(folder)?;
    state.with_context(|| format!("no screening in `{}`: expected a run", folder.display()))
}

/// A bar on a terminal, and a line now and then elsewhere.
struct Watch {
    bar: ProgressBar,
    began: Instant,
    /// Pairs that were played before we began.
    resumed: u64,
    pairs: u64,
    last_line: Mutex<Instant>,
}

impl Watch {
    fn new(state: &ScreenState, pairs: u64) -> Self {
        let resumed = state.pairs();
        if resumed > 0 {
            eprintln!("going on after {} games", 2 * resumed);
        }
        let template = "{wide_bar} {pos}/{len} pairs, {msg}, about {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
        let bar = ProgressBar::new(pairs).with_style(style).with_position(resumed);
        bar.reset_eta();
        let began = Instant::now();
        Self { bar, began, resumed, pairs, last_line: Mutex::new(began) }
    }

    fn show(&self, state: &ScreenState) {
        let (done, faults) = (state.pairs(), state.fault_count());
        let rate = (done - self.resumed) as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        let speed = format!("{:.0} games/h", 7200.0 * rate);
        let message = match faults {
            0 => speed,
            _ => format!("{speed}, {faults} games lost by a fault"),
        };
        self.bar.set_message(message.clone());
        self.bar.set_position(done);
        if self.bar.is_hidden() && (self.is_time() || done == self.pairs) {
            eprintln!("{done} of {} pairs, {message}", self.pairs);
        }
    }

    /// Whether a line is due.
    fn is_time(&self) -> bool {
        let mut last = self.last_line.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let is_due = last.elapsed() >= REPORT;
        if is_due {
            *last = Instant::now();
        }
        is_due
    }

    fn close(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use search::{Params, Scope};

    use super::*;

    /// The options of a screen in the repository as they are on the side that changes nothing.
    fn entered(name: &str) -> BTreeMap<String, String> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../screens").join(name);
        let config = Config::parse(&std::fs::read_to_string(file).unwrap()).unwrap();
        config.entries().unwrap().iter().flat_map(|entry| entry.options(false)).collect()
    }

    #[test]
    fn the_screen_of_all_switches_is_up_to_date() {
        // Other switches do nothing in games with one thread and without a clock.
        let heuristics = Params::heuristics().filter(|h| h.scope == Scope::AlphaBeta);
        let switches: BTreeMap<_, _> = heuristics
            .filter_map(|heuristic| heuristic.switch)
            .map(|(switch, _)| (switch.name.to_owned(), switch.default.to_string()))
            .collect();
        let entered = entered("switches.toml");
        assert_eq!(switches, entered, "screens/switches.toml differs from search::Params");
    }

    #[test]
    fn the_screen_of_patches_begins_with_the_engine_as_it_is() {
        let entered = entered("patches.toml");
        for spec in Params::SPECS {
            let from = entered.get(spec.name);
            let is_wanted = spec.name.ends_with("_try") || from.is_some();
            let expected = is_wanted.then(|| spec.default.to_string());
            assert_eq!(from, expected.as_ref(), "screens/patches.toml: {}", spec.name);
        }
    }
}
