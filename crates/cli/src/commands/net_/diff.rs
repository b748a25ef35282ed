// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx net diff`: what two files have not in common.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use chess::Board;
use clap::Args;
use net::file::{Contents, TensorView};
use net::{Architecture, Kernels, Net, NetEvaluator};
use serde::Serialize;

use crate::commands::print_json;

/// Compare two network files: headers, weights, and what they make of some positions.
#[derive(Args, Debug)]
pub(super) struct Diff {
    /// One file
    #[arg(value_name = "A")]
    one: PathBuf,
    /// The other
    #[arg(value_name = "B")]
    two: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Openings, middle games and endings, with either side to move.
const POSITIONS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQ - 0 9",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 2 47",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
];

#[derive(Serialize, Debug)]
struct Report {
    identical: bool,
    /// Fields of the header that differ.
    header: BTreeMap<&'static str, [String; 2]>,
    tensors: Vec<TensorDiff>,
    /// Only of two value networks.
    evaluations: Option<Vec<Evaluated>>,
}

/// How the numbers of two tensors of the same name differ, as they stand in the files.
#[derive(Serialize, Debug)]
struct TensorDiff {
    name: String,
    /// How many numbers each file has; none if it has no such tensor.
    counts: [Option<usize>; 2],
    /// How many differ, and by how much; only of two tensors of the same length.
    differing: Option<usize>,
    max: Option<f64>,
    rms: Option<f64>,
}

/// What both networks say of a position, in points for the side to move.
#[derive(Serialize, Debug)]
struct Evaluated {
    fen: &'static str,
    points: [i32; 2],
}

impl Diff {
    pub(super) fn run(&self) -> Result<()> {
        let (one, two) = (super::read(&self.one)?, super::read(&self.two)?);
        let contents = [super::contents(&self.one, &one)?, super::contents(&self.two, &two)?];
        let report = Report {
            identical: one == two,
            header: compare_headers(&contents),
            tensors: compare_tensors(&contents),
            evaluations: compare_evaluations([&one, &two], &contents)?,
        };
        if self.json { print_json(&report) } else { report.print() }
    }
}

fn compare_headers(both: &[Contents<'_>; 2]) -> BTreeMap<&'static str, [String; 2]> {
    let fields = |contents: &Contents<'_>| {
        let header = &contents.header;
        [
            ("architecture", header.architecture.name().to_owned()),
            ("activation", header.activation.name().to_owned()),
            ("inputs", header.inputs.to_string()),
            ("widths", format!("{:?}", header.widths)),
            ("input buckets", header.input_buckets.to_string()),
            ("output buckets", header.output_buckets.to_string()),
            ("bucket map", format!("{:?}", header.bucket_map)),
            ("flags", header.flags.to_string()),
            ("scale", header.scale.to_string()),
            ("quantization", format!("{:?}", header.quantization)),
            ("name", header.name.clone()),
            ("trained on", header.provenance.clone()),
            ("hash", format!("{:016x}", contents.hash)),
        ]
    };
    let pairs = fields(&both[0]).into_iter().zip(fields(&both[1]));
    let differing = pairs.filter(|((_, one), (_, two))| one != two);
    differing.map(|((field, one), (_, two))| (field, [one, two])).collect()
}

/// Tensors by name, and by their number among those of the same name.
fn by_name<'a>(contents: &Contents<'a>) -> Vec<((&'static str, usize), TensorView<'a>)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let keyed = contents.tensors.iter().map(|tensor| {
        let number = seen.entry(tensor.name()).or_default();
        *number += 1;
        ((tensor.name(), *number), *tensor)
    });
    keyed.collect()
}

fn compare_tensors(both: &[Contents<'_>; 2]) -> Vec<TensorDiff> {
    let [one, two] = [by_name(&both[0]), by_name(&both[1])];
    let mut others: HashMap<_, _> = two.iter().copied().collect();
    let mut diffs: Vec<_> = one
        .iter()
        .map(|(key, tensor)| compare(*key, Some(tensor), others.remove(key).as_ref()))
        .collect();
    let left = two.iter().filter(|(key, _)| others.contains_key(key));
    diffs.extend(left.map(|(key, tensor)| compare(*key, None, Some(tensor))));
    diffs
}

fn compare(
    (name, number): (&str, usize),
    one: Option<&TensorView<'_>>,
    two: Option<&TensorView<'_>>,
) -> TensorDiff {
    let name = if number > 1 { format!("{name} ({number})") } else { name.to_owned() };
    let counts = [one, two].map(|tensor| tensor.map(|tensor| tensor.numbers().len()));
    let mut diff = TensorDiff { name, counts, differing: None, max: None, rms: None };
    if let (Some(one), Some(two)) = (one, two)
        && one.numbers().len() == two.numbers().len()
    {
        let (mut differing, mut max, mut squares) = (0, 0.0f64, 0.0);
        for (one, two) in one.numbers().zip(two.numbers()) {
            let difference = (one - two).abs();
            differing += usize::from(difference > 0.0);
            max = max.max(difference);
            squares += difference * difference;
        }
        let count = one.numbers().len().max(1) as f64;
        (diff.differing, diff.max) = (Some(differing), Some(max));
        diff.rms = Some((squares / count).sqrt());
    }
    diff
}

fn compare_evaluations(
    files: [&[u8]; 2],
    both: &[Contents<'_>; 2],
) -> Result<Option<Vec<Evaluated>>> {
    if both.iter().any(|contents| contents.header.architecture == Architecture::Policy) {
        return Ok(None);
    }
    let mut evaluators = Vec::new();
    for bytes in files {
        evaluators.push(NetEvaluator::new(Arc::new(Net::from_bytes(bytes)?), Kernels::detect()));
    }
    let mut evaluate = |fen: &'static str| {
        let board: Board = fen.parse()?;
        let mut points = [0; 2];
        for (points, evaluator) in points.iter_mut().zip(&mut evaluators) {
            evaluator.reset(&board);
            *points = evaluator.evaluate(&board);
        }
        Ok(Evaluated { fen, points })
    };
    POSITIONS.into_iter().map(&mut evaluate).collect::<Result<_>>().map(Some)
}

impl Report {
    fn print(&self) -> Result<()> {
        let mut out = io::stdout().lock();
        if self.identical {
            return Ok(writeln!(out, "The files are identical.")?);
        }
        writeln!(out, "header")?;
        for (field, [one, two]) in &self.header {
            writeln!(out, "  {field:<15} {one} | {two}")?;
        }
        writeln!(
            out,
            "{:<26} {:>9} {:>9} {:>10} {:>10}",
            "tensors", "numbers", "differ", "max", "rms"
        )?;
        for tensor in &self.tensors {
            writeln!(out, "  {tensor}")?;
        }
        if let Some(evaluations) = &self.evaluations {
            writeln!(out, "evaluations, in points for the side to move")?;
            for Evaluated { fen, points: [one, two] } in evaluations {
                writeln!(out, "  {one:>7} {two:>7} {:>+7}  {fen}", two - one)?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for TensorDiff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |count: Option<usize>| count.map_or("none".to_owned(), |n| n.to_string());
        let [one, two] = self.counts.map(count);
        let name = &self.name;
        match (self.differing, self.max, self.rms) {
            (Some(differing), Some(max), Some(rms)) => {
                write!(f, "{name:<24} {one:>9} {differing:>9} {max:>10.4} {rms:>10.4}")
            }
            _ => write!(f, "{name:<24} {one:>9} | {two}"),
        }
    }
}
