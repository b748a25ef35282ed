// SPDX-License-Identifier: GPL-3.0-or-later
//! Results of many runs and PGN files in one pool, to be rated together.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use chess::Color;
use thiserror::Error;

use crate::pgn::{GameResultTags, read_results};
use crate::run::{GAMES_FILE, valid_pgn_bytes};
use crate::stats::{FirstResult, RatingError, RatingPool, Trinomial};

/// Why results cannot be added.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// A file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A game makes no sense.
    #[error("`{}`: {source}", .path.display())]
    Rating {
        /// The file.
        path: PathBuf,
        /// Why.
        source: RatingError,
    },
}

/// Adds the games of a run folder or of a PGN file, perhaps compressed, and says how many they are.
/// Games without result are left out.
pub fn add_results(pool: &mut RatingPool, path: &Path) -> Result<u64, ResultsError> {
    let io_error = |source| ResultsError::Io { path: path.to_owned(), source };
    let reader: Box<dyn io::BufRead> = if path.is_dir() {
        let file = File::open(path.join(GAMES_FILE)).map_err(io_error)?;
        // A run that was killed may have written more than it counted.
        let valid = valid_pgn_bytes(path).unwrap_or(u64::MAX);
        Box::new(BufReader::new(file.take(valid)))
    } else {
        tools::read::open(path).map_err(io_error)?
    };
    let (mut count, mut failure) = (0, None);
    read_results(reader, |tags| match add_game(pool, &tags) {
        Ok(games) => count += games,
        Err(source) => failure = Some(source),
    })
    .map_err(io_error)?;
    match failure {
        Some(source) => Err(ResultsError::Rating { path: path.to_owned(), source }),
        None => Ok(count),
    }
}

fn add_game(pool: &mut RatingPool, tags: &GameResultTags) -> Result<u64, RatingError> {
    let Some(outcome) = tags.outcome else { return Ok(0) };
    let mut game = Trinomial::default();
    game.add_game(FirstResult::seen_by(Color::White, outcome));
    pool.add(&tags.white, &tags.black, game)?;
    Ok(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Anchor;

    #[test]
    fn games_of_several_files_are_pooled() {
        let folder = tempfile::tempdir().unwrap();
        let game = |white: &str, black: &str, result: &str| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n"
            )
        };
        let one = game("A", "B", "1-0") + &game("B", "A", "1/2-1/2") + &game("A", "B", "*");
        let run = folder.path().join("run");
        std::fs::create_dir(&run).unwrap();
        std::fs::write(run.join(GAMES_FILE), one).unwrap();
        let pgn = folder.path().join("more.pgn");
        std::fs::write(&pgn, game("B", "C", "1-0") + &game("C", "B", "1/2-1/2")).unwrap();
        let mut pool = RatingPool::default();
        assert_eq!(add_results(&mut pool, &run).unwrap(), 2);
        assert_eq!(add_results(&mut pool, &pgn).unwrap(), 2);
        let names: Vec<_> =
            pool.rate(&Anchor::Mean).unwrap().into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["A", "B", "C"]);
    }
}
