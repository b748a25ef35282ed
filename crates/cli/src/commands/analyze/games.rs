// SPDX-License-Identifier: GPL-3.0-or-later
//! Every move of a file's games: several games at a time, written in their order.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use board::thinker::{GameReview, Stop, review_game};
use chess::pgn::{PgnErrorKind, PgnGame, PgnReader, Place};
use engine::{Engine, Limits};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tools::text::printable;

use super::Analyze;
use super::annotate::annotate;
use super::journal::{Journal, Task};
use crate::commands::print_json;
use crate::input;

const DEFAULT_NODES: u64 = 100_000;
/// The games whose faults are told one by one.
const FAULTS_TOLD: usize = 100;

/// A game on its way, with its number from 1.
type Numbered = (usize, PgnGame);

/// What became of a game.
struct Done {
    number: usize,
    pgn: PgnGame,
    /// None if it has no moves that could be judged.
    review: Option<GameReview>,
}

/// The reader that workers take games from.
type Source = Mutex<Box<dyn Iterator<Item = Result<Numbered>> + Send>>;

impl Analyze {
    /// Annotates the games of a file.
    pub(super) fn annotate(&self, path: &Path) -> Result<()> {
        ensure!(
            self.multipv.is_none(),
            "--multipv is for positions: of a game the best line is written"
        );
        let out = self.out.clone().unwrap_or_else(|| default_name(path));
        let is_stream = path == Path::new("-");
        ensure!(is_stream || out != path, "--out names the file that is read: name another one");
        let limits = self.game_limits();
        let annotator = self.annotator(&limits);
        let task = Task {
            version: 1,
            input: path.to_owned(),
            input_bytes: path.metadata().map_or(0, |data| data.len()),
            annotator: annotator.clone(),
        };
        let mut journal = Journal::open(&out, &task)?;
        let skip = journal.games();
        if skip > 0 {
            eprintln!("going on after {skip} games");
        }
        let bar = progress_bar(path, skip)?;
        let mut writer = Writer {
            journal: &mut journal,
            annotator,
            is_json: self.json,
            is_quiet: out == Path::new("-"),
            bar: bar.clone(),
            next: skip + 1,
            waiting: BTreeMap::new(),
            faulty: 0,
            left_out: 0,
        };
        let games = PgnReader::new(input::open(path)?);
        self.review_all(games, skip, &limits, &mut writer)?;
        bar.finish_and_clear();
        let (all, faulty, left_out) = (writer.next - 1, writer.faulty, writer.left_out);
        ensure!(all > 0, "`{}` holds no game", path.display());
        ensure!(
            left_out < all - skip || all == skip,
            "no game of `{}` can be read",
            path.display()
        );
        if faulty > 0 {
            eprintln!("faults in {faulty} of {all} games; left out: {left_out}");
        }
        if let Some(path) = journal.finish()? {
            eprintln!("written to {}", path.display());
        }
        Ok(())
    }

    /// The limits for each position.
    fn game_limits(&self) -> Limits {
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some();
        Limits {
            depth: self.depth,
            nodes: self.nodes.or_else(|| (!is_limited).then_some(DEFAULT_NODES)),
            move_time: self.movetime.map(std::time::Duration::from_millis),
            ..Limits::default()
        }
    }

    /// Who says so: engine, network, search and limits.
    fn annotator(&self, limits: &Limits) -> String {
        let mut words = vec![self.network.name().to_owned()];
        if self.mode.get() != search::Mode::AlphaBeta {
            words.push(self.mode.get().to_string());
        }
        words.extend(limits.depth.map(|depth| format!("depth {depth}")));
        words.extend(limits.nodes.map(|nodes| format!("{nodes} nodes")));
        words.extend(limits.move_time.map(|time| format!("{} ms", time.as_millis())));
        format!("{} ({})", engine::NAME, words.join(", "))
    }

