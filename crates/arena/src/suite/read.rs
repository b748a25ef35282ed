// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading suites from files.

use std::io;
use std::path::{Path, PathBuf};

use chess::{Board, Epd, EpdError, FenError, Move, MoveError};
use thiserror::Error;
use tools::read;

use super::problem::{Goal, Problem};

/// A file of problems.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The file's name without its endings.
    pub name: String,
    /// The problems, in the order of the file.
    pub problems: Vec<Problem>,
    /// Positions that were read but ask for nothing, such as a fortress marked as drawn.
    pub unjudged: usize,
}

/// Why a suite cannot be read.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A line makes no sense.
    #[error("`{}` line {line}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        source: LineError,
    },
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// It is no EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A puzzle's position is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is wrong.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A column is missing.
    #[error("expected a column `{0}`, found nothing")]
    Column(&'static str),
    /// Moves and points do not go together.
    #[error("expected as many points in c8 as moves in c9, found `{0}`")]
    Points(String),
    /// A mate is too long to be one.
    #[error("expected a length of mate, found {0}")]
    Mate(i64),
    /// A puzzle needs a move of the opponent and one to find.
    #[error("expected at least two moves, found `{0}`")]
    TooShort(String),
}

impl Suite {
    /// Reads a file: puzzles if its name ends in `.csv`, EPD otherwise, compressed or not.
    pub fn read(path: &Path) -> Result<Self, SuiteError> {
        let io_error = |source| SuiteError::Io { path: path.to_owned(), source };
        let (name, is_csv) = split_name(path);
        let mut suite = Self { name, problems: Vec::new(), unjudged: 0 };
        let mut columns = Columns::LICHESS;
        for (i, line) in read::lines(read::open(path).map_err(io_error)?).enumerate() {
            let line = line.map_err(io_error)?;
            if is_csv && i == 0 && columns.read_header(&line) {
                continue;
            }
            let read = if is_csv {
                read_puzzle(&line, &columns, i + 1).map(Some)
            } else {
                read_epd(&line, i + 1, &mut suite.unjudged)
            };
            let at_line = |source| SuiteError::Line { path: path.to_owned(), line: i + 1, source };
            suite.problems.extend(read.map_err(at_line)?);
        }
        Ok(suite)
    }

    /// Keeps at most `count` problems, evenly spread over the file.
    pub fn sample(&mut self, count: usize) {
        let total = self.problems.len();
        if count < total {
            let mut i = 0;
            self.problems.retain(|_| {
                i += 1;
                i * count / total > (i - 1) * count / total
            });
        }
    }
}

/// The name without `.zst` and its like, and whether it is a table of puzzles.
fn split_name(path: &Path) -> (String, bool) {
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = file.strip_suffix(".zst").or(file.strip_suffix(".xz")).unwrap_or(&file);
    let (stem, extension) = plain.rsplit_once('.').unwrap_or((plain, ""));
    (stem.to_owned(), extension.eq_ignore_ascii_case("csv"))
}

fn read_epd(line: &str, number: usize, unjudged: &mut usize) -> Result<Option<Problem>, LineError> {
    let Some(epd) = Epd::read_line(line)? else { return Ok(None) };
    let (best, avoid) = (epd.best_moves().to_vec(), epd.avoid_moves().to_vec());
    let goal = if !best.is_empty() || !avoid.is_empty() {
        Goal::Move { best, avoid }
    } else if let Some(moves) = epd.mate_distance()? {
        let length = i32::try_from(moves).ok().filter(|moves| *moves != 0);
        Goal::Mate(length.ok_or(LineError::Mate(moves))?)
    } else {
        *unjudged += 1;
        return Ok(None);
    };
    let id = epd.id().filter(|id| !id.is_empty()).unwrap_or_else(|| format!("line {number}"));
    let points = read_points(&epd)?;
    Ok(Some(Problem { id, board: *epd.board(), goal, points, themes: Vec::new() }))
}

/// The points of the Strategic Test Suite: `c9` has UCI moves, `c8` their points.
fn read_points(epd: &Epd) -> Result<Vec<(Move, u32)>, LineError> {
    let (Some(moves), Some(points)) = (epd.text("c9"), epd.text("c8")) else {
        return Ok(Vec::new());
    };
    let mismatch = || LineError::Points(points.clone());
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let numbers: Vec<u32> = points
        .split_whitespace()
        .map(|number| number.parse().map_err(|_| mismatch()))
        .collect::<Result<_, _>>()?;
    if moves.len() != numbers.len() {
        return Err(mismatch());
    }
    let read = |(text, number): (&&str, u32)| Ok((epd.board().parse_uci(text)?, number));
    moves.iter().zip(numbers).map(read).collect()
}

/// Where the columns of a puzzle file are.
struct Columns {
    id: usize,
    fen: usize,
    moves: usize,
    themes: usize,
}

