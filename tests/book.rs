//! The site: every page is in the summary, links and anchors lead somewhere, and what follows from data is current.
//!
//! A comment `<!-- name -->` in a page stands before a table or block that is written from data. With
//! `SAMEKEY_BLESS=1` they are written anew, as are the rules in the summary and the tables of the catalogue.

#[path = "book/answers.rs"]
mod answers;
#[path = "book/catalogue.rs"]
mod catalogue;
#[path = "book/links.rs"]
mod links;
#[path = "book/pages.rs"]
mod pages;

use std::fs;
use std::path::{Path, PathBuf};

use cargo_samekey::config;
use cargo_samekey::driver::Analysis;
use cargo_samekey::rules::Rules;
use serde_json::Value;

use pages::{Page, committed, docs, pages};

#[test]
fn what_follows_from_data_is_current() {
    let mut stale = Vec::new();
    for page in pages() {
        let current = filled(&page.text, &|name| generated(name));
        write_or_compare(&page.path, &page.text, &current, &mut stale);
    }
    for (name, current) in catalogue::tables() {
        let path = docs().join("catalogue").join(name);
        let text = fs::read_to_string(&path).unwrap_or_default();
        write_or_compare(&path, &text, &current, &mut stale);
    }
    let summary = docs().join("SUMMARY.md");
    let text = fs::read_to_string(&summary).unwrap();
    write_or_compare(&summary, &text, &with_all_rules(&text), &mut stale);
    assert!(stale.is_empty(), "SAMEKEY_BLESS=1 cargo test --test book writes anew: {}", stale.join(", "));
}

fn write_or_compare(path: &Path, text: &str, current: &str, stale: &mut Vec<String>) {
    if text == current {
        return;
    }
    if std::env::var_os("SAMEKEY_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, current).unwrap();
    } else {
        stale.push(path.display().to_string());
    }
}

/// The text with the table or fenced block behind each marker replaced.
fn filled(text: &str, content: &dyn Fn(&str) -> String) -> String {
    let mut result = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        result.push_str(line);
        result.push('\n');
        let Some(name) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        while lines.next_if(|line| line.is_empty()).is_some() {}
        if lines.next_if(|line| line.starts_with("```")).is_some() {
            while lines.next().is_some_and(|line| line != "```") {}
        } else {
            while lines.next_if(|line| line.starts_with('|')).is_some() {}
        }
        result.push_str(&format!("\n{}", content(name)));
    }
    result
}

fn generated(name: &str) -> String {
    let (kind, rest) = name.split_once(' ').unwrap_or((name, ""));
    match kind {
        "rules" => rules(),
        "keys" => keys(rest),
        "inputs" => inputs(),
        "snippet" => snippet(rest),
        other => panic!("nothing is called {other}"),
    }
}

fn rules() -> String {
    let rows = Rules.rules().iter().map(|rule| {
        vec![rule.code.to_owned(), format!("[{0}](rules/{0}.md)", rule.id), rule.summary.to_owned()]
    });
    table(&["code", "rule", "reports"], rows)
}

/// The keys of a table of the configuration, as the schema describes them.
fn keys(name: &str) -> String {
    let schema: Value = serde_json::from_str(&config::schema(Rules.rules())).unwrap();
    let table_schema = match name {
        "" => &schema,
        name => &schema["properties"][name]["items"],
    };
    let required = table_schema["required"].as_array().cloned().unwrap_or_default();
    let properties = table_schema["properties"].as_object().unwrap();
    let rows = properties.iter().map(|(key, value)| {
        let linked = match value["type"] == "array" && value["items"]["type"] == "object" {
            true => format!("[`[[{key}]]`](#{key})"),
            false => format!("`{key}`"),
        };
        let default = match value.get("default") {
            Some(default) => format!("`{default}`"),
            None if required.iter().any(|name| name == key) => "required".to_owned(),
            None => String::new(),
        };
        vec![linked, form(value), default, value["description"].as_str().unwrap().to_owned()]
    });
    table(&["key", "value", "default", "meaning"], rows)
}

