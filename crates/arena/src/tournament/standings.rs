// SPDX-License-Identifier: GPL-3.0-or-later
//! The score of a match, counted pair by pair.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::format::Pairing;
use super::settings::MatchSettings;
use crate::referee::GameFault;
use crate::stats::{
    Anchor, Estimate, FirstResult, Pentanomial, Rating, RatingError, RatingPool, Sprt,
    SprtStanding, SprtVerdict, Trinomial,
};

/// What a finished pair adds to the score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairResult {
    /// The pair's number, from 0.
    pub pair: usize,
    /// Who played.
    pub pairing: Pairing,
    /// Both games as the pairing's first engine sees them.
    pub outcomes: [FirstResult; 2],
    /// What went wrong.
    pub faults: Vec<GameFault>,
}

/// The score of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    sprt: Option<Sprt>,
    games: BTreeMap<Pairing, Trinomial>,
    pairs: BTreeMap<Pairing, Pentanomial>,
    /// Pairs of the first engine that ended with a win each, as opposed to two draws.
    traded: u64,
    faults: Vec<GameFault>,
}

impl Standings {
    /// A match that has not begun.
    pub fn new(settings: &MatchSettings) -> Self {
        Self {
            names: settings.engines.iter().map(|engine| engine.name.clone()).collect(),
            sprt: settings.sprt,
            games: BTreeMap::new(),
            pairs: BTreeMap::new(),
            traded: 0,
            faults: Vec::new(),
        }
    }

    /// Counts a pair.
    pub fn add(&mut self, pair: &PairResult) {
        let [one, other] = pair.outcomes;
        let games = self.games.entry(pair.pairing).or_default();
        games.add_game(one);
        games.add_game(other);
        self.pairs.entry(pair.pairing).or_default().add_pair(one, other);
        if one == other.flip() && one != FirstResult::Draw {
            self.traded += u64::from(pair.pairing.first == 0);
        }
        self.faults.extend(pair.faults.iter().cloned());
    }

    /// How many games were lost by a crash, a stall, an illegal move or on time.
    pub fn games_lost_by_faults(&self) -> u64 {
        let is_loss = |fault: &&GameFault| fault.kind.is_fatal() && !fault.is_between_games();
        let games: BTreeSet<usize> =
            self.faults.iter().filter(is_loss).map(|fault| fault.game).collect();
        games.len() as u64
    }

    /// The engines' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All games of one engine.
    pub fn games_of(&self, engine: usize) -> Trinomial {
        let seen = |(pairing, games): (&Pairing, &Trinomial)| match engine {
            _ if pairing.first == engine => Some(*games),
            _ if pairing.second == engine => Some(games.flip()),
            _ => None,
        };
        self.games.iter().filter_map(seen).sum()
    }

    /// All pairs of the first engine, from its view.
    pub fn pentanomial(&self) -> Pentanomial {
        let is_first = |(pairing, _): &(&Pairing, &Pentanomial)| pairing.first == 0;
        self.pairs.iter().filter(is_first).map(|(_, pairs)| *pairs).sum()
    }

    /// Pairs finished, of all engines.
    pub fn pair_count(&self) -> u64 {
        self.pairs.values().map(Pentanomial::pairs).sum()
    }

    /// Pairs of the first engine with a win each, for each pair of two draws.
    pub fn traded_ratio(&self) -> Option<f64> {
        let drawn = self.pentanomial().0[2] - self.traded;
        (drawn > 0).then(|| self.traded as f64 / drawn as f64)
    }

    /// The test, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// Where the test stands, if there is one.
    pub fn evaluation(&self) -> Option<SprtStanding> {
        self.sprt.map(|sprt| sprt.evaluate(&self.pentanomial()))
    }

    /// What went wrong.
    pub fn faults(&self) -> &[GameFault] {
        &self.faults
    }

