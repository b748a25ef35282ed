// SPDX-License-Identifier: GPL-3.0-or-later
//! Raw quantized networks as the bullet trainer writes them.

use crate::arch::{House, Net};
use crate::features::{Features, HouseFeatures};
use crate::format::{Activation, Architecture, Header, NetFileError};

/// What a raw `(768 × buckets → N) × 2 → 1 × buckets` network with SCReLU does not say of itself.
///
/// The file holds nothing but little-endian numbers of 16 bits:
///
/// ```text
/// l0w  [king bucket][768][N]     times QA; 384·theirs + 64·role + square in each bucket
/// l0b  [N]                       times QA
/// l1w  [output bucket][2·N]      times QB; the mover's view first
/// l1b  [output bucket]           times QA·QB
/// ```
/// then fewer than 64 bytes to fill the last 64. With several output buckets, `l1w` must have been
/// saved transposed, as bullet's examples do. N follows from the length.
///
/// ```
/// use net::{Architecture, Net, import::BulletLayout};
/// let raw = vec![0; 2 * (768 * 32 + 32 + 64 + 1)];
/// let net = BulletLayout::plain().read(&raw).unwrap();
/// assert_eq!((net.header().architecture, net.header().width(0)), (Architecture::House, 32));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BulletLayout {
    /// Whether boards were mirrored so that the own king stands on the files a to d.
    pub is_mirrored: bool,
    /// The bucket of each king's square: 32 if mirrored, otherwise 64.
    pub bucket_map: Vec<u8>,
    /// How many output buckets there are, chosen by the number of pieces.
    pub output_buckets: u8,
    /// What the weights of both layers were multiplied with: QA and QB, 255 and 64 in bullet's examples.
    pub quantization: [u16; 2],
    /// Points per unit of output, 400 in bullet's examples.
    pub scale: u32,
    /// The name that the network gets.
    pub name: String,
}

impl BulletLayout {
    /// Files are filled up to a multiple of this.
    const PADDING: usize = 64;

    /// Neither mirroring nor buckets.
    pub fn plain() -> Self {
        Self {
            is_mirrored: false,
            bucket_map: vec![0; 64],
            output_buckets: 1,
            quantization: [House::QA, 64],
            scale: 400,
            name: "bullet".to_owned(),
        }
    }

    /// Reads a raw network.
    pub fn read(&self, bytes: &[u8]) -> Result<Net, NetFileError> {
        let header = self.header(bytes.len())?;
        let (n, inputs) = (header.width(0), header.inputs as usize);
        let outputs = usize::from(self.output_buckets);
        let numbers: Vec<i16> =
            bytes.as_chunks().0.iter().map(|&chunk| i16::from_le_bytes(chunk)).collect();
        let (l0w, rest) = numbers.split_at(inputs * n);
        let (l0b, rest) = rest.split_at(n);
        let (l1w, rest) = rest.split_at(outputs * 2 * n);
        let l1b: Vec<i32> = rest[..outputs].iter().map(|&bias| bias.into()).collect();
        Net::from_tensors(&header, |tensors| {
            tensors.i16(l0w);
            tensors.i16(l0b);
            tensors.i16(l1w);
            tensors.i32(&l1b);
        })
    }

    /// The header of a raw file of this length, from which its width follows.
    fn header(&self, len: usize) -> Result<Header, NetFileError> {
        let squares = if self.is_mirrored { 32 } else { 64 };
        Header::check("length of the bucket map", self.bucket_map.len(), squares..=squares)?;
        Header::check("output buckets", self.output_buckets, 1..=House::MAX_OUTPUT_BUCKETS)?;
        let buckets = self.bucket_map.iter().max().map_or(0, |&bucket| bucket.saturating_add(1));
        Header::check("input buckets", buckets, 1..=House::MAX_INPUT_BUCKETS)?;
        let inputs = HouseFeatures::LEN * usize::from(buckets);
        let outputs = usize::from(self.output_buckets);
        let per_lane = inputs + 1 + 2 * outputs;
        let width = (len / 2).saturating_sub(outputs) / per_lane;
        let exact = 2 * (width * per_lane + outputs);
        let expected = exact..=exact + Self::PADDING - 1;
        Header::check("length of the raw network", len, expected)?;
        Header::check("first width", width, 16..=House::MAX_WIDTH)?;
        let mut header = Header::new(Architecture::House, Activation::Screlu);
        header.inputs = inputs as u32;
        header.widths[0] = width as u16;
        (header.input_buckets, header.output_buckets) = (buckets, self.output_buckets);
        header.flags = if self.is_mirrored { Header::MIRRORED } else { 0 };
        header.quantization = self.quantization;
        header.scale = self.scale;
        header.bucket_map.clone_from(&self.bucket_map);
        header.name.clone_from(&self.name);
        "imported from a raw network in bullet's layout".clone_into(&mut header.provenance);
        Ok(header)
    }
}
