// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx net picture`: weights and activations as heat maps.

mod activations;
mod weights;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::Args;
use net::policy::Policy;
use net::{Architecture, Header, Net};

use self::activations::Seen;
use crate::commands::FenArg;
use crate::output;
use crate::picture::{PictureFile, Scene};

/// Draw the first layer's weights by piece and square, or what a position awakens.
#[derive(Args, Debug)]
pub(super) struct Picture {
    /// The network
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The picture, .svg or .png [default: an SVG beside the network]
    #[arg(long, value_name = "PICTURE")]
    out: Option<PictureFile>,
    /// Draw the activations of this position: a FEN, or `startpos`
    #[arg(long)]
    fen: Option<FenArg>,
    /// At most so many units, the strongest first
    #[arg(long, value_name = "N", default_value = "24", conflicts_with = "fen",
          value_parser = clap::value_parser!(u16).range(1..=512))]
    units: u16,
    /// Which king bucket's weights; of a policy, those of pieces that are neither attacked nor
    /// defended (0), defended (1), attacked (2), or both (3)
    #[arg(long, value_name = "N", default_value = "0", conflicts_with = "fen")]
    bucket: usize,
}

/// A network of either kind.
enum Loaded {
    Value(Arc<Net>),
    Policy(Arc<Policy>),
}

impl Loaded {
    fn read(path: &Path) -> Result<Self> {
        let bytes = super::read(path)?;
        let contents = super::contents(path, &bytes)?;
        Ok(match contents.header.architecture {
            Architecture::Policy => Self::Policy(Arc::new(Policy::from_bytes(&bytes)?)),
            _ => Self::Value(Arc::new(Net::from_bytes(&bytes)?)),
        })
    }

    fn header(&self) -> &Header {
        match self {
            Self::Value(net) => net.header(),
            Self::Policy(policy) => policy.header(),
        }
    }

    /// The network's name and architecture.
    fn title(&self) -> String {
        let header = self.header();
        format!("{} ({})", header.name, header.architecture.name())
    }
}

/// Around everything.
const MARGIN: u32 = 16;
/// Below a line of text.
const LINE: u32 = 20;

impl Picture {
    pub(super) fn run(&self) -> Result<()> {
        let network = Loaded::read(&self.file)?;
        let mut scene = match &self.fen {
            Some(fen) => activations::draw(&network, &Seen::new(&network, &fen.0)),
            None => draw_weights(&network, self.bucket, self.units.into())?,
        };
        scene.pad(MARGIN);
        let is_input = self.file.as_os_str() == "-";
        ensure!(self.out.is_some() || !is_input, "--out is needed with standard input");
        let out = self.out.clone().unwrap_or_else(|| PictureFile::beside(&self.file));
        scene.write(&out)?;
        if out.path.as_os_str() == "-" {
            return Ok(());
        }
        output::print(&format!("{}\n", out.path.display()))
    }
}

/// The first layer of the network in a file, its strongest `units`.
pub(crate) fn first_layer(path: &Path, units: usize) -> Result<Scene> {
    let mut scene = draw_weights(&Loaded::read(path)?, 0, units)?;
    scene.pad(MARGIN);
    Ok(scene)
}

fn draw_weights(network: &Loaded, bucket: usize, units: usize) -> Result<Scene> {
    let weights = match network {
        Loaded::Value(net) => net.first_weights(bucket),
        Loaded::Policy(policy) => policy.first_weights(bucket),
    };
    Ok(weights::draw(&network.title(), &weights?, units))
}
