// SPDX-License-Identifier: GPL-3.0-or-later
//! Charts as SVG: lines and bars, with axes that end on round numbers.

use std::fmt::Write as _;

use tools::text::html as escape;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;

/// How wide a letter of a label is, at most.
const LETTER: f64 = 7.0;

/// More bars than this cannot have a label each.
const MAX_LABELS: usize = 16;

/// A path of points with a color, one of the page's variables.
#[derive(Clone, Debug)]
pub struct Series {
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    /// The variable's name.
    pub color: &'static str,
}

/// A dashed horizontal line and its label.
#[derive(Clone, Debug)]
pub struct Guide {
    /// Where.
    pub y: f64,
    /// Its name.
    pub label: String,
}

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Below it.
    pub label: String,
    /// Its height.
    pub value: f64,
    /// The variable's name of its color.
    pub color: &'static str,
    /// Shown when the pointer rests on it.
    pub hint: String,
}

/// Lines over a common axis.
pub fn lines(series: &[Series], guides: &[Guide], x_label: &str) -> String {
    let points = || series.iter().flat_map(|series| &series.points);
    let ys = points().map(|&(_, y)| y).chain(guides.iter().map(|guide| guide.y));
    let y = Axis::over(ys, HEIGHT - BOTTOM, TOP);
    let x = Axis::over(points().map(|&(x, _)| x), LEFT, WIDTH - RIGHT);
    let mut svg = frame(&y);
    for tick in x.ticks() {
        let at = x.place(tick);
        let _ = write!(
            svg,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM + 16.0,
            number(tick)
        );
    }
    for Guide { y: value, label } in guides {
        let (at, end) = (y.place(*value), WIDTH - RIGHT);
        let _ = write!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{end}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"var(--soft)\" \
             stroke-dasharray=\"5 4\"/><text x=\"{end}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            at - 4.0,
            escape(label)
        );
    }
    for Series { points, color } in series {
        let path: Vec<String> = points
            .iter()
            .map(|&(px, py)| format!("{:.1},{:.1}", x.place(px), y.place(py)))
            .collect();
        let path = path.join(" ");
        let _ = write!(
            svg,
            "<polyline points=\"{path}\" fill=\"none\" stroke=\"var(--{color})\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
        );
    }
    close(svg, x_label)
}

/// Upright bars from zero.
pub fn bars(bars: &[Bar], x_label: &str) -> String {
    let values = bars.iter().map(|bar| bar.value).chain([0.0]);
    let y = Axis::over(values, HEIGHT - BOTTOM, TOP);
    let mut svg = frame(&y);
    let slot = (WIDTH - LEFT - RIGHT) / bars.len().max(1) as f64;
    let every = label_distance(bars, slot);
    // Zero is what values are compared with, so it gets a label if any does.
    let first = bars.iter().position(|bar| bar.label == "0").unwrap_or(0) % every;
    for (i, Bar { label, value, color, hint }) in bars.iter().enumerate() {
        let left = LEFT + slot * (i as f64 + 0.12);
        let (zero, end) = (y.place(0.0), y.place(*value));
        let (top, height) = (zero.min(end), (zero - end).abs());
        let hint = escape(hint);
        let _ = write!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"2\" \
             fill=\"var(--{color})\"><title>{hint}</title></rect>",
            slot * 0.76
        );
        if i % every == first {
            let at = left + slot * 0.38;
            let _ = write!(
                svg,
                "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                HEIGHT - BOTTOM + 16.0,
                escape(label)
            );
        }
    }
    close(svg, x_label)
}

/// Every how many bars there is room for a label.
fn label_distance(bars: &[Bar], slot: f64) -> usize {
    let longest = bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0);
    let room = (LETTER * (longest as f64 + 2.0) / slot).ceil() as usize;
    bars.len().div_ceil(MAX_LABELS).max(room).max(1)
}

/// A value with its uncertainty.
#[derive(Clone, Debug)]
pub struct Interval {
    /// Beside it.
    pub label: String,
    /// Its middle.
    pub value: f64,
    /// Half of the interval.
    pub error: f64,
    /// Shown when the pointer rests on it.
    pub hint: String,
    /// The variable's name of its color.
    pub color: &'static str,
}

/// One row for each value: a point on a line as long as its interval.
pub fn intervals(rows: &[Interval], x_label: &str) -> String {
    const ROW: f64 = 26.0;
    let names = width_of_names(rows);
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let ends = rows.iter().flat_map(|row| [row.value - row.error, row.value + row.error]);
    let x = Axis::over(ends, names, WIDTH - RIGHT);
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">");
    for tick in x.ticks() {
        let (at, low, text) = (x.place(tick), height - BOTTOM, height - BOTTOM + 16.0);
        // Zero is what values are compared with.
        let color = if tick.abs() < 1e-9 { "soft" } else { "grid" };
        let _ = write!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{low:.1}\" stroke=\"var(--{color})\"/>\
             <text x=\"{at:.1}\" y=\"{text:.1}\" text-anchor=\"middle\">{}</text>",
            number(tick)
        );
    }
    for (i, row) in rows.iter().enumerate() {
        push_interval(&mut svg, row, &x, TOP + ROW * (i as f64 + 0.5));
    }
    let (middle, label) = (names.midpoint(WIDTH - RIGHT), escape(x_label));
    let _ = write!(
        svg,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text></svg>",
        height - 6.0
    );
    svg
}