    /// Reviews games, several at a time. Each is searched by one thread alone with an empty table, so that the
    /// result does not depend on how many threads there are, or on where a job went on.
    fn review_all(
        &self,
        games: PgnReader<impl Read + Send + 'static>,
        skip: usize,
        limits: &Limits,
        writer: &mut Writer<'_>,
    ) -> Result<()> {
        let numbered = (1..).zip(games).skip(skip);
        let numbered = numbered.map(|(number, game): (usize, io::Result<PgnGame>)| {
            let game = game.context("reading the games")?;
            Ok((number, game))
        });
        let source: Source = Mutex::new(Box::new(numbered));
        let has_failed = AtomicBool::new(false);
        let (results, inbox) = channel();
        let engines: Result<Vec<Engine>> =
            (0..self.threads.count()).map(|_| self.engine(1)).collect();
        let bar = writer.bar.clone();
        thread::scope(|scope| {
            for engine in engines? {
                let (source, has_failed, bar) = (&source, &has_failed, &bar);
                let results: Sender<Result<Done>> = results.clone();
                scope.spawn(move || work(engine, source, limits, has_failed, bar, &results));
            }
            drop(results);
            let written = writer.write(&inbox);
            // The others need not go on.
            has_failed.store(written.is_err(), Ordering::Relaxed);
            written
        })
    }
}

/// Reviews one game after the other until there are no more.
fn work(
    mut engine: Engine,
    source: &Source,
    limits: &Limits,
    has_failed: &AtomicBool,
    bar: &ProgressBar,
    results: &Sender<Result<Done>>,
) {
    while !has_failed.load(Ordering::Relaxed) {
        let next = source.lock().unwrap_or_else(PoisonError::into_inner).next();
        let done = match next {
            None => return,
            Some(Err(error)) => Err(error),
            Some(Ok((number, pgn))) => {
                let game = pgn.game();
                engine.new_game();
                let on_position = || bar.inc(1);
                let review = (!game.moves().is_empty())
                    .then(|| review_game(&mut engine, &game, limits, &Stop::default(), on_position))
                    .flatten();
                Ok(Done { number, pgn, review })
            }
        };
        let is_over = done.is_err();
        if results.send(done).is_err() || is_over {
            return;
        }
    }
}

/// Puts games back into their order, writes them and tells of them.
struct Writer<'a> {
    journal: &'a mut Journal,
    annotator: String,
    is_json: bool,
    /// Whether standard output is for the games.
    is_quiet: bool,
    bar: ProgressBar,
    /// The number of the game that is written next.
    next: usize,
    waiting: BTreeMap<usize, Done>,
    faulty: usize,
    left_out: usize,
}

