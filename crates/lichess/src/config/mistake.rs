// SPDX-License-Identifier: GPL-3.0-or-later
//! What is wrong with a configuration: every mistake, with its line and, where there is one, a hint.

use std::fmt;

/// One mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The key with its sections, such as `challenge.speeds`; empty for a mistake of syntax.
    pub key: String,
    /// What is wrong, and what was expected.
    pub message: String,
    /// What may have been meant.
    pub hint: Option<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\n  hint: {hint}"))
    }
}

/// All mistakes of a file, in the order of its lines.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(f, "{count} mistake{}", if count == 1 { "" } else { "s" })?;
        self.0.iter().try_for_each(|mistake| write!(f, "\n{mistake}"))
    }
}

/// The word that was probably meant: the nearest one, if few letters differ, or one that begins
/// alike.
pub(crate) fn nearest<'a>(
    found: &str,
    words: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let most = (found.chars().count() / 3).clamp(1, 3);
    let measure = |word: &str| {
        let is_begun = found.len() >= 4 && (word.starts_with(found) || found.starts_with(word));
        let steps = distance(found, word);
        (steps <= most || is_begun).then_some(steps)
    };
    let near = words.into_iter().filter_map(|word| Some((measure(word)?, word)));
    near.min_by_key(|&(steps, _)| steps).map(|(_, word)| word)
}

/// How many letters must be changed, added, removed or swapped with their neighbors.
fn distance(from: &str, to: &str) -> usize {
    let fold = |text: &str| text.to_lowercase().replace('-', "_").chars().collect::<Vec<_>>();
    let (from, to) = (fold(from), fold(to));
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let change = rows[i][j] + usize::from(a != b);
            let mut best = change.min(row[j] + 1).min(rows[i][j + 1] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let words = ["blitz", "bullet", "rapid", "max_rating", "min_rating"];
        for (found, meant) in [
            ("blits", Some("blitz")),
            ("Bullet", Some("bullet")),
            ("rpaid", Some("rapid")),
            ("max-rating", Some("max_rating")),
            ("maxrating", Some("max_rating")),
            ("max", None),
            ("max_", Some("max_rating")),
            ("banana", None),
        ] {
            assert_eq!(nearest(found, words), meant, "{found}");
        }
    }
}
