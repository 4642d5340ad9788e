//! What the catalogue says of a call.

use samekey_catalogue::{Effect, Slot};

use super::index::{CallRow, Index, Meaning};
use super::library::Library;
use super::matching::{condition_holds, receiver_matches};
use super::sql::{Given, Statement};
use crate::flow::spec::{CallFacts, CallSlot, CallView, RowId};
use crate::flow::term::Term;
use crate::ir::Literal;

impl Index {
    /// Adds what the catalogue says of a call.
    pub fn call(&self, call: &CallView<'_>, library: &Library, facts: &mut CallFacts) {
        let mut quiet = false;
        let mut say = |meaning: Meaning, facts: &mut CallFacts| {
            quiet |= matches!(meaning, Meaning::Quiet);
            mean(meaning, facts);
        };
        for path in call.paths {
            for row in self.calls.get(path.as_str()).into_iter().flatten() {
                if applies(row, call) {
                    say(row.meaning, facts);
                }
            }
            if call.macro_call {
                for (max, meaning) in self.macros.get(path.as_str()).into_iter().flatten() {
                    if max.is_none_or(|max| call.arity <= usize::from(max)) {
                        say(*meaning, facts);
                    }
                }
            }
        }
        if call.method {
            for row in self.methods.get(call.name).into_iter().flatten() {
                let fits = match row.receivers {
                    // The name alone is enough, unless the function is in view and can be followed.
                    [] => call.targets.is_empty(),
                    receivers => receiver_matches(call, receivers, library.groups()),
                };
                if fits && applies(row, call) {
                    say(row.meaning, facts);
                }
            }
        } else {
            self.minting_constructor(call, facts);
        }
        if call.literals.iter().any(Option::is_some) {
            self.literal_arguments(call, quiet, library, facts);
        } else if let [term] = call.terms
            && let Term::Named(path) = term.as_ref()
        {
            // `attributes.get(&Name::ApproximateReceiveCount)`: the key as a constant from outside.
            self.read_entry(call, path.rsplit("::").next().unwrap_or(path), library, facts);
        }
        self.constant_entries(call, quiet, facts);
        self.bound_parameter(call, facts);
        self.written_column(call, facts);
        if call.method {
            let passing =
                |(id, slot): &(RowId, CallSlot)| *slot == CallSlot::Return && self.passing.contains(id);
            facts.adds.extend(facts.sources.iter().filter(|source| passing(source)).map(|(id, _)| *id));
            facts.sources.retain(|source| !passing(source));
        }
        // What a statement reads from the clock or a generator is no stored value.
        if facts.clears && call.receiver_term.is_some_and(starts_at_source) {
            facts.clears = false;
        }
    }

    /// `PaymentRequest::new(..)` of a type that always writes a random key.
    fn minting_constructor(&self, call: &CallView<'_>, facts: &mut CallFacts) {
        if self.minting_types.is_empty() {
            return;
        }
        let owners = call.paths.iter().filter_map(|path| path.rsplit_once("::"));
        if let Some(meaning) = owners.filter_map(|(owner, _)| self.minting_types.get(owner)).next() {
            mean(*meaning, facts);
        }
    }

    /// Headers, JSON and map keys, environment variables and SQL: rows that a literal argument selects.
    fn literal_arguments(&self, call: &CallView<'_>, quiet: bool, library: &Library, facts: &mut CallFacts) {
        for (position, literal) in call.literals.iter().enumerate() {
            let Some(Literal::Str(text)) = literal else { continue };
            if position == 0
                && let Some(id) = self.environment.get(text.as_str())
                && call.paths.iter().any(|path| self.environment_readers.contains(path.as_str()))
            {
                add_source(facts, *id, CallSlot::Return);
            }
            if !call.macro_call {
                self.named_entry(call, position, text, quiet, library, facts);
            }
            if let Some(statement) = Statement::read(text) {
                self.statement(call, position, &statement, facts);
            }
        }
    }

    /// `headers.insert("Idempotency-Key", value)` writes a key, `headers.get("x-request-id")` reads a source.
    fn named_entry(
        &self,
        call: &CallView<'_>,
        position: usize,
        text: &str,
        quiet: bool,
        library: &Library,
        facts: &mut CallFacts,
    ) {
        if position + 1 < call.arity {
            if let Some(id) = self.named_sink(text).filter(|_| !quiet && !only_checks(call.name)) {
                add_sink(facts, id, CallSlot::Argument(position as u32 + 1));
            }
            return;
        }
        self.read_entry(call, text, library, facts);
    }

