//! String and byte types of other crates.

#[cfg(feature = "bytes")]
mod bytes {
    use crate::encode::{Slot, Written};
    use crate::format::Tag;
    use crate::identity::BytesIdentity;
    use crate::schema::Schema;

    impl BytesIdentity for bytes::Bytes {
        const SCHEMA: Schema = Schema::of(Tag::Bytes);

        fn encode_bytes(&self, slot: Slot<'_>) -> Written {
            slot.bytes(self)
        }
    }
}

#[allow(unused_macros, reason = "each use depends on a feature")]
macro_rules! strings {
    ($($feature:literal: $($type:ty)*;)*) => {$($(
        #[cfg(feature = $feature)]
        crate::support::leaf!([] $type, Text, |value, slot| slot.text(value), |value| Some(
            alloc::borrow::Cow::Borrowed(value)
        ));
    )*)*};
}

strings! {
    "arcstr": arcstr::ArcStr;
    "compact_str": compact_str::CompactString;
    "ecow": ecow::EcoString;
    "smol_str": smol_str::SmolStr;
}
