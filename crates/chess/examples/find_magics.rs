// SPDX-License-Identifier: GPL-3.0-or-later
//! Searches the multipliers of `src/attacks/magics.rs` and prints that file.
//!
//! `cargo run --release -p chess --example find_magics > crates/chess/src/attacks/magics.rs`
//!
//! A multiplier is magic for a square if it sends every arrangement of blockers on the square's
//! lines to an index of as many bits as there are relevant squares, such that no two arrangements
//! with different attacks meet. Sparse random numbers find one quickly.
#![expect(clippy::print_stdout, reason = "the output is the product")]

const ROOK: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn ray(square: usize, (file_step, rank_step): (i8, i8)) -> impl Iterator<Item = (usize, bool)> {
    let on_board = |file: i8, rank: i8| (0..8).contains(&file) && (0..8).contains(&rank);
    let (mut file, mut rank) = ((square % 8) as i8, (square / 8) as i8);
    std::iter::from_fn(move || {
        (file, rank) = (file + file_step, rank + rank_step);
        let is_last = !on_board(file + file_step, rank + rank_step);
        on_board(file, rank).then_some(((rank * 8 + file) as usize, is_last))
    })
}

fn attacks(square: usize, directions: [(i8, i8); 4], occupied: u64) -> u64 {
    let mut set = 0;
    for direction in directions {
        for (target, _) in ray(square, direction) {
            set |= 1 << target;
            if occupied >> target & 1 != 0 {
                break;
            }
        }
    }
    set
}

/// Squares whose occupation matters: the lines without their last squares.
fn relevant(square: usize, directions: [(i8, i8); 4]) -> u64 {
    let inner = |direction| ray(square, direction).filter(|&(_, is_last)| !is_last);
    directions.into_iter().flat_map(inner).fold(0, |set, (target, _)| set | 1 << target)
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn find(square: usize, directions: [(i8, i8); 4], random: &mut Random) -> u64 {
    let mask = relevant(square, directions);
    let bits = mask.count_ones();
    let mut arrangements = vec![];
    let mut occupied = 0u64;
    loop {
        arrangements.push((occupied, attacks(square, directions, occupied)));
        occupied = occupied.wrapping_sub(mask) & mask;
        if occupied == 0 {
            break;
        }
    }
    loop {
        let magic = random.next() & random.next() & random.next();
        let mut table = vec![0u64; 1 << bits];
        let fits = arrangements.iter().all(|&(occupied, attacks)| {
            let slot = &mut table[(occupied.wrapping_mul(magic) >> (64 - bits)) as usize];
            let free = *slot == 0 || *slot == attacks;
            *slot = attacks;
            free
        });
        if fits {
            return magic;
        }
    }
}

fn main() {
    let mut random = Random(0x5EED_0F40_F1CE);
    println!("// SPDX-License-Identifier: GPL-3.0-or-later");
    println!("//! Multipliers for the magic bitboards, made by `examples/find_magics.rs`.");
    for (name, directions) in [("ROOK", ROOK), ("BISHOP", BISHOP)] {
        println!("\n/// For {}s, one per square.", name.to_lowercase());
        println!("pub(super) const {name}: [u64; 64] = [");
        for square in 0..64 {
            let digits = format!("{:016X}", find(square, directions, &mut random));
            let groups = [&digits[..4], &digits[4..8], &digits[8..12], &digits[12..]];
            println!("    0x{},", groups.join("_"));
        }
        println!("];");
    }
}
