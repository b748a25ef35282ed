// SPDX-License-Identifier: GPL-3.0-or-later
//! Captures at the leaves.

use super::declare::heuristics;

heuristics! {
    /// Captures at the leaves.
    quiescence: QuiescenceParams, QuiescenceStats, AlphaBeta;

    /// Captures that cannot reach alpha are skipped.
    qs_delta: "Delta pruning" {
        switch qs_delta_on: true, FindsMates;
        /// Margin for that.
        qs_delta_margin: 159, 50..=500, 16;
    }

    /// Captures that lose material are skipped.
    qs_see: "Losing captures" {
        switch qs_see_on: true, FindsMates;
        /// What a capture must win at least.
        qs_see_margin: 0, -100..=100, 10;
    }

    /// After some captures only checks, promotions and recaptures are tried.
    qs_late: "Late captures" {
        switch qs_late_on: true, FindsMates;
        /// How many.
        qs_late_moves: 3, 1..=8, 1;
    }

    /// A result of standing pat lies between beta and the evaluation.
    qs_blend: "Blended stand-pat score" {
        /// How far the result lies from beta towards standing pat, in 1/1024.
        qs_blend: 512, 0..=1024, 64, without: 1024;
    }

    /// Quiet checks at its first ply.
    qs_checks: "Quiet checks" {
        switch qs_checks_on: true, FindsMates;
    }
}
