// SPDX-License-Identifier: GPL-3.0-or-later
//! Tests of the SPRT's numbers; its error rates are tested in `tests/all/sprt_simulation.rs`.

use super::*;
use tools::Rng;

const MODELS: [Model; 2] = [Model::Normalized, Model::Logistic];

/// Counts, bounds in normalized Elo, and the LLR that OpenBench computes.
const GOLDEN: [([u64; 5], [f64; 2], f64); 7] = [
    ([379, 10170, 21828, 10640, 343], [0.0, 2.0], 2.9455),
    ([21, 134, 309, 203, 60], [0.0, 5.0], 3.0010),
    ([54, 226, 410, 318, 87], [0.0, 5.0], 2.9625),
    ([0, 2, 9, 4, 0], [0.0, 5.0], 0.0612),
    ([100, 500, 1000, 500, 100], [-3.0, 0.0], 0.1640),
    ([0, 0, 50, 10, 2], [0.0, 10.0], 0.8045),
    ([30, 20, 10, 5, 0], [0.0, 10.0], -2.0579),
];

fn random_pairs(rng: &mut Rng) -> Pentanomial {
    Pentanomial(std::array::from_fn(|_| {
        let cap = [1, 10, 1_000, 100_000][rng.below(4)];
        rng.below(cap) as u64
    }))
}

fn single_cell(cell: usize, count: u64) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    pairs.0[cell] = count;
    pairs
}

#[test]
fn golden_table() {
    for (counts, [elo0, elo1], expected) in GOLDEN {
        let llr = Sprt::new(elo0, elo1).unwrap().llr(&Pentanomial(counts));
        assert!((llr - expected).abs() < 1e-4, "{counts:?}: {llr}");
    }
}

#[test]
fn bounds_follow_from_the_error_rates() {
    let sprt = Sprt::new(0.0, 5.0).unwrap();
    assert!((sprt.lower() + 2.944_439).abs() < 1e-6 && (sprt.upper() - 2.944_439).abs() < 1e-6);
    let sprt = sprt.with_error_rates(0.01, 0.1).unwrap();
    assert!((sprt.lower() - (0.1_f64 / 0.99).ln()).abs() < 1e-12);
    assert!((sprt.upper() - (0.9_f64 / 0.01).ln()).abs() < 1e-12);
    assert_eq!(sprt.verdict(sprt.upper()), SprtVerdict::H1);
    assert_eq!(sprt.verdict(sprt.lower()), SprtVerdict::H0);
    assert_eq!(sprt.verdict(0.0), SprtVerdict::Undecided);
}

#[test]
fn nonsense_is_refused_with_its_value() {
    for (elo0, elo1) in [(0.0, 0.0), (5.0, 0.0), (-1.0, -3.0)] {
        assert_eq!(Sprt::new(elo0, elo1), Err(SprtError::BoundsOutOfOrder { elo0, elo1 }));
    }
    assert_eq!(Sprt::new(0.0, 1e6), Err(SprtError::BoundOutOfRange { value: 1e6 }));
    let infinite = Err(SprtError::BoundOutOfRange { value: f64::NEG_INFINITY });
    assert_eq!(Sprt::new(f64::NEG_INFINITY, 0.0), infinite);
    assert!(matches!(Sprt::new(0.0, f64::NAN), Err(SprtError::BoundOutOfRange { .. })));
    let sprt = Sprt::new(-3.0, 0.0).unwrap();
    for value in [0.0, 0.5, 1.0, -0.1] {
        assert_eq!(sprt.with_error_rates(value, 0.05), Err(SprtError::ErrorRate { value }));
        assert_eq!(sprt.with_error_rates(0.05, value), Err(SprtError::ErrorRate { value }));
    }
    let error = "elo".parse::<Model>().unwrap_err().to_string();
    assert_eq!(error, "unknown SPRT model `elo`, expected `normalized` or `logistic`");
}

#[test]
fn model_names_round_trip() {
    for model in MODELS {
        assert_eq!(model.to_string().parse(), Ok(model));
    }
}

#[test]
fn reading_back_checks_the_values() {
    let raw = |elo1, alpha| RawSprt { elo0: 0.0, elo1, alpha, beta: 0.1, model: Model::Logistic };
    let sprt = Sprt::try_from(raw(5.0, 0.2)).unwrap();
    assert_eq!((sprt.elo1(), sprt.alpha(), sprt.beta()), (5.0, 0.2, 0.1));
    assert_eq!(sprt.model(), Model::Logistic);
    assert!(Sprt::try_from(raw(-5.0, 0.2)).is_err());
    assert!(Sprt::try_from(raw(5.0, 2.0)).is_err());
}

#[test]
fn no_pairs_are_no_evidence() {
    for model in MODELS {
        let sprt = Sprt::new(0.0, 5.0).unwrap().with_model(model);
        assert_eq!(sprt.llr(&Pentanomial::default()), 0.0);
        assert_eq!(sprt.llr_of_games(&Trinomial::default()), 0.0);
    }
}