impl Columns {
    /// As Lichess publishes them, when there is no header.
    const LICHESS: Self = Self { id: 0, fen: 1, moves: 2, themes: 7 };

    /// Takes the first line if it is a header; false if it is a puzzle.
    fn read_header(&mut self, line: &str) -> bool {
        let names: Vec<String> = line.split(',').map(|name| name.trim().to_lowercase()).collect();
        let find = |name| names.iter().position(|other| other == name);
        let (Some(fen), Some(moves)) = (find("fen"), find("moves")) else { return false };
        let missing = names.len();
        *self = Self {
            id: find("puzzleid").unwrap_or(missing),
            fen,
            moves,
            themes: find("themes").unwrap_or(missing),
        };
        true
    }
}

fn read_puzzle(line: &str, columns: &Columns, number: usize) -> Result<Problem, LineError> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    let cell = |column: usize| cells.get(column).copied().filter(|cell| !cell.is_empty());
    let board: Board = cell(columns.fen).ok_or(LineError::Column("FEN"))?.parse()?;
    let text = cell(columns.moves).ok_or(LineError::Column("Moves"))?;
    let mut after = board;
    let mut moves = Vec::new();
    for mv in text.split_whitespace() {
        let mv = after.parse_uci(mv)?;
        after.play(mv);
        moves.push(mv);
    }
    if moves.len() < 2 {
        return Err(LineError::TooShort(text.to_owned()));
    }
    let id = cell(columns.id).map_or_else(|| format!("line {number}"), str::to_owned);
    let themes = cell(columns.themes).unwrap_or_default().split_whitespace();
    let themes = themes.map(str::to_owned).collect();
    Ok(Problem { id, board, goal: Goal::Line(moves), points: Vec::new(), themes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epd(line: &str) -> Result<Option<Problem>, LineError> {
        read_epd(line, 7, &mut 0)
    }

    #[test]
    fn goals_are_moves_before_mates() {
        let both = epd("6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; dm 1;").unwrap().unwrap();
        assert!(matches!(&both.goal, Goal::Move { best, .. } if best.len() == 1));
        assert_eq!((both.id.as_str(), both.answer().as_str()), ("line 7", "Rd8#"));
        let mate = epd("6k1/5ppp/8/8/8/8/8/K2R4 w - - dm 1;").unwrap().unwrap();
        assert_eq!(mate.goal, Goal::Mate(1));
        let mut unjudged = 0;
        let draw = read_epd("8/8/4k3/8/8/4K3/8/8 w - - c0 \"draw\";", 1, &mut unjudged);
        assert_eq!((draw, unjudged), (Ok(None), 1));
    }

    #[test]
    fn points_belong_to_moves() {
        let line = r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c8 "10 3"; c9 "e2e4 e2e3";"#;
        let problem = epd(line).unwrap().unwrap();
        let mv = |text| problem.board.parse_uci(text).unwrap();
        assert_eq!(problem.points_for(mv("e2e3")), Some(3));
        assert_eq!(problem.points_for(mv("e1d1")), Some(0));
        assert_eq!(problem.max_points(), Some(10));
        let error = epd(&line.replace("10 3", "10")).unwrap_err();
        assert_eq!(error, LineError::Points("10".to_owned()));
    }

    #[test]
    fn puzzles_are_read_by_their_header() {
        let mut columns = Columns::LICHESS;
        assert!(columns.read_header("PuzzleId,FEN,Moves,Rating,Themes"));
        let line = "02CfV,7k/1p4pp/p1b5/8/6N1/7P/PP1R1K2/4r3 b - - 4 38,e1b1 d2d8 c6e8 d8e8,399,mate short";
        let puzzle = read_puzzle(line, &columns, 2).unwrap();
        assert_eq!((puzzle.id.as_str(), puzzle.themes.len()), ("02CfV", 2));
        assert_eq!(puzzle.answer(), "Rd8+ Be8 Rxe8#");
        let mut without_header = Columns::LICHESS;
        assert!(!without_header.read_header(line));
        let short = line.replace("e1b1 d2d8 c6e8 d8e8", "e1b1");
        assert_eq!(read_puzzle(&short, &columns, 2), Err(LineError::TooShort("e1b1".into())));
    }

    #[test]
    fn samples_are_evenly_spread() {
        let problem = epd("6k1/5ppp/8/8/8/8/8/K2R4 w - - dm 1;").unwrap().unwrap();
        let problems = (0..10).map(|i| Problem { id: i.to_string(), ..problem.clone() }).collect();
        let mut suite = Suite { name: "x".into(), problems, unjudged: 0 };
        suite.sample(4);
        let ids: Vec<&str> = suite.problems.iter().map(|problem| problem.id.as_str()).collect();
        assert_eq!(ids, ["2", "4", "7", "9"]);
        suite.sample(100);
        assert_eq!(suite.problems.len(), 4);
    }
}
