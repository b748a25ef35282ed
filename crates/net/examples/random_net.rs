// SPDX-License-Identifier: GPL-3.0-or-later
//! Writes a small random network, the same from the same seed: for trying things out.
//!
//! ```text
//! cargo run -p net --example random_net -- house 1 out.qnet
//! ```

use std::error::Error;
use std::fs;

use net::{Architecture, random};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [architecture, seed, path] = &arguments[..] else {
        return Err("usage: random_net ARCHITECTURE SEED FILE".into());
    };
    let seed = seed.parse()?;
    let is_named = |known: &Architecture| known.name() == architecture;
    let bytes = match Architecture::ALL.into_iter().find(is_named) {
        None => return Err(format!("no architecture `{architecture}`").into()),
        Some(Architecture::Policy) => random::policy(seed).to_bytes(),
        Some(architecture) => random::network(architecture, seed).to_bytes(),
    };
    let temporary = format!("{path}.new");
    fs::write(&temporary, bytes)?;
    Ok(fs::rename(temporary, path)?)
}
