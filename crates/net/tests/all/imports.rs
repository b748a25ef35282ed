// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks in other programs' layouts give the evaluations that those programs would give.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use crate::common::{evaluator, fresh, positions};
use chess::{Board, Color};
use net::import::{
    BulletLayout, NectarBins, RengarSources, TalCsv, read_weights_txt, write_weights_txt,
};
use net::random::{self, Random};
use net::{Architecture, Header, Net, file};

/// A raw network, and an evaluation of it that shares nothing with the library but the numbers: it
/// reads the board from its FEN, as the trainer's documentation says.
struct Raw {
    width: usize,
    buckets: usize,
    outputs: usize,
    layout: BulletLayout,
    numbers: Vec<i16>,
}

impl Raw {
    fn random(width: usize, layout: BulletLayout, random: &mut Random) -> Self {
        let buckets = usize::from(*layout.bucket_map.iter().max().unwrap()) + 1;
        let outputs = usize::from(layout.output_buckets);
        let mut numbers = Vec::new();
        for _ in 0..(768 * buckets + 1) * width {
            numbers.push(random.around_zero(120) as i16);
        }
        let largest = i16::MAX as u16 / layout.quantization[0];
        for _ in 0..2 * width * outputs {
            numbers.push(random.around_zero(largest.into()) as i16);
        }
        for _ in 0..outputs {
            numbers.push(random.around_zero(10_000) as i16);
        }
        Self { width, buckets, outputs, layout, numbers }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        while !bytes.len().is_multiple_of(64) {
            bytes.push(b"bullet"[bytes.len() % 6]);
        }
        bytes
    }

    /// The pieces in the order of a FEN: letter, and square with a1 = 0.
    fn pieces(fen: &str) -> Vec<(char, usize)> {
        let mut pieces = Vec::new();
        for (row, rank) in fen.split(' ').next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in rank.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    pieces.push((letter, (7 - row) * 8 + file));
                    file += 1;
                }
            }
        }
        pieces
    }

    fn accumulator(&self, pieces: &[(char, usize)], white: bool) -> Vec<i64> {
        let up = |square: usize| if white { square } else { square ^ 0o70 };
        let own = |letter: char| letter.is_ascii_uppercase() == white;
        let king = pieces.iter().find(|p| p.0.eq_ignore_ascii_case(&'k') && own(p.0)).unwrap();
        let king = up(king.1);
        let flip = if self.layout.is_mirrored && king % 8 > 3 { 7 } else { 0 };
        let folded = king ^ flip;
        let bucket = if self.layout.is_mirrored {
            self.layout.bucket_map[folded / 8 * 4 + folded % 8]
        } else {
            self.layout.bucket_map[king]
        };
        let bias = 768 * self.buckets * self.width;
        let mut sums: Vec<i64> =
            self.numbers[bias..][..self.width].iter().map(|&x| x.into()).collect();
        for &(letter, square) in pieces {
            let kind = "pnbrqk".find(letter.to_ascii_lowercase()).unwrap();
            let side = if own(letter) { 0 } else { 384 };
            let feature = usize::from(bucket) * 768 + side + 64 * kind + (up(square) ^ flip);
            for (lane, sum) in sums.iter_mut().enumerate() {
                *sum += i64::from(self.numbers[feature * self.width + lane]);
            }
        }
        sums
    }

    fn evaluate(&self, fen: &str) -> i64 {
        let pieces = Self::pieces(fen);
        let white = fen.split(' ').nth(1) == Some("w");
        let output = (pieces.len() - 2) / 32usize.div_ceil(self.outputs);
        let head = (768 * self.buckets + 1) * self.width;
        let weights = &self.numbers[head + output * 2 * self.width..][..2 * self.width];
        let lanes = [self.accumulator(&pieces, white), self.accumulator(&pieces, !white)].concat();
        let [qa, qb] = self.layout.quantization.map(i64::from);
        let squares = lanes.iter().map(|&x| x.clamp(0, qa).pow(2));
        let sum: i64 = squares.zip(weights).map(|(x, &w)| x * i64::from(w)).sum();
        let bias = self.numbers[head + self.outputs * 2 * self.width + output];
        (sum / qa + i64::from(bias)) * i64::from(self.layout.scale) / (qa * qb)
    }
}

