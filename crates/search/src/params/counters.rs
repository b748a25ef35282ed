// SPDX-License-Identifier: GPL-3.0-or-later
//! Counting what a search does.

use std::fmt;

use super::Stats;

/// Declares a struct of counters.
macro_rules! counters {
    ($Stats:ident { $($name:ident = $label:literal;)* }) => {
        /// How often each thing happened in a search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[allow(clippy::struct_field_names, reason = "a name is looked for as a whole")]
        pub(crate) struct $Stats {
            $(#[doc = $label] pub(crate) $name: u64,)*
        }

        impl $Stats {
            /// Every count with its label.
            pub(super) fn entries(&self) -> Vec<(&'static str, u64)> {
                vec![$(($label, self.$name)),*]
            }

            /// What has happened since earlier counts of the same search were taken.
            #[must_use]
            pub(super) const fn since(&self, earlier: &Self) -> Self {
                let _ = earlier; // families without a counter need it for nothing
                Self { $($name: self.$name - earlier.$name,)* }
            }

            /// Adds another thread's counts.
            pub(super) const fn add(&mut self, other: &Self) {
                let _ = other;
                $(self.$name += other.$name;)*
            }
        }
    };
}

pub(super) use counters;

counters! {
    NodeStats {
        pv = "pv";
        cut = "cut";
        all = "all";
        quiescence = "quiescence";
        first_move_cuts = "first-move cuts";
    }
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

#[cfg(test)]
mod tests {
    use super::super::Params;
    use super::*;

    #[test]
    fn every_counter_of_a_heuristic_is_among_the_entries() {
        let entries = Stats::default().entries();
        for label in Params::heuristics().flat_map(|heuristic| heuristic.counters) {
            let found = entries.iter().filter(|(name, _)| name == label).count();
            assert_eq!(found, 1, "{label}");
        }
    }

    #[test]
    fn counts_are_added_and_subtracted() {
        let mut stats = Stats::default();
        stats.pruning.razor_cuts = 3;
        let before = stats;
        stats += before;
        assert_eq!(stats.pruning.razor_cuts, 6);
        assert_eq!(stats.since(&before), before);
        assert_eq!(before.to_string(), "razor cuts 3");
    }
}
