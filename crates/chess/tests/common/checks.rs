// SPDX-License-Identifier: GPL-3.0-or-later
//! What must hold for any text that a reader is given: it is refused in a few words, or what was
//! read can be written and read again. Every check panics if not, and tells whether the text was
//! accepted.

use chess::pgn::{PgnErrorKind, PgnGame, PgnReader};
use chess::{Board, CastlingMode, CastlingStyle, Epd, Setup};
use uci::{Command, InfoLine, Reply};

/// A FEN.
pub(crate) fn fen(text: &str) -> bool {
    match text.parse::<Board>() {
        Ok(board) => {
            assert_eq!(text.parse::<Setup>().unwrap().board(), Ok(board));
            check_board(&board);
            true
        }
        Err(error) => refuse(&error),
    }
}

/// A FEN on the first line, and a move in SAN or UCI notation on the second. Without a second line,
/// the first is a move in the starting position.
pub(crate) fn san(text: &str) -> bool {
    let (fen, san) = text.split_once('\n').unwrap_or((chess::STARTING, text));
    let Ok(board) = fen.parse::<Board>() else { return false };
    if let Err(error) = board.parse_uci(san) {
        check_message(&error);
    }
    match board.parse_san(san) {
        Ok(mv) => {
            assert!(board.is_legal(mv));
            assert_eq!(board.parse_san(&board.san(mv).to_string()), Ok(mv));
            true
        }
        Err(error) => refuse(&error),
    }
}

/// A line of an EPD file.
pub(crate) fn epd(text: &str) -> bool {
    match Epd::read_line(text) {
        Ok(Some(epd)) => {
            let written = epd.to_string();
            assert_eq!(written.parse().as_ref(), Ok(&epd), "{written}");
            let errors = [epd.mate_distance().err(), epd.principal_variation().err()];
            errors.iter().flatten().for_each(check_message);
            true
        }
        Ok(None) => false,
        Err(error) => refuse(&error),
    }
}

/// A PGN file.
pub(crate) fn pgn(text: &str) -> bool {
    let games = read_games(text);
    let mainlines =
        PgnReader::mainline(text.as_bytes()).map(|game| game.unwrap().mainline.moves.len());
    assert!(mainlines.eq(games.iter().map(|game| game.mainline.moves.len())));
    for game in &games {
        game.errors.iter().for_each(check_message);
        check_game(game);
    }
    games.iter().any(|game| !game.mainline.moves.is_empty())
}

fn read_games(text: &str) -> Vec<PgnGame> {
    PgnReader::new(text.as_bytes()).map(Result::unwrap).collect()
}

/// A game that is written and read again is the same, and its text too.
fn check_game(game: &PgnGame) {
    let is_unplayable =
        |kind: &PgnErrorKind| matches!(kind, PgnErrorKind::Fen(_) | PgnErrorKind::Variant(_));
    if game.errors.iter().any(|error| is_unplayable(&error.kind)) {
        return;
    }
    let written = game.to_string();
    let again = read_games(&written);
    let [again] = again.as_slice() else { panic!("{} games in {written}", again.len()) };
    assert_eq!(again.errors, [], "{written}");
    assert_eq!(again.start, game.start, "{written}");
    assert_eq!(again.mainline, game.mainline, "{written}");
    assert_eq!(again.result, game.result, "{written}");
    assert_eq!(again.to_string(), written);
    assert_eq!(again.game().moves().len(), game.moves().count());
}

/// A line of UCI, from either side.
pub(crate) fn uci(text: &str) -> bool {
    let reply = Reply::parse(text);
    let printed = reply.to_string();
    assert!(!printed.contains(['\n', '\r']), "{printed:?}");
    assert_eq!(Reply::parse(&printed), reply);
    if let Reply::Info(info) = reply {
        assert_eq!(InfoLine::parse(&printed), Ok((*info, vec![])));
    }
    match Command::parse(text) {
        Ok(parsed) => {
            let printed = parsed.command.to_string();
            assert!(!printed.contains(['\n', '\r']), "{printed:?}");
            let again = Command::parse(&printed).unwrap();
            assert_eq!((again.command, again.warnings), (parsed.command, vec![]), "{printed:?}");
            true
        }
        Err(error) => refuse(&error),
    }
}

fn refuse(error: &impl ToString) -> bool {
    check_message(error);
    false
}

/// A message is there, and does not repeat megabytes of wrong input.
fn check_message(error: &impl ToString) {
    let message = error.to_string();
    assert!((1..=400).contains(&message.chars().count()), "{message}");
}

fn check_board(board: &Board) {
    for style in [CastlingStyle::XFen, CastlingStyle::Shredder] {
        let fen = board.fen_with(style).to_string();
        assert_eq!(fen.parse().as_ref(), Ok(board), "{fen}");
    }
    let moves = board.legal_moves();
    assert_eq!(moves.len(), board.count_legal_moves());
    for mv in moves {
        assert!(board.is_legal(mv), "{mv:?}");
        assert_eq!(board.parse_uci(&mv.uci(CastlingMode::Chess960).to_string()), Ok(mv));
        let mut after = *board;
        after.play(mv);
        assert_eq!(*after.keys(), after.recomputed_keys(), "{mv:?}");
        assert_eq!(board.gives_check(mv), after.in_check(), "{mv:?}");
    }
}
