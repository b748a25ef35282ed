// SPDX-License-Identifier: GPL-3.0-or-later
//! The error rates of the SPRT, measured on simulated matches.

use arena::stats::{Pentanomial, Sprt, SprtVerdict};
use tools::Rng;

const TESTS: u32 = 500;

/// The LLR is looked at after each batch, as a runner would after some games.
const BATCH: u32 = 100;

/// Chances of a pair's scores, in the manner of a drawish book, with the given normalized Elo.
fn chances(nelo: f64) -> [f64; 5] {
    const EVEN: [f64; 5] = [0.02, 0.22, 0.52, 0.22, 0.02];
    let tilted = |strength: f64| {
        let weights: [f64; 5] =
            std::array::from_fn(|i| EVEN[i] * (strength * (i as f64 - 2.0)).exp());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let nelo_of = |chances: &[f64; 5]| {
        let expect = |f: &dyn Fn(f64) -> f64| -> f64 {
            (0..5).map(|i| chances[i] * f(i as f64 / 4.0)).sum()
        };
        let mean = expect(&|score| score);
        let variance = expect(&|score| (score - mean).powi(2));
        (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10_f64.ln()
    };
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if nelo_of(&tilted(middle)) < nelo { low = middle } else { high = middle }
    }
    tilted(low)
}

/// Plays one simulated test to its end.
fn verdict(sprt: &Sprt, chances: &[f64; 5], rng: &mut Rng) -> SprtVerdict {
    let mut pairs = Pentanomial::default();
    loop {
        for _ in 0..BATCH {
            let mut rest = rng.unit();
            let lost = chances[..4].iter().take_while(|&&chance| {
                rest -= chance;
                rest >= 0.0
            });
            let cell = lost.count();
            pairs.0[cell] += 1;
        }
        let standing = sprt.evaluate(&pairs);
        if standing.verdict != SprtVerdict::Undecided {
            return standing.verdict;
        }
    }
}

fn count_verdicts(nelo: f64, seed: u64, wanted: SprtVerdict) -> u32 {
    let sprt = Sprt::new(0.0, 5.0).unwrap();
    let chances = chances(nelo);
    let mut rng = Rng::new(seed);
    (0..TESTS).filter(|_| verdict(&sprt, &chances, &mut rng) == wanted).count() as u32
}

#[test]
fn equal_engines_rarely_pass() {
    let wrong = count_verdicts(0.0, 101, SprtVerdict::H1);
    // The design rate is 5 %, so none at all would be as suspicious as too many.
    assert!((5..=TESTS * 8 / 100).contains(&wrong), "{wrong} of {TESTS}");
}

#[test]
fn real_gains_rarely_fail() {
    let wrong = count_verdicts(5.0, 202, SprtVerdict::H0);
    assert!((5..=TESTS * 8 / 100).contains(&wrong), "{wrong} of {TESTS}");
}

#[test]
fn halfway_between_either_verdict_is_as_likely() {
    let passed = count_verdicts(2.5, 303, SprtVerdict::H1);
    // Four standard deviations of a binomial(500, 0.5) count.
    assert!(passed.abs_diff(TESTS / 2) < 45, "{passed} of {TESTS}");
}
