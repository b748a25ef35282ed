// SPDX-License-Identifier: GPL-3.0-or-later
//! What a misspelt word was probably meant to be.

/// The nearest of some words, if few letters differ or one begins like the other. Capitals do not count,
/// nor does it matter whether words are joined by `-`, `_` or a blank.
///
/// ```
/// use common::suggest::nearest;
///
/// assert_eq!(nearest("Hsh", ["Hash", "Threads"]), Some("Hash"));
/// assert_eq!(nearest("banana", ["Hash", "Threads"]), None);
/// ```
pub fn nearest<'a>(found: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (found.chars().count() / 3).clamp(1, 3);
    let found = fold(found);
    let measure = |word: &str| {
        let word = fold(word);
        let is_begun = found.len() >= 4 && (word.starts_with(&found) || found.starts_with(&word));
        let steps = strsim::damerau_levenshtein(&found, &word);
        (steps <= most || is_begun).then_some(steps)
    };
    let near = words.into_iter().filter_map(|word| Some((measure(word)?, word)));
    near.min_by_key(|&(steps, _)| steps).map(|(_, word)| word)
}

/// The end of a message about a misspelt word: `: did you mean …?`, or nothing.
pub fn did_you_mean<'a>(found: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    nearest(found, words).map_or_else(String::new, |word| format!(": did you mean `{word}`?"))
}

fn fold(word: &str) -> String {
    word.to_lowercase().replace(['-', ' '], "_")
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
        assert_eq!(did_you_mean("blits", words), ": did you mean `blitz`?");
        assert_eq!(did_you_mean("banana", words), "");
    }
}
