// SPDX-License-Identifier: GPL-3.0-or-later
//! Changes that are being tried, all off.

use super::declare::heuristics;

heuristics! {
    /// Changes that are being tried, all off. `screens/patches.toml` measures them. One that wins becomes the
    /// code, one that loses goes; both leave this family.
    tried: TriedParams, TriedStats, AlphaBeta;

    /// Which window is searched first, and how it widens.
    tried_windows: "Tried: aspiration windows" {
        /// 1: the window lies around the average of the scores of all depths.
        asp_average_try: 0, 0..=1, 1;
        /// 1: a score above the window raises its lower end too.
        asp_raise_try: 0, 0..=1, 1;
        /// 1: a narrower window if the last score is near the average.
        asp_shrink_try: 0, 0..=1, 1;
        /// Growth of the margin after a score below the window, in 1/1024.
        asp_low_growth: 512, 64..=1024, 64;
    }

    /// What is added to the evaluation of the network.
    tried_evaluation: "Tried: evaluation" {
        /// 1: searches that leave a move out teach corrections too.
        corr_excluded_try: 0, 0..=1, 1;
        /// 1: multi-cuts teach corrections too.
        corr_multicut_try: 0, 0..=1, 1;
        /// 1: the more material is on the board, the more the evaluation counts.
        eval_material_try: 0, 0..=1, 1;
        /// 1: draws differ by a point, so that the search is not blind among them.
        draw_jitter_try: 0, 0..=1, 1;
    }

    /// Guards and margins of what cuts whole nodes.
    tried_pruning: "Tried: pruning of nodes" {
        /// 1: no razoring with a quiet table move, nor if the table has a lower bound.
        razor_guard_try: 0, 0..=1, 1;
        /// 1: the margin of reverse futility grows with the square of the depth.
        rfp_square_try: 0, 0..=1, 1;
        /// Points less for reverse futility per point of improvement, in 1/1024; 0 asks only whether there
        /// is one.
        rfp_improvement_scale: 0, 0..=2048, 96;
        /// 1: no null move if the table's move wins a piece.
        nmp_capture_try: 0, 0..=1, 1;
        /// 1: prob-cut only at expected cut nodes.
        probcut_cut_try: 0, 0..=1, 1;
        /// 1: no prob-cut with a quiet table move.
        probcut_noisy_try: 0, 0..=1, 1;
        /// 1: without a score from the table, prob-cut only if the evaluation reaches beta.
        probcut_eval_try: 0, 0..=1, 1;
        /// 1: prob-cut is the shallower, the further the evaluation is above beta.
        probcut_adaptive_try: 0, 0..=1, 1;
    }

    /// By what depth moves are extended.
    tried_depth: "Tried: extensions" {
        /// 1: a quarter of the singular margin if the table's score is exact.
        singular_exact_try: 0, 0..=1, 1;
        /// Points more for the singular margin per point of correction, in 1/1024.
        singular_correction_scale: 0, 0..=2048, 96;
        /// 1: captures are extended by three plies too.
        triple_noisy_try: 0, 0..=1, 1;
    }

    /// Which moves are skipped.
    tried_skipping: "Tried: skipping of moves" {
        /// Points more for futility per point of correction, in 1/1024.
        fp_correction_scale: 0, 0..=2048, 96;
        /// 1: quiet moves that futility skips raise the result to what they could have brought.
        fp_raise_try: 0, 0..=1, 1;
        /// 1: the number of moves of late move pruning grows with the improvement step by step.
        lmp_smooth_try: 0, 0..=1, 1;
        /// 1: late move pruning keeps moves with a good history longer than those with a bad one.
        lmp_history_try: 0, 0..=1, 1;
        /// 1: nothing is skipped by exchange in check.
        see_check_try: 0, 0..=1, 1;
        /// 1: moves are skipped as if the node had never been in a principal variation.
        skip_was_pv_try: 0, 0..=1, 1;
    }

    /// By how much less deep late moves are searched.
    tried_reductions: "Tried: reductions" {
        /// Less in the principal variation in proportion to the window, in 1/1024 ply.
        lmr_window_scale: 0, 0..=2048, 96;
        /// Less where the node was in a principal variation and the table is deep, in 1/1024 ply.
        lmr_was_pv_deep: 0, 0..=2048, 96;
        /// 1: no more at cut nodes that were in a principal variation.
        lmr_cut_plain_try: 0, 0..=1, 1;
        /// 1: up to two plies deeper than without in the principal variation.
        lmr_deeper_pv_try: 0, 0..=1, 1;
        /// 1: first moves lose a ply if they would be reduced much.
        lmr_full_try: 0, 0..=1, 1;
        /// Less per point of improvement, in 1/1024 ply; 0 asks only whether there is one.
        lmr_improvement_scale: 0, 0..=32, 2;
        /// History points of quiet moves that count as none.
        lmr_history_offset: 0, -16000..=16000, 800;
        /// 1: no ply more or less after a reduced search at the root.
        lmr_confidence_root_try: 0, 0..=1, 1;
        /// 1: no fail-high blending at the root.
        blend_root_try: 0, 0..=1, 1;
    }

    /// What the results of nodes teach about moves.
    tried_history: "Tried: histories" {
        /// 1: the change of the evaluation counts for squares and threats only.
        history_eval_threat_try: 0, 0..=1, 1;
        /// 1: the change of the evaluation counts only near the leaves or when it is new.
        history_eval_fresh_try: 0, 0..=1, 1;
        /// 1: the last move is rewarded only where a move against it was expected.
        history_last_expected_try: 0, 0..=1, 1;
        /// 1: the best move of the principal variation is rewarded too.
        history_pv_try: 0, 0..=1, 1;
        /// 1: the table's refutation is rewarded only if the move before was an early one.
        history_table_early_try: 0, 0..=1, 1;
        /// 1: the later a move was tried in vain, the less it is punished.
        history_malus_late_try: 0, 0..=1, 1;
        /// 1: an early quiet move that is refuted at once is punished.
        history_refuted_try: 0, 0..=1, 1;
        /// How much of a bonus continuation history gets, in 1/1024.
        history_cont_bonus: 1024, 0..=2048, 64;
        /// 1: the bonus for checks only if the piece is not lost.
        order_check_see_try: 0, 0..=1, 1;
    }

    /// Captures at the leaves.
    tried_quiescence: "Tried: quiescence" {
        /// 1: no capture that merely trades if the evaluation is far below alpha.
        qs_trade_try: 0, 0..=1, 1;
        /// 1: late moves are counted with those that were skipped.
        qs_late_all_try: 0, 0..=1, 1;
        /// 1: results above beta are drawn towards it.
        qs_fail_high_try: 0, 0..=1, 1;
        /// 1: the history of captures learns in quiescence too.
        qs_history_try: 0, 0..=1, 1;
        /// 1: evasions that lose material are skipped.
        qs_evasion_try: 0, 0..=1, 1;
        /// 1: nodes of the principal variation are stored as such.
        qs_pv_try: 0, 0..=1, 1;
        /// Points that a capture may lose per 1024 points of its history.
        qs_see_history_scale: 0, 0..=256, 8;
        /// Points more for captures per point of correction, in 1/1024.
        qs_correction_scale: 0, 0..=2048, 96;
    }
}
