// SPDX-License-Identifier: GPL-3.0-or-later
//! Training data in the formats of others.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use bytemuck::{Pod, Zeroable, bytes_of};
use chess::{Board, Color, Outcome};

use crate::dataset::Item;
use crate::pipeline::for_each_item;
use crate::shuffle::{checked_game, checked_record, write_raw};
use crate::unit::Need;
use crate::{
    DataError, Label, LabelScore, MATE, Observer, Output, Problem, Record, Unmarked, outcome,
};

/// What to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `FEN | score | result` as the importer reads it; what is not known is left out.
    Text,
    /// `FEN,evaluation` under a line that names the columns. Positions without a score are left
    /// out and reported.
    Csv,
    /// A FEN per line.
    Fen,
    /// The games that can be replayed, in viriformat: what bullet and the `viriformat` crate read.
    Viri,
    /// Bulletformat: 32 bytes per position, all in the mover's view. Positions without a score or a
    /// result are left out and reported.
    Bullet,
}

/// Writes all positions, or games, of some files, in centipawns. Returns how many were written.
pub fn export(
    inputs: &[PathBuf],
    output: &Path,
    format: Format,
    unmarked: Unmarked,
    observer: &mut Observer<'_>,
) -> Result<u64, DataError> {
    let mut writer = Output::create(output)?;
    let failed = writer.error();
    if format == Format::Csv {
        writer.write_all(b"FEN,evaluation\n").map_err(failed)?;
    }
    let mut written = 0;
    let work = |item: &Item| encode(item, format);
    for_each_item(inputs, unmarked, Need::Centipawns, observer, work, |_, encoded| {
        if format == Format::Viri {
            write_raw(&mut writer, &encoded.bytes)?;
        } else {
            let failed = writer.error();
            writer.write_all(&encoded.bytes).map_err(failed)?;
        }
        written += if format == Format::Viri { 1 } else { encoded.positions };
        Ok(encoded.positions)
    })?;
    writer.finish()?;
    Ok(written)
}

/// What a game or record becomes.
struct Encoded {
    bytes: Vec<u8>,
    positions: u64,
}

fn encode(item: &Item, format: Format) -> Result<Encoded, Problem> {
    let mut encoded = Encoded { bytes: Vec::new(), positions: 0 };
    if format == Format::Viri {
        if matches!(item, Item::Game(game) if game.is_leaf()) {
            // Readers of others take every game for one that was played to its result.
            let reason = "a position out of a search has no result, which this format needs";
            return Err(Problem::new(item.place(), reason));
        }
        encoded.bytes = checked_game(item)?;
        encoded.positions = crate::shuffle::positions_in(&encoded.bytes);
        return Ok(encoded);
    }
    let mut add = |board: &Board, label: Label| {
        encoded.positions += 1;
        encode_position(board, label, format, &mut encoded.bytes)
            .map_err(|reason| Problem::new(item.place(), reason))
    };
    match item {
        Item::Game(game) => {
            let game = game.decode_or_problem()?;
            game.positions().try_for_each(|position| add(&position.board, position.label()))?;
        }
        Item::Record(..) => {
            let record = checked_record(item)?;
            let board = record.board().map_err(|error| Problem::new(item.place(), error))?;
            add(&board, record.label())?;
        }
    }
    Ok(encoded)
}

fn encode_position(
    board: &Board,
    label: Label,
    format: Format,
    bytes: &mut Vec<u8>,
) -> Result<(), String> {
    let missing = |what: &str| format!("expected a {what}, which this format needs");
    let mut line = board.fen().to_string();
    match format {
        Format::Bullet => {
            let score = label.score.ok_or_else(|| missing("score"))?;
            let outcome = label.outcome.ok_or_else(|| missing("result"))?;
            let bullet = Bullet::new(board, score, outcome).map_err(|error| error.to_string())?;
            bytes.extend(bytes_of(&bullet));
            return Ok(());
        }
        Format::Text => {
            if let Some(score) = label.score {
                let _ = write!(line, " | {}", score.get());
            }
            if let Some(outcome) = label.outcome {
                let _ = write!(line, " | {:.1}", f32::from(outcome::code(outcome)) / 2.0);
            }
        }
        Format::Csv => {
            let score = label.score.ok_or_else(|| missing("score"))?;
            let _ = write!(line, ",{}", evaluation(score));
        }
        Format::Fen | Format::Viri => (),
    }
    bytes.extend(line.as_bytes());
    bytes.push(b'\n');
    Ok(())
}

/// `+56`, `0`, `#-3`.
fn evaluation(score: LabelScore) -> String {
    let sign = if score.get() < 0 { '-' } else { '+' };
    match score.get().unsigned_abs() {
        0 => "0".to_owned(),
        size if score.is_mate() => format!("#{sign}{}", (MATE as u16).saturating_sub(size)),
        size => format!("{sign}{size}"),
    }
}

/// A position as bullet's own loader reads it: everything as the mover sees it, his pieces first.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Bullet {
    occupied: u64,
    codes: [u8; 16],
    score: i16,
    outcome: u8,
    our_king: u8,
    their_king: u8,
    extra: [u8; 3],
}

impl Bullet {
    fn new(board: &Board, score: LabelScore, outcome: Outcome) -> Result<Self, crate::PackError> {
        // Whether the position fits is the record's knowledge.
        Record::new(board, Label::default())?;
        let us = board.turn();
        let seen = |square: chess::Square| square.relative_to(us);
        let mut pieces: Vec<_> = board
            .occupied()
            .into_iter()
            .filter_map(|square| Some((seen(square), board.piece_on(square)?)))
            .collect();
        pieces.sort_unstable_by_key(|&(square, _)| square);
        let (mut occupied, mut codes) = (0, 0);
        for (i, (square, piece)) in pieces.into_iter().enumerate() {
            occupied |= 1_u64 << square.index();
            let theirs = if piece.color() == us { 0 } else { 8 };
            codes |= u128::from(piece.role() as u8 | theirs) << (4 * i);
        }
        let white = us == Color::White;
        let code = outcome::code(outcome);
        Ok(Self {
            occupied: occupied.to_le(),
            codes: u128::to_le_bytes(codes),
            score: score.view_of(us).to_le(),
            outcome: if white { code } else { 2 - code },
            our_king: seen(board.king(us)).index() as u8,
            their_king: board.king(!us).relative_to(!us).index() as u8,
            extra: [0; 3],
        })
    }
}
