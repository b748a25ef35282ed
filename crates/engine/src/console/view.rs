// SPDX-License-Identifier: GPL-3.0-or-later
//! What people type to see what the engine sees.

use std::fmt::Write;
use std::time::Duration;

use chess::{Board, File, Move, MoveError, Piece, Rank, Role, Setup, Square};
use search::{Mode, Odds, Ordered, Position, Score, Searcher, ShownScore};

use super::{Console, genfens, tree};
use crate::batu_bench::BatuEntry;
use crate::bench::{BENCH_DEPTH, Bench};
use crate::engine::Engine;
use crate::evaluation::row;
use crate::output::Output;
use crate::speedtest::SpeedTest;
use crate::uci_text::{castling_mode, uci_score};

/// What the commands look at.
pub(crate) struct ConsoleView<'a> {
    pub(crate) engine: &'a mut Engine,
    pub(crate) output: &'a Output,
    /// `None` after a position that was refused.
    pub(crate) position: &'a mut Option<Position>,
}

const HELP: &str = "\
UCI: uci isready ucinewgame setoption position go stop ponderhit quit debug
  go takes also: softnodes N, softtime MS, perft N

Seeing:
  d, show         the board, its FEN and keys
  eval            the static evaluation and what each piece adds to it
  legal           the legal moves in the order in which a search would try them
  forcing         the moves that quiescence would try, quiet checks included
  moveorder       the bonuses that order quiet moves, by piece and square
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

