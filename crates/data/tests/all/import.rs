// SPDX-License-Identifier: GPL-3.0-or-later
//! Labelled positions and games from the formats of others.

use std::path::PathBuf;

use crate::common::{SMALL, Workshop, load};
use chess::{Board, Color, Outcome};
use data::export::{self, export};
use data::import::{Format, Imported, Reading, ScoreView, Unit, import};
use data::viri::GameReader;
use data::{Input, LabelScore, MATE, Origin, Record, Unmarked};

const WHITE: Outcome = Outcome::Decisive { winner: Color::White };
const BLACK: Outcome = Outcome::Decisive { winner: Color::Black };

fn import_text(
    workshop: &mut Workshop,
    text: &str,
    reading: Reading,
) -> Result<(Vec<Record>, Imported), data::DataError> {
    let (input, out) = (workshop.write("in.txt", text), workshop.path("out.qrec"));
    let imported = workshop.run(|observer| import(&[input], &out, reading, observer))?;
    Ok((load(&out), imported))
}

fn labels(records: &[Record]) -> Vec<(Option<i16>, Option<Outcome>)> {
    let score = |record: &Record| record.label().score.map(LabelScore::get);
    records.iter().map(|record| (score(record), record.outcome())).collect()
}

#[test]
fn tables_as_batu_and_napoleon_had_them() {
    let mut workshop = Workshop::new();
    let text = "FEN,Evaluation\r\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,+56\r\n\
        rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2,-9\r\n\
        7k/5Q2/6K1/8/8/8/8/8 b - - 0 1,0\r\n\
        6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1,#+1\r\n\
        \"k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1\",#-3\r\n";
    let (records, imported) = import_text(&mut workshop, text, Reading::new(Format::Csv)).unwrap();
    let score = |record: &Record| record.label().score.map(LabelScore::get);
    let scores: Vec<_> = records.iter().map(score).collect();
    assert_eq!(scores, [Some(56), Some(-9), Some(0), Some(MATE - 1), Some(3 - MATE)]);
    assert_eq!((imported.lines, imported.positions, imported.scored), (6, 5, 5));
    assert_eq!(workshop.problems.count(), 0);
    // Mates are not quiet.
    let quiet: Vec<_> = records.iter().map(Record::is_quiet).collect();
    assert_eq!(quiet, [true, true, true, false, false]);
    let tabs = text.replace(',', "\t");
    let (same, _) = import_text(&mut workshop, &tabs, Reading::new(Format::Tsv)).unwrap();
    assert_eq!(same, records);
}

#[test]
fn columns_may_be_named_in_any_order_and_not_named_at_all() {
    let mut workshop = Workshop::new();
    let reading = Reading::new(Format::Csv);
    let named = "id,result,Best Move,fen,cp\n\
        7,1/2-1/2,e7e5,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,31\n\
        8,,Nf3,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,20\n";
    let (records, _) = import_text(&mut workshop, named, reading).unwrap();
    assert_eq!(labels(&records), [(Some(31), Some(Outcome::Draw)), (Some(20), None)]);
    let moves: Vec<_> =
        records.iter().map(|record| format!("{:?}", record.best_move().unwrap())).collect();
    assert_eq!(moves, ["e7e5(DoublePush)", "g1f3(Quiet)"]);
    let bare = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,33\n";
    let (records, _) = import_text(&mut workshop, bare, reading).unwrap();
    assert_eq!(labels(&records), [(Some(33), None)]);
    assert_eq!(workshop.problems.count(), 0);
}

#[test]
fn units_and_views() {
    let mut workshop = Workshop::new();
    let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,-0.56\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,0.25\n\
        k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1,#1\n";
    let reading =
        Reading { unit: Unit::Pawns, view: ScoreView::Mover, ..Reading::new(Format::Csv) };
    let (records, _) = import_text(&mut workshop, text, reading).unwrap();
    let scores: Vec<_> = records.iter().map(|record| record.score().get()).collect();
    assert_eq!(scores, [56, 25, 1 - MATE]);
    let below = Reading { max_score: Some(56), ..reading };
    let (records, imported) = import_text(&mut workshop, text, below).unwrap();
    assert_eq!((records.len(), records[0].score().get(), imported.left_out), (1, 25, 2));
    let centipawns = Reading::new(Format::Csv);
    let (records, _) = import_text(&mut workshop, text, centipawns).unwrap();
    assert_eq!(records.len(), 1);
    assert!(workshop.problems.first()[0].contains("expected whole centipawns, found `-0.56`"));
}

