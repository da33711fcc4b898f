//! The answering thread: it handles one message at a time. A request that fails is answered with an error, and the session
//! continues.

use super::capabilities::{self, Client};
use super::checker::{CheckJob, CheckResult, CheckerHandle};
use super::documents::{Document, Findings, ProjectContext};
use super::places::Encoding;
use super::transport::{self, ResponseError};
use super::{Event, SessionEnd};
use crate::ide::Analysis;
use lsp_types as lsp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

pub type Answer = Result<Value, ResponseError>;

/// A request that waits for the result of `check`.
struct Waiting {
    id: Value,
    uri: String,
    method: String,
    params: Value,
}

pub struct Server<W> {
    output: W,
    /// The client; `None` before `initialize`.
    pub client: Option<Client>,
    pub documents: BTreeMap<String, Document>,
    checking: CheckerHandle,
    queue: VecDeque<Event>,
    waiting: Vec<Waiting>,
    /// Texts that have changed since their last check.
    unchecked: BTreeSet<String>,
    shutdown: bool,
    /// Whether the client no longer reads.
    gone: bool,
    checks: u64,
    requests: u64,
    pub workspace: super::workspace::Workspace,
}

/// Requests whose answers contain types or diagnostics.
const NEED_CHECK: &[&str] = &["textDocument/inlayHint", "textDocument/codeAction"];

/// Requests that clients repeat after each change: answers for an outdated text would be discarded.
const REPEATED: &[&str] = &[
    "textDocument/inlayHint",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/foldingRange",
    "textDocument/documentSymbol",
    "textDocument/documentHighlight",
];

impl<W: Write> Server<W> {
    pub fn new(output: W, checking: CheckerHandle) -> Server<W> {
        Server {
            output,
            client: None,
            documents: BTreeMap::new(),
            checking,
            queue: VecDeque::new(),
            waiting: Vec::new(),
            unchecked: BTreeSet::new(),
            shutdown: false,
            gone: false,
            checks: 0,
            requests: 0,
            workspace: super::workspace::Workspace::default(),
        }
    }

    pub fn run(mut self, events: &Receiver<Event>) -> SessionEnd {
        let ended = self.serve(events);
        self.refuse_all();
        ended
    }

    fn serve(&mut self, events: &Receiver<Event>) -> SessionEnd {
        loop {
            let event = match self.queue.pop_front() {
                Some(event) => event,
                None => match events.recv() {
                    Ok(event) => event,
                    Err(_) => return SessionEnd::Disconnected,
                },
            };
            // Messages received meanwhile may cancel this one, or make it outdated.
            self.queue.extend(events.try_iter());
            match event {
                Event::Message(message) => {
                    if let Some(ended) = self.message(message) {
                        return ended;
                    }
                }
                Event::Malformed(why) => {
                    let refusal =
                        ResponseError::new(ResponseError::PARSE_ERROR, format!("malformed message: {why}"));
                    self.send(&transport::response(&Value::Null, Err(refusal)));
                }
                Event::Checked(found) => self.checked(*found),
                Event::End => return SessionEnd::Disconnected,
            }
            self.check_changed();
            if self.gone {
                return SessionEnd::Disconnected;
            }
        }
    }

    /// Check every text that has changed and that no waiting message changes further: diagnostics of a version in between would
    /// never be seen. A waiting message may turn out to be invalid, so this runs after each message.
    fn check_changed(&mut self) {
        let is_changed_later = |uri: &String| self.queue.iter().any(|event| changes(event, Some(uri)));
        let (later, now): (BTreeSet<String>, BTreeSet<String>) =
            std::mem::take(&mut self.unchecked).into_iter().partition(is_changed_later);
        self.unchecked = later;
        for uri in now {
            let checked = catch_unwind(AssertUnwindSafe(|| self.changed(&uri)));
            // The panic has been logged. There will be no diagnostics, so requests that wait for them are rejected.
            if checked.is_err() {
                self.refuse_waiting(
                    &uri,
                    ResponseError::INTERNAL_ERROR,
                    "a bug in Synod: the text cannot be checked",
                );
            }
        }
    }

