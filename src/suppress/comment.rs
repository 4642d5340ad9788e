//! What a comment says.

use crate::config::nearest;
use crate::report::RuleInfo;

/// The word that starts every comment for this tool.
pub(super) const MARKER: &str = "samekey:";

/// How a suppression is written.
pub(super) const FORM: &str = "// samekey: ignore[rule-id] -- reason";

/// Words of other tools, and words that one would try.
const TRIED: [&str; 9] =
    ["allow", "disable", "expect", "ignore-next-line", "noqa", "nolint", "off", "skip", "suppress"];

/// A comment for this tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// The ids of the rules that are suppressed; empty when the comment suppresses nothing.
    pub rules: Vec<&'static str>,
    /// What is wrong with it.
    pub mistakes: Vec<Mistake>,
}

/// Something that is wrong with a suppression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    /// One sentence.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Mistake {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Mistake {
        Mistake { message: message.into(), help: help.into() }
    }
}

/// Whether a text holds the name of this tool in some case, and a comment for it may do so.
pub(super) fn may_hold_one(text: &str) -> bool {
    let word = MARKER.trim_end_matches(':').as_bytes();
    let starts = memchr::memchr2_iter(b's', b'S', text.as_bytes());
    let mut found = starts.filter_map(|at| text.as_bytes().get(at..at + word.len()));
    found.any(|found| found.eq_ignore_ascii_case(word))
}

/// Reads a comment, its signs included; `None` when it is not meant for this tool.
pub(super) fn read(comment: &str, rules: &[RuleInfo]) -> Option<Directive> {
    let Some(text) = content(comment) else { return in_documentation(comment) };
    let text = text.trim();
    let Some(rest) = text.strip_prefix(MARKER) else { return with_other_marker(text) };
    let rest = rest.trim_start();
    let word_end = rest.find(|character: char| !character.is_ascii_alphanumeric() && character != '-');
    let (word, rest) = rest.split_at(word_end.unwrap_or(rest.len()));
    if word != "ignore" {
        return is_meant_as_ignore(word, rest).then(|| {
            let message = format!("`{word}` is not a word that samekey knows: the comment has no effect");
            Directive { rules: Vec::new(), mistakes: vec![Mistake::new(message, form())] }
        });
    }
    Some(match suppressed(rest.trim_start(), rules) {
        Ok(directive) => directive,
        Err(mistake) => Directive { rules: Vec::new(), mistakes: vec![mistake] },
    })
}

/// Documentation is about this tool at most, but a line that is nothing else than a suppression was meant as one.
fn in_documentation(comment: &str) -> Option<Directive> {
    let text = comment.trim_start_matches(['/', '*', '!']).trim_end_matches("*/").trim();
    let rest = text.strip_prefix(MARKER)?.trim_start().strip_prefix("ignore")?.trim_start();
    (rest.starts_with('[') && !text.contains('\n')).then(|| {
        let message = "this suppression is part of the documentation: it has no effect";
        Directive { rules: Vec::new(), mistakes: vec![Mistake::new(message, form())] }
    })
}

/// `SAMEKEY: ignore[..]`, `samekey ignore[..]`, `samekey-ignore[..]`.
fn with_other_marker(text: &str) -> Option<Directive> {
    let word = MARKER.trim_end_matches(':');
    let is_word = text.get(..word.len())?.eq_ignore_ascii_case(word);
    let rest = text.get(word.len()..)?;
    let rest = [": ", ":", " ", "-"].iter().find_map(|between| rest.strip_prefix(between))?;
    let (ignore, rest) = rest.split_at_checked("ignore".len())?;
    let is_word = is_word && ignore.eq_ignore_ascii_case("ignore");
    (is_word && rest.trim_start().starts_with(['[', '('])).then(|| {
        let message = format!("a suppression starts with `{MARKER} ignore`: this comment has no effect");
        Directive { rules: Vec::new(), mistakes: vec![Mistake::new(message, form())] }
    })
}

/// What stands behind the signs of a comment that is no documentation.
fn content(comment: &str) -> Option<&str> {
    if let Some(line) = comment.strip_prefix("//") {
        return (!line.starts_with(['/', '!'])).then_some(line);
    }
    let block = comment.strip_prefix("/*")?;
    (!block.starts_with(['*', '!'])).then(|| block.strip_suffix("*/").unwrap_or(block))
}

/// Prose may start with the marker too; a misspelt `ignore` has brackets or is a word that other tools use.
fn is_meant_as_ignore(word: &str, rest: &str) -> bool {
    let similar = nearest(word, ["ignore"]).is_some() && rest.trim_start().starts_with('[');
    similar || TRIED.contains(&word) && !rest.starts_with(' ') || TRIED.contains(&word) && rest.contains('[')
}

/// What follows the word `ignore`.
fn suppressed(rest: &str, rules: &[RuleInfo]) -> Result<Directive, Mistake> {
    let Some(list) = rest.strip_prefix('[') else {
        return Err(blanket());
    };
    let Some((list, reason)) = list.split_once(']') else {
        return Err(Mistake::new("the list of rules of this suppression has no closing bracket", form()));
    };
    if list.trim().is_empty() || list.split(',').any(|name| matches!(name.trim(), "*" | "all")) {
        return Err(blanket());
    }
    if !has_reason(reason) {
        return Err(Mistake::new(
            "this suppression gives no reason: it has no effect",
            format!(
                "say why the finding does not matter here: `// samekey: ignore[{}] -- reason`",
                list.trim()
            ),
        ));
    }
    let mut directive = Directive { rules: Vec::new(), mistakes: Vec::new() };
    for name in list.split(',').map(str::trim) {
        match rules.iter().find(|rule| rule.id == name || rule.code.eq_ignore_ascii_case(name)) {
            Some(rule) if directive.rules.contains(&rule.id) => {}
            Some(rule) => directive.rules.push(rule.id),
            None => directive.mistakes.push(unknown(name, rules)),
        }
    }
    Ok(directive)
}

