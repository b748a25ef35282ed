// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine as a library: settings, positions and limits go in as values, events come out as
//! values.
//!
//! Searches run in threads of their own, so that everything here returns at once but
//! [`Engine::wait`]. While a search runs it has the searcher; a setting that would change it waits
//! until the search has ended.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use chess::{Board, Move};
use search::{
    Answer, Centipawns, Control, Limits, Network, Odds, Position, Ranking, Searcher, Stats,
    TreeNode,
};
use uci::OptionWarning;

use crate::config::{Config, Target};
use crate::evaluation::Evaluation;
use crate::event::{Listener, Notice, Reason, SettingError};
use crate::handle::Search;
use crate::node_clock::NodeClock;
use crate::options::{Setting, Settings, Timing, option};
use crate::running::{Running, SearchJob};
use crate::search_thread::SearchThread;
use crate::strength::Strength;

/// Where the searcher is.
#[derive(Debug)]
enum Slot {
    Idle(Box<Searcher>),
    Searching(Running),
    /// Only for an instant, while it is moved.
    Moving,
}

/// What was asked for while the searcher was out of reach.
#[derive(Debug)]
enum Deferred {
    Set(Setting),
    NewGame,
}

/// A chess engine.
///
/// ```
/// use engine::{Engine, Limits, Setting};
/// let mut engine = Engine::new();
/// engine.set(Setting::Hash(8))?;
/// let answer = engine.go(Limits::to_depth(4)).answer().unwrap();
/// assert!(answer.best_move().is_some());
/// # Ok::<(), engine::SettingError>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    config: Config,
    slot: Slot,
    thread: SearchThread,
    position: Position,
    deferred: Vec<Deferred>,
    notices: Vec<Notice>,
    last_stats: Stats,
    node_clock: NodeClock,
}

impl Engine {
    /// An engine with all options at their defaults, at the start of a game. Networks are shared with
    /// other engines of the process.
    ///
    /// # Panics
    /// If the system has not got the memory for a small table.
    pub fn new() -> Self {
        let config = Config::default();
        Self {
            settings: Settings::default(),
            slot: Slot::Idle(Box::new(config.searcher())),
            thread: SearchThread::default(),
            config,
            position: Position::default(),
            deferred: vec![],
            notices: vec![],
            last_stats: Stats::default(),
            node_clock: NodeClock::default(),
        }
    }

    /// What the options are set to.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets an option. During a search, some settings are refused, and some wait for its end: whether
    /// they fail is told by [`Engine::take_notices`] then.
    pub fn set(&mut self, setting: Setting) -> Result<(), SettingError> {
        let name = setting.name();
        let spec = &option(name).ok_or_else(|| Reason::Unknown(name.to_owned()))?.spec;
        let accepted = spec.parse_value(&setting.text())?;
        if let Some(warning) = accepted.warning {
            return Err(warning.into());
        }
        self.put(setting)
    }

    /// Sets an option by its name to a value that is a text, as in UCI. A number out of range is taken
    /// for the nearest one; the warning says so.
    pub fn set_option(
        &mut self,
        name: &str,
        value: &str,
    ) -> Result<Option<OptionWarning>, SettingError> {
        let declaration = option(name).ok_or_else(|| Reason::Unknown(name.to_owned()))?;
        let accepted = declaration.spec.parse_value(value)?;
        if let Some(setting) = declaration.setting(&accepted.value) {
            self.put(setting)?;
        }
        Ok(accepted.warning)
    }

    /// Sets an option to a value within its range.
    fn put(&mut self, setting: Setting) -> Result<(), SettingError> {
        self.collect();
        match (setting.timing(), &self.slot) {
            (Timing::NotInSearch, Slot::Searching(_)) => {
                Err(Reason::Searching(setting.name()).into())
            }
            (Timing::AfterSearch, Slot::Searching(_)) => {
                self.deferred.push(Deferred::Set(setting));
                Ok(())
            }
            _ => self.apply(setting),
        }
    }

    fn apply(&mut self, setting: Setting) -> Result<(), SettingError> {
        let name = setting.name();
        let result = if let Slot::Idle(searcher) = &mut self.slot {
            let mut target = Target { config: &mut self.config, searcher, notices: vec![] };
            let result = setting.apply(&mut self.settings, Some(&mut target));
            self.notices.append(&mut target.notices);
            result
        } else {
            setting.apply(&mut self.settings, None)
        };
        result.map_err(|fault| Reason::Fault(name, fault).into())
    }

