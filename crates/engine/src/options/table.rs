// SPDX-License-Identifier: GPL-3.0-or-later
//! The options of the engine. Each is declared here and nowhere else: its name, the values it takes,
//! its default, what it changes, and what it is for.

use search::{ClassicOptions, Leaf, Mode, Rollout};
use tablebase::FiftyMoves;

use super::declare::options;
use super::effect::Effect::{AfterSearch, NotInSearch, Remember};
use super::kind::{Button, Check, Choice, OneOf, Spin, Text};
use crate::config::DEFAULT_HASH;
use crate::strength::Strength;

/// The largest table, in MiB.
pub const MAX_HASH: i64 = 1 << 25;
/// The most threads.
pub const MAX_THREADS: i64 = 1024;
/// The most lines: no position has more moves.
pub const MAX_MULTI_PV: i64 = 256;

const DEFAULT_ELO: i64 = 1500;
const KERNELS: [&str; 6] = ["auto", "portable", "avx2", "avx512", "avx512vnni", "neon"];

options! {
    /// Memory in MiB for the transposition table. A tree search keeps its tree there too.
    hash: Hash(i64) = "Hash", Spin(DEFAULT_HASH as i64, 1..=MAX_HASH),
        AfterSearch(|target, &mebibytes| target.resize(mebibytes as usize));

    /// The same memory as a power of two: a table of 2^N units of 16 bytes.
    hash_bits: HashBits(i64) = "hashbits", Spin(20, 16..=41),
        AfterSearch(|target, &bits| target.resize(1 << (bits - 16)));

    /// How many threads search.
    threads: Threads(i64) = "Threads", Spin(1, 1..=MAX_THREADS),
        AfterSearch(|target, &threads| { target.set_threads(threads as usize); Ok(()) });

    /// Forgets everything that earlier searches have learnt.
    clear_hash: ClearHash(()) = "Clear Hash", Button,
        AfterSearch(|target, ()| { target.clear(); Ok(()) });

    /// How many best lines to show.
    multi_pv: MultiPv(i64) = "MultiPV", Spin(1, 1..=MAX_MULTI_PV), Remember;

    /// Milliseconds that pass between the engine's move and the stop of its clock. They are kept in
    /// reserve when the engine plays on a clock; `movetime` is used in full.
    overhead: MoveOverhead(i64) = "Move Overhead", Spin(10, 0..=10_000), Remember;

    /// Nodes that count as a millisecond; 0 lets time count. The clock of a game then runs by nodes: the first
    /// search of a game sets it, and each one takes its nodes from it and adds the increment. For matches
    /// that tell the same on a busy machine as on an idle one.
    nodes_per_ms: NodesTime(i64) = "nodestime", Spin(0, 0..=10_000), Remember;

    /// Centipawns that a draw is worth less than an even position.
    contempt: Contempt(i64) = "Contempt", Spin(0, -100..=100), Remember;

    /// The network that evaluates, by name. `material` needs none.
    network: Network(String) = "Network", OneOf(crate::networks::names()),
        NotInSearch(|target, name| target.use_named_network(name));

    /// The network that evaluates, from a file; empty for the default network.
    eval_file: EvalFile(String) = "EvalFile", Text(""),
        NotInSearch(|target, path| target.use_network_file(path));

    /// Whether material evaluates if the file of `EvalFile` cannot be loaded. Otherwise the network
    /// before stays in use.
    falls_back: MaterialFallback(bool) = "MaterialFallback", Check(false),
        AfterSearch(|target, &is_on| { target.config.falls_back = is_on; Ok(()) });

    /// The instructions that compute networks. All of them give the same results; `auto` takes the
    /// fastest that this processor has.
    kernels: Kernels(String) = "Kernels", OneOf(KERNELS.to_vec()),
        NotInSearch(|target, name| target.use_kernels(name));

    /// Folders with Syzygy endgame tables, separated by `:` (by `;` on Windows); empty for none.
    syzygy_path: SyzygyPath(String) = "SyzygyPath", Text(""),
        AfterSearch(|target, paths| target.open_tables(paths));

    /// Positions with as many men as the limit allows are looked up from this depth on.
    syzygy_depth: SyzygyProbeDepth(i64) = "SyzygyProbeDepth", Spin(1, 1..=100),
        AfterSearch(|target, &depth| {
            target.change_tablebases(|tables| tables.probe_depth = depth as i32);
            Ok(())
        });

    /// Positions with more men are not looked up in the endgame tables.
    syzygy_limit: SyzygyProbeLimit(i64) = "SyzygyProbeLimit", Spin(7, 0..=7),
        AfterSearch(|target, &men| {
            target.change_tablebases(|tables| tables.probe_limit = men as usize);
            Ok(())
        });

    /// Whether wins that the fifty-move rule spoils count as draws.
    syzygy_fifty_moves: Syzygy50MoveRule(bool) = "Syzygy50MoveRule", Check(true),
        AfterSearch(|target, &is_on| {
            let rule = if is_on { FiftyMoves::Counted } else { FiftyMoves::Ignored };
            target.change_tablebases(|tables| tables.rule = rule);
            Ok(())
        });

    /// The search: alpha-beta, Monte-Carlo tree search, or the tree search of Napoleon.
    mode: SearchMode(Mode) = "SearchMode", Choice(Mode::default()),
        AfterSearch(|target, &mode| target.use_mode(mode));

    /// What evaluates the leaves of `mcts`: the network alone, or a small alpha-beta search.
    leaf: MctsLeaf(Leaf) = "MctsLeaf", Choice(Leaf::default()),
        AfterSearch(|target, &leaf| { target.change_tree(|tree| tree.leaf = leaf); Ok(()) });

    /// The policy network that ranks moves in `mcts`, from a file; empty for the one in the binary.
    policy_file: PolicyFile(String) = "PolicyFile", Text(""),
        NotInSearch(|target, path| target.use_policy(path));

    /// In `classic`, how much results of simulations count against evaluations, in thousandths.
    classic_exploration: ClassicExploration(i64) = "ClassicExploration",
        Spin(ClassicOptions::default().exploration.into(), 0..=1000),
        AfterSearch(|target, &share| {
            target.change_tree(|tree| tree.classic.exploration = share as u16);
            Ok(())
        });

    /// In `classic`, the iterations that end a search.
    classic_iterations: ClassicIterations(i64) = "ClassicIterations",
        Spin(ClassicOptions::default().iterations as i64, 1..=1_000_000_000),
        AfterSearch(|target, &iterations| {
            target.change_tree(|tree| tree.classic.iterations = iterations as u64);
            Ok(())
        });

    /// In `classic`, how simulations end.
    classic_rollout: ClassicRollout(Rollout) = "ClassicRollout",
        Choice(ClassicOptions::default().rollout),
        AfterSearch(|target, &rollout| {
            target.change_tree(|tree| tree.classic.rollout = rollout);
            Ok(())
        });

    /// Whether a tree search prints the numbers of every move, in the form of Lc0.
    shows_moves: VerboseMoveStats(bool) = "VerboseMoveStats", Check(false),
        AfterSearch(|target, &is_on| { target.change_tree(|tree| tree.shows_moves = is_on); Ok(()) });

    /// Whether the GUI may let the engine think in the opponent's time. It changes nothing by itself.
    ponder: Ponder(bool) = "Ponder", Check(false), Remember;

    /// Whether castling is written as the king taking its rook. Both ways are read.
    is_chess960: Chess960(bool) = "UCI_Chess960", Check(false), Remember;

    /// Whether lines show the chances of a win, a draw and a loss, in thousandths.
    shows_wdl: ShowWdl(bool) = "UCI_ShowWDL", Check(false), Remember;

    /// Whether the user analyses rather than plays. It changes nothing.
    is_analysis: AnalyseMode(bool) = "UCI_AnalyseMode", Check(false), Remember;

    /// Whether only the last line of a search is shown.
    is_minimal: Minimal(bool) = "Minimal", Check(false), Remember;

    /// Whether only the last line of a search is shown unless `debug` is on.
    hides_without_debug: LinesOnlyInDebug(bool) = "LinesOnlyInDebug", Check(false), Remember;

    /// Whether a line `info string pgncomment …` before each best move tells the chances of a win, a draw
    /// and a loss, and the nodes. OpenBench keeps it in the PGN of a job that makes data.
    writes_pgn_comment: PgnComment(bool) = "PgnComment", Check(false), Remember;

    /// Whether to play no stronger than `UCI_Elo`.
    is_limited: LimitStrength(bool) = "UCI_LimitStrength", Check(false), Remember;

    /// The rating to play at, if `UCI_LimitStrength` is on. A limited engine searches few nodes and
    /// chooses among its best lines at random.
    elo: Elo(i64) = "UCI_Elo", Spin(DEFAULT_ELO, Strength::ELO), Remember;

    /// The same in levels: 0 is the weakest rating, 20 is no limit.
    level: SkillLevel(i64) = "Skill Level", Spin(Strength::LEVELS, 0..=Strength::LEVELS), Remember;

    /// Whom the engine plays against. It changes nothing.
    opponent: Opponent(String) = "UCI_Opponent", Text(""), Remember;

    /// What this engine is. Setting it changes nothing.
    about: EngineAbout(String) = "UCI_EngineAbout", Text(crate::ABOUT), Remember;

    /// A file to which all lines of the conversation are appended; empty for none.
    log_file: LogFile(String) = "Debug Log File", Text(""), Remember;
}
