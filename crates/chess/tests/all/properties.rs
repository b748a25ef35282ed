// SPDX-License-Identifier: GPL-3.0-or-later
//! What must hold in every position and for every move, tried out in random games.

use crate::common::{Random, any_start, choose, walk};
use chess::{
    All, Bitboard, Board, CastlingStyle, Color, File, History, Move, MoveKind, MoveList, Noisy,
    Piece, Quiet, Rank, Role, Setup, Square, Wing,
};

const GAMES: usize = 500;
const PLIES: usize = 150;

/// Shows `visit` every position of the games that belong to a seed.
fn for_each_position(seed: u64, mut visit: impl FnMut(&Board)) {
    let mut random = Random::new(seed);
    for _ in 0..GAMES {
        walk(any_start(&mut random), PLIES, &mut random, |board, _| visit(board));
    }
}

/// Shows `visit` every legal move of a half of the games that belong to a seed.
fn for_each_move(seed: u64, mut visit: impl FnMut(&Board, Move)) {
    let mut random = Random::new(seed);
    for _ in 0..GAMES / 2 {
        walk(any_start(&mut random), PLIES, &mut random, |board, _| {
            board.legal_moves().into_iter().for_each(|mv| visit(board, mv));
        });
    }
}

fn played(board: &Board, mv: Move) -> Board {
    let mut after = *board;
    after.play(mv);
    after
}

/// All that can be seen of a board, in a form that can be compared.
fn appearance(board: &Board) -> (String, [u64; 6], MoveList) {
    let keys = board.keys();
    let numbers = [
        keys.position,
        keys.pawns,
        keys.non_pawns[Color::White],
        keys.non_pawns[Color::Black],
        board.checkers().0,
        board.pinned().0,
    ];
    (board.fen().to_string(), numbers, board.legal_moves())
}

#[test]
fn keys_are_those_of_the_whole_board() {
    for_each_move(1, |board, mv| {
        let after = played(board, mv);
        assert_eq!(*after.keys(), after.recomputed_keys(), "{mv:?} in {board:?}");
    });
}

#[test]
fn a_null_move_changes_the_turn_only() {
    for_each_position(2, |board| {
        if board.in_check() {
            return;
        }
        let mut after = *board;
        after.play_null();
        assert_eq!(*after.keys(), after.recomputed_keys(), "{board:?}");
        assert_eq!((after.turn(), after.en_passant()), (!board.turn(), None), "{board:?}");
        assert_eq!(after.halfmove_clock(), board.halfmove_clock(), "{board:?}");
        assert_eq!(after.castling(), board.castling(), "{board:?}");
        assert_eq!(pieces(&after), pieces(board), "{board:?}");
    });
}

fn pieces(board: &Board) -> Vec<Option<Piece>> {
    Square::all().map(|square| board.piece_on(square)).collect()
}

#[test]
fn a_delta_is_the_difference_between_two_boards() {
    for_each_move(3, |board, mv| {
        let mut after = *board;
        let delta = after.play(mv);
        let mut list = pieces(board);
        for placed in &delta.off {
            let left = list[placed.square.index()].take();
            assert_eq!(left, Some(placed.piece), "{mv:?} in {board:?}");
        }
        for placed in &delta.on {
            let covered = list[placed.square.index()].replace(placed.piece);
            assert_eq!(covered, None, "{mv:?} in {board:?}");
        }
        assert_eq!(list, pieces(&after), "{mv:?} in {board:?}");
        let mover = board.piece_on(mv.from());
        assert_eq!(delta.off.first().map(|placed| placed.piece), mover, "{mv:?} in {board:?}");
    });
}

#[test]
fn a_copy_does_not_follow_the_moves_of_its_original() {
    for_each_position(4, |board| {
        let before = appearance(board);
        let mut original = *board;
        let copy = original;
        for mv in board.legal_moves().into_iter().take(3) {
            original.play(mv);
            assert_eq!(appearance(&copy), before);
            original = copy;
        }
        assert_eq!(appearance(&original), before);
    });
}

/// A board that was reached by moves is the one that its FEN gives, in all that can be seen.
#[test]
fn fens_give_the_same_board_back() {
    for_each_position(5, |board| {
        for style in [CastlingStyle::XFen, CastlingStyle::Shredder] {
            let fen = board.fen_with(style).to_string();
            let read: Board = fen.parse().unwrap();
            assert_eq!(read, *board, "{fen}");
            assert_eq!(appearance(&read), appearance(board), "{fen}");
        }
    });
}

#[test]
fn sets_of_pieces_agree_with_the_squares() {
    for_each_position(6, |board| {
        for square in Square::all() {
            let piece = board.piece_on(square);
            for found in Piece::ALL {
                let set = board.by_piece(found.color(), found.role());
                assert_eq!(set.contains(square), piece == Some(found), "{square} of {board:?}");
            }
        }
    });
}

