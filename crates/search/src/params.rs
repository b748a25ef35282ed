// SPDX-License-Identifier: GPL-3.0-or-later
//! Every number of the search that can be tuned, declared once.
//!
//! A line gives name, default, range and the step for tuning; from it come the accessor, the list that
//! makes UCI options and tuner inputs, and a check at compile time that the default is in range.
//!
//! Switches can be set in every build. All other numbers are constants unless the feature `tune` is on:
//! the compiler then folds them into the search, and a division by a number costs a multiplication.
//!
//! Suffixes: `_on` switches a heuristic (0 or 1), `_margin` is in points per unit, `_base` is flat,
//! `_scale` is a factor in 1/1024, `_divisor` divides, `_min_depth` and `_max_depth` are inclusive,
//! `_max` is a cap. Margins are in the evaluation's units; times are in hundredths.

/// A tunable number as outsiders see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamSpec {
    /// The name of the field.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// The value that ships.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// A step that can be felt in play.
    pub step: i32,
}

/// Whether a number can be set: a switch always, all others where the search is tuned or tested.
const fn is_settable(name: &str) -> bool {
    if cfg!(any(feature = "tune", test)) {
        return true;
    }
    matches!(name.as_bytes(), [.., b'_', b'o', b'n'])
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        /// The tunable numbers of the search. Any value within its range is valid.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $($name: i32,)*
        }

        impl Params {
            $($(#[doc = $doc])+
            #[inline(always)]
            pub const fn $name(&self) -> i32 {
                if is_settable(stringify!($name)) { self.$name } else { $default }
            })*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Params {
            /// Every number with its range.
            pub const SPECS: &[ParamSpec] = &[$(ParamSpec {
                name: stringify!($name),
                doc: concat!($($doc),+),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)*];

            /// Sets a number by name, clamped to its range; tells whether there is one that can be set in
            /// this build.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                $(if name == stringify!($name) && const { is_settable(stringify!($name)) } {
                    self.$name = value.clamp($min, $max);
                    return true;
                })*
                false
            }

            /// Heuristics that can overlook a mate.
            const OVERLOOKING: [&'static str; 14] = [
                "rfp_on", "razor_on", "nmp_on", "probcut_on", "probcut_table_on", "fp_on",
                "fp_noisy_on", "lmp_on", "see_on", "history_prune_on", "iir_on", "lmr_on",
                "raised_depth_on", "multicut_on",
            ];

            /// The same numbers with every heuristic off that can overlook a mate: for those who ask for
            /// one, a proof is worth more than depth.
            #[must_use]
            pub fn for_mates(&self) -> Self {
                let mut params = self.clone();
                for name in Self::OVERLOOKING {
                    params.set(name, 0);
                }
                params
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

            /// A number by name.
            pub fn get(&self, name: &str) -> Option<i32> {
                $(if name == stringify!($name) {
                    return Some(self.$name);
                })*
                None
            }
        }

        const _: () = {
            $(assert!($min <= $default && $default <= $max, "a default is out of its range");)*
        };
    };
}

