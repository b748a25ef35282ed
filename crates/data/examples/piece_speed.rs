// SPDX-License-Identifier: GPL-3.0-or-later
//! How many records a second one core takes apart: `piece_speed FILE.qrec`
#![expect(clippy::print_stdout, reason = "an example talks to people")]

use std::path::Path;
use std::time::Instant;

use data::Record;
use data::qrec::RecordFile;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected a file of records")?;
    let file = RecordFile::open(Path::new(&path))?;
    let count = file.len().min(1 << 20) as usize;
    let mut records = vec![bytemuck::Zeroable::zeroed(); count];
    file.read_at(0, &mut records)?;
    let sum = |records: &[Record]| {
        let features = records.iter().flat_map(Record::pieces);
        let indices = features
            .map(|(color, role, square)| 384 * color.index() + 64 * role.index() + square.index());
        indices.fold(0_u64, |sum, index| sum.wrapping_add(index as u64))
    };
    let start = Instant::now();
    let mut total = 0;
    for _ in 0..20 {
        total = std::hint::black_box(sum(std::hint::black_box(&records)));
    }
    let speed = (20 * count) as f64 / start.elapsed().as_secs_f64();
    println!("{speed:.3e} records/s (sum of feature indices {total})");
    let start = Instant::now();
    let mut block = vec![bytemuck::Zeroable::zeroed(); 1024];
    let blocks = file.len() / 1024;
    for i in 0..blocks {
        file.read_at((i * 7919 % blocks) * 1024, &mut block)?;
    }
    let speed = (blocks * 1024) as f64 / start.elapsed().as_secs_f64();
    println!("{speed:.3e} records/s read in blocks of 1024 in mixed order");
    Ok(())
}
