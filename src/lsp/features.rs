//! What the client can do, and what is offered to it.

use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
    HoverProviderCapability, InitializeResult, MarkupKind, OneOf, PositionEncodingKind, ServerCapabilities,
    ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use super::position::Encoding;

/// What the client can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    /// The unit of columns.
    pub encoding: Encoding,
    /// Diagnostics may name places in other files.
    pub related_information: bool,
    /// A hover may be Markdown.
    pub markdown: bool,
    /// An edit may say which version of a text it is for.
    pub versioned_edits: bool,
    /// Progress may be shown.
    pub progress: bool,
    /// The client can watch files.
    pub watched_files: bool,
}

impl Features {
    pub(super) fn of(client: &ClientCapabilities) -> Features {
        let encodings = client.general.as_ref().and_then(|general| general.position_encodings.as_ref());
        let utf8 = encodings.is_some_and(|offered| offered.contains(&PositionEncodingKind::UTF8));
        let text = client.text_document.as_ref();
        let workspace = client.workspace.as_ref();
        let hover = text.and_then(|text| text.hover.as_ref()?.content_format.as_ref());
        Features {
            encoding: if utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            related_information: text
                .and_then(|text| text.publish_diagnostics.as_ref()?.related_information)
                .unwrap_or(false),
            markdown: hover.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            versioned_edits: workspace
                .and_then(|workspace| workspace.workspace_edit.as_ref()?.document_changes)
                .unwrap_or(false),
            progress: client.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or(false),
            watched_files: workspace
                .and_then(|workspace| workspace.did_change_watched_files.as_ref()?.dynamic_registration)
                .unwrap_or(false),
        }
    }

    /// The answer to `initialize`.
    pub(super) fn answer(self) -> InitializeResult {
        let server_info =
            ServerInfo { name: "samekey".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
        InitializeResult { capabilities: self.offered(), server_info: Some(server_info) }
    }

    fn offered(self) -> ServerCapabilities {
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        };
        let actions = CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        };
        let folders = WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        };
        ServerCapabilities {
            position_encoding: Some(match self.encoding {
                Encoding::Utf8 => PositionEncodingKind::UTF8,
                Encoding::Utf16 => PositionEncodingKind::UTF16,
            }),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
            workspace: Some(WorkspaceServerCapabilities {
                workspace_folders: Some(folders),
                file_operations: None,
            }),
            ..ServerCapabilities::default()
        }
    }
}
