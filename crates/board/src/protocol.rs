// SPDX-License-Identifier: GPL-3.0-or-later
//! What the page and the server say to each other: JSON over one WebSocket.
//!
//! `web/src/protocol.ts` holds the same types for the page; a test compares the two. Scores and chances are
//! White's throughout, so that the page never has to turn them.

use serde::{Deserialize, Serialize};

#[cfg(test)]
use ts_rs::TS;

/// Version of the messages. The page of another version is asked to reload.
pub const VERSION: u32 = 2;

/// Where a search begins: a position and the moves since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Place {
    /// The first position, as a FEN.
    pub fen: String,
    /// The moves since, in UCI notation.
    pub moves: Vec<String>,
}

/// Which engine thinks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Mind {
    /// The network's name.
    pub network: String,
    /// The search's name.
    pub mode: String,
}

/// How long the engine thinks about a move that it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[cfg_attr(test, derive(TS))]
pub enum Pace {
    /// As long as the strength of this rating allows.
    Elo {
        /// The rating.
        elo: u32,
    },
    /// This many nodes; in a tree search, iterations.
    Nodes {
        /// How many.
        nodes: u32,
    },
    /// This long.
    Time {
        /// Milliseconds.
        ms: u32,
    },
    /// As the clock allows.
    Clock {
        /// Milliseconds left.
        ms: u32,
        /// Milliseconds that each move adds.
        increment: u32,
    },
}

/// What is kept of a tab, so that it can go on after a reload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Document {
    /// The game with its variations and comments.
    pub pgn: String,
    /// What the page wants to know besides; the server does not look into it.
    pub state: String,
}

/// What the page asks for. Answers carry the number of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[cfg_attr(test, derive(TS))]
pub enum Request {
    /// The first message.
    Hello {
        /// Of the page.
        version: u32,
        /// The session to go on with.
        session: Option<String>,
    },
    /// Keep this.
    Save {
        /// The game and the page's state.
        document: Document,
    },
    /// The games that are kept.
    Games,
    /// One of them.
    Load {
        /// Its session.
        session: String,
    },
    /// Search without end and report.
    Analyze {
        /// Number of the request.
        id: u32,
        /// What to analyze.
        place: Place,
        /// How.
        mind: Mind,
        /// How many lines.
        lines: u8,
        /// Threads wanted; 0 leaves it to the server.
        threads: u16,
        /// For a tree search: the moves from the root to the node to be shown.
        focus: Vec<String>,
    },
    /// Look at another node of the tree that is growing.
    Focus {
        /// The moves from the root to it.
        line: Vec<String>,
    },
    /// Choose a move.
    Play {
        /// Number of the request.
        id: u32,
        /// Where.
        place: Place,
        /// How.
        mind: Mind,
        /// How long.
        pace: Pace,
    },
    /// Judge every move of a game.
    Review {
        /// Number of the request.
        id: u32,
        /// The game.
        place: Place,
        /// Who judges.
        mind: Mind,
        /// Nodes for each position.
        nodes: u32,
    },
    /// End the search that is under way.
    Stop,
    /// How every network evaluates a position.
    Look {
        /// Number of the request.
        id: u32,
        /// The position.
        place: Place,
    },
    /// How every network evaluates each position of a game.
    Judges {
        /// Number of the request.
        id: u32,
        /// The game.
        place: Place,
    },
    /// The opening's name after each move of a game.
    Openings {
        /// Number of the request.
        id: u32,
        /// The game.
        place: Place,
    },
    /// What the endgame tables say of a position.
    Tables {
        /// Number of the request.
        id: u32,
        /// The position.
        place: Place,
    },
    /// The runs in the folder of runs.
    Runs,
    /// One of them, now and whenever it changes.
    Watch {
        /// Its name; nothing to watch none.
        name: Option<String>,
    },
}

/// What there is to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Choices {
    /// Networks, the default first.
    pub networks: Vec<String>,
    /// Searches, the default first.
    pub modes: Vec<String>,
    /// The weakest rating.
    #[serde(rename = "minElo")]
    pub min_elo: u32,
    /// The strongest rating.
    #[serde(rename = "maxElo")]
    pub max_elo: u32,
    /// Threads of the server.
    pub threads: u16,
    /// Whether there is a folder of runs.
    pub runs: bool,
    /// The most men of the endgame tables; 0 without tables.
    pub tables: u32,
}

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Value {
    /// Centipawns, White's view; nothing if there is a mate.
    pub cp: Option<i32>,
    /// Moves to mate, White's view; nothing if there is none.
    pub mate: Option<i32>,
    /// Thousandths that White wins, that nobody does, that Black does.
    pub wdl: [u32; 3],
}

