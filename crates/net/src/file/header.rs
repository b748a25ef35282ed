// SPDX-License-Identifier: GPL-3.0-or-later
//! The header of a network file.

use std::ops::RangeInclusive;

use super::{MAX_LEN, NetFileError, hash::hash};

/// Which network a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Architecture {
    /// 768 → N → 1 in White's view.
    Nectar = 1,
    /// Four symmetry classes with product pooling.
    Rengar = 2,
    /// Convolutions with squeeze and excitation.
    Napoleon = 3,
    /// 640 → N without kings, the second layer chosen by the kings.
    Tal = 4,
    /// 768 → N → M → 1 beside a piece-square table.
    Batu = 5,
    /// Two mirrored views with king and output buckets.
    House = 6,
    /// Move probabilities for tree search.
    Policy = 7,
}

impl Architecture {
    /// All architectures.
    pub const ALL: [Self; 7] = [
        Self::Nectar,
        Self::Rengar,
        Self::Napoleon,
        Self::Tal,
        Self::Batu,
        Self::House,
        Self::Policy,
    ];

    /// What options, reports and recipes call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nectar => "nectar",
            Self::Rengar => "rengar",
            Self::Napoleon => "napoleon",
            Self::Tal => "tal",
            Self::Batu => "batu",
            Self::House => "house",
            Self::Policy => "policy",
        }
    }
}

/// What is done to the first layer's sums.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Activation {
    /// max(x, 0).
    Relu = 1,
    /// x clamped to 0 and 1.
    Crelu = 2,
    /// The square of x clamped to 0 and 1.
    Screlu = 3,
    /// Products of two clamped halves.
    Pairwise = 4,
    /// Products between symmetry classes.
    Product = 5,
    /// The hyperbolic tangent.
    Tanh = 6,
}

impl Activation {
    /// All activations.
    pub const ALL: [Self; 6] =
        [Self::Relu, Self::Crelu, Self::Screlu, Self::Pairwise, Self::Product, Self::Tanh];

    /// What reports call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relu => "relu",
            Self::Crelu => "crelu",
            Self::Screlu => "screlu",
            Self::Pairwise => "pairwise",
            Self::Product => "product",
            Self::Tanh => "tanh",
        }
    }
}

/// All that a file says about its network besides the weights.
///
/// ```text
/// byte  size
///    0    8  magic "QUINCNET"
///    8    2  format version, 1
///   10    1  architecture        11  1  activation
///   12    4  inputs
///   16    8  four widths of two bytes, those that the architecture has not got zero
///   24    1  input buckets       25  1  output buckets
///   26    2  flags
///   28    4  scale: points per unit of output
///   32    4  two quantization factors of two bytes
///   36    2  length of the name  38  2  length of the provenance
///   40    8  length of the whole file
///   48    8  zero
///   56    8  hash of the whole file, these eight bytes taken as zero
///   64       name, provenance, map of the king buckets (0, 32 or 64 bytes), tensors
/// ```
/// All numbers are little-endian.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Which network it is.
    pub architecture: Architecture,
    /// What is done to the first layer's sums.
    pub activation: Activation,
    /// How many features there are, those of all king buckets counted.
    pub inputs: u32,
    /// The widths of the layers, first to last; zero where the architecture has no such layer.
    pub widths: [u16; 4],
    /// How many sets of input weights the own king's square chooses from; zero if it does not.
    pub input_buckets: u8,
    /// How many sets of output weights the number of pieces chooses from; zero if it does not.
    pub output_buckets: u8,
    /// Choices of the architecture: [`Header::MIRRORED`], [`Header::CONCATENATED`] and
    /// [`Header::BOUNDED`].
    pub flags: u16,
    /// Points of evaluation per unit of output.
    pub scale: u32,
    /// What the first and the later layers' weights were multiplied with.
    pub quantization: [u16; 2],
    /// The network's name, at most [`Header::MAX_NAME`] bytes.
    pub name: String,
    /// What it was trained on, at most [`Header::MAX_PROVENANCE`] bytes.
    pub provenance: String,
    /// The bucket of each own king's square as its side sees it, a1 first: 32 squares of the files
    /// a to d if mirrored, otherwise 64. Empty without input buckets.
    pub bucket_map: Vec<u8>,
}

