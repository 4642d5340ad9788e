//! The rules: what a flow into a key slot means.
//!
//! Architecture invariant: rules read the result of the flow engine and the catalogue's facts; they walk no
//! syntax tree.

use samekey_catalogue::SourceKind;

use crate::config::Config;
use crate::driver::{Analysis, Findings, Input};
use crate::facts::{Facts, sink_words};
use crate::flow::{self, FlowRecord};
use crate::load::SinkWords;
use crate::report::{Certainty, Diagnostic, Identity, RuleInfo, Severity, Step};
use crate::resolve::FunctionId;

/// All rules.
pub struct Rules;

const RULES: &[RuleInfo] = &[
    RuleInfo { id: "uuid-in-key", code: "SK001", summary: "a fresh identifier is part of a key", page: "" },
    RuleInfo { id: "clock-in-key", code: "SK002", summary: "the clock is part of a key", page: "" },
    RuleInfo { id: "random-in-key", code: "SK003", summary: "a random value is part of a key", page: "" },
];

impl Analysis for Rules {
    fn rules(&self) -> &[RuleInfo] {
        RULES
    }

    fn words(&self, config: &Config) -> SinkWords {
        sink_words(config)
    }

    fn run(&self, input: &Input<'_>) -> Findings {
        let facts = Facts::new(input.program, input.config);
        let roots: Vec<FunctionId> = input
            .program
            .functions()
            .filter(|id| {
                let function = input.program.function(*id);
                function.body().is_some() && (input.include_tests || !function.test)
            })
            .collect();
        let analysis = flow::analyze(input.program, &facts, &roots);
        let diagnostics =
            analysis.flows.iter().filter_map(|flow| diagnostic(input, &facts, &analysis, flow)).collect();
        Findings { diagnostics, keys: Vec::new() }
    }
}

fn diagnostic(
    _input: &Input<'_>,
    facts: &Facts<'_>,
    analysis: &flow::Analysis,
    flow: &FlowRecord,
) -> Option<Diagnostic> {
    let sink = &analysis.sinks[flow.sink.0 as usize];
    let source = &analysis.sources[flow.source as usize];
    let info = facts.row(source.row).source()?;
    let (rule, code) = match info.kind {
        SourceKind::Uuid => ("uuid-in-key", "SK001"),
        SourceKind::Clock => ("clock-in-key", "SK002"),
        _ => ("random-in-key", "SK003"),
    };
    Some(Diagnostic {
        rule,
        code,
        severity: Severity::Error,
        certainty: Certainty::Proven,
        message: format!("{} reaches {}", facts.row(source.row).id, sink.name),
        primary: sink.name_span,
        labels: Vec::new(),
        formula: None,
        identity: Identity::default(),
        fingerprint: String::new(),
        trace: flow
            .trace
            .steps()
            .iter()
            .map(|step| Step { span: step.span, message: format!("{:?}", step.kind) })
            .collect(),
        help: String::new(),
    })
}