fn blanket() -> Mistake {
    Mistake::new(
        "this suppression names no rule: it has no effect",
        format!("name each rule that it is about, as in `{FORM}`"),
    )
}

fn unknown(name: &str, rules: &[RuleInfo]) -> Mistake {
    if name.is_empty() {
        return Mistake::new("the list of rules of this suppression has an empty place", form());
    }
    let help = match nearest(name, rules.iter().map(|rule| rule.id)) {
        Some(rule) => format!("did you mean `{rule}`?"),
        None => "`cargo samekey rules` lists all rules".to_owned(),
    };
    Mistake::new(format!("unknown rule `{name}` in this suppression"), help)
}

fn form() -> String {
    format!("write `{FORM}`")
}

fn has_reason(rest: &str) -> bool {
    let rest = rest.trim_start();
    let reason = rest.strip_prefix("--").or_else(|| rest.strip_prefix(['—', '–']));
    reason.is_some_and(|reason| reason.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [RuleInfo; 2] = [
        RuleInfo { id: "uuid-in-key", code: "SK001", summary: "", page: "" },
        RuleInfo { id: "clock-in-key", code: "SK002", summary: "", page: "" },
    ];

    fn mistakes(comment: &str) -> Vec<String> {
        let found = read(comment, &RULES).unwrap_or_else(|| panic!("{comment} is not a directive"));
        found.mistakes.into_iter().map(|mistake| mistake.message).collect()
    }

    #[test]
    fn reads_one_or_several_rules() {
        for (comment, rules) in [
            ("// samekey: ignore[uuid-in-key] -- stored before the call", &["uuid-in-key"][..]),
            ("//samekey:ignore[SK001,clock-in-key,sk001]--x", &["uuid-in-key", "clock-in-key"]),
            ("/* samekey: ignore[ clock-in-key ] — a reason */", &["clock-in-key"]),
        ] {
            let found = read(comment, &RULES).unwrap();
            assert_eq!((found.rules.as_slice(), found.mistakes.len()), (rules, 0), "{comment}");
        }
    }

    #[test]
    fn prose_and_documentation_are_not_for_the_tool() {
        for comment in [
            "// see samekey: ignore[uuid-in-key] -- x",
            "/// Write `samekey: ignore[uuid-in-key] -- x`.",
            "/// samekey: ignore",
            "/// // samekey: ignore[uuid-in-key] -- x",
            "/** samekey: ignore[uuid-in-key] -- x\n and more */",
            "// samekey ignores uuid-in-key [here]",
            "// samekeyignore",
            "// samek",
            "// é",
            "// samekey: this key is checked",
            "// samekey: skip lists are not used here",
        ] {
            assert_eq!(read(comment, &RULES), None, "{comment}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (comment, message) in [
            ("// samekey: ignore", "this suppression names no rule: it has no effect"),
            (
                "/// samekey: ignore[uuid-in-key] -- x",
                "this suppression is part of the documentation: it has no effect",
            ),
            (
                "/** samekey: ignore[uuid-in-key] -- x */",
                "this suppression is part of the documentation: it has no effect",
            ),
            (
                "// SAMEKEY: ignore[uuid-in-key] -- x",
                "a suppression starts with `samekey: ignore`: this comment has no effect",
            ),
            (
                "// samekey-ignore[uuid-in-key] -- x",
                "a suppression starts with `samekey: ignore`: this comment has no effect",
            ),
            ("// samekey: ignore -- tests only", "this suppression names no rule: it has no effect"),
            ("// samekey: ignore[] -- x", "this suppression names no rule: it has no effect"),
            ("// samekey: ignore[*] -- x", "this suppression names no rule: it has no effect"),
            ("// samekey: ignore[uuid-in-key]", "this suppression gives no reason: it has no effect"),
            ("// samekey: ignore[uuid-in-key] -- ..", "this suppression gives no reason: it has no effect"),
            (
                "// samekey: ignore[uuid-in-key -- x",
                "the list of rules of this suppression has no closing bracket",
            ),
            ("// samekey: ignore[uid-in-key] -- x", "unknown rule `uid-in-key` in this suppression"),
            (
                "// samekey: ignroe[uuid-in-key] -- x",
                "`ignroe` is not a word that samekey knows: the comment has no effect",
            ),
            (
                "// samekey: allow[uuid-in-key] -- x",
                "`allow` is not a word that samekey knows: the comment has no effect",
            ),
            (
                "// samekey: allow(uuid-in-key)",
                "`allow` is not a word that samekey knows: the comment has no effect",
            ),
        ] {
            assert_eq!(mistakes(comment), [message], "{comment}");
        }
        let partly = read("// samekey: ignore[uuid-in-key, x] -- y", &RULES).unwrap();
        assert_eq!((partly.rules.len(), partly.mistakes.len()), (1, 1));
    }
}
