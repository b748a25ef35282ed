// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx net measure`: how well and how fast networks judge the same positions.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chess::{Board, Delta};
use clap::Args;
use data::Record;
use net::{Architecture, Kernels, Net, NetEvaluator};
use serde::Serialize;
use train::verify::{self, PolicyFigures};
use train::{Objective, Source};

use crate::commands::print_json;
use crate::output;

/// Measure networks on the same positions: loss, size, evaluations per second.
///
/// The loss is the squared error of the expected score at 400 points per unit, whatever the network was
/// trained for, so that all can be compared. Speed is that of the search: an evaluation after one move.
#[derive(Args, Debug)]
pub(super) struct Measure {
    /// The networks
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Records that none of them was trained on (.qrec)
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// At most so many of them
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    positions: u64,
    /// Print one JSON object for each network
    #[arg(long)]
    json: bool,
}

/// What was found out about one network.
#[derive(Serialize, Debug)]
struct Figures {
    file: String,
    architecture: &'static str,
    widths: Vec<u16>,
    output_buckets: u8,
    parameters: usize,
    bytes: usize,
    /// Of value networks.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluations_per_second: Option<f64>,
    /// Of policies.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyFigures>,
}

impl Measure {
    pub(super) fn run(&self) -> Result<()> {
        let records = Source::open(&[&self.data])?.first(self.positions)?;
        ensure!(!records.is_empty(), "`{}` holds no records", self.data.display());
        let measured: Vec<Figures> =
            self.files.iter().map(|path| figures(path, &records)).collect::<Result<_>>()?;
        if self.json {
            return measured.iter().try_for_each(print_json);
        }
        output::print(&table(&measured))
    }
}

fn figures(path: &Path, records: &[Record]) -> Result<Figures> {
    let bytes = super::read(path)?;
    let contents = super::contents(path, &bytes)?;
    let header = &contents.header;
    let mut figures = Figures {
        file: path.display().to_string(),
        architecture: header.architecture.name(),
        widths: header.widths.into_iter().filter(|&width| width > 0).collect(),
        output_buckets: header.output_buckets,
        parameters: contents.parameters(),
        bytes: bytes.len(),
        loss: None,
        evaluations_per_second: None,
        policy: None,
    };
    if header.architecture == Architecture::Policy {
        let found = PolicyFigures::measure(&bytes, records, 0.0);
        figures.policy = Some(found.with_context(|| super::named(path))?);
    } else {
        let common = Objective::common();
        let points = verify::outputs(&bytes, records).with_context(|| super::named(path))?;
        figures.loss = Some(verify::mean_loss(&points, records, &common, common.scale));
        let net = Net::from_bytes(&bytes).with_context(|| super::named(path))?;
        figures.evaluations_per_second = Some(speed(Arc::new(net), records));
    }
    Ok(figures)
}

/// Evaluations per second after one move each: the best of some rounds, since other work on the machine
/// can only slow them down.
fn speed(net: Arc<Net>, records: &[Record]) -> f64 {
    const ROUNDS: usize = 8;
    const ROUND: Duration = Duration::from_millis(60);
    let boards: Vec<Board> = records.iter().take(256).filter_map(|r| r.board().ok()).collect();
    let mut evaluator = NetEvaluator::new(net, Kernels::detect());
    let mut round = |start: usize| {
        let (mut busy, mut calls) = (Duration::ZERO, 0u32);
        for board in boards.iter().cycle().skip(start) {
            evaluator.reset(board);
            let children = children(board);
            // The first one pays for the parent, as in a search.
            let begin = Instant::now();
            for (child, delta) in &children {
                evaluator.push(delta);
                black_box(evaluator.evaluate(black_box(child)));
                evaluator.pop();
            }
            busy += begin.elapsed();
            calls += children.len() as u32;
            if busy >= ROUND {
                break;
            }
        }
        f64::from(calls) / busy.as_secs_f64()
    };
    (0..ROUNDS).map(|start| round(start * 32)).fold(0.0, f64::max)
}

fn children(board: &Board) -> Vec<(Board, Delta)> {
    let moves = board.legal_moves();
    let child = |&mv| {
        let mut child = *board;
        let delta = child.play(mv);
        (child, delta)
    };
    moves.iter().map(child).collect()
}

/// A Markdown table of value networks, best first, and one of policies.
fn table(measured: &[Figures]) -> String {
    let mut values: Vec<_> = measured.iter().filter(|figures| figures.loss.is_some()).collect();
    values.sort_by(|a, b| a.loss.unwrap_or(0.0).total_cmp(&b.loss.unwrap_or(0.0)));
    let mut text = String::new();
    if !values.is_empty() {
        text += "| network | architecture | widths | out buckets | parameters | loss | evaluations/s |\n";
        text += "|---|---|---|---:|---:|---:|---:|\n";
    }
    for figures in values {
        let (loss, speed) = (figures.loss, figures.evaluations_per_second);
        let _ = writeln!(
            text,
            "{} {:.5} | {:.0} |",
            row_head(figures),
            loss.unwrap_or(f64::NAN),
            speed.unwrap_or(f64::NAN)
        );
    }
    let policies = measured.iter().filter_map(|figures| Some((figures, figures.policy?)));
    for (index, (figures, policy)) in policies.enumerate() {
        if index == 0 {
            text += "| policy | architecture | widths | out buckets | parameters | cross-entropy | uniform | top 1 | top 4 | top 8 |\n";
            text += "|---|---|---|---:|---:|---:|---:|---:|---:|---:|\n";
        }
        let PolicyFigures { cross_entropy, uniform, top1, top4, top8, .. } = policy;
        let [top1, top4, top8] = [top1, top4, top8].map(|share| 100.0 * share);
        let _ = writeln!(
            text,
            "{} {cross_entropy:.3} | {uniform:.3} | {top1:.1} % | {top4:.1} % | {top8:.1} % |",
            row_head(figures)
        );
    }
    text
}

/// The columns that all networks have.
fn row_head(figures: &Figures) -> String {
    let Figures { file, architecture, widths, output_buckets, parameters, .. } = figures;
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let widths: Vec<String> = widths.iter().map(u16::to_string).collect();
    format!("| {name} | {architecture} | {} | {output_buckets} | {parameters} |", widths.join(" "))
}
