// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests and the fuzzer share.

pub(crate) mod fuzzer;