impl Header {
    /// Flag: boards are mirrored so that the own king stands on the files a to d.
    pub const MIRRORED: u16 = 1;
    /// Flag: the blocks of both kings are concatenated, not summed.
    pub const CONCATENATED: u16 = 2;
    /// Flag: the output passes through tanh, so that no evaluation is larger than the scale.
    pub const BOUNDED: u16 = 4;
    const FLAGS: u16 = Self::MIRRORED | Self::CONCATENATED | Self::BOUNDED;
    /// The longest name in bytes.
    pub const MAX_NAME: usize = 64;
    /// The longest provenance in bytes.
    pub const MAX_PROVENANCE: usize = 4096;
    /// The largest scale.
    pub const MAX_SCALE: u32 = 10_000;
    pub(crate) const MAGIC: [u8; 8] = *b"QUINCNET";
    pub(crate) const VERSION: u16 = 1;
    pub(crate) const LEN: usize = 64;
    const HASH: std::ops::Range<usize> = 56..64;

    /// A header with nothing but an architecture and an activation, to be filled in.
    pub const fn new(architecture: Architecture, activation: Activation) -> Self {
        Self {
            architecture,
            activation,
            inputs: 0,
            widths: [0; 4],
            input_buckets: 0,
            output_buckets: 0,
            flags: 0,
            scale: 400,
            quantization: [0; 2],
            name: String::new(),
            provenance: String::new(),
            bucket_map: Vec::new(),
        }
    }

    /// Whether a flag is set.
    pub const fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// A layer's width; zero if there is no such layer.
    pub fn width(&self, layer: usize) -> usize {
        self.widths[layer].into()
    }

    /// Refuses a number outside of a range.
    pub(crate) fn check<T: PartialOrd + std::fmt::Display>(
        field: &'static str,
        found: T,
        range: RangeInclusive<T>,
    ) -> Result<(), NetFileError> {
        if range.contains(&found) {
            return Ok(());
        }
        let (start, end) = (range.start(), range.end());
        let expected = if start == end { start.to_string() } else { format!("{start} to {end}") };
        Err(NetFileError::field(field, found, expected))
    }

    /// Refuses a width that is not a multiple of `step` from `step` to `max`.
    pub(crate) fn check_width(
        &self,
        layer: usize,
        step: usize,
        max: usize,
    ) -> Result<(), NetFileError> {
        const FIELDS: [&str; 4] = ["first width", "second width", "third width", "fourth width"];
        let width = self.width(layer);
        if width.is_multiple_of(step) && (step..=max).contains(&width) {
            return Ok(());
        }
        let expected = format!("a multiple of {step} up to {max}");
        Err(NetFileError::field(FIELDS[layer], width, expected))
    }

    /// Refuses a name or a provenance that could not be read back.
    pub(crate) fn check_texts(&self) -> Result<(), NetFileError> {
        for (field, text, max) in [
            ("name", &self.name, Self::MAX_NAME),
            ("provenance", &self.provenance, Self::MAX_PROVENANCE),
        ] {
            if text.len() > max {
                let found = format!("{} bytes long", text.len());
                return Err(NetFileError::field(field, found, format!("at most {max} bytes")));
            }
            if text.contains(char::is_control) {
                let found = format!("`{}`", text.escape_debug());
                return Err(NetFileError::field(field, found, "text on one line"));
            }
        }
        Ok(())
    }

