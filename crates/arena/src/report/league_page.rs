// SPDX-License-Identifier: GPL-3.0-or-later
//! The page of a rating list: who is how strong, and who did what against whom.

use crate::chart::{Interval, intervals, number};
use crate::page::{Page, table};
use crate::stats::{Rating, RatingPool, Trinomial};

/// The page of a list and the games that it was made from.
pub fn league(title: &str, pool: &RatingPool, ratings: &[Rating]) -> String {
    let games: u64 = ratings.iter().map(|row| row.games).sum::<u64>() / 2;
    let subtitle = format!("{} engines, {games} games", ratings.len());
    let mut page = Page::new(title, subtitle);
    let note = "the most probable ratings given all games; ± is half of the 95 % interval";
    page.wide_card("Ratings", note, &list(ratings));
    let note = "Elo with 95 % intervals: engines whose lines overlap have not been told apart";
    page.wide_card("How sure", note, &intervals(&rows(ratings), "Elo"));
    let note = "points of the engine on the left against the one above, out of the games played";
    page.wide_card("Everybody against everybody", note, &crosstable(pool, ratings));
    page.finish()
}

fn list(ratings: &[Rating]) -> String {
    let row = |row: &Rating| {
        vec![
            format!("{}. {}", row.rank, row.name),
            format!("{:.0}", row.elo),
            format!("{:.0}", row.error),
            row.games.to_string(),
            format!("{:.1} %", 100.0 * row.score),
            format!("{:.1} %", 100.0 * row.draws),
        ]
    };
    let rows: Vec<_> = ratings.iter().map(row).collect();
    table(&["engine", "Elo", "±", "games", "score", "draws"], &rows)
}

fn rows(ratings: &[Rating]) -> Vec<Interval> {
    let row = |row: &Rating| Interval {
        label: row.name.clone(),
        value: row.elo,
        error: row.error,
        hint: format!("{}: {:.0} ± {:.0}", row.name, row.elo, row.error),
        color: "a",
    };
    ratings.iter().map(row).collect()
}

fn crosstable(pool: &RatingPool, ratings: &[Rating]) -> String {
    let places: Vec<String> = ratings.iter().map(|row| row.rank.to_string()).collect();
    let head: Vec<&str> =
        std::iter::once("engine").chain(places.iter().map(String::as_str)).collect();
    let row = |row: &Rating| {
        let cells = ratings.iter().map(|other| cell(pool.between(&row.name, &other.name)));
        std::iter::once(format!("{}. {}", row.rank, row.name)).chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = ratings.iter().map(row).collect();
    table(&head, &rows)
}

fn cell(games: Trinomial) -> String {
    if games.games() == 0 {
        return "·".to_owned();
    }
    format!("{} / {}", number(games.points()), games.games())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Anchor;

    #[test]
    fn everybody_is_on_the_page() {
        let mut pool = RatingPool::default();
        pool.add("fox", "hen", Trinomial { wins: 30, draws: 10, losses: 10 }).unwrap();
        pool.add("<worm>", "hen", Trinomial { wins: 0, draws: 5, losses: 20 }).unwrap();
        let ratings = pool.rate(&Anchor::Mean).unwrap();
        let page = league("Farm", &pool, &ratings);
        assert!(page.contains("<h1>Farm</h1><p>3 engines, 75 games</p>"), "{page}");
        for text in ["1. fox", "35 / 50", "15 / 50", "2.5 / 25", "22.5 / 25", "&lt;worm&gt;"] {
            assert!(page.contains(text), "{text} in {page}");
        }
        assert!(!page.contains("<worm>") && !page.contains("http"));
    }
}
