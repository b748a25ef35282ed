// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of [`Record`](crate::Record)s, `.qrec`: a header of 64 bytes, then the records.
//!
//! ```text
//! byte  0  8 bytes  "QUINREC" and a zero
//!       8  u32      version, 1
//!      12  u32      bytes per record, 32
//!      16  u64      number of records
//!      24  u64      games from which they come, 0 if they come from none
//!      32  u64      hash of the records, see `Checksum`
//!      40  u8       what scores count: `c` centipawns, `p` points of a network, 0 not said
//!      41  23 bytes zero
//! ```

mod common_unit;
mod file;
mod header;
mod reader;
mod writer;

pub use common_unit::common_unit;
pub use file::RecordFile;
pub use header::{Checksum, Header};
pub use reader::RecordReader;
pub use writer::RecordWriter;