    /// Reads the header of a whole file, whose hash it checks; the rest are the tensors.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, &[u8]), NetFileError> {
        let fixed = check_frame(bytes)?;
        let byte = |at: usize| fixed[at];
        let short = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let long = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| fixed[at + i]));
        let mut rest = &bytes[Self::LEN..];
        let mut header = Self {
            architecture: known("architecture", byte(10), &Architecture::ALL, |a| a as u8)?,
            activation: known("activation", byte(11), &Activation::ALL, |a| a as u8)?,
            inputs: long(12),
            widths: [16, 18, 20, 22].map(short),
            input_buckets: byte(24),
            output_buckets: byte(25),
            flags: short(26),
            scale: long(28),
            quantization: [32, 34].map(short),
            name: text("name", &mut rest, short(36).into(), Self::MAX_NAME)?,
            provenance: text("provenance", &mut rest, short(38).into(), Self::MAX_PROVENANCE)?,
            bucket_map: Vec::new(),
        };
        Self::check("flags", header.flags & !Self::FLAGS, 0..=0)?;
        Self::check("scale", header.scale, 1..=Self::MAX_SCALE)?;
        header.read_bucket_map(&mut rest)?;
        Ok((header, rest))
    }

    fn read_bucket_map(&mut self, rest: &mut &[u8]) -> Result<(), NetFileError> {
        let len = self.bucket_map_len();
        let Some((map, tail)) = rest.split_at_checked(len) else {
            return Err(NetFileError::field("length of the bucket map", rest.len(), len));
        };
        *rest = tail;
        for &bucket in map {
            Self::check("bucket map", bucket, 0..=self.input_buckets - 1)?;
        }
        self.bucket_map = map.to_vec();
        Ok(())
    }

    pub(crate) const fn bucket_map_len(&self) -> usize {
        match (self.input_buckets, self.has(Self::MIRRORED)) {
            (0, _) => 0,
            (_, true) => 32,
            (_, false) => 64,
        }
    }

    /// The bytes of the header, with the file's length and hash still to be filled in by `seal`.
    pub(crate) fn write(&self) -> Vec<u8> {
        assert!(self.name.len() <= Self::MAX_NAME, "a name is short");
        assert!(self.provenance.len() <= Self::MAX_PROVENANCE, "a provenance is short");
        assert_eq!(self.bucket_map.len(), self.bucket_map_len(), "the map fits the buckets");
        let mut bytes = Vec::from(Self::MAGIC);
        bytes.extend(Self::VERSION.to_le_bytes());
        bytes.extend([self.architecture as u8, self.activation as u8]);
        bytes.extend(self.inputs.to_le_bytes());
        bytes.extend(self.widths.iter().flat_map(|width| width.to_le_bytes()));
        bytes.extend([self.input_buckets, self.output_buckets]);
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(self.quantization.iter().flat_map(|factor| factor.to_le_bytes()));
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend((self.provenance.len() as u16).to_le_bytes());
        bytes.resize(Self::LEN, 0);
        bytes.extend(self.name.bytes());
        bytes.extend(self.provenance.bytes());
        bytes.extend(&self.bucket_map);
        bytes
    }

    /// Writes the length and the hash of a whole file into its header.
    pub(crate) fn seal(bytes: &mut [u8]) {
        let len = bytes.len() as u64;
        bytes[40..48].copy_from_slice(&len.to_le_bytes());
        let sum = hash(bytes, Self::HASH.start / 8);
        bytes[Self::HASH].copy_from_slice(&sum.to_le_bytes());
    }

    /// The hash that a whole file carries.
    pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|i| bytes[Self::HASH.start + i]))
    }
}

/// Checks what does not depend on the architecture: magic, version, length and hash.
fn check_frame(bytes: &[u8]) -> Result<&[u8; Header::LEN], NetFileError> {
    let Some(fixed) = bytes.first_chunk::<{ Header::LEN }>() else {
        let expected = format!("at least {} bytes", Header::LEN);
        return Err(NetFileError::field("length of the file", bytes.len(), expected));
    };
    let magic = &fixed[..Header::MAGIC.len()];
    if magic != Header::MAGIC {
        let (found, expected) = (magic.escape_ascii(), Header::MAGIC.escape_ascii());
        return Err(NetFileError::field("magic", format!("`{found}`"), format!("`{expected}`")));
    }
    let version = u16::from_le_bytes([fixed[8], fixed[9]]);
    Header::check("format version", version, Header::VERSION..=Header::VERSION)?;
    let declared = u64::from_le_bytes(std::array::from_fn(|i| fixed[40 + i]));
    Header::check("length of the file", bytes.len() as u64, declared..=declared)?;
    Header::check("length of the file", declared, 0..=MAX_LEN)?;
    if fixed[48..56] != [0; 8] {
        return Err(NetFileError::field("reserved field", fixed[48..56].escape_ascii(), "zeros"));
    }
    let found = Header::hash_of(bytes);
    let expected = hash(bytes, Header::HASH.start / 8);
    if found != expected {
        let [found, expected] = [found, expected].map(|hash| format!("{hash:016x}"));
        return Err(NetFileError::field("hash", found, expected));
    }
    Ok(fixed)
}

/// Finds the variant with this number.
fn known<T: Copy>(
    field: &'static str,
    found: u8,
    all: &[T],
    number: impl Fn(T) -> u8,
) -> Result<T, NetFileError> {
    let expected = || format!("1 to {}", all.len());
    let variant = all.iter().copied().find(|&variant| number(variant) == found);
    variant.ok_or_else(|| NetFileError::field(field, found, expected()))
}

/// Takes a text off the front of `rest`.
fn text(
    field: &'static str,
    rest: &mut &[u8],
    len: usize,
    max: usize,
) -> Result<String, NetFileError> {
    let expected = || format!("at most {max} bytes within the file");
    let in_file = rest.split_at_checked(len).filter(|_| len <= max);
    let Some((head, tail)) = in_file else {
        return Err(NetFileError::field(field, format!("{len} bytes long"), expected()));
    };
    *rest = tail;
    match std::str::from_utf8(head) {
        Ok(text) if !text.contains(char::is_control) => Ok(text.to_owned()),
        _ => {
            let found = format!("`{}`", head.escape_ascii());
            Err(NetFileError::field(field, found, "text in UTF-8 on one line"))
        }
    }
}
