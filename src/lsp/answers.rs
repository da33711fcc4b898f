//! Requests beyond one text: workspace symbols and the call hierarchy.

use super::features::{symbol_kind, value};
use super::location::{Text, uri_of};
use super::places::Lines;
use super::server::{Answer, Server};
use super::transport::ResponseError;
use super::{documents, uri};
use crate::ide::Analysis;
use crate::ide::calls::{CallEdge, CallItem};
use crate::ide::symbols::{Symbol, SymbolKind};
use crate::library;
use crate::lsp::workspace::Outline;
use crate::source::Span;
use lsp_types as lsp;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The maximum number of program files in the workspace: far more than projects have.
const MAX_FILES: usize = 500;
const MAX_DEPTH: usize = 8;

/// The maximum number of symbols in an answer; the user narrows a longer list by typing on.
const MAX_SYMBOLS: usize = 500;

impl<W: Write> Server<W> {
    /// Answer with the names in open texts, in the programs of the workspace, and of the library's files.
    pub fn workspace_symbols(&mut self, params: lsp::WorkspaceSymbolParams) -> Answer {
        let query = params.query.to_lowercase();
        let mut found: Vec<Value> = Vec::new();
        let mut add = |uri: &str, outline: &Outline| {
            if found.len() < MAX_SYMBOLS && is_subsequence(&query, &outline.name.to_lowercase()) {
                found.push(json!({
                    "name": outline.name,
                    "kind": outline.kind,
                    "containerName": outline.container,
                    "location": {"uri": uri, "range": outline.range},
                }));
            }
        };
        let uris: Vec<String> = self.documents.keys().cloned().collect();
        let mut open: Vec<PathBuf> = Vec::new();
        for uri in uris {
            let text = self.text_of(&uri)?;
            open.extend(self.documents.get(&uri).and_then(|d| d.path.clone()));
            outlines(&text.analysis, &text.lines, text.encoding).iter().for_each(|o| add(&uri, o));
        }
        let encoding = self.encoding();
        for path in programs(&self.workspace.folders) {
            if open.contains(&path) {
                continue;
            }
            let changed = std::fs::metadata(&path).and_then(|m| m.modified()).ok();
            let known = self.workspace.outlines.get(&path).is_some_and(|(when, _)| *when == changed);
            if !known {
                let Some(text) = documents::read(&path) else { continue };
                // The outline does not depend on the files that the text names.
                let analysis = Analysis::new("", &text, &|_| None);
                let all = outlines(&analysis, &Lines::new(&text), encoding);
                self.workspace.outlines.insert(path.clone(), (changed, all));
            }
            let (_, all) = &self.workspace.outlines[&path];
            all.iter().for_each(|o| add(&uri::of_path(&path), o));
        }
        // An empty query lists the user's own names only.
        if !query.is_empty() {
            for entry in library::entries().into_values().filter(|e| is_subsequence(&query, e.name)) {
                let Some(uri) = uri_of(&format!("stdlib/{}", entry.path)) else { continue };
                let at = entry.text.find(entry.name).unwrap_or(0);
                let range = Lines::new(entry.text).range(entry.text, at..at, encoding);
                let kind =
                    if entry.is_problem() { lsp::SymbolKind::INTERFACE } else { lsp::SymbolKind::MODULE };
                add(&uri, &Outline { name: entry.name.into(), container: "library".into(), kind, range });
            }
        }
        Ok(Value::Array(found))
    }

    // ------------------------------------------------------------------ call hierarchy

    pub fn prepare_call_hierarchy(&mut self, params: lsp::CallHierarchyPrepareParams) -> Answer {
        let (text, offset) = self.place(&params.text_document_position_params)?;
        let Some(party) = text.analysis.party_at(offset) else { return Ok(Value::Null) };
        Ok(item(&text, &party).map_or(Value::Null, |item| json!([item])))
    }

    pub fn incoming_calls(&mut self, params: lsp::CallHierarchyIncomingCallsParams) -> Answer {
        let (text, party) = self.party(params.item.data)?;
        value(traffic(&text, &text.analysis.incoming(&party), "from"))
    }

    pub fn outgoing_calls(&mut self, params: lsp::CallHierarchyOutgoingCallsParams) -> Answer {
        let (text, party) = self.party(params.item.data)?;
        value(traffic(&text, &text.analysis.outgoing(&party), "to"))
    }

