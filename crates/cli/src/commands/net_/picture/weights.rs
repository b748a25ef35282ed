// SPDX-License-Identifier: GPL-3.0-or-later
//! The first layer: a row of small boards for each unit, one board for each kind of piece.

use net::FirstWeights;

use super::{LINE, MARGIN};
use crate::picture::Scene;

/// Pixels of a square.
const CELL: u32 = 7;
/// From one board to the next.
const PITCH: u32 = 8 * CELL + 8;
/// Room for the units' numbers.
const LEFT: u32 = MARGIN + 40;
/// Room for the title and the kinds' names, which have up to three words.
const TOP: u32 = MARGIN + 2 * LINE + 3 * WORD - 4;
const WORD: u32 = 10;
/// Weights beyond this share of all get the full color, so that a few large ones do not make all
/// others pale.
const FULL: f64 = 0.995;

/// Draws the strongest units, at most so many.
pub(super) fn draw(title: &str, weights: &FirstWeights, most: usize) -> Scene {
    let mut units: Vec<usize> = (0..weights.units()).collect();
    units.sort_by(|&a, &b| weights.strength(b).total_cmp(&weights.strength(a)));
    units.truncate(most);
    let full = full_color(weights, &units);
    let mut scene = Scene::new();
    let (shown, all) = (units.len(), weights.units());
    scene.label([MARGIN, MARGIN], 2, title);
    let legend = format!(
        "first layer, {shown} of {all} units, strongest first; red +, blue -, full color ±{full:.3}"
    );
    scene.label([MARGIN, MARGIN + LINE], 1, legend);
    for (column, kind) in weights.kinds().iter().enumerate() {
        let words = kind.split(' ').count() as u32;
        for (line, word) in kind.split(' ').enumerate() {
            let (x, y) = (LEFT + PITCH * column as u32, TOP - WORD * (words - line as u32));
            scene.label([x, y], 1, word);
        }
    }
    for (row, &unit) in units.iter().enumerate() {
        let y = TOP + PITCH * row as u32;
        scene.label([MARGIN, y + 4 * CELL - 4], 1, unit.to_string());
        for kind in 0..weights.kinds().len() {
            let values = weights.board(unit, kind).map(|weight| weight / full);
            scene.board([LEFT + PITCH * kind as u32, y], CELL, &values);
        }
    }
    scene
}

/// The weight that gets the full color.
fn full_color(weights: &FirstWeights, units: &[usize]) -> f32 {
    let boards = units.iter().flat_map(|&unit| {
        (0..weights.kinds().len()).flat_map(move |kind| weights.board(unit, kind))
    });
    let mut sizes: Vec<f32> = boards.map(|w| w.abs()).filter(|w| !w.is_nan()).collect();
    if sizes.is_empty() {
        return 1.0;
    }
    let at = ((sizes.len() - 1) as f64 * FULL) as usize;
    let (_, full, _) = sizes.select_nth_unstable_by(at, f32::total_cmp);
    if *full > 0.0 { *full } else { 1.0 }
}
