// SPDX-License-Identifier: GPL-3.0-or-later
//! Choosing networks by name and by file: between searches, during one, and with files that are not
//! there or not sound.

use std::path::{Path, PathBuf};

use engine::{Memory, Output, UciSession, networks};
use net::{Architecture, Kernels, random};
use tempfile::TempDir;

/// A conversation, and a folder for network files.
struct Talk {
    session: UciSession,
    heard: Memory,
    folder: TempDir,
}

impl Talk {
    fn new() -> Self {
        let (output, heard) = Output::to_memory();
        let folder = tempfile::tempdir().expect("a folder");
        Self { session: UciSession::new(output), heard, folder }
    }

    /// Writes a random network and tells its path.
    fn file(&self, architecture: Architecture, seed: u64) -> PathBuf {
        let path = self.folder.path().join(format!("{} {seed}.qnet", architecture.name()));
        std::fs::write(&path, random::network(architecture, seed).to_bytes()).expect("a file");
        path
    }

    /// What is said to these lines, each search to its end.
    fn say(&mut self, lines: &[&str]) -> String {
        for line in lines {
            self.session.run_line(line);
            self.session.wait();
        }
        self.heard.take()
    }

    fn set_file(&mut self, path: &Path) -> String {
        self.say(&[&format!("setoption name EvalFile value {}", path.display())])
    }

    /// What evaluates, and what it says of a position.
    fn evaluation(&mut self) -> (String, String) {
        let said = self.say(&["position startpos moves e2e4 d7d5", "eval"]);
        let part = |start: &str| {
            let line = said.lines().find_map(|line| line.split(start).nth(1));
            line.unwrap_or_else(|| panic!("no `{start}` in {said}")).to_owned()
        };
        let network = part("Network: ");
        let (architecture, output) = network.split_once(',').expect("name and output");
        (architecture.to_owned(), output.to_owned())
    }

    fn architecture(&mut self) -> String {
        self.evaluation().0
    }

    /// The node count of a short bench.
    fn bench(&mut self) -> String {
        let said = self.say(&["bench 3"]);
        let last = said.lines().last().expect("a last line");
        last.split(' ').next().expect("a number").to_owned()
    }
}

fn default_name() -> &'static str {
    networks::default_network(Kernels::detect()).architecture()
}

#[test]
fn networks_are_switched_between_searches() {
    let mut talk = Talk::new();
    assert_eq!(talk.architecture(), default_name());
    let mut outputs = vec![];
    for architecture in Architecture::ALL {
        if architecture == Architecture::Policy {
            continue;
        }
        let path = talk.file(architecture, 1);
        assert_eq!(talk.set_file(&path), "", "{path:?}");
        let said = talk.say(&["go depth 3"]);
        assert!(said.contains("bestmove "), "{said}");
        let (name, output) = talk.evaluation();
        assert_eq!(name, architecture.name());
        outputs.push(output);
    }
    let two = talk.file(Architecture::House, 2);
    talk.set_file(&two);
    let (name, output) = talk.evaluation();
    assert_eq!(name, "house");
    assert!(!outputs.contains(&output), "another file of an architecture is another network");
    for name in networks::names() {
        let said = talk.say(&[&format!("setoption name Network value {name}"), "go depth 3"]);
        assert_eq!(said.matches("bestmove ").count(), 1, "{name}: {said}");
        let found = talk.architecture();
        // `tal-8` is one of the architecture `tal`.
        let family = name.split('-').next().unwrap_or(name);
        assert!(name == "evalfile" || found == family, "{name}: {found}");
    }
    assert_eq!(talk.architecture(), "material", "the last of the names");
}

#[test]
fn the_last_of_network_and_eval_file_wins() {
    let mut talk = Talk::new();
    let file = talk.file(Architecture::Tal, 1);
    let by_file = format!("setoption name EvalFile value {}", file.display());
    let by_name = "setoption name Network value material";
    talk.say(&[&by_file, by_name]);
    assert_eq!(talk.architecture(), "material");
    talk.say(&[by_name, &by_file]);
    assert_eq!(talk.architecture(), "tal");
    for nothing in ["", " value ", " value <empty>"] {
        talk.say(&[&by_file]);
        talk.say(&[&format!("setoption name EvalFile{nothing}")]);
        assert_eq!(talk.architecture(), default_name(), "without a file the default is back");
    }
}

