//! Renaming across files: in the current text, in the text that declares the name, and in other files of its folder that refer to
//! it.

use super::documents::{self, Document};
use super::features::{refused, shown, writable};
use super::location::Text;
use super::server::{Answer, Server};
use super::uri;
use crate::ide::Analysis;
use crate::source::Span;
use lsp_types as lsp;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

impl<W: Write> Server<W> {
    pub fn prepare_rename(&mut self, params: lsp::TextDocumentPositionParams) -> Answer {
        let (text, offset) = self.place(&params)?;
        writable(&text)?;
        let place = match self.declaring(&text, offset) {
            Some((declaring, there)) => {
                declaring.analysis.renamable(there).map_err(refused)?;
                text.analysis
                    .user_file()
                    .word_at(offset)
                    .map_or(Span::new(0, offset, offset), |(_, word)| Span::new(0, word.start, word.end))
            }
            None => text.analysis.renamable(offset).map_err(refused)?,
        };
        Ok(json!({"range": text.range(place), "placeholder": text.analysis.slice(place)}))
    }

    pub fn rename(&mut self, params: lsp::RenameParams) -> Answer {
        let (text, offset) = self.place(&params.text_document_position)?;
        writable(&text)?;
        let new = &params.new_name;
        let (text, offset) = self.declaring(&text, offset).unwrap_or((text, offset));
        let edits = text.analysis.rename(offset, new).map_err(refused)?;
        let old =
            text.analysis.user_file().word_at(offset).map_or(String::new(), |(word, _)| word.to_string());
        let mut changes = Map::new();
        changes.insert(text.uri.clone(), shown(&text, &edits));
        let beside = if edits.is_empty() { BTreeSet::new() } else { self.beside(&text) };
        for path in beside {
            let Some(other) = self.text_at(&path).filter(|other| other.text.contains(&old)) else { continue };
            let edits = text.analysis.rename_in_other_file(offset, new, &other.analysis).map_err(refused)?;
            if !edits.is_empty() {
                changes.insert(other.uri.clone(), shown(&other, &edits));
            }
        }
        Ok(json!({"changes": Value::Object(changes)}))
    }

    /// Return the writable text that declares the name at an offset of another text, and the offset of the declaration.
    fn declaring(&mut self, text: &Text, offset: usize) -> Option<(Text, usize)> {
        let (name, there) = text.analysis.declaration_in_other_file(offset)?;
        Some((self.text_at(Path::new(name))?, there))
    }

    /// Return the other programs in the folder of a text, in alphabetical order.
    fn beside(&self, text: &Text) -> BTreeSet<PathBuf> {
        let Some(own) = uri::path_of(&text.uri) else { return BTreeSet::new() };
        let Some(folder) = own.parent() else { return BTreeSet::new() };
        let on_disk = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let open = self.documents.values().filter_map(|document| document.path.clone());
        let is_program = |path: &PathBuf| path.extension().is_some_and(|e| e == "syn");
        let all = on_disk.chain(open.filter(|path| path.parent() == Some(folder)));
        all.filter(|path| is_program(path) && *path != own).collect()
    }

    /// Return a file as open in the editor, or else from disk.
    fn text_at(&mut self, path: &Path) -> Option<Text> {
        let open = self.documents.values().find(|document| document.path.as_deref() == Some(path));
        if let Some(uri) = open.map(|document| document.uri.clone()) {
            return self.text_of(&uri).ok();
        }
        let mut document = Document::new(&uri::of_path(path), 0, &documents::read(path)?);
        let around = self.project_context_of(&document);
        let read = document.read();
        let analysis = Analysis::of(&document.name, read, &|name| around.find(name));
        Some(Text {
            uri: document.uri,
            text: document.text,
            lines: document.lines,
            analysis: Rc::new(analysis),
            encoding: self.encoding(),
            is_library: false,
        })
    }
}
