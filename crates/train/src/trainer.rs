// SPDX-License-Identifier: GPL-3.0-or-later
//! The training loop's inside: one batch, all threads, one step of the optimizer.

use data::Record;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::aligned::Aligned;
use crate::model::{GradientWorker, Model, Unfolding};
use crate::objective::Objective;
use crate::optimizer::{AdamW, OptimizerState, Step};

/// A network in training.
///
/// Each thread takes the same share of every batch and adds into gradients of its own, which are
/// merged in the order of the threads: the same number of threads gives the same bits.
pub struct Trainer {
    model: Box<dyn Model>,
    optimizer: AdamW,
    objective: Objective,
    state: OptimizerState,
    /// What workers use, if it is not the parameters themselves.
    unfolded: Option<Aligned>,
    workers: Vec<Box<dyn GradientWorker>>,
    gradients: Vec<Aligned>,
    /// The gradients of the parameters, if workers use other weights.
    folded: Vec<Aligned>,
    pool: ThreadPool,
}

/// So many threads that wait for work.
///
/// # Panics
/// If the system has no more threads.
pub(crate) fn pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.thread_name(|index| format!("train-{index}")).build().expect("the system has threads")
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
        state: OptimizerState,
        threads: usize,
    ) -> Self {
        assert!(threads > 0, "there is at least one thread");
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
            pool: pool(threads),
        };
        trainer.unfold();
        trainer
    }

    /// The network.
    pub fn model(&self) -> &dyn Model {
        &*self.model
    }

    /// What has been learnt so far.
    pub const fn state(&self) -> &OptimizerState {
        &self.state
    }

    /// Puts other parameters in the place of those that have been learnt.
    ///
    /// # Panics
    /// If they do not fit the network.
    pub fn set_state(&mut self, state: OptimizerState) {
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

    /// Sets the share of the game's result in what is learnt.
    pub const fn set_lambda(&mut self, lambda: f32) {
        self.objective.lambda = lambda;
    }

    /// Learns from a batch at this learning rate. Returns the sum of the losses before the step.
    pub fn train(&mut self, records: &[Record], rate: f32) -> f64 {
        let loss = self.add_gradients(records);
        let step = Step { rate, positions: records.len() };
        let (layout, pool) = (self.model.layout(), &self.pool);
        if let Some(unfolding) = self.model.unfolding() {
            unfolding.fold_all(&mut self.gradients, &mut self.folded[0], pool);
            self.optimizer.step(layout, &mut self.state, &mut self.folded, step, pool);
            self.unfold();
        } else {
            self.optimizer.step(layout, &mut self.state, &mut self.gradients, step, pool);
        }
        loss
    }

    fn unfold(&mut self) {
        if let (Some(unfolding), Some(weights)) = (self.model.unfolding(), &mut self.unfolded) {
            unfolding.unfold_in(&self.state.parameters, weights, &self.pool);
        }
    }

    fn add_gradients(&mut self, records: &[Record]) -> f64 {
        let weights: &[f32] = self.unfolded.as_ref().unwrap_or(&self.state.parameters);
        let objective = &self.objective;
        let share = records.len().div_ceil(self.workers.len()).max(1);
        let mut losses = vec![0.0; self.workers.len()];
        let work = self.workers.iter_mut().zip(&mut self.gradients).zip(records.chunks(share));
        self.pool.in_place_scope(|scope| {
            for (((worker, gradients), records), loss) in work.zip(&mut losses) {
                scope.spawn(move |_| *loss = worker.train(weights, records, objective, gradients));
            }
        });
        losses.into_iter().sum()
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
        work: impl Fn(&mut dyn GradientWorker, &[f32], &[Record]) -> T + Sync,
    ) -> Vec<T> {
        let weights: &[f32] = self.unfolded.as_ref().unwrap_or(&self.state.parameters);
        let share = records.len().div_ceil(self.workers.len()).max(1);
        let mut results: Vec<Option<T>> = self.workers.iter().map(|_| None).collect();
        let parts = self.workers.iter_mut().zip(records.chunks(share));
        let work = &work;
        self.pool.in_place_scope(|scope| {
            for ((worker, records), result) in parts.zip(&mut results) {
                scope.spawn(move |_| *result = Some(work(&mut **worker, weights, records)));
            }
        });
        results.into_iter().flatten().collect()
    }
}
