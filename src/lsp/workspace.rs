//! The folders of the workspace.

use lsp_types as lsp;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

/// The open folders, and the outlines of the programs in them.
#[derive(Default)]
pub struct Workspace {
    pub folders: Vec<PathBuf>,
    pub outlines: BTreeMap<PathBuf, (Option<SystemTime>, Vec<Outline>)>,
}

/// A symbol of the workspace, with its place.
#[derive(Clone, Debug)]
pub struct Outline {
    pub name: String,
    pub container: String,
    pub kind: lsp::SymbolKind,
    pub range: lsp::Range,
}
