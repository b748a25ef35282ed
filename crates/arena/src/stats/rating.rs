// SPDX-License-Identifier: GPL-3.0-or-later
//! Rating lists: many engines, everybody's games, one scale.
//!
//! Results are pooled by pairing and fitted all at once, so an engine's rating takes its opponents'
//! strength into account, also of opponents it never met. The method of Ordo and Bayeselo in
//! outline; why this model: see the fit's module, `bradley_terry`.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::bradley_terry::{Fit, Pairing};
use super::pentanomial::Trinomial;

/// Draws each engine is credited with, spread over its opponents, when the games alone would put
/// some engine infinitely far from another.
const VIRTUAL_DRAWS: f64 = 1.0;

/// What holds a list in place, as games determine only differences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Anchor {
    /// The mean of all ratings is zero.
    #[default]
    Mean,
    /// One engine has a known rating. Errors are then relative to it, and its own is zero.
    Engine {
        /// The engine's name.
        name: String,
        /// Its rating.
        elo: f64,
    },
}

/// One row of a rating list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The place in the list, from 1.
    pub rank: usize,
    /// The engine.
    pub name: String,
    /// Its rating, always finite.
    pub elo: f64,
    /// The half-width of the 95 % interval.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// The share of points made.
    pub score: f64,
    /// The share of games drawn.
    pub draws: f64,
}

/// The results of many engines against each other.
///
/// ```
/// use arena::stats::{Anchor, RatingPool, Trinomial};
///
/// let mut pool = RatingPool::default();
/// pool.add("fox", "hen", Trinomial { wins: 30, draws: 10, losses: 10 })?;
/// pool.add("hen", "worm", Trinomial { wins: 20, draws: 10, losses: 0 })?;
/// let list = pool.rate(&Anchor::Engine { name: "hen".to_owned(), elo: 2000.0 })?;
/// let names: Vec<&str> = list.iter().map(|row| row.name.as_str()).collect();
/// assert_eq!(names, ["fox", "hen", "worm"]);
/// assert_eq!((list[1].elo, list[1].error), (2000.0, 0.0));
/// # Ok::<(), arena::stats::RatingError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RatingPool {
    names: Vec<String>,
    indices: HashMap<String, usize>,
    /// Results by pair of engines, lower index first and from its view.
    results: BTreeMap<(usize, usize), Trinomial>,
}

impl RatingPool {
    /// Adds games between two engines, from the first one's view, to those already known.
    pub fn add(&mut self, first: &str, second: &str, games: Trinomial) -> Result<(), RatingError> {
        if first == second {
            return Err(RatingError::SelfPlay { name: first.to_owned() });
        }
        let (i, j) = (self.index(first), self.index(second));
        let (key, games) = if i < j { ((i, j), games) } else { ((j, i), games.flip()) };
        *self.results.entry(key).or_default() += games;
        Ok(())
    }

    /// The engines, in the order they were first named.
    pub fn engines(&self) -> &[String] {
        &self.names
    }

    /// All games between two engines, from the first one's view.
    pub fn between(&self, first: &str, second: &str) -> Trinomial {
        let index = |name: &str| self.indices.get(name).copied();
        let (Some(i), Some(j)) = (index(first), index(second)) else { return Trinomial::default() };
        let games = self.results.get(&(i.min(j), i.max(j))).copied().unwrap_or_default();
        if i < j { games } else { games.flip() }
    }

