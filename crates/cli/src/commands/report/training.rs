// SPDX-License-Identifier: GPL-3.0-or-later
//! The page of a training run: losses, learning rate, speed; and of the finished network the weights of
//! every layer and pictures of the first.

use std::path::{Path, PathBuf};

use anyhow::Result;
use arena::chart::{self, Bar, Guide, Series};
use arena::page::{Page, table};
use train::Row;

use crate::commands::net_;

const LOG: &str = "log.csv";
const RECIPE: &str = "recipe.toml";
/// Units of the first layer that are drawn.
const UNITS: usize = 24;
/// About how many classes of a histogram of weights, on both sides of zero.
const CLASSES: usize = 41;

/// Whether a folder holds a training run.
pub(super) fn is_run(folder: &Path) -> bool {
    folder.join(RECIPE).is_file() && folder.join(LOG).is_file()
}

/// The page.
pub(super) fn render(folder: &Path) -> Result<String> {
    let rows = train::rows(&folder.join(LOG))?;
    let network = network(folder);
    let state = if network.is_some() { "finished" } else { "not finished" };
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let seen = rows.last().map_or(0, |row| row.positions);
    let mut page =
        Page::new(format!("Training: {name}"), format!("{state}, {seen} positions seen"));
    draw_losses(&mut page, &rows);
    draw_course(&mut page, &rows);
    if let Some(path) = &network {
        draw_weights(&mut page, path)?;
        let picture = net_::first_layer(path, UNITS)?.svg();
        let note = "What the strongest units wait for, by piece and square.";
        page.wide_card("First layer", note, &picture);
    }
    Ok(page.finish())
}

/// The network that the run has left, if it has ended.
fn network(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut nets: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "qnet")).collect();
    nets.sort();
    nets.pop()
}

fn draw_losses(page: &mut Page, rows: &[Row]) {
    let series = |value: fn(&Row) -> f64, color| Series {
        points: rows.iter().map(|row| (millions(row), value(row))).collect(),
        color,
    };
    let both = [
        series(|row| 1000.0 * row.train_loss, "a"),
        series(|row| 1000.0 * row.validation_loss, "b"),
    ];
    let best = rows.iter().map(|row| 1000.0 * row.validation_loss).reduce(f64::min);
    let guides: Vec<Guide> =
        best.map(|y| Guide { y, label: format!("least {y:.3}") }).into_iter().collect();
    let note = "Loss times 1000: blue on what is learnt from, orange on other games.";
    page.card("Loss", note, &chart::lines(&both, &guides, "million positions"));
    // The first rows dwarf all that comes after them.
    let tails = both.map(|series| Series {
        points: series.points[series.points.len() / 5..].to_vec(),
        ..series
    });
    let note = "The same without its first fifth.";
    page.card("Loss, closer", note, &chart::lines(&tails, &guides, "million positions"));
}

fn draw_course(page: &mut Page, rows: &[Row]) {
    let line = |value: fn(&Row) -> f64| {
        let points = rows.iter().map(|row| (millions(row), value(row))).collect();
        chart::lines(&[Series { points, color: "a" }], &[], "million positions")
    };
    let rate = line(|row| 1000.0 * f64::from(row.rate));
    page.card("Learning rate", "In thousandths.", &rate);
    let speed = line(|row| row.positions_per_second / 1000.0);
    page.card("Speed", "Thousands of positions a second.", &speed);
}

fn millions(row: &Row) -> f64 {
    row.positions as f64 / 1e6
}

/// A histogram of each tensor, and a table of their sizes and ends.
fn draw_weights(page: &mut Page, path: &Path) -> Result<()> {
    let bytes = net_::read(path)?;
    let contents = net_::contents(path, &bytes)?;
    let mut lines = vec![];
    for tensor in &contents.tensors {
        let values: Vec<f64> = tensor.numbers().collect();
        let most = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let zeros = values.iter().filter(|value| **value == 0.0).count();
        lines.push(vec![
            tensor.name().to_owned(),
            tensor.kind().name().to_owned(),
            values.len().to_string(),
            format!("{most:.3}"),
            format!("{:.1} %", 100.0 * zeros as f64 / values.len().max(1) as f64),
        ]);
        if values.len() > 1 {
            let note = format!("{} numbers of {}, in percent.", values.len(), tensor.kind().name());
            let bars = histogram(&values, most);
            page.card(tensor.name(), &note, &chart::bars(&bars, "value in the file"));
        }
    }
    let head = ["tensor", "kind", "numbers", "largest", "zero"];
    page.wide_card("Weights", "As the file holds them.", &table(&head, &lines));
    Ok(())
}

/// How many values lie in each of some classes around zero, as a share in percent. The classes have a round
/// width, and one lies around zero.
fn histogram(values: &[f64], most: f64) -> Vec<Bar> {
    let width = chart::round_up(2.0 * most / CLASSES as f64);
    let side = (most / width).round() as usize;
    let mut counts = vec![0_usize; 2 * side + 1];
    for value in values {
        let class = (value / width).round() + side as f64;
        counts[(class as usize).min(2 * side)] += 1;
    }
    let bar = |(class, &count): (usize, &usize)| {
        let middle = (class as f64 - side as f64) * width;
        let share = 100.0 * count as f64 / values.len() as f64;
        Bar {
            label: chart::number(middle),
            value: share,
            color: "a",
            hint: format!("around {middle:.3}: {count}, {share:.2} %"),
        }
    };
    counts.iter().enumerate().map(bar).collect()
}
