// SPDX-License-Identifier: GPL-3.0-or-later
//! The UCI options, each declared once: its name, its range, and what it changes.

use std::time::Duration;

use search::{Leaf, Mode, Rollout, TreeOptions};
use tablebase::FiftyMoves;
use uci::{OptionSpec, OptionValue};

use crate::strength::Strength;

/// The largest table, in MiB.
pub const MAX_HASH: i64 = 1 << 25;
/// The most threads.
pub const MAX_THREADS: i64 = 1024;
/// The most lines: no position has more moves.
pub const MAX_MULTI_PV: i64 = 256;

const DEFAULT_HASH: i64 = 16;
const DEFAULT_ELO: i64 = 1500;

/// What the options are set to.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) threads: usize,
    pub(crate) kernels: net::Kernels,
    pub(crate) multi_pv: usize,
    /// The endgame tables and how they are used.
    pub(crate) tablebases: search::Tablebases,
    pub(crate) mode: Mode,
    /// How the tree searches work.
    pub(crate) tree: TreeOptions,
    pub(crate) overhead: Duration,
    /// In centipawns.
    pub(crate) contempt: i32,
    pub(crate) is_chess960: bool,
    pub(crate) shows_wdl: bool,
    pub(crate) is_minimal: bool,
    /// Whether `elo` counts.
    pub(crate) is_limited: bool,
    pub(crate) elo: i64,
    pub(crate) level: i64,
}

impl Settings {
    /// How strong to play, if not as strong as possible.
    pub(crate) fn strength(&self) -> Option<Strength> {
        if self.is_limited {
            Some(Strength::of_elo(self.elo))
        } else {
            Strength::of_level(self.level)
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            kernels: net::Kernels::detect(),
            multi_pv: 1,
            tablebases: search::Tablebases::default(),
            mode: Mode::default(),
            tree: TreeOptions::default(),
            overhead: Duration::from_millis(10),
            contempt: 0,
            is_chess960: false,
            shows_wdl: false,
            is_minimal: false,
            is_limited: false,
            elo: DEFAULT_ELO,
            level: Strength::LEVELS,
        }
    }
}

/// What must be done besides remembering a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// Use this many threads.
    Threads(usize),
    /// Use a table of this many MiB.
    Hash(usize),
    /// Forget the table.
    ClearHash,
    /// Evaluate by the network of this name.
    Network(String),
    /// Evaluate by the network in this file; by the default one if empty.
    EvalFile(String),
    /// Open the endgame tables of these folders; close them if empty.
    SyzygyPath(String),
    /// Use the endgame tables by the settings.
    Tablebases,
    /// Run networks on these kernels.
    Kernels(String),
    /// Let this search think.
    Mode(Mode),
    /// Use the tree searches by the settings.
    Tree,
    /// Rank moves by the policy in this file; by the default one if empty.
    PolicyFile(String),
    /// Log to this file; to none if empty.
    Log(String),
    /// Set a number of the search.
    Param(&'static str, i32),
}

impl Effect {
    /// Whether it would change what a search that is under way evaluates with.
    pub(crate) const fn changes_network(&self) -> bool {
        matches!(
            self,
            Self::Network(_) | Self::EvalFile(_) | Self::Kernels(_) | Self::PolicyFile(_)
        )
    }
}

type Apply = Box<dyn Fn(&mut Settings, &OptionValue) -> Effect + Send>;

/// All options with what they do.
pub(crate) struct Options(Vec<(OptionSpec, Apply)>);

impl Options {
    pub(crate) fn new() -> Self {
        let mut options = Self(vec![]);
        options.declare_engine();
        options.declare_protocol();
        options.declare_tunables();
        options
    }

    /// The options in the order in which they are announced.
    pub(crate) fn specs(&self) -> impl Iterator<Item = &OptionSpec> {
        self.0.iter().map(|(spec, _)| spec)
    }

