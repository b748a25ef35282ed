// SPDX-License-Identifier: GPL-3.0-or-later
//! A tree as a picture: moves from left to right, lines as thick as their share of the iterations,
//! boxes colored by how good a move is for White or Black alike: green for whoever makes it.

use std::fmt::Write;

use tools::text::html as escape;

use super::ShownNode;

/// The distance of columns and rows, and the size of a box.
const COLUMN: f32 = 190.0;
const ROW: f32 = 40.0;
const BOX: [f32; 2] = [122.0, 32.0];
const MARGIN: f32 = 16.0;
/// The thickest line.
const THICKEST: f32 = 14.0;

/// The picture as SVG text.
pub(super) fn draw(root: &ShownNode) -> String {
    let width = MARGIN * 2.0 + COLUMN * root.depth() as f32 + BOX[0];
    let height = MARGIN * 2.0 + ROW * root.leaves() as f32;
    let mut drawing = Drawing::default();
    drawing.node(root, 0, 0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <g fill=\"none\" stroke=\"#9aa7b5\" stroke-linecap=\"round\">\n{}</g>\n{}</svg>\n",
        drawing.lines, drawing.boxes
    )
}

#[derive(Default)]
struct Drawing {
    lines: String,
    boxes: String,
}

impl Drawing {
    /// Draws a move and what follows it, from a row on, and says at which height its box stands.
    fn node(&mut self, node: &ShownNode, level: usize, first_row: usize) -> f32 {
        let x = MARGIN + COLUMN * level as f32;
        let mut row = first_row;
        let mut ends = vec![];
        for child in &node.children {
            ends.push((child, self.node(child, level + 1, row)));
            row += child.leaves();
        }
        let y = match (ends.first(), ends.last()) {
            (Some((_, top)), Some((_, bottom))) => f32::midpoint(*top, *bottom),
            _ => MARGIN + ROW * (first_row as f32 + 0.5),
        };
        for (child, end) in ends {
            self.line([x + BOX[0], y], [x + COLUMN, end], child.share);
        }
        self.label(node, [x, y]);
        y
    }

    /// A curve whose thickness tells a share.
    fn line(&mut self, [x1, y1]: [f32; 2], [x2, y2]: [f32; 2], share: f32) {
        let middle = f32::midpoint(x1, x2);
        let thickness = (THICKEST * share.sqrt()).max(0.7);
        let _ = writeln!(
            self.lines,
            "<path d=\"M{x1:.1} {y1:.1}C{middle:.1} {y1:.1} {middle:.1} {y2:.1} {x2:.1} {y2:.1}\" \
             stroke-width=\"{thickness:.1}\"/>"
        );
    }

    fn label(&mut self, node: &ShownNode, [x, y]: [f32; 2]) {
        let [width, height] = BOX;
        let color = color(node.value.unwrap_or(0.5));
        let (top, name, numbers) = (y - height / 2.0, escape(&node.label), numbers(node));
        let _ = writeln!(
            self.boxes,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height}\" rx=\"5\" \
             fill=\"{color}\" stroke=\"#5c6773\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" font-weight=\"bold\">{name}</text>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" fill=\"#333\">{numbers}</text>",
            x + 7.0,
            y - 2.0,
            x + 7.0,
            y + 11.0,
        );
    }
}

/// Visits and value, or what was proved.
fn numbers(node: &ShownNode) -> String {
    let value = match (&node.proof, node.value) {
        (Some(proof), _) => proof.clone(),
        (None, Some(value)) => format!("{:.1} %", 100.0 * value),
        (None, None) => "-".to_owned(),
    };
    format!("{} visits, {value}", node.visits)
}

/// From red over white to green.
fn color(value: f32) -> String {
    let away = (2.0 * value - 1.0).clamp(-1.0, 1.0);
    let pale = (255.0 - 120.0 * away.abs()) as u8;
    if away < 0.0 { format!("#ff{pale:02x}{pale:02x}") } else { format!("#{pale:02x}ff{pale:02x}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(label: &str, children: Vec<ShownNode>) -> ShownNode {
        ShownNode {
            label: label.to_owned(),
            uci: None,
            visits: 10,
            share: 0.5,
            prior: 0.2,
            value: Some(0.6),
            draw: None,
            first: None,
            proof: None,
            children,
        }
    }

    #[test]
    fn every_move_has_a_box_and_a_line() {
        let tree = node(
            "root",
            vec![node("e4", vec![node("e5", vec![]), node("c5", vec![])]), node("Qx<7", vec![])],
        );
        let svg = draw(&tree);
        assert_eq!((svg.matches("<path").count(), svg.matches("rx=").count()), (4, 5));
        assert!(svg.contains("Qx&lt;7") && svg.ends_with("</svg>\n"));
        assert_eq!((tree.leaves(), tree.depth()), (3, 2));
    }

    #[test]
    fn colors_tell_good_from_bad() {
        assert_eq!(color(0.5), "#ffffff");
        assert_eq!((color(1.0).as_str(), color(0.0).as_str()), ("#87ff87", "#ff8787"));
    }
}
