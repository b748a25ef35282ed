// SPDX-License-Identifier: GPL-3.0-or-later
//! The words that Lichess and the configuration share.

/// A value that is one of a few words.
pub trait Word: Copy + PartialEq + 'static {
    /// What it is, for messages.
    const WHAT: &'static str;
    /// All words, in the order in which they are listed.
    const ALL: &'static [Self];

    /// The word.
    fn name(self) -> &'static str;

    /// The value of a word; case matters, as it does to Lichess.
    fn of(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.name() == text)
    }
}

/// Declares an enum of words, each with its spelling.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $what:literal, {
        $($(#[$item:meta])* $variant:ident = $text:literal,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $name {
            $($(#[$item])* $variant,)*
        }

        impl Word for $name {
            const WHAT: &'static str = $what;
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

words!(
    /// The rules of a game, as far as the engine plays them.
    Variant, "variant", {
        /// Chess.
        Standard = "standard",
        /// Chess from one of 960 set-ups.
        Chess960 = "chess960",
        /// Chess from a position that the challenger chose.
        FromPosition = "fromPosition",
    }
);

words!(
    /// How long a game is expected to take, by Lichess's own limits.
    Speed, "speed", {
        /// Under half a minute.
        UltraBullet = "ultraBullet",
        /// Under three minutes.
        Bullet = "bullet",
        /// Under eight minutes.
        Blitz = "blitz",
        /// Under 25 minutes.
        Rapid = "rapid",
        /// Longer, on one evening.
        Classical = "classical",
        /// Days for a move, or no clock at all.
        Correspondence = "correspondence",
    }
);

impl Speed {
    /// The speed of a clock, by the time that forty moves would take.
    pub const fn of_clock(initial_seconds: u32, increment_seconds: u32) -> Self {
        match initial_seconds.saturating_add(increment_seconds.saturating_mul(40)) {
            0..30 => Self::UltraBullet,
            30..180 => Self::Bullet,
            180..480 => Self::Blitz,
            480..1500 => Self::Rapid,
            _ => Self::Classical,
        }
    }
}

words!(
    /// Whether a game changes ratings.
    Mode, "mode", {
        /// It does not.
        Casual = "casual",
        /// It does.
        Rated = "rated",
    }
);

words!(
    /// Who sits on the other side.
    Opponent, "kind of opponent", {
        /// A person.
        Human = "human",
        /// A program with the title BOT.
        Bot = "bot",
    }
);

words!(
    /// Why a challenge is declined; Lichess shows the challenger a sentence for each.
    Reason, "reason", {
        /// No particular one.
        Generic = "generic",
        /// Not now.
        Later = "later",
        /// The clock is too fast.
        TooFast = "tooFast",
        /// The clock is too slow.
        TooSlow = "tooSlow",
        /// Another clock, please.
        TimeControl = "timeControl",
        /// Rated, please.
        Rated = "rated",
        /// Casual, please.
        Casual = "casual",
        /// Only standard chess.
        Standard = "standard",
        /// Not this variant.
        Variant = "variant",
        /// No bots.
        NoBot = "noBot",
        /// Only bots.
        OnlyBot = "onlyBot",
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_have_the_speeds_that_lichess_gives_them() {
        for (initial, increment, speed) in [
            (15, 0, Speed::UltraBullet),
            (30, 0, Speed::Bullet),
            (60, 2, Speed::Bullet),
            (120, 1, Speed::Bullet),
            (180, 0, Speed::Blitz),
            (120, 3, Speed::Blitz),
            (300, 5, Speed::Rapid),
            (900, 10, Speed::Rapid),
            (1800, 0, Speed::Classical),
            (u32::MAX, u32::MAX, Speed::Classical),
        ] {
            assert_eq!(Speed::of_clock(initial, increment), speed, "{initial}+{increment}");
        }
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for reason in Reason::ALL {
            assert_eq!(Reason::of(reason.name()), Some(*reason));
        }
        assert_eq!(Speed::of("Blitz"), None);
    }
}