    /// The option with this name, in any case and with any blanks.
    pub(crate) fn find(&self, name: &str) -> Option<&(OptionSpec, Apply)> {
        self.0.iter().find(|(spec, _)| spec.is_named(name))
    }

    fn declare_engine(&mut self) {
        self.spin("Hash", DEFAULT_HASH, 1, MAX_HASH, |_, mebibytes| {
            Effect::Hash(mebibytes as usize)
        });
        // A table of 2^n units of 16 bytes, for those who think in bits.
        self.spin("hashbits", 20, 16, 41, |_, bits| Effect::Hash(1 << (bits - 16)));
        self.spin("Threads", 1, 1, MAX_THREADS, |settings, threads| {
            settings.threads = threads as usize;
            Effect::Threads(threads as usize)
        });
        self.button("Clear Hash", Effect::ClearHash);
        self.spin("MultiPV", 1, 1, MAX_MULTI_PV, |settings, lines| {
            settings.multi_pv = lines as usize;
            Effect::None
        });
        self.spin("Move Overhead", 10, 0, 10_000, |settings, millis| {
            settings.overhead = Duration::from_millis(millis as u64);
            Effect::None
        });
        self.spin("Contempt", 0, -100, 100, |settings, centipawns| {
            settings.contempt = centipawns as i32;
            Effect::None
        });
        let networks = crate::networks::names();
        self.combo("Network", networks[0], &networks, |_, name| Effect::Network(name.to_owned()));
        self.string("EvalFile", "", |path| Effect::EvalFile(path.to_owned()));
        let kernels = ["auto", "portable", "avx2", "avx512", "avx512vnni", "neon"];
        self.combo("Kernels", "auto", &kernels, |_, name| Effect::Kernels(name.to_owned()));
        self.declare_tablebases();
        self.declare_trees();
    }

    /// The choice of a search, and how those with a tree work.
    fn declare_trees(&mut self) {
        let modes = Mode::ALL.map(Mode::name);
        self.combo("SearchMode", Mode::default().name(), &modes, |settings, name| {
            settings.mode = Mode::by_name(name).unwrap_or_default();
            Effect::Mode(settings.mode)
        });
        let leaves = Leaf::ALL.map(Leaf::name);
        self.combo("MctsLeaf", Leaf::default().name(), &leaves, |settings, name| {
            settings.tree.leaf = Leaf::by_name(name).unwrap_or_default();
            Effect::Tree
        });
        self.string("PolicyFile", "", |path| Effect::PolicyFile(path.to_owned()));
        let classic = search::ClassicOptions::default();
        self.spin("ClassicExploration", classic.exploration.into(), 0, 1000, |settings, share| {
            settings.tree.classic.exploration = share as u16;
            Effect::Tree
        });
        let (iterations, most) = (classic.iterations as i64, 1_000_000_000);
        self.spin("ClassicIterations", iterations, 1, most, |settings, iterations| {
            settings.tree.classic.iterations = iterations as u64;
            Effect::Tree
        });
        let rollouts = Rollout::ALL.map(Rollout::name);
        self.combo("ClassicRollout", classic.rollout.name(), &rollouts, |settings, name| {
            settings.tree.classic.rollout = Rollout::by_name(name).unwrap_or_default();
            Effect::Tree
        });
        self.check("VerboseMoveStats", false, |settings, is_on| {
            settings.tree.shows_moves = is_on;
            Effect::Tree
        });
    }

    fn declare_tablebases(&mut self) {
        self.string("SyzygyPath", "", |paths| Effect::SyzygyPath(paths.to_owned()));
        self.spin("SyzygyProbeDepth", 1, 1, 100, |settings, depth| {
            settings.tablebases.probe_depth = depth as i32;
            Effect::Tablebases
        });
        self.spin("SyzygyProbeLimit", 7, 0, 7, |settings, men| {
            settings.tablebases.probe_limit = men as usize;
            Effect::Tablebases
        });
        self.check("Syzygy50MoveRule", true, |settings, is_on| {
            settings.tablebases.rule =
                if is_on { FiftyMoves::Counted } else { FiftyMoves::Ignored };
            Effect::Tablebases
        });
    }

