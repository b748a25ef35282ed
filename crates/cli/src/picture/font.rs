// SPDX-License-Identifier: GPL-3.0-or-later
//! Letters of three by five dots, so that a PNG can have labels without a font file.

/// The dots of a letter, from its upper left corner. Small letters look like capitals.
pub(super) fn dots(letter: char) -> impl Iterator<Item = (u32, u32)> {
    let bits = bits(letter.to_ascii_uppercase());
    let all = (0..5).flat_map(|down| (0..3).map(move |across| (across, down)));
    all.filter(move |(across, down)| bits >> (3 * (4 - down) + 2 - across) & 1 == 1)
}

/// Five octal digits, one for each row from above; 4 is a dot to the left, 1 one to the right.
const fn bits(letter: char) -> u16 {
    match letter {
        'A' => 0o25755,
        'B' => 0o65656,
        'C' => 0o34443,
        'D' => 0o65556,
        'E' => 0o74647,
        'F' => 0o74644,
        'G' => 0o34553,
        'H' => 0o55755,
        'I' => 0o72227,
        'J' => 0o11152,
        'K' => 0o55655,
        'L' => 0o44447,
        'M' => 0o57755,
        'N' => 0o65555,
        'O' => 0o25552,
        'P' => 0o65644,
        'Q' => 0o25563,
        'R' => 0o65655,
        'S' => 0o34216,
        'T' => 0o72222,
        'U' => 0o55557,
        'V' => 0o55552,
        'W' => 0o55775,
        'X' => 0o55255,
        'Y' => 0o55222,
        'Z' => 0o71247,
        '0' => 0o75557,
        '1' => 0o26227,
        '2' => 0o71747,
        '3' => 0o71717,
        '4' => 0o55711,
        '5' => 0o74717,
        '6' => 0o74757,
        '7' => 0o71122,
        '8' => 0o75757,
        '9' => 0o75717,
        ' ' => 0,
        '.' => 0o00002,
        ',' => 0o00024,
        ':' => 0o02020,
        '-' => 0o00700,
        '+' => 0o02720,
        '/' => 0o11244,
        '(' => 0o12221,
        ')' => 0o42224,
        '%' => 0o51245,
        '=' => 0o07070,
        '_' => 0o00007,
        '\'' => 0o22000,
        '±' => 0o27207,
        _ => 0o71202,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_drawn_upright() {
        let rows = |letter| {
            let mut rows = [['.'; 3]; 5];
            dots(letter).for_each(|(x, y)| rows[y as usize][x as usize] = '#');
            rows.map(|row| row.iter().collect::<String>()).join("\n")
        };
        assert_eq!(rows('l'), "#..\n#..\n#..\n#..\n###");
        assert_eq!(rows('7'), "###\n..#\n..#\n.#.\n.#.");
    }
}
