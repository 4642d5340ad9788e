//! What the name of a call from outside says of its result: an answer, a count or a state is no content.

use super::calls::CallSite;
use super::outside::HANDLES;
use super::value::{Callable, Value};
use crate::resolve::Ty;

/// First words of methods that answer a question about a value.
const QUESTIONS: &[&str] =
    &["is", "has", "can", "should", "supports", "contains", "was", "needs", "allows", "accepts", "matches"];
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
    "try_exists",
    "success",
    "cannot_be_a_base",
    "verify_password",
    "verify_slice",
    "random_bool",
    "gen_bool",
    "random_ratio",
    "get_flag",
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
    "http_status",
    "exit_code",
    "port_u16",
    "line_number",
    "ordinal_position",
    "num_rows_affected",
    "affected_rows",
    "last_insert_id",
    "last_insert_rowid",
    "inserted_id",
    "matched_count",
    "modified_count",
    "deleted_count",
    "inserted_count",
    "remaining_capacity",
    "num_items",
    "num_elements",
    "ndim",
    "dimensions",
    "position",
    "ratio",
    "interact",
    "interact_text",
    "interact_opt",
];
/// Commands of stores that answer with a number.
const COMMANDS: &[&str] = &[
    "incr",
    "decr",
    "incr_by",
    "decr_by",
    "hincr",
    "hincrby",
    "incrby",
    "decrby",
    "del",
    "unlink",
    "expire",
    "ttl",
    "pttl",
    "persist",
    "strlen",
    "hlen",
    "hdel",
    "llen",
    "lpush",
    "rpush",
    "lrem",
    "scard",
    "sadd",
    "srem",
    "zcard",
    "zcount",
    "zadd",
    "zrem",
    "zrank",
    "pexpire",
    "expire_at",
    "setnx",
    "set_nx",
    "hset_nx",
    "hset_multiple",
    "mset_nx",
    "lpush_exists",
    "rpush_exists",
    "linsert",
    "ltrim",
    "bitcount",
    "pfadd",
    "pfcount",
    "xack",
    "xdel",
    "xlen",
    "send_to",
    "try_send_to",
    "get_count",
];

/// Functions that open what their argument is the address of, and ends of the names of what is opened.
const OPENERS: &[&str] =
    &["open", "open_default", "connect", "connect_lazy", "establish", "bind", "create_new"];
const THINGS: &[&str] = &["Stream", "Socket", "Listener", "DB", "Db", "Database", "File"];

/// The result of a call whose name says that it holds nothing of what the call is given.
pub fn verdict(site: &CallSite) -> Option<Value> {
    let name = site.name.as_str();
    let free = !site.method || name.starts_with("count_");
    // A constant from outside may be a function as well: `flags.contains(Flags::A)`.
    let is_run = |callable: &Callable| matches!(callable, Callable::Closure(_) | Callable::Function(_));
    let no_callable = site.args.iter().all(|arg| !arg.callables().iter().any(is_run));
    let answers = no_callable && (asks(name) || site.method && ANSWERS.contains(&name));
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
    (states || opens(site)).then(Value::clean)
}

/// Whether a call gives access to something outside, which is not made of its address.
fn opens(site: &CallSite) -> bool {
    let Some((owner, _)) = site.paths.first().and_then(|path| path.rsplit_once("::")) else { return false };
    let last = owner.rsplit("::").next().unwrap_or_default();
    let is_thing = |kind: &&str| last.ends_with(*kind);
    !site.method && OPENERS.contains(&site.name.as_str()) && HANDLES.iter().chain(THINGS).any(is_thing)
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
