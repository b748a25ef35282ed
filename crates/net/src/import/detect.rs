// SPDX-License-Identifier: GPL-3.0-or-later
//! What a file or a folder holds, by its looks.

use std::path::{Path, PathBuf};

use super::{Imported, NectarBins, RengarSources, TalCsv, read_weights_txt};
use crate::arch::Net;
use crate::file;
use crate::format::NetFileError;

/// The layouts that tell by their looks what they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A text of weights, as Batu has it.
    Batu,
    /// A folder with four files of floats, as Nectar has them.
    Nectar,
    /// A folder with two source files, as Rengar has them.
    Rengar,
    /// A folder of ten files of comma-separated values, as Tal has them.
    Tal,
}

impl Layout {
    /// What a path seems to hold, if it is not one of our own files.
    pub fn of(path: &Path) -> Option<Self> {
        if path.is_file() {
            let is_text = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt"));
            return is_text.then_some(Self::Batu);
        }
        if path.join(TalCsv::FILES[0]).is_file() {
            Some(Self::Tal)
        } else if path.join(RengarSources::FILES[0]).is_file() {
            Some(Self::Rengar)
        } else {
            nectar_file(path, NectarBins::ENDINGS[0]).is_ok().then_some(Self::Nectar)
        }
    }

    /// Reads a network in this layout and calls it `name`.
    pub fn read(self, path: &Path, name: &str) -> Result<Imported, NetFileError> {
        let text = |path: &Path| {
            let text = String::from_utf8(read_part(path)?);
            text.map_err(|_| NetFileError::field("a file of weights", "no text", "text in UTF-8"))
        };
        match self {
            Self::Batu => read_weights_txt(&text(path)?, name),
            Self::Nectar => read_nectar(path, name),
            Self::Rengar => {
                let [tables, hidden] = RengarSources::FILES.map(|file| text(&path.join(file)));
                let sources = RengarSources { tables: &tables?, hidden: &hidden? };
                let net = sources.read(name)?;
                Ok(with_widths(net, "Rengar's pst.cpp and hidden.cpp"))
            }
            Self::Tal => {
                let texts = TalCsv::FILES.iter().map(|file| text(&path.join(file)));
                let texts = texts.collect::<Result<Vec<_>, _>>()?;
                let net = TalCsv::from_files(std::array::from_fn(|i| texts[i].as_str()));
                Ok(with_widths(net.read(name)?, "the CSV files of Tal's hand"))
            }
        }
    }
}

/// Reads our own file, or what another program left, if it tells by its looks what it is. Of the latter
/// it says what it was taken for.
pub fn read_path(path: &Path) -> Result<(Net, Option<String>), NetFileError> {
    let Some(layout) = Layout::of(path) else { return Ok((Net::read(path)?, None)) };
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
    let name = name.filter(|name| name.len() <= 64 && !name.contains(char::is_control));
    let imported = layout.read(path, name.as_deref().unwrap_or("imported"))?;
    Ok((imported.net, Some(imported.taken_for)))
}

/// Reads one of a network's files. A folder has several, so an error names the file.
fn read_part(path: &Path) -> Result<Vec<u8>, NetFileError> {
    file::read(path).map_err(|error| match error {
        NetFileError::Io(io) => {
            let text = format!("{}: {io}", path.display());
            NetFileError::Io(std::io::Error::new(io.kind(), text))
        }
        other => other,
    })
}

fn read_nectar(folder: &Path, name: &str) -> Result<Imported, NetFileError> {
    let read = |ending| read_part(&nectar_file(folder, ending)?);
    let [first_weights, first_bias, output_weights, output_bias] = NectarBins::ENDINGS.map(read);
    let bins = NectarBins {
        first_weights: &first_weights?,
        first_bias: &first_bias?,
        output_weights: &output_weights?,
        output_bias: &output_bias?,
    };
    Ok(with_widths(bins.read(name)?, "Nectar's files of floats"))
}

/// The one file of a folder whose name ends so.
fn nectar_file(folder: &Path, ending: &'static str) -> Result<PathBuf, NetFileError> {
    let paths = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let ends = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ending))
    };
    let mut found: Vec<PathBuf> = paths.filter(ends).collect();
    if found.len() == 1 {
        return Ok(found.remove(0));
    }
    let text = format!("{} files in `{}`", found.len(), folder.display());
    Err(NetFileError::field(ending, text, "one"))
}

/// A network with what it was taken for and its sizes.
fn with_widths(net: Net, what: &str) -> Imported {
    let header = net.header();
    let widths =
        header.widths.iter().filter(|&&width| width > 0).map(|width| format!(" -> {width}"));
    let widths: String = widths.collect();
    let taken_for = format!("{what}: {}{widths} -> 1, times {}", header.inputs, header.scale);
    Imported { net, taken_for }
}