impl ConsoleView<'_> {
    /// Answers a command that is not part of UCI.
    pub(crate) fn show(&mut self, console: Console) {
        match console {
            Console::Bench(depth) => self.bench(depth.unwrap_or(BENCH_DEPTH)),
            Console::Perft(depth) => self.perft(depth),
            Console::Divide(depth) => self.divide(depth),
            Console::Show => self.board(),
            Console::Eval => self.eval(),
            Console::Legal => self.moves(Searcher::move_order),
            Console::Forcing => self.moves(Searcher::forcing_moves),
            Console::MoveOrder => self.move_order(),
            Console::HashStats => self.hash_stats(),
            Console::SearchStats => self.search_stats(),
            Console::Lookup => self.lookup(),
            Console::Moves(list) => self.play_moves(&list),
            Console::Flip => self.flip(),
            Console::SpeedTest { threads, seconds } => self.speed_test(threads, seconds),
            Console::Tree(moves) => self.tree(&moves),
            Console::Help => self.output.line(HELP.trim_end()),
            Console::GenFens(wanted) => genfens::write(&wanted, self.output),
            Console::Version => self.output.line(crate::ABOUT),
            Console::Tunables => self.tunables(),
            Console::Wait => drop(self.engine.wait()),
        }
    }

    /// The current position, or a message that there is none.
    pub(crate) fn position(&self) -> Option<Position> {
        if self.position.is_none() {
            self.output.refuse("there is no position: the last one was refused");
        }
        self.position.clone()
    }

    /// The searcher, or a message that a search has it.
    fn searcher(&mut self) -> Option<&Searcher> {
        let output = self.output;
        let searcher = self.engine.searcher();
        if searcher.is_none() {
            output.refuse("a search is under way: `wait` or `stop` first");
        }
        searcher
    }

    /// Batu's four positions as a list like its README's.
    fn batu_bench(&self) {
        self.output
            .line("Batu's positions at its depths, without the pruning that Batu does not have:");
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for entry in crate::batu_bench::run(&self.engine.config().network) {
            self.output.line(batu_line(&entry));
            nodes += entry.nodes;
            time += entry.time;
        }
        let speed = nodes as f64 / time.as_secs_f64().max(1e-9);
        let millis = time.as_millis();
        self.output.line(format_args!("Total: {millis} ms, {nodes} nodes, {speed:.0} nps\n"));
    }

    fn bench(&self, depth: u32) {
        let (mut nodes, mut time) = (0, Duration::ZERO);
        let config = self.engine.config();
        let is_batu = config.network.architecture() == "batu" && config.mode == Mode::AlphaBeta;
        if is_batu && depth == BENCH_DEPTH {
            self.batu_bench();
        }
        let bench = Bench::new(depth, config.threads, config.network.clone());
        let bench = bench.in_mode(config.mode, config.tree.clone(), config.ranking.clone());
        for (i, entry) in bench.enumerate() {
            let score = entry.best.as_ref().map_or(Score::DRAW, |line| line.score);
            self.output.line(format_args!(
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
        self.output.line(format_args!("{nodes} nodes {speed:.0} nps"));
    }

    fn perft(&self, depth: u32) {
        let Some(position) = self.position() else { return };
        let count = chess::perft(position.board(), depth);
        self.output.line(format_args!("Nodes searched: {count}"));
    }

    /// Writes the count behind each first move, and their sum.
    pub(crate) fn divide(&self, depth: u32) {
        let Some(position) = self.position() else { return };
        let board = position.board();
        let mode = castling_mode(board, self.engine.settings().is_chess960);
        let mut sum = 0;
        for (mv, count) in chess::divide(board, depth).into_iter().filter(|_| depth > 0) {
            self.output.line(format_args!("{}: {count}", mv.uci(mode)));
            sum += count;
        }
        let total = if depth == 0 { 1 } else { sum };
        self.output.line(format_args!("\nNodes searched: {total}"));
    }

    fn board(&self) {
        let Some(position) = self.position() else { return };
        let board = position.board();
        let checkers: Vec<String> = board.checkers().into_iter().map(|sq| sq.to_string()).collect();
        let checkers = if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") };
        let occurrences = position.history().occurrences();
        self.output.line(format_args!(
            "{board}\n\nFEN: {}\nKey: {:016X}\nPolyglot key: {:016X}\nCheckers: {checkers}\n\
             Occurred: {occurrences} times",
            board.fen(),
            board.key(),
            board.polyglot_key(),
        ));
    }

    fn eval(&self) {
        let Some(position) = self.position() else { return };
        self.output.line(self.engine.evaluate(position.board()));
    }

    fn moves(&mut self, list: impl Fn(&Searcher, &Board) -> Vec<Ordered>) {
        let Some(board) = self.position().map(|position| *position.board()) else { return };
        let mode = castling_mode(&board, self.engine.settings().is_chess960);
        let Some(ordered) = self.searcher().map(|searcher| list(searcher, &board)) else { return };
        for Ordered { mv, kind, score } in &ordered {
            let (uci, san) = (mv.uci(mode).to_string(), board.san(*mv).to_string());
            self.output.line(format_args!("{uci:<6} {san:<8} {kind:?} {score}"));
        }
        self.output.line(format_args!("{} moves", ordered.len()));
    }

    /// The bonus of each quiet move, by piece and square; of several pieces, the best.
    fn move_order(&mut self) {
        let board = self.position().map(|position| *position.board()).unwrap_or_default();
        let color = board.turn();
        let Some(searcher) = self.searcher() else { return };
        let quiets = searcher.quiet_order(&board);
        let bonus = |role: Role, to: Square| {
            let is_it = |mv: Move| board.role_on(mv.from()) == Some(role) && mv.to() == to;
            let found = quiets.iter().find(|ordered| is_it(ordered.mv));
            found.map_or(".".to_owned(), |ordered| ordered.score.to_string())
        };
        let mut text = String::new();
        for role in Role::ALL {
            let piece = Piece::new(color, role);
            let _ = writeln!(text, "{} ({color} {role:?})", piece.letter());
            for rank in Rank::ALL.into_iter().rev() {
                let squares = File::ALL.map(|file| Square::new(file, rank));
                let cells = row(squares.iter().map(|&to| bonus(role, to)));
                let _ = writeln!(text, "{} {cells}", rank.digit());
            }
        }
        self.output.line(text + "  " + &row(File::ALL.iter().map(|file| file.letter())));
    }

    fn hash_stats(&mut self) {
        let Some(searcher) = self.searcher() else { return };
        let stats = searcher.table_stats();
        let share = 100.0 * stats.entries as f64 / stats.capacity.max(1) as f64;
        let tree = match searcher.mode() {
            Mode::AlphaBeta => String::new(),
            mode => format!(", and {} bytes with the tree of `{mode}`", searcher.memory()),
        };
        self.output.line(format_args!(
            "size {} MiB, {} entries{tree}\nentries {} ({share:.1} %)\nhits {}\nmisses {}\nputs {}",
            stats.mebibytes, stats.capacity, stats.entries, stats.hits, stats.misses, stats.puts,
        ));
    }

    fn search_stats(&mut self) {
        let Some(searcher) = self.searcher() else { return };
        // A tree search has none of alpha-beta's heuristics: their zeros would say nothing.
        let shows_zeros = searcher.mode() == Mode::AlphaBeta;
        if let Some((_, root)) = searcher.tree(&[], 0) {
            self.output.line(format_args!("iterations: {}", root.stats.visits));
        }
        for (label, count) in self.engine.last_stats().entries() {
            if count > 0 || shows_zeros {
                self.output.line(format_args!("{label}: {count}"));
            }
        }
    }

    fn lookup(&mut self) {
        let Some(board) = self.position().map(|position| *position.board()) else { return };
        let Some(searcher) = self.searcher() else { return };
        let Some(view) = searcher.lookup(&board) else {
            return self.output.line("the table does not know this position");
        };
        let mv = view.mv.map_or("none".to_owned(), |mv| board.san(mv).to_string());
        let score = view
            .score
            .map_or("none".to_owned(), |(s, b)| uci_score(s, b, Odds::on(&board)).to_string());
        let eval = view.eval.map_or("none".to_owned(), |eval| eval.value().to_string());
        let depth = view.depth;
        self.output
            .line(format_args!("move {mv}, score {score}, depth {depth}, evaluation {eval}"));
    }

    fn tree(&mut self, moves: &[String]) {
        let Some(searcher) = self.searcher() else { return };
        match tree::view(searcher, moves) {
            Ok(view) => self.output.line(view),
            Err(error) => self.output.refuse(format_args!("tree: {error}")),
        }
    }

    fn speed_test(&self, threads: Option<usize>, seconds: Option<u64>) {
        let config = self.engine.config();
        let threads = threads.unwrap_or(config.threads).max(1);
        let duration = Duration::from_secs(seconds.unwrap_or(5));
        let test = SpeedTest::run(threads, duration, &config.network, &config.ranking);
        let SpeedTest { processor, threads, network, kernels, ranking, .. } = &test;
        let [perft, alphabeta, mcts] =
            [test.perft, test.alphabeta, test.mcts].map(|speed| speed.per_second());
        self.output.line(format_args!(
            "processor: {processor}\nperft: {perft} nps, 1 thread\n\
             alphabeta: {alphabeta} nps, {threads} threads, network {network}, kernels {kernels}\n\
             mcts: {mcts} iterations per second, {threads} threads, moves ranked by {ranking}",
        ));
    }

    /// The numbers of the search in the form that OpenBench's tuner reads.
    fn tunables(&self) {
        for spec in search::Params::SPECS.iter().filter(|spec| !spec.is_switch) {
            let search::ParamSpec { name, default, min, max, step, .. } = spec;
            self.output.line(format_args!("{name}, int, {default}, {min}, {max}, {step}, 0.002"));
        }
    }

    /// Plays moves on the current position, as far as they are legal.
    fn play_moves(&mut self, moves: &[String]) {
        if let Some(position) = &mut self.position {
            play_moves(position, moves, self.output);
        }
    }

    /// Turns the board: colors, castling rights and the side to move change hands.
    fn flip(&mut self) {
        let Some(position) = self.position() else { return };
        match flipped(position.board()).board() {
            Ok(board) => *self.position = Some(Position::new(board)),
            Err(error) => self.output.refuse(error),
        }
    }
}

/// Plays moves on a position, as far as they are legal.
pub(crate) fn play_moves(position: &mut Position, moves: &[String], output: &Output) {
    for text in moves {
        match read_move(position.board(), text) {
            Ok(mv) => position.play(mv),
            Err(error) => {
                output.refuse(format_args!("moves: {error}; the moves end before it"));
                return;
            }
        }
    }
}

/// One of Batu's positions with what was found and what is expected.
fn batu_line(entry: &BatuEntry) -> String {
    let position = entry.position;
    let score = match entry.odds().shown(entry.score()) {
        ShownScore::Mate(moves) => format!("mate {moves}"),
        ShownScore::Centipawns(centipawns) => centipawns.0.to_string(),
    };
    let whole = entry.whole.map_or("not found".to_owned(), |(depth, time)| {
        format!("depth {depth}, {} ms", time.as_millis())
    });
    format!(
        "{} (depth {}): {} ms, {} nodes, score {score}, best {}; expected {}: {}; with all pruning: \
         {whole}",
        position.label,
        position.depth,
        entry.time.as_millis(),
        entry.nodes,
        entry.mv,
        position.expected,
        if entry.is_found() { "ok" } else { "MISSED" },
    )
}

/// A board with the colors exchanged.
fn flipped(board: &Board) -> Setup {
    let mut setup = Setup { turn: !board.turn(), ..Setup::EMPTY };
    for square in board.occupied() {
        let flipped = |piece: Piece| Piece::new(!piece.color(), piece.role());
        setup.pieces[square.flip_rank().index()] = board.piece_on(square).map(flipped);
    }
    for (color, wing, rook) in board.castling().iter() {
        setup.castling.grant(!color, wing, rook.file());
    }
    setup.en_passant = board.en_passant().map(Square::flip_rank);
    setup.halfmoves = board.halfmove_clock() as u16;
    setup.fullmoves = board.fullmove_number();
    setup
}

/// A move in UCI notation, or in the one that people write.
pub(crate) fn read_move(board: &Board, text: &str) -> Result<Move, MoveError> {
    let lower = text.to_ascii_lowercase();
    board.parse_uci(&lower).or_else(|error| board.parse_san(text).map_err(|_| error))
}
