// SPDX-License-Identifier: GPL-3.0-or-later
//! The kinds of options: what values they take, and how the protocol calls them.

use std::ops::RangeInclusive;

use search::{Leaf, Mode, Rollout};
use uci::{OptionSpec, OptionSpecError, OptionValue};

/// What values an option takes.
pub(crate) trait OptionValueKind {
    /// A value.
    type Value: Clone;

    /// What it is set to at first.
    fn default(&self) -> Self::Value;

    /// The option as the protocol announces it.
    fn spec(&self, name: &str) -> Result<OptionSpec, OptionSpecError>;

    /// A value that was checked against the announcement.
    fn read(&self, value: &OptionValue) -> Option<Self::Value>;

    /// The value as text, to be checked against the announcement.
    fn write(&self, value: &Self::Value) -> String;
}

/// An integer: its default and its range.
pub(crate) struct Spin(pub(crate) i64, pub(crate) RangeInclusive<i64>);

impl OptionValueKind for Spin {
    type Value = i64;

    fn default(&self) -> i64 {
        self.0
    }

    fn spec(&self, name: &str) -> Result<OptionSpec, OptionSpecError> {
        OptionSpec::spin(name, self.0, self.1.clone())
    }

    fn read(&self, value: &OptionValue) -> Option<i64> {
        if let OptionValue::Spin(number) = value { Some(*number) } else { None }
    }

    fn write(&self, value: &i64) -> String {
        value.to_string()
    }
}

/// Yes or no: its default.
pub(crate) struct Check(pub(crate) bool);

impl OptionValueKind for Check {
    type Value = bool;

    fn default(&self) -> bool {
        self.0
    }

    fn spec(&self, name: &str) -> Result<OptionSpec, OptionSpecError> {
        OptionSpec::check(name, self.0)
    }

    fn read(&self, value: &OptionValue) -> Option<bool> {
        if let OptionValue::Check(is_on) = value { Some(*is_on) } else { None }
    }

    fn write(&self, value: &bool) -> String {
        value.to_string()
    }
}

/// A text: its default.
pub(crate) struct Text(pub(crate) &'static str);

impl OptionValueKind for Text {
    type Value = String;

    fn default(&self) -> String {
        self.0.to_owned()
    }

    fn spec(&self, name: &str) -> Result<OptionSpec, OptionSpecError> {
        OptionSpec::string(name, self.0)
    }

    fn read(&self, value: &OptionValue) -> Option<String> {
        if let OptionValue::String(text) = value { Some(text.clone()) } else { None }
    }

    fn write(&self, value: &String) -> String {
        value.clone()
    }
}

/// Something to do once.
pub(crate) struct Button;

impl OptionValueKind for Button {
    type Value = ();

    fn default(&self) {}

    fn spec(&self, name: &str) -> Result<OptionSpec, OptionSpecError> {
        OptionSpec::button(name)
    }

    fn read(&self, _: &OptionValue) -> Option<()> {
        Some(())
    }

    fn write(&self, (): &()) -> String {
        String::new()
    }
}

/// One of several names, the first of which is the default.
pub(crate) struct OneOf(pub(crate) Vec<&'static str>);

impl OptionValueKind for OneOf {
    type Value = String;

    fn default(&self) -> String {
        self.0[0].to_owned()
    }

    fn spec(&self, name: &str) -> Result<OptionSpec, OptionSpecError> {
        OptionSpec::combo(name, self.0[0], &self.0)
    }

    fn read(&self, value: &OptionValue) -> Option<String> {
        if let OptionValue::Combo(text) = value { Some(text.clone()) } else { None }
    }

    fn write(&self, value: &String) -> String {
        value.clone()
    }
}

/// A type whose values have names.
pub(crate) trait Named: Copy + Default + 'static {
    const ALL: &'static [Self];
    fn name(self) -> &'static str;
}

macro_rules! named {
    ($($type:ty)+) => { $(
        impl Named for $type {
            const ALL: &'static [Self] = &<$type>::ALL;
            fn name(self) -> &'static str {
                <$type>::name(self)
            }
        }
    )+ };
}

named!(Mode Leaf Rollout);

/// One value of a type whose values have names: its default.
pub(crate) struct Choice<T>(pub(crate) T);

impl<T: Named> OptionValueKind for Choice<T> {
    type Value = T;

    fn default(&self) -> T {
        self.0
    }

    fn spec(&self, name: &str) -> Result<OptionSpec, OptionSpecError> {
        let names: Vec<_> = T::ALL.iter().map(|value| value.name()).collect();
        OptionSpec::combo(name, self.0.name(), &names)
    }

    fn read(&self, value: &OptionValue) -> Option<T> {
        let OptionValue::Combo(name) = value else { return None };
        T::ALL.iter().copied().find(|value| value.name() == name)
    }

    fn write(&self, value: &T) -> String {
        value.name().to_owned()
    }
}
