// SPDX-License-Identifier: GPL-3.0-or-later
//! Broken network files get a sentence: none loads, none crashes, none makes the loader allocate
//! more than the file holds.

use std::collections::HashSet;

use crate::common::{checks, headers};
use net::file::{Contents, Tensor, TensorKind};
use net::policy::Policy;
use net::random::{self, Random};
use net::{Architecture, Header, NapoleonShape, Net, NetFileError};

/// Where the length and the hash stand in a file.
const LEN: std::ops::Range<usize> = 40..48;
const HASH: std::ops::Range<usize> = 56..64;

/// The file's hash, written anew from its description.
fn hash(bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut blank = bytes.to_vec();
    blank[HASH].fill(0);
    let mut state = blank.len() as u64;
    blank.resize(blank.len() / 8 * 8 + 8, 0);
    for word in blank.chunks(8) {
        let product =
            (state ^ u64::from_le_bytes(word.try_into().unwrap())).wrapping_mul(MULTIPLIER);
        state = product ^ (product >> 32);
    }
    let mixed = (state ^ (state >> 32)).wrapping_mul(MULTIPLIER);
    mixed ^ (mixed >> 29)
}

/// Makes length and hash right again, so that the checks behind them are reached.
fn reseal(bytes: &mut [u8]) {
    let len = bytes.len() as u64;
    bytes[LEN].copy_from_slice(&len.to_le_bytes());
    let hash = hash(bytes);
    bytes[HASH].copy_from_slice(&hash.to_le_bytes());
}

/// Reads a value network or a policy, whichever the file holds.
fn load(bytes: &[u8]) -> Result<(), NetFileError> {
    Contents::read(bytes).map(drop)
}

/// The sentence that a broken file gets, whoever reads it.
fn refusal(bytes: &[u8]) -> String {
    let error = load(bytes).expect_err("a broken file must not load").to_string();
    assert!(Net::from_bytes(bytes).is_err() && Policy::from_bytes(bytes).is_err(), "{error}");
    assert!(
        !error.contains('\n') && !error.ends_with('.') && error.contains("expected"),
        "{error}"
    );
    error
}

/// Files of every architecture, those of the same one side by side.
fn files() -> Vec<(Architecture, Vec<Vec<u8>>)> {
    let napoleon = NapoleonShape { channels: 34, blocks: 1, squeezed: 3, head: 9 };
    let mut headers = headers();
    headers.extend([random::header(Architecture::Napoleon), napoleon.header()]);
    let of = |architecture: Architecture| {
        let headers = headers.iter().filter(|header| header.architecture == architecture);
        let mut files: Vec<_> = headers.map(|h| random::with_header(h, 3).to_bytes()).collect();
        if architecture == Architecture::Policy {
            files.push(random::policy(3).to_bytes());
        }
        (architecture, files)
    };
    Architecture::ALL.map(of).into()
}

/// Where the tensors begin.
fn payload(header: &Header) -> usize {
    64 + header.name.len() + header.provenance.len() + header.bucket_map.len()
}

#[test]
fn files_are_read_as_they_were_written() {
    for (header, seed) in headers().iter().zip(0..) {
        let net = random::with_header(header, seed);
        let bytes = net.to_bytes();
        let again = Net::from_bytes(&bytes).unwrap();
        assert_eq!(again.header(), header);
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!(net.hash(), u64::from_le_bytes(bytes[HASH].try_into().unwrap()));
        assert_eq!(net.hash(), hash(&bytes), "the hash is what its description says");
        let weights: usize = net.tensors().iter().map(Tensor::bytes).sum();
        assert_eq!(bytes.len(), payload(header) + weights);
    }
}

#[test]
fn known_sizes_have_known_numbers_of_parameters() {
    let parameters = |architecture| random::network(architecture, 1).parameters();
    assert_eq!(parameters(Architecture::Nectar), 12_321);
    assert_eq!(parameters(Architecture::Rengar), 24_492);
    assert_eq!(parameters(Architecture::Tal), 9_273);
    assert_eq!(parameters(Architecture::Batu), 205_889);
}

