// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx net info`: what a file holds.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use net::Header;
use net::file::{Contents, TensorView};

use super::NetSummary;
use crate::commands::print_json;

/// Show what network files hold.
#[derive(Args, Debug)]
pub(super) struct NetInfo {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object for each file
    #[arg(long)]
    json: bool,
}

impl NetInfo {
    pub(super) fn run(&self) -> Result<()> {
        for path in &self.files {
            let bytes = super::read(path)?;
            let contents = super::contents(path, &bytes)?;
            if self.json {
                print_json(&NetSummary::new(&contents))?;
                continue;
            }
            let mut out = io::stdout().lock();
            writeln!(out, "{}", path.display())?;
            for (field, value) in fields(&contents, bytes.len()) {
                writeln!(out, "  {field:<13} {value}")?;
            }
            writeln!(out, "  tensors")?;
            for tensor in &contents.tensors {
                writeln!(out, "    {}", TensorLine::new(tensor))?;
            }
        }
        Ok(())
    }
}

/// The header's fields in words; those that say nothing are left out.
fn fields(contents: &Contents<'_>, bytes: usize) -> Vec<(&'static str, String)> {
    let summary = NetSummary::new(contents);
    let header = &contents.header;
    let widths: Vec<String> = summary.widths.iter().map(u16::to_string).collect();
    let mirrored = if header.has(Header::MIRRORED) { ", mirrored" } else { "" };
    let joined = if header.has(Header::CONCATENATED) { ", blocks concatenated" } else { "" };
    let bounded = if header.has(Header::BOUNDED) { ", bounded by tanh" } else { "" };
    let mut fields = vec![
        ("name", header.name.clone()),
        ("trained on", header.provenance.clone()),
        ("architecture", format!("{}, {}{bounded}", summary.architecture, summary.activation)),
        ("inputs", format!("{}{mirrored}", header.inputs)),
        ("widths", format!("{}{joined}", widths.join(" "))),
    ];
    if header.input_buckets > 0 {
        fields.push(("king buckets", header.input_buckets.to_string()));
    }
    if header.input_buckets > 1 {
        let per_rank = header.bucket_map.len() / 8;
        let ranks = header.bucket_map.chunks(per_rank).rev();
        let line = |rank: &[u8]| rank.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        fields.extend(ranks.map(|rank| ("", line(rank))));
    }
    if header.output_buckets > 0 {
        fields.push(("out buckets", header.output_buckets.to_string()));
    }
    let factors = match header.quantization {
        [0, 0] => String::new(),
        [first, later] => format!(", quantized by {first} and {later}"),
    };
    fields.extend([
        ("scale", format!("{}{factors}", header.scale)),
        ("parameters", format!("{} in {bytes} bytes", summary.parameters)),
        ("hash", summary.hash),
    ]);
    fields
}

/// A tensor in one line: how many numbers of which kind, between which limits.
struct TensorLine {
    name: &'static str,
    kind: &'static str,
    count: usize,
    least: f64,
    most: f64,
    /// The root of the mean square.
    rms: f64,
}

impl TensorLine {
    fn new(tensor: &TensorView<'_>) -> Self {
        let count = tensor.numbers().len();
        Self {
            name: tensor.name(),
            kind: tensor.kind().name(),
            count,
            least: tensor.numbers().fold(f64::INFINITY, f64::min),
            most: tensor.numbers().fold(f64::NEG_INFINITY, f64::max),
            rms: (tensor.numbers().map(|x| x * x).sum::<f64>() / count.max(1) as f64).sqrt(),
        }
    }
}

impl std::fmt::Display for TensorLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, kind, count, least, most, rms } = self;
        let digits = if *kind == "f32" { 4 } else { 0 };
        write!(f, "{name:<24} {kind:<4} {count:>9}  {least:.digits$} to {most:.digits$}")?;
        write!(f, ", rms {rms:.*}", if *kind == "f32" { 4 } else { 1 })
    }
}
