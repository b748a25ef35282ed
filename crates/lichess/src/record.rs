// SPDX-License-Identifier: GPL-3.0-or-later
//! What is kept of games: PGN files, a line for each result, and which games are under way.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use chess::pgn::{PgnGame, PgnNode};
use chess::{Color, Game, GameResult, White};
use engine::ShownScore;
use tools::date::Moment;
use tools::write_atomically;

use crate::config::{Files, PgnFiles};
use crate::model::{GameFull, GameState};
use crate::update::ResultRecord;

/// What is known about a move besides the move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Note {
    /// Our score.
    pub(crate) eval: Option<White<ShownScore>>,
    /// The mover's clock after it.
    pub(crate) clock: Option<Duration>,
}

impl Note {
    fn comment(&self) -> Option<String> {
        let mut text = String::new();
        if let Some(eval) = self.eval {
            let _ = write!(text, "[%eval {}] ", eval.get());
        }
        if let Some(clock) = self.clock {
            let seconds = clock.as_secs();
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            let _ = write!(text, "[%clk {hours}:{minutes:02}:{:02}]", seconds % 60);
        }
        (!text.is_empty()).then(|| text.trim_end().to_owned())
    }
}

/// The PGN of a game. `notes` go with the moves in their order.
pub(crate) fn pgn(
    full: &GameFull,
    state: &GameState,
    game: &Game,
    notes: &[Note],
    site: &str,
) -> PgnGame {
    let mut pgn = PgnGame::new(*game.start());
    let mode = if full.rated { "Rated" } else { "Casual" };
    pgn.set_tag("Event", &format!("{mode} {} game", full.speed));
    pgn.set_tag("Site", &format!("{site}/{}", full.id));
    let seconds = full.created_at / 1000;
    pgn.set_tag("Date", &Moment::from_unix(seconds).pgn_date());
    pgn.set_tag("White", &full.white.name());
    pgn.set_tag("Black", &full.black.name());
    pgn.set_tag("UTCDate", &Moment::from_unix(seconds).pgn_date());
    pgn.set_tag("UTCTime", &Moment::from_unix(seconds).time_of_day());
    for (color, player) in [("White", &full.white), ("Black", &full.black)] {
        if let Some(rating) = player.rating {
            pgn.set_tag(&format!("{color}Elo"), &rating.to_string());
        }
        if let Some(title) = &player.title {
            pgn.set_tag(&format!("{color}Title"), title);
        }
    }
    let clock = full.clock.map(|clock| {
        format!("{}+{}", clock.initial as f64 / 1000.0, clock.increment as f64 / 1000.0)
    });
    pgn.set_tag("TimeControl", clock.as_deref().unwrap_or("-"));
    pgn.set_tag("Termination", &state.status);
    pgn.mainline.moves = game.moves().iter().map(|&mv| PgnNode::new(mv)).collect();
    for (node, note) in pgn.mainline.moves.iter_mut().zip(notes) {
        node.comments.extend(note.comment());
    }
    pgn.result = result(state);
    pgn
}

/// The result as the server tells it.
pub(crate) fn result(state: &GameState) -> GameResult {
    let decisive = |winner| GameResult(Some(chess::Outcome::Decisive { winner }));
    match state.winner.as_deref() {
        Some("white") => decisive(Color::White),
        Some("black") => decisive(Color::Black),
        _ if matches!(state.status.as_str(), "aborted" | "noStart" | "created" | "started") => {
            GameResult(None)
        }
        _ => GameResult(Some(chess::Outcome::Draw)),
    }
}

/// A game under way, as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct UnderWay {
    pub(crate) id: String,
    pub(crate) speed: String,
    pub(crate) opponent: String,
}

/// The files of the bot.
#[derive(Clone, Debug)]
pub struct Archive {
    files: Files,
}

impl Archive {
    /// Opens the folder, which is made if it is not there.
    pub fn open(files: &Files) -> io::Result<Self> {
        fs::create_dir_all(files.folder.join("games"))?;
        Ok(Self { files: files.clone() })
    }

    /// Keeps a game.
    pub(crate) fn save(&self, pgn: &PgnGame, id: &str, opponent: &str) -> io::Result<()> {
        let games = self.files.folder.join("games");
        match self.files.pgn {
            PgnFiles::None => Ok(()),
            PgnFiles::Game => {
                write_atomically(&games.join(format!("{}.pgn", safe(id))), pgn.to_string())
            }
            PgnFiles::Opponent => append(&games.join(format!("{}.pgn", safe(opponent))), pgn),
            PgnFiles::All => append(&games.join("all.pgn"), pgn),
        }
    }

