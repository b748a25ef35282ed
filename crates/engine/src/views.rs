// SPDX-License-Identifier: GPL-3.0-or-later
//! What people type to see what the engine sees.

use std::fmt::Write;
use std::time::Duration;

use chess::{Board, File, Piece, Rank, Role, Square};
use search::{Mode, Odds, Ordered, Score};
use uci::Console;

use crate::bench::{BENCH_DEPTH, Bench};
use crate::evaluation::{Evaluation, row};
use crate::session::{ABOUT, Session};
use crate::speedtest::SpeedTest;
use crate::translate::{castling_mode, uci_score};
use crate::tree_view;

/// Answers a command that is not part of UCI.
pub(crate) fn show(session: &mut Session, console: Console) {
    match console {
        Console::Bench(args) => bench(session, &args),
        Console::Perft { depth } => perft(session, depth),
        Console::Divide { depth } => session.divide(depth),
        Console::Show => show_board(session),
        Console::Eval => eval(session),
        Console::Legal => moves(session, search::Searcher::move_order),
        Console::Forcing => moves(session, search::Searcher::forcing_moves),
        Console::MoveOrder => move_order(session),
        Console::HashStats => hash_stats(session),
        Console::SearchStats => search_stats(session),
        Console::Lookup => lookup(session),
        Console::Moves(list) => session.play_moves(&list),
        Console::Flip => session.flip(),
        Console::SpeedTest(args) => speed_test(session, &args),
        Console::Tree(moves) => tree(session, &moves),
        Console::Help => session.output.line(HELP.trim_end()),
        Console::GenFens(wanted) => crate::genfens::write(&wanted, &session.output),
        Console::Version => session.output.line(ABOUT),
        Console::Tunables => tunables(session),
        Console::Wait => session.wait(),
    }
}

const HELP: &str = "\
UCI: uci isready ucinewgame setoption position go stop ponderhit quit debug
  go takes also: softnodes N, softtime MS, perft N

Seeing:
  d, show         the board, its FEN and keys
  eval            the static evaluation and what each piece adds to it
  legal           the legal moves in the order in which a search would try them
  forcing         the moves that quiescence would try
  moveorder       history bonuses by piece and square
  lookup          what the table knows of the position
  hashstats       how the table has been used
  searchstats     what the last search did
  tree [M…]       the moves at the root of the last tree search, or after the moves M…
Doing:
  moves M…        play moves on the current position
  flip            turn the board
  perft N         count the sequences of N moves
  divide N        the same for each first move
  bench [DEPTH]   search fixed positions: a fingerprint of the search
  speedtest [THREADS [SECONDS]]
  genfens N seed S [book FILE]
  wait            go on when the search has ended
  tunables        the numbers of the search, as a tuner reads them
  help, version
";

fn number<T: std::str::FromStr>(
    session: &Session,
    args: &[String],
    at: usize,
    default: T,
) -> Option<T> {
    let Some(text) = args.get(at) else { return Some(default) };
    let number = text.parse().ok();
    if number.is_none() {
        session.output.message(format_args!("expected a number, found `{text}`"));
    }
    number
}

fn bench(session: &mut Session, args: &[String]) {
    let Some(depth) = number(session, args, 0, BENCH_DEPTH) else { return };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let bench = Bench::new(depth, session.settings.threads, session.network.clone());
    let (mode, options) = (session.settings.mode, session.settings.tree.clone());
    let bench = bench.in_mode(mode, options, session.ranking.clone());
    for (i, entry) in bench.enumerate() {
        let score = entry.best.as_ref().map_or(Score::DRAW, |line| line.score);
        session.output.line(format_args!(
            "{:2} {:>9} nodes {:>6} ms  {:<9} {:<8} {}",
            i + 1,
            entry.nodes,
            entry.time.as_millis(),
            uci_score(score, search::Bound::Exact, entry.odds()).to_string(),
            entry.san,
            entry.label,
        ));
        nodes += entry.nodes;
        time += entry.time;
    }
    let speed = nodes as f64 / time.as_secs_f64().max(1e-9);
    session.output.line(format_args!("{nodes} nodes {speed:.0} nps"));
}

fn perft(session: &Session, depth: u32) {
    let Some(position) = session.position() else { return };
    session.output.line(format_args!("Nodes searched: {}", chess::perft(position.board(), depth)));
}

impl Session {
    /// Writes the count behind each first move, and their sum.
    pub(crate) fn divide(&self, depth: u32) {
        let Some(position) = self.position() else { return };
        let board = position.board();
        let mode = castling_mode(board, self.settings.is_chess960);
        let mut sum = 0;
        for (mv, count) in chess::divide(board, depth).into_iter().filter(|_| depth > 0) {
            self.output.line(format_args!("{}: {count}", mv.uci(mode)));
            sum += count;
        }
        let total = if depth == 0 { 1 } else { sum };
        self.output.line(format_args!("\nNodes searched: {total}"));
    }
}

fn show_board(session: &Session) {
    let Some(position) = session.position() else { return };
    let board = position.board();
    let checkers: Vec<String> = board.checkers().into_iter().map(|sq| sq.to_string()).collect();
    session.output.line(format_args!(
        "{board}\n\nFEN: {}\nKey: {:016X}\nPolyglot key: {:016X}\nCheckers: {}\nOccurred: {} times",
        board.fen(),
        board.key(),
        board.polyglot_key(),
        if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") },
        position.history().occurrences(),
    ));
}

