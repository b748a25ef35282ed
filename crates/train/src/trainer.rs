// SPDX-License-Identifier: GPL-3.0-or-later
//! The training loop's inside: one batch, all threads, one step of the optimizer.

use data::Record;

use crate::aligned::Aligned;
use crate::model::{Model, Unfolding, Worker};
use crate::objective::Objective;
use crate::optimizer::{AdamW, State, Step};

/// A network in training.
///
/// Each thread takes the same share of every batch and adds into gradients of its own, which are
/// merged in the order of the threads: the same number of threads gives the same bits.
pub struct Trainer {
    model: Box<dyn Model>,
    optimizer: AdamW,
    objective: Objective,
    state: State,
    /// What workers use, if it is not the parameters themselves.
    unfolded: Option<Aligned>,
    workers: Vec<Box<dyn Worker>>,
    gradients: Vec<Aligned>,
    /// The gradients of the parameters, if workers use other weights.
    folded: Vec<Aligned>,
}

impl std::fmt::Debug for Trainer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trainer").field("model", &self.model).finish_non_exhaustive()
    }
}

impl Trainer {
    /// A network with so many threads, from parameters that fit it.
    ///
    /// # Panics
    /// If the parameters do not fit, or there is no thread.
    pub fn new(
        model: Box<dyn Model>,
        optimizer: AdamW,
        objective: Objective,
        state: State,
        threads: usize,
    ) -> Self {
        assert!(threads > 0, "somebody must do the work");
        assert_eq!(state.parameters.len(), model.layout().len(), "parameters fit the network");
        let used = model.unfolding().map_or(model.layout().len(), Unfolding::len);
        let is_folded = model.unfolding().is_some();
        let mut trainer = Self {
            workers: (0..threads).map(|_| model.worker()).collect(),
            gradients: vec![Aligned::zeroed(used); threads],
            folded: vec![Aligned::zeroed(if is_folded { model.layout().len() } else { 0 })],
            unfolded: is_folded.then(|| Aligned::zeroed(used)),
            model,
            optimizer,
            objective,
            state,
        };
        trainer.unfold();
        trainer
    }

    /// The network.
    pub fn model(&self) -> &dyn Model {
        &*self.model
    }

    /// What has been learnt so far.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Puts other parameters in the place of those that have been learnt.
    ///
    /// # Panics
    /// If they do not fit the network.
    pub fn set_state(&mut self, state: State) {
        assert_eq!(state.parameters.len(), self.model.layout().len(), "parameters fit the network");
        self.state = state;
        self.unfold();
    }

    /// What is being learnt.
    pub const fn objective(&self) -> &Objective {
        &self.objective
    }

    /// How many threads share the work.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Learns from a batch: step number `index`, counted from zero, at this learning rate. Returns
    /// the sum of the losses before the step.
    pub fn train(&mut self, records: &[Record], index: u64, rate: f32) -> f64 {
        let loss = self.add_gradients(records);
        let step = Step { index, rate, positions: records.len(), threads: self.threads() };
        let layout = self.model.layout();
        if let Some(unfolding) = self.model.unfolding() {
            for gradients in &mut self.gradients {
                unfolding.fold(gradients, &mut self.folded[0]);
                gradients.fill(0.0);
            }
            self.optimizer.step(layout, &mut self.state, &mut self.folded, step);
            self.unfold();
        } else {
            self.optimizer.step(layout, &mut self.state, &mut self.gradients, step);
        }
        loss
    }

    fn unfold(&mut self) {
        if let (Some(unfolding), Some(weights)) = (self.model.unfolding(), &mut self.unfolded) {
            unfolding.unfold(&self.state.parameters, weights);
        }
    }

    fn add_gradients(&mut self, records: &[Record]) -> f64 {
        let weights: &[f32] = self.unfolded.as_ref().unwrap_or(&self.state.parameters);
        let objective = &self.objective;
        let share = records.len().div_ceil(self.workers.len());
        let work = self.workers.iter_mut().zip(&mut self.gradients).zip(records.chunks(share));
        std::thread::scope(|scope| {
            let threads: Vec<_> = work
                .map(|((worker, gradients), records)| {
                    scope.spawn(move || worker.train(weights, records, objective, gradients))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("workers do not panic")).sum()
        })
    }

    /// The mean loss over records under any objective.
    pub fn measure(&mut self, records: &[Record], objective: &Objective) -> f64 {
        let sums = self.in_threads(records, |worker, weights, records| {
            worker.measure(weights, records, objective)
        });
        sums.into_iter().sum::<f64>() / records.len().max(1) as f64
    }

    /// What a value network says about records, to the side to move in units of output.
    pub fn outputs(&mut self, records: &[Record]) -> Vec<f32> {
        let outputs =
            self.in_threads(records, |worker, weights, records| worker.outputs(weights, records));
        outputs.concat()
    }

    fn in_threads<T: Send>(
        &mut self,
        records: &[Record],
        work: impl Fn(&mut dyn Worker, &[f32], &[Record]) -> T + Sync,
    ) -> Vec<T> {
        let weights: &[f32] = self.unfolded.as_ref().unwrap_or(&self.state.parameters);
        let share = records.len().div_ceil(self.workers.len()).max(1);
        let work = &work;
        std::thread::scope(|scope| {
            let threads: Vec<_> = (self.workers.iter_mut().zip(records.chunks(share)))
                .map(|(worker, records)| scope.spawn(move || work(&mut **worker, weights, records)))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("workers do not panic")).collect()
        })
    }
}
