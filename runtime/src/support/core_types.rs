//! `core` and `alloc` types.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::num::NonZero;

use super::leaf;
use crate::encode::{Slot, Written};
use crate::format::Tag;
use crate::identity::{BytesIdentity, Identity, PersistedIdentity};
use crate::schema::Schema;

leaf!([] str, Text, |value, slot| slot.text(value), |value| Some(Cow::Borrowed(value)));
leaf!([] String, Text, |value, slot| slot.text(value), |value| Some(Cow::Borrowed(value)));
leaf!([] char, Text, |value, slot| slot.text(value.encode_utf8(&mut [0; 4])), |value| Some(
    Cow::Owned(value.to_string())
));
leaf!([] bool, Boolean, |value, slot| slot.boolean(*value), |value| Some(
    Cow::Borrowed(if *value { "true" } else { "false" })
));

macro_rules! integers {
    ($($method:ident: $wide:ty => $($type:ty)*;)*) => {$($(
        leaf!([] $type, Integer, |value, slot| slot.$method(*value as $wide), |value| Some(Cow::Owned(value.to_string())));
        leaf!([] NonZero<$type>, Integer, |value, slot| slot.$method(value.get() as $wide), |value| Some(Cow::Owned(value.to_string())));
    )*)*};
}

integers! {
    integer: i128 => i8 i16 i32 i64 i128 isize;
    unsigned: u128 => u8 u16 u32 u64 u128 usize;
}

/// Implements both traits for a wrapper that leaves no trace.
macro_rules! transparent {
    ($([$($generics:tt)*] $type:ty => $inner:ty;)*) => {$(
        transparent!(@impl Identity, [$($generics)*] $type => $inner);
        transparent!(@impl PersistedIdentity, [$($generics)*] $type => $inner);

        impl<$($generics)*> BytesIdentity for $type
        where
            $inner: BytesIdentity,
        {
            const SCHEMA: Schema = <$inner as BytesIdentity>::SCHEMA;

            fn encode_bytes(&self, slot: Slot<'_>) -> Written {
                <$inner as BytesIdentity>::encode_bytes(self, slot)
            }
        }
    )*};
    (@impl $trait:ident, [$($generics:tt)*] $type:ty => $inner:ty) => {
        impl<$($generics)*> $trait for $type
        where
            $inner: $trait,
        {
            const SCHEMA: Schema = <$inner as $trait>::SCHEMA;

            fn encode(&self, slot: Slot<'_>) -> Written {
                <$inner as $trait>::encode(self, slot)
            }

            fn template_text(&self) -> Option<Cow<'_, str>> {
                <$inner as $trait>::template_text(self)
            }
        }
    };
}

transparent! {
    ['a, T: ?Sized] &'a T => T;
    [T: ?Sized] Box<T> => T;
    [T: ?Sized] Rc<T> => T;
    [T: ?Sized] Arc<T> => T;
    ['a, T: ToOwned + ?Sized] Cow<'a, T> => T;
}

macro_rules! optional {
    ($($trait:ident)*) => {$(
        impl<T: $trait> $trait for Option<T> {
            const SCHEMA: Schema = Schema::of(Tag::Some).with(T::SCHEMA);

            fn encode(&self, slot: Slot<'_>) -> Written {
                match self {
                    None => slot.none(),
                    Some(value) => slot.some(|slot| value.encode(slot)),
                }
            }
        }
    )*};
}

optional!(Identity PersistedIdentity);

impl<T: BytesIdentity> BytesIdentity for Option<T> {
    const SCHEMA: Schema = Schema::of(Tag::Some).with(T::SCHEMA);

    fn encode_bytes(&self, slot: Slot<'_>) -> Written {
        match self {
            None => slot.none(),
            Some(value) => slot.some(|slot| value.encode_bytes(slot)),
        }
    }
}

macro_rules! collections {
    ($($method:ident, $tag:ident, [$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Identity for $type {
            const SCHEMA: Schema = Schema::of(Tag::$tag).with(T::SCHEMA);

            fn encode(&self, slot: Slot<'_>) -> Written {
                slot.$method(self.iter())
            }
        }

        impl<$($generics)*> PersistedIdentity for $type {
            const SCHEMA: Schema = <Self as Identity>::SCHEMA;

            fn encode(&self, slot: Slot<'_>) -> Written {
                Identity::encode(self, slot)
            }
        }
    )*};
}

collections! {
    list, List, [T: Identity] [T];
    list, List, [T: Identity, const N: usize] [T; N];
    list, List, [T: Identity] Vec<T>;
    list, List, [T: Identity] VecDeque<T>;
    set, Set, [T: Identity] BTreeSet<T>;
}

impl<K: Identity, V: Identity> Identity for BTreeMap<K, V> {
    const SCHEMA: Schema = Schema::of(Tag::Map).with(K::SCHEMA).with(V::SCHEMA);

    fn encode(&self, slot: Slot<'_>) -> Written {
        slot.map(self)
    }
}

impl<K: Identity, V: Identity> PersistedIdentity for BTreeMap<K, V> {
    const SCHEMA: Schema = <Self as Identity>::SCHEMA;

    fn encode(&self, slot: Slot<'_>) -> Written {
        Identity::encode(self, slot)
    }
}

/// A tuple is a record whose fields are named by number.
macro_rules! tuples {
    ($($($type:ident $index:tt)*;)*) => {$(
        impl<$($type: Identity),*> Identity for ($($type,)*) {
            const SCHEMA: Schema = Schema::of(Tag::Record)
                $(.field(stringify!($index), $type::SCHEMA))*;

            fn encode(&self, slot: Slot<'_>) -> Written {
                slot.record(|fields| {
                    $(fields.field(stringify!($index), |slot| self.$index.encode(slot));)*
                })
            }
        }
    )*};
}

tuples! {
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
}

macro_rules! byte_strings {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> BytesIdentity for $type {
            const SCHEMA: Schema = Schema::of(Tag::Bytes);

            fn encode_bytes(&self, slot: Slot<'_>) -> Written {
                slot.bytes(self)
            }
        }
    )*};
}

byte_strings! {
    [] [u8];
    [const N: usize] [u8; N];
    [] Vec<u8>;
}
