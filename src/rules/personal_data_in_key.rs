//! What tells a person apart, readable in a key.

use std::rc::Rc;

use samekey_catalogue::{Family, NameRole, digest, name_rules};

use super::case::World;
use super::extent::{Extent, extent};
use super::formula;
use super::shape::{self, KeyFormula, Remark};
use crate::facts::wildcard;
use crate::flow::term::Term;
use crate::report::{Diagnostic, RuleInfo, Severity};

/// The rule. It reads formulas, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "personal-data-in-key",
    code: "SK105",
    summary: "an e-mail address, a name, a phone or card number is readable in the key",
    page: include_str!("../../docs/rules/personal-data-in-key.md"),
};

/// What stands before the name of a thing in the name of a flag about it.
const FLAGS: &[&str] =
    &["is_", "has_", "send_", "use_", "verify_", "notify_", "by_", "should_", "allow_", "can_"];

/// Keys that hold what names call personal.
pub fn findings<'a>(world: &'a World<'a>, keys: &[KeyFormula<'a>]) -> Vec<Diagnostic> {
    shape::findings(world, keys, &INFO, judge)
}

/// A personal value in a key.
struct Found {
    name: String,
    hashed: bool,
}

fn judge(world: &World<'_>, key: &KeyFormula<'_>) -> Option<Remark> {
    let mut found = Vec::new();
    collect(world, key, &key.term, false, &mut found);
    let worst = found.into_iter().min_by_key(|found| found.hashed)?;
    let name = &worst.name;
    let (message, help) = match worst.hashed {
        false => (
            format!(
                "the key holds `{name}` in clear: keys are logged and stored by everyone who handles them"
            ),
            format!("use the id of the customer instead of `{name}`, or an HMAC of it with a secret"),
        ),
        true => (
            format!("the key holds a plain hash of `{name}`: who tries all likely values finds it"),
            format!(
                "use the id of the customer instead of `{name}`, or an HMAC with a secret instead of the hash"
            ),
        ),
    };
    let kept = key.slot.by_name() || matches!(key.receiver.info.family, Family::InHouse);
    Some(Remark {
        severity: if kept { Severity::Note } else { key.proven(world) },
        message,
        label: "personal data in the key".to_owned(),
        help,
        subject: name.clone(),
        fixes: Vec::new(),
    })
}

/// Collects the personal values whose text, or the plain hash of it, is a part of the key.
fn collect(world: &World<'_>, key: &KeyFormula<'_>, term: &Rc<Term>, hashed: bool, found: &mut Vec<Found>) {
    let all = |terms: &[Rc<Term>], hashed: bool, found: &mut Vec<Found>| {
        for term in terms {
            collect(world, key, term, hashed, found);
        }
    };
    match term.as_ref() {
        Term::Param(_) | Term::Named(_) | Term::Part(..) => {
            let name = key.name_of(world, term).filter(|name| is_personal(name));
            let told_apart = matches!(extent(world, key, term), Extent::Fixed(_) | Extent::Delimited);
            if let Some(name) = name.filter(|_| !told_apart) {
                found.push(Found { name, hashed });
            }
        }
        Term::Typed(inner, ty) => {
            let told_apart = matches!(ty.as_str(), "bool" | "enum") || ty.ends_with("::Uuid");
            let is_value = matches!(**inner, Term::Param(_) | Term::Named(_) | Term::Part(..));
            if !(told_apart && is_value) {
                collect(world, key, inner, hashed, found);
            }
        }
        Term::Text(parts) | Term::Choice(parts) | Term::Item(parts) => all(parts, hashed, found),
        Term::Slice(inner, _) => collect(world, key, inner, hashed, found),
        Term::Call(name, args) => match digest(name) {
            Some(row) if row.keyed => {}
            Some(_) if args.iter().any(|arg| holds_secret(world, key, arg)) => {}
            Some(row) if row.form != samekey_catalogue::DigestForm::Encoding => all(args, true, found),
            _ if matches!(name.as_str(), "new_v5" | "new_v3") => all(args, true, found),
            // A getter of a type that is not in view.
            _ if args.len() == 1 && is_getter(name) => found.push(Found { name: name.to_string(), hashed }),
            _ if name == "[]" || formula::is_pure(name) => all(args, hashed, found),
            _ => {}
        },
        Term::Literal(_) | Term::Source(_) | Term::Unknown => {}
    }
}

fn holds_secret(world: &World<'_>, key: &KeyFormula<'_>, term: &Term) -> bool {
    term.any(&|part| {
        let name = match part {
            Term::Param(_) | Term::Named(_) | Term::Part(..) => key.name_of(world, part),
            Term::Call(name, _) => Some(name.to_string()),
            _ => None,
        };
        name.is_some_and(|name| has_role(&name.to_ascii_lowercase(), NameRole::Secret))
    })
}

fn is_personal(name: &str) -> bool {
    let flag = FLAGS.iter().any(|flag| name.starts_with(flag));
    !flag && !formula::is_constant_name(name) && has_role(name, NameRole::Personal)
}

/// Whether a function is called like the value itself; `mask_email` may give something else.
fn is_getter(name: &str) -> bool {
    let rules = name_rules().iter().filter(|rule| rule.role == NameRole::Personal);
    rules.flat_map(|rule| rule.snake).any(|known| *known == name)
}

fn has_role(name: &str, role: NameRole) -> bool {
    let rules = name_rules().iter().filter(|rule| rule.role == role);
    rules.flat_map(|rule| rule.snake.iter().chain(rule.camel)).any(|pattern| wildcard(pattern, name))
}

#[cfg(test)]
mod tests {
    use super::is_personal;

    #[test]
    fn names_of_values_are_told_from_names_of_ids_and_flags() {
        for name in ["email", "customer_email", "phone_number", "card_number", "iban", "ssn", "full_name"] {
            assert!(is_personal(name), "{name}");
        }
        for name in [
            "email_id",
            "email_verified",
            "phone_model_id",
            "name",
            "merchant_name",
            "send_email",
            "card_id",
            "EMAIL",
            "microphone",
            "emails_sent",
        ] {
            assert!(!is_personal(name), "{name}");
        }
    }
}
