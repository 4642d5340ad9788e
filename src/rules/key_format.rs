//! A key that its provider refuses or cuts off: too long, too short, with other characters, no UUID of its version.

use std::rc::Rc;

use samekey_catalogue::{Charset, Provider, SourceKind, UuidRule};

use super::case::World;
use super::host;
use super::length::{Length, length};
use super::shape::{self, KeyFormula, Remark};
use crate::flow::term::Term;
use crate::report::{Diagnostic, RuleInfo};

/// The rule. It reads formulas, not flows.
pub const INFO: RuleInfo = RuleInfo {
    id: "key-format",
    code: "SK104",
    summary: "the provider does not take a key of this length or form",
    page: include_str!("../../docs/rules/key-format.md"),
};

/// Keys that break what their provider publishes.
pub fn findings<'a>(world: &'a World<'a>, keys: &[KeyFormula<'a>]) -> Vec<Diagnostic> {
    shape::findings(world, keys, &INFO, judge)
}

fn judge(world: &World<'_>, key: &KeyFormula<'_>) -> Option<Remark> {
    let provider = host::provider_of(key.receiver).filter(|provider| !provider.varies)?;
    let broken = wrong_version(world, key, provider)
        .or_else(|| wrong_character(provider, &key.term))
        .or_else(|| wrong_length(world, key, provider))?;
    let fix = match provider.uuid {
        UuidRule::Required | UuidRule::V4 | UuidRule::V7 => {
            "make a UUID of the identity of the operation, stored or by hashing, in the version that it takes; \
             `key.for_provider(..)` of the derive does that"
        }
        _ => "hash the parts of the key and keep as many characters as fit, at least 120 bits",
    };
    Some(Remark {
        severity: key.proven(world),
        message: format!("{}: {} {}", provider.name, broken.takes, broken.gets),
        label: "refused or cut off".to_owned(),
        help: fix.to_owned(),
        subject: broken.takes,
        fixes: Vec::new(),
    })
}

/// What a provider takes, and what it gets.
struct Broken {
    takes: String,
    gets: String,
}

fn wrong_length(world: &World<'_>, key: &KeyFormula<'_>, provider: &Provider) -> Option<Broken> {
    let Length { least, most } = length(world, key, &key.term);
    let (max, min) = (provider.max_len.map(usize::from), provider.min_len.map(usize::from));
    if let Some(max) = max.filter(|max| least > *max) {
        let more = if most == Some(least) { "" } else { "at least " };
        return Some(Broken {
            takes: format!("a key has at most {max} characters,"),
            gets: format!("this one has {more}{least}"),
        });
    }
    let (min, most) = (min?, most?);
    (most < min).then(|| Broken {
        takes: format!("a key has at least {min} characters,"),
        gets: format!("this one has {most}"),
    })
}

fn wrong_character(provider: &Provider, term: &Rc<Term>) -> Option<Broken> {
    let wrong = character_outside(provider.charset, term)?;
    Some(Broken {
        takes: format!("a key is made of {},", words(provider.charset)),
        gets: format!("this one contains {wrong:?}"),
    })
}

/// The first character of a literal part of the text that is not in the set; on every way where there are several.
fn character_outside(charset: Charset, term: &Term) -> Option<char> {
    match term {
        Term::Literal(text) => text.chars().find(|c| !allows(charset, *c)),
        Term::Text(parts) => parts.iter().find_map(|part| character_outside(charset, part)),
        Term::Choice(choices) | Term::Item(choices) => {
            let found: Option<Vec<char>> =
                choices.iter().map(|choice| character_outside(charset, choice)).collect();
            found?.first().copied()
        }
        Term::Typed(inner, _) => character_outside(charset, inner),
        // `{:?}` of a text writes quotation marks.
        Term::Call(name, args) if name == "debug" => match args.first().map(Rc::as_ref) {
            Some(Term::Typed(_, ty)) if matches!(ty.as_str(), "str" | "std::string::String") => {
                (!allows(charset, '"')).then_some('"')
            }
            _ => None,
        },
        Term::Call(name, args) if super::formula::is_conversion(name) => match args.as_slice() {
            [only] => character_outside(charset, only),
            _ => None,
        },
        _ => None,
    }
}

fn allows(charset: Charset, c: char) -> bool {
    match charset {
        Charset::Any => true,
        Charset::PrintableAscii => c.is_ascii_graphic() || c == ' ',
        Charset::AsciiNoSpace => c.is_ascii_graphic(),
        Charset::AlphanumericDashSpace => c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ' '),
        Charset::AlphanumericDash => c.is_ascii_alphanumeric() || c == '-',
        Charset::DnsLabel => c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-',
        Charset::UuidText => c.is_ascii_hexdigit() || c == '-',
        Charset::Digits => c.is_ascii_digit(),
    }
}

fn words(charset: Charset) -> &'static str {
    match charset {
        Charset::Any => "any characters",
        Charset::PrintableAscii => "printable ASCII characters",
        Charset::AsciiNoSpace => "printable ASCII characters without spaces",
        Charset::AlphanumericDashSpace => "letters, digits, hyphens, underscores and spaces",
        Charset::AlphanumericDash => "letters, digits and hyphens",
        Charset::DnsLabel => "lower-case letters, digits and hyphens",
        Charset::UuidText => "the characters of a UUID",
        Charset::Digits => "decimal digits",
    }
}

/// A UUID of a version that the provider refuses.
fn wrong_version(world: &World<'_>, key: &KeyFormula<'_>, provider: &Provider) -> Option<Broken> {
    let wanted = match provider.uuid {
        UuidRule::V4 => 4,
        UuidRule::V7 => 7,
        UuidRule::Any | UuidRule::Required | UuidRule::Recommended => return None,
    };
    let version = version(world, &key.term)?;
    (version != wanted).then(|| Broken {
        takes: format!("a key is a UUID of version {wanted},"),
        gets: format!("this one has version {version}"),
    })
}

/// The version of a UUID by the function that makes it.
fn version(world: &World<'_>, term: &Term) -> Option<u8> {
    match term {
        Term::Typed(inner, _) => version(world, inner),
        Term::Call(name, args) => match (name.as_str(), args.as_slice()) {
            ("new_v3", [_, _]) => Some(3),
            ("new_v5", [_, _]) => Some(5),
            (name, [only]) if super::formula::is_conversion(name) => version(world, only),
            _ => None,
        },
        Term::Source(site) => {
            let source = world.analysis.sources.get(*site as usize)?;
            let info = world.facts.row(source.row).source()?;
            let code = world.input.sources.snippet(source.span);
            let name = code.split('(').next().unwrap_or(code).rsplit("::").next()?;
            let is_uuid = info.kind == SourceKind::Uuid;
            let version = name.trim().strip_prefix("new_v").or_else(|| name.trim().strip_prefix("now_v"))?;
            version.parse().ok().filter(|_| is_uuid)
        }
        _ => None,
    }
}