/// Ways to break a file; each knows whether length and hash are made right again behind it.
const MUTATIONS: [fn(&mut Vec<u8>, &mut Random); 10] = [
    // Truncated, longer, and with a piece cut out.
    |bytes, random| bytes.truncate(random.below(bytes.len())),
    |bytes, random| bytes.extend((0..=random.below(100)).map(|_| 0)),
    |bytes, random| {
        let start = random.below(bytes.len() - 1);
        let len = 1 + random.below(bytes.len() - 1 - start);
        bytes.drain(start..start + len);
    },
    // A flipped bit in the header, and one anywhere.
    |bytes, random| bytes[random.below(64)] ^= 1 << random.below(8),
    |bytes, random| {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    },
    // Wrong magic, wrong version, an absurd width, absurdly many inputs.
    |bytes, random| {
        bytes[random.below(8)] ^= 1 << random.below(8);
        reseal(bytes);
    },
    |bytes, random| {
        bytes[8 + random.below(2)] ^= 1 << random.below(8);
        reseal(bytes);
    },
    |bytes, random| {
        let at = 16 + 2 * random.below(4);
        bytes[at..at + 2].copy_from_slice(&(65_535 - random.below(9) as u16).to_le_bytes());
        reseal(bytes);
    },
    |bytes, random| {
        bytes[12..16].copy_from_slice(&(u32::MAX - random.below(1 << 20) as u32).to_le_bytes());
        reseal(bytes);
    },
    // A weight out of range, or no number.
    |bytes, random| {
        spoil_a_weight(bytes, random);
        reseal(bytes);
    },
];

/// Writes a weight that no kernel could take: not a number, infinite, or out of the range of sums.
fn spoil_a_weight(bytes: &mut [u8], random: &mut Random) {
    let contents = Contents::read(bytes).unwrap();
    let mut places = Vec::new();
    let mut at = payload(&contents.header);
    for tensor in &contents.tensors {
        let (size, count) = (tensor.kind().size(), tensor.numbers().len());
        let worst: &[&[u8]] = match tensor.kind() {
            TensorKind::F32 => {
                &[&[0, 0, 0xC0, 0x7F], &[0, 0, 0x80, 0xFF], &[0xFF, 0xFF, 0x7F, 0x7F]]
            }
            TensorKind::I32 => &[&[0, 0, 0, 0x80], &[0xFF, 0xFF, 0xFF, 0x7F]],
            // The first layer's sums and the policy's bias are bounded; other weights of 16 bits and
            // all bytes may be anything.
            TensorKind::I16 if tensor.name() == "first weights" => &[&[0, 0x80]],
            TensorKind::I16 if contents.header.architecture == Architecture::Policy => {
                &[&[0, 0x80]]
            }
            _ => &[],
        };
        places.extend(worst.iter().map(|worst| (at + size * random.below(count), *worst)));
        at += size * count;
    }
    let (at, worst) = places[random.below(places.len())];
    bytes[at..at + worst.len()].copy_from_slice(worst);
}

#[test]
fn three_hundred_mutated_files_of_every_architecture_are_refused() {
    for (architecture, files) in files() {
        let mut random = Random::new(4);
        let mut sentences = HashSet::new();
        for round in 0..300 {
            let mut bytes = files[round / MUTATIONS.len() % files.len()].clone();
            assert!(!files.is_empty() && load(&bytes).is_ok(), "{architecture:?}");
            MUTATIONS[round % MUTATIONS.len()](&mut bytes, &mut random);
            sentences.insert(refusal(&bytes));
        }
        assert!(sentences.len() > 100, "{architecture:?}: {sentences:#?}");
    }
}

/// Mutations behind a right length and hash: what loads must be within all ranges, so that it can be
/// evaluated; what does not must say why.
#[test]
fn resealed_mutations_never_crash() {
    for (architecture, files) in files() {
        let mut random = Random::new(5);
        let (mut refused, mut loaded) = (0, 0);
        for round in 0..120 {
            let mut bytes = files[round / 2 % files.len()].clone();
            for _ in 0..=random.below(3) {
                let range = if round % 2 == 0 { 64 } else { bytes.len() };
                bytes[random.below(range)] = random.next() as u8;
            }
            reseal(&mut bytes);
            let is_accepted = checks::network_file(&bytes);
            *if is_accepted { &mut loaded } else { &mut refused } += 1;
            assert!(is_accepted || !refusal(&bytes).is_empty());
        }
        assert!(refused > 30 && loaded > 5, "{architecture:?}: {refused} refused, {loaded} loaded");
    }
}

