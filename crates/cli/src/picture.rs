// SPDX-License-Identifier: GPL-3.0-or-later
//! Pictures of colored rectangles and short labels, as SVG or PNG.

mod font;
mod png;
mod svg;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Result;

use crate::output;

/// Red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Color(pub(crate) [u8; 3]);

impl Color {
    pub(crate) const WHITE: Self = Self([255; 3]);
    pub(crate) const INK: Self = Self([40; 3]);
    /// Where there is nothing to show.
    pub(crate) const NOTHING: Self = Self([225; 3]);
    /// Hardly there.
    pub(crate) const PALE: Self = Self([242; 3]);
    const NEGATIVE: [u8; 3] = [33, 102, 172];
    const POSITIVE: [u8; 3] = [178, 24, 43];
    /// Shades on either side of white.
    const SHADES: f32 = 24.0;

    /// From blue at -1 over white at 0 to red at 1; what is beyond looks like the end.
    pub(crate) fn of(value: f32) -> Self {
        if value.is_nan() {
            return Self::NOTHING;
        }
        let share = (value.abs().min(1.0) * Self::SHADES).round() / Self::SHADES;
        let end = if value < 0.0 { Self::NEGATIVE } else { Self::POSITIVE };
        Self(end.map(|end| (255.0 + share * (f32::from(end) - 255.0)) as u8))
    }
}

/// A picture: later shapes lie on top of earlier ones, labels on top of all.
#[derive(Debug)]
pub(crate) struct Scene {
    width: u32,
    height: u32,
    boxes: Vec<Filled>,
    labels: Vec<TextLabel>,
}

/// A rectangle without a border.
#[derive(Clone, Copy, Debug)]
struct Filled {
    at: [u32; 2],
    size: [u32; 2],
    color: Color,
}

/// One line of text, from its upper left corner.
#[derive(Debug)]
struct TextLabel {
    at: [u32; 2],
    /// How many pixels a dot of a letter is wide and high.
    dot: u32,
    text: String,
}

impl Scene {
    /// The advance from letter to letter with dots of one pixel.
    pub(crate) const ADVANCE: u32 = 6;
    /// The height of a letter with dots of one pixel.
    pub(crate) const LETTER: u32 = 7;

    /// An empty picture.
    pub(crate) const fn new() -> Self {
        Self { width: 0, height: 0, boxes: vec![], labels: vec![] }
    }

    /// Adds a rectangle; the picture grows to hold it.
    pub(crate) fn fill(&mut self, at: [u32; 2], size: [u32; 2], color: Color) {
        self.grow([at[0] + size[0], at[1] + size[1]]);
        self.boxes.push(Filled { at, size, color });
    }

    /// Adds a line of text; the picture grows to hold it.
    pub(crate) fn label(&mut self, at: [u32; 2], dot: u32, text: impl Into<String>) {
        let text = text.into();
        let width = Self::ADVANCE * dot * text.chars().count() as u32;
        self.grow([at[0] + width, at[1] + Self::LETTER * dot]);
        self.labels.push(TextLabel { at, dot, text });
    }

    /// Adds a board of values, a1 below to the left; one is the full color.
    pub(crate) fn board(&mut self, at: [u32; 2], cell: u32, values: &[f32; 64]) {
        for (square, &value) in values.iter().enumerate() {
            let (rank, file) = (square as u32 / 8, square as u32 % 8);
            let corner = [at[0] + cell * file, at[1] + cell * (7 - rank)];
            self.fill(corner, [cell, cell], Color::of(value));
        }
    }

    fn grow(&mut self, to: [u32; 2]) {
        self.width = self.width.max(to[0]);
        self.height = self.height.max(to[1]);
    }

    /// Adds a margin to the right and below.
    pub(crate) const fn pad(&mut self, margin: u32) {
        self.width += margin;
        self.height += margin;
    }

    /// The picture as SVG.
    pub(crate) fn svg(&self) -> String {
        svg::render(self)
    }

    /// Writes the picture in its file's format.
    pub(crate) fn write(&self, file: &PictureFile) -> Result<()> {
        let bytes = match file.format {
            Format::Svg => self.svg().into_bytes(),
            Format::Png => png::render(self)?,
        };
        output::write(&file.path, &bytes)
    }
}

/// A file to draw into, whose name tells the format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PictureFile {
    pub(crate) path: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Svg,
    Png,
}

impl PictureFile {
    /// The SVG beside a file.
    pub(crate) fn beside(path: &Path) -> Self {
        Self { path: path.with_extension("svg"), format: Format::Svg }
    }
}

impl FromStr for PictureFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let format = match extension.to_ascii_lowercase().as_str() {
            "svg" => Format::Svg,
            "png" => Format::Png,
            _ if text == "-" => Format::Svg,
            _ => return Err("expected a file ending in .svg or .png, or - for an SVG".to_owned()),
        };
        Ok(Self { path, format })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_run_from_blue_to_red() {
        assert_eq!(Color::of(0.0), Color::WHITE);
        assert_eq!(Color::of(-7.0), Color(Color::NEGATIVE));
        assert_eq!(Color::of(1.0), Color(Color::POSITIVE));
        assert_eq!(Color::of(f32::NAN), Color::NOTHING);
        assert!(Color::of(0.2).0[1] > Color::of(0.8).0[1]);
    }

    #[test]
    fn both_formats_show_the_same_boxes() {
        let mut scene = Scene::new();
        scene.fill([1, 2], [3, 4], Color::of(1.0));
        scene.label([0, 8], 1, "<1 & 2>");
        let svg = svg::render(&scene);
        assert!(svg.starts_with("<svg ") && svg.contains("M1 2h3v4h-3z"), "{svg}");
        assert!(svg.contains("&lt;1 &amp; 2&gt;"), "{svg}");
        let pixels = png::pixels(&scene);
        let pixel = |x: usize, y: usize| &pixels[3 * (y * scene.width as usize + x)..][..3];
        assert_eq!(pixel(1, 2), Color::POSITIVE);
        assert_eq!(pixel(3, 5), Color::POSITIVE);
        assert_eq!(pixel(0, 0), [255; 3]);
        assert!(png::render(&scene).unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn the_name_tells_the_format() {
        assert_eq!("a.PNG".parse::<PictureFile>().unwrap().format, Format::Png);
        assert_eq!("-".parse::<PictureFile>().unwrap().format, Format::Svg);
        assert!("a.jpg".parse::<PictureFile>().unwrap_err().contains(".svg or .png"));
    }
}
