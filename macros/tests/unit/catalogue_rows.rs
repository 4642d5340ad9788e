//! Every row of the catalogue that the derive uses is refused with its advice.

use samekey_catalogue::derive::{PERSISTED_TYPES, REFUSED_NAMES, REFUSED_TYPES};

use crate::ast::{Derive, Input};
use crate::errors::Errors;
use crate::expand;

/// What a derive writes for a type: its errors, and its code.
fn derived(source: &str, derive: Derive) -> (String, String) {
    let source = syn::parse_str(source).expect("the source is a type");
    let mut errors = Errors::default();
    let input = Input::read(source, derive, &mut errors);
    let code = match derive {
        Derive::Idempotent => expand::idempotent(&input),
        Derive::Identity => expand::identity(&input),
    };
    (errors.into_tokens().to_string(), code.to_string())
}

/// A type of each derive with one field of interest.
fn types_with(words: &str, name: &str, ty: &str) -> [(String, Derive); 2] {
    let intent = format!(
        "#[idempotent(namespace = \"n\", operation = \"o\")]
         struct Intent {{
             #[idempotent(identity)] customer: String,
             #[idempotent(identity, {words})] {name}: {ty},
         }}"
    );
    let identity =
        format!("struct Part {{ customer: String, #[idempotent(identity, {words})] {name}: {ty} }}");
    [(intent, Derive::Idempotent), (identity, Derive::Identity)]
}

/// A text as it stands in a string literal of tokens.
fn quoted(text: &str) -> String {
    let literal = format!("{text:?}");
    literal[1..literal.len() - 1].to_owned()
}

#[test]
fn every_refused_name_needs_a_reason() {
    for row in REFUSED_NAMES {
        for (source, derive) in types_with("", row.name, "String") {
            let (errors, _) = derived(&source, derive);
            assert!(
                errors.contains(&quoted(&format!("`{}`: {}", row.name, row.advice))),
                "{source}\n{errors}"
            );
        }
        for (source, derive) in types_with("stable = \"why\"", row.name, "String") {
            assert_eq!(derived(&source, derive).0, "", "{source}");
        }
    }
}

/// The macro sees names and not types, so it hands its advice to the compiler,
/// which shows it when the type is really no identity.
#[test]
fn every_refused_type_brings_its_advice() {
    for row in REFUSED_TYPES.iter().chain(PERSISTED_TYPES) {
        let spelled = row.paths.iter().map(|path| (*path).to_owned());
        let nested =
            [row.name.to_owned(), format!("Option<{}>", row.name), format!("&'static [{}]", row.name)];
        for ty in spelled.chain(nested) {
            for (source, derive) in types_with("", "value", &ty) {
                let (errors, code) = derived(&source, derive);
                assert_eq!(errors, "", "{source}");
                let message = quoted(&format!("`{{Self}}` is no business identity: {}", row.advice));
                assert!(code.contains(&message), "{source}\n{code}");
            }
        }
    }
}

/// Said to be stored, a type is the compiler's to admit, without advice that it
/// should be stored.
#[test]
fn stored_types_bring_no_advice() {
    for row in PERSISTED_TYPES {
        for (source, derive) in types_with("persisted = \"where\"", "value", row.name) {
            let (errors, code) = derived(&source, derive);
            assert_eq!(errors, "", "{source}");
            assert!(!code.contains("is no business identity"), "{source}");
        }
    }
}

#[test]
fn advice_reads_like_a_message_and_is_no_format() {
    let types = REFUSED_TYPES.iter().chain(PERSISTED_TYPES).map(|row| (row.name, row.advice));
    for (name, advice) in types.chain(REFUSED_NAMES.iter().map(|row| (row.name, row.advice))) {
        assert!(!advice.ends_with('.') && advice.len() > 20, "{name}: {advice}");
        assert!(!advice.contains(['{', '}']), "{name}: the message is a format");
    }
}

/// Business names that must always compile.
#[test]
fn names_with_a_business_meaning_are_not_refused() {
    for name in [
        "lease_id",
        "term",
        "session_id",
        "sequence",
        "member_id",
        "instance_id",
        "request_id",
        "correlation_id",
        "task_id",
        "process_id",
        "created_at",
        "due_date",
        "version",
        "epoch",
        "payment_attempt_id",
        "billing_run_id",
        "trace_number",
        "nonce",
        "salt",
        "uuid",
        "connection_id",
        "worker_id",
        "pkid",
        "pod",
        "delivery_count",
        "delivery_attempt",
        "container_id",
        "host_name",
        "node_name",
        "client_addr",
        "execution_id",
    ] {
        for (source, derive) in types_with("", name, "String") {
            assert_eq!(derived(&source, derive).0, "", "{name}");
        }
    }
}