#[test]
fn threats_are_the_attacked_squares() {
    for_each_position(7, |board| {
        let occupied = board.occupied();
        for color in Color::ALL {
            let threats = board.threats(color);
            for square in Square::all() {
                let attackers = board.attackers(color, square, occupied);
                let is_attacked = board.is_attacked(color, square, occupied);
                assert_eq!(threats.all.contains(square), is_attacked, "{square} of {board:?}");
                assert_eq!(attackers.any(), is_attacked, "{square} of {board:?}");
                for role in Role::ALL {
                    let by_role = (attackers & board.by_role(role)).any();
                    let is_threat = threats.by_role[role].contains(square);
                    assert_eq!(is_threat, by_role, "{role:?} at {square} of {board:?}");
                }
            }
        }
    });
}

#[test]
fn pinned_pieces_are_those_that_shield_their_king() {
    for_each_position(13, |board| {
        let (us, king) = (board.turn(), board.king(board.turn()));
        let exposes = |square: &Square| {
            let without = board.occupied() - (*square).into();
            (board.attackers(!us, king, without) - board.checkers()).any()
        };
        let own = board.by_color(us) - king.into();
        let shields: Bitboard = own.into_iter().filter(exposes).collect();
        assert_eq!(board.pinned(), shields, "{board:?}");
        let checkers = board.attackers(!us, king, board.occupied());
        assert_eq!(board.checkers(), checkers, "{board:?}");
    });
}

#[test]
fn stages_split_the_moves_and_the_count_is_their_number() {
    let sorted = |moves: &MoveList| {
        let mut moves = moves.to_vec();
        moves.sort_unstable();
        moves
    };
    for_each_position(8, |board| {
        let [mut noisy, mut both, mut all] = [const { MoveList::new_const() }; 3];
        board.generate::<Noisy>(&mut noisy);
        assert!(noisy.iter().all(|mv| mv.is_noisy()), "{board:?}");
        board.generate::<Quiet>(&mut both);
        assert!(both.iter().all(|mv| !mv.is_noisy()), "{board:?}");
        both.extend(noisy);
        board.generate::<All>(&mut all);
        assert_eq!(sorted(&both), sorted(&all), "{board:?}");
        assert_eq!(board.count_legal_moves(), all.len(), "{board:?}");
    });
}

#[test]
fn the_key_after_a_usual_move_is_foretold() {
    let mut foretold = 0;
    for_each_move(9, |board, mv| {
        let after = played(board, mv);
        let is_usual = matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture)
            && after.castling() == board.castling()
            && board.en_passant().is_none();
        if is_usual {
            assert_eq!(board.key_after(mv), after.key(), "{mv:?} in {board:?}");
            foretold += 1;
        }
    });
    assert!(foretold > 100_000, "{foretold}");
}

/// The position with the colors exchanged and the board turned upside down.
fn mirrored(board: &Board) -> Board {
    let mut setup = Setup { turn: !board.turn(), ..Setup::EMPTY };
    for square in Square::all() {
        setup.pieces[square.flip_rank().index()] =
            board.piece_on(square).map(|piece| Piece::new(!piece.color(), piece.role()));
    }
    for (color, wing, rook) in board.castling().iter() {
        setup.castling.grant(!color, wing, rook.file());
    }
    setup.en_passant = board.en_passant().map(Square::flip_rank);
    setup.board().expect("the mirror image of a legal position is legal")
}

fn mirrored_move(mv: Move) -> Move {
    Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind())
}

#[test]
fn rules_are_the_same_for_both_colors() {
    for_each_position(10, |board| {
        let mirror = mirrored(board);
        let mut moves: Vec<_> = board.legal_moves().into_iter().map(mirrored_move).collect();
        let mut expected = mirror.legal_moves().to_vec();
        moves.sort_unstable();
        expected.sort_unstable();
        assert_eq!(moves, expected, "{board:?}");
        assert_eq!(mirror.checkers(), board.checkers().flip_ranks(), "{board:?}");
        assert_eq!(mirror.pinned(), board.pinned().flip_ranks(), "{board:?}");
        for mv in board.legal_moves() {
            let mirror_mv = mirrored_move(mv);
            assert_eq!(mirror.gives_check(mirror_mv), board.gives_check(mv), "{mv:?} in {board:?}");
        }
        for color in Color::ALL {
            let threats = board.threats(color).all.flip_ranks();
            assert_eq!(mirror.threats(!color).all, threats, "{board:?}");
        }
    });
}

