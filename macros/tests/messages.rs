//! Every error message of the derive is shown by a case below `ui/fail/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

/// Messages that no type can show, each with the reason.
const UNSHOWN: &[(&str, &str)] = &[(
    "`{{Self}}` is no business identity: {advice}",
    "the compiler puts the type in the place of `{Self}`",
)];

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Sentences in string literals, doc comments left out.
fn messages(stream: TokenStream, found: &mut Vec<String>) {
    let mut attribute = false;
    for tree in stream {
        match &tree {
            // `#[doc = ".."]` and other attributes.
            TokenTree::Group(_) if attribute => {}
            TokenTree::Group(group) => messages(group.stream(), found),
            TokenTree::Literal(literal) => {
                let parsed = syn::parse_str::<syn::LitStr>(&literal.to_string());
                found.extend(parsed.ok().map(|text| text.value()).filter(|text| is_sentence(text)));
            }
            _ => {}
        }
        let sign = tree.to_string();
        attribute = sign == "#" || (attribute && sign == "!");
    }
}

fn is_sentence(text: &str) -> bool {
    text.len() > 20 && text.matches(' ').count() >= 3
}

/// The parts of a message between what is filled in, without the white space that the compiler breaks lines at.
fn fixed_parts(message: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for character in message.replace("{{", "\u{1}").replace("}}", "\u{2}").chars() {
        match character {
            '{' => {
                depth += 1;
                parts.push(String::new());
            }
            '}' => depth -= 1,
            _ if depth > 0 || character.is_whitespace() => {}
            '\u{1}' => parts.last_mut().unwrap().push('{'),
            '\u{2}' => parts.last_mut().unwrap().push('}'),
            _ => parts.last_mut().unwrap().push(character),
        }
    }
    parts.retain(|part| part.len() > 3);
    parts
}

#[test]
fn every_message_is_shown() {
    let shown: String = files("tests/ui/fail", "stderr")
        .iter()
        .flat_map(|file| fs::read_to_string(file).unwrap().chars().collect::<Vec<_>>())
        .filter(|character| !character.is_whitespace())
        .collect();
    let mut found = Vec::new();
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../catalogue/src/template.rs");
    for file in files("src", "rs").into_iter().chain([templates]) {
        messages(TokenStream::from_str(&fs::read_to_string(file).unwrap()).unwrap(), &mut found);
    }
    assert!(found.len() > 60, "{} messages", found.len());
    // A text that is no format is shown with its braces as they are.
    let plain = |message: &String| message.split_whitespace().collect::<String>();
    let missing: Vec<&String> = found
        .iter()
        .filter(|message| !shown.contains(&plain(message)))
        .filter(|message| !fixed_parts(message).iter().all(|part| shown.contains(part.as_str())))
        .filter(|message| !UNSHOWN.iter().any(|(text, _)| text == message))
        .collect();
    assert!(missing.is_empty(), "no case shows:\n{missing:#?}");
}
