//! `Identity` for the types that billing code holds.

use alloc::borrow::Cow;
use alloc::format;

mod core_types;

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "serde")]
mod serde;
mod strings;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "ulid")]
mod ulid;
#[cfg(feature = "uuid")]
mod uuid;

/// Implements `Identity` and `PersistedIdentity` for a type that holds no other.
macro_rules! leaf {
    ([$($generics:tt)*] $type:ty, $tag:ident, |$value:ident, $slot:ident| $encode:expr, $text:expr) => {
        $crate::support::leaf!(@impl Identity, [$($generics)*] $type, $tag, |$value, $slot| $encode, $text);
        $crate::support::leaf!(@impl PersistedIdentity, [$($generics)*] $type, $tag, |$value, $slot| $encode, $text);
    };
    (persisted $type:ty, $tag:ident, |$value:ident, $slot:ident| $encode:expr, $text:expr) => {
        $crate::support::leaf!(@impl PersistedIdentity, [] $type, $tag, |$value, $slot| $encode, $text);
    };
    (@impl $trait:ident, [$($generics:tt)*] $type:ty, $tag:ident, |$value:ident, $slot:ident| $encode:expr, $text:expr) => {
        impl<$($generics)*> $crate::identity::$trait for $type {
            const SCHEMA: $crate::schema::Schema = $crate::schema::Schema::of($crate::format::Tag::$tag);

            fn encode(&self, $slot: $crate::encode::Slot<'_>) -> $crate::encode::Written {
                let $value = self;
                $encode
            }

            fn template_text(&self) -> Option<::alloc::borrow::Cow<'_, str>> {
                let $value = self;
                let text: fn(&Self) -> Option<::alloc::borrow::Cow<'_, str>> = $text;
                text($value)
            }
        }
    };
}

pub(crate) use leaf;

/// The text of a day in a template; years of more digits have several.
#[allow(dead_code, reason = "each use depends on a feature")]
pub(crate) fn date_text(year: i32, month: u32, day: u32) -> Option<Cow<'static, str>> {
    (0..=9999).contains(&year).then(|| Cow::Owned(format!("{year:04}-{month:02}-{day:02}")))
}
