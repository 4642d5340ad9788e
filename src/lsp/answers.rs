//! Answers to requests about findings: hovers and code actions.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, DocumentChanges,
    Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use super::present::{Action, Finding};
use super::session::Session;

/// What the findings at a place say, with the pages of their rules.
pub(super) fn hover(session: &Session, params: &HoverParams) -> Option<Hover> {
    let place = &params.text_document_position_params;
    let at = Range { start: place.position, end: place.position };
    let found = session.found_in(&place.text_document.uri)?;
    let findings: Vec<&Finding> = found
        .findings
        .iter()
        .filter(|one| touches(one.diagnostic.range, at) && !one.page.is_empty())
        .collect();
    let mut parts: Vec<&str> = findings.iter().map(|one| one.explanation.trim_end()).collect();
    for finding in &findings {
        if !parts.contains(&finding.page.trim_end()) {
            parts.push(finding.page.trim_end());
        }
    }
    let kind = if session.features.markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let contents = HoverContents::Markup(MarkupContent { kind, value: parts.join("\n\n---\n\n") });
    Some(Hover { contents, range: Some(findings.first()?.diagnostic.range) })
}

/// What may be done about the findings in a range. Findings of another version of the text are left out: an edit
/// would go to the wrong place.
pub(super) fn actions(session: &Session, params: &CodeActionParams) -> CodeActionResponse {
    if !wanted(params.context.only.as_deref()) {
        return Vec::new();
    }
    let findings = session.found_in(&params.text_document.uri).map(|found| found.findings.as_slice());
    let touched =
        findings.unwrap_or_default().iter().filter(|one| touches(one.diagnostic.range, params.range));
    let actions = touched.flat_map(|finding| finding.actions.iter().map(move |action| (finding, action)));
    let answers = actions.filter_map(|(finding, action)| {
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![finding.diagnostic.clone()]),
            edit: Some(edit(session, action)?),
            is_preferred: action.preferred.then_some(true),
            ..CodeAction::default()
        }))
    });
    answers.collect()
}

/// Whether quick fixes are among the kinds that are asked for.
fn wanted(only: Option<&[CodeActionKind]>) -> bool {
    let includes = |kind: &CodeActionKind| matches!(kind.as_str(), "" | "quickfix");
    only.is_none_or(|kinds| kinds.iter().any(includes))
}

/// A cursor touches a range also at its end.
fn touches(range: Range, with: Range) -> bool {
    let before = |left: Position, right: Position| left <= right;
    before(range.start, with.end) && before(with.start, range.end)
}

fn edit(session: &Session, action: &Action) -> Option<WorkspaceEdit> {
    let mut files = Vec::new();
    for (path, edits) in &action.edits {
        let (version, current) = session.version(path);
        if !current {
            return None;
        }
        files.push((session.uri(path)?, version, edits.clone()));
    }
    Some(match session.features.versioned_edits {
        true => WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(files.into_iter().map(versioned).collect())),
            ..WorkspaceEdit::default()
        },
        false => WorkspaceEdit {
            changes: Some(files.into_iter().map(|(uri, _, edits)| (uri, edits)).collect::<HashMap<_, _>>()),
            ..WorkspaceEdit::default()
        },
    })
}

fn versioned((uri, version, edits): (Uri, Option<i32>, Vec<TextEdit>)) -> TextDocumentEdit {
    TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    }
}