params! {
    /// Aspiration: search a window around the last score first.
    asp_on: 1, 0..=1, 1;
    /// Aspiration: from this depth on.
    asp_min_depth: 4, 1..=10, 1;
    /// Aspiration: half the first window.
    asp_margin: 22, 5..=80, 4;
    /// Aspiration: the squared score is divided by this and added.
    asp_score_divisor: 12000, 2000..=40000, 1500;

    /// Threads: from this depth on, a move that another thread is searching comes last.
    share_min_depth: 4, 1..=100, 1;
    /// Threads: helpers leave out every second depth.
    share_skip_on: 1, 0..=1, 1;
    /// Threads: a result that is as deep as wanted and above beta ends a node.
    share_equal_on: 1, 0..=1, 1;

    /// Correction history: evaluations are corrected by what searches found in similar positions.
    corr_on: 1, 0..=1, 1;
    /// Correction: points for the pawn structure at most.
    corr_pawn_scale: 63, 0..=200, 8;
    /// Correction: points for each side's pieces at most.
    corr_non_pawn_scale: 56, 0..=200, 8;
    /// Correction: points for each pair of last moves at most.
    corr_move_scale: 52, 0..=200, 8;

    /// Optimism: the side that stands better at the root believes in it everywhere.
    optimism_on: 1, 0..=1, 1;
    /// Optimism: the most points.
    optimism_max: 29, 0..=120, 6;
    /// Optimism: the score that gives half of them.
    optimism_half: 120, 20..=500, 20;

    /// Fifty-move rule: evaluations are drawn towards zero as it comes near.
    fifty_on: 1, 0..=1, 1;

    /// Razoring: far below alpha, only captures are looked at.
    razor_on: 1, 0..=1, 1;
    /// Razoring: down to which depth.
    razor_max_depth: 4, 1..=8, 1;
    /// Razoring: flat margin.
    razor_base: 220, 50..=500, 20;
    /// Razoring: points per squared ply.
    razor_margin: 128, 30..=300, 16;

    /// Reverse futility pruning: far above beta, a shallow node will stay there.
    rfp_on: 1, 0..=1, 1;
    /// Reverse futility: down to which depth.
    rfp_max_depth: 10, 2..=16, 1;
    /// Reverse futility: points per ply.
    rfp_margin: 67, 20..=200, 8;
    /// Reverse futility: points less when the position improves.
    rfp_improving: 57, 0..=200, 8;
    /// Reverse futility: points more per point of correction, in 1/1024.
    rfp_correction_scale: 512, 0..=2048, 96;
    /// Reverse futility: how far the result lies from beta towards the evaluation, in 1/1024.
    rfp_blend: 400, 0..=1024, 64;

    /// Null move pruning: if passing is still too good, moving will be.
    nmp_on: 1, 0..=1, 1;
    /// Null move: from this depth on.
    nmp_min_depth: 3, 1..=8, 1;
    /// Null move: plies that are always saved.
    nmp_base: 4, 1..=7, 1;
    /// Null move: one ply more is saved per this much depth.
    nmp_divisor: 3, 2..=8, 1;
    /// Null move: one ply more is saved per this many points above beta.
    nmp_eval_divisor: 200, 60..=500, 20;
    /// Null move: points by which the static evaluation may lie below beta, per ply.
    nmp_static_margin: 17, 0..=60, 4;
    /// Null move: points less of that at depth zero.
    nmp_static_base: 101, 0..=300, 12;
    /// Null move: verified by a search without it from this depth on.
    nmp_verify_min_depth: 14, 8..=30, 2;

    /// Prob-cut: a capture far above beta in a shallow search cuts.
    probcut_on: 1, 0..=1, 1;
    /// Prob-cut: from this depth on.
    probcut_min_depth: 5, 3..=10, 1;
    /// Prob-cut: how far above beta.
    probcut_margin: 202, 60..=400, 16;
    /// Prob-cut: less when the position improves.
    probcut_improving: 60, 0..=200, 10;

    /// Prob-cut by the table: a lower bound that is far above beta and nearly deep enough cuts.
    probcut_table_on: 1, 0..=1, 1;
    /// Prob-cut by the table: how far above beta.
    probcut_table_margin: 210, 60..=600, 20;

    /// Internal iterative reduction: without a table move, look less deep first.
    iir_on: 1, 0..=1, 1;
    /// Internal iterative reduction: from this depth on.
    iir_min_depth: 4, 2..=10, 1;

    /// Hindsight: depth is given back or taken when a reduced move turns out otherwise than expected.
    hindsight_on: 1, 0..=1, 1;
    /// Hindsight: how much worse for the opponent to take a ply more.
    hindsight_margin: 98, 20..=300, 12;

    /// Check extension: one ply more when in check.
    check_extension_on: 0, 0..=1, 1;
    /// Singular extension: one ply more for a table move that stands out.
    singular_on: 1, 0..=1, 1;
    /// Singular extension: from this depth on.
    singular_min_depth: 5, 4..=10, 1;
    /// Singular extension: by how many points a ply others must fall behind, in 1/16.
    singular_margin: 16, 4..=64, 3;
    /// Double extension: how much further behind for a second ply.
    double_extension_margin: 12, 0..=80, 5;
    /// Double extension: how much more in the principal variation.
    double_extension_pv_margin: 110, 0..=300, 16;
    /// Triple extension: how much further behind for a third ply, for quiet moves.
    triple_extension_margin: 70, 20..=300, 12;
    /// Double extensions: how many a line may have.
    double_extension_max: 8, 0..=20, 1;
    /// Shallow extension: one ply more for a table move that promises what the evaluation denies, too
    /// near the leaves for a singular search.
    shallow_extension_on: 1, 0..=1, 1;
    /// Shallow extension: how far below alpha the evaluation must be.
    shallow_extension_margin: 20, 0..=150, 8;
    /// Multi-cut: another move too good as well cuts.
    multicut_on: 1, 0..=1, 1;
    /// Negative extension: a table move that does not stand out is searched less deep.
    negative_extension_on: 1, 0..=1, 1;

    /// Futility pruning: quiet moves that cannot reach alpha are skipped.
    fp_on: 1, 0..=1, 1;
    /// Futility: down to which reduced depth.
    fp_max_depth: 8, 2..=14, 1;
    /// Futility: flat margin.
    fp_base: 85, 0..=300, 12;
    /// Futility: points per ply of reduced depth.
    fp_margin: 89, 20..=250, 10;
    /// Futility: history points that make one point.
    fp_history_divisor: 256, 32..=1024, 32;
    /// Futility: captures that lose material and cannot reach alpha are skipped.
    fp_noisy_on: 1, 0..=1, 1;
    /// Futility of captures: flat margin.
    fp_noisy_base: 100, 0..=400, 16;
    /// Futility of captures: points per ply.
    fp_noisy_margin: 90, 20..=250, 10;

    /// Late move pruning: after enough moves the remaining quiet ones are skipped.
    lmp_on: 1, 0..=1, 1;
    /// Late move pruning: down to which depth.
    lmp_max_depth: 9, 2..=16, 1;
    /// Late move pruning: moves that are always tried.
    lmp_base: 4, 1..=12, 1;

    /// History pruning: moves that have failed nearly everywhere are skipped.
    history_prune_on: 1, 0..=1, 1;
    /// History pruning: down to which reduced depth.
    history_prune_max_depth: 5, 1..=10, 1;
    /// History pruning: history points per ply.
    history_prune_margin: 4500, 1000..=12000, 500;

    /// Pruning by static exchange: moves that lose too much material are skipped.
    see_on: 1, 0..=1, 1;
    /// Static exchange: down to which depth.
    see_max_depth: 9, 2..=14, 1;
    /// Static exchange: points that a quiet move may lose per squared ply of reduced depth.
    see_quiet_margin: 15, 5..=80, 4;
    /// Static exchange: points that a capture may lose per ply.
    see_noisy_margin: 81, 20..=300, 12;
    /// Static exchange: history points of a capture that make one point.
    see_history_divisor: 64, 16..=256, 12;

    /// Late move reductions: later moves are searched less deep.
    lmr_on: 1, 0..=1, 1;
    /// Reductions: flat part for quiet moves, in 1/1024 ply.
    lmr_base: 872, 0..=2048, 64;
    /// Reductions: ln(depth) * ln(move number) is divided by this, in 1/1024.
    lmr_divisor: 2371, 1024..=4096, 96;
    /// Reductions: flat part for captures, in 1/1024 ply.
    lmr_noisy_base: 0, -1024..=2048, 64;
    /// Reductions: the divisor for captures, in 1/1024.
    lmr_noisy_divisor: 3000, 1024..=6144, 128;
    /// Reductions: more at expected cut nodes, in 1/1024 ply.
    lmr_cut_node: 1584, 0..=3072, 128;
    /// Reductions: still more there without a table move, in 1/1024 ply.
    lmr_cut_no_move: 700, 0..=3072, 128;
    /// Reductions: less where the node was once in a principal variation, in 1/1024 ply.
    lmr_was_pv: 900, 0..=3072, 128;
    /// Reductions: still less if the table expects more than alpha, in 1/1024 ply.
    lmr_was_pv_above: 500, 0..=2048, 96;
    /// Reductions: less in the principal variation, in 1/1024 ply.
    lmr_pv: 605, 0..=3072, 128;
    /// Reductions: more when the position does not improve, in 1/1024 ply.
    lmr_not_improving: 546, 0..=2048, 96;
    /// Reductions: more when the table's move is a capture, in 1/1024 ply.
    lmr_noisy_table: 800, 0..=2048, 96;
    /// Reductions: less for moves that give check, in 1/1024 ply.
    lmr_check: 900, 0..=2048, 96;
    /// Reductions: less for killer moves, in 1/1024 ply.
    lmr_killer: 800, 0..=2048, 96;
    /// Reductions: more when children keep being cut, in 1/1024 ply.
    lmr_cutoffs: 800, 0..=2048, 96;
    /// Reductions: more once a move has raised alpha, in 1/1024 ply.
    lmr_raised: 400, 0..=2048, 96;
    /// Reductions: more when the table expects no more than alpha, in 1/1024 ply.
    lmr_table_below: 400, 0..=2048, 96;
    /// Reductions: less per point of correction, in 1/1024 ply.
    lmr_correction_scale: 8, 0..=32, 2;
    /// Reductions: history points that make one ply.
    lmr_history_divisor: 14198, 4096..=49152, 1024;
    /// Reductions: history points of captures that make one ply.
    lmr_noisy_history_divisor: 9000, 2048..=24576, 768;
    /// After a reduced search: a ply more or less by how good the move turned out.
    lmr_confidence_on: 1, 0..=1, 1;
    /// After a reduced search: how much better than the best for a ply more.
    lmr_deeper_margin: 40, 5..=150, 8;
    /// After a reduced search: less than this much better for a ply less.
    lmr_shallower_margin: 8, 0..=60, 3;

    /// After a move that raised alpha: the others are searched less deep.
    raised_depth_on: 1, 0..=1, 1;
    /// After a move that raised alpha: only below this depth.
    raised_max_depth: 13, 4..=30, 2;

    /// Fail-high blending: results above beta are drawn towards it.
    temper_on: 1, 0..=1, 1;

    /// Killers: quiet moves that refuted a sibling are tried early.
    killers_on: 1, 0..=1, 1;
    /// History: quiet moves are ordered by how often they have refuted.
    history_on: 1, 0..=1, 1;
    /// History: weight of squares and threats, in 1/1024.
    history_threat_scale: 2048, 0..=6144, 128;
    /// History: weight of the pawn structure, in 1/1024.
    history_pawn_scale: 1024, 0..=4096, 128;
    /// History: weight of the move before, in 1/1024.
    history_cont1_scale: 1024, 0..=4096, 128;
    /// History: weight of the move two plies before, in 1/1024.
    history_cont2_scale: 1024, 0..=4096, 128;
    /// History: weight of the move four plies before, in 1/1024.
    history_cont4_scale: 512, 0..=4096, 96;
    /// History: weight of the move six plies before, in 1/1024.
    history_cont6_scale: 400, 0..=4096, 96;
    /// History: bonus per ply of depth.
    history_bonus_scale: 180, 40..=400, 16;
    /// History: bonus and malus less at depth zero.
    history_bonus_base: 60, 0..=300, 16;
    /// History: largest bonus.
    history_bonus_max: 1600, 400..=4000, 160;
    /// History: malus per ply of depth for moves tried in vain.
    history_malus_scale: 172, 40..=400, 16;
    /// History: largest malus.
    history_malus_max: 1250, 400..=4000, 160;
    /// History: the opponent's last move is rewarded when nothing helps against it.
    history_last_move_on: 1, 0..=1, 1;
    /// History: how much of the bonus it gets, in 1/1024.
    history_last_move_scale: 600, 0..=2048, 96;
    /// History: the opponent's last move is judged by the change of the evaluation.
    history_eval_on: 1, 0..=1, 1;
    /// History: bonus per point of change, in 1/1024.
    history_eval_scale: 8192, 1024..=20480, 1024;
    /// History: the most that a change counts.
    history_eval_max: 300, 50..=1500, 50;
    /// Ordering: points per point of what a capture takes.
    order_victim_scale: 16, 4..=48, 2;
    /// Ordering: what a good capture must win at least, before its history.
    order_good_base: 80, -100..=300, 20;
    /// Ordering: ordering points that lower it by one point.
    order_good_divisor: 48, 16..=128, 6;
    /// Ordering: bonus for quiet moves that give check.
    order_check_on: 1, 0..=1, 1;
    /// Ordering: how much a quiet check is worth in history points.
    order_check_bonus: 9000, 0..=20000, 800;
    /// Guards: a piece leaves or enters squares guarded by cheaper ones.
    guard_on: 1, 0..=1, 1;
    /// Guards: bonus in 1/1024 of the piece's value for leaving danger.
    guard_escape_scale: 20000, 0..=65536, 2048;
    /// Guards: malus in 1/1024 of the piece's value for walking into danger.
    guard_enter_scale: 20000, 0..=65536, 2048;

    /// Quiescence: captures that cannot reach alpha are skipped.
    qs_delta_on: 1, 0..=1, 1;
    /// Quiescence: margin for that.
    qs_delta_margin: 159, 50..=500, 16;
    /// Quiescence: captures that lose material are skipped.
    qs_see_on: 1, 0..=1, 1;
    /// Quiescence: what a capture must win at least.
    qs_see_margin: 0, -100..=100, 10;
    /// Quiescence: after some captures only checks, promotions and recaptures are tried.
    qs_late_on: 1, 0..=1, 1;
    /// Quiescence: how many.
    qs_late_moves: 3, 1..=8, 1;
    /// Quiescence: how far the result lies from beta towards standing pat, in 1/1024.
    qs_blend: 512, 0..=1024, 64;
    /// Quiescence: quiet checks at its first ply.
    qs_checks_on: 1, 0..=1, 1;

    /// Upcoming repetition: a draw that can be forced at once is a lower bound.
    cuckoo_on: 1, 0..=1, 1;

    /// Time: moves that the clock must last for.
    time_moves: 24, 10..=60, 2;
    /// Time: share of the increment that is used.
    time_increment: 75, 20..=100, 5;
    /// Time: soft deadline as a share of the budget.
    time_soft_factor: 95, 30..=150, 6;
    /// Time: hard deadline as a multiple of the budget.
    time_hard_factor: 420, 150..=900, 30;
    /// Time: share of the whole clock that one move may use.
    time_hard_cap: 55, 20..=80, 5;
    /// Time: think longer if the best move got few of the nodes.
    time_nodes_on: 1, 0..=1, 1;
    /// Time: factor if it got none.
    time_nodes_base: 210, 100..=350, 12;
    /// Time: how much less if it got all.
    time_nodes_slope: 155, 0..=300, 12;
    /// Time: think less long if the best move has been the same for long.
    time_stability_on: 1, 0..=1, 1;
    /// Time: factor if it has just changed.
    time_stability_base: 125, 80..=200, 6;
    /// Time: how much less per depth.
    time_stability_slope: 6, 0..=15, 1;
    /// Time: how much longer per ten points that the score has dropped.
    time_drop_slope: 8, 0..=30, 2;

    /// Tree search: exploration at the root, in 1/1000.
    mcts_explore_root: 420, 50..=3000, 40;
    /// Tree search: exploration below the root, in 1/1000.
    mcts_explore: 270, 50..=3000, 30;
    /// Tree search: the power of a node's visits that exploration grows with, in 1/1000.
    mcts_explore_power: 670, 300..=1000, 20;
    /// Tree search: visits after which exploration has grown by 69 %.
    mcts_explore_visits: 4700, 100..=100_000, 500;
    /// Tree search: how much the spread of values counts, in 1/1000.
    mcts_spread_weight: 800, 0..=2000, 60;
    /// Tree search: the usual spread of values, in 1/1000.
    mcts_spread_usual: 280, 50..=1000, 20;
    /// Tree search: exploration by priors, flat part, in 1/1000.
    mcts_gini_base: 470, 0..=2000, 40;
    /// Tree search: exploration by priors, how much more if they favor few moves, in 1/1000.
    mcts_gini_slope: 1570, 0..=4000, 100;
    /// Tree search: exploration by priors, at most, in 1/1000.
    mcts_gini_max: 2260, 500..=5000, 100;
    /// Tree search: what an unvisited move is worth less if all others were tried, in 1/1000.
    mcts_fpu_reduction: 0, 0..=1000, 30;
    /// Tree search: losses that an iteration under way counts as, in 1/1000.
    mcts_virtual_loss: 2500, 0..=10000, 200;
    /// Tree search: one more iteration below a node for so many visits that it has.
    mcts_stay_visits: 256, 16..=1_000_000, 32;
    /// Tree search: visits of a node from which on a thread stays below it for a while.
    mcts_camp_visits: 4096, 32..=1_000_000_000, 256;
    /// Tree search: temperature of the priors at the root, in 1/1000.
    mcts_root_temperature: 2500, 500..=10000, 150;
    /// Tree search: temperature of the priors one ply below, in 1/1000.
    mcts_second_temperature: 1300, 500..=5000, 80;
    /// Tree search: temperature of the priors further down, in 1/1000.
    mcts_temperature: 1000, 500..=3000, 50;
    /// Tree search: how much a move with few visits is mistrusted in the end, in 1/1000.
    mcts_caution: 500, 0..=3000, 50;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_name_and_clamped() {
        let mut params = Params::default();
        assert!(params.set("rfp_margin", 9999));
        assert_eq!(params.get("rfp_margin"), Some(200));
        assert!(!params.set("no_such_number", 1));
        for spec in Params::SPECS {
            assert_eq!(Params::default().get(spec.name), Some(spec.default));
            assert!(!spec.doc.is_empty() && spec.step > 0);
        }
    }
}
