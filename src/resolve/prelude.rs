//! What the Rust language itself defines: prelude names, primitive types, the names of common standard methods.
//!
//! This is language knowledge, not a catalogue of library behaviour: nothing here says what is volatile.

/// The canonical path of a name that the standard prelude brings into every scope.
pub(super) fn prelude_path(name: &str) -> Option<&'static str> {
    Some(match name {
        "Option" => "std::option::Option",
        "Some" => "std::option::Option::Some",
        "None" => "std::option::Option::None",
        "Result" => "std::result::Result",
        "Ok" => "std::result::Result::Ok",
        "Err" => "std::result::Result::Err",
        "String" => "std::string::String",
        "ToString" => "std::string::ToString",
        "Vec" => "std::vec::Vec",
        "Box" => "std::boxed::Box",
        "ToOwned" => "std::borrow::ToOwned",
        "Clone" => "std::clone::Clone",
        "Copy" => "std::marker::Copy",
        "Send" => "std::marker::Send",
        "Sync" => "std::marker::Sync",
        "Sized" => "std::marker::Sized",
        "Unpin" => "std::marker::Unpin",
        "Drop" => "std::ops::Drop",
        "Fn" => "std::ops::Fn",
        "FnMut" => "std::ops::FnMut",
        "FnOnce" => "std::ops::FnOnce",
        "AsyncFn" => "std::ops::AsyncFn",
        "AsyncFnMut" => "std::ops::AsyncFnMut",
        "AsyncFnOnce" => "std::ops::AsyncFnOnce",
        "drop" => "std::mem::drop",
        "size_of" => "std::mem::size_of",
        "size_of_val" => "std::mem::size_of_val",
        "align_of" => "std::mem::align_of",
        "AsRef" => "std::convert::AsRef",
        "AsMut" => "std::convert::AsMut",
        "From" => "std::convert::From",
        "Into" => "std::convert::Into",
        "TryFrom" => "std::convert::TryFrom",
        "TryInto" => "std::convert::TryInto",
        "Default" => "std::default::Default",
        "Iterator" => "std::iter::Iterator",
        "IntoIterator" => "std::iter::IntoIterator",
        "DoubleEndedIterator" => "std::iter::DoubleEndedIterator",
        "ExactSizeIterator" => "std::iter::ExactSizeIterator",
        "Extend" => "std::iter::Extend",
        "FromIterator" => "std::iter::FromIterator",
        "PartialEq" => "std::cmp::PartialEq",
        "Eq" => "std::cmp::Eq",
        "PartialOrd" => "std::cmp::PartialOrd",
        "Ord" => "std::cmp::Ord",
        "Future" => "std::future::Future",
        "IntoFuture" => "std::future::IntoFuture",
        _ => return None,
    })
}

/// Whether `name` is a primitive type.
pub(crate) fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "char"
            | "str"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "f32"
            | "f64"
    )
}

/// Whether `name` is a primitive number, whose literals fit any other number.
pub(super) fn is_number(name: &str) -> bool {
    is_primitive(name) && !matches!(name, "bool" | "char" | "str")
}

/// Whether `name` is a crate that every program can name without a dependency.
pub(super) fn is_standard_crate(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc" | "proc_macro" | "test")
}

/// The canonical form of a path outside the tree: `core::` and `alloc::` read `std::`, and the few standard
/// items that have two public paths get the short one.
pub(super) fn canonical_external(path: &str) -> String {
    let path = match path.split_once("::") {
        Some(("core" | "alloc", rest)) => format!("std::{rest}"),
        _ if path == "core" || path == "alloc" => "std".to_owned(),
        _ => path.to_owned(),
    };
    if !path.starts_with("std::") {
        return path;
    }
    for (long, short) in SECOND_PATHS {
        if let Some(rest) = path.strip_prefix(long)
            && (rest.is_empty() || rest.starts_with("::"))
        {
            return format!("{short}{rest}");
        }
    }
    for prelude in ["std::prelude::v1::", "std::prelude::rust_2021::", "std::prelude::rust_2024::"] {
        if let Some(rest) = path.strip_prefix(prelude) {
            let (first, tail) = rest.split_at(rest.find("::").unwrap_or(rest.len()));
            return prelude_path(first).map_or_else(|| path.clone(), |full| format!("{full}{tail}"));
        }
    }
    path
}

