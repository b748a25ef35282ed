// SPDX-License-Identifier: GPL-3.0-or-later
//! Product pooling: how the four classes become what the second layer sees, and back.

/// What the second layer sees and says for one position; or the gradients of it.
#[derive(Clone, Debug)]
pub(super) struct Values {
    /// The four classes, clamped: full, vertical, horizontal, rotational.
    pub(super) classes: Vec<f32>,
    pub(super) even_inputs: Vec<f32>,
    pub(super) odd_inputs: Vec<f32>,
    /// Before the clamp.
    pub(super) even_sums: Vec<f32>,
    pub(super) even: Vec<f32>,
    pub(super) odd: Vec<f32>,
}

impl Values {
    pub(super) fn new(h: usize, m: usize) -> Self {
        Self {
            classes: vec![0.0; 4 * h],
            even_inputs: vec![0.0; 4 * h],
            odd_inputs: vec![0.0; 3 * h],
            even_sums: vec![0.0; m],
            even: vec![0.0; m],
            odd: vec![0.0; m],
        }
    }

    /// The classes as the second layer sees them.
    pub(super) fn pool(&mut self) {
        let h = self.classes.len() / 4;
        for (input, class) in self.even_inputs.iter_mut().zip(&self.classes) {
            *input = class.abs();
        }
        self.even_inputs[..h].copy_from_slice(&self.classes[..h]);
        let [full, vertical, horizontal, rotational] =
            [0, 1, 2, 3].map(|class| &self.classes[class * h..][..h]);
        self.odd_inputs[..h].copy_from_slice(vertical);
        let (first, second) = self.odd_inputs[h..].split_at_mut(h);
        for i in 0..h {
            first[i] = full[i] * vertical[i];
            second[i] = horizontal[i] * rotational[i];
        }
    }

    /// The gradients of the classes from those of what the second layer saw.
    pub(super) fn unpool(&mut self, of: &Self) {
        let h = self.classes.len() / 4;
        for (i, delta) in self.classes.iter_mut().enumerate() {
            let sign = if i < h || of.classes[i] > 0.0 { 1.0 } else { -1.0 };
            *delta = sign * self.even_inputs[i];
        }
        for i in 0..h {
            let [vertical, first, second] = [0, 1, 2].map(|part| self.odd_inputs[part * h + i]);
            let [f, v, x, r] = [0, 1, 2, 3].map(|class| of.classes[class * h + i]);
            self.classes[i] += first * v;
            self.classes[h + i] += vertical + first * f;
            self.classes[2 * h + i] += second * r;
            self.classes[3 * h + i] += second * x;
        }
    }
}