impl Writer<'_> {
    fn write(&mut self, inbox: &Receiver<Result<Done>>) -> Result<()> {
        for done in inbox {
            let done = done?;
            self.waiting.insert(done.number, done);
            while let Some(done) = self.waiting.remove(&self.next) {
                self.add(done)?;
                self.next += 1;
            }
        }
        ensure!(self.waiting.is_empty(), "a game could not be analyzed; please report this");
        Ok(())
    }

    fn add(&mut self, Done { number, mut pgn, review }: Done) -> Result<()> {
        let faults: Vec<String> = pgn.errors.iter().map(ToString::to_string).collect();
        self.tell_faults(&faults);
        let is_out = is_unreadable(&pgn);
        self.left_out += usize::from(is_out);
        if let Some(review) = &review {
            annotate(&mut pgn, review, &self.annotator);
        }
        if let Some(fault) = faults.first().filter(|_| !is_out) {
            note_fault(&mut pgn, fault);
        }
        // A blank line parts games.
        let text = if is_out { String::new() } else { format!("{pgn}\n") };
        self.journal.add(&text)?;
        self.report(number, &pgn, review.as_ref(), &faults)
    }

    fn tell_faults(&mut self, faults: &[String]) {
        self.faulty += usize::from(!faults.is_empty());
        if self.faulty <= FAULTS_TOLD {
            let tell =
                || faults.iter().for_each(|fault| eprintln!("warning: {}", printable(fault)));
            self.bar.suspend(tell);
        }
    }

    fn report(
        &self,
        number: usize,
        pgn: &PgnGame,
        review: Option<&GameReview>,
        faults: &[String],
    ) -> Result<()> {
        let name = |tag| pgn.tag(tag).unwrap_or("?");
        let (white, black, result) = (name("White"), name("Black"), pgn.result.to_string());
        let sides = review.map(|review| review.sides);
        if self.is_json && !self.is_quiet {
            let accuracy = sides.map(|sides| sides.map(|side| side.accuracy));
            let acpl = sides.map(|sides| sides.map(|side| side.loss));
            let marks = sides.map(|sides| sides.map(|side| side.marks));
            let plies = review.map_or(0, |review| review.moves.len());
            return print_json(&json!({
                "game": number, "white": white, "black": black, "result": result, "plies": plies,
                "accuracy": accuracy, "acpl": acpl, "marks": marks, "faults": faults,
            }));
        }
        if let Some([one, other]) = sides.filter(|_| !self.is_quiet) {
            let percent =
                |accuracy: Option<f64>| accuracy.map_or("–".to_owned(), |a| format!("{a:.1} %"));
            let (one, other) = (percent(one.accuracy), percent(other.accuracy));
            let line = format!("{number}. {white} – {black} {result}: accuracy {one} and {other}");
            self.bar.suspend(|| println!("{}", printable(line)));
        }
        Ok(())
    }
}

/// Whether not even the first position is known.
fn is_unreadable(pgn: &PgnGame) -> bool {
    let is_fatal =
        |kind: &PgnErrorKind| matches!(kind, PgnErrorKind::Fen(_) | PgnErrorKind::Variant(_));
    pgn.errors.iter().any(|error| error.place == Place::Tags && is_fatal(&error.kind))
}

/// Says at the end of a game what could not be read.
fn note_fault(pgn: &mut PgnGame, fault: &str) {
    let comments = match pgn.mainline.moves.last_mut() {
        Some(node) => &mut node.comments,
        None => &mut pgn.mainline.comments,
    };
    let note = format!("Not read: {fault}");
    if !comments.contains(&note) {
        comments.push(note);
    }
}

/// `games.pgn` and `games.pgn.zst` become `games.analyzed.pgn`.
fn default_name(path: &Path) -> PathBuf {
    if path == Path::new("-") {
        return path.to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ends = [".zst", ".xz", ".pgn", ".PGN"];
    let stem = ends.iter().fold(name.as_str(), |name, end| name.strip_suffix(end).unwrap_or(name));
    path.with_file_name(format!("{stem}.analyzed.pgn"))
}

/// A bar of positions. Standard input cannot be counted beforehand.
fn progress_bar(path: &Path, skip: usize) -> Result<ProgressBar> {
    let style = |text| ProgressStyle::with_template(text).map_err(|error| anyhow!(error));
    if path == Path::new("-") {
        return Ok(ProgressBar::no_length().with_style(style("{pos} positions, {per_sec}")?));
    }
    let games = PgnReader::mainline(input::open(path)?).skip(skip);
    let mut positions = 0;
    for game in games {
        let moves = game.context("reading the games")?.moves().count();
        // The first position is searched too.
        positions += if moves > 0 { moves as u64 + 1 } else { 0 };
    }
    let bar = ProgressBar::new(positions);
    Ok(bar.with_style(style("{bar:30} {pos}/{len} positions, {per_sec}, {eta} left")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn analyzed_games_stand_beside_the_others() {
        for (from, to) in [
            ("a/games.pgn", "a/games.analyzed.pgn"),
            ("games.pgn.zst", "games.analyzed.pgn"),
            ("games", "games.analyzed.pgn"),
            ("-", "-"),
        ] {
            assert_eq!(default_name(Path::new(from)), Path::new(to));
        }
    }
}