/// Standard items with two public paths.
const SECOND_PATHS: &[(&str, &str)] = &[
    ("std::collections::hash_map::HashMap", "std::collections::HashMap"),
    ("std::collections::hash_set::HashSet", "std::collections::HashSet"),
    ("std::collections::btree_map::BTreeMap", "std::collections::BTreeMap"),
    ("std::collections::btree_set::BTreeSet", "std::collections::BTreeSet"),
    ("std::collections::vec_deque::VecDeque", "std::collections::VecDeque"),
    ("std::hash::random::RandomState", "std::hash::RandomState"),
    ("std::collections::hash_map::RandomState", "std::hash::RandomState"),
    ("std::collections::hash_map::DefaultHasher", "std::hash::DefaultHasher"),
    ("std::iter::traits::iterator::Iterator", "std::iter::Iterator"),
];

/// Whether the module `path` of the standard library holds an item `name`, for the modules that people import
/// with a glob. Only used to rank the candidates of several globs.
pub(super) fn standard_module_holds(path: &str, name: &str) -> bool {
    let names: &[&str] = match path {
        "std::ops" => &[
            "Add",
            "AddAssign",
            "BitAnd",
            "BitOr",
            "BitXor",
            "Bound",
            "ControlFlow",
            "Deref",
            "DerefMut",
            "Div",
            "DivAssign",
            "Drop",
            "Fn",
            "FnMut",
            "FnOnce",
            "Index",
            "IndexMut",
            "Mul",
            "MulAssign",
            "Neg",
            "Not",
            "Range",
            "RangeInclusive",
            "Rem",
            "RemAssign",
            "Shl",
            "Shr",
            "Sub",
            "SubAssign",
        ],
        "std::fmt" => &["Arguments", "Debug", "Display", "Error", "Formatter", "LowerHex", "Result", "Write"],
        "std::collections" => {
            &["BTreeMap", "BTreeSet", "BinaryHeap", "HashMap", "HashSet", "LinkedList", "VecDeque"]
        }
        "std::sync" => &[
            "Arc",
            "Barrier",
            "Condvar",
            "LazyLock",
            "Mutex",
            "MutexGuard",
            "Once",
            "OnceLock",
            "RwLock",
            "Weak",
        ],
        "std::time" => &["Duration", "Instant", "SystemTime", "UNIX_EPOCH"],
        "std::convert" => &["AsMut", "AsRef", "From", "Infallible", "Into", "TryFrom", "TryInto"],
        "std::io" | "std::io::prelude" => &["BufRead", "Read", "Seek", "Write"],
        "std::rc" => &["Rc", "Weak"],
        "std::cell" => &["Cell", "OnceCell", "Ref", "RefCell", "RefMut"],
        "std::cmp" => &["Eq", "Ord", "Ordering", "PartialEq", "PartialOrd", "Reverse", "max", "min"],
        "std::str" => &["FromStr", "from_utf8"],
        _ => return false,
    };
    names.contains(&name)
}

/// Whether `name` is a macro that the standard library defines.
pub(super) fn is_standard_macro(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "assert",
        "assert_eq",
        "assert_ne",
        "cfg",
        "column",
        "compile_error",
        "concat",
        "dbg",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "env",
        "eprint",
        "eprintln",
        "file",
        "format",
        "format_args",
        "include",
        "include_bytes",
        "include_str",
        "line",
        "matches",
        "module_path",
        "option_env",
        "panic",
        "print",
        "println",
        "stringify",
        "thread_local",
        "todo",
        "try",
        "unimplemented",
        "unreachable",
        "vec",
        "write",
        "writeln",
    ];
    NAMES.contains(&name)
}

/// Traits that ordinary types have without an impl of their own in the program.
pub(super) fn is_marker_trait(path: &str) -> bool {
    matches!(
        path,
        "std::marker::Send"
            | "std::marker::Sync"
            | "std::marker::Sized"
            | "std::marker::Unpin"
            | "std::marker::Copy"
            | "std::panic::UnwindSafe"
            | "std::panic::RefUnwindSafe"
            | "std::any::Any"
            | "std::convert::Into"
            | "std::convert::TryInto"
            | "std::borrow::Borrow"
            | "std::borrow::BorrowMut"
            | "std::borrow::ToOwned"
    )
}