    /// `headers.insert(header::NATS_MESSAGE_ID, id)`: the name as a constant from outside.
    fn constant_entries(&self, call: &CallView<'_>, quiet: bool, facts: &mut CallFacts) {
        if quiet || call.macro_call || only_checks(call.name) {
            return;
        }
        for (position, term) in call.terms.iter().enumerate().take(call.arity.saturating_sub(1)) {
            let Term::Named(path) = term.as_ref() else { continue };
            let name = path.rsplit("::").next().unwrap_or(path);
            let is_constant = name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            if is_constant && let Some(id) = self.sink_of_constant(name) {
                add_sink(facts, id, CallSlot::Argument(position as u32 + 1));
            }
        }
    }

    fn read_entry(&self, call: &CallView<'_>, text: &str, library: &Library, facts: &mut CallFacts) {
        let reads = call.method && call.arity == 1 && call.targets.is_empty();
        if !reads || library.moves_nothing(call.name) {
            return;
        }
        if self.named_stable(text) {
            facts.clears = true;
        } else if let Some(id) = self.named_source(text) {
            add_source(facts, id, CallSlot::Return);
        }
    }

    /// A call with an SQL text: what it selects, and the key column that one of its arguments fills.
    fn statement(&self, call: &CallView<'_>, position: usize, statement: &Statement, facts: &mut CallFacts) {
        for word in statement.selected().into_iter().flatten() {
            match self.sql_words.get(word.as_str()) {
                Some(Meaning::Source(id, _)) => add_source(facts, *id, CallSlot::Return),
                Some(meaning) => mean(*meaning, facts),
                None => {}
            }
        }
        let Some((given, sink)) = self.key_column(statement) else { return };
        match given {
            Given::Position(number) => {
                let first = position as u32 + 1;
                let slot = match call.macro_call {
                    // `query!("..", a, key)`
                    true => CallSlot::Argument(first + number as u32),
                    // `client.execute("..", &[&a, &key])`
                    false => CallSlot::Element(first, number as u32),
                };
                let fits =
                    if call.macro_call { first as usize + number } else { first as usize } < call.arity;
                if fits {
                    add_sink(facts, sink, slot);
                }
            }
            Given::Expression(words) => {
                for word in words {
                    if let Some(Meaning::Source(source, _)) = self.sql_words.get(word.as_str()) {
                        facts.mints.push((*source, sink));
                    }
                }
            }
            Given::Name(_) => {}
        }
    }

    /// `query("insert ..").bind(a).bind(key)`: each call of the chain fills the next parameter.
    fn bound_parameter(&self, call: &CallView<'_>, facts: &mut CallFacts) {
        let binds = !RUNS.contains(&first_word(call.name));
        if !call.method || !binds || !(1..=2).contains(&call.arity) || !call.targets.is_empty() {
            return;
        }
        let Some(Term::Call(..)) = call.receiver_term else { return };
        let Some((text, bound)) = call.receiver_term.and_then(|term| statement_of(term, call.name)) else {
            return;
        };
        let Some(statement) = Statement::read(text) else { return };
        let Some((given, sink)) = self.key_column(&statement) else { return };
        let name = match call.literals.first() {
            Some(Some(Literal::Str(name))) if call.arity == 2 => Some(name.as_str()),
            _ => None,
        };
        let slot = match (given, name) {
            (Given::Position(number), None) if call.arity == 1 && number == bound => 0,
            (Given::Name(wanted), Some(name)) if name.trim_start_matches([':', '@', '$']) == wanted => 1,
            _ => return,
        };
        add_sink(facts, sink, CallSlot::Argument(slot));
    }

    /// `payments::idempotency_key.eq(key)`: a column of a query builder that is compared with or set to a value.
    fn written_column(&self, call: &CallView<'_>, facts: &mut CallFacts) {
        if !call.method || call.name != "eq" || call.arity != 1 || !call.targets.is_empty() {
            return;
        }
        let Some(Term::Named(path)) = call.receiver_term else { return };
        let column = path.rsplit("::").next().unwrap_or(path);
        if let Some(row) = self.sql_columns.get(column) {
            add_sink(facts, *row, CallSlot::Argument(0));
        }
    }