    /// Adds a result to the list.
    pub(crate) fn add(&self, outcome: &ResultRecord) -> io::Result<()> {
        let line = serde_json::to_string(outcome)? + "\n";
        let path = self.files.folder.join("results.jsonl");
        // One short write at the end: a line is there or not.
        fs::File::options().create(true).append(true).open(path)?.write_all(line.as_bytes())
    }

    /// All results so far. Lines that cannot be read are left out.
    pub fn results(&self) -> Vec<ResultRecord> {
        let text = fs::read_to_string(self.files.folder.join("results.jsonl")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Remembers which games are under way.
    pub(crate) fn set_under_way(&self, games: &[UnderWay]) -> io::Result<()> {
        write_atomically(&self.files.folder.join("under-way.json"), serde_json::to_string(games)?)
    }

    /// The games that were under way when the bot was last seen.
    pub(crate) fn under_way(&self) -> Vec<UnderWay> {
        let text = fs::read_to_string(self.files.folder.join("under-way.json"));
        text.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }
}

/// A name without anything that a path could mean.
fn safe(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().map(letter).collect()
}

/// Adds a game to a file that has others, unless it is there already.
fn append(path: &Path, pgn: &PgnGame) -> io::Result<()> {
    let mut text = fs::read_to_string(path).unwrap_or_default();
    let site = format!("[Site \"{}\"]", pgn.tag("Site").unwrap_or_default());
    if text.contains(&site) {
        return Ok(());
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = write!(text, "{pgn}");
    write_atomically(path, text)
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Centipawns;

    fn archive(folder: &Path, pgn: PgnFiles) -> Archive {
        Archive::open(&Files { folder: folder.to_owned(), pgn }).unwrap()
    }

    fn game(id: &str) -> PgnGame {
        let json = serde_json::json!({
            "id": id, "variant": {"key": "standard"}, "speed": "blitz", "rated": true,
            "createdAt": 1_700_000_000_000u64, "clock": {"initial": 180_000, "increment": 2000},
            "white": {"id": "a", "name": "A", "title": "BOT", "rating": 2000},
            "black": {"id": "b", "name": "B", "rating": 1900},
            "state": {"moves": "e2e4", "status": "resign", "winner": "white"}
        });
        let full: GameFull = serde_json::from_value(json).unwrap();
        let mut game = Game::default();
        game.play(game.board().parse_uci("e2e4").unwrap());
        let clock = Some(Duration::from_secs(3725));
        let note = Note { eval: Some(White::new(ShownScore::Centipawns(Centipawns(-35)))), clock };
        pgn(&full, &full.state, &game, &[note], "https://lichess.org")
    }

    #[test]
    fn games_are_complete() {
        let text = game("abcd").to_string();
        for part in [
            "[Event \"Rated blitz game\"]",
            "[Site \"https://lichess.org/abcd\"]",
            "[Date \"2023.11.14\"]",
            "[UTCTime \"22:13:20\"]",
            "[White \"A\"]",
            "[Result \"1-0\"]",
            "[WhiteTitle \"BOT\"]",
            "[BlackElo \"1900\"]",
            "[TimeControl \"180+2\"]",
            "[Termination \"resign\"]",
            "1. e4 {[%eval -0.35] [%clk 1:02:05]} 1-0",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn games_go_where_they_should_and_only_once() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join("games").join(name));
        archive(folder.path(), PgnFiles::Game).save(&game("a/../b"), "a/../b", "x").unwrap();
        assert!(read("a____b.pgn").is_ok());
        let by_opponent = archive(folder.path(), PgnFiles::Opponent);
        for id in ["one", "two", "one"] {
            by_opponent.save(&game(id), id, "Some-Body").unwrap();
        }
        assert_eq!(read("Some-Body.pgn").unwrap().matches("[Event").count(), 2);
        archive(folder.path(), PgnFiles::None).save(&game("three"), "three", "y").unwrap();
        assert!(read("three.pgn").is_err());
    }

    #[test]
    fn results_and_games_under_way_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let archive = archive(folder.path(), PgnFiles::Game);
        assert!(archive.results().is_empty() && archive.under_way().is_empty());
        let game = |id: &str| UnderWay {
            id: id.to_owned(),
            speed: "blitz".to_owned(),
            opponent: "bot".to_owned(),
        };
        let games = [game("a"), game("b")];
        archive.set_under_way(&games).unwrap();
        assert_eq!(archive.under_way(), games);
        let json = r#"{"time":1,"id":"a","opponent":"o","is_bot":true,"color":"white",
            "points":0.5,"status":"draw","speed":"blitz","rated":true,"rating":1500,
            "opponent_rating":null,"plies":80}"#;
        let outcome: ResultRecord = serde_json::from_str(json).unwrap();
        archive.add(&outcome).unwrap();
        archive.add(&outcome).unwrap();
        assert_eq!(archive.results(), [outcome.clone(), outcome]);
    }
}
