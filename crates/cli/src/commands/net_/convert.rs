// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx net convert`: from and to other programs' layouts.

mod buckets;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::error::ErrorKind;
use clap::{Args, ValueEnum};
use net::import::{self, BulletLayout, NectarBins, RengarSources, TalCsv, write_weights_txt};
use net::{Header, House, Net, file};

use self::buckets::BucketMap;
use super::NetSummary;
use crate::commands::print_json;
use crate::output;

/// Convert a network from another program's layout, or to one.
#[derive(Args, Debug)]
pub(super) struct Convert {
    /// The network: a file, or a folder with the files of Nectar, Rengar or Tal
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(value_name = "OUT", required_unless_present = "out")]
    target: Option<PathBuf>,
    /// The file to write, as a flag
    #[arg(long, value_name = "OUT", conflicts_with = "target")]
    out: Option<PathBuf>,
    /// The layout of the network [default: what the file looks like]
    #[arg(long, value_enum, value_name = "LAYOUT")]
    from: Option<Layout>,
    /// The layout to write
    #[arg(long, value_enum, value_name = "LAYOUT", default_value = "qnet")]
    to: Target,
    /// The network's new name
    #[arg(long)]
    name: Option<String>,
    /// What to note as its training data
    #[arg(long, value_name = "TEXT")]
    trained_on: Option<String>,
    #[command(flatten)]
    raw: Raw,
    /// Print one JSON object with what `net info` would tell
    #[arg(long)]
    json: bool,
}

/// What a raw network does not tell of itself.
#[derive(Args, Debug)]
struct Raw {
    /// bullet: boards were mirrored so that the own king stands on the files a to d
    #[arg(long)]
    mirrored: bool,
    /// bullet: the bucket of each king's square from a1 on, 32 numbers of the files a to d if
    /// mirrored, otherwise 64; or a file with them; or 1
    #[arg(long, value_name = "MAP")]
    buckets: Option<BucketMap>,
    /// bullet: how many output buckets there are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    output_buckets: Option<u8>,
    /// bullet: what the first layer's weights were multiplied with [default: 255]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=i64::from(House::MAX_QA)))]
    qa: Option<u16>,
    /// bullet: what the output layer's weights were multiplied with [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=255))]
    qb: Option<u16>,
    /// bullet: points per unit of output [default: 400]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(Header::MAX_SCALE)))]
    scale: Option<u32>,
}

/// Where a network comes from.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// Our own file
    Qnet,
    /// A raw quantized network (768xB -> N)x2 -> 1xO with SCReLU, as the bullet trainer writes it
    Bullet,
    /// A text of weights, as Batu has it
    Batu,
    /// A folder with four files of floats, as Nectar has them
    Nectar,
    /// A folder with pst.cpp and hidden.cpp, as Rengar has them
    Rengar,
    /// A folder of CSV files, as Tal has them
    Tal,
}

/// What is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// Our own file
    Qnet,
    /// A text of weights, as Batu has it
    Batu,
}

impl Convert {
    pub(super) fn run(&self) -> Result<()> {
        let layout = self.layout()?;
        if layout != Layout::Bullet {
            self.raw.refuse();
        }
        let bytes = self.load(layout)?;
        let fallback = (layout != Layout::Qnet).then(|| default_name(&self.file));
        let name = self.name.as_deref().or(fallback.as_deref());
        let bytes = file::relabel(&bytes, name, self.trained_on.as_deref())?;
        let out = self.target.as_ref().or(self.out.as_ref()).expect("clap asks for one of them");
        match self.to {
            Target::Qnet => output::write(out, &bytes)?,
            Target::Batu => output::write(out, weights_txt(&bytes)?.as_bytes())?,
        }
        let summary = NetSummary::new(&super::contents(out, &bytes)?);
        if self.json && out != Path::new("-") {
            return print_json(&summary);
        }
        eprintln!("{}: {}", out.display(), summary.line());
        Ok(())
    }

