// SPDX-License-Identifier: GPL-3.0-or-later
//! A table of challenges, and what becomes of them.

use serde_json::{Value, json};

use super::*;
use crate::Config;
use crate::words::Word;

const DEFAULT: &str = "";
const STRICT: &str = r#"
variants = ["standard"]
speeds = ["blitz", "rapid"]
modes = ["rated"]
min_initial = 120
max_initial = 900
min_increment = 1
max_increment = 10
min_rating = 1500
max_rating = 2500
rating_difference = 300
rematches = false
block = ["Nasty"]
"#;
const HUMANS: &str = "opponents = [\"human\"]";
const BOTS: &str = "opponents = [\"bot\"]\ngames_per_bot = 3";
const CLUB: &str = "allow = [\"friend\", \"Robot\"]";
const SLOW: &str = r#"speeds = ["correspondence"]
min_days = 2
max_days = 7"#;
const ENDLESS: &str = "speeds = [\"correspondence\"]\nunlimited = true";
const GAPS: &str = "speeds = [\"bullet\", \"classical\"]\nbullet_needs_increment = true";
const SPLIT: &str = r#"modes = ["casual"]
[challenge.bots]
modes = ["rated"]
speeds = ["bullet"]
variants = ["standard", "chess960"]"#;
const NOBODY: &str = "opponents = []";
const NO_SPEED: &str = "speeds = []";

/// A challenge in one line: who, title, rating, clock, mode, variant.
fn challenge(line: &str) -> Challenge {
    let words: Vec<_> = line.split_whitespace().collect();
    let [name, title, rating, clock, mode, variant] = words[..6] else { panic!("{line}") };
    let control = match clock.split_once('+') {
        Some((limit, increment)) => json!({
            "type": "clock", "limit": number(limit), "increment": number(increment)
        }),
        None if clock == "unlimited" => json!({"type": "unlimited"}),
        None => json!({"type": "correspondence", "daysPerTurn": number(clock)}),
    };
    let mut object = json!({
        "id": "abcdefgh", "timeControl": control, "rated": mode == "rated",
        "variant": {"key": variant}, "speed": "whatever", "status": "created",
        "challenger": {"id": name.to_lowercase(), "name": name, "rating": number(rating)},
    });
    if title == "BOT" {
        object["challenger"]["title"] = json!("BOT");
    }
    if name == "-" {
        object["challenger"] = Value::Null;
    }
    if words.contains(&"rematch") {
        object["rematchOf"] = json!("hgfedcba");
    }
    serde_json::from_value(object).unwrap()
}

fn number(text: &str) -> Value {
    text.parse::<u32>().map_or(Value::Null, |number| json!(number))
}

fn verdict(rules: &str, line: &str) -> String {
    let text = format!("[challenge]\n{rules}");
    let config = Config::parse(&text, std::path::Path::new(".")).unwrap();
    let me = json!({
        "id": "me", "username": "Me", "title": "BOT",
        "perfs": {"blitz": {"rating": 2000}, "rapid": {"rating": 2100}, "chess960": {"rating": 900}}
    });
    let me: Profile = serde_json::from_value(me).unwrap();
    let situation = Situation {
        me: &me,
        recent_games: if line.contains("again") { 3 } else { 2 },
        is_stopping: line.contains("stopping"),
    };
    match judge(&challenge(line), &config.challenge, situation) {
        ChallengeVerdict::Accept => "accept".to_owned(),
        ChallengeVerdict::Ignore => "ignore".to_owned(),
        ChallengeVerdict::Decline(reason) => reason.name().to_owned(),
    }
}

