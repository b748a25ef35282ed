// SPDX-License-Identifier: GPL-3.0-or-later
//! Charts as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;

const SIZE: (u32, u32) = (560, 280);
const INK: RGBColor = RGBColor(107, 112, 120);
const GRID: RGBColor = RGBColor(200, 200, 196);
const BLUE: RGBColor = RGBColor(47, 111, 159);
const ORANGE: RGBColor = RGBColor(194, 112, 61);

type Failure = Box<dyn std::error::Error>;

/// Bars of one width: each with where it begins and how high it is.
pub(super) fn bars(bars: &[(f64, f64)], width: f64, x_label: &str) -> Result<String, Failure> {
    let first = bars.iter().map(|bar| bar.0).fold(f64::INFINITY, f64::min);
    let last = bars.iter().map(|bar| bar.0 + width).fold(f64::NEG_INFINITY, f64::max);
    let top = bars.iter().map(|bar| bar.1).fold(0.0, f64::max);
    let (first, last) = if first < last { (first, last) } else { (0.0, 1.0) };
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = frame(&area).build_cartesian_2d(first..last, 0.0..top.max(1.0) * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(("sans-serif", 12).into_font().color(&INK))
            .x_desc(x_label)
            .x_label_formatter(&|x| trimmed(*x))
            .y_label_formatter(&|count| short(*count))
            .draw()?;
        chart.draw_series(bars.iter().map(|&(start, height)| {
            let gap = width * 0.08;
            let corners = [(start + gap, 0.0), (start + width - gap, height)];
            Rectangle::new(corners, BLUE.filled())
        }))?;
        area.present()?;
    }
    Ok(svg)
}

/// Points, and a curve to compare them with.
pub(super) fn points(
    points: &[(f64, f64)],
    curve: Option<&dyn Fn(f64) -> f64>,
    x_label: &str,
) -> Result<String, Failure> {
    let far = points.iter().map(|point| point.0.abs()).fold(100.0, f64::max);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = frame(&area).build_cartesian_2d(-far..far, 0.0..1.0)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(("sans-serif", 12).into_font().color(&INK))
            .x_desc(x_label)
            .x_label_formatter(&|x| trimmed(*x))
            .y_label_formatter(&|share| format!("{:.0} %", share * 100.0))
            .draw()?;
        if let Some(curve) = curve {
            let steps = (0..=200).map(|i| far * (f64::from(i) / 100.0 - 1.0));
            let line = steps.map(|x| (x, curve(x)));
            chart.draw_series(LineSeries::new(line, ORANGE.stroke_width(2)))?;
        }
        let circle = |&point: &(f64, f64)| Circle::new(point, 3, BLUE.filled());
        chart.draw_series(points.iter().map(circle))?;
        area.present()?;
    }
    Ok(svg)
}

fn frame<'a, 'b>(
    area: &'a DrawingArea<SVGBackend<'b>, Shift>,
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(8).margin_right(24).x_label_area_size(40).y_label_area_size(52);
    builder
}

/// A count in three digits or so.
fn short(count: f64) -> String {
    match count {
        count if count >= 1e6 => format!("{} M", trimmed(count / 1e6)),
        count if count >= 1e3 => format!("{} k", trimmed(count / 1e3)),
        count => trimmed(count),
    }
}

fn trimmed(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
