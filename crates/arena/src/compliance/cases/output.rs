// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine prints while it thinks.

use std::collections::HashSet;

use uci::{Bound, InfoLine, InfoWarning, ScoreValue, UciWdl};

use super::{BLACK_TO_MOVE, MATE_IN_TWO, MIDDLEGAME, case};
use crate::compliance::Case;
use crate::compliance::probe::{CaseFault, CaseResult, expect};
use crate::compliance::search::Search;

pub(super) const CASES: &[Case] = &[
    case("bestmove-line", "fastchess reads the move from column 0 in lower case", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 4")?;
        let words: Vec<&str> = search.best_line().split(' ').collect();
        let is_plain = matches!(words[..], ["bestmove", _] | ["bestmove", _, "ponder", _]);
        let line = search.best_line();
        expect(is_plain && line == line.to_lowercase(), || format!("the line is `{line}`"))
    }),
    case("bestmove-is-pv", "fastchess warns if the move is not the first of the line", |probe| {
        for position in [MIDDLEGAME, BLACK_TO_MOVE] {
            let search = probe.search(position, "go depth 6")?;
            let first = search.last_exact()?.pv.first().copied();
            expect(first == search.best.mv, || {
                format!("`{}`, but the line was `{}`", search.best_line(), shown(first))
            })?;
        }
        Ok(())
    }),
    case("bestmove-is-pv-stopped", "the same when the search is cut off", |probe| {
        let search = probe.search(MIDDLEGAME, "go movetime 40")?;
        let first = search.last_exact()?.pv.first().copied();
        expect(first == search.best.mv, || {
            format!("`{}`, but the line was `{}`", search.best_line(), shown(first))
        })
    }),
    case("info-score", "a search without a score tells a GUI nothing", |probe| {
        probe.search(MIDDLEGAME, "go depth 4")?.last_exact().map(|_| ())
    }),
    case("info-complete", "the Lichess site drops lines without nodes, time or score", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 5")?;
        let info = search.last_exact()?;
        let is_complete = info.depth.is_some() && info.nodes.is_some() && info.time.is_some();
        expect(is_complete && !info.pv.is_empty(), || {
            format!("`{info}` lacks depth, nodes, time or pv")
        })
    }),
    case("info-integers", "scores, times and speeds are whole numbers", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 5")?;
        let is_bad = |warning: &&InfoWarning| {
            matches!(warning, InfoWarning::Adjusted { .. } | InfoWarning::NotANumber { .. })
        };
        match search.warnings().find(is_bad) {
            Some(warning) => Err(CaseFault::Failed(warning.to_string())),
            None => Ok(()),
        }
    }),
    case("info-well-formed", "keys without values and moves of no shape mislead GUIs", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 5")?;
        let is_bad = |warning: &&InfoWarning| !matches!(warning, InfoWarning::UnknownKey { .. });
        match search.warnings().find(is_bad) {
            Some(warning) => Err(CaseFault::Failed(warning.to_string())),
            None => Ok(()),
        }
    }),
    case("depth-by-one", "the Lichess site shows a line only if it is one deeper", |probe| {
        depth_by_one(&probe.search(MIDDLEGAME, "go depth 6")?)?;
        depth_by_one(&probe.search("startpos", "go nodes 20000")?)
    }),
    case("counts-grow", "time and nodes never go back within a search", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 7")?;
        for count in [|info: &InfoLine| info.nodes, |info: &InfoLine| info.time] {
            let counts: Vec<u64> = search.infos().filter_map(count).collect();
            expect(counts.is_sorted(), || format!("the counts are {counts:?}"))?;
        }
        Ok(())
    }),
    case("pv-legal", "fastchess plays every line on its board", |probe| {
        for position in ["startpos", MIDDLEGAME, BLACK_TO_MOVE] {
            probe.search(position, "go depth 7")?.variations_are_sound()?;
        }
        Ok(())
    }),
    case("pv-ends-with-mate", "a line may not go on after mate", |probe| {
        probe.search(MATE_IN_TWO, "go depth 8")?.variations_are_sound()
    }),
    case("pv-ends-with-draw", "a line may not go on after the fifty-move rule", |probe| {
        let fen = "fen 4k3/8/8/8/8/8/8/3QK3 w - - 96 80";
        probe.search(fen, "go depth 8")?.variations_are_sound()
    }),
    case("no-stray-lines", "python-chess logs every line it does not know", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 6")?;
        let is_stray = |line: &&String| !line.starts_with("info") && !line.starts_with("bestmove");
        let stray = search.lines.iter().find(is_stray);
        expect(stray.is_none(), || format!("`{}`", stray.map_or("", |line| line)))
    }),
    case("no-error-messages", "the Lichess site takes `info string error` as fatal", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 3")?;
        let is_error = |info: &&InfoLine| {
            let text = info.string.as_deref().unwrap_or_default().to_lowercase();
            text.split_ascii_whitespace().take(2).any(|word| word.starts_with("error"))
        };
        let error = search.infos().find(is_error);
        expect(error.is_none(), || format!("`{}`", error.cloned().unwrap_or_default()))
    }),
    case("currmove-late", "`currmove` in the first second only floods the GUI", |probe| {
        let search = probe.search(MIDDLEGAME, "go movetime 100")?;
        expect(search.infos().all(|info| info.currmove.is_none()), || {
            "`currmove` within the first 100 ms".to_owned()
        })
    }),
    case("no-flood", "a GUI reads a few lines per depth, not thousands", |probe| {
        let lines = probe.search("startpos", "go movetime 100")?.lines.len();
        expect(lines <= 500, || format!("{lines} lines in 100 ms"))
    }),
    case("multipv", "the lines must differ and be numbered from 1", |probe| {
        probe.set("MultiPV", "3")?;
        let search = probe.search(MIDDLEGAME, "go depth 5")?;
        let lines = ranked(&search)?;
        expect(lines.len() == 3, || format!("{} lines for `MultiPV 3`", lines.len()))
    }),
    case("multipv-order", "the first line is the best and the move is its first", |probe| {
        probe.set("MultiPV", "4")?;
        let search = probe.search(MIDDLEGAME, "go depth 5")?;
        let lines = ranked(&search)?;
        let scores: Vec<i32> = lines.iter().map(|info| worth(info)).collect();
        expect(scores.is_sorted_by(|a, b| a >= b), || format!("the scores are {scores:?}"))?;
        let first = lines.first().and_then(|info| info.pv.first().copied());
        expect(first == search.best.mv, || {
            format!("`{}`, but line 1 begins with {}", search.best_line(), shown(first))
        })
    }),
    case("multipv-few-moves", "there cannot be more lines than legal moves", |probe| {
        probe.set("MultiPV", "10")?;
        let search = probe.search("fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "go depth 4")?;
        let lines = ranked(&search)?.len();
        expect(lines <= 3, || format!("{lines} lines where 3 moves are legal"))
    }),
    case("multipv-searchmoves", "nor more than the moves asked for", |probe| {
        probe.set("MultiPV", "5")?;
        let search = probe.search("startpos", "go depth 4 searchmoves e2e4 d2d4")?;
        let lines = ranked(&search)?.len();
        expect(lines == 2, || format!("{lines} lines for 2 moves"))
    }),
    case("wdl", "win, draw and loss add up to 1000", |probe| {
        probe.set("UCI_ShowWDL", "true")?;
        let search = probe.search(MIDDLEGAME, "go depth 6")?;
        let wdls: Vec<UciWdl> = search.infos().filter_map(|info| info.wdl).collect();
        expect(!wdls.is_empty(), || "no `wdl` came".to_owned())?;
        let is_whole = |wdl: &&UciWdl| wdl.win + wdl.draw + wdl.loss == 1000;
        expect(wdls.iter().filter(is_whole).count() == wdls.len(), || {
            format!("the numbers are {}", wdls[0])
        })
    }),
];

