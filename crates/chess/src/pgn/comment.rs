// SPDX-License-Identifier: GPL-3.0-or-later
//! What programs write into comments: evaluations and clocks.
//!
//! Web sites use commands such as `[%eval 0.35]` and `[%clk 0:03:00]`; match runners such as cutechess
//! and fastchess write `+0.35/12 0.10s`.

use std::time::Duration;

/// A value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CommentScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate, negative for the side that is mated.
    Mate(i32),
}

/// What `[%eval …]` says: a value from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Eval {
    /// The value.
    pub value: CommentScore,
    /// The depth of the search in plies.
    pub depth: Option<u32>,
}

/// The evaluation in a comment, as in `[%eval -1.2]`, `[%eval #3]` or `[%eval 0.35,20]`.
///
/// ```
/// use chess::pgn::{CommentScore, eval};
/// assert_eq!(eval("good [%eval -1.2]").unwrap().value, CommentScore::Centipawns(-120));
/// assert_eq!(eval("[%eval #-3,20]").unwrap().value, CommentScore::Mate(-3));
/// assert_eq!(eval("[%eval soon]"), None);
/// ```
pub fn eval(comment: &str) -> Option<Eval> {
    let (value, depth) = split_option(command(comment, "eval")?, ',');
    let depth = depth.map(|depth| depth.trim().parse()).transpose().ok()?;
    Some(Eval { value: read_value(value)?, depth })
}

/// The time left on the clock, as in `[%clk 1:59:58.3]`.
///
/// ```
/// use chess::pgn::clock;
/// assert_eq!(clock("[%eval 0.1] [%clk 0:03:00.5]").unwrap().as_millis(), 180_500);
/// ```
pub fn clock(comment: &str) -> Option<Duration> {
    read_time(command(comment, "clk")?)
}

/// The time spent on the move, as in `[%emt 0:00:07]`.
pub fn elapsed(comment: &str) -> Option<Duration> {
    read_time(command(comment, "emt")?)
}

/// What an engine says about its own move, from its own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EngineNote {
    /// The value.
    pub value: CommentScore,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The time spent.
    pub time: Option<Duration>,
}

/// The note of an engine at the start of a comment, as in `+0.35/12 0.10s` or `-M4/20 1.5s, mate`.
///
/// ```
/// use chess::pgn::{CommentScore, engine_note};
/// let note = engine_note("+0.35/12 0.10s, White wins").unwrap();
/// assert_eq!((note.value, note.depth), (CommentScore::Centipawns(35), 12));
/// assert_eq!(note.time.unwrap().as_millis(), 100);
/// assert_eq!(engine_note("book"), None);
/// ```
pub fn engine_note(comment: &str) -> Option<EngineNote> {
    let mut words = comment.split([' ', ',']).filter(|word| !word.is_empty());
    let (value, depth) = words.next()?.split_once('/')?;
    let value = read_value(value)?;
    let depth = depth.parse().ok()?;
    let time = words.next().and_then(|word| read_time(word.strip_suffix('s')?));
    Some(EngineNote { value, depth, time })
}

/// What follows `[%name ` up to the bracket.
fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = comment;
    loop {
        rest = &rest[rest.find("[%")? + 2..];
        let inside = &rest[..rest.find(']')?];
        if let Some(text) = inside.strip_prefix(name).filter(|text| text.starts_with(' ')) {
            return Some(text.trim());
        }
    }
}

fn split_option(text: &str, separator: char) -> (&str, Option<&str>) {
    text.split_once(separator).map_or((text, None), |(one, other)| (one, Some(other)))
}

/// Reads pawns such as `-1.25`, or a mate such as `#-3`, `-#3`, `-M3` or `M3`.
fn read_value(text: &str) -> Option<CommentScore> {
    let text = text.trim();
    let is_negative = text.contains('-');
    let unsigned = text.trim_start_matches(['+', '-']);
    if let Some(mate) = unsigned.strip_prefix(['#', 'M']) {
        let moves: i32 = read_digits(mate.trim_start_matches(['+', '-']))?.parse().ok()?;
        return Some(CommentScore::Mate(if is_negative { -moves } else { moves }));
    }
    let pawns: f64 = read_digits(unsigned)?.parse().ok()?;
    let centipawns = (pawns * 100.0).round() as i32;
    Some(CommentScore::Centipawns(if is_negative { -centipawns } else { centipawns }))
}

/// Reads seconds, `minutes:seconds` or `hours:minutes:seconds`.
fn read_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        seconds = seconds * 60.0 + read_digits(part)?.parse::<f64>().ok()?;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// The text if it is digits and points only: no sign, exponent or word such as `inf`.
fn read_digits(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.').then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_spellings() {
        use CommentScore::{Centipawns, Mate};
        for (text, value) in [
            ("0", Some(Centipawns(0))),
            ("+0.35", Some(Centipawns(35))),
            ("-12.5", Some(Centipawns(-1250))),
            ("#5", Some(Mate(5))),
            ("#-5", Some(Mate(-5))),
            ("-#5", Some(Mate(-5))),
            ("+M12", Some(Mate(12))),
            ("-M3", Some(Mate(-3))),
            ("inf", None),
            ("1e3", None),
            ("", None),
            ("#", None),
        ] {
            assert_eq!(read_value(text), value, "{text}");
        }
    }

    #[test]
    fn commands_are_found_anywhere() {
        let comment = "[%evals 3] nice [%emt 0:00:07] [%clk 90] [%eval 0.2,14]";
        assert_eq!(elapsed(comment), Some(Duration::from_secs(7)));
        assert_eq!(clock(comment), Some(Duration::from_secs(90)));
        assert_eq!(
            eval(comment),
            Some(Eval { value: CommentScore::Centipawns(20), depth: Some(14) })
        );
        for bad in ["[%clk -1]", "[%clk 1:x]", "[%clk", "[%clk]", "%clk 3", ""] {
            assert_eq!(clock(bad), None, "{bad}");
        }
    }

    #[test]
    fn engine_notes_may_lack_the_time() {
        assert_eq!(engine_note("-M4/20").unwrap().time, None);
        assert_eq!(engine_note("0.00/1 0.00s, draw").unwrap().time, Some(Duration::ZERO));
        for bad in ["", "book", "1/2-1/2", "+0.3", "+0.3/x 1s"] {
            assert_eq!(engine_note(bad), None, "{bad}");
        }
    }
}