/// What a value looks like, in words.
fn form(value: &Value) -> String {
    if let Some(words) = value["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_str().unwrap())).collect();
        return words.join(", ");
    }
    let word = |name: &Value| match name.as_str().unwrap() {
        "string" => "text",
        "integer" => "number",
        "boolean" => "`true` or `false`",
        "array" if value["items"]["type"] == "object" => "tables",
        "array" => "list of texts",
        "object" => "rules with levels",
        other => panic!("no word for {other}"),
    };
    match &value["type"] {
        Value::Array(names) => names.iter().map(word).collect::<Vec<_>>().join(" or "),
        name => word(name).to_owned(),
    }
}

fn inputs() -> String {
    let action = pages::yaml(&committed("action.yml"));
    let inputs = action["inputs"].as_hash().unwrap().iter().map(|(name, input)| {
        let default = input["default"].as_str().unwrap();
        let default = if default.is_empty() { String::new() } else { format!("`{default}`") };
        let description = input["description"].as_str().unwrap().to_owned();
        vec![format!("`{}`", name.as_str().unwrap()), default, description]
    });
    table(&["input", "default", "meaning"], inputs)
}

/// A file that `init` prints.
fn snippet(name: &str) -> String {
    let language = match Path::new(name).extension().and_then(|extension| extension.to_str()) {
        Some("sh") => "sh",
        _ => "yaml",
    };
    let text = committed(&format!("src/cli/snippets/{name}")).replace("{version}", env!("CARGO_PKG_VERSION"));
    format!("```{language}\n{text}```\n")
}

/// A Markdown table. Bars in cells would end them.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}

/// The summary with one line for each rule, where the first one stands.
fn with_all_rules(summary: &str) -> String {
    let is_rule = |line: &&str| line.contains("](rules/");
    let mut result = String::new();
    let mut written = false;
    for line in summary.lines() {
        if !is_rule(&line) {
            result.push_str(&format!("{line}\n"));
        } else if !written {
            written = true;
            for rule in Rules.rules() {
                result.push_str(&format!("  - [{0}](rules/{0}.md)\n", rule.id));
            }
        }
    }
    assert!(written, "the summary holds no rule");
    result
}

#[test]
fn every_page_is_in_the_summary_once() {
    let summary = fs::read_to_string(docs().join("SUMMARY.md")).unwrap();
    let mut listed: Vec<PathBuf> =
        links::targets(&summary).iter().map(|target| docs().join(target)).collect();
    listed.sort();
    let mut there: Vec<PathBuf> = pages().into_iter().map(|page| page.path).collect();
    there.sort();
    assert_eq!(listed, there);
}

#[test]
fn links_and_anchors_lead_somewhere() {
    let mut wrong = Vec::new();
    for page in pages() {
        wrong.extend(links::broken(&page));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_broken_link_is_found() {
    let page = |text: &str| Page { path: docs().join("ci.md"), text: text.to_owned() };
    for (text, right) in [
        ("[a](faq.md)", true),
        ("[a](configuration.md#sink)", true),
        ("[a](schema/config.json)", true),
        ("[a](https://example.com/x.md)", true),
        ("# Ci page\n[a](#ci-page)", true),
        ("```text\n[a](none.md)\n```", true),
        ("`[a](none.md)`", true),
        ("[a](none.md)", false),
        ("[a](configuration.md#none)", false),
        ("[a](#none)", false),
        ("[a](../README.md)", false),
    ] {
        assert_eq!(links::broken(&page(text)).is_empty(), right, "{text}");
    }
}

#[test]
fn a_block_behind_a_marker_is_replaced_and_nothing_else() {
    let content = |name: &str| format!("<{name}>\n");
    assert_eq!(filled("a\n<!-- x -->\n\n| 1 |\n| 2 |\n\nb\n", &content), "a\n<!-- x -->\n\n<x>\n\nb\n");
    assert_eq!(filled("<!-- y z -->\n```sh\n1\n\n2\n```\nb\n", &content), "<!-- y z -->\n\n<y z>\nb\n");
    assert_eq!(filled("a\n\n| 1 |\n", &content), "a\n\n| 1 |\n");
}
