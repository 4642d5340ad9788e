//! Names on the wire: what serde attributes make of a field's name.

use crate::ir::Attributes;
use crate::resolve::TypeDef;

/// The name under which a field of a struct is serialised, when attributes change it.
pub fn wire_name(definition: &TypeDef, field: &str) -> Option<String> {
    let own = definition.fields(None).iter().find(|candidate| candidate.name == field)?;
    if let Some(name) = serde_argument(&own.attributes, "rename") {
        return Some(name);
    }
    serde_argument(&definition.attributes, "rename_all").and_then(|style| renamed(field, &style))
}

/// The string of `#[serde(name = "..")]`, also in the form `name(serialize = "..")`.
fn serde_argument(attributes: &Attributes, name: &str) -> Option<String> {
    attributes.other.iter().filter(|attribute| attribute.path == "serde").find_map(|attribute| {
        let text = attribute.arguments.as_str();
        let start = text.match_indices(name).map(|(index, _)| index).find(|index| {
            let after = text[index + name.len()..].trim_start();
            let before = text[..*index].chars().next_back();
            (after.starts_with('=') || after.starts_with('('))
                && before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })?;
        let rest = text[start..].split_once('"')?.1;
        Some(rest.split_once('"')?.0.to_owned())
    })
}

fn renamed(field: &str, style: &str) -> Option<String> {
    let words: Vec<&str> = field.split('_').filter(|word| !word.is_empty()).collect();
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default()
    };
    match style {
        "camelCase" => {
            let (first, rest) = words.split_first()?;
            Some(format!("{first}{}", rest.iter().map(|word| capital(word)).collect::<String>()))
        }
        "PascalCase" => Some(words.iter().map(|word| capital(word)).collect()),
        "kebab-case" => Some(words.join("-")),
        "SCREAMING-KEBAB-CASE" => Some(words.join("-").to_uppercase()),
        "SCREAMING_SNAKE_CASE" | "UPPERCASE" => Some(words.join("_").to_uppercase()),
        "lowercase" => Some(field.to_lowercase()),
        _ => None,
    }
}