/// Whether the first argument of a standard trait is `Self` when it is not written.
pub(super) fn defaults_to_self(path: &str) -> bool {
    const OPERATORS: &[&str] = &[
        "Add",
        "AddAssign",
        "BitAnd",
        "BitAndAssign",
        "BitOr",
        "BitOrAssign",
        "BitXor",
        "BitXorAssign",
        "Div",
        "DivAssign",
        "Mul",
        "MulAssign",
        "Rem",
        "RemAssign",
        "Shl",
        "ShlAssign",
        "Shr",
        "ShrAssign",
        "Sub",
        "SubAssign",
    ];
    match path.strip_prefix("std::ops::") {
        Some(name) => OPERATORS.contains(&name),
        None => matches!(path, "std::cmp::PartialEq" | "std::cmp::PartialOrd"),
    }
}

/// The index of the generic argument that a standard smart pointer dereferences to.
pub(super) fn dereferences_to_argument(path: &str) -> Option<usize> {
    Some(match path {
        "std::boxed::Box"
        | "std::rc::Rc"
        | "std::sync::Arc"
        | "std::pin::Pin"
        | "std::borrow::Cow"
        | "std::cell::Ref"
        | "std::cell::RefMut"
        | "std::cell::LazyCell"
        | "std::sync::LazyLock"
        | "std::sync::MutexGuard"
        | "std::sync::RwLockReadGuard"
        | "std::sync::RwLockWriteGuard"
        | "std::mem::ManuallyDrop" => 0,
        _ => return None,
    })
}

/// The trait of the standard library that a method belongs to, for traits that user types implement.
pub(super) fn standard_trait_of(method: &str) -> Option<&'static str> {
    Some(match method {
        "clone" => "std::clone::Clone",
        "into" => "std::convert::Into",
        "try_into" => "std::convert::TryInto",
        "as_ref" => "std::convert::AsRef",
        "to_string" => "std::string::ToString",
        "fmt" => "std::fmt::Display",
        "next" => "std::iter::Iterator",
        "into_iter" => "std::iter::IntoIterator",
        "deref" => "std::ops::Deref",
        "deref_mut" => "std::ops::DerefMut",
        "index" => "std::ops::Index",
        "index_mut" => "std::ops::IndexMut",
        "add" => "std::ops::Add",
        "sub" => "std::ops::Sub",
        "mul" => "std::ops::Mul",
        "div" => "std::ops::Div",
        "rem" => "std::ops::Rem",
        "neg" => "std::ops::Neg",
        "not" => "std::ops::Not",
        "borrow" => "std::borrow::Borrow",
        "to_owned" => "std::borrow::ToOwned",
        "cmp" => "std::cmp::Ord",
        "partial_cmp" => "std::cmp::PartialOrd",
        "eq" => "std::cmp::PartialEq",
        "hash" => "std::hash::Hash",
        "poll" => "std::future::Future",
        _ => return None,
    })
}

/// Whether a trait of the standard library has a type parameter.
pub(super) fn takes_argument(path: &str) -> bool {
    defaults_to_self(path)
        || matches!(
            path,
            "std::borrow::Borrow"
                | "std::borrow::BorrowMut"
                | "std::convert::AsMut"
                | "std::convert::AsRef"
                | "std::convert::From"
                | "std::convert::Into"
                | "std::convert::TryFrom"
                | "std::convert::TryInto"
                | "std::iter::Extend"
                | "std::iter::FromIterator"
                | "std::iter::Product"
                | "std::iter::Sum"
                | "std::ops::Index"
                | "std::ops::IndexMut"
        )
}

/// The trait of the standard library that an associated function without receiver belongs to.
pub(super) fn standard_constructor_trait(name: &str) -> Option<&'static str> {
    Some(match name {
        "default" => "std::default::Default",
        "from" => "std::convert::From",
        "try_from" => "std::convert::TryFrom",
        "from_str" => "std::str::FromStr",
        "from_iter" => "std::iter::FromIterator",
        other => return standard_trait_of(other),
    })
}

