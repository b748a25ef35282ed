// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks in the layouts of other programs.

mod batu;
mod bullet;
mod tal;

pub use batu::{read_weights_txt, write_weights_txt};
pub use bullet::BulletLayout;
pub use tal::TalCsv;