#[test]
fn products_of_lanes_need_their_first_factor() {
    let mut bytes = random::with_header(&random::pairwise_header(32, 1, 1), 1).to_bytes();
    bytes[32..34].copy_from_slice(&254u16.to_le_bytes());
    reseal(&mut bytes);
    assert_eq!(refusal(&bytes), "first quantization factor is 254, expected 255");
}

#[test]
fn every_field_has_its_sentence() {
    let header = random::house_header(32, 4, 8);
    let good = random::with_header(&header, 1).to_bytes();
    let changed = |at: usize, new: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        reseal(&mut bytes);
        refusal(&bytes)
    };
    assert_eq!(refusal(&[]), "length of the file is 0, expected at least 64 bytes");
    assert_eq!(changed(0, b"NNUE"), "magic is `NNUECNET`, expected `QUINCNET`");
    assert_eq!(changed(8, &[2, 0]), "format version is 2, expected 1");
    assert_eq!(changed(10, &[99]), "architecture is 99, expected 1 to 7");
    assert_eq!(changed(11, &[0]), "activation is 0, expected 1 to 6");
    assert_eq!(changed(11, &[1]), "activation is relu, expected screlu or pairwise");
    assert_eq!(changed(12, &[255; 4]), "inputs is 4294967295, expected 3072");
    let multiple = "expected a multiple of 16 up to 4096";
    assert_eq!(changed(16, &[255, 255]), format!("first width is 65535, {multiple}"));
    assert_eq!(changed(16, &[0, 0]), format!("first width is 0, {multiple}"));
    assert_eq!(changed(18, &[1, 0]), "width of a layer that is not there is 1, expected 0");
    assert_eq!(changed(24, &[17]), "input buckets is 17, expected 1 to 16");
    assert_eq!(changed(25, &[0]), "output buckets is 0, expected 1 to 8");
    assert_eq!(changed(26, &[9, 0]), "flags is 8, expected 0");
    assert_eq!(changed(26, &[3, 0]), "flags of other architectures is 2, expected 0");
    assert_eq!(changed(28, &[0; 4]), "scale is 0, expected 1 to 10000");
    assert_eq!(changed(32, &[0, 2]), "first quantization factor is 512, expected 1 to 511");
    assert_eq!(changed(34, &[0, 0]), "second quantization factor is 0, expected 1 to 255");
    assert_eq!(
        changed(36, &[255, 255]),
        "name is 65535 bytes long, expected at most 64 bytes within the file"
    );
    assert!(changed(48, &[1]).starts_with("reserved field is"));
    assert!(changed(64, &[0xFF]).starts_with("name is `\\xff"));
    let map = payload(&header) - 32;
    assert_eq!(changed(map, &[4]), "bucket map is 4, expected 0 to 3");
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(refusal(&flipped).starts_with("hash is "));
    let longer = [good.clone(), vec![0]].concat();
    let (len, expected) = (longer.len(), good.len());
    assert_eq!(refusal(&longer), format!("length of the file is {len}, expected {expected}"));
}

#[test]
fn trailing_bytes_are_refused_even_with_a_right_hash() {
    let mut bytes = random::network(Architecture::Nectar, 1).to_bytes();
    bytes.push(0);
    reseal(&mut bytes);
    assert!(refusal(&bytes).starts_with("length of the tensors is"));
}

/// Where a tensor's element begins.
fn place(net: &Net, name: &str, element: usize) -> usize {
    let tensors = net.tensors();
    let before = tensors.iter().take_while(|tensor| tensor.name != name);
    let start: usize = before.map(Tensor::bytes).sum();
    let tensor = tensors.iter().find(|tensor| tensor.name == name).unwrap();
    payload(net.header()) + start + element * tensor.kind.size()
}

fn with_weight(header: &Header, name: &str, element: usize, new: &[u8]) -> String {
    let net = random::with_header(header, 1);
    let mut bytes = net.to_bytes();
    let at = place(&net, name, element);
    bytes[at..at + new.len()].copy_from_slice(new);
    reseal(&mut bytes);
    refusal(&bytes)
}

