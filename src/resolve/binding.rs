//! What the type parameters of a signature stand for at a call.

use super::types::Substitution;
use super::{Program, Ty};

impl Program {
    /// Finds what the parameters in `pattern` stand for when a value of type `actual` is given for it. The first
    /// binding of a parameter wins unless it is unknown.
    pub fn bind(&self, pattern: &Ty, actual: &Ty, into: &mut Substitution) {
        match (pattern, actual) {
            (_, Ty::Unknown) => {}
            (Ty::Param { name, .. }, _) if !name.is_empty() => {
                if into.get(name).is_none_or(|bound| *bound == Ty::Unknown) {
                    into.insert(name.clone(), actual.clone());
                }
                self.bind_bounds(pattern, actual, into);
            }
            (Ty::Param { .. } | Ty::Dyn(_), _) => self.bind_bounds(pattern, actual, into),
            (Ty::Reference { inner: left, .. }, Ty::Reference { inner: right, .. }) => {
                self.bind(left, right, into)
            }
            (Ty::Reference { inner, .. }, _) => self.bind_through_deref(inner, actual, into),
            (_, Ty::Reference { inner, .. }) => self.bind(pattern, inner, into),
            (Ty::Adt { id: left, args: params }, Ty::Adt { id: right, args }) if left == right => {
                self.bind_all(params, args, into);
            }
            (Ty::External { path: left, args: params }, Ty::External { path: right, args })
                if left == right =>
            {
                self.bind_all(params, args, into);
            }
            (Ty::Sequence(left), Ty::Sequence(right)) => self.bind(left, right, into),
            (Ty::Tuple(left), Ty::Tuple(right)) => self.bind_all(left, right, into),
            (
                Ty::Function { params: left, result: left_result },
                Ty::Function { params: right, result: right_result },
            ) => {
                self.bind_all(left, right, into);
                self.bind(left_result, right_result, into);
            }
            _ => {}
        }
    }

    fn bind_all(&self, patterns: &[Ty], actual: &[Ty], into: &mut Substitution) {
        for (pattern, actual) in patterns.iter().zip(actual) {
            self.bind(pattern, actual, into);
        }
    }

    /// `&[T]` takes a `Vec<T>`, `&T` a `Box<T>`.
    fn bind_through_deref(&self, pattern: &Ty, actual: &Ty, into: &mut Substitution) {
        match (pattern, self.dereference(actual)) {
            (Ty::Sequence(_), Some(inner @ Ty::Sequence(_))) => self.bind(pattern, &inner, into),
            _ => self.bind(pattern, actual, into),
        }
    }

    /// `I: Iterator<Item = T>` given a vector of strings binds `T`; `F: Fn(A) -> B` given a signature binds `A`, `B`.
    fn bind_bounds(&self, pattern: &Ty, actual: &Ty, into: &mut Substitution) {
        let (Ty::Param { bounds, .. } | Ty::Dyn(bounds)) = pattern else { return };
        for bound in bounds {
            if let ([signature @ Ty::Function { .. }], Ty::Function { .. }) = (bound.args.as_slice(), actual)
            {
                self.bind(signature, actual, into);
            }
            for (name, ty) in &bound.bindings {
                let found = match name.as_str() {
                    "Item" => self.item_type(actual),
                    _ => self.associated_type(actual, Some(bound), name),
                };
                self.bind(ty, &found, into);
            }
        }
    }
}
