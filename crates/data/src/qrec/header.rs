// SPDX-License-Identifier: GPL-3.0-or-later
//! The first 64 bytes of a file of records.

use bytemuck::{Pod, Zeroable, bytes_of, pod_read_unaligned};
use tools::random::mix;

use crate::{Record, Unit};

const MAGIC: [u8; 8] = *b"QUINREC\0";
const VERSION: u32 = 1;

/// What a file of records says of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// How many records follow.
    pub records: u64,
    /// From how many games they come; 0 if they do not come from games.
    pub games: u64,
    /// The [`Checksum`] of all records.
    pub checksum: u64,
    /// What the scores count, if the file says so.
    pub unit: Option<Unit>,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Layout {
    magic: [u8; 8],
    version: u32,
    record_size: u32,
    records: u64,
    games: u64,
    checksum: u64,
    unit: u8,
    reserved: [u8; 23],
}

impl Header {
    /// The size in bytes.
    pub const SIZE: usize = size_of::<Layout>();

    /// Whether a file that begins so is one of records.
    pub(crate) fn is_start_of(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let layout = Layout {
            magic: MAGIC,
            version: VERSION.to_le(),
            record_size: (Record::SIZE as u32).to_le(),
            records: self.records.to_le(),
            games: self.games.to_le(),
            checksum: self.checksum.to_le(),
            unit: Unit::mark(self.unit),
            reserved: [0; 23],
        };
        bytes_of(&layout).to_vec()
    }

    /// Reads a header, or says what is wrong with it.
    pub(super) fn from_bytes(bytes: &[u8; Self::SIZE]) -> Result<Self, String> {
        let layout: Layout = pod_read_unaligned(bytes);
        let version = u32::from_le(layout.version);
        let record_size = u32::from_le(layout.record_size);
        if layout.magic != MAGIC {
            return Err("expected a file of records, which begins with `QUINREC`".to_owned());
        }
        if version != VERSION {
            return Err(format!("expected version {VERSION} of the format, found {version}"));
        }
        if record_size as usize != Record::SIZE {
            return Err(format!("expected records of {} bytes, found {record_size}", Record::SIZE));
        }
        let unit = Unit::from_mark(layout.unit);
        if unit.is_none() && layout.unit != 0 {
            let found = layout.unit;
            return Err(format!(
                "expected a unit of scores (0, 99 or 112) at byte 40, found {found}"
            ));
        }
        Ok(Self {
            unit,
            records: u64::from_le(layout.records),
            games: u64::from_le(layout.games),
            checksum: u64::from_le(layout.checksum),
        })
    }
}

/// A hash of records in their order, as far as it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checksum(u64);

impl Checksum {
    /// Takes in further records.
    pub fn add(&mut self, records: &[Record]) {
        for record in records {
            let [a, b, c, d]: [[u8; 8]; 4] = bytemuck::cast(*record);
            // The parts do not wait for each other, so that this keeps up with any disk.
            let words = [a, b, c, d].map(u64::from_le_bytes);
            let mixed = mix(words[0] ^ words[1].rotate_left(19))
                ^ mix(words[2].rotate_left(7) ^ words[3]).rotate_left(32);
            self.0 = (self.0.rotate_left(5) ^ mixed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    /// The number that goes into the header.
    pub const fn value(self) -> u64 {
        self.0
    }
}
