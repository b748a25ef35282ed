// SPDX-License-Identifier: GPL-3.0-or-later
//! Monte-Carlo tree search: a tree that grows where it is worth looking, guided by a policy and
//! valued by the same evaluation as alpha-beta.
//!
//! | file | what it holds |
//! |---|---|
//! | `arena`, `node`, `edges`, `tree` | how the tree lies in memory |
//! | `select` | which move an iteration follows |
//! | `prior` | how promising moves look before they are searched |
//! | `leaf` | what a new position is worth |
//! | `walk` | one iteration: select, expand, evaluate, back up |
//! | `proof` | wins, losses and draws that are certain |
//! | `grow`, `watch` | all threads together; limits, clock and reports |
//! | `collect`, `reroot` | forgetting what does not fit, and using again what does |
//! | `report` | best lines and numbers of moves |
//! | `classic` | the selection rule of Napoleon, the engine that this search goes back to |
//! | `tuning` | the search's numbers |
//!
//! docs/concepts/mcts.md tells the ideas and their reasons.

mod arena;
mod classic;
mod collect;
mod edges;
mod grow;
mod leaf;
mod node;
mod prior;
mod proof;
mod report;
mod reroot;
mod select;
#[cfg(test)]
mod testing;
mod tree;
mod tuning;
mod walk;
mod watch;

pub use classic::{ClassicOptions, Rollout};
pub use leaf::Leaf;
pub use prior::Ranking;
pub use report::{MoveStats, TreeNode};

use std::fmt;
use std::sync::Arc;

use chess::Move;

use crate::alphabeta::Probe;
use crate::pool::Pool;
use crate::{
    Answer, Control, Effort, Limits, Line, Params, Position, Report, Score, Stats, TimePlan,
};
use classic::Grove;
use grow::Growth;
use leaf::Draws;
use prior::Ranker;
use report::Reader;
use reroot::Rooted;
use tree::Tree;
use tuning::Tuning;
use walk::{Shared, Walker};
use watch::Watch;

/// Which search thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Alpha-beta.
    #[default]
    AlphaBeta,
    /// Monte-Carlo tree search.
    Mcts,
    /// The tree search of Napoleon.
    Classic,
}

impl Mode {
    /// Every search.
    pub const ALL: [Self; 3] = [Self::AlphaBeta, Self::Mcts, Self::Classic];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alphabeta",
            Self::Mcts => "mcts",
            Self::Classic => "classic",
        }
    }

    /// The search of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How the tree searches work.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeOptions {
    /// What evaluates the leaves.
    pub leaf: Leaf,
    /// How the classic search works.
    pub classic: ClassicOptions,
    /// Whether to report the numbers of all moves.
    pub shows_moves: bool,
}

/// What may be played at the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) moves: Vec<Move>,
    /// Whether some legal moves are left out.
    pub(crate) is_partial: bool,
    /// What the tablebases say about moves.
    pub(crate) table_scores: Vec<(Move, Score)>,
}

/// What is to be searched.
pub(crate) struct Job<'a> {
    pub(crate) position: &'a Position,
    pub(crate) limits: &'a Limits,
    pub(crate) plan: TimePlan,
    pub(crate) control: &'a Arc<Control>,
    pub(crate) report: &'a Report,
    pub(crate) params: &'a Params,
    pub(crate) candidates: Candidates,
    /// The threads that search; if there are none, the caller's does.
    pub(crate) pool: Option<&'a Pool>,
    pub(crate) shows_moves: bool,
}

impl Job<'_> {
    /// Whether deadlines count: not while the opponent thinks, and not in endless analysis.
    fn is_timed(&self) -> bool {
        !self.control.is_pondering() && !self.limits.infinite
    }

    /// Whether even a few iterations may take too long.
    fn has_to_hurry(&self) -> bool {
        self.is_timed() && self.plan.is_over()
    }

    /// The best of the lines, which come in the order of the search: as many as were asked for, with
    /// ranks. The tablebases' order goes before the search's, and no line is shown as better than one
    /// that is preferred to it: a high value after few visits is not believed.
    fn best_of(&self, lines: impl Iterator<Item = Line>) -> Vec<Line> {
        let count = self.limits.multi_pv.max(1);
        let mut lines: Vec<Line> = if self.candidates.table_scores.is_empty() {
            lines.take(count).collect()
        } else {
            let mut lines: Vec<Line> = lines.collect();
            lines.sort_by_key(|line| std::cmp::Reverse(line.score));
            lines.truncate(count);
            lines
        };
        let mut most = Score::MAX;
        for (index, line) in lines.iter_mut().enumerate() {
            line.rank = index + 1;
            // A mate is what it is, with its moves.
            if line.score.mate_moves().is_none() {
                line.score = line.score.min(most);
            }
            most = line.score;
        }
        lines
    }

    /// A line's score as people see it: what the tablebases know is better than an evaluation, but a
    /// mate is better still.
    fn shown_score(&self, line: &Line) -> Score {
        let found = self.candidates.table_scores.iter().find(|(mv, _)| *mv == line.moves[0]);
        let is_mate = line.score.mate_moves().is_some();
        found.filter(|_| !is_mate).map_or(line.score, |&(_, score)| score)
    }
}

/// The tree search with what it remembers from move to move.
#[derive(Debug, Default)]
pub(crate) struct Mind {
    pub(crate) mode: Mode,
    options: TreeOptions,
    ranking: Ranking,
    tree: Option<Tree>,
    grove: Option<Grove>,
    /// Where the tree begins; `None` if it is empty.
    rooted: Option<Rooted>,
}

