//! The source texts of a program, as the client names them, and places in them.

use super::protocol::{Place, Source};
use crate::input::SourceText;
use crate::ir::Program;
use crate::library;
use crate::lsp::places::{Encoding, Lines};
use crate::source::Span;
use std::path::{Path, PathBuf, absolute};

/// The numbering of lines and columns that the client uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// The number of the first line, and of the first column.
    pub line: i64,
    pub column: i64,
}

struct File {
    name: String,
    text: String,
    lines: Lines,
    /// The file on the disk; none: a text of the library.
    path: Option<PathBuf>,
}

/// All sources of a program.
pub struct SourceFiles {
    files: Vec<File>,
    numbering: Numbering,
}

impl SourceFiles {
    pub fn new(program: &Program, own: &SourceText, numbering: Numbering) -> SourceFiles {
        let of = |(number, source): (usize, &crate::source::Source)| {
            let name = source.name.to_string();
            let own = own.path().filter(|_| number == 0).map(Path::to_path_buf);
            let is_library = || library::entries().into_values().any(|entry| *entry.text == *source.text);
            let path =
                own.or_else(|| Some(PathBuf::from(&name)).filter(|path| path.is_file() && !is_library()));
            File {
                lines: Lines::new(&source.text),
                text: source.text.to_string(),
                path: path.map(|path| absolute(&path).unwrap_or(path)),
                name,
            }
        };
        SourceFiles { files: program.sources.iter().enumerate().map(of).collect(), numbering }
    }

    /// Return the source as the client is to name it.
    pub fn describe(&self, file: u32) -> Source {
        let described = &self.files[file as usize];
        let name = described.name.rsplit('/').next().map(String::from);
        match &described.path {
            Some(path) => Source { name, path: Some(path.display().to_string()), ..Source::default() },
            None => Source {
                name,
                path: Some(described.name.clone()),
                source_reference: Some(i64::from(file) + 1),
                origin: Some("library of Synod".into()),
            },
        }
    }

    pub fn all(&self) -> impl Iterator<Item = Source> + '_ {
        (0..self.files.len()).map(|file| self.describe(file as u32))
    }

    /// Return the text of a source that is not a file.
    pub fn text(&self, reference: i64) -> Option<&str> {
        let file = usize::try_from(reference.checked_sub(1)?).ok()?;
        self.files.get(file).map(|file| file.text.as_str())
    }

    /// Return the source that the client names.
    pub fn find(&self, source: &Source) -> Option<u32> {
        if let Some(reference) = source.source_reference.filter(|reference| *reference > 0) {
            let file = u32::try_from(reference - 1).ok()?;
            return (file < self.files.len() as u32).then_some(file);
        }
        let path = Path::new(source.path.as_deref()?);
        let own = absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let real = path.canonicalize().ok();
        let is = |file: &File| match &file.path {
            Some(known) => *known == own || (real.is_some() && known.canonicalize().ok() == real),
            // The language server writes files of the library out for editors, which show those.
            None => {
                let same_name = path.file_name() == Path::new(&file.name).file_name();
                same_name && std::fs::read_to_string(path).is_ok_and(|text| text == file.text)
            }
        };
        self.files.iter().position(is).map(|file| file as u32)
    }

    /// Return the place of a span: of a long one, its first line.
    pub fn place(&self, span: Span) -> Place {
        let file = &self.files[span.file as usize];
        let at = |offset: u32| file.lines.position(&file.text, offset as usize, Encoding::Utf16);
        let (start, mut end) = (at(span.start), at(span.end));
        if end.line > start.line {
            let line = self.line(span.file, start.line).range().end;
            end = file.lines.position(&file.text, line, Encoding::Utf16);
        }
        Place {
            source: Some(self.describe(span.file)),
            line: i64::from(start.line) + self.numbering.line,
            column: i64::from(start.character) + self.numbering.column,
            end_line: Some(i64::from(end.line) + self.numbering.line),
            end_column: Some(i64::from(end.character) + self.numbering.column),
        }
    }

    /// Return the number of a line, from 0, that the client means.
    pub fn line_number(&self, line: i64) -> Option<u32> {
        u32::try_from(line.checked_sub(self.numbering.line)?).ok()
    }

    /// Return the line, from 0, in which a span begins.
    pub fn line_of(&self, span: Span) -> u32 {
        let file = &self.files[span.file as usize];
        file.lines.position(&file.text, span.start as usize, Encoding::Utf16).line
    }

    /// Return the span of a line, from 0, without its line break.
    pub fn line(&self, file: u32, line: u32) -> Span {
        let known = &self.files[file as usize];
        let range = known.lines.line_range(&known.text, line as usize);
        Span::new(file, range.start, range.end)
    }
}
