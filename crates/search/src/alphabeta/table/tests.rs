// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;

fn entry(seed: u64) -> Entry {
    Entry {
        mv: Move::from_bits((seed % 0x2FFF) as u16 | 1),
        score: Some((Score::new((seed % 4001) as i32 - 2000), Bound::Lower)),
        eval: Some(Score::new((seed % 3001) as i32 - 1500)),
        depth: (seed % 60) as i32,
        was_pv: seed.is_multiple_of(2),
    }
}

#[test]
fn entries_come_back_as_they_were() {
    let table = Table::new(1).unwrap();
    for seed in 0..200u64 {
        let key = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        table.store(key, entry(seed));
        assert_eq!(table.probe(key), Some(entry(seed)));
    }
    let bare = Entry { mv: None, score: None, eval: None, depth: -1, was_pv: false };
    table.store(42, bare);
    assert_eq!(table.probe(42), Some(bare));
    assert_eq!(table.stats().capacity, 3 << 15);
}

#[test]
fn the_old_move_outlives_a_result_without_one() {
    let table = Table::new(1).unwrap();
    table.store(7, entry(5));
    table.store(7, Entry { mv: None, depth: 50, ..entry(5) });
    assert_eq!(table.probe(7).unwrap().mv, entry(5).mv);
    assert_eq!(table.probe(7).unwrap().depth, 50);
    table.store(7, Entry { depth: 1, was_pv: false, ..entry(5) });
    assert_eq!(table.probe(7).unwrap().depth, 50, "a much shallower result does not replace");
}

#[test]
fn exact_results_of_quiescence_do_not_replace_deeper_ones() {
    let table = Table::new(1).unwrap();
    let deep = Entry { depth: 20, was_pv: false, ..entry(5) };
    table.store(7, deep);
    let exact = Some((Score::new(1), Bound::Exact));
    let shallow = Entry { score: exact, depth: 0, was_pv: false, ..entry(6) };
    table.store(7, shallow);
    let kept = table.probe(7).unwrap();
    assert_eq!((kept.depth, kept.score, kept.eval), (20, deep.score, deep.eval));
    assert_ne!(shallow.mv, deep.mv);
    assert_eq!(kept.mv, shallow.mv, "the newer move is kept with the deeper result");
    table.store(7, Entry { depth: 1, ..shallow });
    assert_eq!(table.probe(7).unwrap().depth, 1, "an exact result of a search replaces");
}

#[test]
fn clearing_forgets_and_age_frees() {
    let table = Table::new(1).unwrap();
    table.store(1, entry(1));
    assert_eq!(table.stats().entries, 1);
    table.grow_older();
    table.store(1, Entry { depth: 0, was_pv: false, ..entry(1) });
    assert_eq!(table.probe(1).unwrap().depth, 0, "an older entry gives way");
    table.clear(2);
    assert_eq!(table.probe(1), None);
}

/// Four threads write and read a table of few clusters. Every entry's fields are functions of
/// its key, so that any mixture of two entries is noticed.
#[test]
fn no_torn_entry_is_ever_used() {
    let table = Table::new(1).unwrap();
    let keys: Vec<u64> = (0..24u64).map(|i| i << 40 | ((i * 2731) & 0xFFFF)).collect();
    let rounds = if cfg!(miri) { 40 } else { 300_000 };
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (table, keys) = (&table, &keys);
            scope.spawn(move || {
                let mut random = 0x1234_5678_9ABC_DEF1 ^ thread;
                for _ in 0..rounds {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    let key = keys[(random % keys.len() as u64) as usize];
                    // Several variants of a key's entry differ in every field.
                    let variant = |v: u64| entry((key & 0xFFFF) * 8 + v);
                    table.store(key, variant(random >> 32 & 7));
                    if let Some(found) = table.probe(key) {
                        let is_whole = (0..8).any(|v| {
                            let stored = variant(v);
                            // A kept move is the one part that may be older than the rest.
                            Entry { mv: found.mv, ..stored } == found
                        });
                        assert!(is_whole, "torn: {found:?}");
                    }
                }
            });
        }
    });
}

/// What is fetched before a move is what is looked up after it.
#[test]
fn entries_are_fetched_by_the_keys_that_are_looked_up() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b - - 23 40",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 61 90",
    ] {
        let board: Board = fen.parse().unwrap();
        let mut passed = board;
        passed.play_null();
        assert_eq!(table_key_after_null(&board), table_key(&passed), "{fen}");
        let plain = |mv: &Move| !mv.is_castle() && !mv.is_promotion() && !mv.is_en_passant();
        for mv in board.legal_moves().into_iter().filter(plain) {
            let mut played = board;
            played.play(mv);
            let is_known = played.en_passant().is_none() && played.castling() == board.castling();
            assert!(!is_known || table_key_after(&board, mv) == table_key(&played), "{mv:?}");
        }
    }
}