/// Rules, challenge, verdict.
const TABLE: [(&str, &str, &str); 80] = [
    // Without any rules: everything with a clock.
    (DEFAULT, "Anna - 1500 180+2 rated standard", "accept"),
    (DEFAULT, "Anna - 1500 180+2 casual standard", "accept"),
    (DEFAULT, "Robot BOT 3000 60+0 rated standard", "accept"),
    (DEFAULT, "Anna - 1500 180+2 casual chess960", "accept"),
    (DEFAULT, "Anna - 1500 180+2 casual fromPosition", "accept"),
    (DEFAULT, "Anna - 1500 1800+30 rated standard", "accept"),
    (DEFAULT, "Anna - 1500 10800+180 rated standard", "accept"),
    (DEFAULT, "Anna - ? 300+0 rated standard", "accept"),
    (DEFAULT, "- - ? 300+0 casual standard", "accept"),
    (DEFAULT, "Anna - 1500 300+0 rated standard rematch", "accept"),
    (DEFAULT, "Robot BOT 1500 300+0 rated standard again", "accept"),
    (DEFAULT, "Anna - 1500 15+0 rated standard", "tooFast"),
    (DEFAULT, "Anna - 1500 3 rated standard", "tooSlow"),
    (DEFAULT, "Anna - 1500 unlimited casual standard", "tooSlow"),
    (DEFAULT, "Anna - 1500 180+2 rated atomic", "variant"),
    (DEFAULT, "Anna - 1500 180+2 rated crazyhouse", "variant"),
    (DEFAULT, "Anna - 1500 180+2 rated kingOfTheHill", "variant"),
    (DEFAULT, "Anna - 1500 180+2 rated threeCheck", "variant"),
    (DEFAULT, "Anna - 1500 180+2 rated somethingNew", "variant"),
    (DEFAULT, "Anna - 1500 180+2 rated standard stopping", "later"),
    (DEFAULT, "Me BOT 1500 180+2 rated standard", "ignore"),
    (DEFAULT, "Me BOT 1500 180+2 rated standard stopping", "ignore"),
    // Strict rules.
    (STRICT, "Anna - 2000 180+2 rated standard", "accept"),
    (STRICT, "Anna - 2000 120+1 rated standard", "tooFast"),
    (STRICT, "Anna - 2000 120+2 rated standard", "accept"),
    (STRICT, "Anna - 2000 900+10 rated standard", "accept"),
    (STRICT, "Anna - 2000 180+0 rated standard", "tooFast"),
    (STRICT, "Anna - 2000 60+5 rated standard", "tooFast"),
    (STRICT, "Anna - 2000 960+1 rated standard", "tooSlow"),
    (STRICT, "Anna - 2000 180+11 rated standard", "tooSlow"),
    (STRICT, "Anna - 2000 1800+0 rated standard", "tooSlow"),
    (STRICT, "Anna - 2000 2 rated standard", "tooSlow"),
    (STRICT, "Anna - 2000 180+2 casual standard", "rated"),
    (STRICT, "Anna - 2000 180+2 rated chess960", "standard"),
    (STRICT, "Anna - 2000 180+2 rated fromPosition", "standard"),
    (STRICT, "Anna - 2000 180+2 rated antichess", "standard"),
    (STRICT, "Anna - 1499 180+2 rated standard", "generic"),
    (STRICT, "Anna - 1700 180+2 rated standard", "accept"),
    (STRICT, "Anna - 1699 180+2 rated standard", "generic"),
    (STRICT, "Anna - 2300 180+2 rated standard", "accept"),
    (STRICT, "Anna - 2301 180+2 rated standard", "generic"),
    (STRICT, "Anna - 2400 600+5 rated standard", "accept"),
    (STRICT, "Anna - 2501 600+5 rated standard", "generic"),
    (STRICT, "Anna - ? 600+5 rated standard", "accept"),
    (STRICT, "Anna - 2000 180+2 rated standard rematch", "later"),
    (STRICT, "NASTY - 2000 180+2 rated standard", "generic"),
    (STRICT, "nasty - 9999 1+0 casual atomic", "generic"),
    (STRICT, "Robot BOT 2000 180+2 rated standard", "accept"),
    // Who may come.
    (HUMANS, "Anna - 1500 180+2 rated standard", "accept"),
    (HUMANS, "Robot BOT 1500 180+2 rated standard", "noBot"),
    (BOTS, "Anna - 1500 180+2 rated standard", "onlyBot"),
    (BOTS, "- - ? 180+2 casual standard", "onlyBot"),
    (BOTS, "Robot BOT 1500 180+2 rated standard", "accept"),
    (BOTS, "Robot BOT 1500 180+2 rated standard again", "later"),
    (NOBODY, "Anna - 1500 180+2 rated standard", "onlyBot"),
    (NOBODY, "Robot BOT 1500 180+2 rated standard", "noBot"),
    (CLUB, "Friend - 1500 180+2 rated standard", "accept"),
    (CLUB, "ROBOT BOT 1500 180+2 rated standard", "accept"),
    (CLUB, "Anna - 1500 180+2 rated standard", "generic"),
    (CLUB, "- - ? 180+2 casual standard", "generic"),
    // Correspondence.
    (SLOW, "Anna - 1500 3 rated standard", "accept"),
    (SLOW, "Anna - 1500 2 rated standard", "accept"),
    (SLOW, "Anna - 1500 7 casual chess960", "accept"),
    (SLOW, "Anna - 1500 1 rated standard", "tooFast"),
    (SLOW, "Anna - 1500 14 rated standard", "tooSlow"),
    (SLOW, "Anna - 1500 unlimited casual standard", "tooSlow"),
    (SLOW, "Anna - 1500 180+2 rated standard", "tooFast"),
    (ENDLESS, "Anna - 1500 unlimited casual standard", "accept"),
    (ENDLESS, "Anna - 1500 14 rated standard", "accept"),
    // Speeds with a gap between them.
    (GAPS, "Anna - 1500 180+2 rated standard", "timeControl"),
    (GAPS, "Anna - 1500 15+0 rated standard", "tooFast"),
    (GAPS, "Anna - 1500 60+1 rated standard", "accept"),
    (GAPS, "Anna - 1500 60+0 rated standard", "tooFast"),
    (GAPS, "Anna - 1500 1800+0 rated standard", "accept"),
    (GAPS, "Anna - 1500 3 rated standard", "tooSlow"),
    (NO_SPEED, "Anna - 1500 180+2 rated standard", "timeControl"),
    // Different rules for people and programs.
    (SPLIT, "Anna - 1500 180+2 rated standard", "casual"),
    (SPLIT, "Anna - 1500 180+2 casual fromPosition", "accept"),
    (SPLIT, "Robot BOT 1500 60+0 casual standard", "rated"),
    (SPLIT, "Robot BOT 1500 60+0 rated fromPosition", "variant"),
];

#[test]
fn challenges_get_what_the_rules_say() {
    let wrong: Vec<_> = TABLE
        .iter()
        .map(|&(rules, line, expected)| (line, expected, verdict(rules, line)))
        .filter(|(_, expected, given)| expected != given)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_bot_of_another_speed_is_told_so() {
    assert_eq!(verdict(SPLIT, "Robot BOT 1500 180+2 rated standard"), "tooSlow");
    assert_eq!(verdict(SPLIT, "Robot BOT 1500 60+0 rated chess960"), "accept");
}
