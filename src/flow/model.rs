//! Flow models of library functions: a small language of places and arrows.

use super::value::Key;
use crate::resolve::Ty;

/// A model: how values pass through a function that is not in view.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The flows in order.
    pub flows: Vec<Flow>,
    /// The canonical path of the result's type.
    pub returns: Option<String>,
    /// What is known of that type's generic arguments; without a path, the types of the parts of a tuple.
    pub arguments: Vec<Ty>,
}

/// One flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// From where.
    pub from: Node,
    /// To where.
    pub to: Node,
    /// Whether only taint passes, not structure (`~>`).
    pub taint_only: bool,
}

/// A place of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it starts.
    pub root: Root,
    /// The path into it.
    pub keys: Vec<Key>,
}

/// Where a place of a model starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// Nothing: the destination is emptied.
    Nothing,
    /// The receiver.
    Receiver,
    /// An argument.
    Argument(usize),
    /// What the callee passes to the callable argument.
    ArgumentParameter(usize, usize),
    /// What the callable argument returns.
    ArgumentResult(usize),
    /// The result.
    Return,
}

impl Flow {
    /// Parses `"FROM -> TO"` or `"FROM ~> TO"`.
    ///
    /// # Errors
    /// One sentence that names the part that is not understood.
    pub fn parse(text: &str) -> Result<Flow, String> {
        let (from, to, taint_only) = match (text.split_once("->"), text.split_once("~>")) {
            (_, Some((from, to))) => (from, to, true),
            (Some((from, to)), None) => (from, to, false),
            (None, None) => return Err(format!("no arrow (`->` or `~>`) in `{text}`")),
        };
        Ok(Flow { from: Node::parse(from.trim())?, to: Node::parse(to.trim())?, taint_only })
    }
}

impl Node {
    /// Parses a place such as `self.Some`, `arg0.param1`, `return[]`.
    ///
    /// # Errors
    /// One sentence that names the part that is not understood.
    pub fn parse(text: &str) -> Result<Node, String> {
        let end = text.find(['.', '[']).unwrap_or(text.len());
        let (head, mut rest) = text.split_at(end);
        let mut root = match head {
            "none" => Root::Nothing,
            "self" => Root::Receiver,
            "return" => Root::Return,
            _ => match head.strip_prefix("arg").and_then(|n| n.parse().ok()) {
                Some(index) => Root::Argument(index),
                None => return Err(format!("`{head}` is not `self`, `argN` or `return`")),
            },
        };
        let mut keys = Vec::new();
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix("[]") {
                keys.push(Key::Element);
                rest = after;
                continue;
            }
            let Some(after) = rest.strip_prefix('.') else {
                return Err(format!("`{rest}` is neither `[]` nor `.name`"));
            };
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (name, tail) = after.split_at(end);
            match (root, keys.is_empty(), name) {
                (Root::Argument(index), true, "return") => root = Root::ArgumentResult(index),
                (Root::Argument(index), true, _) if parameter(name).is_some() => {
                    root = Root::ArgumentParameter(index, parameter(name).unwrap_or(0));
                }
                _ => keys.push(key(name)?),
            }
            rest = tail;
        }
        Ok(Node { root, keys })
    }
}

fn parameter(name: &str) -> Option<usize> {
    name.strip_prefix("param").and_then(|n| n.parse().ok())
}

/// The key for a name of the model language: a variant's payload starts with an upper-case letter.
fn key(name: &str) -> Result<Key, String> {
    match name {
        "" => Err("a name is missing after `.`".to_owned()),
        "key" => Ok(Key::MapKey),
        _ if name.starts_with(char::is_uppercase) => {
            let (variant, field) = name.split_once(':').unwrap_or((name, "0"));
            Ok(Key::Variant(variant.into(), field.into()))
        }
        _ => Ok(Key::Field(name.into())),
    }
}