#[test]
fn castling_ends_on_the_same_squares_everywhere() {
    let mut castled = 0;
    for_each_move(11, |board, mv| {
        if !mv.is_castle() {
            return;
        }
        castled += 1;
        let (us, after) = (board.turn(), played(board, mv));
        let wing = if mv.to() > mv.from() { Wing::King } else { Wing::Queen };
        let (king, rook) = if wing == Wing::King { (File::G, File::F) } else { (File::C, File::D) };
        let rank = Rank::First.relative_to(us);
        assert_eq!(after.king(us), Square::new(king, rank), "{mv:?} in {board:?}");
        let rook = Bitboard::from(Square::new(rook, rank));
        assert_eq!(after.by_piece(us, Role::Rook) & rook, rook, "{mv:?} in {board:?}");
        assert!(after.castling().iter().all(|(color, ..)| color != us), "{mv:?} in {board:?}");
    });
    assert!(castled > 300, "{castled}");
}

/// A line of play with all its boards, to answer by comparison what `History` answers by keys.
struct Line {
    boards: Vec<Board>,
    /// The first board after the last null move, over which nothing repeats.
    since_null: usize,
    history: History,
}

impl Line {
    fn new(board: Board) -> Self {
        Self { boards: vec![board], since_null: 0, history: History::new(&board) }
    }

    fn last(&self) -> &Board {
        self.boards.last().expect("a line has a board")
    }

    fn play(&mut self, mv: Move) {
        let after = played(self.last(), mv);
        self.history.push(&after);
        self.boards.push(after);
    }

    fn play_null(&mut self) {
        let mut after = *self.last();
        after.play_null();
        self.history.push_null(&after);
        self.since_null = self.boards.len();
        self.boards.push(after);
    }

    /// Indices below `end` where this position stood, the latest first.
    fn occurrences(&self, board: &Board, end: usize) -> impl Iterator<Item = usize> {
        let is_same = |&index: &usize| self.boards[index].is_same_position(board);
        (self.since_null..end).rev().filter(is_same)
    }

    fn is_repetition(&self, ply: usize) -> bool {
        let last = self.boards.len() - 1;
        let earlier: Vec<usize> = self.occurrences(self.last(), last).collect();
        earlier.len() > 1 || earlier.first().is_some_and(|index| last - index < ply)
    }

    /// Tries out all moves.
    fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let last = self.boards.len() - 1;
        self.last().legal_moves().into_iter().any(|mv| {
            let after = played(self.last(), mv);
            let earlier: Vec<usize> = self.occurrences(&after, last).collect();
            earlier.len() > 1 || earlier.first().is_some_and(|index| last - index < ply)
        })
    }

    fn check(&self, random: &mut Random) -> [bool; 2] {
        let last = self.last();
        let occurrences = 1 + self.occurrences(last, self.boards.len() - 1).count();
        assert_eq!(self.history.occurrences(), occurrences, "{:?}", self.boards);
        let ply = random.below(self.boards.len() + 1);
        let repetition = self.is_repetition(ply);
        assert_eq!(self.history.is_repetition(ply), repetition, "{ply} in {:?}", self.boards);
        let upcoming = self.has_upcoming_repetition(ply);
        let found = self.history.has_upcoming_repetition(last, ply);
        assert_eq!(found, upcoming, "{ply} in {:?}", self.boards);
        [repetition, upcoming]
    }
}

/// Random games hardly repeat: mostly move pieces to and fro.
fn choose_shuffling(line: &Line, random: &mut Random) -> Option<Move> {
    let moves = line.last().legal_moves();
    if random.one_in(6) {
        return choose(&moves, random);
    }
    let before = line.boards.len().checked_sub(2 + 2 * random.below(3));
    let wanted = |mv: &&Move| {
        before.is_some_and(|index| {
            let there = &line.boards[index];
            let (from, to) = (mv.from(), mv.to());
            mv.kind() == MoveKind::Quiet && there.piece_on(to) == line.last().piece_on(from)
        })
    };
    let back: Vec<Move> = moves.iter().filter(wanted).copied().collect();
    let quiet = || moves.iter().find(|mv| mv.kind() == MoveKind::Quiet);
    random.pick(&back).or_else(quiet).copied().or_else(|| choose(&moves, random))
}

#[test]
fn repetitions_are_those_of_the_boards() {
    let mut random = Random::new(12);
    let mut seen = [0; 2];
    for _ in 0..GAMES {
        let mut line = Line::new(any_start(&mut random));
        for _ in 0..60 {
            let found = line.check(&mut random);
            seen = [0, 1].map(|i| seen[i] + usize::from(found[i]));
            if random.one_in(40) && !line.last().in_check() {
                line.play_null();
                continue;
            }
            let Some(mv) = choose_shuffling(&line, &mut random) else { break };
            line.play(mv);
        }
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}
