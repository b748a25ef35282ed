// SPDX-License-Identifier: GPL-3.0-or-later
//! Broken configurations, and the sound one.

use super::*;

/// Where the tests keep a book and other files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "not a book").unwrap();
    std::fs::write(folder.path().join("odd.bin"), "odd").unwrap();
    folder
}

fn mistakes(text: &str) -> Vec<Mistake> {
    let folder = folder();
    Config::parse(text, folder.path()).map_or_else(|mistakes| mistakes.0, |_| vec![])
}

#[test]
fn the_example_holds_all_defaults() {
    let folder = Path::new("somewhere");
    let example = Config::parse(EXAMPLE, folder).unwrap();
    assert_eq!(example, Config::parse("", folder).unwrap());
}

/// Everything in the example that is commented out is sound too.
#[test]
fn the_example_is_sound_when_its_comments_are_taken_away() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("syzygy")).unwrap();
    let uncommented = EXAMPLE.lines().map(|line| {
        let bare = line.strip_prefix("# ").unwrap_or(line);
        let is_code = bare.starts_with('[')
            || bare
                .split_once(" = ")
                .is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        if is_code && !bare.starts_with("token") { bare } else { line }
    });
    let text = uncommented.collect::<Vec<_>>().join("\n");
    let config = Config::parse(&text, folder.path()).unwrap();
    assert_eq!(config.play.quit_after, Some(100));
    assert_eq!(config.challenge.bots.modes, [crate::words::Mode::Rated]);
    assert_eq!(config.engine.when.len(), 1);
}

/// Text, the line of its mistake, the key, and a part of the message or the hint.
const BROKEN: [(&str, usize, &str, &str); 52] = [
    ("[challenge", 1, "", "not TOML"),
    ("[play]\nponder = yes", 2, "", "not TOML"),
    ("[play]\nponder = \"yes\"", 2, "play.ponder", "expected true or false, found `yes`"),
    ("[play]\nponder = true\nponder = false", 3, "", "duplicate key"),
    ("\n\n[challange]", 3, "challange", "did you mean `challenge`?"),
    ("[plays]", 1, "plays", "did you mean `play`?"),
    ("banana = 1", 1, "banana", "the keys here are account"),
    ("challenge = 3", 1, "challenge", "expected a section `[challenge]`, found `3`"),
    ("[challenge]\nspeed = [\"blitz\"]", 2, "challenge.speed", "did you mean `speeds`?"),
    ("[challenge]\nspeeds = \"blitz\"", 2, "challenge.speeds", "a list in square brackets"),
    ("[challenge]\nspeeds = [\"blits\"]", 2, "challenge.speeds", "did you mean `blitz`?"),
    ("[challenge]\nspeeds = [\n\"blitz\",\n\"rapdi\"]", 4, "challenge.speeds", "`rapid`?"),
    ("[challenge]\nvariants = [\"atomic\"]", 2, "challenge.variants", "found `atomic`"),
    ("[challenge]\nmodes = [3]", 2, "challenge.modes", "casual, rated, found `3`"),
    ("[challenge]\nopponents = [\"bots\"]", 2, "challenge.opponents", "did you mean `bot`?"),
    ("[challenge]\nconcurrency = 0", 2, "challenge.concurrency", "from 1 to 32, found `0`"),
    ("[challenge]\nconcurrency = 2.5", 2, "challenge.concurrency", "found `2.5`"),
    ("[challenge]\nconcurrency = \"2\"", 2, "challenge.concurrency", "a whole number"),
    ("[challenge]\nhuman_slots = 2", 2, "challenge.human_slots", "only 1 games"),
    ("[challenge]\nmin_rating = 2000\nmax_rating = 1000", 2, "challenge.min_rating", "nothing"),
    ("[challenge]\nmax_initial = -1", 2, "challenge.max_initial", "found `-1`"),
    ("[challenge]\nmax_increment = 181", 2, "challenge.max_increment", "0 to 180"),
    ("[challenge]\norder = \"worst\"", 2, "challenge.order", "first, best, found `worst`"),
    ("[challenge]\nprefer = \"humans\"", 2, "challenge.prefer", "did you mean `human`?"),
    ("[challenge]\nallow = [\"a b\"]", 2, "challenge.allow", "`a b` cannot be the name"),
    ("[challenge]\nallow = [\"Ab\"]\nblock = [\"aB\"]", 3, "challenge.block", "and blocked"),
    ("[challenge.bots]\nmode = []", 2, "challenge.bots.mode", "did you mean `modes`?"),
    ("[matchmaking]\nidle_seconds = 0", 2, "matchmaking.idle_seconds", "from 1 to 86400"),
    ("[[matchmaking.pool]]\nclock = \"5\"", 2, "matchmaking.pool.clock", "found `5`"),
    ("[[matchmaking.pool]]\nclock = \"0.25+0\"", 2, "matchmaking.pool.clock", "Lichess allows"),
    ("[[matchmaking.pool]]\nmode = \"rated\"", 1, "matchmaking.pool.clock", "found nothing"),
    (
        "[[matchmaking.pool]]\nclock = \"3+2\"\nvariant = \"fromPosition\"",
        3,
        "matchmaking.pool.variant",
        "cannot be offered",
    ),
    ("[[matchmaking.pool]]\nclock = \"3+2\"\nweight = 0", 1, "matchmaking.pool", "weight 0"),
    ("[matchmaking]\npool = [1]", 2, "matchmaking.pool", "expected sections `[[matchm"),
    ("[matchmaking]\nper_day = 500", 2, "matchmaking.per_day", "from 1 to 200"),
    ("[play]\non_stop = \"finsh\"", 2, "play.on_stop", "did you mean `finish`?"),
    ("[play]\noverhead = 10", 2, "play.overhead", "did you mean `overhead_ms`?"),
    ("[draw]\nscore = 5000", 2, "draw.score", "from 0 to 1000"),
    ("[resign]\nenabled = 1", 2, "resign.enabled", "expected true or false, found `1`"),
    ("[correspondence]\nmove_seconds = 1970-01-01", 2, "correspondence.move_seconds", "a date"),
    ("[engine]\nthreads = 0", 2, "engine.threads", "from 1 to 1024"),
    ("[engine]\nnetwork = \"huose\"", 2, "engine.network", "did you mean `house`?"),
    ("[engine]\nnetwork = \"notes.txt\"", 2, "engine.network", "notes.txt"),
    ("[engine]\nmode = \"alfabeta\"", 2, "engine.mode", "did you mean `alphabeta`?"),
    ("[engine]\ntablebases = \"nowhere\"", 2, "engine.tablebases", "is not a folder"),
    ("[engine.options]\nContemt = 1", 2, "engine.options.Contemt", "did you mean `Contempt`?"),
    ("[engine.options]\nContempt = 1000", 2, "engine.options.Contempt", "from -100 to 100"),
    ("[engine.options]\nHash = 64", 2, "engine.options.Hash", "use `hash`"),
    ("[[engine.when]]\nthreads = 1", 1, "engine.when.speeds", "must tell when"),
    ("[book]\nfiles = [\"none.bin\"]", 2, "book.files", "none.bin"),
    ("[book]\nfiles = [\"odd.bin\"]", 2, "book.files", "odd.bin"),
    ("[chat]\ngreeting = \"Hi {you}\"", 2, "chat.greeting", "`{you}` is none of"),
];

