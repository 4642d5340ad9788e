//! The rules: what a flow into a key slot means, and what to do about it.
//!
//! Architecture invariant: rules read the result of the flow engine and the catalogue's facts; they walk no
//! syntax tree. `classify` decides which rule speaks and how loud, each rule's file says what it says.

mod bucket;
mod case;
mod classify;
mod context;
mod derived;
mod extent;
mod filled;
mod findings;
mod formula;
mod host;
mod inventory;
mod leftover;
mod length;
mod locals;
mod message;
mod named;
mod order;
mod path;
mod place;
mod remedy;
mod repair;
mod requests;
mod rule;
mod shape;

mod alternatives;
mod ambiguous_join;
mod attempt_in_key;
mod clock_bucket_in_key;
mod clock_in_key;
mod connection_in_key;
mod constant_key;
mod fence_in_key;
mod key_dropped;
mod key_format;
mod key_reused;
mod loop_invariant_key;
mod member_in_key;
mod missing_key;
mod mutable_in_key;
mod personal_data_in_key;
mod random_fallback;
mod random_in_key;
mod request_in_key;
mod sequence_in_key;
mod shared_client_key;
mod suppression;
mod unscoped_caller_key;
mod unstable_encoding_in_key;
mod uuid_in_key;
mod volatile_body;
mod weak_key;
mod wrong_key_header;

pub use suppression::{INVALID_SUPPRESSION, UNUSED_SUPPRESSION};

use case::World;
use requests::{Requests, payment_calls};
use rule::Rule;

use crate::config::Config;
use crate::driver::{Analysis, Findings, Input};
use crate::facts::{Facts, sink_words};
use crate::flow::{self, Complete};
use crate::load::SinkWords;
use crate::report::{CutShort, Diagnostic, RuleInfo};
use crate::resolve::FunctionId;

/// All rules.
pub struct Rules;

/// Rules about flows; a new one is a file and a line here.
const FLOW_RULES: &[Rule] = &[
    uuid_in_key::RULE,
    clock_in_key::RULE,
    random_in_key::RULE,
    connection_in_key::RULE,
    member_in_key::RULE,
    fence_in_key::RULE,
    sequence_in_key::RULE,
    attempt_in_key::RULE,
    request_in_key::RULE,
    unstable_encoding_in_key::RULE,
    clock_bucket_in_key::RULE,
    random_fallback::RULE,
    mutable_in_key::RULE,
];

/// All rules in the order of their codes.
static INFOS: [RuleInfo; 28] = [
    uuid_in_key::RULE.info,
    clock_in_key::RULE.info,
    random_in_key::RULE.info,
    connection_in_key::RULE.info,
    member_in_key::RULE.info,
    fence_in_key::RULE.info,
    sequence_in_key::RULE.info,
    attempt_in_key::RULE.info,
    request_in_key::RULE.info,
    unstable_encoding_in_key::RULE.info,
    clock_bucket_in_key::RULE.info,
    random_fallback::RULE.info,
    mutable_in_key::RULE.info,
    constant_key::INFO,
    ambiguous_join::INFO,
    weak_key::INFO,
    key_format::INFO,
    personal_data_in_key::INFO,
    wrong_key_header::INFO,
    shared_client_key::INFO,
    key_reused::INFO,
    missing_key::INFO,
    key_dropped::INFO,
    volatile_body::INFO,
    loop_invariant_key::INFO,
    unscoped_caller_key::INFO,
    UNUSED_SUPPRESSION,
    INVALID_SUPPRESSION,
];

impl Analysis for Rules {
    fn rules(&self) -> &[RuleInfo] {
        &INFOS
    }

    fn words(&self, config: &Config) -> SinkWords {
        sink_words(config)
    }

    fn run(&self, input: &Input<'_>, complete: &mut Complete<'_>) -> Option<Findings> {
        let facts = Facts::new(input.program, input.config, Some(input.scan));
        let roots = roots(input);
        if input.program.is_partial() && !flow::sketch(input.program, &facts, &roots, complete) {
            return None;
        }
        let analysis = flow::analyze(input.program, &facts, &roots);
        if !complete(&analysis.leads) {
            return None;
        }
        let world = World::new(*input, &facts, &analysis);
        let cases = analysis.flows.iter().filter_map(|flow| world.case(flow)).chain(named::cases(&world));
        let mut diagnostics = findings::findings(cases.collect(), FLOW_RULES);
        diagnostics.extend(constant_key::findings(&world));
        diagnostics.extend(key_reused::findings(&world));
        let formulas = shape::formulas(&world);
        diagnostics.extend(ambiguous_join::findings(&world, &formulas));
        diagnostics.extend(weak_key::findings(&world, &formulas, &diagnostics));
        diagnostics.extend(key_format::findings(&world, &formulas));
        diagnostics.extend(personal_data_in_key::findings(&world, &formulas));
        diagnostics.extend(wrong_key_header::findings(&world));
        // Where something is out of view, these say nothing.
        let found = input.program.unrecorded(|| request_findings(&world, &mut diagnostics));
        diagnostics.extend(found);
        let keys = inventory::keys(&world, &diagnostics);
        let cut_short: Vec<CutShort> = analysis.cut_short.iter().map(|id| cut_short(input, *id)).collect();
        complete(&analysis.leads).then(|| Findings {
            diagnostics,
            keys,
            partial: cut_short.len(),
            cut_short,
            ..Findings::default()
        })
    }
}

/// What rules say that read requests: which calls are made on them, and which are not.
fn request_findings(world: &World<'_>, others: &mut Vec<Diagnostic>) -> Vec<Diagnostic> {
    let requests = Requests::new(world);
    let calls = payment_calls(&requests);
    let mut found = missing_key::findings(&requests, &calls);
    missing_key::drop_minted(&found, others);
    found.extend(key_dropped::findings(&requests));
    found.extend(volatile_body::findings(&requests, &calls, others));
    found.extend(loop_invariant_key::findings(&requests));
    found.extend(shared_client_key::findings(&requests));
    found.extend(unscoped_caller_key::findings(&requests));
    found
}

/// An entry point that was not followed to the end, as a place.
fn cut_short(input: &Input<'_>, id: FunctionId) -> CutShort {
    let function = input.program.function(id);
    CutShort {
        file: input.sources.path(function.file).to_owned(),
        line: Some(input.sources.line(function.name_span)),
        function: function.path.to_string(),
    }
}

/// The functions from which the analysis starts: all with a body, test code excepted.
fn roots(input: &Input<'_>) -> Vec<FunctionId> {
    let program = input.program;
    let counts = |id: &FunctionId| {
        let function = program.function(*id);
        function.has_body() && (input.include_tests || !function.test)
    };
    program.functions().filter(counts).collect()
}