    /// The layout asked for, or that which the file seems to have.
    fn layout(&self) -> Result<Layout> {
        match (self.from, import::Layout::of(&self.file)) {
            (Some(layout), _) => Ok(layout),
            (None, Some(import::Layout::Batu)) => Ok(Layout::Batu),
            (None, Some(import::Layout::Nectar)) => Ok(Layout::Nectar),
            (None, Some(import::Layout::Rengar)) => Ok(Layout::Rengar),
            (None, Some(import::Layout::Tal)) => Ok(Layout::Tal),
            (None, None) if self.file.is_dir() => bail!(
                "`{}` holds no network's files: expected {}, {}, or {}",
                self.file.display(),
                TalCsv::FILES[0],
                RengarSources::FILES.join(" and "),
                NectarBins::ENDINGS.map(|end| format!("*{end}")).join(", "),
            ),
            (None, None) if super::read(&self.file)?.starts_with(b"QUINCNET") => Ok(Layout::Qnet),
            (None, None) => bail!(
                "`{}` does not tell what it is: say --from bullet, batu, nectar, rengar or tal",
                self.file.display()
            ),
        }
    }

    /// The network as the bytes of our own file.
    fn load(&self, layout: Layout) -> Result<Vec<u8>> {
        let path = &self.file;
        let layout = match layout {
            Layout::Qnet => {
                let bytes = super::read(path)?;
                super::contents(path, &bytes)?;
                return Ok(bytes);
            }
            Layout::Bullet => {
                let net = self.raw.layout().read(&super::read(path)?);
                return Ok(net.with_context(|| super::named(path))?.to_bytes());
            }
            Layout::Batu => import::Layout::Batu,
            Layout::Nectar => import::Layout::Nectar,
            Layout::Rengar => import::Layout::Rengar,
            Layout::Tal => import::Layout::Tal,
        };
        let imported = layout.read(path, "imported").with_context(|| super::named(path))?;
        eprintln!("{}: taken for {}", path.display(), imported.taken_for);
        Ok(imported.net.to_bytes())
    }
}

impl Raw {
    fn layout(&self) -> BulletLayout {
        let plain = BulletLayout::plain();
        let squares = if self.mirrored { 32 } else { 64 };
        BulletLayout {
            is_mirrored: self.mirrored,
            bucket_map: self.buckets.as_ref().map_or(vec![0; squares], |map| map.of(squares)),
            output_buckets: self.output_buckets.unwrap_or(plain.output_buckets),
            quantization: [
                self.qa.unwrap_or(plain.quantization[0]),
                self.qb.unwrap_or(plain.quantization[1]),
            ],
            scale: self.scale.unwrap_or(plain.scale),
            ..plain
        }
    }

    /// Ends the program if something was said of a network that tells it itself.
    fn refuse(&self) {
        let said = [
            ("--mirrored", self.mirrored),
            ("--buckets", self.buckets.is_some()),
            ("--output-buckets", self.output_buckets.is_some()),
            ("--qa", self.qa.is_some()),
            ("--qb", self.qb.is_some()),
            ("--scale", self.scale.is_some()),
        ];
        if let Some((flag, _)) = said.into_iter().find(|(_, is_said)| *is_said) {
            let text = format!("{flag} is only for networks `--from bullet`\n");
            clap::Error::raw(ErrorKind::ArgumentConflict, text).exit();
        }
    }
}

/// The network as Batu's text, if it is one of that architecture.
fn weights_txt(bytes: &[u8]) -> Result<String> {
    let net = Net::from_bytes(bytes)?;
    let header = net.header();
    let is_bounded = header.has(Header::BOUNDED);
    let Net::Batu(batu) = &net else {
        let architecture = header.architecture.name();
        bail!("a network of architecture {architecture} has no weights.txt, only batu has");
    };
    if !is_bounded || header.scale != 600 {
        let (scale, output) = (header.scale, if is_bounded { "tanh" } else { "the sum" });
        eprintln!(
            "note: Batu's program evaluates this as 600 times tanh, the network as {scale} times \
             {output}: alike near zero, and in the same order. The text's last line tells us the \
             difference, so that it comes back unchanged"
        );
    }
    Ok(write_weights_txt(batu)?)
}

/// A network without a name is called like its file.
fn default_name(path: &Path) -> String {
    fs::canonicalize(path)
        .ok()
        .and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .filter(|name| name.len() <= Header::MAX_NAME && !name.contains(char::is_control))
        .unwrap_or_else(|| "unnamed".to_owned())
}
