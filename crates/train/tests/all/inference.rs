// SPDX-License-Identifier: GPL-3.0-or-later
//! The trainer's forward against the engine's inference of the exported file, on 1,000 positions.
//!
//! Two things are checked. With parameters that the file can hold exactly, nothing but the engine's
//! integer divisions is left between the two. With any others, rounding them moves the output by no
//! more than a bound that follows from the file's factors.

use crate::common::{model, with_king_buckets};
use net::Architecture;
use train::model::{Model, NetLabel};
use train::verify::{self, PolicyFigures};
use train::{AdamW, Objective, OptimizerState, Trainer};

/// What each tensor is multiplied with before it is rounded; those that are not named stay floats.
type Factors<'a> = &'a [(&'a str, f32)];

/// The largest distances in points: with parameters rounded before, and as they are.
struct Distances {
    rounded: f64,
    plain: f64,
}

fn distances(
    model: Box<dyn Model>,
    objective: Objective,
    steps: u64,
    factors: Factors<'_>,
) -> Distances {
    let records = crate::common::records(2048, 21);
    let batch = if model.architecture() == Architecture::Napoleon { 128 } else { 1048 };
    let layout = model.layout().clone();
    let state = OptimizerState::new(model.initial(9));
    let mut trainer = Trainer::new(model, AdamW::default(), objective, state, 2);
    // Trained a little, so that weights are not special.
    for _ in 0..steps {
        trainer.train(&records[1000..1000 + batch], 3e-3);
    }
    let plain = distance(&mut trainer, &records[..1000]);
    let mut state = trainer.state().clone();
    for tensor in layout.tensors() {
        if let Some(&(_, factor)) = factors.iter().find(|(name, _)| *name == tensor.name) {
            let values = &mut state.parameters[tensor.range()];
            for x in values {
                *x = (*x * factor).round() / factor;
            }
        }
    }
    trainer.set_state(state);
    Distances { rounded: distance(&mut trainer, &records[..1000]), plain }
}

fn distance(trainer: &mut Trainer, records: &[data::Record]) -> f64 {
    let label = NetLabel { name: "test".to_owned(), provenance: "random games".to_owned() };
    let bytes = trainer.model().export(&trainer.state().parameters, &label).unwrap();
    let points = verify::outputs(&bytes, records).unwrap();
    let scale = trainer.model().scale();
    let outputs = trainer.outputs(records);
    let spread = outputs.iter().fold(0f32, |max, x| max.max((x * scale).abs()));
    assert!(spread > 100.0, "outputs of at most {spread} points would prove nothing");
    let distance = |(output, points): (&f32, Option<i32>)| {
        (f64::from(output * scale) - f64::from(points.unwrap())).abs()
    };
    outputs.iter().zip(points).map(distance).fold(0.0, f64::max)
}

const HOUSE: Factors<'_> = &[
    ("first weights", 255.0),
    ("shared weights", 255.0),
    ("bucket weights", 255.0),
    ("first bias", 255.0),
    ("output weights", 64.0),
    ("output bias", 255.0 * 64.0),
];

#[test]
fn house_with_screlu() {
    let house = model(Architecture::House, "width = 64\noutput_buckets = 8");
    let found = distances(house, Objective::default(), 80, HOUSE);
    assert!(found.rounded < 1.1, "{}", found.rounded);
    // 128 lanes of at most 1 times half a 64th, times 400, if all erred the same way.
    assert!(found.plain < 0.5 * 400.0, "{}", found.plain);
}

#[test]
fn house_with_factorized_king_buckets() {
    let options = with_king_buckets("width = 32", 8);
    let found = distances(model(Architecture::House, &options), Objective::default(), 80, HOUSE);
    assert!(found.rounded < 1.1, "{}", found.rounded);
}

#[test]
fn house_with_products() {
    let unit = 255.0 * 255.0 / 512.0;
    let factors: Factors<'_> = &[
        ("first weights", 255.0),
        ("first bias", 255.0),
        ("second weights", 64.0),
        ("second bias", unit * 64.0),
    ];
    let options = "width = 64\nhead = \"pairwise\"\noutput_buckets = 4";
    let found = distances(model(Architecture::House, options), Objective::default(), 80, factors);
    // Products are rounded down to one of 127 steps.
    assert!(found.rounded < 40.0, "{}", found.rounded);
}

