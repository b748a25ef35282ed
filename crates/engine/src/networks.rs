// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks by name: those in the binary, and those in files. Each is in memory once; see
//! [`resources`](crate::resources()).

use std::path::Path;

use net::{Kernels, NetFileError};
use search::{Network, Ranking};

use crate::resources;

/// The networks in the binary, by the names of their files; see `build.rs`.
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/networks.rs"));

/// The name of the evaluation that needs no network.
const MATERIAL: &str = "material";
/// What ranks moves for the tree search; it is no evaluation.
const POLICY: &str = "policy";

/// A network that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// Neither a name nor a file.
    #[error("no network `{0}`, expected {names} or a file", names = names().join(", "))]
    Unknown(String),
    /// The file cannot be read, or holds no sound network.
    #[error("`{0}`: {1}")]
    File(String, NetFileError),
}

/// What can be chosen by name, the default first.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = EMBEDDED.iter().map(|&(name, _)| name).collect();
    names.retain(|&name| name != POLICY);
    names.sort_by_key(|&name| match name {
        "evalfile" => 0,
        "house" => 1,
        _ => 2,
    });
    names.push(MATERIAL);
    names
}

/// The network of this name, or in the file of this name.
pub fn load(name: &str, kernels: Kernels) -> Result<Network, NetworkError> {
    let known = names().into_iter().find(|known| known.eq_ignore_ascii_case(name));
    match known {
        Some(MATERIAL) => Ok(Network::Material),
        Some(known) => Ok(embedded(known, kernels)),
        None if Path::new(name).exists() => load_file(name, kernels),
        None => Err(NetworkError::Unknown(name.to_owned())),
    }
}

/// The network in a file, our own or another program's.
pub fn load_file(path: &str, kernels: Kernels) -> Result<Network, NetworkError> {
    let net = resources::net_in_file(Path::new(path));
    let net = net.map_err(|error| NetworkError::File(path.to_owned(), error))?;
    Ok(Network::Net(net, kernels))
}

/// What a file of another program's, or a folder of its files, is taken for; `None` of our own files.
pub fn taken_for(path: &str) -> Option<String> {
    let path = Path::new(path);
    let imported = net::import::Layout::of(path)?.read(path, "imported");
    imported.ok().map(|imported| imported.taken_for)
}

/// The network that is used if nobody chooses.
pub fn default_network(kernels: Kernels) -> Network {
    let name = names()[0];
    if name == MATERIAL { Network::Material } else { embedded(name, kernels) }
}

/// Name and hash of the network that is used if nobody chooses; `None` if that is no network.
pub fn default_identity() -> Option<(&'static str, u64)> {
    let name = names()[0];
    let (_, bytes) = EMBEDDED.iter().find(|(known, _)| *known == name)?;
    net::file::Contents::read(bytes).ok().map(|contents| (name, contents.hash))
}

/// What ranks moves for the tree search if nobody chooses: the policy in the binary, or a rule of thumb
/// if there is none.
pub fn ranking(kernels: Kernels) -> Ranking {
    let bytes = EMBEDDED.iter().find(|(known, _)| *known == POLICY).map(|(_, bytes)| bytes);
    bytes.map_or(Ranking::Rule, |bytes| {
        let policy = resources::embedded_policy(POLICY, bytes);
        let policy = policy.expect("the embedded policy is sound: a test loads it");
        Ranking::Net(policy, kernels)
    })
}

/// The policy in a file.
pub fn load_policy(path: &str, kernels: Kernels) -> Result<Ranking, NetworkError> {
    let policy = resources::policy_in_file(Path::new(path));
    let policy = policy.map_err(|error| NetworkError::File(path.to_owned(), error))?;
    Ok(Ranking::Net(policy, kernels))
}

fn embedded(name: &'static str, kernels: Kernels) -> Network {
    let bytes = EMBEDDED.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes);
    let net = resources::embedded_net(name, bytes.expect("the name is in the list"));
    Network::Net(net.expect("embedded networks are sound: a test loads them"), kernels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_in_the_binary_is_sound() {
        for name in names() {
            let network = load(name, Kernels::detect()).unwrap();
            // `tal-8` is one of the architecture `tal`.
            let family = name.split('-').next().unwrap_or(name);
            assert!(name == "evalfile" || family == network.architecture(), "{name}: {network:?}");
        }
    }

    #[test]
    fn the_policy_in_the_binary_is_sound_if_there_is_one() {
        let has_policy = EMBEDDED.iter().any(|(name, _)| *name == POLICY);
        let found = ranking(Kernels::detect()).name();
        assert_eq!(found, if has_policy { "policy" } else { "rule" });
        let wrong = load_policy("Cargo.toml", Kernels::detect()).unwrap_err().to_string();
        assert!(wrong.starts_with("`Cargo.toml`: "), "{wrong}");
    }

    #[test]
    fn a_bad_name_gets_a_sentence() {
        let error = load("nosuchnet", Kernels::detect()).unwrap_err().to_string();
        assert!(error.starts_with("no network `nosuchnet`, expected "), "{error}");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "no network at all ".repeat(10)).unwrap();
        let error = load(file.path().to_str().unwrap(), Kernels::detect());
        assert!(error.unwrap_err().to_string().contains("magic"));
    }
}
