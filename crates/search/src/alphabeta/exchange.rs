// SPDX-License-Identifier: GPL-3.0-or-later
//! What pieces are worth in static exchange evaluation.

use chess::{ByRole, PieceValues};

/// What pieces count in exchanges, in points.
pub(super) const SEE_VALUES: PieceValues = ByRole([100, 320, 330, 500, 950, 0]);