#[test]
fn nectar() {
    let factors: Factors<'_> = &[
        ("first weights", 255.0),
        ("first bias", 255.0),
        ("output weights", 255.0),
        ("output bias", 255.0 * 255.0),
    ];
    let nectar = model(Architecture::Nectar, "width = 16");
    let found = distances(nectar, Objective::default(), 80, factors);
    assert!(found.rounded < 1.1, "{}", found.rounded);
}

#[test]
fn rengar() {
    let factors: Factors<'_> = &[("first weights", 256.0), ("tempo", 256.0)];
    let rengar = model(Architecture::Rengar, "width = 32\nscale = 400");
    let found = distances(rengar, Objective::default(), 80, factors);
    assert!(found.rounded < 1.1, "{}", found.rounded);
}

#[test]
fn tal() {
    let factors: Factors<'_> = &[
        ("first weights", 64.0),
        ("first bias", 64.0),
        ("own king's blocks", 64.0),
        ("their king's blocks", 64.0),
        ("second bias", 4096.0),
        ("third weights", 64.0),
        ("third bias", 4096.0),
        ("output weights", 64.0),
        ("output bias", 4096.0),
    ];
    for join in ["sum", "concat"] {
        let options = format!("width = 16\nsecond = 4\njoin = \"{join}\"");
        let tal = model(Architecture::Tal, &options);
        let found = distances(tal, Objective::default(), 80, factors);
        // Values of the second and the third layer are rounded to a 64th.
        assert!(found.rounded < 25.0, "{join}: {}", found.rounded);
    }
}

#[test]
fn batu() {
    let factors: Factors<'_> = &[
        ("piece-square table", 32_768.0),
        ("first weights", 1024.0),
        ("first bias", 1024.0),
        ("second weights", 1024.0),
        ("second bias", 1024.0 * 1024.0),
    ];
    let batu = model(Architecture::Batu, "width = 64\nsecond = 16");
    let found = distances(batu, Objective::default(), 80, factors);
    assert!(found.rounded < 1.1, "{}", found.rounded);
}

#[test]
fn napoleon() {
    let napoleon = model(Architecture::Napoleon, "channels = 36\nsqueezed = 4\nhead = 8");
    let found = distances(napoleon, Objective::default(), 8, &[]);
    assert!(found.rounded < 1.1, "{}", found.rounded);
}

#[test]
fn policy() {
    let records = crate::common::records(2048, 21);
    let (held_out, learnt) = records.split_at(1000);
    let model = model(Architecture::Policy, "width = 128");
    let layout = model.layout().clone();
    let state = OptimizerState::new(model.initial(9));
    let objective = Objective { smoothing: 0.0, ..Objective::default() };
    let mut trainer = Trainer::new(model, AdamW::default(), objective, state, 2);
    for _ in 0..40 {
        trainer.train(learnt, 3e-3);
    }
    let mut state = trainer.state().clone();
    for tensor in layout.tensors() {
        let factor = match tensor.name {
            "first weights" | "first bias" => 127.0,
            name if name.ends_with("weights") => 64.0,
            _ => 127.0 * 127.0 * 64.0 / 128.0,
        };
        for x in &mut state.parameters[tensor.range()] {
            *x = (*x * factor).round() / factor;
        }
    }
    trainer.set_state(state);
    let bytes = trainer.model().export(&trainer.state().parameters, &NetLabel::default()).unwrap();
    let figures = PolicyFigures::measure(&bytes, held_out, 0.0).unwrap();
    let expected = trainer.measure(held_out, &objective);
    // Products are rounded down to one of 127 steps.
    assert!((figures.cross_entropy / expected - 1.0).abs() < 0.02, "{figures:?} {expected}");
    assert!((figures.smoothed - figures.cross_entropy).abs() < 1e-9);
}