/// Whether `name` is so common in the standard library that an unknown receiver says nothing about user types.
pub(crate) fn is_standard_method(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "abs",
        "add",
        "all",
        "and",
        "and_then",
        "any",
        "append",
        "as_bytes",
        "as_deref",
        "as_mut",
        "as_ref",
        "as_slice",
        "as_str",
        "borrow",
        "borrow_mut",
        "bytes",
        "ceil",
        "chain",
        "chars",
        "checked_add",
        "checked_mul",
        "checked_sub",
        "chunks",
        "clear",
        "clone",
        "clone_from",
        "cloned",
        "cmp",
        "collect",
        "concat",
        "contains",
        "contains_key",
        "copied",
        "count",
        "cycle",
        "dedup",
        "deref",
        "deref_mut",
        "div",
        "downcast_ref",
        "drain",
        "drop",
        "elapsed",
        "ends_with",
        "entry",
        "enumerate",
        "eq",
        "eq_ignore_ascii_case",
        "err",
        "expect",
        "expect_err",
        "extend",
        "extend_from_slice",
        "fetch_add",
        "fetch_sub",
        "fill",
        "filter",
        "filter_map",
        "find",
        "find_map",
        "finish",
        "first",
        "flat_map",
        "flatten",
        "floor",
        "flush",
        "fmt",
        "fold",
        "for_each",
        "get",
        "get_mut",
        "get_or_init",
        "get_or_insert_with",
        "hash",
        "index",
        "index_mut",
        "insert",
        "inspect",
        "inspect_err",
        "into",
        "into_bytes",
        "into_inner",
        "into_iter",
        "is_empty",
        "is_err",
        "is_none",
        "is_ok",
        "is_some",
        "iter",
        "iter_mut",
        "join",
        "keys",
        "last",
        "len",
        "lines",
        "load",
        "lock",
        "make_ascii_lowercase",
        "map",
        "map_err",
        "map_or",
        "map_or_else",
        "max",
        "max_by_key",
        "min",
        "min_by_key",
        "mul",
        "ne",
        "neg",
        "next",
        "nth",
        "ok",
        "ok_or",
        "ok_or_else",
        "or",
        "or_default",
        "or_else",
        "or_insert",
        "or_insert_with",
        "parse",
        "partial_cmp",
        "partition",
        "peek",
        "pop",
        "pop_front",
        "position",
        "pow",
        "product",
        "push",
        "push_back",
        "push_front",
        "push_str",
        "read",
        "read_line",
        "read_to_string",
        "recv",
        "remove",
        "repeat",
        "replace",
        "reserve",
        "resize",
        "retain",
        "rev",
        "round",
        "saturating_add",
        "saturating_sub",
        "send",
        "set",
        "skip",
        "sort",
        "sort_by",
        "sort_by_key",
        "split",
        "split_at",
        "split_once",
        "split_whitespace",
        "starts_with",
        "step_by",
        "store",
        "sub",
        "sum",
        "swap",
        "take",
        "take_while",
        "then",
        "then_some",
        "to_be_bytes",
        "to_le_bytes",
        "to_lowercase",
        "to_owned",
        "to_string",
        "to_uppercase",
        "to_vec",
        "trim",
        "trim_end",
        "trim_start",
        "truncate",
        "try_borrow",
        "try_from",
        "try_into",
        "try_lock",
        "unwrap",
        "unwrap_err",
        "unwrap_or",
        "unwrap_or_default",
        "unwrap_or_else",
        "update",
        "values",
        "with",
        "with_capacity",
        "wrapping_add",
        "write",
        "write_all",
        "write_str",
        "zip",
    ];
    NAMES.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_outside_the_tree_have_one_spelling() {
        assert_eq!(canonical_external("core::fmt::Display"), "std::fmt::Display");
        assert_eq!(canonical_external("alloc::string::String::from"), "std::string::String::from");
        assert_eq!(
            canonical_external("std::collections::hash_map::HashMap::new"),
            "std::collections::HashMap::new"
        );
        assert_eq!(canonical_external("std::prelude::v1::Some"), "std::option::Option::Some");
        assert_eq!(canonical_external("uuid::Uuid"), "uuid::Uuid");
        assert_eq!(canonical_external("corelib::fmt"), "corelib::fmt");
    }

    #[test]
    fn the_method_list_is_sorted_for_its_binary_search() {
        for name in ["abs", "get", "map", "next", "push", "unwrap_or_default", "zip"] {
            assert!(is_standard_method(name), "{name}");
        }
        for name in ["charge", "for_charge", "mint", ""] {
            assert!(!is_standard_method(name), "{name}");
        }
    }
}
