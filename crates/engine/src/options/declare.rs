// SPDX-License-Identifier: GPL-3.0-or-later
//! What follows from the declaration of an option.

/// Makes of each declaration a `Setting`, a field of `Settings` and a `Declaration`.
macro_rules! options {
    ($(
        $(#[doc = $help:literal])+
        $field:ident: $variant:ident($type:ty) = $name:literal, $kind:expr, $effect:expr;
    )+) => {
        /// An option of the engine.
        #[derive(Clone, Debug)]
        pub struct Declaration {
            /// Its name, the values it takes, and its default.
            pub spec: uci::OptionSpec,
            /// What it is for, in a sentence or two.
            pub help: &'static str,
            /// The setting that a value of it stands for.
            pub(super) read: fn(&uci::OptionValue) -> Option<Setting>,
        }

        /// A value of an option.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Setting {
            $($(#[doc = $help])+ $variant($type),)+
            /// A number of the search, in a build for tuning.
            Param(&'static str, i64),
        }

        /// What all options are set to.
        #[derive(Clone, Debug)]
        pub struct Settings {
            $($(#[doc = $help])+ pub $field: $type,)+
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $($field: $crate::options::kind::OptionValueKind::default(&$kind),)+ }
            }
        }

        /// The options but the numbers of the search.
        pub(super) fn declarations() -> Vec<Declaration> {
            vec![$(Declaration {
                spec: $crate::options::kind::OptionValueKind::spec(&$kind, $name)
                    .expect("options are declared within their ranges"),
                help: concat!($($help),+).trim_ascii(),
                read: |value| {
                    $crate::options::kind::OptionValueKind::read(&$kind, value).map(Setting::$variant)
                },
            },)+]
        }

        impl Setting {
            /// The option's name.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)+
                    Self::Param(name, _) => name,
                }
            }

            /// The value as text.
            pub(crate) fn text(&self) -> String {
                match self {
                    $(Self::$variant(value) => $crate::options::kind::OptionValueKind::write(&$kind, value),)+
                    Self::Param(_, value) => value.to_string(),
                }
            }

            pub(crate) fn timing(&self) -> $crate::options::effect::Timing {
                match self {
                    $(Self::$variant(_) => {
                        let effect: $crate::options::effect::Effect<$type> = $effect;
                        effect.timing()
                    })+
                    Self::Param(..) => $crate::options::effect::Timing::AfterSearch,
                }
            }

            /// Changes the searcher, and then remembers the value.
            pub(crate) fn apply(
                self,
                settings: &mut Settings,
                target: Option<&mut $crate::config::Target<'_>>,
            ) -> Result<(), $crate::fault::SettingFault> {
                match self {
                    $(Self::$variant(value) => {
                        let effect: $crate::options::effect::Effect<$type> = $effect;
                        effect.act(target, &value)?;
                        settings.$field = value;
                    })+
                    Self::Param(name, value) => {
                        if let Some(target) = target {
                            target.set_param(name, value);
                        }
                    }
                }
                Ok(())
            }
        }
    };
}

pub(super) use options;