impl Mind {
    /// Of the memory that a tree search gets, one part in this many is the transposition table's,
    /// which serves the searches of leaves.
    pub(crate) const TABLE_PART: usize = 8;

    /// Uses this many bytes for the tree from now on; `false` if the system has not got the memory.
    #[must_use]
    pub(crate) fn set_memory(&mut self, bytes: usize) -> bool {
        self.rooted = None;
        // The old memory is given back first: both may not fit.
        (self.tree, self.grove) = (None, None);
        match self.mode {
            Mode::AlphaBeta => return true,
            Mode::Mcts => self.tree = Tree::new(bytes),
            Mode::Classic => self.grove = Grove::new(bytes),
        }
        self.tree.is_some() || self.grove.is_some()
    }

    /// Forgets the tree.
    pub(crate) fn clear(&mut self) {
        self.rooted = None;
    }

    pub(crate) const fn options(&self) -> &TreeOptions {
        &self.options
    }

    pub(crate) fn set_options(&mut self, options: TreeOptions) {
        self.options = options;
        self.clear();
    }

    pub(crate) const fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    pub(crate) fn set_ranking(&mut self, ranking: Ranking) {
        self.ranking = ranking;
        self.clear();
    }

    /// Bytes of the tree.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.as_ref().map_or(0, Tree::bytes) + self.grove.as_ref().map_or(0, Grove::bytes)
    }

    /// Searches.
    pub(crate) fn think(&mut self, probes: Vec<Probe<'_>>, job: &Job<'_>) -> Answer {
        if job.candidates.moves.is_empty() {
            let effort = Effort { time: job.plan.elapsed(), ..Effort::default() };
            return Answer { best: None, effort, stats: Stats::default() };
        }
        match &mut self.grove {
            Some(grove) => classic::think(probes, job, self.options.classic, grove),
            None => self.grow(probes, job),
        }
    }

    /// Grows the tree until a limit is reached.
    fn grow(&mut self, probes: Vec<Probe<'_>>, job: &Job<'_>) -> Answer {
        let tuning = Tuning::new(job.params);
        let draws = Draws::new(job.position.board(), job.limits.contempt);
        let is_reused = self.reroot(job);
        let tree = self.tree.as_mut().expect("the mode has got its memory");
        let leaf = self.options.leaf;
        let mut walkers: Vec<_> =
            probes.into_iter().map(|p| Walker::new(p, Ranker::new(&self.ranking))).collect();
        open(tree, &tuning, (leaf, draws), &mut walkers[0], job, is_reused);
        let visits_before = tree.root_node().visits();
        let mut growth = Growth { job, tree, tuning, draws, leaf };
        let mut watch = Watch::new(job, visits_before);
        growth.run(&mut walkers, &mut watch);
        let reader = growth.reader();
        watch.report_last_moves(reader);
        let best = watch.last_line(reader);
        for walker in &mut walkers {
            walker.finish();
        }
        Answer { best, effort: watch.effort(reader), stats: Stats::default() }
    }

    /// Makes the job's position the root, with what is known of it if possible. Whether it is.
    fn reroot(&mut self, job: &Job<'_>) -> bool {
        let tree = self.tree.as_mut().expect("the mode has got its memory");
        let contempt = job.limits.contempt;
        let is_partial = job.candidates.is_partial;
        let rooted = self.rooted.take().filter(|_| !is_partial);
        let found = rooted.and_then(|rooted| rooted.find(tree, job.position, contempt));
        let found = found.filter(|&place| tree.keeps_its_word(place));
        match found {
            Some(place) => tree.set_root(place),
            None => tree.clear(),
        }
        self.rooted = Some(Rooted { position: job.position.clone(), contempt, is_partial });
        found.is_some()
    }

    /// The tree below the end of a line of moves from the last root, so many plies deep; `None` if
    /// there is none.
    pub(crate) fn tree_below(
        &self,
        params: &Params,
        line: &[Move],
        depth: usize,
    ) -> Option<(Position, TreeNode)> {
        let (tree, rooted) = (self.tree.as_ref()?, self.rooted.as_ref()?);
        let tuning = Tuning::new(params);
        let draws = Draws::new(rooted.position.board(), rooted.contempt);
        let reader = Reader { tree, tuning: &tuning, draws };
        Some((rooted.position.clone(), reader.below(line, depth)?))
    }
}

/// Gives the root its moves. In a tree that is used again, the root and its children get the priors of
/// their new places.
fn open(
    tree: &mut Tree,
    tuning: &Tuning,
    (leaf, draws): (Leaf, Draws),
    walker: &mut Walker<'_>,
    job: &Job<'_>,
    is_reused: bool,
) {
    if is_reused && tree.root_node().expansion().is_none() && tree.fill() > 900 {
        tree.collect();
    }
    let tree = &*tree;
    let deepest = std::sync::atomic::AtomicUsize::new(0);
    let shared = Shared { tree, tuning, leaf, draws, deepest: &deepest };
    let is_labelled = tree.root_node().expansion().is_none();
    let wanted: &[Move] = if job.candidates.is_partial { &job.candidates.moves } else { &[] };
    walker.open_root(&shared, wanted);
    if is_reused {
        if !is_labelled {
            walker.relabel(&shared, &[], tree.root());
        }
        for (edge, child) in tree.children(tree.root()) {
            walker.relabel(&shared, &[edge.mv], child);
        }
    }
}
