//! Makes text from the analysed tree safe to print.
//!
//! A source file may hold terminal escapes, bidirectional overrides, commands that a CI runner reads off its
//! log (`::set-output`, `##vso[..]`), and live credentials. None of them is printed.

/// Prefixes of credentials whose rest is never shown.
const SECRETS: [&str; 6] = ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "sk_org_"];

/// Words after `##` that build agents obey.
const AGENT_COMMANDS: [&str; 3] = ["vso[", "teamcity[", "["];

/// Text for a message: secrets redacted, everything unprintable written as an escape, always one line.
#[must_use]
pub fn printable(text: &str) -> String {
    let redacted = redact(text);
    let mut result = String::with_capacity(redacted.len());
    let mut start_of_line = true;
    for (offset, character) in redacted.char_indices() {
        let rest = redacted.get(offset..).unwrap_or_default();
        if is_unprintable(character) {
            result.extend(character.escape_default());
        } else if is_command(rest, start_of_line) {
            result.extend(character.escape_unicode());
        } else {
            result.push(character);
        }
        start_of_line &= character.is_whitespace();
    }
    result
}

/// A line of code: as [`printable`], but tabs stay, and so does the byte order mark of a file.
#[must_use]
pub fn printable_line(line: &str) -> String {
    let (mark, line) = match line.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", line),
    };
    let parts: Vec<String> = line.split('\t').map(printable).collect();
    format!("{mark}{}", parts.join("\t"))
}

/// Code for a snippet: as [`printable`], but every byte keeps its place, so that spans stay right.
#[must_use]
pub(super) fn printable_in_place(text: &str) -> String {
    let redacted = redact(text);
    let mut result = String::with_capacity(redacted.len());
    for (offset, character) in redacted.char_indices() {
        let rest = redacted.get(offset..).unwrap_or_default();
        match character {
            '\t' | '\n' => result.push(character),
            _ if is_command(rest, false) => result.push('?'),
            _ if is_unprintable(character) => result.push_str(match character.len_utf8() {
                1 => "?",
                2 => "??",
                3 => "\u{fffd}",
                _ => "\u{fffd}?",
            }),
            _ => result.push(character),
        }
    }
    result
}

/// Replaces what follows the prefix of a credential by as many asterisks.
#[must_use]
pub fn redact(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((prefix, start)) = next_secret(rest) {
        let (before, secret) = rest.split_at(start + prefix.len());
        result.push_str(before);
        let length = secret.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        result.extend(std::iter::repeat_n('*', length));
        rest = secret.get(length..).unwrap_or_default();
    }
    result.push_str(rest);
    result
}

fn next_secret(text: &str) -> Option<(&'static str, usize)> {
    let found = SECRETS.iter().filter_map(|prefix| Some((*prefix, text.find(prefix)?)));
    found.min_by_key(|(_, start)| *start)
}

fn is_command(rest: &str, start_of_line: bool) -> bool {
    let agent = rest
        .strip_prefix("##")
        .is_some_and(|word| AGENT_COMMANDS.iter().any(|command| word.starts_with(command)));
    agent || (start_of_line && rest.starts_with("::"))
}

/// Control characters, and characters that reorder or hide their neighbours.
pub(super) fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}'
                | '\u{feff}'
                | '\u{61c}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_and_line_breaks_are_shown_as_text() {
        assert_eq!(printable("a\u{1b}[31mb\nc\u{202e}"), "a\\u{1b}[31mb\\nc\\u{202e}");
    }

    #[test]
    fn commands_for_a_build_agent_are_broken() {
        assert_eq!(printable("  ::error::x"), "  \\u{3a}:error::x");
        assert_eq!(printable("a::b"), "a::b");
        assert_eq!(printable("x ##vso[task.set]"), "x \\u{23}#vso[task.set]");
        assert_eq!(printable_in_place("x ##[error]"), "x ?#[error]");
    }

    #[test]
    fn secrets_are_redacted_and_keep_their_length() {
        let text = "let k = \"sk_live_51Hx\"; // whsec_abc, sk_test_";
        assert_eq!(redact(text), "let k = \"sk_live_****\"; // whsec_***, sk_test_");
        assert_eq!(redact(text).len(), text.len());
    }

    #[test]
    fn snippets_keep_every_byte_in_its_place() {
        let text = "é\u{1b}\u{85}\u{202e}日\tsk_live_x";
        assert_eq!(printable_in_place(text).len(), text.len());
    }
}
