// SPDX-License-Identifier: GPL-3.0-or-later
//! What the page and the server say to each other: JSON over one WebSocket.
//!
//! `web/src/protocol.ts` holds the same types for the page; a test compares the two. Scores and chances are
//! White's throughout, so that the page never has to turn them.

mod parts;

pub use parts::{
    Branch, Choices, Findings, Judged, Kept, LayerView, LiveBoard, Named, Opinion, PvLine, Run,
    SideReview, TableMove, Value, View,
};

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
