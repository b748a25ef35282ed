// SPDX-License-Identifier: GPL-3.0-or-later
//! Counting what a search does.

use std::fmt;
use std::ops::AddAssign;

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident = $label:literal;)*) => {
        /// How often each thing happened in a search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Stats {
            $($(#[doc = $doc])+ pub $name: u64,)*
        }

        impl Stats {
            /// Every count with its label.
            pub fn entries(&self) -> Vec<(&'static str, u64)> {
                vec![$(($label, self.$name)),*]
            }

            /// What has happened since earlier counts of the same search were taken.
            #[must_use]
            pub fn since(&self, earlier: Self) -> Self {
                Self { $($name: self.$name - earlier.$name,)* }
            }
        }

        impl AddAssign for Stats {
            fn add_assign(&mut self, other: Self) {
                $(self.$name += other.$name;)*
            }
        }
    };
}

counters! {
    /// Nodes of the principal variation.
    pv_nodes = "pv";
    /// Nodes where a move was too good.
    cut_nodes = "cut";
    /// Nodes where no move was good enough.
    all_nodes = "all";
    /// Nodes of the quiescence search.
    quiescence_nodes = "quiescence";
    /// Null moves tried.
    null_moves = "null-move";
    /// Nodes answered by the transposition table.
    table_cuts = "table";
    /// Positions found in the tablebases.
    tablebase_hits = "tablebase hits";
    /// Nodes cut after a null move.
    null_cuts = "null-move cuts";
    /// Nodes cut by reverse futility.
    reverse_futility_cuts = "reverse-futility cuts";
    /// Moves skipped by futility.
    futility_skips = "futility skips";
    /// Times when the rest of the quiet moves was skipped.
    late_move_skips = "late-move skips";
    /// Nodes cut by razoring.
    razor_cuts = "razor cuts";
    /// Nodes cut by a capture far above beta.
    prob_cuts = "prob-cuts";
    /// Searches that asked whether the table's move is the only good one.
    singular_searches = "singular searches";
    /// Moves extended because they are.
    singular_extensions = "singular extensions";
    /// Nodes cut because another move was too good as well.
    multi_cuts = "multi-cuts";
    /// Moves skipped because they have failed everywhere.
    history_skips = "history skips";
    /// Moves skipped because they lose material.
    exchange_skips = "exchange skips";
    /// Moves searched with a reduction.
    reductions = "reductions";
    /// Reduced moves that had to be searched again.
    researches = "re-searches";
    /// Nodes extended because of check.
    check_extensions = "check extensions";
    /// Cut nodes where the first move was enough.
    first_move_cuts = "first-move cuts";
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self
            .entries()
            .into_iter()
            .filter(|&(_, count)| count > 0)
            .map(|(label, count)| format!("{label} {count}"))
            .collect();
        f.write_str(&shown.join(", "))
    }
}
