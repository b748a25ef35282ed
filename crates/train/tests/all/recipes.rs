// SPDX-License-Identifier: GPL-3.0-or-later
//! Recipes: those that ship are sound, and wrong ones are refused with a sentence.

use std::fs;
use std::path::Path;

use train::{Recipe, TrainError};

fn recipes() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes")
}

const SMOKE: &str = include_str!("../../../../recipes/smoke.toml");

fn read(text: &str, settings: &[&str]) -> Result<Recipe, TrainError> {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let recipe = Recipe::parse(text, Path::new("bad.toml"), &settings)?;
    recipe.model()?;
    Ok(recipe)
}

#[test]
fn all_recipes_that_ship_are_sound_and_named_like_their_files() {
    let mut count = 0;
    for entry in fs::read_dir(recipes()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let recipe = Recipe::read(&path, &[]).unwrap();
            let model = recipe.model().unwrap();
            assert_eq!(model.architecture().name(), recipe.architecture);
            assert_eq!(path.file_stem().unwrap().to_str(), Some(recipe.name.as_str()));
            assert!(!recipe.data.labels.is_empty(), "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn what_is_written_is_read_again() {
    for name in ["smoke", "house-kings", "seed-batu"] {
        let recipe = Recipe::read(&recipes().join(format!("{name}.toml")), &[]).unwrap();
        let again = Recipe::parse(&recipe.text(), recipe.path(), &[]).unwrap();
        assert_eq!(again.hash(), recipe.hash());
    }
}

#[test]
fn settings_change_the_recipe_and_its_hash() {
    let plain = read(SMOKE, &[]).unwrap();
    let changed = read(SMOKE, &["schedule.batch=64", "name=other", "network.width=48"]).unwrap();
    assert_eq!((changed.schedule.batch, changed.name.as_str()), (64, "other"));
    assert_ne!(plain.hash(), changed.hash());
    assert_eq!(read(SMOKE, &["seed=1"]).unwrap().hash(), plain.hash());
}

/// The smoke recipe with one line replaced.
fn with(old: &str, new: &str) -> String {
    assert!(SMOKE.contains(old), "`{old}`");
    SMOKE.replacen(old, new, 1)
}

#[test]
fn wrong_recipes_are_refused_with_place_and_reason() {
    let cases: [(String, &[&str]); 25] = [
        (with("name = \"smoke\"", "name = smoke"), &["line 2"]),
        (with("name = \"smoke\"\n", ""), &["missing field `name`"]),
        (with("seed = 1", "sed = 1"), &["line 4", "`sed`", "`seed`"]),
        (with("seed = 1", "seed = -1"), &["line 4", "-1"]),
        (with("seed = 1", "seed = \"x\""), &["line 4", "string"]),
        (with("[network]", "[network"), &["line 6"]),
        (with("\"house\"", "\"hose\""), &["architecture", "`hose`", "house"]),
        (with("\"house\"", "\"nectar\""), &["network", "output_buckets"]),
        (with("width = 32", "width = 33"), &["network.width is 33", "multiple of 16"]),
        (with("width = 32", "width = 0"), &["network.width is 0"]),
        (with("width = 32", "widht = 32"), &["network", "`widht`"]),
        (with("width = 32", "width = \"wide\""), &["network", "wide"]),
        (with("output_buckets = 2", "output_buckets = 9"), &["output_buckets is 9", "1 to 8"]),
        (with("output_buckets = 2", "king_buckets = [1]"), &["king_buckets", "32 numbers"]),
        (with("batch = 512", "batch = 0"), &["schedule.batch is 0"]),
        (with("passes = 40", "passes = -1"), &["schedule.passes is -1"]),
        (with("passes = 40", "passes = nan"), &["schedule.passes is NaN"]),
        (with("passes = 40", "passes = 40\nsteps = 4"), &["`passes`", "`steps`"]),
        (with("lambda = 0.1", "lambda = 1.5"), &["objective.lambda is 1.5", "0 to 1"]),
        (with("\"sigmoid\"", "\"sigmoidal\""), &["line 16", "`sigmoidal`", "`softplus`"]),
        (with("[\"data/smoke-train.qrec\"]", "[]"), &["data.train is empty"]),
        (with("first = 4e-3", "first = 4"), &["schedule.first is 4", "0 to 1"]),
        (with("seed = 1", "keep_moments = true"), &["from is", "a checkpoint"]),
        (with("lambda = 0.1", "last_lambda = 2.0"), &["objective.last_lambda is 2", "0 to 1"]),
        (with("[objective]", "max_score = 0\n[objective]"), &["data.max_score is 0"]),
    ];
    for (text, expected) in &cases {
        let error = read(text, &[]).expect_err(expected[0]).to_string();
        assert!(error.starts_with("recipe `bad.toml`: ") && !error.contains('\n'), "{error}");
        for part in *expected {
            assert!(error.contains(part), "`{part}` in `{error}`");
        }
    }
}

#[test]
fn wrong_settings_are_refused() {
    for (setting, expected) in [
        ("schedule.batch", "`key=value`"),
        ("schedule.batch=many", "schedule"),
        ("name.x=1", "`name` is no table"),
        ("scedule.batch=3", "scedule"),
        ("network.width=7", "network.width is 7"),
    ] {
        let error = read(SMOKE, &[setting]).expect_err(setting).to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn missing_and_broken_data_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let broken = dir.path().join("broken.qrec");
    fs::write(&broken, b"QUINREC\0nothing").unwrap();
    let broken = broken.to_str().unwrap();
    for (setting, expected) in [
        ("data.train=[\"nowhere.qrec\"]".to_owned(), "nowhere.qrec"),
        (format!("data.train=['{broken}']"), "broken.qrec"),
        (format!("data.validation='{broken}'"), "broken.qrec"),
    ] {
        let recipe = Recipe::read(&recipes().join("smoke.toml"), &[setting]).unwrap();
        let options = train::Options {
            out: dir.path().join("out"),
            threads: Some(1),
            start: train::Start::New,
        };
        let mut go_on = |_: &train::TrainingProgress| std::ops::ControlFlow::Continue(());
        let error = train::run(&recipe, &options, &mut go_on).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error = Recipe::read(Path::new("nowhere.toml"), &[]).unwrap_err().to_string();
    assert!(error.contains("nowhere.toml"), "{error}");
}

/// The hashes of the networks that ship. Your own in their place is your own affair: it is not checked.
const SHIPPED: [(&str, u64); 13] = [
    ("batu", 0xf57c_5c41_048b_fbd7),
    ("house", 0xad46_5a56_e93c_8d93),
    ("napoleon", 0xc74a_0868_6c2c_1864),
    ("nectar", 0xbedd_ec78_5411_a363),
    ("policy", 0xf105_24fb_38df_bb2c),
    ("rengar", 0x13ae_3d3d_6b94_486b),
    ("seeds/batu-tanh", 0x98a1_e3f4_f6c8_63f7),
    ("seeds/napoleon-2", 0xdd4e_e7c7_1681_90e7),
    ("seeds/nectar-16", 0xca24_52eb_3510_f770),
    ("seeds/rengar-seed", 0xfc99_9e9a_1803_5b18),
    ("seeds/tal-8-sum", 0x28ee_070f_4f2d_2f79),
    ("seeds/tal-8", 0x66b3_4e99_0d9b_031c),
    ("tal", 0x9d75_c594_0dd5_2479),
];

/// A recipe that ships must not change without its network: a changed one goes into another file.
#[test]
#[expect(
    clippy::print_stderr,
    reason = "whoever trains their own networks learns what was skipped"
)]
fn every_shipped_network_was_made_by_its_recipe() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (file, expected) in SHIPPED {
        let bytes = fs::read(root.join(format!("nets/{file}.qnet"))).unwrap();
        let contents = net::file::Contents::read(&bytes).unwrap();
        if contents.hash != expected {
            eprintln!("skipped: nets/{file}.qnet is not the network that ships, {expected:016x}");
            continue;
        }
        // A network of `nets/seeds` is called otherwise than its recipe, whose name it has within.
        let name = &contents.header.name;
        let recipe = Recipe::read(&root.join(format!("recipes/{name}.toml")), &[]).unwrap();
        let provenance = &contents.header.provenance;
        let hash = format!("recipe {:016x}", recipe.hash());
        assert!(provenance.contains(&hash), "{name}: `{provenance}` is not by {hash}");
    }
}

/// Each recipe of a seed makes a network that loads, and that has the form and the output of the seed.
#[test]
fn every_recipe_of_a_seed_trains() {
    let mut count = 0;
    for entry in fs::read_dir(recipes()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("seed-") {
            continue;
        }
        let dir = tempfile::tempdir().unwrap();
        let data = |part| format!("'{}/data/smoke-{part}.qrec'", recipes().display());
        let length = if name == "seed-napoleon" { "steps=2" } else { "passes=0.02" };
        let settings = [
            format!("data.train=[{}]", data("train")),
            format!("data.validation={}", data("validation")),
            "data.validation_positions=100".to_owned(),
            "schedule.batch=64".to_owned(),
            format!("schedule.{length}"),
        ];
        let recipe = Recipe::read(&path, &settings).unwrap();
        let options = train::Options {
            out: dir.path().join("run"),
            threads: Some(1),
            start: train::Start::New,
        };
        let mut go_on = |_: &train::TrainingProgress| std::ops::ControlFlow::Continue(());
        train::run(&recipe, &options, &mut go_on).unwrap();
        let bytes = fs::read(options.out.join(format!("{name}.qnet"))).unwrap();
        let contents = net::file::Contents::read(&bytes).unwrap();
        let header = &contents.header;
        let (widths, is_bounded) = match name.as_str() {
            "seed-nectar" => ([16, 0, 0, 0], false),
            "seed-rengar" => ([32, 4, 0, 0], false),
            "seed-napoleon" => ([34, 2, 16, 16], true),
            "seed-batu" => ([256, 32, 0, 0], true),
            _ => ([8, 4, 4, 0], false),
        };
        assert_eq!(
            (header.widths, header.has(net::Header::BOUNDED)),
            (widths, is_bounded),
            "{name}"
        );
        let is_joined = header.has(net::Header::CONCATENATED);
        assert_eq!(is_joined, name == "seed-tal", "{name}");
        count += 1;
    }
    assert_eq!(count, 6);
}
