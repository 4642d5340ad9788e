//! How values move through library functions whose body is not in view.
//!
//! A flow is a line of text, `FROM -> TO` or `FROM ~> TO`:
//!
//! - `->` moves the value: its structure (fields, variants, elements) is kept.
//! - `~>` moves taint only: any taint anywhere inside FROM reaches all of TO.
//!
//! A place is `self`, `arg0` .. (arguments without the receiver), `return`,
//! `arg0.param1` (what the callee passes to the closure given as argument 0)
//! or `arg0.return` (what that closure returns), followed by projections:
//! `.Some`, `.Ok`, `.Err` (payload of a variant), `[]` (element of a collection
//! or iterator, and the value of a map), `.key` (key of a map), `.0` (field of
//! a tuple), `.start` and `.end` (bounds of a range). References, `Box`, `Rc`, `Arc`, `Cow` and `Pin` are transparent.
//! An empty list of flows says that nothing moves. `none -> self` empties the
//! receiver (`clear`, `take`), after all values were read and before others are
//! written.
//!
//! Three conventions make the table small:
//!
//! - A flow that starts at `return` holds from the call on: the result is a
//!   mutable view (`iter_mut`, `entry`), or two ends of one channel, and what is
//!   written into FROM later is seen in TO.
//! - Cells and locks (`Cell`, `Mutex`, `OnceLock`, atomics) are transparent:
//!   the content of a cell is the place of the cell itself.
//! - A future is the value that awaiting it yields.
//!
//! How a reader finds the row of a method: the exact type of the receiver, then
//! its [`Group`], then the group `Any`. When the type is not known, every group
//! that has a method of that name applies. `Type::method(value, ..)` and
//! `Trait::method(value, ..)` are the method with the first argument as receiver.
//! A `for` loop is `into_iter` followed by `next`.

/// What a model describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A free or associated function, by full path.
    Function {
        /// Full path after `use` items are expanded.
        path: &'static str,
    },
    /// A method, by receiver group or receiver type.
    Method {
        /// Name of a [`Group`], or the full path of a type.
        receiver: &'static str,
        /// Name of the method.
        name: &'static str,
    },
    /// A macro, by full path without the exclamation mark.
    Macro {
        /// Full path after `use` items are expanded.
        path: &'static str,
    },
}

/// The flows of one function, method or macro.
///
/// Several models may describe one callee when the flows depend on the type it
/// yields (`collect`). They differ in [`Model::returns`]; the first one applies
/// when that type is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// What is described.
    pub callee: Callee,
    /// Its flows; parse them with [`Flow::parse`].
    pub flows: &'static [&'static str],
    /// Group or type path of the result where it is known, with the parts that
    /// are known in angle brackets or parentheses: `Option<String>`,
    /// `(Sender, Receiver)`. `Self` is the receiver's own type. Where the result
    /// is a payload or element (`unwrap`), its type follows from the value flow.
    pub returns: Option<&'static str>,
}

/// Types that share the methods of one receiver group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name of the group, such as `Vec`.
    pub name: &'static str,
    /// Full paths of its types.
    pub types: &'static [&'static str],
}

/// Whether a flow moves the value or its taint only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlowKind {
    /// `->`: structure is kept.
    Value,
    /// `~>`: any taint inside reaches the whole target.
    Taint,
}

/// One parsed flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow<'a> {
    /// Where the value comes from.
    pub from: Place<'a>,
    /// Where it goes.
    pub to: Place<'a>,
    /// Whether structure is kept.
    pub kind: FlowKind,
}

/// A root and what is projected out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// Where the place starts.
    pub root: Root,
    rest: &'a str,
}

/// The start of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// Nothing: the target is emptied (`clear`, `take`).
    Nothing,
    /// The receiver.
    Receiver,
    /// An argument, counted without the receiver.
    Arg(u8),
    /// The result.
    Return,
    /// A parameter of the closure given as an argument.
    ClosureParam {
        /// Position of the closure among the arguments.
        arg: u8,
        /// Position of the closure's parameter.
        param: u8,
    },
    /// The result of the closure given as an argument.
    ClosureReturn {
        /// Position of the closure among the arguments.
        arg: u8,
    },
}

/// The fields that flows name: bounds of a range, parts of a URL, a cookie, a message. A list, so that a misspelt variant
/// is none.
const FIELDS: &[&str] = &[
    "start",
    "end",
    "scheme",
    "username",
    "password",
    "host",
    "port",
    "path",
    "query",
    "fragment",
    "name",
    "value",
    "domain",
    "headers",
    "uri",
    "extensions",
    "topic",
];

/// One step into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Projection<'a> {
    /// Payload of an enum variant.
    Variant(&'a str),
    /// Element of a collection or iterator, or the value of a map.
    Element,
    /// Key of a map.
    Key,
    /// Field of a tuple.
    Index(u8),
    /// Named field, one of those that flows name.
    Field(&'a str),
}

/// Why a flow could not be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlowError {
    /// Neither `->` nor `~>` was found.
    NoArrow,
    /// The root of a place is unknown.
    UnknownRoot,
    /// A projection is unknown.
    UnknownProjection,
}

