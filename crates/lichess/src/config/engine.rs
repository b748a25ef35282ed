// SPDX-License-Identifier: GPL-3.0-or-later
//! `[engine]`, `[book]` and `[external_engine]`: what thinks, and what it knows by heart.

use std::path::PathBuf;
use std::time::Duration;

use net::Kernels;
use toml::de::DeValue;
use tools::suggest::nearest;
use uci::{OptionKind, OptionSpec};

use super::account::read_url;
use super::reader::{Section, Value, found};
use crate::words::{Opponent, Speed, Word};

/// What thinks.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSettings {
    /// In all games.
    pub base: Setup,
    /// In some games, instead; later ones win.
    pub when: Vec<When>,
}

/// What an engine is set to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Setup {
    /// UCI options by name, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// The most nodes for a move.
    pub nodes: Option<u64>,
    /// The most plies.
    pub depth: Option<u32>,
    /// The most time for a move.
    pub move_time: Option<Duration>,
}

/// A setup for some games.
#[derive(Clone, PartialEq, Debug)]
pub struct When {
    /// The speeds; all if empty.
    pub speeds: Vec<Speed>,
    /// The opponents; all if empty.
    pub opponents: Vec<Opponent>,
    /// What differs there.
    pub setup: Setup,
}

/// Options with a key of their own, or that the bot sets by itself.
const MANAGED: [(&str, &str); 10] = [
    ("Threads", "use `threads`"),
    ("Hash", "use `hash`"),
    ("hashbits", "use `hash`"),
    ("Network", "use `network`"),
    ("EvalFile", "use `network` with the file"),
    ("SearchMode", "use `mode`"),
    ("SyzygyPath", "use `tablebases`"),
    ("Move Overhead", "it is measured; `play.overhead_ms` is the least"),
    ("Ponder", "use `play.ponder`"),
    ("UCI_Chess960", "it is set for each game"),
];

impl EngineSettings {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let base = Setup::read(&section);
        let when = section.sections("when").into_iter().map(When::read).collect();
        section.finish();
        Self { base, when }
    }

    /// The setup for a game.
    pub fn setup(&self, speed: Speed, opponent: Opponent) -> Setup {
        let mut setup = self.base.clone();
        for when in &self.when {
            let fits_speed = when.speeds.is_empty() || when.speeds.contains(&speed);
            let fits_opponent = when.opponents.is_empty() || when.opponents.contains(&opponent);
            if fits_speed && fits_opponent {
                setup.change(&when.setup);
            }
        }
        setup
    }
}

impl When {
    fn read(section: Section<'_, '_>) -> Self {
        let when = Self {
            speeds: section.words("speeds", &[]),
            opponents: section.words("opponents", &[]),
            setup: Setup::read(&section),
        };
        if when.speeds.is_empty() && when.opponents.is_empty() {
            section.wrong_section("speeds", "`speeds` or `opponents` must tell when it holds");
        }
        section.finish();
        when
    }
}

impl Setup {
    fn change(&mut self, other: &Self) {
        // Set last, an option wins.
        self.options.extend(other.options.iter().cloned());
        self.nodes = other.nodes.or(self.nodes);
        self.depth = other.depth.or(self.depth);
        self.move_time = other.move_time.or(self.move_time);
    }

    fn read(section: &Section<'_, '_>) -> Self {
        let mut options = vec![];
        let mut set = |name: &str, value: Option<String>| {
            options.extend(value.map(|value| (name.to_owned(), value)));
        };
        let number = |key, most| section.maybe_number(key, 1..=most);
        set("Threads", number("threads", engine::MAX_THREADS).map(|n| n.to_string()));
        set("Hash", number("hash", engine::MAX_HASH).map(|n| n.to_string()));
        let network = section.text("network");
        if let Some(name) = &network {
            let is_file = !engine::networks::names().contains(&name.as_str());
            set(if is_file { "EvalFile" } else { "Network" }, read_network(section, name));
        }
        set("SearchMode", read_mode(section));
        set("SyzygyPath", read_tablebases(section));
        options.extend(read_options(&section.section("options")));
        Self {
            options,
            nodes: number("nodes", i64::MAX).map(|n| n as u64),
            depth: number("depth", 200).map(|n| n as u32),
            move_time: number("move_ms", 3_600_000).map(|ms| Duration::from_millis(ms as u64)),
        }
    }
}

/// A network by name, or the path of its file.
fn read_network(section: &Section<'_, '_>, name: &str) -> Option<String> {
    let names = engine::networks::names();
    if names.contains(&name) {
        return Some(name.to_owned());
    }
    let path = section.folder().join(name);
    match engine::networks::load_file(&path.to_string_lossy(), Kernels::detect()) {
        Ok(_) => Some(path.to_string_lossy().into_owned()),
        Err(error) => {
            let message = if path.is_file() {
                error.to_string()
            } else {
                format!("no network `{name}`, expected {} or a file", names.join(", "))
            };
            match (nearest(name, names), section.value("network")) {
                (Some(meant), Some(value)) => {
                    let hint = format!("did you mean `{meant}`?");
                    section.wrong_hint("network", value, message, hint);
                }
                _ => section.wrong_section("network", message),
            }
            None
        }
    }
}

