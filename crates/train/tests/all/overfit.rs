// SPDX-License-Identifier: GPL-3.0-or-later
//! Every architecture can learn sixteen positions by heart.

use crate::common::model;
use data::Record;
use net::Architecture;
use tools::Rng;
use train::model::Model;
use train::{AdamW, Objective, OptimizerState, Trainer};

/// Positions with scores that follow from nothing: only memory helps.
fn sixteen() -> Vec<Record> {
    let mut random = Rng::new(8);
    let mut score =
        || data::LabelScore::clamped(chess::White::new(random.below(1600) as i64 - 800));
    crate::common::records(16, 33).into_iter().map(|record| record.with_score(score())).collect()
}

/// The mean loss on sixteen positions after so many steps on them.
fn overfit(model: Box<dyn Model>, steps: u64) -> f64 {
    let records = sixteen();
    let state = OptimizerState::new(model.initial(2));
    let optimizer = AdamW { decay: 0.0, ..AdamW::default() };
    let objective = Objective::default();
    let mut trainer = Trainer::new(model, optimizer, objective, state, 1);
    let before = trainer.measure(&records, &objective);
    assert!(before > 1e-3, "there is nothing to learn: {before}");
    for step in 0..steps {
        let rate = if step < steps / 2 { 5e-3 } else { 5e-4 };
        trainer.train(&records, rate);
    }
    trainer.measure(&records, &objective)
}

#[test]
fn sixteen_positions_are_learnt_by_heart() {
    let pairwise = "width = 32\nhead = \"pairwise\"";
    for (architecture, options) in [
        (Architecture::House, "width = 32"),
        (Architecture::House, pairwise),
        (Architecture::Nectar, "width = 32"),
        (Architecture::Rengar, "width = 32"),
        (Architecture::Tal, "width = 32\nsecond = 8\nthird = 8\njoin = \"sum\""),
        (Architecture::Tal, "width = 32\nsecond = 8\nthird = 8\njoin = \"concat\""),
        (Architecture::Batu, "width = 32\nsecond = 8"),
    ] {
        let loss = overfit(model(architecture, options), 1000);
        assert!(loss < 5e-5, "{} {options}: {loss}", architecture.name());
    }
}

#[test]
fn napoleon_learns_sixteen_positions_by_heart() {
    let records = sixteen();
    let model = model(Architecture::Napoleon, "blocks = 1\nsqueezed = 4\nhead = 8");
    let state = OptimizerState::new(model.initial(2));
    let objective = Objective::default();
    let mut trainer = Trainer::new(model, AdamW::default(), objective, state, 1);
    let mut loss = 0.0;
    for step in 0..450 {
        // In the second half nothing moves but the running means, until they are what they follow.
        let rate = if step < 110 {
            5e-3
        } else if step < 150 {
            5e-4
        } else {
            0.0
        };
        loss = trainer.train(&records, rate) / 16.0;
    }
    assert!(loss < 1e-4, "in training: {loss}");
    let loss = trainer.measure(&records, &objective);
    assert!(loss < 1e-3, "finished: {loss}");
}

#[test]
fn sixteen_best_moves_are_learnt_by_heart() {
    let records = crate::common::records(16, 33);
    let model = model(Architecture::Policy, "width = 128");
    let state = OptimizerState::new(model.initial(2));
    let optimizer = AdamW { decay: 0.0, ..AdamW::default() };
    let objective = Objective { smoothing: 0.0, ..Objective::default() };
    let mut trainer = Trainer::new(model, optimizer, objective, state, 1);
    assert!(trainer.measure(&records, &objective) > 2.0);
    for _ in 0..300 {
        trainer.train(&records, 5e-3);
    }
    let loss = trainer.measure(&records, &objective);
    assert!(loss < 1e-2, "{loss}");
}