fn layouts() -> Vec<BulletLayout> {
    let plain = BulletLayout::plain();
    let mirrored =
        BulletLayout { is_mirrored: true, bucket_map: vec![0; 32], ..BulletLayout::plain() };
    let outputs = BulletLayout { output_buckets: 8, ..mirrored.clone() };
    let map = (0..32).map(|square| [0, 1, 2, 2, 3, 3, 3, 3][square / 4]).collect();
    let bucketed = BulletLayout { bucket_map: map, scale: 250, ..outputs.clone() };
    let map = (0..64).map(|square| square as u8 / 16).collect();
    let unmirrored = BulletLayout { bucket_map: map, output_buckets: 4, ..plain.clone() };
    let quantized = BulletLayout { quantization: [384, 100], ..mirrored.clone() };
    vec![plain, mirrored, outputs, bucketed, unmirrored, quantized]
}

#[test]
fn raw_networks_give_the_same_evaluations_on_1000_positions() {
    let mut random = Random::new(6);
    for (layout, width) in layouts().into_iter().zip([16, 32, 48, 64, 128, 256]) {
        let raw = Raw::random(width, layout, &mut random);
        let net = raw.layout.read(&raw.bytes()).unwrap();
        assert_eq!(net.header().width(0), width);
        let mut evaluator = evaluator(net);
        let mut values = std::collections::HashSet::new();
        for board in positions(1000, 8) {
            let expected = raw.evaluate(&board.fen().to_string());
            assert_eq!(i64::from(fresh(&mut evaluator, &board)), expected, "{board:?}");
            values.insert(expected);
        }
        assert!(values.len() > 300, "the evaluations differ");
    }
}

#[test]
fn raw_networks_of_a_wrong_length_are_refused() {
    let raw = Raw::random(32, BulletLayout::plain(), &mut Random::new(1));
    let mut bytes = raw.bytes();
    bytes.extend([0; 64]);
    let error = raw.layout.read(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("length of the raw network is"), "{error}");
    let error = raw.layout.read(&[]).unwrap_err().to_string();
    assert!(error.contains("expected"), "{error}");
    let wrong = BulletLayout { bucket_map: vec![0; 32], ..BulletLayout::plain() };
    let error = wrong.read(&raw.bytes()).unwrap_err().to_string();
    assert_eq!(error, "length of the bucket map is 32, expected 64");
}

