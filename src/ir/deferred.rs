//! Bodies of functions that are lowered when they are first asked for.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Body, Gap, NameHash};

/// The body of a function.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// At hand.
    Lowered(Arc<Body>),
    /// Lowered when it is first asked for. It defines no items.
    Deferred(Arc<DeferredBody>),
}

impl FunctionBody {
    /// The body; `None` when it cannot be parsed.
    #[must_use]
    pub fn get(&self) -> Option<&Body> {
        match self {
            FunctionBody::Lowered(body) => Some(body),
            FunctionBody::Deferred(deferred) => deferred.lowered().body.as_ref(),
        }
    }

    /// Whether the body may spell a name. Of one that is at hand nothing is known before it is looked at.
    #[must_use]
    pub fn may_spell(&self, name: NameHash) -> bool {
        match self {
            FunctionBody::Lowered(_) => true,
            FunctionBody::Deferred(deferred) => deferred.names.binary_search(&name).is_ok(),
        }
    }

    /// The names that the body may spell, sorted; `None` of one that is at hand.
    #[must_use]
    pub fn deferred_names(&self) -> Option<&[NameHash]> {
        match self {
            FunctionBody::Lowered(_) => None,
            FunctionBody::Deferred(deferred) => Some(&deferred.names),
        }
    }

    /// What was not understood when the body was lowered late.
    #[must_use]
    pub fn late_gaps(&self) -> &[Gap] {
        match self {
            FunctionBody::Lowered(_) => &[],
            FunctionBody::Deferred(deferred) => deferred.lowered.get().map_or(&[], |late| &late.gaps),
        }
    }
}

/// A body that is not lowered yet, or was lowered late.
pub struct DeferredBody {
    names: Box<[NameHash]>,
    lower: Box<dyn Fn() -> LateBody + Send + Sync>,
    lowered: OnceLock<LateBody>,
}

/// What lowering a body late gives.
#[derive(Debug, Default)]
pub struct LateBody {
    /// The body; `None` when it cannot be parsed.
    pub body: Option<Body>,
    /// What was not understood.
    pub gaps: Vec<Gap>,
}

impl DeferredBody {
    /// A body that spells none but these names.
    #[must_use]
    pub fn new(mut names: Vec<NameHash>, lower: Box<dyn Fn() -> LateBody + Send + Sync>) -> DeferredBody {
        names.sort_unstable();
        names.dedup();
        DeferredBody { names: names.into(), lower, lowered: OnceLock::new() }
    }

    fn lowered(&self) -> &LateBody {
        self.lowered.get_or_init(&self.lower)
    }
}

impl fmt::Debug for DeferredBody {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DeferredBody").field("lowered", &self.lowered).finish_non_exhaustive()
    }
}