    /// The list, best engine first.
    ///
    /// Takes a time cubic in the number of engines: nothing for dozens, seconds for a thousand.
    pub fn rate(&self, anchor: &Anchor) -> Result<Vec<Rating>, RatingError> {
        let anchored = self.find_anchor(anchor)?;
        if self.names.is_empty() {
            return Ok(Vec::new());
        }
        self.check_connected()?;
        let mut pairings = self.pairings();
        if !is_bounded(self.names.len(), &pairings) {
            add_virtual_draws(self.names.len(), &mut pairings);
        }
        let fit = Fit::new(self.names.len(), &pairings).ok_or(RatingError::IllConditioned)?;
        let mut list: Vec<Rating> = (0..self.names.len())
            .map(|i| {
                let (elo, error) = match anchored {
                    None => (fit.elo(i), fit.error(i)),
                    Some((k, elo)) if k == i => (elo, 0.0),
                    Some((k, elo)) => (fit.elo(i) - fit.elo(k) + elo, fit.error_between(i, k)),
                };
                self.row(i, elo, error)
            })
            .collect();
        list.sort_by(|a, b| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
        for (place, row) in list.iter_mut().enumerate() {
            row.rank = place + 1;
        }
        Ok(list)
    }

    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    fn find_anchor(&self, anchor: &Anchor) -> Result<Option<(usize, f64)>, RatingError> {
        let Anchor::Engine { name, elo } = anchor else { return Ok(None) };
        if !elo.is_finite() {
            return Err(RatingError::AnchorElo { name: name.clone(), elo: *elo });
        }
        match self.indices.get(name) {
            Some(&index) => Ok(Some((index, *elo))),
            None => Err(RatingError::UnknownAnchor { name: name.clone() }),
        }
    }

    /// A row without its rank.
    fn row(&self, engine: usize, elo: f64, error: f64) -> Rating {
        let total: Trinomial = self
            .results
            .iter()
            .filter_map(|(&(i, j), &games)| match engine {
                _ if engine == i => Some(games),
                _ if engine == j => Some(games.flip()),
                _ => None,
            })
            .sum();
        Rating {
            rank: 0,
            name: self.names[engine].clone(),
            elo,
            error,
            games: total.games(),
            score: total.score().unwrap_or_default(),
            draws: total.draw_ratio().unwrap_or_default(),
        }
    }

    fn pairings(&self) -> Vec<Pairing> {
        self.results
            .iter()
            .filter(|(_, games)| games.games() > 0)
            .map(|(&(first, second), games)| Pairing {
                first,
                second,
                games: games.games() as f64,
                points: games.points(),
                draws: games.draws as f64,
            })
            .collect()
    }

    /// Ratings of engines that no chain of games connects cannot be compared.
    fn check_connected(&self) -> Result<(), RatingError> {
        let mut neighbors = vec![Vec::new(); self.names.len()];
        for pairing in self.pairings() {
            neighbors[pairing.first].push(pairing.second);
            neighbors[pairing.second].push(pairing.first);
        }
        let mut groups: Vec<Vec<String>> = Vec::new();
        let mut seen = vec![false; self.names.len()];
        for start in 0..self.names.len() {
            if seen[start] {
                continue;
            }
            let reached = reachable(start, &neighbors);
            let members = (0..reached.len()).filter(|&i| reached[i]);
            groups.push(
                members.inspect(|&i| seen[i] = true).map(|i| self.names[i].clone()).collect(),
            );
        }
        if groups.len() > 1 { Err(RatingError::Disconnected { groups }) } else { Ok(()) }
    }
}

/// Whether finite ratings explain the games best: everybody made points, directly or through
/// others, against everybody.
fn is_bounded(engines: usize, pairings: &[Pairing]) -> bool {
    let mut beaten = vec![Vec::new(); engines];
    let mut beaten_by = vec![Vec::new(); engines];
    let mut note = |winner: usize, loser: usize| {
        beaten[winner].push(loser);
        beaten_by[loser].push(winner);
    };
    for pairing in pairings {
        if pairing.points > 0.0 {
            note(pairing.first, pairing.second);
        }
        if pairing.points < pairing.games {
            note(pairing.second, pairing.first);
        }
    }
    [beaten, beaten_by].iter().all(|edges| reachable(0, edges).into_iter().all(|reached| reached))
}

fn reachable(start: usize, edges: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut waiting = vec![start];
    while let Some(i) = waiting.pop() {
        if !std::mem::replace(&mut reached[i], true) {
            waiting.extend(&edges[i]);
        }
    }
    reached
}

fn add_virtual_draws(engines: usize, pairings: &mut [Pairing]) {
    let mut games = vec![0.0; engines];
    for pairing in &*pairings {
        games[pairing.first] += pairing.games;
        games[pairing.second] += pairing.games;
    }
    for pairing in pairings {
        let share = pairing.games / games[pairing.first] + pairing.games / games[pairing.second];
        // Each draw lies in two engines' books, hence the half.
        let draws = 0.5 * VIRTUAL_DRAWS * share;
        pairing.games += draws;
        pairing.points += 0.5 * draws;
        pairing.draws += draws;
    }
}

/// Why there is no rating list.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RatingError {
    /// An engine's games against itself say nothing.
    #[error("engine `{name}` plays against itself, expected two different names")]
    SelfPlay {
        /// The engine.
        name: String,
    },
    /// The anchor has no games.
    #[error("no games of the anchor `{name}`, expected the name of an engine in the list")]
    UnknownAnchor {
        /// The anchor.
        name: String,
    },
    /// The anchor's rating is not a number.
    #[error("bad rating {elo} of the anchor `{name}`, expected a finite number")]
    AnchorElo {
        /// The anchor.
        name: String,
        /// The rating.
        elo: f64,
    },
    /// Some engines never met, not even through others.
    #[error("no games connect these groups of engines: {}", list_groups(.groups))]
    Disconnected {
        /// The engines of each group.
        groups: Vec<Vec<String>>,
    },
    /// Contradictions or numbers of games beyond what can be weighed in floating point.
    #[error("the results contradict each other or differ in number too much to be rated together")]
    IllConditioned,
}

fn list_groups(groups: &[Vec<String>]) -> String {
    let quoted = |group: &Vec<String>| format!("`{}`", group.join("`, `"));
    groups.iter().map(quoted).collect::<Vec<_>>().join(" / ")
}

#[cfg(test)]
mod tests;
