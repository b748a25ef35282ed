// SPDX-License-Identifier: GPL-3.0-or-later
//! A map of king buckets on the command line.

use std::fs;
use std::path::Path;
use std::str::FromStr;

/// The bucket of each of the king's squares, or one for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BucketMap(Vec<u8>);

impl BucketMap {
    /// The map of so many squares; one that has other squares stays as it is.
    pub(super) fn of(&self, squares: usize) -> Vec<u8> {
        if self.0.is_empty() { vec![0; squares] } else { self.0.clone() }
    }
}

impl FromStr for BucketMap {
    type Err = String;

    /// Numbers with commas or blanks between them, or the name of a file with them.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "1" {
            return Ok(Self(vec![]));
        }
        if Path::new(text).is_file() {
            let read = fs::read_to_string(text).map_err(|error| error.to_string())?;
            return numbers(&read);
        }
        numbers(text)
    }
}

fn numbers(text: &str) -> Result<BucketMap, String> {
    let words = text.split([',', ' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    let number = |word: &str| {
        let wrong = |_| format!("`{word}` is neither the number of a bucket nor a file");
        word.parse::<u8>().map_err(wrong)
    };
    let map: Vec<u8> = words.map(number).collect::<Result<_, _>>()?;
    match map.len() {
        32 | 64 => Ok(BucketMap(map)),
        found => Err(format!("{found} numbers, expected 32 if mirrored, otherwise 64")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_lists_or_files_or_one_for_all() {
        let list = ["0"; 31].join(",") + ",3";
        let map: BucketMap = list.parse().unwrap();
        assert_eq!((map.of(32).len(), map.of(32)[31]), (32, 3));
        assert_eq!("1".parse::<BucketMap>().unwrap().of(64), [0; 64]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map");
        fs::write(&path, "0 1 2 3 3 2 1 0\n".repeat(8)).unwrap();
        let map: BucketMap = path.to_str().unwrap().parse().unwrap();
        assert_eq!(map.of(64)[62], 1);
        for (text, part) in [("0,1", "2 numbers, expected"), ("none", "`none` is neither")] {
            let error = text.parse::<BucketMap>().unwrap_err();
            assert!(error.starts_with(part), "{error}");
        }
    }
}
