//! Two types whose keys are the same: one operation is taken for a repetition of the other.

use std::collections::BTreeMap;

use super::case::World;
use crate::derive::Intent;
use crate::ir::Span;
use crate::report::{Certainty, Diagnostic, Identity, Label, RuleInfo, Severity, Step};
use crate::resolve::TypeDef;

/// The rule. It reads the types of the tree, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "key-reused",
    code: "SK108",
    summary: "two operations derive their keys in the same way",
    page: include_str!("../../docs/rules/key-reused.md"),
};

/// What decides about the text of a key beside the values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Recipe {
    /// A template without the names of its fields, and the digest.
    Template(String, String),
    /// Namespace, operation and version.
    Format(String, String, u32),
}

/// Types with one recipe; each but the first is reported with the one before it.
pub fn findings(world: &World<'_>) -> Vec<Diagnostic> {
    let program = world.input.program;
    let mut groups: BTreeMap<Recipe, Vec<(&Intent, &TypeDef)>> = BTreeMap::new();
    for intent in world.facts.intents() {
        let def = program.type_(intent.ty);
        if world.input.include_tests || !def.test {
            groups.entry(recipe(intent)).or_default().push((intent, def));
        }
    }
    let mut found = Vec::new();
    for (recipe, mut types) in groups {
        types.sort_by_key(|(_, def)| def.name_span);
        // Alternatives under `cfg` have one path and are never compiled together.
        types.dedup_by(|(_, right), (_, left)| left.path == right.path);
        for pair in types.windows(2) {
            if let [(first, of), (second, def)] = pair {
                found.push(finding(world, &recipe, (first, of), (second, def)));
            }
        }
    }
    found
}

fn recipe(intent: &Intent) -> Recipe {
    match &intent.template {
        Some((template, digest)) => Recipe::Template(without_names(template), digest.clone()),
        None => Recipe::Format(intent.namespace.clone(), intent.operation.clone(), intent.version),
    }
}

/// `{customer_id}:{period}:x` as `{}:{}:x`; doubled braces stay.
fn without_names(template: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        text.push('{');
        rest = match (after.strip_prefix('{'), after.find('}')) {
            (Some(literal), _) => {
                text.push('{');
                literal
            }
            (None, Some(end)) => after.get(end..).unwrap_or_default(),
            (None, None) => after,
        };
    }
    text + rest
}

fn finding(
    world: &World<'_>,
    recipe: &Recipe,
    (first, of): (&Intent, &TypeDef),
    (second, def): (&Intent, &TypeDef),
) -> Diagnostic {
    let names = |intent: &Intent| -> Vec<String> {
        intent.fields.iter().map(|field| field.encoded.clone()).collect()
    };
    let (what, equal) = match recipe {
        Recipe::Template(..) => ("the template and digest", true),
        Recipe::Format(..) => ("the namespace, operation and version", names(first) == names(second)),
    };
    let effect = match equal {
        true => "two operations with the same values have one key, and the second is taken for a repetition",
        false => "only their fields keep their keys apart",
    };
    let severity =
        if equal && !world.is_example(def.name_span) { Severity::Error } else { Severity::Warning };
    Diagnostic {
        rule: INFO.id,
        code: INFO.code,
        severity,
        certainty: Certainty::Proven,
        message: format!("`{}` has {what} of `{}`: {effect}", def.name, of.name),
        primary: def.name_span,
        labels: vec![Label { span: def.name_span, text: format!("as `{}`", of.path) }],
        formula: None,
        identity: identity(world, def, of),
        fingerprint: String::new(),
        trace: vec![step(of.name_span, of, what), step(def.name_span, def, "the same")],
        help: help(recipe).to_owned(),
        fixes: Vec::new(),
    }
}

fn step(span: Span, def: &TypeDef, what: &str) -> Step {
    Step { span, message: format!("`{}` has {what}", def.name) }
}

fn help(recipe: &Recipe) -> &'static str {
    match recipe {
        Recipe::Template(..) => {
            "give one of them a literal part of its own; keys that are already sent with it must finish first, or be \
             stored and sent again as they are"
        }
        Recipe::Format(..) => {
            "name the two operations differently, or use one type for both; keys that are already sent must be stored \
             and sent again as they are"
        }
    }
}

fn identity(world: &World<'_>, def: &TypeDef, of: &TypeDef) -> Identity {
    let module = world.input.program.module_path(def.scope).to_string();
    Identity { module, function: String::new(), sink: def.name.to_string(), source: of.path.to_string() }
}

#[cfg(test)]
mod tests {
    use super::without_names;

    #[test]
    fn templates_are_compared_without_the_names_of_fields() {
        assert_eq!(without_names("{customer_id}:{period}:x"), "{}:{}:x");
        assert_eq!(without_names("{{{a}}}-b"), "{{{}}}-b");
        assert_eq!(without_names("{open"), "{open");
        assert_ne!(without_names("{a}:x"), without_names("{a}:y"));
    }
}
