//! Links between pages. A page of the site can only link to what is in the site.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::pages::{Page, docs};

/// The targets of links in a text, code left out.
pub fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    prose.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// What is no code: neither in a fenced block nor between backticks.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            // Between backticks is every second piece; a link's text may be code, its target is not.
            let pieces: Vec<&str> = line.split('`').step_by(2).collect();
            prose.push_str(&pieces.join("`"));
            prose.push('\n');
        }
    }
    prose
}

/// Links of a page that lead nowhere, or out of the site by a relative path.
pub fn broken(page: &Page) -> Vec<String> {
    let wrong = |target: &String| format!("{}: {target}", page.path.display());
    targets(&page.text).iter().filter(|target| !leads_somewhere(page, target)).map(wrong).collect()
}

fn leads_somewhere(page: &Page, target: &str) -> bool {
    if target.contains("://") {
        return true;
    }
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    if file.is_empty() {
        return anchor.is_some_and(|anchor| anchors(&page.text).iter().any(|known| known == anchor));
    }
    let path = without_dots(&page.path.parent().unwrap().join(file));
    if !path.starts_with(docs()) {
        return false;
    }
    let Ok(text) = fs::read_to_string(&path) else { return false };
    anchor.is_none_or(|anchor| anchors(&text).iter().any(|known| known == anchor))
}

/// The anchors that headings get: lower case, spaces as hyphens, other signs left out.
fn anchors(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut anchors = Vec::new();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if !fenced && heading.len() < line.len() && heading.starts_with(' ') {
            anchors.push(anchor(heading.trim()));
        }
    }
    anchors
}

fn anchor(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower.chars().filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
    kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect()
}

fn without_dots(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                result.pop();
            }
            Component::CurDir => {}
            other => result.push(other),
        }
    }
    result
}