#[test]
fn text_lines_with_score_result_or_both() {
    let mut workshop = Workshop::new();
    let start = chess::STARTING;
    let text = format!(
        "{start} | 25 | 0.5\n{start}|-31|1.0\n{start} | 0.0\n\n# a remark\n{start} | 1-0\n\
         {start} | 0\n{start}\n"
    );
    let (records, _) = import_text(&mut workshop, &text, Reading::new(Format::Text)).unwrap();
    assert_eq!(
        labels(&records),
        [
            (Some(25), Some(Outcome::Draw)),
            (Some(-31), Some(WHITE)),
            (None, Some(BLACK)),
            (None, Some(WHITE)),
            (Some(0), None),
            (None, None),
        ]
    );
    assert_eq!(workshop.problems.count(), 0);
}

#[test]
fn epd_operations_are_the_movers() {
    let mut workshop = Workshop::new();
    let text = "4k3/8/8/8/8/8/8/4KR2 w - - ce 500; bm Rf7; c9 \"1-0\";\n\
        4k3/8/8/8/8/8/8/4KR2 b - - ce -480; c0 \"1/2-1/2\";\n\
        6k1/5ppp/8/8/8/8/8/K2R4 w - - dm 1; id \"back rank\";\n\
        # a remark\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    let (records, _) = import_text(&mut workshop, text, Reading::new(Format::Epd)).unwrap();
    assert_eq!(
        labels(&records),
        [
            (Some(500), Some(WHITE)),
            (Some(480), Some(Outcome::Draw)),
            (Some(MATE - 1), None),
            (None, None),
        ]
    );
    assert!(records[0].best_move().is_some());
    assert_eq!(workshop.problems.count(), 0);
}

const ENGINES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n\
    1. f3 {book} e5 {-0.50/8 0.1s} 2. g4 {-1.25/9 0.1s} Qh4# {+M1/3 0.0s, Black mates} 0-1\n\n";
const SITE: &str = "[Event \"x\"]\n[Result \"1-0\"]\n\n\
    1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... f6 { [%eval 0.9] } 2. d4 g5 { [%eval #1] } 3. Qh5# 1-0\n";

#[test]
fn games_get_scores_from_comments() {
    let mut workshop = Workshop::new();
    let input = workshop.write("a.pgn", format!("{ENGINES}{SITE}"));
    let out = workshop.path("a.vf");
    let reading = Reading::new(Format::Pgn);
    let imported = workshop
        .run(|observer| import(std::slice::from_ref(&input), &out, reading, observer))
        .unwrap();
    let games: Vec<_> =
        GameReader::new(Input::open(&out).unwrap()).collect::<Result<_, _>>().unwrap();
    let scores = |index: usize| -> Vec<i16> {
        games[index].moves.iter().map(|scored: &data::ScoredMove| scored.score.get()).collect()
    };
    // The engines' own scores belong to the position before their move, seen by the mover. The book
    // move has none, so that the game begins after it.
    assert_eq!(scores(0), [50, -125, 1 - MATE]);
    assert_eq!((games[0].start.turn(), games[0].origin), (Color::Black, Origin::Game(BLACK)));
    // The site's scores belong to the position after the move, seen by White.
    assert_eq!(scores(1), [30, 90]);
    assert_eq!(games[1].origin, Origin::Game(WHITE));
    assert_eq!((imported.games, imported.positions), (2, 5));
    // The mate of the second game stands alone behind a gap.
    assert_eq!(workshop.problems.count(), 1);
    let sentence = &workshop.problems.first()[0];
    assert!(sentence.ends_with("an output ending in `.qrec` keeps all"), "{sentence}");
    assert!(sentence.contains("a.pgn:7: game 2: "), "{sentence}");

    let out = workshop.path("a.qrec");
    workshop.run(|observer| import(&[input], &out, reading, observer)).unwrap();
    let scores: Vec<_> = load(&out).iter().map(|record| record.score().get()).collect();
    assert_eq!(scores, [50, -125, 1 - MATE, 30, 90, MATE - 1]);
    assert_eq!(workshop.problems.count(), 1);
}

#[test]
fn a_broken_move_costs_only_what_follows() {
    let mut workshop = Workshop::new();
    let broken = SITE.replace("g5", "Ke9");
    let input = workshop.write("a.pgn", format!("{ENGINES}{broken}\n{ENGINES}"));
    let out = workshop.path("a.qrec");
    let reading = Reading::new(Format::Pgn);
    let imported = workshop.run(|observer| import(&[input], &out, reading, observer)).unwrap();
    assert_eq!((imported.games, imported.positions), (3, 8));
    assert_eq!(workshop.problems.count(), 1);
    let sentence = &workshop.problems.first()[0];
    assert!(sentence.contains("a.pgn:7: game 2: 2... "), "{sentence}");
    assert!(sentence.contains("`Ke9`"), "{sentence}");
}

