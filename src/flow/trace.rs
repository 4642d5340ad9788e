//! How a value came from its source: a persistent list of steps, shared between values.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::ir::Span;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepKind {
    /// The source itself.
    Source,
    /// Stored in a variable or field.
    Assign,
    /// Passed as an argument to a function that is in view.
    Argument,
    /// Returned by a function that is in view.
    Return,
    /// Passed through a library function, an operator or a formatted text.
    Through,
    /// Put into a key slot that is not the last one.
    Slot(u32),
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Where it is.
    pub span: Span,
    /// What it does.
    pub kind: StepKind,
}

#[derive(Debug)]
struct Node {
    previous: Trace,
    step: Step,
    length: u32,
}

/// The most steps that are kept; further ones are dropped so that traces through long loops stay readable.
pub const MAX_STEPS: u32 = 24;

/// The steps from a source, or from the entry of a function, to a value.
#[derive(Clone, Debug, Default)]
pub struct Trace(Option<Rc<Node>>);

impl Trace {
    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The number of steps.
    pub fn len(&self) -> u32 {
        self.0.as_ref().map_or(0, |node| node.length)
    }

    /// This trace with one more step.
    #[must_use]
    pub fn with(&self, step: Step) -> Trace {
        if self.0.as_ref().is_some_and(|node| node.step == step || node.length >= MAX_STEPS) {
            return self.clone();
        }
        Trace(Some(Rc::new(Node { previous: self.clone(), step, length: self.len() + 1 })))
    }

    /// This trace followed by the steps of another.
    #[must_use]
    pub fn then(&self, rest: &Trace) -> Trace {
        if self.0.is_none() {
            return rest.clone();
        }
        if rest.0.is_none() || self.len() >= MAX_STEPS {
            return self.clone();
        }
        rest.steps().into_iter().fold(self.clone(), |trace, step| trace.with(step))
    }

    /// The steps in order.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::with_capacity(self.len() as usize);
        let mut current = self;
        while let Some(node) = &current.0 {
            steps.push(node.step);
            current = &node.previous;
        }
        steps.reverse();
        steps
    }

    /// Whether this trace is to be shown rather than `other`: the shorter one, ties by the first step that differs.
    pub fn better_than(&self, other: &Trace) -> bool {
        if self.len() != other.len() {
            return self.len() < other.len();
        }
        let (mut ours, mut theirs) = (self, other);
        let mut order = Ordering::Equal;
        while let (Some(a), Some(b)) = (&ours.0, &theirs.0)
            && !Rc::ptr_eq(a, b)
        {
            // Steps are linked from the last to the first: what differs later in this walk comes earlier.
            order = a.step.cmp(&b.step).then(order);
            (ours, theirs) = (&a.previous, &b.previous);
        }
        order.is_lt()
    }
}
