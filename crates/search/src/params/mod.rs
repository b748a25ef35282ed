// SPDX-License-Identifier: GPL-3.0-or-later
//! Every heuristic of the search and every number that can be tuned, declared once.
//!
//! One file per family. A heuristic is declared with its title, its switch, whether it can overlook a
//! mate, its counters and its numbers. From that follow the accessors, what `go mate` turns off, the
//! counters of `searchstats`, the UCI options and inputs of the tuner, the table of ablations, the screen
//! of all switches and the page docs/reference/search-numbers.md.
//!
//! Switches can be set in every build. All other numbers are constants unless the feature `tune` is on:
//! the compiler then folds them into the search, and a division by a number costs a multiplication.
//!
//! Suffixes: `_on` switches a heuristic, `_try` switches a change that is being tried (a number, so that
//! it costs nothing in other builds than that for tuning), `_margin` is in points per unit, `_base` is flat, `_scale` is a
//! factor in 1/1024, `_divisor` divides, `_min_depth` and `_max_depth` are inclusive, `_max` is a cap.
//! Margins are in the evaluation's units; times are in hundredths.

mod clock;
mod counters;
mod declare;
mod depth;
mod evaluation;
mod iteration;
mod ordering;
mod pruning;
mod quiescence;
mod reduction;
mod skipping;
mod spec;
mod threads;
mod tree;
mod tried;

use counters::NodeStats;
pub use spec::{Family, Heuristic, MateSafety, ParamSpec, Scope};

use std::ops::AddAssign;

/// Whether numbers can be set in this build: where the search is tuned or tested. Switches always can.
const NUMBERS_ARE_SETTABLE: bool = cfg!(any(feature = "tune", test));

macro_rules! families {
    ($($family:ident: $Params:ident, $Stats:ident;)*) => {
        /// The switches and tunable numbers of the search. Any value within its range is valid.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct Params {
            $($family: $family::$Params,)*
        }

        impl Params {
            /// Every heuristic, by family.
            pub const FAMILIES: &[Family] = &[$($family::FAMILY),*];

            /// Sets a switch or number by name, clamped to its range; tells whether there is one that can
            /// be set in this build.
            #[must_use = "there may be no such number"]
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                $(self.$family.set(name, value))||*
            }

            /// A switch or number by name.
            pub fn get(&self, name: &str) -> Option<i32> {
                None$(.or_else(|| self.$family.get(name)))*
            }

            /// The same numbers with every heuristic off that can overlook a mate: for those who ask for
            /// one, a proof is worth more than depth.
            #[must_use]
            pub fn for_mates(&self) -> Self {
                let mut params = self.clone();
                $(params.$family.turn_off_for_mates();)*
                params
            }
        }

        $(use $family::$Stats;)*

        /// How often each thing happened in a search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Stats {
            /// Nodes by kind.
            pub(crate) nodes: NodeStats,
            $(
                #[doc = concat!("What the family `", stringify!($family), "` has done.")]
                pub(crate) $family: $Stats,
            )*
        }

        impl Stats {
            /// Every count with its label.
            pub fn entries(&self) -> Vec<(&'static str, u64)> {
                [self.nodes.entries(), $(self.$family.entries()),*].concat()
            }

            /// A count by its label.
            pub fn get(&self, label: &str) -> Option<u64> {
                let entries = self.entries();
                entries.into_iter().find(|&(name, _)| name == label).map(|(_, count)| count)
            }

            /// What has happened since earlier counts of the same search were taken.
            #[must_use]
            pub const fn since(&self, earlier: &Self) -> Self {
                Self {
                    nodes: self.nodes.since(&earlier.nodes),
                    $($family: self.$family.since(&earlier.$family),)*
                }
            }
        }

        impl AddAssign for Stats {
            fn add_assign(&mut self, other: Self) {
                self.nodes.add(&other.nodes);
                $(self.$family.add(&other.$family);)*
            }
        }
    };
}

families! {
    iteration: IterationParams, IterationStats;
    threads: ThreadsParams, ThreadsStats;
    evaluation: EvaluationParams, EvaluationStats;
    pruning: PruningParams, PruningStats;
    depth: DepthParams, DepthStats;
    skipping: SkippingParams, SkippingStats;
    reduction: ReductionParams, ReductionStats;
    ordering: OrderingParams, OrderingStats;
    quiescence: QuiescenceParams, QuiescenceStats;
    clock: ClockParams, ClockStats;
    tree: TreeParams, TreeStats;
    tried: TriedParams, TriedStats;
}

impl Params {
    /// Every switch and number with its range.
    pub const SPECS: &[ParamSpec] =
        &spec::flatten::<{ spec::count(Params::FAMILIES) }>(Params::FAMILIES);

    /// Every heuristic.
    pub fn heuristics() -> impl Iterator<Item = &'static Heuristic> {
        Self::FAMILIES.iter().flat_map(|family| family.heuristics)
    }

    /// The same numbers with one of them set.
    ///
    /// # Panics
    /// If there is no such number that can be set in this build.
    #[must_use]
    pub fn with(mut self, name: &str, value: i32) -> Self {
        assert!(self.set(name, value), "there is no number `{name}` to set");
        self
    }
}

#[cfg(test)]
mod tests;
