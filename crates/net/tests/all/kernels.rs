// SPDX-License-Identifier: GPL-3.0-or-later
//! Every table of kernels gives the bits of the portable one, and the portable one the right ones.

use net::Kernels;
use net::random::Random;

/// All short lengths, so that every remainder occurs, and some long ones.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=300).chain([511, 512, 513, 768, 1024, 1536, 2048, 4096])
}

/// Values of 16 bits: any, or one of the extremes.
fn values(len: usize, random: &mut Random) -> Vec<i16> {
    const EXTREMES: [i16; 9] = [i16::MIN, -256, -1, 0, 1, 127, 255, 256, i16::MAX];
    let mut value = |_| match random.below(3) {
        0 => EXTREMES[random.below(EXTREMES.len())],
        1 => random.next() as i16,
        _ => random.around_zero(400) as i16,
    };
    (0..len).map(&mut value).collect()
}

/// Weights of at most `max` either way, often exactly that.
fn weights(len: usize, max: i16, random: &mut Random) -> Vec<i16> {
    let mut weight = |_| match random.below(3) {
        0 => max,
        1 => -max,
        _ => random.around_zero(max.into()) as i16,
    };
    (0..len).map(&mut weight).collect()
}

#[test]
fn names_choose_tables() {
    assert_eq!(Kernels::by_name("portable").unwrap().name(), "portable");
    assert_eq!(Kernels::by_name("auto").unwrap().name(), Kernels::detect().name());
    for kernels in Kernels::available() {
        assert_eq!(Kernels::by_name(kernels.name()).unwrap().name(), kernels.name());
    }
    let error = Kernels::by_name("mmx").unwrap_err().to_string();
    assert!(error.starts_with(
        "this processor does not support kernels `mmx`, expected auto or one of: port"
    ));
}

#[test]
fn rows_are_applied_alike() {
    let mut random = Random::new(1);
    for len in lengths().filter(|len| *len > 0) {
        let table = values(9 * len, &mut random);
        let from = values(len, &mut random);
        for (on, off) in [(1, 1), (1, 2), (2, 2), (0, 0), (1, 0), (0, 1), (2, 1), (5, 2), (3, 9)] {
            let mut row = |_| random.below(9) as u32;
            let on: Vec<u32> = (0..on).map(&mut row).collect();
            let off: Vec<u32> = (0..off).map(&mut row).collect();
            let sum = |rows: &[u32], lane: usize| -> i64 {
                rows.iter().map(|&row| i64::from(table[row as usize * len + lane])).sum()
            };
            let lane = |i| (i64::from(from[i]) + sum(&on, i) - sum(&off, i)) as i16;
            let expected: Vec<i16> = (0..len).map(lane).collect();
            for kernels in Kernels::available() {
                let mut out = vec![7; len];
                kernels.apply(&mut out, &from, &table, &on, &off);
                assert_eq!(out, expected, "{kernels:?}, {len} lanes, {on:?} on, {off:?} off");
            }
        }
    }
}

#[test]
fn squared_dots_agree() {
    let mut random = Random::new(2);
    for len in lengths() {
        for (max, limit) in [(511, 64), (384, 85), (255, 128), (181, 181), (127, 258), (1, 32_767)]
        {
            let (values, weights) = (values(len, &mut random), weights(len, limit, &mut random));
            let product = |(&v, &w): (&i16, &i16)| i64::from(v.clamp(0, max)).pow(2) * i64::from(w);
            let expected: i64 = values.iter().zip(&weights).map(product).sum();
            for kernels in Kernels::available() {
                let found = kernels.screlu_dot(&values, &weights, max);
                assert_eq!(found, expected, "{kernels:?}, {len} lanes up to {max}");
                if max <= 255 {
                    let wide = kernels.screlu_dot_wide(&values, &weights, max);
                    assert_eq!(wide, expected, "{kernels:?}, {len} lanes up to {max}");
                }
            }
        }
    }
}

#[test]
fn squared_dots_do_not_overflow() {
    for len in lengths() {
        for sign in [1, -1] {
            let values = vec![i16::MAX; len];
            for max in [255, 384, 511] {
                let weight = i16::MAX / max * sign;
                let expected = i64::from(max).pow(2) * i64::from(weight) * len as i64;
                let weights = vec![weight; len];
                for kernels in Kernels::available() {
                    assert_eq!(kernels.screlu_dot(&values, &weights, max), expected, "{kernels:?}");
                }
            }
            let weights = vec![i16::MAX * sign; len];
            let expected = 255 * 255 * 32_767 * i64::from(sign) * len as i64;
            for kernels in Kernels::available() {
                assert_eq!(
                    kernels.screlu_dot_wide(&values, &weights, 255),
                    expected,
                    "{kernels:?}"
                );
            }
        }
    }
}

