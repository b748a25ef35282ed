// SPDX-License-Identifier: GPL-3.0-or-later
//! The page docs/reference/architectures.md, which is written and checked here: `make reference`.

use std::fmt::Write as _;
use std::{env, fs};

use net::file::{Factor, TensorKind, spec};
use net::{ArchSpec, Architecture, Header};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/architectures.md");

const HEAD: &str = "\
# Network architectures

This page is generated from the declarations in `crates/net/src/arch`: see `crates/net/tests/all/page.rs`. A file whose
header breaks one of these limits is refused. [The catalog](../concepts/networks.md) explains what each architecture
does. [Training](../guide/train.md) lists the keys of a recipe.
";

/// Flags of the header, and what they say.
const FLAGS: [(u16, &str); 3] = [
    (Header::MIRRORED, "mirrored"),
    (Header::CONCATENATED, "concatenated"),
    (Header::BOUNDED, "bounded"),
];

#[test]
fn the_page_of_all_architectures_is_up_to_date() {
    let page = page();
    if env::var_os("WRITE_DOCS").is_some() {
        fs::write(PAGE, &page).unwrap();
    }
    let found = fs::read_to_string(PAGE).unwrap_or_default();
    assert!(found == page, "{PAGE} is out of date: write it again by `make reference`");
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for architecture in Architecture::ALL {
        let spec = spec(architecture);
        let _ = writeln!(page, "\n## {}\n\n| what | value |\n|---|---|", architecture.name());
        for (what, value) in facts(spec) {
            let _ = writeln!(page, "| {what} | {value} |");
        }
        let header = spec.sample_header();
        let used = &header.widths[..spec.widths.len()];
        let widths: Vec<_> = used.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            page,
            "\nTensors in the order of the file, for widths {}:\n",
            widths.join(", ")
        );
        let _ = writeln!(
            page,
            "| tensor | numbers | type | one stands for | largest |\n|---|---:|---|---:|---:|"
        );
        for tensor in (spec.tensors)(&header) {
            let (name, len, unit, kind) =
                (tensor.name, tensor.len, tensor.unit, type_of(tensor.kind));
            let _ = writeln!(page, "| {name} | {len} | {kind} | {unit} | {} |", tensor.limit);
        }
    }
    page
}

fn facts(spec: &ArchSpec) -> Vec<(&'static str, String)> {
    let names: Vec<_> = spec.activations.iter().map(|it| format!("`{}`", it.name())).collect();
    let mut facts = vec![
        ("number in the file", (spec.architecture as u8).to_string()),
        ("activations", names.join(", ")),
        ("inputs", format!("{} for each input bucket", spec.inputs)),
        ("input buckets", up_to(spec.max_input_buckets)),
        ("output buckets", up_to(spec.max_output_buckets)),
    ];
    for width in spec.widths {
        let when = width.only.map_or(String::new(), |it| format!(", with `{}` only", it.name()));
        let step =
            if width.step == 1 { String::new() } else { format!(" in steps of {}", width.step) };
        facts.push((width.name, format!("{} to {}{step}{when}", width.min, width.max)));
    }
    for (name, factor) in ["first factor", "second factor"].into_iter().zip(spec.factors) {
        facts.push((name, factor_text(factor)));
    }
    facts.push(("scale", format!("1 to {}", spec.max_scale)));
    facts.push(("flags", flags(spec)));
    facts.push(("tempo", format!("{} points", spec.tempo)));
    facts
}

fn up_to(most: u8) -> String {
    if most == 0 { "none".to_owned() } else { format!("1 to {most}") }
}

fn factor_text(factor: Factor) -> String {
    match factor {
        Factor::Range(min, max) if min == max => min.to_string(),
        Factor::Range(min, max) => format!("{min} to {max}"),
        Factor::PowerOfTwo(min, max) => format!("a power of two from {min} to {max}"),
    }
}

fn flags(spec: &ArchSpec) -> String {
    let texts: Vec<_> = FLAGS
        .iter()
        .filter_map(|&(flag, name)| match () {
            () if spec.needed_flags & flag != 0 => Some(format!("{name} (needed)")),
            () if spec.allowed_flags & flag != 0 => Some(format!("{name} (allowed)")),
            () => None,
        })
        .collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

const fn type_of(kind: TensorKind) -> &'static str {
    match kind {
        TensorKind::I8 => "i8",
        TensorKind::I16 => "i16",
        TensorKind::I32 => "i32",
        TensorKind::F32 => "f32",
    }
}