    /// End the session: every open request is answered with an error.
    fn refuse_all(&mut self) {
        let mut open: Vec<Value> = self.waiting.drain(..).map(|waiting| waiting.id).collect();
        let queued = self.queue.drain(..).filter_map(|event| match event {
            Event::Message(message) if message.get("method").is_some() => message.get("id").cloned(),
            _ => None,
        });
        open.extend(queued);
        for id in open {
            let refusal = ResponseError::new(ResponseError::REQUEST_FAILED, "the session has ended");
            self.send(&transport::response(&id, Err(refusal)));
        }
    }

    fn send(&mut self, message: &Value) {
        self.gone |= transport::write(&mut self.output, message).is_err();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Send a request to the client; its answer is ignored.
    fn ask(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let id = format!("synod-{}", self.requests);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    pub fn encoding(&self) -> Encoding {
        self.client.as_ref().map_or(Encoding::Utf16, |client| client.encoding)
    }

    // ------------------------------------------------------------------ messages

    fn message(&mut self, mut message: Value) -> Option<SessionEnd> {
        let id = message.get("id").cloned();
        let method = message.get("method").and_then(Value::as_str).map(String::from);
        let params = message.get_mut("params").map(Value::take).unwrap_or(Value::Null);
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        match (method, id) {
            (Some(method), None) => return self.notification(&method, params),
            (Some(method), Some(id)) if id.is_string() || id.is_number() => self.request(id, &method, params),
            (None, Some(_)) if is_answer => {}
            (_, id) => {
                let refusal = ResponseError::new(
                    ResponseError::INVALID_REQUEST,
                    "the message is neither a request nor a notification",
                );
                let id = id.filter(|id| id.is_string() || id.is_number()).unwrap_or(Value::Null);
                self.send(&transport::response(&id, Err(refusal)));
            }
        }
        None
    }

    fn request(&mut self, id: Value, method: &str, params: Value) {
        if let Some(answer) = self.lifecycle_answer(&id, method, &params) {
            return self.send(&transport::response(&id, answer));
        }
        let uri = document_uri(&params);
        let unchecked = |d: &Document| d.findings.is_none();
        if NEED_CHECK.contains(&method)
            && let Some(uri) = uri
            && self.documents.get(&uri).is_some_and(unchecked)
        {
            self.waiting.push(Waiting { id, uri, method: method.into(), params });
            return;
        }
        let answer = self.answer(method, params);
        self.send(&transport::response(&id, answer));
    }

    /// Handle a message that needs no text: lifecycle requests, and requests that are cancelled or outdated.
    fn lifecycle_answer(&mut self, id: &Value, method: &str, params: &Value) -> Option<Answer> {
        if method == "initialize" {
            if self.client.is_some() {
                return Some(Err(ResponseError::new(
                    ResponseError::INVALID_REQUEST,
                    "the server is already initialized",
                )));
            }
            let client = Client::new(params);
            let answer = capabilities::of_server(&client);
            self.workspace.folders = client.folders.clone();
            self.client = Some(client);
            return Some(Ok(answer));
        }
        if self.client.is_none() {
            return Some(Err(ResponseError::new(
                ResponseError::NOT_INITIALIZED,
                "the first request must be `initialize`",
            )));
        }
        if self.shutdown {
            return Some(Err(ResponseError::new(
                ResponseError::INVALID_REQUEST,
                "the server has been shut down",
            )));
        }
        if method == "shutdown" {
            self.shutdown = true;
            return Some(Ok(Value::Null));
        }
        if self.queue.iter().any(|event| cancels(event, id)) {
            return Some(Err(ResponseError::new(ResponseError::CANCELLED, "cancelled")));
        }
        let uri = document_uri(params);
        if REPEATED.contains(&method) && self.queue.iter().any(|event| changes(event, uri.as_deref())) {
            return Some(Err(ResponseError::new(
                ResponseError::CONTENT_MODIFIED,
                "the text has changed since",
            )));
        }
        None
    }

    /// Answer a request. A panic is a bug in the server, but must not end the session; it has been logged.
    fn answer(&mut self, method: &str, params: Value) -> Answer {
        let answered = catch_unwind(AssertUnwindSafe(|| self.dispatch(method, params)));
        answered.unwrap_or_else(|_| {
            Err(ResponseError::new(
                ResponseError::INTERNAL_ERROR,
                format!("a bug in Synod: `{method}` panicked"),
            ))
        })
    }

    fn dispatch(&mut self, method: &str, params: Value) -> Answer {
        match method {
            "textDocument/hover" => self.hover(read(params)?),
            "textDocument/definition" | "textDocument/declaration" => self.definition(read(params)?),
            "textDocument/references" => self.references(read(params)?),
            "textDocument/documentHighlight" => self.highlights(read(params)?),
            "textDocument/prepareRename" => self.prepare_rename(read(params)?),
            "textDocument/rename" => self.rename(read(params)?),
            "textDocument/documentSymbol" => self.document_symbols(read(params)?),
            "workspace/symbol" => self.workspace_symbols(read(params)?),
            "textDocument/completion" => self.completion(read(params)?),
            "textDocument/signatureHelp" => self.signature_help(read(params)?),
            "textDocument/semanticTokens/full" => self.semantic_tokens(read(params)?),
            "textDocument/semanticTokens/range" => self.semantic_tokens_range(read(params)?),
            "textDocument/inlayHint" => self.inlay_hints(read(params)?),
            "textDocument/foldingRange" => self.folding_ranges(read(params)?),
            "textDocument/selectionRange" => self.selection_ranges(read(params)?),
            "textDocument/codeAction" => self.code_actions(read(params)?),
            "textDocument/codeLens" => self.code_lenses(read(params)?),
            "textDocument/prepareCallHierarchy" => self.prepare_call_hierarchy(read(params)?),
            "callHierarchy/incomingCalls" => self.incoming_calls(read(params)?),
            "callHierarchy/outgoingCalls" => self.outgoing_calls(read(params)?),
            "textDocument/formatting" => self.formatting(read(params)?),
            "textDocument/rangeFormatting" => self.range_formatting(read(params)?),
            _ => {
                Err(ResponseError::new(ResponseError::METHOD_NOT_FOUND, format!("unknown method `{method}`")))
            }
        }
    }

    fn notification(&mut self, method: &str, params: Value) -> Option<SessionEnd> {
        if method == "exit" {
            return Some(if self.shutdown { SessionEnd::Shutdown } else { SessionEnd::Disconnected });
        }
        if self.client.is_none() || self.shutdown {
            return None;
        }
        let done = catch_unwind(AssertUnwindSafe(|| self.notified(method, params)));
        if let Ok(Err(refusal)) = done {
            eprintln!("synod lsp: {method}: {}", refusal.message);
        }
        None
    }

    fn notified(&mut self, method: &str, params: Value) -> Result<(), ResponseError> {
        match method {
            "initialized" => self.watch_files(),
            "textDocument/didOpen" => {
                let lsp::DidOpenTextDocumentParams { text_document: opened } = read(params)?;
                let uri = opened.uri.as_str().to_string();
                self.refuse_outdated(&uri);
                let document = Document::new(&uri, opened.version, &opened.text);
                self.documents.insert(uri.clone(), document);
                self.unchecked.insert(uri);
            }
            "textDocument/didChange" => {
                let change: lsp::DidChangeTextDocumentParams = read(params)?;
                let uri = change.text_document.uri.as_str().to_string();
                let encoding = self.encoding();
                let Some(document) = self.documents.get_mut(&uri) else { return Err(not_open(&uri)) };
                document.change(change.text_document.version, change.content_changes, encoding);
                self.refuse_outdated(&uri);
                self.unchecked.insert(uri);
            }
            "textDocument/didClose" => {
                let closed: lsp::DidCloseTextDocumentParams = read(params)?;
                let uri = closed.text_document.uri.as_str().to_string();
                self.refuse_outdated(&uri);
                let Some(document) = self.documents.remove(&uri) else { return Err(not_open(&uri)) };
                self.notify("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
                // Other texts now see the file on disk again.
                self.recheck_folder(&document);
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.recheck_all(),
            "workspace/didChangeWorkspaceFolders" => {
                let change: lsp::DidChangeWorkspaceFoldersParams = read(params)?;
                let path = |f: &lsp::WorkspaceFolder| super::uri::path_of(f.uri.as_str());
                let removed: Vec<PathBuf> = change.event.removed.iter().filter_map(path).collect();
                self.workspace.folders.retain(|folder| !removed.contains(folder));
                self.workspace.folders.extend(change.event.added.iter().filter_map(path));
            }
            "$/cancelRequest" => {
                let id = params.get("id").cloned().unwrap_or(Value::Null);
                if let Some(at) = self.waiting.iter().position(|w| w.id == id) {
                    let waiting = self.waiting.remove(at);
                    let refusal = ResponseError::new(ResponseError::CANCELLED, "cancelled");
                    self.send(&transport::response(&waiting.id, Err(refusal)));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn watch_files(&mut self) {
        if !self.client.as_ref().is_some_and(|client| client.watches_files) {
            return;
        }
        let options = json!({"watchers": [{"globPattern": "**/*.syn"}]});
        let registration = json!({"id": "synod-files", "method": "workspace/didChangeWatchedFiles", "registerOptions": options});
        self.ask("client/registerCapability", json!({"registrations": [registration]}));
    }

    /// Reject requests about a text that has changed since.
    fn refuse_outdated(&mut self, uri: &str) {
        self.refuse_waiting(uri, ResponseError::CONTENT_MODIFIED, "the text has changed since");
    }

    /// Reject the requests that wait for the check of a text.
    fn refuse_waiting(&mut self, uri: &str, code: i32, why: &str) {
        let (old, kept): (Vec<Waiting>, Vec<Waiting>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|w| w.uri == uri);
        self.waiting = kept;
        for waiting in old {
            self.send(&transport::response(&waiting.id, Err(ResponseError::new(code, why))));
        }
    }

    // ------------------------------------------------------------------ texts and diagnostics

    /// Check a new text, and the texts that may refer to it.
    fn changed(&mut self, uri: &str) {
        self.check(uri);
        if let Some(document) = self.documents.get(uri) {
            let (path, name) = (document.path.clone(), document.name.clone());
            self.recheck(|other| other.uri != uri && is_beside(other, path.as_deref(), &name));
        }
    }

    fn recheck_folder(&mut self, document: &Document) {
        let (path, name) = (document.path.clone(), document.name.clone());
        self.recheck(|other| is_beside(other, path.as_deref(), &name));
    }

    fn recheck_all(&mut self) {
        self.recheck(|_| true);
    }

    fn recheck(&mut self, which: impl Fn(&Document) -> bool) {
        let uris: Vec<String> = self.documents.values().filter(|d| which(d)).map(|d| d.uri.clone()).collect();
        for uri in uris {
            if let Some(document) = self.documents.get_mut(&uri) {
                document.discard_results();
            }
            self.check(&uri);
        }
    }

    fn check(&mut self, uri: &str) {
        self.checks += 1;
        let number = self.checks;
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.check = number;
        let (name, read) = (document.name.clone(), document.read());
        let Some(around) = self.surroundings(uri) else { return };
        self.checking.add(CheckJob { uri: uri.into(), number, name, read, around });
    }

    fn surroundings(&self, uri: &str) -> Option<ProjectContext> {
        Some(self.project_context_of(self.documents.get(uri)?))
    }

    /// Return the context of a text, which need not be open.
    pub fn project_context_of(&self, document: &Document) -> ProjectContext {
        let open = self.documents.values().filter_map(|d| Some((d.path.clone()?, d.text.clone())));
        ProjectContext::new(document, open.collect())
    }

    /// Return the analysis of the current version of the text.
    pub fn analysis(&mut self, uri: &str) -> Result<Rc<Analysis>, ResponseError> {
        let document = self.documents.get(uri).ok_or_else(|| not_open(uri))?;
        if let Some(known) = &document.analysis {
            return Ok(known.clone());
        }
        let around = self.surroundings(uri).unwrap_or_default();
        let document = self.documents.get_mut(uri).ok_or_else(|| not_open(uri))?;
        let read = document.read();
        let mut analysis = Analysis::of(&document.name, read, &|name| around.find(name));
        analysis.types = document.findings.as_ref().map(|findings| findings.types.clone());
        let analysis = Rc::new(analysis);
        document.analysis = Some(analysis.clone());
        Ok(analysis)
    }

    fn checked(&mut self, found: CheckResult) {
        let Some(document) = self.documents.get_mut(&found.uri) else { return };
        if document.check != found.number {
            return;
        }
        let (diagnostics, sources, types) = match found.checked {
            Some((checked, types)) => (checked.diagnostics, checked.sources, types),
            None => Default::default(),
        };
        let types = Arc::new(types);
        if let Some(analysis) = document.analysis.as_mut().and_then(Rc::get_mut) {
            analysis.types = Some(types.clone());
        } else {
            document.analysis = None;
        }
        document.findings = Some(Rc::new(Findings { diagnostics, sources, types }));
        let published = catch_unwind(AssertUnwindSafe(|| self.published(&found.uri)));
        if let Ok(Ok(params)) = published {
            self.notify("textDocument/publishDiagnostics", params);
        }
        if self.client.as_ref().is_some_and(|client| client.refreshes_hints) {
            self.ask("workspace/inlayHint/refresh", Value::Null);
        }
        let (ready, kept): (Vec<Waiting>, Vec<Waiting>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|w| w.uri == found.uri);
        self.waiting = kept;
        for waiting in ready {
            let answer = self.answer(&waiting.method, waiting.params);
            self.send(&transport::response(&waiting.id, answer));
        }
    }
}

/// Return whether a text is in the folder of this path, or names this file.
fn is_beside(document: &Document, path: Option<&std::path::Path>, name: &str) -> bool {
    let folder = |p: &std::path::Path| p.parent().map(std::path::Path::to_path_buf);
    let same =
        document.path.as_deref().and_then(folder).zip(path.and_then(folder)).is_some_and(|(a, b)| a == b);
    let names = |analysis: &Rc<Analysis>| analysis.files.iter().any(|f| f.name == name);
    !document.is_library() && (same || document.analysis.as_ref().is_some_and(names))
}

pub fn not_open(uri: &str) -> ResponseError {
    ResponseError::new(ResponseError::INVALID_PARAMS, format!("{uri} is not open"))
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, ResponseError> {
    serde_json::from_value(params)
        .map_err(|error| ResponseError::new(ResponseError::INVALID_PARAMS, error.to_string()))
}

fn document_uri(params: &Value) -> Option<String> {
    params.pointer("/textDocument/uri").and_then(Value::as_str).map(String::from)
}

/// Return whether a waiting message cancels this request.
fn cancels(event: &Event, id: &Value) -> bool {
    let Event::Message(message) = event else { return false };
    message.get("method").is_some_and(|m| m == "$/cancelRequest") && message.pointer("/params/id") == Some(id)
}

/// Return whether a waiting message changes this text.
fn changes(event: &Event, uri: Option<&str>) -> bool {
    let Event::Message(message) = event else { return false };
    let changed = message.pointer("/params/textDocument/uri").and_then(Value::as_str);
    message.get("method").is_some_and(|m| m == "textDocument/didChange") && uri.is_some() && changed == uri
}
