// SPDX-License-Identifier: GPL-3.0-or-later
//! The macro that declares a family of heuristics.

/// Declares heuristics: each has a name, a title, perhaps a switch with its
/// [`MateSafety`](super::MateSafety), counters, and numbers with default, range and step. `without` is the
/// value that takes a number out of the search.
///
/// From it come a struct with the numbers, accessors of [`Params`](super::Params), a struct with the
/// counters, the descriptions for outsiders, and checks at compile time that defaults are in range.
macro_rules! heuristics {
    (
        $(#[doc = $family_doc:literal])+
        $family:ident: $Params:ident, $Stats:ident, $scope:ident;
        $(
            $(#[doc = $doc:literal])+
            $heuristic:ident: $title:literal {
                $(switch $switch:ident: $on:literal, $safety:ident;)?
                $(count $counter:ident: $label:literal;)*
                $(
                    $(#[doc = $number_doc:literal])+
                    $number:ident: $default:literal, $min:literal..=$max:literal, $step:literal
                    $(, without: $without:literal)?;
                )*
            }
        )*
    ) => {
        $(#[doc = $family_doc])+
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[allow(clippy::struct_field_names, reason = "numbers are known by these names outside")]
        pub(super) struct $Params {
            $($($switch: bool,)? $($number: i32,)*)*
        }

        impl Default for $Params {
            fn default() -> Self {
                Self { $($($switch: $on,)? $($number: $default,)*)* }
            }
        }

        impl $Params {
            /// Sets a number or switch that can be set in this build; `false` if there is none of the name.
            pub(super) fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $($(stringify!($switch) => self.$switch = value != 0,)?)*
                    $($(stringify!($number) if super::NUMBERS_ARE_SETTABLE => {
                        self.$number = value.clamp($min, $max);
                    })*)*
                    _ => return false,
                }
                true
            }

            /// A number by name; switches are 0 or 1.
            pub(super) fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $($(stringify!($switch) => Some(self.$switch.into()),)?)*
                    $($(stringify!($number) => Some(self.$number),)*)*
                    _ => None,
                }
            }

            /// Turns off what can overlook a mate.
            pub(super) fn turn_off_for_mates(&mut self) {
                $($(
                    if super::MateSafety::$safety == super::MateSafety::OverlooksMates {
                        self.$switch = false;
                    }
                )?)*
            }
        }

        impl super::Params {
            $(
                $(
                    #[doc = concat!("Whether this is on: ", $title, ".")]
                    #[inline(always)]
                    pub const fn $switch(&self) -> bool {
                        self.$family.$switch
                    }
                )?
                $(
                    #[doc = concat!($title, ":")]
                    $(#[doc = $number_doc])+
                    #[inline(always)]
                    pub const fn $number(&self) -> i32 {
                        if super::NUMBERS_ARE_SETTABLE { self.$family.$number } else { $default }
                    }
                )*
            )*
        }

        super::counters::counters! { $Stats { $($($counter = $label;)*)* } }

        pub(super) const FAMILY: super::Family = super::Family {
            name: stringify!($family),
            doc: concat!($($family_doc),+),
            heuristics: &[$(super::Heuristic {
                name: stringify!($heuristic),
                title: $title,
                doc: concat!($($doc),+),
                scope: super::Scope::$scope,
                switch: super::spec::switch(
                    &[$((stringify!($switch), $on, super::MateSafety::$safety))?],
                    concat!($($doc),+),
                ),
                counters: &[$($label),*],
                numbers: &[$(super::ParamSpec {
                    name: stringify!($number),
                    doc: concat!($($number_doc),+),
                    is_switch: false,
                    default: $default,
                    min: $min,
                    max: $max,
                    step: $step,
                    without: super::spec::first(&[$($without)?]),
                }),*],
            }),*],
        };

        const _: () = super::spec::check(&FAMILY);
    };
}

pub(super) use heuristics;
