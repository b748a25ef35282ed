// SPDX-License-Identifier: GPL-3.0-or-later
//! The options of the engine, as values.
//!
//! | file | what it holds |
//! |---|---|
//! | `table` | the options themselves, each declared once |
//! | `declare` | what follows from a declaration |
//! | `kind` | what values an option takes |
//! | `effect` | when an option takes effect |

mod declare;
mod effect;
mod kind;
mod table;

use std::sync::LazyLock;

use uci::{OptionSpec, OptionValue};

use crate::strength::Strength;
pub(crate) use effect::Timing;
pub use table::{Declaration, MAX_HASH, MAX_MULTI_PV, MAX_THREADS, Setting, Settings};

impl Settings {
    /// How strong to play, if not as strong as possible.
    pub fn strength(&self) -> Option<Strength> {
        if self.is_limited {
            Some(Strength::of_elo(self.elo))
        } else {
            Strength::of_level(self.level)
        }
    }
}

/// The options of the engine, in the order in which they are announced.
pub fn options() -> &'static [Declaration] {
    static ALL: LazyLock<Vec<Declaration>> = LazyLock::new(|| {
        let mut all = table::declarations();
        if cfg!(feature = "tune") {
            all.extend(search::Params::SPECS.iter().map(declare_param));
        }
        all
    });
    &ALL
}

/// The option of this name, in any case and with any blanks.
pub fn option(name: &str) -> Option<&'static Declaration> {
    options().iter().find(|declaration| declaration.spec.is_named(name))
}

impl Declaration {
    /// The setting that a checked value of the option stands for.
    pub(crate) fn setting(&self, value: &OptionValue) -> Option<Setting> {
        if let Some(setting) = (self.read)(value) {
            return Some(setting);
        }
        let spec = search::Params::SPECS.iter().find(|spec| spec.name == self.spec.name())?;
        if let OptionValue::Spin(number) = value {
            Some(Setting::Param(spec.name, *number))
        } else {
            None
        }
    }
}

/// Under the `tune` feature every number of the search is an option.
fn declare_param(param: &search::ParamSpec) -> Declaration {
    let [default, min, max] = [param.default, param.min, param.max].map(i64::from);
    let spec = OptionSpec::spin(param.name, default, min..=max);
    Declaration {
        spec: spec.expect("numbers of the search are declared within their ranges"),
        help: "A number of the search.",
        read: |_| None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_found_by_its_name_and_has_its_default() {
        for declaration in options() {
            let spec = &declaration.spec;
            assert_eq!(option(spec.name()).unwrap().spec, *spec);
            let setting = declaration.setting(&spec.default_value()).unwrap();
            assert_eq!(setting.name(), spec.name());
            assert!(declaration.help.ends_with('.'), "{}: {}", spec.name(), declaration.help);
        }
    }

    #[test]
    fn settings_begin_at_the_defaults() {
        let settings = Settings::default();
        assert_eq!((settings.hash, settings.threads, settings.level), (16, 1, 20));
        assert_eq!(settings.network, crate::networks::names()[0]);
        let text = Setting::SearchMode(search::Mode::Mcts).text();
        assert_eq!(option("SearchMode").unwrap().spec.parse_value(&text).unwrap().warning, None);
    }
}
