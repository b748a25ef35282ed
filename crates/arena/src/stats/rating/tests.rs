// SPDX-License-Identifier: GPL-3.0-or-later
//! Tests of rating lists on closed forms, simulated leagues and hopeless cases.

use super::super::{FirstResult, elo_to_score};
use super::*;
use tools::Rng;

fn wdl(wins: u64, draws: u64, losses: u64) -> Trinomial {
    Trinomial { wins, draws, losses }
}

fn pool(results: &[(&str, &str, Trinomial)]) -> RatingPool {
    let mut pool = RatingPool::default();
    for (first, second, games) in results {
        pool.add(first, second, *games).unwrap();
    }
    pool
}

fn row<'a>(list: &'a [Rating], name: &str) -> &'a Rating {
    list.iter().find(|row| row.name == name).unwrap()
}

/// Plays games whose draw chance is half of what the scores allow.
fn simulate(difference: f64, games: u32, rng: &mut Rng) -> Trinomial {
    let score = elo_to_score(difference);
    let draw = score.min(1.0 - score);
    let mut result = Trinomial::default();
    for _ in 0..games {
        let chance = rng.unit();
        result.add_game(match chance {
            _ if chance < draw => FirstResult::Draw,
            _ if chance < score + draw / 2.0 => FirstResult::Win,
            _ => FirstResult::Loss,
        });
    }
    result
}

fn simulate_league(truth: &[f64], games: u32, rng: &mut Rng) -> RatingPool {
    let mut pool = RatingPool::default();
    for i in 0..truth.len() {
        for j in 0..i {
            let result = simulate(truth[i] - truth[j], games, rng);
            pool.add(&i.to_string(), &j.to_string(), result).unwrap();
        }
    }
    pool
}

#[test]
fn two_engines_are_rated_as_their_match() {
    for games in [wdl(30, 50, 20), wdl(500, 100, 400), wdl(3, 0, 1)] {
        let anchor = Anchor::Engine { name: "b".to_owned(), elo: 0.0 };
        let list = pool(&[("a", "b", games)]).rate(&anchor).unwrap();
        let closed = games.elo().unwrap();
        assert!((row(&list, "a").elo - closed.value).abs() < 1e-7, "{list:?}");
        let mean = pool(&[("b", "a", games.flip())]).rate(&Anchor::Mean).unwrap();
        assert!((row(&mean, "a").elo - closed.value / 2.0).abs() < 1e-7, "{mean:?}");
        assert!((row(&mean, "b").elo + closed.value / 2.0).abs() < 1e-7, "{mean:?}");
    }
    let games = wdl(5000, 3000, 4500);
    let list = pool(&[("a", "b", games)]).rate(&Anchor::Mean).unwrap();
    let error = games.elo().unwrap().error.unwrap();
    assert!((row(&list, "a").error / (error / 2.0) - 1.0).abs() < 0.001, "{list:?}");
    let anchor = Anchor::Engine { name: "b".to_owned(), elo: 0.0 };
    let list = pool(&[("a", "b", games)]).rate(&anchor).unwrap();
    assert!((row(&list, "a").error / error - 1.0).abs() < 0.001, "{list:?}");
}

#[test]
fn rows_carry_the_counts() {
    let list =
        pool(&[("a", "b", wdl(6, 3, 1)), ("c", "a", wdl(2, 2, 6)), ("a", "b", wdl(0, 10, 0))])
            .rate(&Anchor::Mean)
            .unwrap();
    let a = row(&list, "a");
    assert_eq!((a.rank, a.games), (1, 30));
    assert!((a.score - (6.0 + 6.5 + 6.0 + 1.0) / 30.0).abs() < 1e-12);
    assert!((a.draws - 15.0 / 30.0).abs() < 1e-12);
    let ranks: Vec<usize> = list.iter().map(|row| row.rank).collect();
    assert_eq!(ranks, [1, 2, 3]);
    assert!(list.windows(2).all(|two| two[0].elo >= two[1].elo));
}

#[test]
fn an_engine_is_judged_by_its_opponents() {
    // Both newcomers score half, one against the strong engine and one against the weak.
    let list = pool(&[
        ("strong", "weak", wdl(60, 20, 20)),
        ("new1", "strong", wdl(10, 20, 10)),
        ("new2", "weak", wdl(10, 20, 10)),
    ])
    .rate(&Anchor::Mean)
    .unwrap();
    assert!((row(&list, "new1").elo - row(&list, "strong").elo).abs() < 1e-6);
    assert!((row(&list, "new2").elo - row(&list, "weak").elo).abs() < 1e-6);
    assert!(row(&list, "new1").elo > row(&list, "new2").elo + 100.0);
}