    /// The key column that a statement writes, and what it is given.
    fn key_column(&self, statement: &Statement) -> Option<(Given, RowId)> {
        let row = std::cell::Cell::new(None);
        let given = statement.given(|column| {
            let found = self.sql_columns.get(column);
            row.set(found.copied());
            found.is_some()
        })?;
        Some((given, row.get()?))
    }
}

/// First words of methods that run a statement: what they take is the connection.
const RUNS: &[&str] = &["execute", "fetch", "query", "load", "get", "first", "one", "all", "run", "exec"];

/// First words of functions that look at a value and hand it nowhere.
const CHECKS: &[&str] =
    &["validate", "check", "verify", "ensure", "assert", "require", "expect", "bound", "reject"];

/// First words of functions that search by a value, or write it in another way.
const LOOKS: &[&str] = &[
    "get", "find", "lookup", "load", "fetch", "read", "contains", "has", "is", "exists", "from", "to",
    "into", "parse", "format", "hash", "encode", "derive", "release", "delete", "remove", "evict", "eq",
    "cmp", "fmt",
];

/// Whether a call only checks a value: `validate_length("idempotency_key", &key)`.
fn only_checks(name: &str) -> bool {
    CHECKS.contains(&first_word(name))
}

/// Whether a function only looks at the key that it is given.
pub fn only_looks(name: &str) -> bool {
    only_checks(name) || LOOKS.contains(&first_word(name))
}

fn first_word(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

fn applies(row: &CallRow, call: &CallView<'_>) -> bool {
    row.arity.is_none_or(|arity| usize::from(arity) == call.arity)
        && row.when.iter().all(|condition| condition_holds(condition, call))
}

fn mean(meaning: Meaning, facts: &mut CallFacts) {
    match meaning {
        Meaning::Source(id, slot) => add_source(facts, id, call_slot(slot)),
        Meaning::Adds(id) => facts.adds.push(id),
        Meaning::Sink(id, slot) => add_sink(facts, id, call_slot(slot)),
        Meaning::Mint(source, sink) => facts.mints.push((source, sink)),
        Meaning::Quiet => {}
        Meaning::Effect(effect) => match effect {
            Effect::Clears => facts.clears = true,
            Effect::ClearsOrder => facts.clears_order = true,
            Effect::WeakensToBucket => facts.bucket = Some(true),
            Effect::NotDurable => facts.in_process = true,
            Effect::Hash => facts.hash = true,
            // The engine passes taint through every call by itself.
            Effect::Propagates | Effect::Encode => {}
        },
    }
}

/// The first row that fits a slot wins: special rows stand before general ones.
fn add_source(facts: &mut CallFacts, row: RowId, slot: CallSlot) {
    if !facts.sources.iter().any(|(_, known)| *known == slot) {
        facts.sources.push((row, slot));
    }
}

fn add_sink(facts: &mut CallFacts, row: RowId, slot: CallSlot) {
    if !facts.sinks.iter().any(|(_, known)| *known == slot) {
        facts.sinks.push((row, slot));
    }
}

fn call_slot(slot: Slot) -> CallSlot {
    match slot {
        Slot::Return => CallSlot::Return,
        Slot::Receiver => CallSlot::Receiver,
        Slot::Arg(index) => CallSlot::Argument(u32::from(index)),
    }
}

/// The innermost receiver of a chain of calls.
fn chain_start(mut term: &Term) -> &Term {
    while let Term::Call(_, args) = term {
        match args.first() {
            Some(receiver) => term = receiver,
            None => break,
        }
    }
    term
}

fn starts_at_source(term: &Term) -> bool {
    matches!(chain_start(term), Term::Source(_))
}

/// The SQL text at the start of a chain, and how many calls of this name follow it.
fn statement_of<'t>(mut term: &'t Term, name: &str) -> Option<(&'t str, usize)> {
    let mut bound = 0;
    loop {
        match term {
            Term::Call(called, args) => {
                bound += usize::from(called == name);
                term = args.first()?;
            }
            Term::Literal(text) => return Some((text, bound)),
            _ => return None,
        }
    }
}
