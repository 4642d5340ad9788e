//! Writes JSON that is safe to print.
//!
//! A JSON document ends up in the log of a build too. Characters that command a terminal, reorder text or start a
//! command of a build agent are written as `\u` escapes; whoever parses the document gets the same text.

use std::io::{self, Write};

use serde::Serialize;

use super::escape::is_unprintable;

/// Writes a document over several lines, with a line break at its end.
pub(crate) fn write_document(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string_pretty(document).map_err(io::Error::from)?;
    writeln!(out, "{}", escaped(&text))
}

/// Writes a document as one line.
pub(crate) fn write_line(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", line(document)?)
}

/// A document as one line, without a line break.
pub(crate) fn line(document: &impl Serialize) -> io::Result<String> {
    Ok(escaped(&serde_json::to_string(document).map_err(io::Error::from)?))
}

/// Everything that is escaped here stands inside a string of the document: outside of strings JSON is plain ASCII,
/// and a line break never stands inside one.
fn escaped(json: &str) -> String {
    let mut result = String::with_capacity(json.len());
    for (offset, character) in json.char_indices() {
        let agent_command = || json.get(offset..).is_some_and(|rest| rest.starts_with("##"));
        let safe = match character {
            '\n' => true,
            '#' => !agent_command(),
            other => !is_unprintable(other),
        };
        match safe {
            true => result.push(character),
            false => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    result.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_safe_to_print_and_keep_their_text() {
        let text = "a\u{1b}[31m\u{9b}\u{7f}\u{202e}\u{2028} ##vso[task] ##[error] é\u{e0041} ::error::";
        let written = line(&vec![text]).unwrap();
        assert!(!written.contains(|character: char| character.is_control()), "{written}");
        assert!(
            !written.contains(['\u{202e}', '\u{2028}', '\u{e0041}']) && !written.contains("##"),
            "{written}"
        );
        assert!(written.contains('é'));
        assert_eq!(serde_json::from_str::<Vec<String>>(&written).unwrap(), [text]);
    }
}
