//! Edits of comments: what suppresses nothing is removed, and what is misspelt beyond doubt is corrected. No code
//! changes, so these edits are safe.

use std::ops::Range;

use super::comment::{self, Directive, MARKER};
use crate::report::{Replacement, RuleInfo};

/// Two words are the same one misspelt when so few letters are added, left out, exchanged or swapped.
const MOST_SLIPS: usize = 2;

/// A name in the list of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    /// Its bytes in the comment, without the white space around it.
    range: Range<usize>,
    /// The rule that it names.
    rule: Option<&'static str>,
}

/// The edits of a comment that take rules out of its list; at least one other must stay.
pub(super) fn without_rules(comment: &str, rules: &[RuleInfo], unused: &[&str]) -> Option<Vec<Replacement>> {
    let items = items(comment, rules)?;
    let kept: Vec<bool> =
        items.iter().map(|item| !item.rule.is_some_and(|rule| unused.contains(&rule))).collect();
    without(&items, &kept)
}

/// The edits that correct what is misspelt beyond doubt in a comment, and what it says then.
pub(super) fn corrected(
    comment: &str,
    old: &Directive,
    rules: &[RuleInfo],
) -> Option<(Vec<Replacement>, Directive)> {
    let mut edits: Vec<Replacement> = word(comment).into_iter().collect();
    if let Some(items) = items(comment, rules) {
        edits.extend(items.iter().filter(|item| item.rule.is_none()).filter_map(|item| {
            let name = comment.get(item.range.clone())?;
            Some((item.range.clone(), only_similar(name, rules)?.to_owned()))
        }));
        let kept: Vec<bool> = items.iter().map(|item| !item.range.is_empty()).collect();
        edits.extend(without(&items, &kept).unwrap_or_default());
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut text = comment.to_owned();
    for (range, new) in edits.iter().rev() {
        if text.get(range.clone()).is_some() {
            text.replace_range(range.clone(), new);
        }
    }
    let directive = comment::read(&text, rules)?;
    (directive.mistakes.len() < old.mistakes.len()).then_some((edits, directive))
}

/// The edit that makes the word behind the marker `ignore`.
fn word(comment: &str) -> Option<Replacement> {
    let after = comment.find(MARKER)? + MARKER.len();
    let rest = comment.get(after..)?;
    let start = after + rest.len() - rest.trim_start().len();
    let rest = comment.get(start..)?;
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
    (rest.get(..length)? != "ignore").then(|| (start..start + length, "ignore".to_owned()))
}

/// The names in the list of a comment, empty ones too.
fn items(comment: &str, rules: &[RuleInfo]) -> Option<Vec<Item>> {
    let open = comment.find('[')? + 1;
    let close = open + comment.get(open..)?.find(']')?;
    let mut found = Vec::new();
    let mut at = open;
    for part in comment.get(open..close)?.split(',') {
        let name = part.trim();
        let start = at + part.len() - part.trim_start().len();
        let known = rules.iter().find(|rule| rule.id == name || rule.code.eq_ignore_ascii_case(name));
        found.push(Item { range: start..start + name.len(), rule: known.map(|rule| rule.id) });
        at += part.len() + 1;
    }
    Some(found)
}

/// The edits that remove the items that are not kept, each with a comma.
fn without(items: &[Item], kept: &[bool]) -> Option<Vec<Replacement>> {
    let first = kept.iter().position(|kept| *kept)?;
    let gone = items.iter().enumerate().filter(|(index, _)| !kept.get(*index).is_some_and(|kept| *kept));
    let edit = |(index, item): (usize, &Item)| {
        let range = match index < first {
            true => item.range.start..items.get(index.checked_add(1)?)?.range.start,
            false => items.get(index.checked_sub(1)?)?.range.end..item.range.end,
        };
        Some((range, String::new()))
    };
    gone.map(edit).collect()
}

/// The rule that a name is a misspelling of; `None` when none or several are close.
fn only_similar(name: &str, rules: &[RuleInfo]) -> Option<&'static str> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let mut close = rules.iter().filter(|rule| strsim::osa_distance(&name, rule.id) <= MOST_SLIPS);
    let only = close.next()?;
    close.next().is_none().then_some(only.id)
}