fn shown(mv: Option<uci::MoveText>) -> String {
    mv.map_or_else(|| "nothing".to_owned(), |mv| mv.to_string())
}

/// Exact lines start at depth 1 and go up by one, a depth being repeated at most.
fn depth_by_one(search: &Search) -> CaseResult {
    let depths: Vec<u32> = search.exact().filter_map(|info| info.depth).collect();
    expect(depths.first() == Some(&1), || format!("the depths are {depths:?}"))?;
    let is_step = |pair: &[u32]| pair[1] == pair[0] || pair[1] == pair[0] + 1;
    expect(depths.windows(2).all(is_step), || format!("the depths are {depths:?}"))
}

/// The exact lines of the deepest finished depth by rank, which must be 1, 2, 3… with different
/// first moves.
fn ranked(search: &Search) -> Result<Vec<&InfoLine>, CaseFault> {
    let is_exact = |info: &&InfoLine| info.score.is_some_and(|score| score.bound == Bound::Exact);
    let lines: Vec<&InfoLine> = search.infos().filter(is_exact).collect();
    let most = lines.iter().filter_map(|info| info.multipv).max().unwrap_or(1);
    let last = |rank| lines.iter().rfind(|info| info.multipv.unwrap_or(1) == rank).copied();
    let ranked: Vec<&InfoLine> = (1..=most).filter_map(last).collect();
    let firsts: HashSet<_> = ranked.iter().filter_map(|info| info.pv.first()).collect();
    expect(ranked.len() == most as usize, || "a rank is missing".to_owned())?;
    expect(firsts.len() == ranked.len(), || "two lines begin with the same move".to_owned())?;
    Ok(ranked)
}

/// A score as one number, mates beyond all pawns.
fn worth(info: &InfoLine) -> i32 {
    match info.score.map(|score| score.value) {
        Some(ScoreValue::Cp(centipawns)) => centipawns,
        Some(ScoreValue::Mate(moves)) if moves > 0 => 1_000_000 - moves,
        Some(ScoreValue::Mate(moves)) => -1_000_000 - moves,
        None => 0,
    }
}