    /// The games as a pool to be rated.
    pub fn pool(&self) -> Result<RatingPool, RatingError> {
        let mut pool = RatingPool::default();
        for (pairing, games) in &self.games {
            pool.add(&self.names[pairing.first], &self.names[pairing.second], *games)?;
        }
        Ok(pool)
    }

    /// The rating list, best engine first.
    pub fn ratings(&self, anchor: &Anchor) -> Result<Vec<Rating>, RatingError> {
        self.pool()?.rate(anchor)
    }

    /// The result as JSON knows it.
    pub fn result(&self) -> MatchResult {
        let evaluation = self.evaluation();
        MatchResult {
            engines: self.scores(),
            ptnml: self.pentanomial(),
            llr: evaluation.map(|evaluation| evaluation.llr),
            verdict: evaluation.map(|evaluation| evaluation.verdict),
            faults: self.faults.clone(),
        }
    }

    fn scores(&self) -> Vec<EngineScore> {
        let ratings = self.ratings(&Anchor::Mean).unwrap_or_default();
        let estimate = |engine: usize| -> Option<Estimate> {
            if let [_, _] = self.names[..] {
                let pairs = self.pentanomial();
                return if engine == 0 { pairs.elo() } else { pairs.flip().elo() };
            }
            let row = ratings.iter().find(|row| row.name == self.names[engine])?;
            Some(Estimate { value: row.elo, error: Some(row.error) })
        };
        let score = |engine: usize| {
            let (games, elo) = (self.games_of(engine), estimate(engine));
            EngineScore {
                name: self.names[engine].clone(),
                games: games.games(),
                wins: games.wins,
                losses: games.losses,
                draws: games.draws,
                score: games.points(),
                elo: elo.map(|elo| elo.value),
                error: elo.and_then(|elo| elo.error),
            }
        };
        (0..self.names.len()).map(score).collect()
    }
}

/// The result of a match, as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct MatchResult {
    /// One entry for each engine, in the order given.
    pub engines: Vec<EngineScore>,
    /// Pairs of the first engine from its view.
    pub ptnml: Pentanomial,
    /// The log-likelihood ratio of the test, if there is one.
    pub llr: Option<f64>,
    /// Its verdict.
    pub verdict: Option<SprtVerdict>,
    /// What went wrong.
    pub faults: Vec<GameFault>,
}

/// The score of one engine.
#[derive(Clone, Debug, Serialize)]
pub struct EngineScore {
    /// Its name.
    pub name: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Points: one for a win, half for a draw.
    pub score: f64,
    /// Elo difference to the opponent, or among many the rating with mean zero; none if it is not
    /// finite.
    pub elo: Option<f64>,
    /// Half of its 95 % interval.
    pub error: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::super::settings::tests::settings;
    use super::*;

    pub(crate) fn pair(
        pair: usize,
        first: usize,
        second: usize,
        outcomes: [FirstResult; 2],
    ) -> PairResult {
        PairResult { pair, pairing: Pairing { first, second }, outcomes, faults: Vec::new() }
    }

    #[test]
    fn pairs_are_counted_for_both_sides() {
        use FirstResult::{Draw, Loss, Win};
        let mut standings = Standings::new(&settings());
        for (number, outcomes) in
            [[Win, Loss], [Draw, Draw], [Win, Win], [Loss, Draw]].into_iter().enumerate()
        {
            standings.add(&pair(number, 0, 1, outcomes));
        }
        let result = standings.result();
        assert_eq!(result.ptnml, Pentanomial([0, 1, 2, 0, 1]));
        let [a, b] = &result.engines[..] else { panic!("two engines") };
        assert_eq!((a.wins, a.draws, a.losses, a.score.to_string()), (3, 3, 2, "4.5".into()));
        assert_eq!((b.wins, b.draws, b.losses, b.score.to_string()), (2, 3, 3, "3.5".into()));
        assert_eq!(a.elo.map(f64::round), b.elo.map(|elo| -elo.round()));
        assert_eq!(standings.traded_ratio(), Some(1.0));
        assert_eq!((result.llr, result.verdict), (None, None));
    }
}
