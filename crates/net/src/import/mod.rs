// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks in the layouts of other programs.

mod batu;
mod bullet;
mod detect;
mod nectar;
mod rengar;
mod tal;

pub use batu::{read_weights_txt, write_weights_txt};
pub use bullet::BulletLayout;
pub use detect::{Layout, read_path};
pub use nectar::NectarBins;
pub use rengar::RengarSources;
pub use tal::TalCsv;

use crate::arch::Net;

/// A network from another program's files.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The network.
    pub net: Net,
    /// What the files were taken for, as part of a sentence.
    pub taken_for: String,
}
