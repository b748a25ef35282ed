// SPDX-License-Identifier: GPL-3.0-or-later
//! Records in the order of training: blocks of a shuffled file, in a new order each pass.

use std::path::Path;

use bytemuck::Zeroable;
use data::qrec::RecordFile;
use data::{DataError, Record};

use tools::Rng;

/// Records of a block. Files are shuffled as a whole, so that blocks need no shuffling inside.
pub const BLOCK: u64 = 1024;

/// Some files of records, taken as one.
#[derive(Debug)]
pub struct Source {
    files: Vec<RecordFile>,
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    file: usize,
    first: u64,
    len: usize,
}

impl Source {
    /// Opens files; together they hold at least one record.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Self, DataError> {
        let files = paths.iter().map(|path| RecordFile::open(path.as_ref()));
        let files: Vec<RecordFile> = files.collect::<Result<_, _>>()?;
        let mut blocks = Vec::new();
        for (file, records) in files.iter().enumerate() {
            for first in (0..records.len()).step_by(BLOCK as usize) {
                let len = BLOCK.min(records.len() - first) as usize;
                blocks.push(Block { file, first, len });
            }
        }
        Ok(Self { files, blocks })
    }

    /// The files.
    pub fn files(&self) -> &[RecordFile] {
        &self.files
    }

    /// How many records there are.
    pub fn len(&self) -> u64 {
        self.files.iter().map(RecordFile::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first `max` records.
    pub fn first(&self, max: u64) -> Result<Vec<Record>, DataError> {
        let mut records = Vec::new();
        for file in &self.files {
            let count = file.len().min(max - records.len() as u64);
            let start = records.len();
            records.resize(start + count as usize, Record::zeroed());
            file.read_at(0, &mut records[start..])?;
        }
        Ok(records)
    }

    /// Endless passes over the records, the orders of which follow from the seed, from the record
    /// with this number on.
    ///
    /// # Panics
    /// If there are no records.
    pub fn stream(&self, seed: u64, start: u64) -> Stream<'_> {
        assert!(!self.is_empty(), "there must be something to learn from");
        let (pass, mut skipped) = (start / self.len(), start % self.len());
        let mut stream =
            Stream { source: self, seed, pass, order: self.order(seed, pass), next: 0, offset: 0 };
        while skipped >= stream.block().len as u64 {
            skipped -= stream.block().len as u64;
            stream.next += 1;
        }
        stream.offset = skipped as usize;
        stream
    }

    fn order(&self, seed: u64, pass: u64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.blocks.len() as u32).collect();
        Rng::for_purpose(seed, 1000 + pass).shuffle(&mut order);
        order
    }
}

/// Endless passes over the records of a source.
#[derive(Debug)]
pub struct Stream<'a> {
    source: &'a Source,
    seed: u64,
    pass: u64,
    order: Vec<u32>,
    /// The place of the current block in the order.
    next: usize,
    /// Records of the current block that have been read.
    offset: usize,
}

impl Stream<'_> {
    fn block(&self) -> Block {
        self.source.blocks[self.order[self.next] as usize]
    }

    /// Fills `records` with the next ones.
    pub fn read(&mut self, records: &mut [Record]) -> Result<(), DataError> {
        let mut rest = records;
        while !rest.is_empty() {
            let block = self.block();
            let count = rest.len().min(block.len - self.offset);
            let (now, later) = rest.split_at_mut(count);
            let first = block.first + self.offset as u64;
            self.source.files[block.file].read_at(first, now)?;
            rest = later;
            self.offset += count;
            if self.offset == block.len {
                self.advance();
            }
        }
        Ok(())
    }

    fn advance(&mut self) {
        (self.next, self.offset) = (self.next + 1, 0);
        if self.next == self.order.len() {
            (self.pass, self.next) = (self.pass + 1, 0);
            self.order = self.source.order(self.seed, self.pass);
        }
    }
}

#[cfg(test)]
mod tests {
    use data::qrec::RecordWriter;
    use data::{Label, LabelScore, Record};

    use super::*;

    /// Two files, neither a multiple of a block, whose records are told apart by their scores.
    fn source(dir: &Path) -> Source {
        let board = chess::Board::default();
        let record = |score: i16| {
            let score = Some(LabelScore::from_stored(score));
            Record::new(&board, Label { score, ..Label::default() }).unwrap()
        };
        let write = |name: &str, scores: std::ops::Range<i16>| {
            let path = dir.join(name);
            let mut writer = RecordWriter::create(&path).unwrap();
            writer.write(&scores.map(record).collect::<Vec<_>>()).unwrap();
            writer.finish(0).unwrap();
            path
        };
        Source::open(&[write("one.qrec", 0..2500), write("two.qrec", 2500..4000)]).unwrap()
    }

    fn scores(records: &[Record]) -> Vec<i16> {
        records.iter().map(|record| record.score().get()).collect()
    }

    #[test]
    fn each_pass_visits_every_record_once_in_another_order() {
        let dir = tempfile::tempdir().unwrap();
        let source = source(dir.path());
        let mut stream = source.stream(7, 0);
        let mut passes = Vec::new();
        for _ in 0..3 {
            let mut records = vec![Record::zeroed(); 4000];
            // In parts that fit neither blocks nor files.
            for part in records.chunks_mut(300) {
                stream.read(part).unwrap();
            }
            passes.push(scores(&records));
        }
        for pass in &passes {
            let mut sorted = pass.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..4000));
        }
        assert!(passes[0] != passes[1] || passes[1] != passes[2]);
    }

    #[test]
    fn any_place_can_be_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let source = source(dir.path());
        let mut all = vec![Record::zeroed(); 9000];
        source.stream(3, 0).read(&mut all).unwrap();
        for start in [1, 1023, 1024, 3999, 4000, 4001, 8500] {
            let mut some = vec![Record::zeroed(); 500];
            source.stream(3, start).read(&mut some).unwrap();
            let start = start as usize;
            assert_eq!(scores(&some), scores(&all[start..start + 500]), "{start}");
        }
    }

    #[test]
    fn the_first_records_come_from_all_files() {
        let dir = tempfile::tempdir().unwrap();
        let source = source(dir.path());
        assert_eq!(source.len(), 4000);
        assert!(scores(&source.first(3000).unwrap()).into_iter().eq(0..3000));
        assert_eq!(source.first(9999).unwrap().len(), 4000);
    }
}