/// One of the best lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct PvLine {
    /// 1 for the best.
    pub rank: u32,
    /// How deep.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// What it is worth.
    pub value: Value,
    /// Its moves.
    pub moves: Vec<String>,
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Findings {
    /// The lines, the best first.
    pub lines: Vec<PvLine>,
    /// Nodes; in a tree search, iterations.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// Nodes per second.
    #[cfg_attr(test, ts(type = "number"))]
    pub nps: u64,
    /// Milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub time: u64,
    /// Per mille of the table in use.
    pub fill: u32,
    /// Threads that search.
    pub threads: u16,
}

/// A move in the tree of a tree search, or at the root of alpha-beta. Values are from 0 to 1 for the side that
/// makes the move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Branch {
    /// The move; empty at the root.
    pub mv: String,
    /// Iterations through it; in alpha-beta, nodes below it.
    #[cfg_attr(test, ts(type = "number"))]
    pub visits: u64,
    /// How promising it looked at first.
    pub prior: Option<f32>,
    /// The expected score.
    pub value: Option<f32>,
    /// The chance of a draw.
    pub draw: Option<f32>,
    /// What exploration adds.
    pub explore: Option<f32>,
    /// A proved result in words.
    pub proof: Option<String>,
    /// The moves after it, the best first.
    pub children: Vec<Branch>,
}

/// A judged move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Judged {
    /// The move.
    pub mv: String,
    /// The position after it.
    pub value: Value,
    /// The winning chance after it in percent, White's view.
    pub chance: f64,
    /// How good it was, from 0 to 100.
    pub accuracy: f64,
    /// `!!`, `!`, `?!`, `?`, `??` or nothing.
    pub mark: Option<String>,
    /// What the engine would have played instead, if the move is marked as bad.
    pub better: Vec<String>,
}

/// One side's share in a review.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SideReview {
    /// Accuracy in percent; nothing without a move.
    pub accuracy: Option<f64>,
    /// Average loss in centipawns.
    pub acpl: Option<f64>,
    /// How many `!!`, `!`, `?!`, `?` and `??`.
    pub marks: [u32; 5],
}

/// How a network sees a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct View {
    /// The network's name.
    pub network: String,
    /// Its architecture.
    pub architecture: String,
    /// What it says without any search.
    pub value: Value,
    /// What each piece adds, in pawns, White's view.
    pub pieces: Vec<(String, f64)>,
    /// The hidden layers.
    pub layers: Vec<LayerView>,
    /// Microseconds that one evaluation takes.
    pub micros: f64,
}

/// A hidden layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct LayerView {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<f32>,
}

/// One network's opinion of a whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Opinion {
    /// The network's name.
    pub network: String,
    /// Its value of each position, the first one included.
    pub values: Vec<Value>,
}

/// A position with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Named {
    /// After so many moves.
    pub ply: u32,
    /// The code of the encyclopaedia.
    pub eco: String,
    /// The name.
    pub name: String,
}

/// A game that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Kept {
    /// Its session.
    pub session: String,
    /// Seconds since 1970 when it was kept last.
    #[cfg_attr(test, ts(type = "number"))]
    pub saved: u64,
    /// Who plays whom.
    pub title: String,
    /// How many plies.
    pub plies: u32,
}

/// A run of matches, leagues, tunings or trainings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Run {
    /// Its folder's name.
    pub name: String,
    /// `match`, `tune`, `screen`, `training` or `run`.
    pub kind: String,
    /// Seconds since it last changed.
    #[cfg_attr(test, ts(type = "number"))]
    pub age: u64,
    /// Whether a process is at work on it now.
    pub live: bool,
}

/// A game that somebody plays elsewhere at the moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct LiveBoard {
    /// What tells it from the others of its run.
    pub id: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position.
    pub start: String,
    /// The moves since, in UCI notation.
    pub moves: Vec<String>,
    /// The position now.
    pub fen: String,
    /// White's and Black's clocks in milliseconds.
    #[cfg_attr(test, ts(type = "[number | null, number | null]"))]
    pub clocks: [Option<u64>; 2],
    /// The last score, White's view.
    pub score: Option<String>,
}

/// What the endgame tables say of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct TableMove {
    /// The move.
    pub mv: String,
    /// From 2 for a win of the side that moves to -2 for a loss; 1 and -1 are spoilt or saved by the
    /// fifty-move rule.
    pub wdl: i32,
    /// Plies to the next capture, pawn move or mate, from before the move.
    pub dtz: Option<i32>,
    /// Whether it mates at once.
    pub mate: bool,
}