#[test]
fn loose_positions_do_not_become_games() {
    let mut workshop = Workshop::new();
    let input = workshop.write("a.csv", "8/8/8/8/8/8/8/K1k5 w - - 0 1,5\n");
    for (name, format) in
        [("a.vf", Format::Csv), ("a.txt", Format::Pgn), ("a.qrec.zst", Format::Csv)]
    {
        let out = workshop.path(name);
        let inputs = [input.clone()];
        let reading = Reading::new(format);
        let error = workshop.run(|observer| import(&inputs, &out, reading, observer)).unwrap_err();
        assert!(error.to_string().contains("expected an output ending in"), "{error}");
        assert_eq!(workshop.files(), ["a.csv"]);
    }
}

#[test]
fn what_is_exported_can_be_imported() {
    let mut workshop = Workshop::new();
    let inputs = [PathBuf::from(SMALL)];
    let (text, csv) = (workshop.path("a.txt.zst"), workshop.path("a.csv"));
    let records = workshop.path("a.qrec");
    for (out, to) in [(&text, export::Format::Text), (&csv, export::Format::Csv)] {
        workshop.run(|observer| export(&inputs, out, to, Unmarked::Unknown, observer)).unwrap();
    }
    let games: Vec<_> =
        GameReader::new(Input::open(&inputs[0]).unwrap()).collect::<Result<_, _>>().unwrap();
    let positions: Vec<_> = games.iter().flat_map(data::ScoredGame::positions).collect();
    for (input, format) in [(text, Format::Text), (csv, Format::Csv)] {
        let reading = Reading::new(format);
        let imported =
            workshop.run(|observer| import(&[input], &records, reading, observer)).unwrap();
        assert_eq!(imported.positions, positions.len() as u64);
        for (record, position) in load(&records).iter().zip(&positions) {
            let board: Board = record.board().unwrap();
            assert!(board.is_same_position(&position.board));
            assert_eq!(record.score(), position.played.score);
            let has_outcome = format == Format::Text;
            assert_eq!(record.outcome(), position.outcome.filter(|_| has_outcome));
        }
    }
    assert_eq!(workshop.problems.count(), 0);
}

/// A game as OpenBench keeps it when it is asked for compact ones.
const OF_OPENBENCH: &str = "[White \"Quincunx-dev\"]\n[Black \"Quincunx-base\"]\n[Result \"1-0\"]\n\
    [FEN \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\"]\n[SetUp \"1\"]\n\n\
    Kf1 {+5.12/9, line=wdl 990 10 0 nodes 5000} h6 {-5.20/8, line=wdl 0 12 988 nodes 5001} \
    Rd8+ {+M3/20} Kh7 {unknown} 1-0\n\n";

/// An archive of uploads, each packed by itself.
fn archive(uploads: &[&str]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (number, text) in uploads.iter().enumerate() {
        let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        std::io::Write::write_all(&mut packer, text.as_bytes()).unwrap();
        let packed = packer.finish().unwrap();
        let mut header = tar::Header::new_gnu();
        header.set_size(packed.len() as u64);
        header.set_cksum();
        let name = format!("7.{number}.pgn.bz2");
        archive.append_data(&mut header, name, packed.as_slice()).unwrap();
    }
    archive.into_inner().unwrap()
}

#[test]
fn an_archive_of_openbench_gives_all_its_games() {
    let mut workshop = Workshop::new();
    let uploads = [OF_OPENBENCH.repeat(2), OF_OPENBENCH.to_owned()];
    let bytes = archive(&uploads.each_ref().map(String::as_str));
    let input = workshop.write("7.pgn.tar", &bytes);
    assert_eq!(Format::of(&input), Some(Format::OpenBench));
    let out = workshop.path("out.qrec");
    let reading = Reading::new(Format::OpenBench);
    let imported = workshop.run(|observer| import(&[input], &out, reading, observer)).unwrap();
    assert_eq!((imported.games, imported.positions, imported.with_result), (3, 9, 9));
    let score = |record: &Record| record.label().score.map(LabelScore::get);
    let scores: Vec<_> = load(&out)[..3].iter().map(score).collect();
    assert_eq!(scores, [Some(512), Some(520), Some(MATE - 3)], "in White's view");

    // One upload alone, and an archive that was not copied to its end.
    let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    std::io::Write::write_all(&mut packer, OF_OPENBENCH.as_bytes()).unwrap();
    let alone = workshop.write("7.0.pgn.bz2", packer.finish().unwrap());
    let imported = workshop.run(|observer| import(&[alone], &out, reading, observer)).unwrap();
    assert_eq!(imported.games, 1);
    let cut = workshop.write("cut.pgn.tar", &bytes[..1100]);
    let imported = workshop.run(|observer| import(&[cut], &out, reading, observer)).unwrap();
    assert_eq!((imported.games, workshop.problems.count()), (2, 1));
}
