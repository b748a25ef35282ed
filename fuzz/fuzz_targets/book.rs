// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes Polyglot books.
#![no_main]

use chess::polyglot::Book;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(book) = Book::read(data) else { return };
    let mut written = Vec::new();
    book.write(&mut written).expect("memory takes everything");
    let again = Book::read(&written[..]).expect("what was written can be read");
    assert_eq!(book.len(), again.len());
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    ] {
        let board = fen.parse().expect("a sound position");
        let found = book.find(&board);
        let moves = board.legal_moves();
        assert!(found.moves.iter().all(|known| moves.contains(&known.mv)));
        let _ = (found.choose(u64::MAX), found.best());
    }
});