/// What the server answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[cfg_attr(test, derive(TS))]
pub enum Reply {
    /// The answer to `hello`.
    Welcome {
        /// Of the server.
        version: u32,
        /// This session's name.
        session: String,
        /// What was kept of it.
        document: Option<Document>,
        /// What there is to choose from.
        choices: Choices,
    },
    /// The document has been kept.
    Saved,
    /// The games that are kept, the latest first.
    Games {
        /// The games.
        games: Vec<Kept>,
    },
    /// One of them.
    Loaded {
        /// The game.
        document: Document,
    },
    /// What the search has found so far.
    Info {
        /// Number of the request.
        id: u32,
        /// What it found.
        found: Findings,
    },
    /// The tree, or the moves at the root.
    Tree {
        /// Number of the request.
        id: u32,
        /// The moves from the root to the node.
        line: Vec<String>,
        /// The node.
        node: Branch,
    },
    /// The search waits for threads that other tabs use.
    Waiting {
        /// Number of the request.
        id: u32,
    },
    /// The search has ended.
    Done {
        /// Number of the request.
        id: u32,
    },
    /// The chosen move.
    Move {
        /// Number of the request.
        id: u32,
        /// The move; nothing if the game is over.
        mv: Option<String>,
        /// What the search found.
        found: Findings,
    },
    /// So much of a review is done.
    Progress {
        /// Number of the request.
        id: u32,
        /// Positions that are done.
        done: u32,
        /// All positions.
        all: u32,
    },
    /// A review.
    Reviewed {
        /// Number of the request.
        id: u32,
        /// The first position.
        start: Value,
        /// Every move.
        moves: Vec<Judged>,
        /// White's share and Black's.
        sides: [SideReview; 2],
    },
    /// How the networks see a position.
    Looked {
        /// Number of the request.
        id: u32,
        /// One for each network.
        views: Vec<View>,
    },
    /// How the networks see a game.
    Judges {
        /// Number of the request.
        id: u32,
        /// One for each network.
        opinions: Vec<Opinion>,
    },
    /// The names of an opening.
    Openings {
        /// Number of the request.
        id: u32,
        /// Where the name changes.
        names: Vec<Named>,
    },
    /// What the endgame tables say: nothing if they do not know the position.
    Tables {
        /// Number of the request.
        id: u32,
        /// The moves, the best first.
        moves: Vec<TableMove>,
    },
    /// The runs, those under way first.
    Runs {
        /// The runs.
        runs: Vec<Run>,
    },
    /// A run that is watched.
    Run {
        /// Its name.
        name: String,
        /// The page that `quincunx report` makes of it, or what is wrong.
        page: String,
        /// Its latest games, as PGN.
        games: String,
    },
    /// The games of the watched run that are under way.
    Live {
        /// The run's name.
        name: String,
        /// The games.
        games: Vec<LiveBoard>,
    },
    /// Something cannot be done.
    Error {
        /// Number of the request, if it has one.
        id: Option<u32>,
        /// What happened, what was expected, and what to do.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;
    use std::{env, fs};

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/src/protocol.ts");

    /// Every type as TypeScript declares it.
    fn declarations() -> String {
        macro_rules! declare {
            ($($name:ty),*) => { [$(<$name>::decl(&ts_rs::Config::default())),*] };
        }
        let list = declare!(
            Place, Mind, Pace, Document, Request, Choices, Value, PvLine, Findings, Branch, Judged,
            SideReview, View, LayerView, Opinion, Named, Kept, Run, LiveBoard, TableMove, Reply
        );
        let mut text = String::from(
            "// SPDX-License-Identifier: GPL-3.0-or-later\n\
             // Made from crates/board/src/protocol.rs: WRITE_PROTOCOL=1 cargo test -p board protocol\n\n",
        );
        let _ = writeln!(text, "export const VERSION = {VERSION};");
        for declaration in list {
            let _ = writeln!(text, "export {}", declaration.trim());
        }
        text
    }

    #[test]
    fn the_page_has_the_same_types() {
        let expected = declarations();
        if env::var_os("WRITE_PROTOCOL").is_some() {
            fs::write(FILE, &expected).unwrap();
        }
        let found = fs::read_to_string(FILE).unwrap();
        assert!(found == expected, "run WRITE_PROTOCOL=1 cargo test -p board protocol");
    }

    #[test]
    fn requests_are_read_as_the_page_writes_them() {
        let text = r#"{"type":"play","id":3,"place":{"fen":"x","moves":["e2e4"]},
            "mind":{"network":"house","mode":"mcts"},"pace":{"kind":"elo","elo":1500}}"#;
        let request: Request = serde_json::from_str(text).unwrap();
        assert!(matches!(request, Request::Play { id: 3, pace: Pace::Elo { elo: 1500 }, .. }));
        assert_eq!(serde_json::from_str::<Request>(r#"{"type":"stop"}"#).unwrap(), Request::Stop);
    }
}
