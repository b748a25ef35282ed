// SPDX-License-Identifier: GPL-3.0-or-later
//! A scene as the bytes of a PNG file.

use anyhow::Result;

use super::{Color, Filled, Scene, TextLabel, font};

/// The picture as a file.
pub(super) fn render(scene: &Scene) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, scene.width, scene.height);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels(scene))?;
    writer.finish()?;
    Ok(bytes)
}

/// Three bytes for each pixel, row by row.
pub(super) fn pixels(scene: &Scene) -> Vec<u8> {
    let mut canvas = Canvas {
        width: scene.width,
        pixels: vec![Color::WHITE.0; (scene.width * scene.height) as usize],
    };
    for filled in &scene.boxes {
        canvas.fill(filled);
    }
    for label in &scene.labels {
        canvas.write(label);
    }
    canvas.pixels.into_flattened()
}

struct Canvas {
    width: u32,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    fn fill(&mut self, Filled { at: [x, y], size: [width, height], color }: &Filled) {
        for row in *y..y + height {
            let start = (row * self.width + x) as usize;
            self.pixels[start..start + *width as usize].fill(color.0);
        }
    }

    fn write(&mut self, TextLabel { at: [x, y], dot, text }: &TextLabel) {
        for (column, letter) in text.chars().enumerate() {
            let left = x + column as u32 * Scene::ADVANCE * dot;
            for (across, down) in font::dots(letter) {
                let at = [left + across * dot, y + down * dot];
                self.fill(&Filled { at, size: [*dot; 2], color: Color::INK });
            }
        }
    }
}
