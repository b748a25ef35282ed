// SPDX-License-Identifier: GPL-3.0-or-later
//! The thinking: alpha-beta and tree search with their evaluation, limits, clocks and tables.
//!
//! Nothing here prints or knows a protocol: a search takes a position and [`Limits`], reports
//! [`Info`] to a callback and returns an [`Answer`].
//!
//! ```
//! use search::{Limits, Position, Searcher};
//! let position = Position::from_fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").unwrap();
//! let answer = Searcher::new(1, 1).think(&position, &Limits::to_depth(3));
//! assert_eq!(answer.best.unwrap().score.mate_moves(), Some(1));
//! ```

mod alphabeta;
mod clock;
mod control;
#[cfg(test)]
mod effects;
mod eval;
mod info;
mod limits;
mod mcts;
mod memory;
mod params;
mod pool;
mod position;
mod request;
mod score;
mod searcher;
mod tablebases;
mod units;
mod wdl;
mod window;

pub use alphabeta::{Ordered, OrderedKind, TableStats, TableView};
pub use clock::{SearchProgress, TimePlan};
pub use control::Control;
pub use eval::{Evaluator, Network};
pub use info::{Answer, Bound, Effort, Info, Line, MoveStats, Report};
pub use limits::{Clock, Limits};
pub use mcts::{ClassicOptions, Leaf, Ranking, Rollout, TreeNode, TreeOptions};
pub use params::{Family, Heuristic, MateSafety, ParamSpec, Params, Scope, Stats};
pub use pool::STACK_BYTES;
pub use position::Position;
pub use score::{MAX_PLY, Score};
pub use searcher::{Mode, Searcher};
pub use tablebases::Tablebases;
pub use units::{Centipawns, Points, ShownScore};
pub use wdl::{Odds, Wdl};
pub use window::Window;
