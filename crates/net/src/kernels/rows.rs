// SPDX-License-Identifier: GPL-3.0-or-later
//! Kernels on rows of bytes, for networks that choose a few rows out of large tables.
//!
//! All are exact in integers, so that every path gives the same bits. The functions here are the
//! definition; `rows_avx2` holds what was measured to pay beyond them.
#![expect(unsafe_code, reason = "calls of functions that need processor features")]

use super::Kernels;

type AddRows = unsafe fn(&mut [i16], &[i8], &[u16]);
type MultiplyHalves = unsafe fn(&[i16], &mut [u8]);
type RowDots = unsafe fn(&[u8], &[i8], &[u16], &mut [i32]);

/// The largest value that a lane is clamped to before its product is taken.
pub(crate) const MAX_LANE: i16 = 127;
/// Widths of rows of sums are multiples of this; the rows of their products are half as wide.
pub(crate) const WIDTH_STEP: usize = 128;

/// The kernels of this file.
#[derive(Clone, Copy)]
pub(super) struct RowKernels {
    pub(super) add_rows: AddRows,
    pub(super) multiply_halves: MultiplyHalves,
    pub(super) row_dots: RowDots,
}

pub(super) const PORTABLE: RowKernels = RowKernels { add_rows, multiply_halves, row_dots };

impl Kernels {
    /// Adds rows of `table` to `sums`, lane by lane and modulo 2¹⁶; a row is as long as `sums`.
    ///
    /// # Panics
    /// If a row is not within the table, or its length not a multiple of [`WIDTH_STEP`].
    #[inline]
    pub(crate) fn add_rows(&self, sums: &mut [i16], table: &[i8], rows: &[u16]) {
        assert!(sums.len().is_multiple_of(WIDTH_STEP), "rows are whole tiles");
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.rows.add_rows)(sums, table, rows) }
    }

    /// Multiplies the two halves of `sums`, clamped to 0 and [`MAX_LANE`], and divides by 128, which
    /// leaves 0 to 126.
    ///
    /// # Panics
    /// If `products` is not half as long as `sums`.
    #[inline]
    pub(crate) fn multiply_halves(&self, sums: &[i16], products: &mut [u8]) {
        assert_eq!(sums.len(), 2 * products.len(), "two factors for each product");
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.rows.multiply_halves)(sums, products) }
    }

    /// Adds to each of `dots` the product of `input`, whose numbers are at most 127, with its row of
    /// `table`.
    ///
    /// # Panics
    /// If a row is not within the table, or its length not a multiple of half of [`WIDTH_STEP`].
    #[inline]
    pub(crate) fn row_dots(&self, input: &[u8], table: &[i8], rows: &[u16], dots: &mut [i32]) {
        assert!(input.len().is_multiple_of(WIDTH_STEP / 2), "rows are whole tiles");
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.rows.row_dots)(input, table, rows, dots) }
    }
}

/// See [`Kernels::add_rows`].
pub(super) fn add_rows(sums: &mut [i16], table: &[i8], rows: &[u16]) {
    let width = sums.len();
    for &row in rows {
        let row = &table[usize::from(row) * width..][..width];
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(i16::from(weight));
        }
    }
}

/// See [`Kernels::multiply_halves`].
#[inline(always)]
pub(super) fn multiply_halves(sums: &[i16], products: &mut [u8]) {
    let (left, right) = sums.split_at(products.len());
    for ((product, left), right) in products.iter_mut().zip(left).zip(right) {
        let [left, right] = [left, right].map(|lane| (*lane).clamp(0, MAX_LANE));
        *product = ((left * right) >> 7) as u8;
    }
}

/// See [`Kernels::row_dots`].
pub(super) fn row_dots(input: &[u8], table: &[i8], rows: &[u16], dots: &mut [i32]) {
    let width = input.len();
    for (dot, &row) in dots.iter_mut().zip(rows) {
        let row = &table[usize::from(row) * width..][..width];
        let product = |(&value, &weight): (&u8, &i8)| i32::from(value) * i32::from(weight);
        *dot += input.iter().zip(row).map(product).sum::<i32>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that look random, with the extremes among them.
    fn noise(len: usize, seed: usize) -> Vec<i8> {
        let hash = |i: usize| ((i ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8;
        let byte = |i: usize| match hash(i) {
            0..32 => i8::MIN,
            32..64 => i8::MAX,
            other => other.cast_signed(),
        };
        (0..len).map(byte).collect()
    }

    #[test]
    fn a_row_is_added_lane_by_lane() {
        let table = noise(3 * WIDTH_STEP, 1);
        let mut sums = vec![5; WIDTH_STEP];
        Kernels::portable().add_rows(&mut sums, &table, &[2, 0]);
        for (i, sum) in sums.into_iter().enumerate() {
            let rows = i16::from(table[2 * WIDTH_STEP + i]) + i16::from(table[i]);
            assert_eq!(sum, 5 + rows, "lane {i}");
        }
    }

    #[test]
    fn products_are_of_clamped_halves() {
        let mut sums = [0; 2 * 6];
        sums[..6].copy_from_slice(&[127, 300, -1, 64, 1, 127]);
        sums[6..].copy_from_slice(&[127, 127, 127, 64, 127, 128]);
        let mut products = [0; 6];
        Kernels::portable().multiply_halves(&sums, &mut products);
        assert_eq!(products, [126, 126, 0, 32, 0, 126]);
    }

    #[test]
    fn every_table_equals_the_portable_one() {
        for width in (WIDTH_STEP..=2048).step_by(WIDTH_STEP) {
            let table = noise(9 * width, width);
            let rows: Vec<u16> = (0..40).map(|i| i * 5 % 9).collect();
            let input: Vec<u8> =
                noise(width, 7).iter().map(|&v| v.unsigned_abs().min(127)).collect();
            let lanes = noise(2 * width, 3).into_iter().map(|v| i16::from(v) * 2);
            let lanes: Vec<i16> = lanes.collect();
            let run = |kernels: Kernels, count: usize| {
                let mut sums: Vec<i16> = (0..width as i16).map(|i| i.wrapping_mul(97)).collect();
                kernels.add_rows(&mut sums, &table, &rows[..count]);
                let mut products = vec![0; width];
                kernels.multiply_halves(&lanes, &mut products);
                let mut dots: Vec<i32> = (0..count as i32).collect();
                kernels.row_dots(&input, &table, &rows[..count], &mut dots);
                (sums, products, dots)
            };
            for kernels in Kernels::available() {
                for count in [0, 1, 2, 3, 32, 40] {
                    assert_eq!(run(kernels, count), run(Kernels::portable(), count), "{kernels:?}");
                }
            }
        }
    }
}