#[test]
fn simulated_ratings_are_recovered_within_their_errors() {
    let truth = [-210.0, -90.0, -30.0, 20.0, 110.0, 200.0];
    let mut rng = Rng::new(31);
    let (mut inside, mut total) = (0, 0);
    for _ in 0..100 {
        let list = simulate_league(&truth, 200, &mut rng).rate(&Anchor::Mean).unwrap();
        for (i, elo) in truth.iter().enumerate() {
            let found = row(&list, &i.to_string());
            assert!((found.elo - elo).abs() < 3.0 * found.error, "{found:?} {elo}");
            total += 1;
            inside += i32::from((found.elo - elo).abs() < found.error);
        }
    }
    let coverage = f64::from(inside) / f64::from(total);
    assert!((0.92..0.98).contains(&coverage), "{coverage}");
}

#[test]
fn anchoring_shifts_everybody_alike() {
    let mut rng = Rng::new(32);
    let pool = simulate_league(&[0.0, 50.0, 120.0, -80.0], 300, &mut rng);
    let mean = pool.rate(&Anchor::Mean).unwrap();
    assert!(mean.iter().map(|row| row.elo).sum::<f64>().abs() < 1e-7);
    let anchored = pool.rate(&Anchor::Engine { name: "2".to_owned(), elo: 3000.0 }).unwrap();
    assert_eq!((row(&anchored, "2").elo, row(&anchored, "2").error), (3000.0, 0.0));
    let shift = 3000.0 - row(&mean, "2").elo;
    for (a, b) in anchored.iter().zip(&mean) {
        assert_eq!((&a.name, a.rank, a.games), (&b.name, b.rank, b.games));
        assert!((a.elo - b.elo - shift).abs() < 1e-7, "{a:?} {b:?}");
    }
}

#[test]
fn whole_scores_stay_finite() {
    for games in [1, 100, 1_000_000_000] {
        let list = pool(&[
            ("god", "man", wdl(games, 0, 0)),
            ("man", "worm", wdl(games, 0, 0)),
            ("man", "ape", wdl(3, 3, 3)),
        ])
        .rate(&Anchor::Mean)
        .unwrap();
        assert_eq!((row(&list, "god").rank, row(&list, "worm").rank), (1, 4));
        for row in &list {
            assert!(row.elo.is_finite() && row.error.is_finite() && row.error > 0.0, "{row:?}");
        }
        let lead = row(&list, "god").elo - row(&list, "man").elo;
        assert!(lead > 100.0 && lead < 10_000.0, "{lead}");
    }
}

#[test]
fn more_wins_without_loss_rate_higher() {
    let lead = |games| {
        let list = pool(&[("a", "b", wdl(games, 0, 0))]).rate(&Anchor::Mean).unwrap();
        list[0].elo - list[1].elo
    };
    // One virtual draw: a scored (games + 0.5) of (games + 1).
    assert!((lead(9) - 400.0 * (9.5_f64 / 0.5).log10()).abs() < 1e-6);
    assert!(lead(10) > lead(9));
}

#[test]
fn a_group_that_never_scored_is_bounded_too() {
    // Nobody has a score of 0 or 1, yet the games alone put the groups infinitely far apart.
    let list = pool(&[
        ("a", "b", wdl(5, 5, 5)),
        ("c", "d", wdl(5, 5, 5)),
        ("a", "c", wdl(10, 0, 0)),
        ("b", "d", wdl(10, 0, 0)),
    ])
    .rate(&Anchor::Mean)
    .unwrap();
    assert!(list.iter().all(|row| row.elo.abs() < 1000.0), "{list:?}");
    assert!(row(&list, "a").elo > row(&list, "c").elo + 100.0);
}

#[test]
fn disconnected_groups_are_named() {
    let error =
        pool(&[("a", "b", wdl(1, 1, 1)), ("c", "d", wdl(1, 1, 1)), ("a", "e", wdl(0, 0, 0))])
            .rate(&Anchor::Mean)
            .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no games connect these groups of engines: `a`, `b` / `c`, `d` / `e`"
    );
}

#[test]
fn nonsense_is_refused() {
    let mut pool = pool(&[("a", "b", wdl(1, 1, 1))]);
    let error = Err(RatingError::SelfPlay { name: "a".to_owned() });
    assert_eq!(pool.add("a", "a", wdl(1, 0, 0)), error);
    assert_eq!(pool.engines(), ["a", "b"]);
    let unknown = Anchor::Engine { name: "z".to_owned(), elo: 0.0 };
    assert_eq!(pool.rate(&unknown), Err(RatingError::UnknownAnchor { name: "z".to_owned() }));
    let infinite = Anchor::Engine { name: "a".to_owned(), elo: f64::INFINITY };
    assert!(matches!(pool.rate(&infinite), Err(RatingError::AnchorElo { .. })));
    assert_eq!(RatingPool::default().rate(&Anchor::Mean), Ok(Vec::new()));
}
