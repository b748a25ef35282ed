// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx net`: what scripts rely on, for network files of every architecture.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use net::import::TalCsv;
use net::policy::Policy;
use net::{Architecture, Net, random};
use serde_json::Value;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.arg("net").args(arguments).output().expect("the binary runs")
}

/// Standard output of a run that must succeed.
fn output_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn json_of(arguments: &[&str]) -> Vec<Value> {
    let text = output_of(arguments);
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Exit code, standard output and standard error of a run that must fail.
fn failure_of(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run(arguments);
    assert!(!output.status.success(), "{arguments:?} succeeds");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A folder with files.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path in UTF-8").to_owned()
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), bytes).expect("a file");
        self.path(name)
    }

    /// A random network of an architecture.
    fn network(&self, architecture: Architecture, seed: u64) -> String {
        let bytes = match architecture {
            Architecture::Policy => random::policy(seed).to_bytes(),
            _ => random::network(architecture, seed).to_bytes(),
        };
        self.file(&format!("{}{seed}.qnet", architecture.name()), bytes)
    }

    fn names(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    }
}

#[test]
fn info_tells_what_every_architecture_is() {
    let folder = Folder::new();
    let files = Architecture::ALL.map(|architecture| folder.network(architecture, 1));
    let arguments: Vec<&str> =
        ["info", "--json"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let infos = json_of(&arguments);
    assert_eq!(infos.len(), files.len());
    for (info, architecture) in infos.iter().zip(Architecture::ALL) {
        let mut keys: Vec<&str> =
            info.as_object().expect("an object").keys().map(String::as_str).collect();
        keys.sort_unstable();
        let expected = [
            "activation",
            "architecture",
            "buckets",
            "hash",
            "inputs",
            "name",
            "parameters",
            "trained_on",
            "widths",
        ];
        assert_eq!(keys, expected);
        assert_eq!(info["architecture"], architecture.name());
        assert_eq!(info["trained_on"], "random numbers, for tests");
        assert_eq!(info["hash"].as_str().map(str::len), Some(16), "{info}");
    }
    let nectar = &infos[0];
    assert_eq!(nectar["parameters"], 12_321);
    assert_eq!((&nectar["inputs"], &nectar["activation"]), (&768.into(), &"screlu".into()));
    assert_eq!(nectar["widths"], serde_json::json!([16]));
    let net = random::network(Architecture::Nectar, 1);
    assert_eq!(nectar["hash"], format!("{:016x}", net.hash()));
    let buckets =
        folder.file("b", random::with_header(&random::house_header(32, 4, 8), 1).to_bytes());
    assert_eq!(
        json_of(&["info", "--json", &buckets])[0]["buckets"],
        serde_json::json!({"input": 4, "output": 8})
    );
    let text = output_of(&["info", &buckets]);
    for part in ["random house", "mirrored", "king buckets  4", "first weights", "i16", "hash"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn verify_says_ok_or_one_sentence() {
    let folder = Folder::new();
    for architecture in Architecture::ALL {
        let good = folder.network(architecture, 1);
        let said = output_of(&["verify", &good]);
        assert!(said.starts_with("ok ") && said.lines().count() == 1, "{said}");
        let mut bytes = fs::read(&good).expect("the file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        let bad = folder.file("bad.qnet", bytes);
        let (code, out, errors) = failure_of(&["verify", &bad]);
        assert_eq!((code, out.as_str(), errors.lines().count()), (Some(1), "", 1), "{errors}");
        assert!(errors.contains("bad.qnet") && errors.contains("hash is"), "{errors}");
    }
    let good = folder.network(Architecture::Tal, 1);
    let bad = folder.file("text.qnet", "no network ".repeat(9));
    let (code, out, errors) = failure_of(&["verify", &bad, &good, "/no/such.qnet"]);
    assert_eq!((code, out.lines().count(), errors.lines().count()), (Some(1), 1, 2), "{errors}");
    assert!(out.starts_with("ok ") && errors.contains("magic is"), "{out}{errors}");
    assert!(errors.contains("/no/such.qnet"), "{errors}");
    let (_, out, _) = failure_of(&["verify", "--json", &bad]);
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert!(json["ok"] == false && json["reason"].as_str().is_some_and(|r| r.contains("magic")));
    assert_eq!(failure_of(&["verify"]).0, Some(2));
}

#[test]
fn a_raw_network_is_converted() {
    let folder = Folder::new();
    let (width, buckets, outputs) = (32, 2, 8);
    let mut random = random::Random::new(1);
    let mut raw = Vec::new();
    for count in [(768 * buckets + 1) * width, 2 * width * outputs, outputs] {
        raw.extend((0..count).flat_map(|_| (random.around_zero(100) as i16).to_le_bytes()));
    }
    let raw = folder.file("my first.bin", raw);
    let map = (0..32).map(|square| (square / 16).to_string()).collect::<Vec<_>>().join(",");
    let out = folder.path("raw.qnet");
    let info = &json_of(&[
        "convert",
        "--from",
        "bullet",
        &raw,
        "--mirrored",
        "--buckets",
        &map,
        "--output-buckets",
        "8",
        "--scale",
        "250",
        "--trained-on",
        "nothing",
        "--out",
        &out,
        "--json",
    ])[0];
    assert_eq!((&info["architecture"], &info["name"]), (&"house".into(), &"my first".into()));
    assert_eq!((&info["inputs"], &info["trained_on"]), (&1536.into(), &"nothing".into()));
    let net = Net::read(&out).expect("a network");
    assert_eq!((net.header().scale, net.header().width(0)), (250, 32));
    assert_eq!(net.header().bucket_map[16..], [1; 16]);
    // The same with the map in a file, a name, and the output as a second argument.
    let map = folder.file("map.txt", map);
    let named = folder.path("named.qnet");
    output_of(&[
        "convert",
        &raw,
        &named,
        "--from",
        "bullet",
        "--mirrored",
        "--buckets",
        &map,
        "--output-buckets",
        "8",
        "--name",
        "raw",
        "--qa",
        "300",
        "--qb",
        "65",
    ]);
    let net = Net::read(&named).expect("a network");
    assert_eq!((net.header().name.as_str(), net.header().quantization), ("raw", [300, 65]));
    let (code, _, errors) =
        failure_of(&["convert", &raw, &named, "--from", "bullet", "--buckets", "1"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("length of the raw network is"), "{errors}");
    assert_eq!(Net::read(&named).expect("the old file is still there").header().name, "raw");
    assert!(folder.names().iter().all(|path| !path.to_string_lossy().ends_with(".new")));
}

#[test]
fn wrong_conversions_are_refused() {
    let folder = Folder::new();
    let [batu, house] = [Architecture::Batu, Architecture::House].map(|a| folder.network(a, 1));
    let out = folder.path("out");
    for (arguments, code, part) in [
        (&["convert", &batu][..], 2, "OUT"),
        (&["convert", &batu, &out, "--mirrored"], 2, "--mirrored"),
        (&["convert", &batu, &out, "--qa", "384"], 2, "--qa"),
        (&["convert", &batu, &out, "--from", "bullet", "--qa", "512"], 2, "512"),
        (&["convert", &batu, &out, "--from", "cobol"], 2, "cobol"),
        (&["convert", &batu, &out, "--buckets", "1,x"], 2, "`x`"),
        (&["convert", &house, &out, "--to", "batu"], 1, "house"),
        (&["convert", "/no/such.bin", &out, "--from", "bullet"], 1, "/no/such.bin"),
        (&["convert", &house, &out, "--name", &"x".repeat(65)], 1, "65 bytes"),
        (&["convert", &folder.file("raw.bin", [1; 99]), &out], 1, "--from"),
    ] {
        let (found, _, errors) = failure_of(arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: `{part}` in {errors}");
        assert!(!Path::new(&out).exists(), "{arguments:?}");
    }
}

#[test]
fn batu_goes_out_as_text_and_comes_back() {
    let folder = Folder::new();
    let batu = folder.network(Architecture::Batu, 1);
    let (text, back) = (folder.path("weights.txt"), folder.path("back.qnet"));
    output_of(&["convert", &batu, &text, "--to", "batu"]);
    let written = fs::read_to_string(&text).expect("a text");
    assert_eq!(written.lines().count(), 205_890, "the numbers, and what they do not tell");
    assert!(written.lines().last().is_some_and(|line| line.starts_with("# quincunx: scale ")));
    output_of(&["convert", &text, &back, "--name", "back again"]);
    let net = Net::read(&back).expect("a network");
    assert_eq!((net.header().name.as_str(), net.header().widths), ("back again", [256, 32, 0, 0]));
    let broken = folder.file("broken.txt", "1\n2 x\n");
    let (code, _, errors) = failure_of(&["convert", "--from", "batu", &broken, &back]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("broken.txt") && errors.contains("line 2: found `x`"), "{errors}");
}

#[test]
fn a_folder_of_csv_files_becomes_tal() {
    let folder = Folder::new();
    let csv = folder.path("csv");
    fs::create_dir(&csv).expect("a folder");
    let lines = |rows: usize, columns: usize| -> String {
        let line = |row: usize| {
            let number = |column: usize| ((row * 7 + column * 13) % 41).to_string();
            (0..columns).map(number).collect::<Vec<_>>().join(",") + "\n"
        };
        (0..rows).map(line).collect()
    };
    let shapes =
        [(8, 640), (8, 1), (4, 512), (4, 1), (4, 512), (4, 1), (4, 8), (4, 1), (1, 4), (1, 1)];
    for (name, (rows, columns)) in TalCsv::FILES.iter().zip(shapes) {
        fs::write(Path::new(&csv).join(name), lines(rows, columns)).expect("a file");
    }
    let out = folder.path("tal.qnet");
    output_of(&["convert", "--from", "tal", &csv, &out]);
    let net = Net::read(&out).expect("a network");
    assert_eq!((net.header().architecture, net.header().widths), (Architecture::Tal, [8, 4, 4, 0]));
    assert_eq!(net.header().name, "csv");
    let broken = Path::new(&csv).join(TalCsv::FILES[6]);
    fs::write(&broken, lines(4, 7)).expect("a file");
    let (_, _, errors) = failure_of(&["convert", "--from", "tal", &csv, &out]);
    assert!(errors.contains("third weights, line 1: found 7 numbers, expected 8"), "{errors}");
    fs::remove_file(&broken).expect("it is there");
    let (_, _, errors) = failure_of(&["convert", "--from", "tal", &csv, &out]);
    assert!(errors.contains("third_layer_weights.csv"), "{errors}");
}

#[test]
fn a_network_is_renamed_and_packed() {
    let folder = Folder::new();
    let policy = folder.network(Architecture::Policy, 1);
    let packed = folder.path("policy.qnet.zst");
    output_of(&["convert", &policy, &packed, "--name", "packed", "--trained-on", "games"]);
    let info = &json_of(&["info", "--json", &packed])[0];
    assert_eq!((&info["name"], &info["trained_on"]), (&"packed".into(), &"games".into()));
    assert!(Policy::read(&policy).is_ok_and(|policy| policy.header().name == "random policy"));
}

#[test]
fn diff_tells_what_differs() {
    let folder = Folder::new();
    let [one, two] = [1, 2].map(|seed| folder.network(Architecture::House, seed));
    let same = &json_of(&["diff", "--json", &one, &one])[0];
    assert_eq!((&same["identical"], &same["header"]), (&true.into(), &serde_json::json!({})));
    assert!(output_of(&["diff", &one, &one]).contains("identical"));
    let diff = &json_of(&["diff", "--json", &one, &two])[0];
    assert_eq!(
        diff["header"].as_object().map(|h| h.keys().cloned().collect()),
        Some(vec!["hash".to_owned()])
    );
    let tensors = diff["tensors"].as_array().expect("tensors");
    assert_eq!(tensors.len(), 4);
    assert_eq!(tensors[0]["counts"], serde_json::json!([49152, 49152]));
    let differing = tensors[0]["differing"].as_u64().expect("a number");
    assert!(differing > 40_000 && tensors[0]["max"].as_f64() > tensors[0]["rms"].as_f64());
    let evaluations = diff["evaluations"].as_array().expect("evaluations");
    assert!(evaluations.iter().any(|e| e["points"][0] != e["points"][1]), "{diff}");
    let [policy, nectar] =
        [Architecture::Policy, Architecture::Nectar].map(|a| folder.network(a, 1));
    let other = &json_of(&["diff", "--json", &one, &nectar])[0];
    assert_eq!(other["header"]["architecture"], serde_json::json!(["house", "nectar"]));
    assert!(other["evaluations"].is_array() && other["tensors"][0]["rms"].is_null());
    assert!(json_of(&["diff", "--json", &policy, &nectar])[0]["evaluations"].is_null());
    let text = output_of(&["diff", &one, &nectar]);
    assert!(text.contains("house | nectar") && text.contains("evaluations"), "{text}");
}

#[test]
fn pictures_are_drawn_of_weights_and_activations() {
    let folder = Folder::new();
    for architecture in Architecture::ALL {
        let file = folder.network(architecture, 1);
        let (svg, png) = (folder.path("a.svg"), folder.path("a.png"));
        assert_eq!(output_of(&["picture", &file, "--out", &svg, "--units", "3"]).trim(), svg);
        let text = fs::read_to_string(&svg).expect("a text");
        assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"), "{text}");
        assert!(text.contains("pawn") && text.contains("3 of "), "{architecture:?}");
        output_of(&["picture", &file, "--out", &png, "--fen", "startpos"]);
        let bytes = fs::read(&png).expect("a picture");
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let frame = reader.next_frame(&mut pixels).expect("pixels");
        assert!(frame.width > 300 && frame.height > 300, "{frame:?}");
        let colors: std::collections::HashSet<&[u8]> = pixels.chunks(3).collect();
        assert!(colors.len() > 8, "{architecture:?}: {} colors", colors.len());
    }
    let file = folder.network(Architecture::House, 1);
    assert_eq!(output_of(&["picture", &file]).trim(), file.replace(".qnet", ".svg"));
    for (arguments, code, part) in [
        (&["picture", &file, "--out", "a.jpg"][..], 2, ".svg or .png"),
        (&["picture", &file, "--fen", "nonsense"], 2, "nonsense"),
        (&["picture", &file, "--bucket", "1"], 1, "bucket is 1"),
        (&["picture", "/no/such.qnet"], 1, "/no/such.qnet"),
    ] {
        let (found, _, errors) = failure_of(arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: `{part}` in {errors}");
    }
}

#[test]
fn eval_takes_a_file() {
    let folder = Folder::new();
    let file = folder.network(Architecture::House, 1);
    let output = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["eval", "startpos", "--network", &file, "--json"])
        .output()
        .expect("the binary runs");
    let eval: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&eval["architecture"], &eval["network"]), (&"house".into(), &file.clone().into()));
    assert_eq!(eval["hidden"]["own view"].as_array().map(Vec::len), Some(64));
    assert_eq!(eval["hidden"]["points by output bucket"][0].as_f64(), eval["stm"].as_f64());
}

#[test]
fn measure_tells_a_trained_network_from_a_random_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let at = |path: &str| root.join(path).to_str().expect("a path in UTF-8").to_owned();
    let (house, data) = (at("nets/house.qnet"), at("recipes/data/smoke-validation.qrec"));
    let folder = Folder::new();
    let random = folder.network(Architecture::Nectar, 1);
    let policy = folder.network(Architecture::Policy, 1);
    let arguments = [random.as_str(), &house, &policy, "--data", &data, "--positions", "500"];
    let figures = json_of(&[&["measure", "--json"], &arguments[..]].concat());
    let loss = |index: usize| figures[index]["loss"].as_f64().expect("a loss");
    assert!(loss(1) < 0.02 && loss(1) < loss(0) / 2.0, "{figures:?}");
    assert!(figures[1]["evaluations_per_second"].as_f64().expect("a speed") > 0.0);
    assert!(figures[2]["policy"]["top1"].as_f64().expect("a share") < 0.5);
    assert!(figures[2].get("loss").is_none());
    let table = output_of(&[&["measure"], &arguments[..]].concat());
    let rows: Vec<&str> = table.lines().filter(|line| line.contains(" | house | ")).collect();
    assert_eq!(rows.len(), 1, "{table}");
    assert!(table.find("| house |") < table.find("| nectar |"), "the best comes first: {table}");
    let (code, _, errors) = failure_of(&["measure", &house, "--data", &house]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("house.qnet"), "{errors}");
}
