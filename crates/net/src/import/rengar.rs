// SPDX-License-Identifier: GPL-3.0-or-later
//! Rengar's weights, which stand in two of its source files as lists of numbers.

use crate::arch::Net;
use crate::features::{Features, RengarFeatures};
use crate::file::{Activation, Architecture, Header, NetFileError};

/// The texts of Rengar's `src/weights/pst.cpp` and `hidden.cpp`.
///
/// Of these only the lists of numbers behind known names are read: the four tables `w_l0_pst_fs`, `va`,
/// `ha` and `ra` of 184 orbits with H numbers each, `w_l0_tempo_va`, the matrices `w_l1_…` of M rows with
/// H numbers, `w_l1_fs_bias`, `w_l2_va` and `w_l2_fsxva`. Rengar has H = 32 and M = 4.
#[derive(Clone, Copy, Debug)]
pub struct RengarSources<'a> {
    /// `pst.cpp`.
    pub tables: &'a str,
    /// `hidden.cpp`.
    pub hidden: &'a str,
}

/// The finest and the coarsest factor of the first layer, as powers of two.
const SHIFTS: std::ops::RangeInclusive<u32> = 7..=12;

impl RengarSources<'_> {
    /// What the two files are called, in the order of the fields.
    pub const FILES: [&'static str; 2] = ["pst.cpp", "hidden.cpp"];

    /// Reads the texts. The first layer is rounded as finely as the sums' ranges allow.
    pub fn read(&self, name: &str) -> Result<Net, NetFileError> {
        let tempo = list(self.hidden, "w_l0_tempo_va", None)?;
        let even_bias = list(self.hidden, "w_l1_fs_bias", None)?;
        let (h, m) = (tempo.len(), even_bias.len());
        let table = |name| list(self.tables, name, Some(RengarFeatures::ORBITS * h));
        let [fs, va] = [table("w_l0_pst_fs")?, table("w_l0_pst_va")?];
        let [ha, ra] = [table("w_l0_pst_ha")?, table("w_l0_pst_ra")?];
        let rows: Vec<f32> = (0..RengarFeatures::ORBITS)
            .flat_map(|orbit| [&fs, &va, &ha, &ra].map(|class| &class[orbit * h..][..h]))
            .flatten()
            .copied()
            .collect();
        let matrix = |name| list(self.hidden, name, Some(m * h));
        let even = ["w_l1_fs", "w_l1_absva", "w_l1_absha", "w_l1_absra"];
        let even = by_input(&even.into_iter().map(matrix).collect::<Result<Vec<_>, _>>()?, h);
        let odd = ["w_l1_va", "w_l1_fsxva", "w_l1_haxra"];
        let odd = by_input(&odd.into_iter().map(matrix).collect::<Result<Vec<_>, _>>()?, h);
        let output = |name| list(self.hidden, name, Some(m));
        let (odd_weights, products) = (output("w_l2_va")?, output("w_l2_fsxva")?);
        let mut refused = NetFileError::field("weights", "too large", "sums of 16 bits");
        for shift in SHIFTS.rev() {
            let header = header(name, h, m, 1 << shift);
            let short = |values: &[f32]| -> Vec<i16> {
                values.iter().map(|x| (x * (1 << shift) as f32).round() as i16).collect()
            };
            let net = Net::from_tensors(&header, |tensors| {
                tensors.i16(&short(&rows));
                tensors.i16(&short(&tempo));
                tensors.f32(&even);
                tensors.f32(&even_bias);
                tensors.f32(&odd);
                tensors.f32(&odd_weights);
                tensors.f32(&products);
            });
            match net {
                Ok(net) => return Ok(net),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }
}

fn header(name: &str, h: usize, m: usize, unit: u16) -> Header {
    let mut header = Header::new(Architecture::Rengar, Activation::Product);
    header.inputs = RengarFeatures::LEN as u32;
    header.widths = [h as u16, m as u16, 0, 0];
    (header.scale, header.quantization) = (128, [unit, 1]);
    name.clone_into(&mut header.name);
    "imported from Rengar's sources".clone_into(&mut header.provenance);
    header
}

/// From matrices `[output][input]` of so many inputs to one `[input][output]`.
fn by_input(matrices: &[Vec<f32>], inputs: usize) -> Vec<f32> {
    let column = |matrix: &Vec<f32>, input: usize| {
        matrix.chunks(inputs).map(|row| row[input]).collect::<Vec<f32>>()
    };
    matrices.iter().flat_map(|matrix| (0..inputs).flat_map(move |i| column(matrix, i))).collect()
}

/// The most numbers in a list for which nobody says how many there must be.
const MAX_LIST: usize = 256;

/// The numbers in the braces behind a name, so many if that is known.
fn list(text: &str, name: &'static str, count: Option<usize>) -> Result<Vec<f32>, NetFileError> {
    let numbers = braces(text, name).map(numbers).unwrap_or_default();
    let expected = count.map_or(1..=MAX_LIST, |count| count..=count);
    let is_sound = numbers.iter().all(|number| number.is_finite());
    if is_sound && expected.contains(&numbers.len()) {
        return Ok(numbers);
    }
    let (start, end) = (expected.start(), expected.end());
    let expected = if start == end { start.to_string() } else { format!("{start} to {end}") };
    let found = format!("{} numbers", numbers.len());
    Err(NetFileError::field(name, found, format!("{expected} numbers in braces")))
}

/// What stands between the braces that follow a name, inner braces included.
fn braces<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |&(at, _): &(usize, &str)| {
        !text[at + name.len()..].starts_with(is_part) && !text[..at].ends_with(is_part)
    };
    let (at, _) = text.match_indices(name).find(whole)?;
    let open = at + text[at..].find('{')?;
    let mut depth = 0;
    let end = text[open..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    Some(&text[open + 1..open + end])
}

/// The numbers in a text; what stands in angle brackets is a type's.
fn numbers(text: &str) -> Vec<f32> {
    let mut outside = String::with_capacity(text.len());
    let mut depth = 0i32;
    for c in text.chars() {
        depth += i32::from(c == '<');
        if depth == 0 {
            outside.push(c);
        }
        depth -= i32::from(c == '>' && depth > 0);
    }
    let words = outside.split(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | ','));
    let is_number =
        |word: &&str| word.starts_with(|c: char| c == '-' || c == '.' || c.is_ascii_digit());
    words.filter(is_number).map(|word| word.parse().unwrap_or(f32::NAN)).collect()
}
