// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the trainer's recipes.
#![no_main]

use std::path::Path;

use train::Recipe;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    match Recipe::parse(&text, Path::new("fuzz.toml"), &[]) {
        Ok(recipe) => {
            let _ = recipe.steps(1000);
            Recipe::parse(&recipe.text(), Path::new("fuzz.toml"), &[])
                .expect("what was written can be read");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