    /// Return the text in which an item was found, with the file and offset of its name.
    fn party(&mut self, data: Option<Value>) -> Result<(Text, CallItem), ResponseError> {
        let wrong = || ResponseError::new(ResponseError::INVALID_PARAMS, "the item has no data");
        let data = data.ok_or_else(wrong)?;
        let uri = data.get("uri").and_then(Value::as_str).ok_or_else(wrong)?.to_string();
        let number = |key: &str| data.get(key).and_then(Value::as_u64).map(|n| n as u32);
        let place = Span {
            file: number("file").ok_or_else(wrong)?,
            start: number("start").ok_or_else(wrong)?,
            end: number("end").ok_or_else(wrong)?,
        };
        let text = self.text_of(&uri)?;
        let party = match data.get("message").and_then(Value::as_bool) {
            Some(true) => text.analysis.names.declaration_at(place).map(CallItem::Message),
            _ => Some(CallItem::Clause(place)),
        };
        let modified = || ResponseError::new(ResponseError::CONTENT_MODIFIED, "the text has changed since");
        Ok((text, party.ok_or_else(modified)?))
    }
}

fn item(text: &Text, party: &CallItem) -> Option<Value> {
    let analysis = &text.analysis;
    let (name, kind, place, whole, detail) = match party {
        CallItem::Message(id) => {
            let decl = analysis.names.decl(*id);
            (decl.name.clone(), lsp::SymbolKind::EVENT, decl.place, decl.place, analysis.heading(decl).text)
        }
        CallItem::Clause(clause) => {
            let label = analysis.label(*clause)?;
            let head = Span { end: clause.start + 1, ..*clause };
            (label, lsp::SymbolKind::METHOD, head, *clause, String::new())
        }
    };
    let location = text.location(place)?;
    let range = text.location(whole)?.range;
    let key = if let CallItem::Clause(clause) = party { *clause } else { place };
    let is_message = matches!(party, CallItem::Message(_));
    let data =
        json!({"uri": text.uri, "file": key.file, "start": key.start, "end": key.end, "message": is_message});
    Some(json!({
        "name": name,
        "kind": kind,
        "detail": detail,
        "uri": location.uri,
        "range": range,
        "selectionRange": location.range,
        "data": data,
    }))
}

fn traffic(text: &Text, all: &[CallEdge], side: &str) -> Vec<Value> {
    let shown = all.iter().filter_map(|traffic| {
        let item = item(text, &traffic.party)?;
        let ranges: Vec<lsp::Range> =
            traffic.places.iter().filter_map(|p| text.location(*p)).map(|l| l.range).collect();
        Some(json!({(side): item, "fromRanges": ranges}))
    });
    shown.collect()
}

fn outlines(analysis: &Analysis, lines: &Lines, encoding: super::places::Encoding) -> Vec<Outline> {
    fn walk(symbols: &[Symbol], container: &str, add: &mut impl FnMut(&Symbol, &str)) {
        for symbol in symbols {
            if !matches!(symbol.kind, SymbolKind::Handler | SymbolKind::Client) {
                add(symbol, container);
            }
            walk(&symbol.children, &symbol.name, add);
        }
    }
    let symbols = analysis.symbols();
    let text = &analysis.user_file().text;
    let own = symbols.first().map_or("", |s| s.name.as_str()).to_string();
    let mut all = Vec::new();
    walk(&symbols, &own, &mut |symbol, container| {
        all.push(Outline {
            name: symbol.name.clone(),
            container: container.into(),
            kind: symbol_kind(symbol.kind),
            range: lines.range(text, symbol.place.range(), encoding),
        });
    });
    all
}

/// Return the programs in some folders, in alphabetical order, without hidden folders and build output.
fn programs(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<(PathBuf, usize)> = folders.iter().map(|f| (f.clone(), 0)).collect();
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // Symbolic links are not followed: they may form a cycle.
            let is_folder = std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_dir());
            if is_folder {
                let skipped = name.starts_with('.') || name == "target" || name == "node_modules";
                if depth < MAX_DEPTH && !skipped {
                    open.push((path, depth + 1));
                }
            } else if Path::new(&name).extension().is_some_and(|e| e == "syn") {
                found.push(path);
            }
        }
        if found.len() > MAX_FILES {
            break;
        }
    }
    found.sort();
    found.truncate(MAX_FILES);
    found
}

/// Return whether the letters of the query occur in the name, in this order.
fn is_subsequence(query: &str, name: &str) -> bool {
    let mut letters = name.chars();
    query.chars().all(|wanted| letters.any(|c| c == wanted))
}
