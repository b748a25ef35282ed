// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx net`: network files.

mod convert;
mod diff;
mod info;
mod measure;
mod picture;
mod verify;

use std::path::Path;

use ::net::Header;
use ::net::file::{self, Contents};
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::input;

pub(crate) use picture::first_layer;

/// Look at network files; check, convert, compare and draw them.
#[derive(Args, Debug)]
pub(crate) struct NetCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Info(info::NetInfo),
    Verify(verify::Verify),
    Convert(Box<convert::Convert>),
    Diff(diff::Diff),
    Measure(measure::Measure),
    Picture(Box<picture::Picture>),
}

impl NetCommand {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.action {
            Action::Info(info) => info.run(),
            Action::Verify(verify) => verify.run(),
            Action::Convert(convert) => convert.run(),
            Action::Diff(diff) => diff.run(),
            Action::Measure(measure) => measure.run(),
            Action::Picture(picture) => picture.run(),
        }
    }
}

/// The bytes of a file, not yet checked.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    file::read_from(input::open(path)?).with_context(|| named(path))
}

/// What a sound file holds.
pub(crate) fn contents<'a>(path: &Path, bytes: &'a [u8]) -> Result<Contents<'a>> {
    Contents::read(bytes).with_context(|| named(path))
}

/// How messages name a file.
fn named(path: &Path) -> String {
    format!("`{}`", path.display())
}

/// A network without its weights, as scripts see it.
#[derive(Serialize, Debug)]
struct NetSummary {
    architecture: &'static str,
    inputs: u32,
    widths: Vec<u16>,
    buckets: Buckets,
    activation: &'static str,
    parameters: usize,
    hash: String,
    name: String,
    trained_on: String,
}

#[derive(Serialize, Debug)]
struct Buckets {
    input: u8,
    output: u8,
}

impl NetSummary {
    fn new(contents: &Contents<'_>) -> Self {
        let Header { architecture, activation, inputs, name, provenance, .. } = &contents.header;
        let header = &contents.header;
        Self {
            architecture: architecture.name(),
            inputs: *inputs,
            widths: header.widths.into_iter().filter(|&width| width > 0).collect(),
            buckets: Buckets { input: header.input_buckets, output: header.output_buckets },
            activation: activation.name(),
            parameters: contents.parameters(),
            hash: format!("{:016x}", contents.hash),
            name: name.clone(),
            trained_on: provenance.clone(),
        }
    }

    /// One line for people.
    fn line(&self) -> String {
        let Self { architecture, parameters, hash, name, .. } = self;
        format!("{architecture}, {parameters} parameters, hash {hash}, `{name}`")
    }
}
