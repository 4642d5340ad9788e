//! What the name of a call from outside says of its result: an answer, a count or a state is no content.

use super::calls::CallSite;
use super::value::Value;
use crate::resolve::Ty;

/// First words of methods that answer a question about a value.
const QUESTIONS: &[&str] = &["is", "has", "can", "should", "supports", "contains"];
/// Methods that answer one, by their whole name; the second row is of stores.
const ANSWERS: &[&str] = &[
    "contains",
    "starts_with",
    "ends_with",
    "any_match",
    "matched_any",
    "intersects",
    "overlaps",
    "is",
    "exists",
    "hexists",
    "sismember",
    "ismember",
];
/// Ends of names of functions that count or measure what they are given.
const MEASURES: &[&str] = &["_len", "_size", "_count", "_present", "_affected"];
/// Methods that count, measure, or tell the state of what they are called on.
const STATES: &[&str] = &[
    "status",
    "status_code",
    "depth",
    "scale",
    "capacity",
    "cap",
    "rows_affected",
    "num_rows",
    "num_columns",
    "num_fields",
    "size_hint",
    "kind",
    "count_documents",
    "estimated_document_count",
];
/// Commands of stores that answer with a number.
const COMMANDS: &[&str] = &[
    "incr", "decr", "incr_by", "decr_by", "hincr", "hincrby", "incrby", "decrby", "del", "unlink", "expire",
    "ttl", "pttl", "persist", "strlen", "hlen", "hdel", "llen", "lpush", "rpush", "lrem", "scard", "sadd",
    "srem", "zcard", "zcount", "zadd", "zrem", "zrank",
];

/// The result of a call whose name says that it holds nothing of what the call is given.
pub fn verdict(site: &CallSite) -> Option<Value> {
    let name = site.name.as_str();
    let free = !site.method || name.starts_with("count_");
    let no_callable = site.args.iter().all(|arg| arg.callables().is_empty());
    let answers = site.method && no_callable && (asks(name) || ANSWERS.contains(&name));
    let measures = MEASURES.iter().any(|end| name.ends_with(end)) || name.starts_with("count_");
    let counts = measures && (site.args.is_empty() || free && no_callable);
    let states = site.method && site.args.is_empty() && STATES.contains(&name);
    let commands = site.method && !site.args.is_empty() && no_callable && COMMANDS.contains(&name);
    if answers {
        return Some(typed("bool"));
    }
    if counts || commands {
        return Some(typed("usize"));
    }
    states.then(Value::clean)
}

/// The same for a state that is asked of a value of unknown type, whatever libraries have a method of that name.
pub fn state_of_unknown(site: &CallSite, target: &Value) -> Option<Value> {
    let unknown = target.ty().is_none_or(|ty| *ty == Ty::Unknown);
    let asks = site.method && site.args.is_empty() && STATES.contains(&site.name.as_str());
    (unknown && asks).then(Value::clean)
}

/// Whether a call of which nothing else is known makes a truth value of what it is given.
pub fn reduces_to_bool(site: &CallSite) -> bool {
    matches!(site.wanted(), Ty::External { path, .. } if path == "bool")
}

fn asks(name: &str) -> bool {
    name.split_once('_').is_some_and(|(first, _)| QUESTIONS.contains(&first))
}

fn typed(path: &str) -> Value {
    Value::typed(Ty::External { path: path.into(), args: Vec::new() })
}