/// Room for the longest label, as far as half of the width allows.
fn width_of_names(rows: &[Interval]) -> f64 {
    let longest = rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
    (LETTER * longest as f64 + 16.0).clamp(150.0, WIDTH / 2.0)
}

fn push_interval(svg: &mut String, row: &Interval, x: &Axis, at: f64) {
    let Interval { label, value, error, hint, color } = row;
    let [low, middle, high] = [value - error, *value, value + error].map(|end| x.place(end));
    let _ = write!(
        svg,
        "<g><title>{}</title><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
         <line x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"var(--{color})\" \
         stroke-width=\"3\" stroke-linecap=\"round\" opacity=\".5\"/>\
         <circle cx=\"{middle:.1}\" cy=\"{at:.1}\" r=\"5\" fill=\"var(--{color})\"/></g>",
        escape(hint),
        x.from - 10.0,
        at + 4.0,
        escape(label)
    );
}

/// Counts of values in `count` classes of equal width, as bars.
pub fn histogram(values: &[f64], count: usize, color: &'static str) -> Vec<Bar> {
    let top = values.iter().copied().fold(0.0, f64::max);
    let width = round_up(top / count as f64);
    let classes = (top / width).floor() as usize + 1;
    let mut counts = vec![0_u32; classes];
    for value in values {
        counts[((value / width) as usize).min(classes - 1)] += 1;
    }
    let bar = |(i, &count): (usize, &u32)| {
        let (from, to) = (i as f64 * width, (i + 1) as f64 * width);
        Bar {
            label: number(from),
            value: f64::from(count),
            color,
            hint: format!("{} to {}: {count}", number(from), number(to)),
        }
    };
    counts.iter().enumerate().map(bar).collect()
}

fn frame(y: &Axis) -> String {
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">");
    for tick in y.ticks() {
        let at = y.place(tick);
        let _ = write!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"var(--grid)\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            number(tick)
        );
    }
    svg
}

fn close(mut svg: String, x_label: &str) -> String {
    let (x, y) = (LEFT.midpoint(WIDTH - RIGHT), HEIGHT - 6.0);
    let label = escape(x_label);
    let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{label}</text></svg>");
    svg
}

/// A range of values laid over a range of pixels.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that holds all values and ends on round numbers.
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 {
            (low, high) = (low - 0.5, high + 0.5);
        }
        let step = round_up((high - low) / 5.0);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Self { low, high, step, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        let (low, step) = (self.low, self.step);
        (0..=count).map(move |i| low + i as f64 * step)
    }
}

/// The next of 1, 2 and 5 times a power of ten.
pub fn round_up(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= value * 0.999_999);
    factor.unwrap_or(10.0) * power
}

/// A number without needless digits.
pub fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests {
    use super::*;

    #[test]
    fn axes_end_on_round_numbers() {
        let axis = Axis::over([-2.94, 2.94, 1.0].into_iter(), 0.0, 100.0);
        assert_eq!((axis.low, axis.high, axis.step), (-4.0, 4.0, 2.0));
        assert_eq!(axis.place(0.0), 50.0);
        for values in [vec![], vec![3.0], vec![f64::NAN], vec![0.0, 1e9]] {
            let axis = Axis::over(values.into_iter(), 0.0, 1.0);
            assert!(axis.low < axis.high && axis.ticks().count() <= 12);
        }
    }

    #[test]
    fn histograms_count_everything() {
        let bars = histogram(&[1.0, 2.0, 19.0, 20.0, 35.0], 4, "a");
        assert_eq!(bars.iter().map(|bar| bar.value).sum::<f64>(), 5.0);
        assert_eq!(bars[0].value, 2.0);
        assert_eq!(histogram(&[], 4, "a").len(), 1);
    }

    #[test]
    fn labels_have_room() {
        let bar = |i: i32| Bar {
            label: number(f64::from(i - 30) * 160.5),
            value: 1.0,
            color: "a",
            hint: String::new(),
        };
        let svg = bars(&(0..61).map(bar).collect::<Vec<_>>(), "value");
        let labels: Vec<f64> = svg
            .split("<text x=\"")
            .filter(|text| text.contains("y=\"236.0\" text-anchor=\"middle\""))
            .map(|text| text[..text.find('"').unwrap()].parse().unwrap())
            .collect();
        assert!(labels.len() > 4 && svg.contains(">0</text>"), "{svg}");
        assert!(labels.windows(2).all(|pair| pair[1] - pair[0] > 7.0 * LETTER), "{labels:?}");
    }

    #[test]
    fn charts_of_nothing_are_charts() {
        assert!(lines(&[], &[], "x").ends_with("</svg>"));
        assert!(bars(&[], "x").ends_with("</svg>"));
        assert!(intervals(&[], "x").ends_with("</svg>"));
    }
}