/// The same, where a token is near.
const SECRETS: [(&str, usize, &str, &str); 9] = [
    ("[account]\ntoken = \"lip_se cret\"", 2, "account.token", "has blanks"),
    ("[account]\ntoken = \"lip_secret", 2, "", "not TOML"),
    ("[account]\ntoken = lip_secret", 2, "", "not TOML"),
    ("[account]\ntokn = \"lip_secret\"", 2, "account.tokn", "did you mean `token`?"),
    ("[account]\ntoken_file = \"lip_secret\"", 2, "account.token_file", "this is a token"),
    ("[account]\ntoken_env = \"lip_secret\"", 2, "account.token_env", "this is a token"),
    ("[account]\ntoken = \"lip_secret\"\ntoken_env = \"X\"", 3, "account.token_env", "only one"),
    ("[account]\nurl = \"https://lip_secret@lichess.org\"", 2, "account.url", "an address"),
    ("[challenge]\nspeeds = [\"lip_secret\"]", 2, "challenge.speeds", "looks like a token"),
];

#[test]
fn every_mistake_is_named_with_its_line() {
    for (text, line, key, part) in BROKEN.into_iter().chain(SECRETS) {
        let found = mistakes(text);
        let is_named = found.iter().any(|mistake| {
            mistake.line == line && mistake.key == key && mistake.to_string().contains(part)
        });
        assert!(is_named, "{text}\n{line} {key} {part}\n{found:#?}");
        assert!(!format!("{found:?}").contains("secret"), "{text}: {found:?}");
    }
}

#[test]
fn all_mistakes_are_found_in_one_go() {
    let all = BROKEN.iter().filter(|(_, _, key, _)| key.starts_with("challenge."));
    let lines: Vec<_> = all.filter_map(|(text, ..)| text.strip_prefix("[challenge]\n")).collect();
    // Keys of the same name cannot stand in one file.
    let mut keys = std::collections::HashSet::new();
    let lines: Vec<_> =
        lines.into_iter().filter(|line| keys.insert(line.split(' ').next())).collect();
    let count = lines.len();
    let found = mistakes(&format!("[challenge]\n{}", lines.join("\n")));
    assert!(count >= 10 && found.len() >= count, "{count} {found:#?}");
    assert!(found.is_sorted_by_key(|mistake| mistake.line));
}

#[test]
fn special_filters_begin_with_the_common_one() {
    let text = "[challenge]\nspeeds = [\"blitz\"]\nmax_rating = 2000\n\
                [challenge.bots]\nmax_rating = 3000";
    let challenge = Config::parse(text, Path::new(".")).unwrap().challenge;
    assert_eq!(challenge.humans.rating, 0..=2000);
    assert_eq!(challenge.bots.rating, 0..=3000);
    assert_eq!(challenge.bots.speeds, challenge.humans.speeds);
}

#[test]
fn setups_change_by_speed_and_opponent() {
    use crate::words::{Opponent, Speed};
    let text = "[engine]\nhash = 8\nnodes = 5\n[[engine.when]]\nspeeds = [\"bullet\"]\nhash = 16\n\
                [[engine.when]]\nopponents = [\"human\"]\nnodes = 7\n\
                options = { \"Skill Level\" = 3 }";
    let engine = Config::parse(text, Path::new(".")).unwrap().engine;
    let last = |setup: &Setup| setup.options.last().cloned().unwrap();
    let blitz = engine.setup(Speed::Blitz, Opponent::Bot);
    assert_eq!((last(&blitz).1.as_str(), blitz.nodes), ("8", Some(5)));
    let bullet = engine.setup(Speed::Bullet, Opponent::Bot);
    assert_eq!((last(&bullet).1.as_str(), bullet.nodes), ("16", Some(5)));
    let human = engine.setup(Speed::Bullet, Opponent::Human);
    assert_eq!(last(&human), ("Skill Level".to_owned(), "3".to_owned()));
    assert_eq!(human.nodes, Some(7));
}