#[test]
fn weights_that_the_kernels_cannot_take_are_refused() {
    let house = random::house_header(32, 1, 1);
    assert_eq!(
        with_weight(&house, "output weights", 3, &129i16.to_le_bytes()),
        "tensor `output weights`, element 3 is 129, expected -128 to 128"
    );
    let error = with_weight(&house, "first weights", 7, &i16::MAX.to_le_bytes());
    assert!(
        error.starts_with("tensor `first layer, worst sum over a board`, element 7 is"),
        "{error}"
    );
    let pairwise = random::pairwise_header(32, 1, 1);
    for float in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e9, -1025.0] {
        let error = with_weight(&pairwise, "third weights", 2, &float.to_le_bytes());
        assert_eq!(
            error,
            format!("tensor `third weights`, element 2 is {float}, expected -1024 to 1024")
        );
    }
    let rengar = random::header(Architecture::Rengar);
    let error = with_weight(&rengar, "even bias", 0, &f32::NAN.to_le_bytes());
    assert_eq!(error, "tensor `even bias`, element 0 is NaN, expected -1024 to 1024");
    let error = with_weight(&rengar, "first weights", 0, &i16::MIN.to_le_bytes());
    assert_eq!(error, "tensor `first weights`, element 0 is -32768, expected -32767 to 32767");
    let batu = random::header(Architecture::Batu);
    let error = with_weight(&batu, "piece-square table", 9, &70_000i32.to_le_bytes());
    assert_eq!(error, "tensor `piece-square table`, element 9 is 70000, expected -65536 to 65536");
    let many = [0xFF, 0x7F].repeat(256);
    let error = with_weight(&batu, "second weights", 0, &many);
    assert!(
        error.starts_with("tensor `second layer, worst sum over a board`, element 0"),
        "{error}"
    );
    let tal = random::header(Architecture::Tal);
    let error = with_weight(&tal, "output bias", 0, &i32::MIN.to_le_bytes());
    assert!(error.starts_with("tensor `output bias`, element 0 is -2147483648"), "{error}");
}

#[test]
fn a_missing_file_gets_a_sentence() {
    let error = Net::read("/nonexistent/file.qnet").unwrap_err().to_string();
    assert!(error.starts_with("cannot read the network file: "), "{error}");
}

#[test]
fn names_that_could_not_be_read_back_are_refused() {
    let mut header = random::header(Architecture::Nectar);
    for (name, refused) in [
        ("x".repeat(65), "name is 65 bytes long, expected at most 64 bytes".to_owned()),
        ("a\tb".to_owned(), "name is `a\\tb`, expected text on one line".to_owned()),
    ] {
        header.name = name;
        let error = Net::from_tensors(&header, |_| unreachable!()).unwrap_err();
        assert_eq!(error.to_string(), refused);
    }
}

#[test]
fn contents_are_the_numbers_of_the_file() {
    for (architecture, files) in files() {
        for bytes in files {
            let contents = Contents::read(&bytes).unwrap();
            assert_eq!(contents.header.architecture, architecture);
            assert_eq!(contents.hash, u64::from_le_bytes(bytes[HASH].try_into().unwrap()));
            let mut at = payload(&contents.header);
            for tensor in &contents.tensors {
                let size = tensor.kind().size();
                for number in tensor.numbers() {
                    let raw = &bytes[at..at + size];
                    let expected: f64 = match *raw {
                        [a] => f64::from(a as i8),
                        [a, b] => i16::from_le_bytes([a, b]).into(),
                        [a, b, c, d] if tensor.kind() == TensorKind::I32 => {
                            i32::from_le_bytes([a, b, c, d]).into()
                        }
                        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]).into(),
                        _ => unreachable!(),
                    };
                    assert_eq!(number.to_bits(), expected.to_bits(), "{}", tensor.name());
                    at += size;
                }
            }
            assert_eq!(at, bytes.len());
        }
    }
}

#[test]
#[cfg(unix)]
fn devices_and_pipes_are_not_read() {
    let error = Net::read("/dev/zero").unwrap_err().to_string();
    assert!(error.contains("a device or a pipe, expected a file"), "{error}");
}