#[test]
fn clamps_agree() {
    let mut random = Random::new(3);
    for len in lengths() {
        let values = values(len, &mut random);
        let expected: Vec<u8> = values.iter().map(|v| (*v).clamp(0, 127) as u8).collect();
        for kernels in Kernels::available() {
            let mut out = vec![9; len];
            kernels.crelu(&values, &mut out, 127);
            assert_eq!(out, expected, "{kernels:?}, {len} lanes");
        }
    }
}

#[test]
fn products_of_halves_agree() {
    let mut random = Random::new(4);
    for len in lengths() {
        let values = values(2 * len, &mut random);
        let clamped = |i: usize| u32::from(values[i].clamp(0, 255).unsigned_abs());
        let expected: Vec<u8> =
            (0..len).map(|i| (clamped(i) * clamped(i + len) / 512) as u8).collect();
        assert!(expected.iter().all(|&product| product <= 127));
        for kernels in Kernels::available() {
            let mut out = vec![9; len];
            kernels.pairwise(&values, &mut out);
            assert_eq!(out, expected, "{kernels:?}, {len} lanes");
        }
    }
}

#[test]
fn byte_layers_agree() {
    let mut random = Random::new(5);
    for inputs in lengths().filter(|len| len.is_multiple_of(4)) {
        for outputs in [1, 4, 8, 16, 24, 32] {
            let sparsity = 1 + random.below(6);
            let mut input = vec![0; inputs];
            for group in input.chunks_mut(4) {
                if random.below(sparsity) == 0 {
                    group.fill_with(|| [0, 1, 127, random.below(128) as u8][random.below(4)]);
                }
            }
            let mut weights = vec![0i8; inputs * outputs];
            weights.fill_with(|| [i8::MIN, i8::MAX, random.next() as i8][random.below(3)]);
            let bias: Vec<i32> = (0..outputs).map(|_| random.around_zero(1 << 30)).collect();
            let weight = |output: usize, input: usize| {
                i32::from(weights[(input / 4 * outputs + output) * 4 + input % 4])
            };
            let output = |o: usize| {
                bias[o] + (0..inputs).map(|i| weight(o, i) * i32::from(input[i])).sum::<i32>()
            };
            let expected: Vec<i32> = (0..outputs).map(output).collect();
            for kernels in Kernels::available() {
                let mut out = bias.clone();
                kernels.affine(&input, &weights, &mut out);
                assert_eq!(out, expected, "{kernels:?}, {inputs} to {outputs}");
            }
        }
    }
}

#[test]
fn rectified_layers_agree() {
    let mut random = Random::new(6);
    for inputs in lengths() {
        for outputs in [1, 4, 32] {
            let (input, weights) =
                (values(inputs, &mut random), weights(inputs * outputs, i16::MAX, &mut random));
            let output = |o: usize| {
                let row = &weights[o * inputs..][..inputs];
                let products =
                    input.iter().zip(row).map(|(&v, &w)| i64::from(v.max(0)) * i64::from(w));
                // Sums that leave 32 bits wrap around, on every path.
                (products.sum::<i64>() + 5) as i32
            };
            let expected: Vec<i32> = (0..outputs).map(output).collect();
            for kernels in Kernels::available() {
                let mut out = vec![5; outputs];
                kernels.relu_affine(&input, &weights, &mut out);
                assert_eq!(out, expected, "{kernels:?}, {inputs} to {outputs}");
            }
        }
    }
}

#[test]
fn dense_layers_agree_bit_by_bit() {
    let mut random = Random::new(7);
    let mut floats = |count: usize| -> Vec<f32> {
        let lanes = values(count, &mut random);
        lanes.into_iter().map(|lane| f32::from(lane) / 777.0).collect()
    };
    for inputs in [0, 1, 16, 33, 256] {
        for outputs in [1, 7, 8, 16, 24, 32, 41] {
            let (input, weights, bias) =
                (floats(inputs), floats(inputs * outputs), floats(outputs));
            let output = |o: usize| {
                let products = input.iter().enumerate().map(|(i, x)| x * weights[i * outputs + o]);
                products.fold(bias[o], |sum, product| sum + product)
            };
            let expected: Vec<u32> = (0..outputs).map(|o| output(o).to_bits()).collect();
            for kernels in Kernels::available() {
                let mut out = vec![f32::NAN; outputs];
                kernels.dense(&input, &weights, &bias, &mut out);
                let bits: Vec<u32> = out.into_iter().map(f32::to_bits).collect();
                assert_eq!(bits, expected, "{kernels:?}, {inputs} to {outputs}");
            }
        }
    }
}

#[test]
fn the_processor_decides_which_tables_there_are() {
    let has = |name| Kernels::by_name(name).is_ok();
    #[cfg(target_arch = "x86_64")]
    {
        let is_512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        assert_eq!(has("avx2"), is_x86_feature_detected!("avx2"));
        assert_eq!(has("avx512"), is_512);
        assert_eq!(has("avx512vnni"), is_512 && is_x86_feature_detected!("avx512vnni"));
    }
    assert_eq!(has("neon"), cfg!(target_arch = "aarch64"));
}
