// SPDX-License-Identifier: GPL-3.0-or-later
//! Every number of the search that can be tuned, declared once.
//!
//! A line gives name, default, range and the step for tuning; from it come the field, the list that
//! makes UCI options and tuner inputs, and a check at compile time that the default is in range.
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

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        /// The tunable numbers of the search. Any value within its range is valid.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: i32,)*
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

            /// Sets a number by name, clamped to its range; tells whether there is one.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                $(if name == stringify!($name) {
                    self.$name = value.clamp($min, $max);
                    return true;
                })*
                false
            }

            /// The same numbers with every heuristic off that can overlook a mate: for those who ask for
            /// one, a proof is worth more than depth.
            #[must_use]
            pub fn for_mates(&self) -> Self {
                let mut params = self.clone();
                for name in ["rfp_on", "nmp_on", "fp_on", "lmp_on", "see_on", "iir_on", "lmr_on"] {
                    params.set(name, 0);
                }
                params
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
    asp_margin: 18, 5..=80, 4;

    /// Reverse futility pruning: far above beta, a shallow node will stay there.
    rfp_on: 1, 0..=1, 1;
    /// Reverse futility: down to which depth.
    rfp_max_depth: 8, 2..=14, 1;
    /// Reverse futility: points per ply.
    rfp_margin: 75, 20..=200, 8;
    /// Reverse futility: points less when the position improves.
    rfp_improving: 55, 0..=200, 8;

    /// Null move pruning: if passing is still too good, moving will be.
    nmp_on: 1, 0..=1, 1;
    /// Null move: from this depth on.
    nmp_min_depth: 3, 1..=8, 1;
    /// Null move: plies that are always saved.
    nmp_base: 3, 1..=6, 1;
    /// Null move: one ply more is saved per this much depth.
    nmp_divisor: 3, 2..=8, 1;
    /// Null move: one ply more is saved per this many points above beta.
    nmp_eval_divisor: 200, 60..=500, 20;
    /// Null move: verified by a search without it from this depth on.
    nmp_verify_min_depth: 14, 8..=30, 2;

    /// Internal iterative reduction: without a table move, look less deep first.
    iir_on: 1, 0..=1, 1;
    /// Internal iterative reduction: from this depth on.
    iir_min_depth: 4, 2..=10, 1;

    /// Check extension: one ply more when in check.
    check_extension_on: 1, 0..=1, 1;

    /// Futility pruning: quiet moves that cannot reach alpha are skipped.
    fp_on: 1, 0..=1, 1;
    /// Futility: down to which reduced depth.
    fp_max_depth: 7, 2..=14, 1;
    /// Futility: flat margin.
    fp_base: 90, 0..=300, 12;
    /// Futility: points per ply of reduced depth.
    fp_margin: 80, 20..=250, 10;

    /// Late move pruning: after enough quiet moves the rest is skipped.
    lmp_on: 1, 0..=1, 1;
    /// Late move pruning: down to which depth.
    lmp_max_depth: 8, 2..=14, 1;
    /// Late move pruning: moves that are always tried.
    lmp_base: 3, 1..=12, 1;

    /// Pruning by static exchange: moves that lose too much material are skipped.
    see_on: 1, 0..=1, 1;
    /// Static exchange: down to which depth.
    see_max_depth: 8, 2..=14, 1;
    /// Static exchange: points that a quiet move may lose per ply.
    see_quiet_margin: 60, 10..=200, 8;
    /// Static exchange: points that a capture may lose per ply.
    see_noisy_margin: 100, 20..=300, 12;

    /// Late move reductions: later moves are searched less deep.
    lmr_on: 1, 0..=1, 1;
    /// Reductions: flat part, in 1/1024 ply.
    lmr_base: 800, 0..=2048, 64;
    /// Reductions: ln(depth) * ln(move number) is divided by this, in 1/1024.
    lmr_divisor: 2300, 1024..=4096, 96;
    /// Reductions: more at expected cut nodes, in 1/1024 ply.
    lmr_cut_node: 1400, 0..=3072, 128;
    /// Reductions: less in the principal variation, in 1/1024 ply.
    lmr_pv: 1024, 0..=3072, 128;
    /// Reductions: more when the position does not improve, in 1/1024 ply.
    lmr_not_improving: 600, 0..=2048, 96;
    /// Reductions: less for moves that give check, in 1/1024 ply.
    lmr_check: 1024, 0..=2048, 96;
    /// Reductions: less for killer moves, in 1/1024 ply.
    lmr_killer: 1024, 0..=2048, 96;
    /// Reductions: history points that make one ply.
    lmr_history_divisor: 8192, 2048..=24576, 768;

    /// Killers: quiet moves that refuted a sibling are tried early.
    killers_on: 1, 0..=1, 1;
    /// History: quiet moves are ordered by how often they have refuted.
    history_on: 1, 0..=1, 1;
    /// History: bonus per ply of depth.
    history_bonus_scale: 170, 40..=400, 16;
    /// History: largest bonus.
    history_bonus_max: 1600, 400..=4000, 160;
    /// History: malus per ply of depth for moves tried in vain.
    history_malus_scale: 170, 40..=400, 16;
    /// Ordering: bonus for quiet moves that give check.
    order_check_on: 1, 0..=1, 1;
    /// Ordering: how much a quiet check is worth in history points.
    order_check_bonus: 6000, 0..=16000, 600;
    /// Guards: a piece leaves or enters squares guarded by cheaper ones.
    guard_on: 1, 0..=1, 1;
    /// Guards: bonus in 1/1024 of the piece's value for leaving danger.
    guard_escape_scale: 9000, 0..=32768, 1024;
    /// Guards: malus in 1/1024 of the piece's value for walking into danger.
    guard_enter_scale: 8000, 0..=32768, 1024;

    /// Quiescence: captures that cannot reach alpha are skipped.
    qs_delta_on: 1, 0..=1, 1;
    /// Quiescence: margin for that.
    qs_delta_margin: 160, 50..=500, 16;
    /// Quiescence: captures that lose material are skipped.
    qs_see_on: 1, 0..=1, 1;

    /// Upcoming repetition: a draw that can be forced at once is a lower bound.
    cuckoo_on: 1, 0..=1, 1;

    /// Time: moves that the clock must last for.
    time_moves: 24, 10..=60, 2;
    /// Time: share of the increment that is used.
    time_increment: 75, 20..=100, 5;
    /// Time: soft deadline as a share of the budget.
    time_soft_factor: 72, 30..=150, 6;
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
