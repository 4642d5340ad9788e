//! Digests and encodings by path: which call of a hasher makes, feeds or finishes it.

use rustc_hash::FxHashMap;
use samekey_catalogue::{digest, digests, hasher_methods};

use crate::flow::describe::started_digest;
use crate::flow::spec::{CallView, DigestStep};

/// The catalogue's digests, indexed.
pub struct DigestIndex {
    /// The names of digests by the path of a hasher type.
    types: FxHashMap<&'static str, &'static str>,
    calls: FxHashMap<&'static str, &'static str>,
    methods: FxHashMap<&'static str, &'static str>,
}

impl DigestIndex {
    pub fn new() -> DigestIndex {
        let named = |paths: fn(&samekey_catalogue::Digest) -> &'static [&'static str]| {
            digests().iter().flat_map(|row| paths(row).iter().map(|path| (*path, row.name))).collect()
        };
        DigestIndex {
            types: named(|row| row.types),
            calls: named(|row| row.calls),
            methods: named(|row| row.methods),
        }
    }

    /// What a call does to a digest.
    pub fn step(&self, call: &CallView<'_>) -> Option<DigestStep> {
        if let Some(name) = call.paths.iter().find_map(|path| self.calls.get(path.as_str())) {
            return Some(DigestStep::Finish(name));
        }
        let owners = call.paths.iter().filter_map(|path| path.rsplit_once("::")).map(|(owner, _)| owner);
        let Some(name) = call.receiver_path.into_iter().chain(owners).find_map(|owner| self.types.get(owner))
        else {
            return self.method(call);
        };
        let (finishing, chaining) = hasher_methods();
        if finishing.contains(&call.name) {
            return Some(DigestStep::Finish(name));
        }
        if chaining.contains(&call.name) {
            return Some(DigestStep::Feed);
        }
        (!call.method && call.receiver_path.is_none()).then_some(DigestStep::Start(name))
    }

    /// A method of a type that is not known: of a hasher by what its formula starts with, or of any value.
    fn method(&self, call: &CallView<'_>) -> Option<DigestStep> {
        if !call.method {
            return None;
        }
        let started = call.receiver_term.and_then(started_digest).and_then(digest);
        let (finishing, _) = hasher_methods();
        match (started, self.methods.get(call.name)) {
            (Some(row), _) if finishing.contains(&call.name) => Some(DigestStep::Finish(row.name)),
            (_, method) => method.map(|name| DigestStep::Finish(name)),
        }
    }
}