    fn declare_protocol(&mut self) {
        self.flag("Ponder", |_, _| ());
        self.flag("UCI_Chess960", |settings, is_on| settings.is_chess960 = is_on);
        self.flag("UCI_ShowWDL", |settings, is_on| settings.shows_wdl = is_on);
        self.flag("UCI_AnalyseMode", |_, _| ());
        self.flag("Minimal", |settings, is_on| settings.is_minimal = is_on);
        self.flag("UCI_LimitStrength", |settings, is_on| settings.is_limited = is_on);
        let (least, most) = (*Strength::ELO.start(), *Strength::ELO.end());
        self.spin("UCI_Elo", DEFAULT_ELO, least, most, |settings, elo| {
            settings.elo = elo;
            Effect::None
        });
        self.spin("Skill Level", Strength::LEVELS, 0, Strength::LEVELS, |settings, level| {
            settings.level = level;
            Effect::None
        });
        self.string("UCI_Opponent", "", |_| Effect::None);
        self.string("UCI_EngineAbout", crate::session::ABOUT, |_| Effect::None);
        self.string("Debug Log File", "", |path| Effect::Log(path.to_owned()));
    }

    /// Under the `tune` feature every number of the search is an option.
    fn declare_tunables(&mut self) {
        if !cfg!(feature = "tune") {
            return;
        }
        for spec in search::Params::SPECS {
            let [default, min, max] = [spec.default, spec.min, spec.max].map(i64::from);
            self.spin(spec.name, default, min, max, |_, value| {
                Effect::Param(spec.name, value as i32)
            });
        }
    }

    fn declare(&mut self, spec: Result<OptionSpec, uci::OptionSpecError>, apply: Apply) {
        self.0.push((spec.expect("options are declared within their ranges"), apply));
    }

    fn spin(
        &mut self,
        name: &str,
        default: i64,
        min: i64,
        max: i64,
        apply: impl Fn(&mut Settings, i64) -> Effect + Send + 'static,
    ) {
        self.declare(
            OptionSpec::spin(name, default, min..=max),
            Box::new(move |settings, value| match value {
                OptionValue::Spin(number) => apply(settings, *number),
                _ => Effect::None,
            }),
        );
    }

    fn check(
        &mut self,
        name: &str,
        default: bool,
        apply: impl Fn(&mut Settings, bool) -> Effect + Send + 'static,
    ) {
        self.declare(
            OptionSpec::check(name, default),
            Box::new(move |settings, value| apply(settings, *value == OptionValue::Check(true))),
        );
    }

    /// A setting that is off at first and that only needs to be remembered.
    fn flag(&mut self, name: &str, apply: impl Fn(&mut Settings, bool) + Send + 'static) {
        self.check(name, false, move |settings, is_on| {
            apply(settings, is_on);
            Effect::None
        });
    }

    fn button(&mut self, name: &str, effect: Effect) {
        self.declare(OptionSpec::button(name), Box::new(move |_, _| effect.clone()));
    }

    fn combo(
        &mut self,
        name: &str,
        default: &str,
        vars: &[&str],
        apply: impl Fn(&mut Settings, &str) -> Effect + Send + 'static,
    ) {
        self.declare(
            OptionSpec::combo(name, default, vars),
            Box::new(move |settings, value| match value {
                OptionValue::Combo(text) => apply(settings, text),
                _ => Effect::None,
            }),
        );
    }

    fn string(
        &mut self,
        name: &str,
        default: &str,
        apply: impl Fn(&str) -> Effect + Send + 'static,
    ) {
        self.declare(
            OptionSpec::string(name, default),
            Box::new(move |_, value| match value {
                OptionValue::String(text) => apply(text),
                _ => Effect::None,
            }),
        );
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.specs()).finish()
    }
}
