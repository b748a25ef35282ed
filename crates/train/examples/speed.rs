// SPDX-License-Identifier: GPL-3.0-or-later
//! `speed [FILE.qrec] [--threads N] [--seconds S] [--form "width = 768"]...`: positions that networks of
//! these forms train per second, in batches of 16,384. A form is a recipe's table `network` of a `house`;
//! without one, five common forms are measured. Without a file the positions come from random games.
#![expect(clippy::print_stdout, reason = "it is a program")]

use std::time::Instant;

use chess::{Board, Outcome};
use data::{Label, Record};
use tools::Rng;
use train::model::{HouseModel, HouseOptions, Model};
use train::{AdamW, Objective, OptimizerState, Source, Trainer};

const BATCH: usize = 16_384;

/// Forms that are measured if none is given.
const COMMON: [&str; 5] = [
    "width = 256",
    "width = 512\noutput_buckets = 8",
    "width = 768\noutput_buckets = 8",
    "width = 1024\noutput_buckets = 8",
    "width = 512\nhead = \"pairwise\"\noutput_buckets = 8",
];

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.remove(at);
        (at < arguments.len()).then(|| arguments.remove(at))
    };
    let number = |text: Option<String>| text.and_then(|text| text.parse::<usize>().ok());
    let machine = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = number(take("--threads")).unwrap_or_else(machine);
    let seconds = number(take("--seconds")).unwrap_or(5);
    let mut forms: Vec<String> = std::iter::from_fn(|| take("--form")).collect();
    if forms.is_empty() {
        forms = COMMON.map(str::to_owned).into();
    }
    let records = match arguments.first() {
        Some(path) => Source::open(&[path])
            .and_then(|source| source.first(16 * BATCH as u64))
            .expect("a file of records"),
        None => random_records(4 * BATCH),
    };
    for form in forms {
        let [speed, per_cpu] = measure(&form, &records, threads, seconds as f64);
        let form = form.replace('\n', ", ");
        println!("{form}; {threads} threads: {speed:.0} positions/s, {per_cpu:.0} per CPU-second");
    }
}

/// Positions per second over a few seconds, of the clock and of the processor.
fn measure(form: &str, records: &[Record], threads: usize, seconds: f64) -> [f64; 2] {
    let options: HouseOptions = toml::from_str(form).expect("valid options");
    let model = HouseModel::new(&options).expect("valid options");
    let state = OptimizerState::new(model.initial(1));
    let mut trainer =
        Trainer::new(Box::new(model), AdamW::default(), Objective::default(), state, threads);
    let mut batches = records.chunks_exact(BATCH).cycle();
    let mut train = || {
        let batch = batches.next().expect("a whole batch");
        trainer.train(batch, 1e-3);
    };
    train();
    let (begin, begin_cpu) = (Instant::now(), cpu_seconds());
    let mut positions = 0;
    while begin.elapsed().as_secs_f64() < seconds {
        train();
        positions += BATCH as u32;
    }
    let positions = f64::from(positions);
    [positions / begin.elapsed().as_secs_f64(), positions / (cpu_seconds() - begin_cpu)]
}

/// Processor time of this process so far, where the system tells.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // User and system time in hundredths, the 14th and 15th field; the name may hold blanks.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn random_records(count: usize) -> Vec<Record> {
    let mut random = Rng::new(1);
    let mut board = Board::default();
    let label = |score| Label {
        score: Some(data::LabelScore::from_stored(score)),
        outcome: Some(Outcome::Draw),
        best_move: None,
    };
    let mut records = Vec::with_capacity(count);
    while records.len() < count {
        let moves = board.legal_moves();
        if moves.is_empty() || board.halfmove_clock() > 60 {
            board = Board::default();
            continue;
        }
        board.play(moves[random.below(moves.len())]);
        let score = random.below(800) as i16 - 400;
        records.extend(Record::new(&board, label(score)));
    }
    random.shuffle(&mut records);
    records
}