fn eval(session: &Session) {
    let Some(position) = session.position() else { return };
    session.output.line(Evaluation::new(position.board(), &session.network));
}

fn moves(session: &mut Session, list: impl Fn(&search::Searcher, &Board) -> Vec<Ordered>) {
    let Some(board) = session.position().map(|position| *position.board()) else { return };
    let mode = castling_mode(&board, session.settings.is_chess960);
    let Some(searcher) = session.searcher() else { return busy(session) };
    let ordered = list(searcher, &board);
    for Ordered { mv, kind, score } in &ordered {
        let (uci, san) = (mv.uci(mode).to_string(), board.san(*mv).to_string());
        session.output.line(format_args!("{uci:<6} {san:<8} {kind:?} {score}"));
    }
    session.output.line(format_args!("{} moves", ordered.len()));
}

fn move_order(session: &mut Session) {
    let board = session.position().map(|position| *position.board()).unwrap_or_default();
    let color = board.turn();
    let Some(searcher) = session.searcher() else { return busy(session) };
    let mut text = String::new();
    for role in Role::ALL {
        let piece = Piece::new(color, role);
        let _ = writeln!(text, "{} ({color} {role:?})", piece.letter());
        for rank in Rank::ALL.into_iter().rev() {
            let squares = File::ALL.map(|file| Square::new(file, rank));
            let cells = row(squares.iter().map(|&to| searcher.history_of(&board, piece, to)));
            let _ = writeln!(text, "{} {cells}", rank.digit());
        }
    }
    session.output.line(text + "  " + &row(File::ALL.iter().map(|file| file.letter())));
}

fn hash_stats(session: &mut Session) {
    let Some(searcher) = session.searcher() else { return busy(session) };
    let stats = searcher.table_stats();
    let share = 100.0 * stats.entries as f64 / stats.capacity.max(1) as f64;
    let tree = match searcher.mode() {
        Mode::AlphaBeta => String::new(),
        mode => format!(", and {} bytes with the tree of `{mode}`", searcher.memory()),
    };
    session.output.line(format_args!(
        "size {} MiB, {} entries{tree}\nentries {} ({share:.1} %)\nhits {}\nmisses {}\nputs {}",
        stats.mebibytes, stats.capacity, stats.entries, stats.hits, stats.misses, stats.puts,
    ));
}

fn search_stats(session: &mut Session) {
    if session.searcher().is_none() {
        return busy(session);
    }
    for (label, count) in session.last_stats.entries() {
        session.output.line(format_args!("{label}: {count}"));
    }
}

fn lookup(session: &mut Session) {
    let Some(board) = session.position().map(|position| *position.board()) else { return };
    let Some(searcher) = session.searcher() else { return busy(session) };
    let Some(view) = searcher.lookup(&board) else {
        return session.output.line("the table does not know this position");
    };
    let mv = view.mv.map_or("none".to_owned(), |mv| board.san(mv).to_string());
    let score = view
        .score
        .map_or("none".to_owned(), |(s, b)| uci_score(s, b, Odds::on(&board)).to_string());
    let eval = view.eval.map_or("none".to_owned(), |eval| eval.value().to_string());
    let depth = view.depth;
    session.output.line(format_args!("move {mv}, score {score}, depth {depth}, evaluation {eval}"));
}

fn tree(session: &mut Session, moves: &[String]) {
    let Some(searcher) = session.searcher() else { return busy(session) };
    let view = tree_view::view(searcher, moves);
    match view {
        Ok(view) => session.output.line(view),
        Err(error) => session.output.message(format_args!("tree: {error}")),
    }
}

fn speed_test(session: &Session, args: &[String]) {
    let Some(threads) = number(session, args, 0, session.settings.threads) else { return };
    let Some(seconds) = number(session, args, 1, 5) else { return };
    let duration = Duration::from_secs(seconds);
    let test = SpeedTest::run(threads.max(1), duration, &session.network, &session.ranking);
    let SpeedTest { processor, threads, network, kernels, ranking, .. } = &test;
    let [perft, alphabeta, mcts] =
        [test.perft, test.alphabeta, test.mcts].map(|speed| speed.per_second());
    session.output.line(format_args!(
        "processor: {processor}\nperft: {perft} nps, 1 thread\n\
         alphabeta: {alphabeta} nps, {threads} threads, network {network}, kernels {kernels}\n\
         mcts: {mcts} iterations per second, {threads} threads, moves ranked by {ranking}",
    ));
}

/// The numbers of the search in the form that OpenBench's tuner reads.
fn tunables(session: &Session) {
    for spec in search::Params::SPECS.iter().filter(|spec| !spec.name.ends_with("_on")) {
        let search::ParamSpec { name, default, min, max, step, .. } = spec;
        session.output.line(format_args!("{name}, int, {default}, {min}, {max}, {step}, 0.002"));
    }
}

fn busy(session: &Session) {
    session.output.message("a search is under way: `wait` or `stop` first");
}
