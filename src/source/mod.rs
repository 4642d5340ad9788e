//! The texts of the analysed files, and where a byte of them is.
//!
//! A file is read when somebody asks for it and then kept, so that memory holds what was loaded and not the
//! whole tree. [`Sources::scan`] reads every file once without keeping any that its caller does not want.

pub mod lexer;
mod line;
mod overlay;
mod read;
pub mod syntax;

pub use line::{LineIndex, Position, Range};
pub use overlay::Overlay;
pub use read::{ReadError, read_found, read_named, reason};

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::ir::{FileId, Span};

/// Nearly all files are smaller: a buffer of this size need not grow.
const COMMON_SIZE: usize = 256 << 10;

/// All files of the analysed tree, in the order of their [`FileId`]s.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    max_file_size: u64,
}

#[derive(Debug)]
struct SourceFile {
    /// The path that is shown: relative to the root, with `/`.
    display: String,
    /// The path that is opened.
    absolute: PathBuf,
    text: OnceLock<Result<Arc<str>, ReadError>>,
    lines: OnceLock<LineIndex>,
}

/// What the visitor of [`Sources::scan`] wants to happen with the text that it saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Keep it in memory.
    Yes,
    /// Forget it; it is read again when it is asked for.
    No,
}

impl Sources {
    /// The files with their display and absolute paths, in the order of their ids. Files larger than
    /// `max_file_size` bytes are refused when read.
    #[must_use]
    pub fn new(files: impl IntoIterator<Item = (String, PathBuf)>, max_file_size: u64) -> Sources {
        let files = files
            .into_iter()
            .map(|(display, absolute)| SourceFile {
                display,
                absolute,
                text: OnceLock::new(),
                lines: OnceLock::new(),
            })
            .collect();
        Sources { files, max_file_size }
    }

    /// The same files, with the texts that an editor has open instead of those on disk. The limit of size holds for
    /// them too.
    #[must_use]
    pub fn with_overlay(mut self, overlay: &Overlay) -> Sources {
        for file in self.files.iter_mut().filter(|_| !overlay.is_empty()) {
            if let Some(text) = overlay.text(&file.absolute) {
                file.text = OnceLock::from(read::within(text, self.max_file_size).map(Arc::from));
            }
        }
        self
    }

    /// Sources that are already in memory, for tests.
    #[must_use]
    pub fn in_memory(files: impl IntoIterator<Item = (String, String)>) -> Sources {
        let files = files
            .into_iter()
            .map(|(display, text)| SourceFile {
                absolute: PathBuf::from(&display),
                display,
                text: OnceLock::from(Ok(text.into())),
                lines: OnceLock::new(),
            })
            .collect();
        Sources { files, max_file_size: u64::MAX }
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(FileId)
    }

    /// The path of a file as it is shown, or `""` for an id of another tree.
    #[must_use]
    pub fn path(&self, file: FileId) -> &str {
        self.file(file).map_or("", |file| &file.display)
    }

    /// The path of a file on disk.
    #[must_use]
    pub fn absolute(&self, file: FileId) -> &Path {
        self.file(file).map_or(Path::new(""), |file| &file.absolute)
    }

    /// Reads every file in parallel and calls `visit` with its text. The results come in the order of the ids.
    pub fn scan<T: Send>(
        &self,
        visit: impl Fn(FileId, &str) -> (T, Keep) + Sync,
    ) -> Vec<Result<T, ReadError>> {
        self.files
            .par_iter()
            .enumerate()
            .map_init(
                || Vec::with_capacity(COMMON_SIZE),
                |buffer, (index, file)| {
                    let id = FileId(u32::try_from(index).unwrap_or(u32::MAX));
                    self.visit(file, buffer, |text| visit(id, text))
                },
            )
            .collect()
    }

    /// Calls `visit` with the text of a file that need not stay in memory.
    ///
    /// # Errors
    /// As [`load`](Sources::load).
    pub fn with_text<T>(&self, file: FileId, visit: impl FnOnce(&str) -> T) -> Result<T, ReadError> {
        let Some(file) = self.file(file) else { return Err(ReadError::unknown_file()) };
        self.visit(file, &mut Vec::new(), |text| (visit(text), Keep::No))
    }

    fn visit<T>(
        &self,
        file: &SourceFile,
        buffer: &mut Vec<u8>,
        visit: impl FnOnce(&str) -> (T, Keep),
    ) -> Result<T, ReadError> {
        if let Some(text) = file.text.get() {
            return text.as_ref().map(|text| visit(text).0).map_err(Clone::clone);
        }
        let text = match read::into_buffer(&file.absolute, self.max_file_size, buffer) {
            Ok(text) => text,
            Err(error) => {
                file.text.get_or_init(|| Err(error.clone()));
                return Err(error);
            }
        };
        let (value, keep) = visit(text);
        if keep == Keep::Yes {
            file.text.get_or_init(|| Ok(text.into()));
        }
        Ok(value)
    }

    /// The text of a file, read now if it is not in memory yet.
    ///
    /// # Errors
    /// When the file cannot be read, is too large or is not UTF-8.
    pub fn load(&self, file: FileId) -> Result<&Arc<str>, ReadError> {
        let Some(file) = self.file(file) else { return Err(ReadError::unknown_file()) };
        let text = file.text.get_or_init(|| {
            let mut buffer = Vec::new();
            read::into_buffer(&file.absolute, self.max_file_size, &mut buffer).map(Arc::from)
        });
        text.as_ref().map_err(Clone::clone)
    }

    /// The text of a file, or `""` when it cannot be read.
    #[must_use]
    pub fn text(&self, file: FileId) -> &str {
        self.load(file).map_or("", |text| text)
    }

    /// The code of a span, or `""` when the span does not lie on character boundaries of its file.
    #[must_use]
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Lines and columns of a span, counted from 1, columns in Unicode scalars.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        let text = self.text(span.file);
        let lines = self.lines(span.file);
        Range { start: lines.position(text, span.start), end: lines.position(text, span.end) }
    }

    /// The line of the first byte of a span, from 1.
    #[must_use]
    pub fn line(&self, span: Span) -> u32 {
        self.lines(span.file).line(span.start)
    }

    /// The text of a line (from 1) without its line break.
    #[must_use]
    pub fn line_text(&self, file: FileId, line: u32) -> &str {
        let range = self.line_range(file, line);
        self.text(file).get(range).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    /// The bytes of a line (from 1), its line break included.
    #[must_use]
    pub fn line_range(&self, file: FileId, line: u32) -> std::ops::Range<usize> {
        self.lines(file).bytes(line)
    }

    fn lines(&self, file: FileId) -> &LineIndex {
        static EMPTY: LineIndex = LineIndex::empty();
        self.file(file).map_or(&EMPTY, |found| found.lines.get_or_init(|| LineIndex::new(self.text(file))))
    }

    fn file(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }
}
