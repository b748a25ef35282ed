// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the loader of network files.
//!
//! The length and the hash are made right first, or nothing behind them would ever be reached.
#![no_main]

use std::sync::Arc;

use net::{Evaluator, Kernels, Net, file};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    file::seal(&mut bytes);
    if let Ok(net) = Net::from_bytes(&bytes) {
        assert_eq!(net.to_bytes(), bytes);
        let board = chess::Board::default();
        Evaluator::new(Arc::new(net), Kernels::detect()).evaluate(&board);
    }
});