/// The same comparison with a script in another language, where that language is installed.
#[test]
fn a_python_script_agrees() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/make_bullet_net.py");
    let fens: Vec<_> = positions(1000, 9).iter().map(|board| board.fen().to_string()).collect();
    let directory = std::env::temp_dir().join(format!("quincunx-bullet-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("fens.txt"), fens.join("\n")).unwrap();
    let python = Command::new("python3").arg(&script).arg(&directory).output();
    let Ok(output) = python else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let map = (0..32).map(|square| (square / 16) as u8).collect();
    let layout = BulletLayout {
        is_mirrored: true,
        bucket_map: map,
        output_buckets: 8,
        ..BulletLayout::plain()
    };
    let raw = std::fs::read(directory.join("quantised.bin")).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let mut evaluator = evaluator(layout.read(&raw).unwrap());
    let expected: Vec<i32> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    assert_eq!(expected.len(), fens.len());
    for (fen, expected) in fens.iter().zip(expected) {
        let board: Board = fen.parse().unwrap();
        assert_eq!(fresh(&mut evaluator, &board), expected, "{fen}");
    }
}

/// Batu's networks as our trainer makes them: with the sum as the output, and bounded by tanh.
fn batus() -> [Net; 2] {
    let sum = random::header(Architecture::Batu);
    let mut bounded = sum.clone();
    (bounded.flags, bounded.scale) = (Header::BOUNDED, 600);
    [(sum, 3), (bounded, 4)].map(|(header, seed)| random::with_header(&header, seed))
}

fn to_weights_txt(net: &Net) -> String {
    let Net::Batu(batu) = net else { unreachable!() };
    write_weights_txt(batu).unwrap()
}

#[test]
fn weights_txt_comes_back_bit_for_bit() {
    for net in batus() {
        let text = to_weights_txt(&net);
        let imported = read_weights_txt(&text, &net.header().name).unwrap();
        let again = file::relabel(
            &imported.net.to_bytes(),
            Some(&net.header().name),
            Some(&net.header().provenance),
        );
        assert_eq!(again.unwrap(), net.to_bytes());
        assert_eq!(to_weights_txt(&imported.net), text);
        let (mut one, mut two) = (evaluator(net), evaluator(imported.net));
        for board in positions(200, 1) {
            assert_eq!(fresh(&mut one, &board), fresh(&mut two, &board), "{board:?}");
        }
    }
}

/// Batu's evaluation of a text, from its own description: 600·tanh of the sum, in White's view.
fn as_batu_evaluates(numbers: &[f64], has_table: bool, board: &Board) -> f64 {
    let squares = board.occupied().into_iter();
    let features: Vec<usize> = squares
        .map(|square| {
            let letter = board.piece_on(square).unwrap().letter();
            64 * "PRNBQKprnbqk".find(letter).unwrap() + (square.index() ^ 0o70)
        })
        .collect();
    let mut rest = numbers;
    let mut take = |count: usize| {
        let (head, tail) = rest.split_at(count);
        rest = tail;
        head
    };
    let table = if has_table { take(768) } else { &[0.0; 768] };
    let (first, first_bias) = (take(768 * 256), take(256));
    let (second, second_bias) = (take(256 * 32), take(32));
    let (last, last_bias) = (take(32), take(1)[0]);
    let lane = |lane: usize| {
        let sum: f64 = features.iter().map(|feature| first[feature * 256 + lane]).sum();
        (sum + first_bias[lane]).max(0.0)
    };
    let hidden: Vec<f64> = (0..256).map(lane).collect();
    let value = |j: usize| {
        let sum: f64 = hidden.iter().enumerate().map(|(i, x)| x * second[i * 32 + j]).sum();
        (sum + second_bias[j]).max(0.0)
    };
    let sum: f64 = (0..32).map(|j| value(j) * last[j]).sum();
    let table: f64 = features.iter().map(|&feature| table[feature]).sum();
    let white = 600.0 * (table + sum + last_bias).tanh();
    if board.turn() == Color::White { white } else { -white }
}

/// A text as the author's program would leave it: floats that no factor divides evenly.
fn authors_text(count: usize, seed: u64) -> (String, Vec<f64>) {
    let mut random = Random::new(seed);
    let numbers: Vec<f64> =
        (0..count).map(|_| f64::from(random.around_zero(180_000)) / 1_234_567.0).collect();
    let text: Vec<String> = numbers.iter().map(|number| format!("{number:.9}")).collect();
    (text.join("\n"), numbers)
}

#[test]
fn the_authors_weights_txt_is_evaluated_as_his_program_does() {
    for (count, has_table) in [(205_889, true), (205_121, false)] {
        let (text, numbers) = authors_text(count, 5);
        let imported = read_weights_txt(&text, "his").unwrap();
        let table = if has_table { "beside a piece-square table" } else { "without a" };
        assert!(imported.taken_for.contains(table), "{}", imported.taken_for);
        assert!(imported.taken_for.contains("tanh of the sum times 600"), "{}", imported.taken_for);
        // What is written of it comes back with the same evaluations.
        let again = read_weights_txt(&to_weights_txt(&imported.net), "again").unwrap();
        let (mut one, mut two) = (evaluator(imported.net), evaluator(again.net));
        let mut spread = (f64::MAX, f64::MIN);
        for board in positions(200, 7) {
            let expected = as_batu_evaluates(&numbers, has_table, &board);
            let found = fresh(&mut one, &board);
            assert!((f64::from(found) - expected).abs() < 3.0, "{found} {expected} {board:?}");
            assert_eq!(found, fresh(&mut two, &board), "{board:?}");
            spread = (spread.0.min(expected), spread.1.max(expected));
        }
        assert!(spread.1 - spread.0 > 50.0, "{spread:?}");
    }
}

#[test]
fn weights_txt_in_the_order_of_the_original() {
    // One piece-square value, for a white rook on h1: 64·1 + 63 in the order PRNBQK from a8.
    let mut numbers = vec![0.0f32; 205_889];
    numbers[64 + 63] = 0.5;
    let text: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    let mut evaluator = evaluator(read_weights_txt(&text.join(" "), "rook").unwrap().net);
    let expected = (600.0 * 0.5f64.tanh()) as i32;
    assert_eq!(fresh(&mut evaluator, &Board::default()), expected);
    let mut board = Board::default();
    board.play(board.parse_uci("g1f3").unwrap());
    assert_eq!((board.turn(), fresh(&mut evaluator, &board)), (Color::Black, -expected));
}

#[test]
fn broken_weights_txt_is_refused() {
    let error = |text: &str| read_weights_txt(text, "").unwrap_err().to_string();
    assert_eq!(error("1 2\n3 x 4"), "weights.txt, line 2: found `x`, expected a number");
    assert!(error("1 2 3").starts_with("count of numbers is 3, expected 768 for"));
    let [net, _] = batus();
    let text = to_weights_txt(&net).replace("scale 400", "scale many");
    assert!(
        error(&text).contains("line 205890: found `# quincunx: scale many"),
        "{}",
        error(&text)
    );
}

/// A network in Nectar's layout, and its evaluation in the integers of Nectar's program.
#[test]
fn nectars_files_are_evaluated_as_its_program_does() {
    let mut random = Random::new(8);
    let mut floats = |count: usize, most: f32| -> Vec<f32> {
        (0..count).map(|_| random.around_zero(1_000_000) as f32 / 1e6 * most).collect()
    };
    let tensors = [floats(768 * 16, 0.6), floats(16, 0.5), floats(16, 1.9), floats(1, 0.4)];
    let bytes = tensors
        .clone()
        .map(|tensor| tensor.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>());
    let bins = NectarBins {
        first_weights: &bytes[0],
        first_bias: &bytes[1],
        output_weights: &bytes[2],
        output_bias: &bytes[3],
    };
    let net = bins.read("nectar").unwrap();
    assert_eq!((net.header().width(0), net.header().scale), (16, 150));
    let cut = |values: &[f32]| -> Vec<i32> { values.iter().map(|x| (x * 255.0) as i32).collect() };
    let [first, bias, output] = [0, 1, 2].map(|i| cut(&tensors[i]));
    let last = (tensors[3][0] * 255.0 * 255.0) as i32;
    let mut evaluator = evaluator(net);
    for board in positions(200, 3) {
        let features: Vec<usize> = (board.occupied().into_iter())
            .map(|square| {
                let letter = board.piece_on(square).unwrap().letter();
                64 * "PNBRQKpnbrqk".find(letter).unwrap() + (square.index() ^ 0o70)
            })
            .collect();
        let lane = |lane: usize| {
            let sum: i32 = features.iter().map(|feature| first[feature * 16 + lane]).sum();
            (sum + bias[lane]).clamp(0, 255).pow(2)
        };
        let sum: i32 = (0..16).map(|i| lane(i) * output[i]).sum();
        let white = (sum / 255 + last) * 150 / (255 * 255);
        let expected = if board.turn() == Color::White { white } else { -white };
        assert_eq!(fresh(&mut evaluator, &board), expected, "{board:?}");
    }
    let error = NectarBins { first_bias: &bytes[1][1..], ..bins }.read("").unwrap_err().to_string();
    assert_eq!(error, "length of the first bias is 63 bytes, expected a multiple of 4");
    let error = NectarBins { output_bias: &bytes[1], ..bins }.read("").unwrap_err().to_string();
    assert_eq!(error, "length of the output bias is 64 bytes, expected 4 bytes");
}

/// A network as lists of numbers in C++, by name.
struct Lists(HashMap<&'static str, Vec<f64>>);

impl Lists {
    const TABLES: [&'static str; 4] = ["w_l0_pst_fs", "w_l0_pst_va", "w_l0_pst_ha", "w_l0_pst_ra"];
    const MATRICES: [&'static str; 7] = [
        "w_l1_fs",
        "w_l1_absva",
        "w_l1_absha",
        "w_l1_absra",
        "w_l1_va",
        "w_l1_fsxva",
        "w_l1_haxra",
    ];

    fn random(random: &mut Random) -> Self {
        let mut list = |count: usize, most: i32| -> Vec<f64> {
            (0..count).map(|_| f64::from(random.around_zero(most)) / 1e4).collect()
        };
        let mut lists: HashMap<_, _> = Self::TABLES.map(|name| (name, list(184 * 32, 3000))).into();
        lists.extend(Self::MATRICES.map(|name| (name, list(128, 4000))));
        lists.insert("w_l0_tempo_va", list(32, 900));
        lists.extend(["w_l1_fs_bias", "w_l2_va", "w_l2_fsxva"].map(|name| (name, list(4, 9000))));
        Self(lists)
    }

    /// A declaration in Rengar's manner.
    fn text(&self, name: &str, kind: &str, width: usize) -> String {
        let rows = self.0[name].chunks(width);
        let rows = rows.map(|row| row.iter().map(|x| format!("{x:7.4}")).collect::<Vec<_>>());
        let rows: Vec<String> = rows.map(|row| format!("{kind}{{{}}}", row.join(", "))).collect();
        if rows.len() == 1 {
            return format!("const Eigen::Vector<float, 32> {name} = {};\n\n", rows[0]);
        }
        format!(
            "const std::array<Eigen::Vector<float, 32>, 184> {name} = {{\n\t{}\n}};\n",
            rows.join(",\n\t")
        )
    }

    /// Rengar's evaluation, from its own description.
    fn evaluate(&self, board: &Board) -> f64 {
        let get = |name: &str| &self.0[name];
        let mut classes = [[0.0; 32]; 4];
        for square in board.occupied() {
            let letter = board.piece_on(square).unwrap().letter();
            let kind = "pnbrqk".find(letter.to_ascii_lowercase()).unwrap();
            let (rank, file) = (square.index() / 8, square.index() % 8);
            let from_enemy = if letter.is_uppercase() { 7 - rank } else { rank };
            let at =
                [-4i64, 24, 56, 88, 120, 152][kind] + (4 * from_enemy + file.min(7 - file)) as i64;
            let color = if letter.is_uppercase() { 1.0 } else { -1.0 };
            let side = if file > 3 { 1.0 } else { -1.0 };
            for (class, sign) in [1.0, color, side, color * side].into_iter().enumerate() {
                let row = &get(Self::TABLES[class])[at as usize * 32..][..32];
                classes[class].iter_mut().zip(row).for_each(|(x, weight)| *x += sign * weight);
            }
        }
        let mover = if board.turn() == Color::White { 1.0 } else { -1.0 };
        let tempo = classes[1].iter_mut().zip(get("w_l0_tempo_va"));
        tempo.for_each(|(x, weight)| *x += mover * weight);
        let limit = 127.0 / 128.0;
        let [fs, va, ha, ra] = classes.map(|class| class.map(|x: f64| x.clamp(-limit, limit)));
        let dot = |name: &str, row: usize, input: &dyn Fn(usize) -> f64| -> f64 {
            (0..32).map(|i| get(name)[row * 32 + i] * input(i)).sum()
        };
        let mut output = 0.0;
        for row in 0..4 {
            let even = get("w_l1_fs_bias")[row]
                + dot("w_l1_fs", row, &|i| fs[i])
                + dot("w_l1_absva", row, &|i| va[i].abs())
                + dot("w_l1_absha", row, &|i| ha[i].abs())
                + dot("w_l1_absra", row, &|i| ra[i].abs());
            let odd = dot("w_l1_va", row, &|i| va[i])
                + dot("w_l1_fsxva", row, &|i| fs[i] * va[i])
                + dot("w_l1_haxra", row, &|i| ha[i] * ra[i]);
            let product = get("w_l2_fsxva")[row] * even.clamp(-limit, limit) * odd;
            output += get("w_l2_va")[row] * odd + product;
        }
        128.0 * output * mover
    }
}

#[test]
fn rengars_sources_are_evaluated_as_its_program_does() {
    let lists = Lists::random(&mut Random::new(12));
    let tables: String =
        Lists::TABLES.map(|name| lists.text(name, "Eigen::Vector<float, 32>", 32)).concat();
    let mut hidden: String = Lists::MATRICES.map(|name| lists.text(name, "", 32)).concat();
    for name in ["w_l0_tempo_va", "w_l1_fs_bias", "w_l2_va", "w_l2_fsxva"] {
        hidden += &lists.text(name, "", 32);
    }
    let sources = RengarSources { tables: &tables, hidden: &hidden };
    let net = sources.read("rengar").unwrap();
    assert_eq!((net.header().widths, net.header().scale), ([32, 4, 0, 0], 128));
    let mut evaluator = evaluator(net);
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    for board in positions(200, 9) {
        let (expected, found) = (lists.evaluate(&board), fresh(&mut evaluator, &board));
        assert!((f64::from(found) - expected).abs() < 2.0, "{found} {expected} {board:?}");
        (low, high) = (low.min(expected), high.max(expected));
    }
    assert!(high - low > 20.0, "{low} to {high}");
    let missing = tables.replace("w_l0_pst_ha", "w_l0_pst_xx");
    let error = RengarSources { tables: &missing, hidden: &hidden }.read("").unwrap_err();
    assert_eq!(error.to_string(), "w_l0_pst_ha is 0 numbers, expected 5888 numbers in braces");
}

/// Texts of comma-separated values for a network of known numbers.
struct Texts {
    first: String,
    own: String,
    their: String,
    third: String,
}

fn lines(rows: usize, columns: usize, number: impl Fn(usize, usize) -> i32) -> String {
    let line = |row| {
        (0..columns).map(|column| number(row, column).to_string()).collect::<Vec<_>>().join(",")
    };
    (0..rows).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn tal_csv_is_read_as_its_description_says() {
    let number = |seed: i32, row: usize, column: usize, max: i32| {
        Random::new((seed * 1_000_003) as u64 + (row * 7919 + column) as u64).around_zero(max)
    };
    let texts = Texts {
        first: lines(8, 640, |row, column| number(1, row, column, 40)),
        own: lines(4, 512, |row, column| number(2, row, column, 80)),
        their: lines(4, 512, |row, column| number(3, row, column, 80)),
        third: lines(4, 8, |row, column| number(4, row, column, 120)),
    };
    let csv = TalCsv {
        first_weights: &texts.first,
        first_bias: "10,20,30,40,-10,20,30,40",
        own_weights: &texts.own,
        own_bias: "100,200\n300,400.0",
        their_weights: &texts.their,
        their_bias: "50,60,70,80",
        third_weights: &texts.third,
        third_bias: "1000,2000,3000,4000",
        output_weights: "50,60,-70,80",
        output_bias: "2148",
    };
    let net = csv.read("tal").unwrap();
    assert_eq!((net.header().widths, net.header().scale), ([8, 4, 4, 0], 1600));
    let mut evaluator = evaluator(net);
    let activate = |x: i32| (x >> 6).clamp(0, 127);
    for board in positions(200, 12) {
        let us = board.turn();
        let up = |square: chess::Square| {
            if us == Color::White { square.index() } else { square.index() ^ 0o70 }
        };
        let bias = [10, 20, 30, 40, -10, 20, 30, 40];
        let lane = |lane: usize| {
            let weight = |square: chess::Square| {
                let piece = board.piece_on(square).unwrap();
                let kind = "pnbrqk".find(piece.role().letter()).unwrap();
                let theirs = if piece.color() == us { 0 } else { 5 };
                if kind == 5 { 0 } else { number(1, lane, 64 * (kind + theirs) + up(square), 40) }
            };
            let sum: i32 = board.occupied().into_iter().map(weight).sum();
            (bias[lane] + sum).clamp(0, 127)
        };
        let x: Vec<i32> = (0..8).map(lane).collect();
        let block = |seed, king: usize, row| -> i32 {
            (0..8).map(|i| number(seed, row, king * 8 + i, 80) * x[i]).sum()
        };
        let (own, their) = (up(board.king(us)), up(board.king(!us)));
        let mut y: Vec<i32> =
            (0..4).map(|r| activate(block(2, own, r) + [100, 200, 300, 400][r])).collect();
        y.extend((0..4).map(|r| activate(block(3, their, r) + [50, 60, 70, 80][r])));
        let third = |r: usize| -> i32 { (0..8).map(|i| number(4, r, i, 120) * y[i]).sum() };
        let z: Vec<i32> =
            (0..4).map(|r| activate(third(r) + [1000, 2000, 3000, 4000][r])).collect();
        let output: i32 = z.iter().zip([50, 60, -70, 80]).map(|(z, w)| z * w).sum::<i32>() + 100;
        assert_eq!(fresh(&mut evaluator, &board), output * 1600 / 4096, "{board:?}");
    }
}

#[test]
fn broken_tal_csv_is_refused() {
    let csv = TalCsv {
        first_weights: "1,2",
        first_bias: "1,2,3,4,5,6,7,8",
        own_weights: "",
        own_bias: "1,2,3,4",
        their_weights: "",
        their_bias: "",
        third_weights: "",
        third_bias: "1,2,3,4",
        output_weights: "",
        output_bias: "",
    };
    assert_eq!(csv.read("").unwrap_err().to_string(), "first weights is 1 lines, expected 8 lines");
    let csv = TalCsv { own_bias: "1,2,x", ..csv };
    let error = csv.read("").unwrap_err().to_string();
    assert_eq!(error, "own bias, line 1: found `x`, expected a whole number");
}