impl<'a> Flow<'a> {
    /// Reads `FROM -> TO` or `FROM ~> TO`.
    ///
    /// # Errors
    /// When the arrow is missing or a place is malformed.
    pub fn parse(text: &'a str) -> Result<Self, FlowError> {
        let (from, to, kind) = match (text.split_once("->"), text.split_once("~>")) {
            (Some((from, to)), _) => (from, to, FlowKind::Value),
            (None, Some((from, to))) => (from, to, FlowKind::Taint),
            (None, None) => return Err(FlowError::NoArrow),
        };
        let from = Place::parse(from.trim())?;
        let to = Place::parse(to.trim())?;
        Ok(Self { from, to, kind })
    }
}

impl<'a> Place<'a> {
    /// Reads a place such as `arg0.return.Some[]`.
    ///
    /// # Errors
    /// When the root or a projection is unknown.
    pub fn parse(text: &'a str) -> Result<Self, FlowError> {
        let (root, rest) = split_root(text).ok_or(FlowError::UnknownRoot)?;
        let place = Self { root, rest };
        if place.steps().any(|step| step.is_none()) {
            return Err(FlowError::UnknownProjection);
        }
        Ok(place)
    }

    /// The steps from the root inwards.
    pub fn projections(&self) -> impl Iterator<Item = Projection<'a>> + use<'a> {
        // `parse` has refused places with an unknown step.
        self.steps().flatten()
    }

    /// Splits the rest into steps; `None` stands for one that is not known.
    fn steps(&self) -> impl Iterator<Item = Option<Projection<'a>>> + use<'a> {
        let mut rest = self.rest;
        core::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            match next_projection(rest) {
                Some((projection, after)) => {
                    rest = after;
                    Some(Some(projection))
                }
                None => {
                    rest = "";
                    Some(None)
                }
            }
        })
    }
}

fn split_root(text: &str) -> Option<(Root, &str)> {
    if let Some(rest) = text.strip_prefix("none") {
        return Some((Root::Nothing, rest));
    }
    if let Some(rest) = text.strip_prefix("self") {
        return Some((Root::Receiver, rest));
    }
    if let Some(rest) = text.strip_prefix("return") {
        return Some((Root::Return, rest));
    }
    let (arg, rest) = split_number(text.strip_prefix("arg")?)?;
    if let Some(rest) = rest.strip_prefix(".return") {
        return Some((Root::ClosureReturn { arg }, rest));
    }
    if let Some(rest) = rest.strip_prefix(".param") {
        let (param, rest) = split_number(rest)?;
        return Some((Root::ClosureParam { arg, param }, rest));
    }
    Some((Root::Arg(arg), rest))
}

fn next_projection(text: &str) -> Option<(Projection<'_>, &str)> {
    if let Some(rest) = text.strip_prefix("[]") {
        return Some((Projection::Element, rest));
    }
    let text = text.strip_prefix('.')?;
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let projection = if word == "key" {
        Projection::Key
    } else if FIELDS.contains(&word) {
        Projection::Field(word)
    } else if let Some((index, "")) = split_number(word) {
        Projection::Index(index)
    } else if word.starts_with(|first: char| first.is_ascii_uppercase()) {
        Projection::Variant(word)
    } else {
        return None;
    };
    Some((projection, rest))
}

/// Splits decimal digits off the front.
fn split_number(text: &str) -> Option<(u8, &str)> {
    let end = text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::{Flow, FlowError, FlowKind, Place, Projection, Root};

    #[test]
    fn a_flow_names_roots_and_steps() {
        let flow = Flow::parse("arg0.return.Some[] ~> return[].1.key").unwrap();
        assert_eq!(flow.kind, FlowKind::Taint);
        assert_eq!(flow.from.root, Root::ClosureReturn { arg: 0 });
        assert!(flow.from.projections().eq([Projection::Variant("Some"), Projection::Element]));
        assert_eq!(flow.to.root, Root::Return);
        assert!(flow.to.projections().eq([Projection::Element, Projection::Index(1), Projection::Key]));
    }

    #[test]
    fn a_closure_parameter_is_a_root() {
        let place = Place::parse("arg2.param1.0").unwrap();
        assert_eq!(place.root, Root::ClosureParam { arg: 2, param: 1 });
        assert!(place.projections().eq([Projection::Index(0)]));
    }

    #[test]
    fn malformed_flows_are_refused() {
        assert_eq!(Flow::parse("self"), Err(FlowError::NoArrow));
        assert_eq!(Flow::parse("this -> return"), Err(FlowError::UnknownRoot));
        assert_eq!(Flow::parse("argx -> return"), Err(FlowError::UnknownRoot));
        for text in ["self.some -> return", "self] -> return", "self. -> return"] {
            assert_eq!(Flow::parse(text), Err(FlowError::UnknownProjection), "{text}");
        }
    }
}
