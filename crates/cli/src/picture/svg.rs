// SPDX-License-Identifier: GPL-3.0-or-later
//! A scene as SVG text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tools::text::html as escape;

use super::{Color, Filled, Scene, TextLabel};

/// The picture as text. All boxes of a color are one path, which keeps it short; so boxes of different
/// colors should not overlap.
pub(super) fn render(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <g shape-rendering=\"crispEdges\">\n"
    );
    let mut paths: BTreeMap<Color, String> = BTreeMap::new();
    for Filled { at: [x, y], size: [width, height], color } in &scene.boxes {
        let _ = write!(paths.entry(*color).or_default(), "M{x} {y}h{width}v{height}h-{width}z");
    }
    for (color, path) in paths {
        let _ = writeln!(text, "<path fill=\"{}\" d=\"{path}\"/>", hex(color));
    }
    let ink = hex(Color::INK);
    let _ = writeln!(text, "</g>\n<g font-family=\"monospace\" fill=\"{ink}\">");
    for TextLabel { at: [x, y], dot, text: label } in &scene.labels {
        // Letters as wide as those of the PNG: a monospaced one is 0.6 of its size.
        let size = f64::from(Scene::ADVANCE * dot) / 0.6;
        let base = y + Scene::LETTER * dot;
        let label = escape(label);
        let _ =
            writeln!(text, "<text x=\"{x}\" y=\"{base}\" font-size=\"{size:.1}\">{label}</text>");
    }
    text + "</g>\n</svg>\n"
}

fn hex(Color([red, green, blue]): Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
