// SPDX-License-Identifier: GPL-3.0-or-later
//! Which move is tried first.

use super::declare::heuristics;

heuristics! {
    /// Which move is tried first.
    ordering: OrderingParams, OrderingStats, AlphaBeta;

    /// Quiet moves that refuted a sibling are tried early.
    killers: "Killer moves" {
        switch killers_on: true, FindsMates;
    }

    /// Quiet moves are ordered by how often they have refuted.
    history: "History" {
        switch history_on: true, FindsMates;
        /// Weight of squares and threats, in 1/1024.
        history_threat_scale: 2048, 0..=6144, 128;
        /// Weight of the pawn structure, in 1/1024.
        history_pawn_scale: 1024, 0..=4096, 128;
        /// Bonus per ply of depth.
        history_bonus_scale: 180, 40..=400, 16;
        /// Bonus and malus less at depth zero.
        history_bonus_base: 60, 0..=300, 16;
        /// Largest bonus.
        history_bonus_max: 1600, 400..=4000, 160;
        /// Malus per ply of depth for moves tried in vain.
        history_malus_scale: 172, 40..=400, 16;
        /// Largest malus.
        history_malus_max: 1250, 400..=4000, 160;
        /// From this depth on, the first move tried is rewarded too.
        history_single_min_depth: 4, 1..=8, 1;
    }

    /// A quiet move is also judged by how well it followed the moves before it.
    continuation: "Continuation history" {
        /// Weight of the move before, in 1/1024.
        history_cont1_scale: 1024, 0..=4096, 128, without: 0;
        /// Weight of the move two plies before, in 1/1024.
        history_cont2_scale: 1024, 0..=4096, 128, without: 0;
        /// Weight of the move four plies before, in 1/1024.
        history_cont4_scale: 512, 0..=4096, 96, without: 0;
        /// Weight of the move six plies before, in 1/1024.
        history_cont6_scale: 400, 0..=4096, 96, without: 0;
    }

    /// The opponent's last move is rewarded when nothing helps against it.
    history_last_move: "Reward for the opponent's last move" {
        switch history_last_move_on: true, FindsMates;
        /// From this depth on.
        history_last_move_min_depth: 2, 1..=8, 1;
        /// How much of the bonus it gets, in 1/1024.
        history_last_move_scale: 600, 0..=2048, 96;
    }

    /// The opponent's last move is judged by the change of the evaluation.
    history_eval: "Evaluation difference of the last move" {
        switch history_eval_on: true, FindsMates;
        /// Bonus per point of change, in 1/1024.
        history_eval_scale: 8192, 1024..=20480, 1024;
        /// The most that a change counts.
        history_eval_max: 300, 50..=1500, 50;
    }

    /// Captures are ordered by victim and history, and split into good and bad ones.
    order_captures: "Order of captures" {
        /// Points per point of what a capture takes.
        order_victim_scale: 16, 4..=48, 2;
        /// What a good capture must win at least, before its history.
        order_good_base: 80, -100..=300, 20;
        /// Ordering points that lower it by one point.
        order_good_divisor: 48, 16..=128, 6;
    }

    /// Bonus for quiet moves that give check.
    order_check: "Checks come early" {
        switch order_check_on: true, FindsMates;
        /// How much a quiet check is worth in history points.
        order_check_bonus: 9000, 0..=20000, 800;
    }

    /// A piece leaves or enters squares guarded by cheaper ones.
    guard: "Guarded squares" {
        switch guard_on: true, FindsMates;
        /// Bonus in 1/1024 of the piece's value for leaving danger.
        guard_escape_scale: 20000, 0..=65536, 2048;
        /// Malus in 1/1024 of the piece's value for walking into danger.
        guard_enter_scale: 20000, 0..=65536, 2048;
    }
}