/// The bytes of a text that go when a comment goes: its line when it stands alone there. `None` where the comment
/// goes on in the next line.
pub(super) fn removal(text: &str, comment: Range<usize>) -> Option<Range<usize>> {
    // The break of a line of `\r\n` is not part of the comment.
    let end = comment.start + text.get(comment.clone())?.trim_end().len();
    let mut line_start = text.get(..comment.start)?.rfind('\n').map_or(0, |at| at + 1);
    if line_start == 0 && text.starts_with('\u{feff}') {
        line_start = '\u{feff}'.len_utf8();
    }
    let line_end = text.get(end..)?.find('\n').map_or(text.len(), |at| end + at + 1);
    let before = text.get(line_start..comment.start)?;
    let after = text.get(end..line_end)?;
    match (before.trim().is_empty(), after.trim().is_empty()) {
        (true, true) if goes_on(text.get(line_end..)?) => None,
        (true, true) => Some(line_start..line_end),
        (false, true) => Some(line_start + before.trim_end().len()..end),
        (true, false) => Some(comment.start..end + after.len() - after.trim_start().len()),
        (false, false) if before.ends_with(' ') => {
            Some(comment.start..end + usize::from(after.starts_with(' ')))
        }
        // Without the comment, the words beside it might become one.
        (false, false) => None,
    }
}

/// Whether the next line is a comment too, and not one that stands for itself.
fn goes_on(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default().trim_start();
    let Some(content) = line.strip_prefix("//") else { return false };
    !content.starts_with(['/', '!']) && !content.trim_start().starts_with(MARKER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::applied;

    const RULES: [RuleInfo; 3] = [
        RuleInfo { id: "uuid-in-key", code: "SK001", summary: "", page: "" },
        RuleInfo { id: "clock-in-key", code: "SK002", summary: "", page: "" },
        RuleInfo { id: "random-in-key", code: "SK003", summary: "", page: "" },
    ];

    #[test]
    fn rules_leave_the_list() {
        for (list, unused, expected) in [
            ("uuid-in-key, clock-in-key", &["uuid-in-key"][..], "clock-in-key"),
            ("uuid-in-key, clock-in-key", &["clock-in-key"], "uuid-in-key"),
            ("SK001,SK002 , SK003", &["uuid-in-key", "random-in-key"], "SK002"),
            (" SK001 , SK002, SK003 ", &["clock-in-key", "random-in-key"], " SK001 "),
            ("SK001, SK002, SK003", &["uuid-in-key", "clock-in-key"], "SK003"),
        ] {
            let comment = format!("// samekey: ignore[{list}] -- é");
            let edits = without_rules(&comment, &RULES, unused).unwrap();
            assert_eq!(applied(&comment, edits), format!("// samekey: ignore[{expected}] -- é"));
        }
        assert_eq!(without_rules("// samekey: ignore[SK001] -- x", &RULES, &["uuid-in-key"]), None);
    }

    #[test]
    fn slips_are_corrected() {
        for (comment, expected) in [
            ("// samekey: ignore[uid_in-key] -- x", Some("// samekey: ignore[uuid-in-key] -- x")),
            (
                "// samekey: ignroe[lock-in-key,, Random-In-Key] -- x",
                Some("// samekey: ignore[clock-in-key, random-in-key] -- x"),
            ),
            ("/* samekey:allow[SK001, ] -- x */", Some("/* samekey:ignore[SK001] -- x */")),
            ("// samekey: ignore[SK001, something] -- x", None),
            ("// samekey: ignore[something] -- x", None),
            ("// samekey: ignore[] -- x", None),
            ("// samekey: ignore[SK001]", None),
            ("// samekey: ignore", None),
            ("// samekey: allow(uuid-in-key)", None),
        ] {
            let old = comment::read(comment, &RULES).unwrap();
            let found = corrected(comment, &old, &RULES).map(|(edits, _)| applied(comment, edits));
            assert_eq!(found.as_deref(), expected, "{comment}");
        }
    }

    #[test]
    fn a_comment_goes_with_its_line() {
        for (text, comment, expected) in [
            ("a\r\n  // x\r\nb\r\n", "// x\r", Some("a\r\nb\r\n")),
            ("a; // x\r\nb", "// x\r", Some("a;\r\nb")),
            ("\u{feff}// x\nb", "// x", Some("\u{feff}b")),
            ("a\n// x", "// x", Some("a\n")),
            ("f(a, /* x */ b)", "/* x */", Some("f(a, b)")),
            ("/* x */ a", "/* x */", Some("a")),
            ("a/* x */b", "/* x */", None),
            ("// x\n// and more\nb", "// x", None),
            ("// x\n/// documentation\nb", "// x", Some("/// documentation\nb")),
            ("// x\n// samekey: ignore[a] -- b\nb", "// x", Some("// samekey: ignore[a] -- b\nb")),
        ] {
            let start = text.find(comment).unwrap();
            let range = removal(text, start..start + comment.len());
            let found = range.map(|range| applied(text, vec![(range, String::new())]));
            assert_eq!(found.as_deref(), expected, "{text:?}");
        }
    }
}
