// SPDX-License-Identifier: GPL-3.0-or-later
//! What a review says, written into a game: `[%eval]`, marks, better lines and accuracy.

use board::openings;
use board::protocol::Value;
use board::review::{Judgement, Mark};
use board::thinker::GameReview;
use chess::pgn::{PgnGame, PgnLine, PgnNode};
use chess::{Board, Move};

/// A better line shows no more than so many plies.
const BETTER_PLIES: usize = 10;
/// Glyphs from `!` to `?!` judge a move; others speak of the position and stay.
const LAST_MOVE_GLYPH: u8 = 6;

/// Writes a review into its game. `annotator` is who says so.
pub(super) fn annotate(pgn: &mut PgnGame, review: &GameReview, annotator: &str) {
    let mut board = pgn.start;
    let judged = review.moves.iter().zip(&review.values[1..]);
    for (node, (judgement, value)) in pgn.mainline.moves.iter_mut().zip(judged) {
        let Some(mv) = node.mv else { break };
        describe(node, &board, judgement, *value);
        board.play(mv);
    }
    name_opening(pgn);
    for (color, side) in ["White", "Black"].into_iter().zip(review.sides) {
        if let Some(accuracy) = side.accuracy {
            pgn.set_tag(&format!("{color}Accuracy"), &format!("{accuracy:.1}"));
        }
    }
    pgn.set_tag("Annotator", annotator);
}

/// Says of a move what it is worth, and what would have been better.
fn describe(node: &mut PgnNode, board: &Board, judgement: &Judgement, value: Value) {
    node.nags.retain(|&nag| nag > LAST_MOVE_GLYPH);
    if let Some(mark) = judgement.mark {
        node.nags.insert(0, mark.nag());
    }
    let mut words: Vec<String> = eval(value).into_iter().collect();
    if let (Some(mark), Some(&best)) = (judgement.mark, judgement.better.first()) {
        words.push(format!("{}. {} was best.", name(mark), board.san(best)));
        add_line(node, &judgement.better);
    }
    node.comments.iter_mut().for_each(|comment| *comment = without_eval(comment));
    node.comments.retain(|comment| !comment.is_empty());
    if !words.is_empty() {
        node.comments.insert(0, words.join(" "));
    }
}

/// The evaluation as web sites write it. A mate that stands on the board needs none.
fn eval(value: Value) -> Option<String> {
    match (value.mate, value.cp) {
        (Some(0), _) | (None, None) => None,
        (Some(moves), _) => Some(format!("[%eval #{moves}]")),
        (None, Some(cp)) => Some(format!("[%eval {:.2}]", f64::from(cp) / 100.0)),
    }
}

const fn name(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "Inaccuracy",
        Mark::Mistake => "Mistake",
        Mark::Blunder => "Blunder",
        Mark::Good | Mark::Brilliant => "Good",
    }
}

/// Adds a variation, unless one with the same moves is there.
fn add_line(node: &mut PgnNode, moves: &[Move]) {
    let moves: Vec<PgnNode> = moves.iter().take(BETTER_PLIES).map(|&mv| PgnNode::new(mv)).collect();
    let is_same = |line: &PgnLine| {
        let known = line.moves.iter().map(|node| node.mv);
        known.eq(moves.iter().map(|node| node.mv))
    };
    if !node.variations.iter().any(is_same) {
        node.variations.push(PgnLine { comments: vec![], moves });
    }
}

/// A comment without the evaluation and the verdict that an earlier analysis wrote.
fn without_eval(comment: &str) -> String {
    let Some(start) = comment.find("[%eval") else { return comment.to_owned() };
    let Some(end) = comment[start..].find(']') else { return comment.to_owned() };
    let rest = comment[start + end + 1..].trim_start();
    let rest = verdict_length(rest).map_or(rest, |length| rest[length..].trim_start());
    format!("{} {rest}", comment[..start].trim_end()).trim().to_owned()
}

/// How long the sentences are that [`describe`] writes, if the text begins with them.
fn verdict_length(text: &str) -> Option<usize> {
    const END: &str = " was best.";
    let names = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder].map(name);
    let rest = names.iter().find_map(|name| text.strip_prefix(name)?.strip_prefix(". "))?;
    let end = rest.find(END)?;
    let is_one_move = !rest[..end].contains(' ');
    is_one_move.then(|| text.len() - rest.len() + end + END.len())
}

/// Adds the opening's name where nobody has said it.
fn name_opening(pgn: &mut PgnGame) {
    let Some((_, opening)) = openings::names(&pgn.game()).pop() else { return };
    for (tag, text) in [("ECO", opening.eco), ("Opening", opening.name)] {
        if pgn.tag(tag).is_none_or(|known| matches!(known, "" | "?")) {
            pgn.set_tag(tag, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::review::Worth;
    use chess::pgn::PgnReader;

    fn review(board: &Board) -> GameReview {
        let value = |cp| Value { cp: Some(cp), mate: None, wdl: [0, 1000, 0] };
        let bad = Judgement {
            worth: Worth::Centipawns(-300),
            accuracy: 30.0,
            mark: Some(Mark::Blunder),
            better: vec![board.parse_san("e4").unwrap()],
        };
        let good = Judgement { accuracy: 100.0, mark: None, better: vec![], ..bad.clone() };
        let sides =
            board::review::sides(Worth::Centipawns(20), board.turn(), &[bad.clone(), good.clone()]);
        GameReview {
            values: vec![value(20), value(-300), value(-300)],
            moves: vec![bad, good],
            sides,
        }
    }

    fn annotated(text: &str) -> String {
        let mut pgn = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let start = pgn.start;
        annotate(&mut pgn, &review(&start), "Me");
        pgn.to_string()
    }

    #[test]
    fn a_blunder_gets_its_mark_and_the_better_line() {
        let text = annotated("1. g4! $14 {[%clk 0:01:00] why?} e5 *").replace('\n', " ");
        let moves = "1. g4 $4 $14 {[%eval -3.00] Blunder. e4 was best.} {[%clk 0:01:00] why?}";
        assert!(text.contains(moves), "{text}");
        assert!(text.contains("(1. e4) 1... e5 {[%eval -3.00]} *"), "{text}");
        assert!(text.contains("[WhiteAccuracy \"") && text.contains("[ECO \"A00\"]"), "{text}");
    }

    #[test]
    fn a_second_analysis_replaces_the_first() {
        let once = annotated("1. g4 {[%eval 0.3] mine} e5 {[%eval #3]} *");
        assert!(once.contains("{mine}") && !once.contains("#3"), "{once}");
        assert_eq!(annotated(&once), once);
    }
}
