// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;
use crate::memory::Large;

fn order(fen: &str, table_move: Option<&str>, killer: Option<&str>) -> Vec<(String, OrderedKind)> {
    let board: Board = fen.parse().unwrap();
    let (histories, params) = (Large::<Histories>::zeroed(), Params::default());
    let mut killers = Killers::default();
    if let Some(mv) = killer {
        killers.add(board.parse_uci(mv).unwrap());
    }
    let table_move = table_move.map(|mv| board.parse_uci(mv).unwrap());
    let mut picker = Picker::new(table_move, killers);
    let (threats, previous_moves) = (board.threats(!board.turn()), [None; 4]);
    let history_context =
        HistoryContext { board: &board, threats: &threats, previous_moves: &previous_moves };
    let context = OrderingContext {
        history_context,
        histories: &histories,
        params: &params,
        checks: None,
        threats: None,
        table: None,
    };
    std::iter::from_fn(|| picker.next(context))
        .map(|picked| (board.san(picked.mv).to_string(), picked.kind))
        .collect()
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn every_move_comes_exactly_once_in_stages() {
    let moves = order(KIWIPETE, Some("e2a6"), Some("a2a3"));
    let board: Board = KIWIPETE.parse().unwrap();
    let mut names: Vec<_> = moves.iter().map(|(san, _)| san.clone()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), board.legal_moves().len());
    assert_eq!(moves.len(), names.len());
    assert!(moves.is_sorted_by_key(|(_, kind)| *kind));
    assert_eq!(moves[0], ("Bxa6".to_owned(), OrderedKind::Table));
    assert!(moves.contains(&("a3".to_owned(), OrderedKind::Killer)));
}

#[test]
fn a_hanging_queen_is_taken_first_and_an_attacked_one_moves_first() {
    let moves = order("4k3/8/8/3q4/4P3/8/8/Q3K3 w - - 0 1", None, None);
    assert_eq!(moves[0].0, "exd5");
    let moves = order("4k3/8/8/1p6/2Q5/8/7P/4K3 w - - 0 1", None, None);
    let quiet = moves.iter().find(|(_, kind)| *kind == OrderedKind::Quiet).unwrap();
    assert!(quiet.0.starts_with('Q'), "{moves:?}");
}
