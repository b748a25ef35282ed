// SPDX-License-Identifier: GPL-3.0-or-later
//! Linear equations with a symmetric positive definite matrix, which rating lists and regressions end in.
//!
//! A list of some hundred engines is small enough for the plain Cholesky factorization, and a
//! linear algebra crate would be the largest dependency of this one.

/// The lower factor `L` of a matrix `L·Lᵀ`.
#[derive(Debug)]
pub(crate) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factors a symmetric matrix, of which only the lower triangle is read.
    ///
    /// None when it is not positive definite to working precision.
    pub(crate) fn factor(matrix: &[Vec<f64>]) -> Option<Self> {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (i, source) in matrix.iter().enumerate() {
            let mut row = Vec::with_capacity(i + 1);
            for j in 0..i {
                let rest = source[j] - dot(&row, &rows[j][..j]);
                row.push(rest / rows[j][j]);
            }
            let pivot = source[i] - dot(&row, &row);
            // A pivot this far below its diagonal is made of rounding errors.
            let is_sound = pivot > source[i] * f64::EPSILON * matrix.len() as f64;
            if !is_sound {
                return None;
            }
            row.push(pivot.sqrt());
            rows.push(row);
        }
        Some(Self { rows })
    }

    /// The solution `x` of `L·Lᵀ·x = b`.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = Vec::with_capacity(b.len());
        for (i, row) in self.rows.iter().enumerate() {
            x.push((b[i] - dot(&row[..i], &x)) / row[i]);
        }
        for i in (0..x.len()).rev() {
            x[i] /= self.rows[i][i];
            let (above, known) = x.split_at_mut(i);
            for (value, factor) in above.iter_mut().zip(&self.rows[i]) {
                *value -= factor * known[0];
            }
        }
        x
    }
}

/// The product of two vectors of the same length.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::Rng;

    #[test]
    fn solves_random_systems() {
        let mut rng = Rng::new(21);
        for n in 1..12 {
            // A·Aᵀ + I is positive definite for any A.
            let a: Vec<Vec<f64>> =
                (0..n).map(|_| (0..n).map(|_| rng.unit() - 0.5).collect()).collect();
            let matrix: Vec<Vec<f64>> = (0..n)
                .map(|i| (0..n).map(|j| dot(&a[i], &a[j]) + f64::from(u8::from(i == j))).collect())
                .collect();
            let expected: Vec<f64> = (0..n).map(|_| rng.unit()).collect();
            let b: Vec<f64> = matrix.iter().map(|row| dot(row, &expected)).collect();
            let x = Cholesky::factor(&matrix).unwrap().solve(&b);
            assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-10), "{x:?}");
        }
    }

    #[test]
    fn refuses_what_is_not_positive_definite() {
        assert!(Cholesky::factor(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
        assert!(Cholesky::factor(&[vec![-1.0]]).is_none());
        assert!(Cholesky::factor(&[vec![f64::NAN]]).is_none());
    }
}