#[test]
fn a_change_during_a_search_is_refused_with_a_message() {
    let mut talk = Talk::new();
    let [one, two] = [1, 2].map(|seed| talk.file(Architecture::Nectar, seed));
    talk.set_file(&one);
    let before = talk.evaluation();
    talk.session.run_line("go infinite");
    let by_file = format!("setoption name EvalFile value {}", two.display());
    for (line, option) in [
        (by_file.as_str(), "EvalFile"),
        ("setoption name Network value material", "Network"),
        ("setoption name Kernels value portable", "Kernels"),
    ] {
        talk.heard.take();
        talk.session.run_line(line);
        let expected = format!("info string {option}: refused while a search is under way");
        let said = talk.heard.take();
        assert!(said.lines().any(|line| line.starts_with(&expected)), "{line}: {said}");
    }
    talk.session.run_line("stop");
    talk.session.wait();
    assert!(talk.heard.take().contains("bestmove "));
    assert_eq!(talk.evaluation(), before, "refused means not done afterwards either");
    talk.set_file(&two);
    assert_ne!(talk.evaluation(), before);
}

#[test]
fn a_missing_file_leaves_the_old_network() {
    let mut talk = Talk::new();
    let good = talk.file(Architecture::Batu, 1);
    talk.set_file(&good);
    let before = talk.evaluation();
    let said = talk.set_file(Path::new("/no/such/file.qnet"));
    assert!(said.starts_with("info string EvalFile: `/no/such/file.qnet`: cannot read"), "{said}");
    assert!(said.trim_end().ends_with("`batu` stays in use"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(talk.evaluation(), before);
    assert!(talk.say(&["go depth 2"]).contains("bestmove "));
}

#[test]
fn a_broken_file_gets_a_sentence() {
    let mut talk = Talk::new();
    let before = talk.evaluation();
    let sound = random::network(Architecture::House, 1).to_bytes();
    let mut flipped = sound.clone();
    flipped[5000] ^= 1;
    for (bytes, sentence) in [
        (&b"no network"[..], "length of the file is 10, expected at least 64 bytes"),
        (&sound[..sound.len() - 1], "length of the file is "),
        (&flipped, "hash is "),
        (&random::policy(1).to_bytes(), "architecture is policy, expected a value network"),
    ] {
        let path = talk.folder.path().join("broken.qnet");
        std::fs::write(&path, bytes).expect("a file");
        let said = talk.set_file(&path);
        assert!(said.contains(sentence) && said.lines().count() == 1, "{sentence}: {said}");
        assert!(said.starts_with("info string EvalFile: "), "{said}");
        assert_eq!(talk.evaluation(), before);
    }
    let folder = talk.folder.path().to_owned();
    let said = talk.set_file(&folder);
    assert!(said.contains("is a folder") && said.contains("expected a file"), "{said}");
    let unknown = talk.say(&["setoption name Network value nosuchnet"]);
    assert!(unknown.starts_with("info string ") && unknown.contains("nosuchnet"), "{unknown}");
    assert_eq!(talk.evaluation(), before);
}

#[test]
fn every_path_counts_the_same_nodes() {
    let mut talk = Talk::new();
    for architecture in [Architecture::House, Architecture::Rengar] {
        let path = talk.file(architecture, 3);
        talk.set_file(&path);
        let mut counts = vec![];
        for kernels in Kernels::available() {
            let option = format!("setoption name Kernels value {}", kernels.name());
            assert_eq!(talk.say(&[&option]), "");
            counts.push(talk.bench());
        }
        // A network that is loaded later runs on the chosen path too.
        talk.say(&["setoption name Kernels value portable"]);
        talk.set_file(&path);
        counts.push(talk.bench());
        assert!(counts.iter().all(|count| *count == counts[0]), "{architecture:?}: {counts:?}");
        assert!(counts[0].parse::<u64>().is_ok_and(|nodes| nodes > 1000), "{counts:?}");
        talk.say(&["setoption name Kernels value auto"]);
    }
}

#[test]
fn kernels_that_the_processor_has_not_got_get_a_message() {
    let mut talk = Talk::new();
    let absent =
        ["avx2", "avx512", "neon"].into_iter().find(|name| Kernels::by_name(name).is_err());
    let absent = absent.expect("no processor has all of them");
    let said = talk.say(&[&format!("setoption name Kernels value {absent}")]);
    assert!(said.starts_with("info string Kernels: "), "{said}");
    assert!(said.contains(&format!("does not support kernels `{absent}`")), "{said}");
    assert!(talk.say(&["go depth 2"]).contains("bestmove "));
}

#[test]
fn eval_shows_every_output_bucket() {
    let mut talk = Talk::new();
    let path = talk.folder.path().join("buckets.qnet");
    let net = random::with_header(&random::house_header(32, 2, 8), 5);
    std::fs::write(&path, net.to_bytes()).expect("a file");
    talk.set_file(&path);
    let said = talk.say(&["position startpos", "eval"]);
    let find = |start: &str| said.lines().find_map(|line| line.strip_prefix(start)).expect(start);
    let points: Vec<&str> = find("points by output bucket: ").split(' ').collect();
    assert_eq!((points.len(), find("output bucket: ")), (8, "7.00"), "{said}");
    let (_, output) = talk.evaluation();
    assert!(!output.is_empty());
    assert!(
        find("Network: house, output ").starts_with(points[7].trim_end_matches(".00")),
        "{said}"
    );
}