#[test]
fn degenerate_counts_give_finite_answers_with_the_right_sign() {
    for model in MODELS {
        for (elo0, elo1) in [(0.0, 5.0), (-3.0, 0.0), (0.0, 300.0), (-1000.0, 1000.0)] {
            let sprt = Sprt::new(elo0, elo1).unwrap().with_model(model);
            for count in [1, 20, 1_000_000_000, u64::MAX] {
                for cell in 0..5 {
                    let llr = sprt.llr(&single_cell(cell, count));
                    assert!(llr.is_finite(), "{model} {sprt} {cell} {count}: {llr}");
                    assert!(cell != 0 || llr < 0.0, "{model} {sprt} {cell} {count}: {llr}");
                    assert!(cell != 4 || llr > 0.0, "{model} {sprt} {cell} {count}: {llr}");
                }
                let even = Pentanomial([count; 5]);
                assert!(sprt.llr(&even).is_finite(), "{model} {sprt} {count}");
            }
        }
    }
}

#[test]
fn flipped_counts_and_bounds_negate_the_llr() {
    let mut rng = Rng::new(11);
    for round in 0..1000 {
        let pairs = random_pairs(&mut rng);
        let (elo0, elo1) = (-20.0 * rng.unit(), 20.0 * rng.unit() + 0.1);
        let model = MODELS[round % 2];
        let llr = Sprt::new(elo0, elo1).unwrap().with_model(model).llr(&pairs);
        let mirror = Sprt::new(-elo1, -elo0).unwrap().with_model(model).llr(&pairs.flip());
        let tolerance = 1e-6 * (1.0 + llr.abs());
        assert!((llr + mirror).abs() < tolerance, "{model} {pairs}: {llr} {mirror}");
    }
}

#[test]
fn a_better_pair_raises_the_llr() {
    let mut rng = Rng::new(12);
    let normalized = Sprt::new(0.0, 5.0).unwrap();
    let logistic = normalized.with_model(Model::Logistic);
    for _ in 0..500 {
        // Cells as full as in real matches: normalized Elo also falls with the variance, so with
        // nearly empty outer cells a won pair can count against the winner.
        let base: [u64; 5] = std::array::from_fn(|i| {
            [20, 100, 200, 100, 20][i] + rng.below([10, 100, 200, 100, 10][i]) as u64
        });
        for cell in 0..4 {
            let mut better = base;
            better[cell] -= 1;
            better[cell + 1] += 1;
            for sprt in [normalized, logistic] {
                let gain = sprt.llr(&Pentanomial(better)) - sprt.llr(&Pentanomial(base));
                assert!(gain > 0.0, "{} {base:?} {cell}: {gain}", sprt.model());
            }
        }
    }
}

#[test]
fn the_llr_grows_in_proportion_to_the_games() {
    let sprt = Sprt::new(0.0, 5.0).unwrap();
    let once = sprt.llr(&Pentanomial([21, 134, 309, 203, 60]));
    let tenfold = sprt.llr(&Pentanomial([210, 1340, 3090, 2030, 600]));
    assert!((tenfold / once - 10.0).abs() < 1e-9);
}

/// For small differences the LLR is near (t1 − t0)·√n·(z − √n·(t0 + t1)/2), z = √n·t̂.
#[test]
fn both_models_agree_with_the_normal_approximation() {
    let pairs = Pentanomial([379, 10170, 21828, 10640, 343]);
    let moments = pairs.moments().unwrap();
    let per_pair = |mean0: f64, mean1: f64| {
        (mean1 - mean0) * (moments.mean - f64::midpoint(mean0, mean1)) / moments.variance
    };
    let logistic = Sprt::new(0.0, 2.0).unwrap().with_model(Model::Logistic);
    let expected = per_pair(0.5, elo_to_score(2.0)) * moments.observations;
    assert!((logistic.llr(&pairs) - expected).abs() < 0.01);
    let mean1 = 0.5 + 2.0 / NELO_PER_T * (2.0 * moments.variance).sqrt();
    let expected = per_pair(0.5, mean1) * moments.observations;
    assert!((Sprt::new(0.0, 2.0).unwrap().llr(&pairs) - expected).abs() < 0.01);
}

#[test]
fn single_games_agree_with_pairs_of_independent_games() {
    // Pairs drawn from independent games with shares 0.26, 0.5, 0.24 of won, drawn and lost games.
    let (win, draw, loss) = (0.26_f64, 0.5_f64, 0.24_f64);
    let cells = [
        loss * loss,
        2.0 * loss * draw,
        2.0 * win * loss + draw * draw,
        2.0 * win * draw,
        win * win,
    ];
    let pairs = Pentanomial(cells.map(|share| (share * 10_000.0).round() as u64));
    let games = Trinomial { wins: 5200, draws: 10_000, losses: 4800 };
    for model in MODELS {
        let sprt = Sprt::new(0.0, 10.0).unwrap().with_model(model);
        let (by_pairs, by_games) = (sprt.llr(&pairs), sprt.llr_of_games(&games));
        assert!((by_pairs / by_games - 1.0).abs() < 0.01, "{model}: {by_pairs} {by_games}");
    }
}

#[test]
fn progress_is_measured_towards_the_nearer_bound() {
    let sprt = Sprt::new(0.0, 5.0).unwrap().with_error_rates(0.05, 0.2).unwrap();
    let at = |llr| {
        let (lower, upper, verdict) = (sprt.lower(), sprt.upper(), sprt.verdict(llr));
        SprtStanding { llr, lower, upper, verdict }.progress()
    };
    assert_eq!((at(sprt.lower()), at(sprt.upper()), at(0.0)), (1.0, 1.0, 0.0));
    assert!((at(sprt.lower() / 2.0) - 0.5).abs() < 1e-12);
}
