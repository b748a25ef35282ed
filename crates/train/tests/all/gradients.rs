// SPDX-License-Identifier: GPL-3.0-or-later
//! Gradients of whole architectures against finite differences.

use crate::common::{model, with_king_buckets};
use data::Record;
use net::Architecture;
use tools::Rng;
use train::model::{Model, Unfolding};
use train::{Aligned, Objective, Shape};

/// A model with what is needed to measure it at any parameters.
struct Bench {
    model: Box<dyn Model>,
    records: Vec<Record>,
    objective: Objective,
    /// Step widths to try, and how far gradients may be off by rounding and by kinks within a step.
    steps: &'static [f32],
    tolerance: f64,
}

impl Bench {
    fn weights(&self, parameters: &[f32]) -> Aligned {
        let unfolding = self.model.unfolding();
        let mut weights = Aligned::zeroed(unfolding.map_or(parameters.len(), Unfolding::len));
        match unfolding {
            Some(unfolding) => unfolding.unfold(parameters, &mut weights),
            None => weights.copy_from_slice(parameters),
        }
        weights
    }

    fn loss(&self, parameters: &[f32]) -> f64 {
        // As in training: normalizations then use the positions at hand.
        let weights = self.weights(parameters);
        let mut unused = Aligned::zeroed(weights.len());
        self.model.worker().train(&weights, &self.records, &self.objective, &mut unused)
    }

    fn gradients(&self, parameters: &[f32]) -> Aligned {
        let weights = self.weights(parameters);
        let mut of_weights = Aligned::zeroed(weights.len());
        let mut worker = self.model.worker();
        worker.train(&weights, &self.records, &self.objective, &mut of_weights);
        let Some(unfolding) = self.model.unfolding() else { return of_weights };
        let mut gradients = Aligned::zeroed(parameters.len());
        unfolding.fold(&of_weights, &mut gradients);
        gradients
    }

    /// Differences over two step widths; where they disagree, a kink lies between.
    fn difference(&self, parameters: &mut Aligned, index: usize) -> Option<f64> {
        let value = parameters[index];
        let mut at = |step: f32| {
            parameters[index] = value + step;
            let loss = self.loss(parameters);
            parameters[index] = value;
            loss
        };
        self.steps.iter().find_map(|&step| {
            let [wide, narrow] = [step, 0.5 * step]
                .map(|step| (at(step) - at(-step)) / f64::from((value + step) - (value - step)));
            let scale = wide.abs().max(narrow.abs());
            ((wide - narrow).abs() < 0.02 * scale + 0.4 * self.tolerance).then_some(narrow)
        })
    }
}

/// Checks some numbers of every tensor: those with the largest gradients, and random ones.
fn check(model: Box<dyn Model>, objective: Objective) {
    // Napoleon has thousands of kinks in every position: only narrow steps miss them.
    let is_kinky = model.architecture() == Architecture::Napoleon;
    let records = crate::common::records(if is_kinky { 8 } else { 100 }, 11);
    let steps: &[f32] = if is_kinky { &[5e-4, 2e-4] } else { &[4e-3, 1e-3] };
    let tolerance = if is_kinky { 1e-2 } else { 5e-3 };
    let count = if is_kinky { 2 } else { 12 };
    let bench = Bench { model, records, objective, steps, tolerance };
    let mut parameters = bench.model.initial(5);
    let mut random = Rng::new(3);
    // Nothing stays at zero, or a mistake that multiplies by it would not show.
    parameters.iter_mut().for_each(|x| *x += 0.05 * random.signed_unit());
    let gradients = bench.gradients(&parameters);
    for tensor in bench.model.layout().tensors().iter().filter(|tensor| !tensor.is_average) {
        let mut indices: Vec<usize> = tensor.range().collect();
        indices.sort_by(|&a, &b| gradients[b].abs().total_cmp(&gradients[a].abs()));
        let rest = indices.split_off(indices.len().min(count));
        if !rest.is_empty() {
            indices.extend((0..count / 2).map(|_| rest[random.below(rest.len())]));
        }
        let (mut checked, mut wrong) = (0, Vec::new());
        for &index in &indices {
            let Some(expected) = bench.difference(&mut parameters, index) else { continue };
            let found = f64::from(gradients[index]);
            let is_near =
                (found - expected).abs() < 4.0 * bench.tolerance * expected.abs() + bench.tolerance;
            let (name, place) = (tensor.name, index - tensor.range().start);
            if !is_near {
                wrong.push(format!("{name}[{place}]: {found}, by differences {expected}"));
            }
            checked += 1;
        }
        // A kink so near that no step misses it gives half of another slope: one may happen.
        assert!(wrong.len() <= usize::from(is_kinky), "{}", wrong.join("; "));
        assert!(2 * checked >= indices.len(), "{}: {checked} of {}", tensor.name, indices.len());
    }
}

#[test]
fn house_with_screlu() {
    let blend = Objective { lambda: 0.3, power: 2.5, ..Objective::default() };
    check(model(Architecture::House, "width = 32\noutput_buckets = 8"), blend);
    check(model(Architecture::House, "width = 80\nmirrored = false"), Objective::default());
}

#[test]
fn house_with_factorized_king_buckets() {
    let options = with_king_buckets("width = 64\noutput_buckets = 2", 4);
    let objective = Objective { shape: Shape::Softplus, lambda: 1.0, ..Objective::default() };
    check(model(Architecture::House, &options), objective);
}

#[test]
fn house_with_products() {
    let options = "width = 64\nhead = \"pairwise\"\noutput_buckets = 2";
    check(model(Architecture::House, options), Objective::default());
    let options = with_king_buckets("width = 32\nhead = \"pairwise\"\nsmall = [8, 16]", 2);
    check(model(Architecture::House, &options), Objective::default());
}

#[test]
fn nectar() {
    check(model(Architecture::Nectar, "width = 16"), Objective::default());
}

#[test]
fn rengar() {
    let results = Objective { shape: Shape::Softplus, lambda: 1.0, ..Objective::default() };
    check(model(Architecture::Rengar, "width = 32"), results);
    check(model(Architecture::Rengar, "width = 8\nsecond = 8"), Objective::default());
}

#[test]
fn napoleon() {
    let wide = "channels = 36\nblocks = 2\nsqueezed = 3\nhead = 5";
    check(model(Architecture::Napoleon, wide), Objective::default());
}

#[test]
fn policy() {
    let objective = Objective { smoothing: 0.1, ..Objective::default() };
    check(model(Architecture::Policy, "width = 128"), objective);
}

#[test]
fn tal() {
    for join in ["sum", "concat"] {
        let options = format!("width = 16\nsecond = 4\nthird = 8\njoin = \"{join}\"");
        check(model(Architecture::Tal, &options), Objective::default());
    }
}

#[test]
fn batu() {
    let published = Objective { shape: Shape::Tanh, scale: 600.0, ..Objective::default() };
    check(model(Architecture::Batu, "width = 48\nsecond = 8\nscale = 600"), published);
    check(model(Architecture::Batu, "width = 32\nsecond = 8"), Objective::default());
}