    /// What happened to settings since the last call, for whoever wants to tell the user.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        self.collect();
        std::mem::take(&mut self.notices)
    }

    /// The next position is from another game: forgets what was learnt in this one.
    pub fn new_game(&mut self) {
        self.node_clock = NodeClock::default();
        self.deferred.push(Deferred::NewGame);
        self.collect();
    }

    /// The position that is searched next.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Searches this position from now on.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Searches the position until a limit is reached, and tells what it finds. A search that is still
    /// under way is ended first.
    pub fn go(&mut self, limits: Limits) -> Search {
        let (sender, events) = channel();
        // Whoever does not listen any more need not be told.
        let listener = Arc::new(move |event| drop(sender.send(event)));
        let control = self.go_with(limits, Instant::now(), listener);
        Search::new(events, control)
    }

    /// The same for a search that was asked for at `start`, with a listener instead of a channel. The
    /// search's threads call it, so it should not take long.
    pub fn go_with(&mut self, limits: Limits, start: Instant, listener: Listener) -> Arc<Control> {
        self.stop();
        self.wait();
        let job = self.job(limits, start);
        let Slot::Idle(searcher) = std::mem::replace(&mut self.slot, Slot::Moving) else {
            unreachable!("the search before has ended")
        };
        let running = Running::start(&mut self.thread, *searcher, job, listener);
        let control = Arc::clone(running.control());
        self.slot = Slot::Searching(running);
        control
    }

    /// What is searched: the limits, and what the settings add to them.
    fn job(&mut self, mut limits: Limits, start: Instant) -> SearchJob {
        let settings = &self.settings;
        self.node_clock.run(&mut limits, settings.nodes_per_ms);
        limits.overhead = Duration::from_millis(settings.overhead as u64);
        limits.multi_pv = limits.multi_pv.max(settings.multi_pv as usize);
        limits.contempt = self.odds().points(Centipawns(settings.contempt as i32));
        let strength = settings.strength();
        if let Some(strength) = strength {
            limits.nodes = Some(limits.nodes.map_or(strength.nodes, |n| n.min(strength.nodes)));
            limits.multi_pv = limits.multi_pv.max(Strength::LINES);
        }
        SearchJob { position: self.position.clone(), limits, start, strength }
    }

    /// What scores mean in the position.
    pub fn odds(&self) -> Odds {
        Odds::on(self.position.board())
    }

    /// Ends the search as soon as it notices. Without one, nothing happens.
    pub fn stop(&self) {
        if let Slot::Searching(running) = &self.slot {
            running.control().stop();
        }
    }

    /// The move that was pondered on has been played: from now on the clock counts.
    pub fn ponder_hit(&self) {
        if let Slot::Searching(running) = &self.slot {
            running.control().ponder_hit();
        }
    }

    /// Whether a search has yet to answer.
    pub fn is_searching(&self) -> bool {
        matches!(&self.slot, Slot::Searching(running) if !running.is_answered())
    }

    /// Whether a search goes on until it is stopped, or until the opponent moves.
    pub fn is_endless(&self) -> bool {
        matches!(&self.slot, Slot::Searching(running) if running.is_endless())
    }

    /// Waits until the search has ended, and does what has waited for it. The answer; none if there
    /// was no search.
    pub fn wait(&mut self) -> Option<Answer> {
        let slot = std::mem::replace(&mut self.slot, Slot::Moving);
        let Slot::Searching(running) = slot else {
            self.slot = slot;
            return None;
        };
        let (searcher, answer) = match running.join() {
            Some(finished) => (finished.searcher, Some(finished.answer)),
            None => (None, None),
        };
        // After a panic it may be in any state.
        let searcher = searcher.unwrap_or_else(|| self.config.searcher());
        self.slot = Slot::Idle(Box::new(searcher));
        if let Some(answer) = &answer {
            self.last_stats = answer.stats;
            self.node_clock.spend(answer.effort.nodes);
        }
        self.collect();
        answer
    }

    /// Takes the searcher back if the search has ended, and does what has waited for it.
    fn collect(&mut self) {
        if matches!(&self.slot, Slot::Searching(running) if running.is_answered()) {
            self.wait();
        }
        if matches!(self.slot, Slot::Searching(_)) {
            return;
        }
        for deferred in std::mem::take(&mut self.deferred) {
            match deferred {
                Deferred::NewGame => self.forget(),
                Deferred::Set(setting) => {
                    let result = self.apply(setting);
                    self.notices.extend(result.err().map(Notice::Setting));
                }
            }
        }
    }

    fn forget(&mut self) {
        if let Slot::Idle(searcher) = &mut self.slot {
            searcher.clear();
        }
    }

    /// What evaluates.
    pub const fn network(&self) -> &Network {
        &self.config.network
    }

    /// What ranks moves in the tree search.
    pub const fn ranking(&self) -> &Ranking {
        &self.config.ranking
    }

    /// The static evaluation of a position, with its reasons.
    pub fn evaluate(&self, board: &Board) -> Evaluation {
        Evaluation::new(board, &self.config.network)
    }

    /// The tree that the last tree search has left: so many plies below the end of a line of moves
    /// from its root. `None` if there is none, or a search is under way.
    pub fn tree(&mut self, line: &[Move], depth: usize) -> Option<(Position, TreeNode)> {
        self.searcher()?.tree(line, depth)
    }

    /// What the last search has counted.
    pub const fn last_stats(&self) -> &Stats {
        &self.last_stats
    }

    /// The searcher, to look into it; `None` while a search is under way.
    pub fn searcher(&mut self) -> Option<&Searcher> {
        self.collect();
        match &self.slot {
            Slot::Idle(searcher) => Some(searcher),
            _ => None,
        }
    }

    pub(crate) const fn config(&self) -> &Config {
        &self.config
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}