fn read_mode(section: &Section<'_, '_>) -> Option<String> {
    let value = section.value("mode")?;
    check_option(section, "mode", value, &engine::option("SearchMode")?.spec)
}

fn read_tablebases(section: &Section<'_, '_>) -> Option<String> {
    let path = section.path("tablebases")?;
    if !path.is_dir() {
        section.wrong_section("tablebases", format!("`{}` is not a folder", path.display()));
        return None;
    }
    Some(path.to_string_lossy().into_owned())
}

fn read_options(section: &Section<'_, '_>) -> Vec<(String, String)> {
    let read = |(name, value): (String, &Value<'_>)| {
        if let Some((_, instead)) = MANAGED.iter().find(|(own, _)| own.eq_ignore_ascii_case(&name))
        {
            section.wrong(&name, value, format_args!("cannot be set here: {instead}"));
            return None;
        }
        let Some(option) = engine::option(&name) else {
            let names = engine::options().iter().map(|option| option.spec.name());
            let meant = nearest(&name, names);
            let hint = meant.map_or_else(
                || "`quincunx uci` lists the options".to_owned(),
                |meant| format!("did you mean `{meant}`?"),
            );
            section.wrong_hint(&name, value, "the engine has no such option", hint);
            return None;
        };
        let value = check_option(section, &name, value, &option.spec)?;
        Some((option.spec.name().to_owned(), value))
    };
    section.entries().into_iter().filter_map(read).collect()
}

/// The text of a value that an option accepts as it is.
fn check_option(
    section: &Section<'_, '_>,
    key: &str,
    value: &Value<'_>,
    spec: &OptionSpec,
) -> Option<String> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        _ => {
            section.wrong(key, value, format!("expected a value, found {}", found(value)));
            return None;
        }
    };
    match spec.parse_value(&text) {
        Ok(accepted) if accepted.warning.is_none() => return Some(accepted.value.to_string()),
        Ok(accepted) => section.wrong(key, value, accepted.warning.expect("there is one")),
        Err(error) => match (spec.kind(), error) {
            (OptionKind::Combo { vars, .. }, error) => {
                match nearest(&text, vars.iter().map(String::as_str)) {
                    Some(meant) => {
                        section.wrong_hint(key, value, error, format!("did you mean `{meant}`?"));
                    }
                    None => section.wrong(key, value, error),
                }
            }
            (_, error) => section.wrong(key, value, error),
        },
    }
    None
}

/// Opening books.
#[derive(Clone, PartialEq, Debug)]
pub struct BookConfig {
    /// Polyglot files; the first that knows a position answers.
    pub files: Vec<PathBuf>,
    /// How a move is chosen.
    pub choice: BookChoice,
    /// For how many moves of the game.
    pub moves: u32,
    /// Moves of less weight are not played.
    pub least_weight: u16,
}

/// How a move is chosen from a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookChoice {
    /// The heaviest.
    Best,
    /// By chance, in proportion to the weights.
    Weighted,
    /// By chance, all alike.
    Uniform,
}

impl Word for BookChoice {
    const WHAT: &'static str = "way to choose";
    const ALL: &'static [Self] = &[Self::Best, Self::Weighted, Self::Uniform];

    fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Weighted => "weighted",
            Self::Uniform => "uniform",
        }
    }
}

impl BookConfig {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let files = section.list("files").into_iter().filter_map(|item| {
            let Some(text) = item.get_ref().as_str() else {
                let message = format!("expected names of files, found {}", found(item));
                section.wrong("files", item, message);
                return None;
            };
            let path = section.folder().join(text);
            match chess::polyglot::Book::open(&path) {
                Ok(_) => Some(path),
                Err(error) => {
                    section.wrong("files", item, format!("`{}`: {error}", path.display()));
                    None
                }
            }
        });
        let book = Self {
            files: files.collect(),
            choice: section.word("choice", BookChoice::Weighted),
            moves: section.number("moves", 1..=200, 12) as u32,
            least_weight: section.number("least_weight", 0..=65_535, 1) as u16,
        };
        section.finish();
        book
    }
}

/// Analysis on the site.
#[derive(Clone, PartialEq, Debug)]
pub struct ExternalEngine {
    /// The name that people choose there.
    pub name: String,
    /// The most threads they may ask for.
    pub threads: u32,
    /// The largest table they may ask for, in MiB.
    pub hash: u32,
    /// Where work is handed out.
    pub broker: String,
}

impl ExternalEngine {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let name = section.text("name").unwrap_or_else(|| "Quincunx".to_owned());
        if !(3..=200).contains(&name.chars().count()) {
            section.wrong_section("name", "expected a name of 3 to 200 letters");
        }
        let external = Self {
            name,
            threads: section.number("threads", 1..=1024, 2) as u32,
            // Lichess takes no larger one.
            hash: section.number("hash", 1..=512, 256) as u32,
            broker: read_url(&section, "broker")
                .unwrap_or_else(|| "https://engine.lichess.ovh".to_owned()),
        };
        section.finish();
        external
    }
}
