//! The capabilities of client and server.

use super::places::Encoding;
use crate::ide::tokens;
use serde_json::{Value, json};

/// The properties of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    pub encoding: Encoding,
    pub snippets: bool,
    pub nested_symbols: bool,
    pub code_description: bool,
    pub refreshes_hints: bool,
    pub refreshes_tokens: bool,
    /// Whether the client has its own grammar for keywords, comments, texts and numbers.
    pub has_grammar: bool,
    pub watches_files: bool,
    /// Whether the client also starts the debugger: then it wants code lenses for it.
    pub debugs: bool,
    pub folders: Vec<std::path::PathBuf>,
}

impl Client {
    pub fn new(params: &Value) -> Client {
        let can = |pointer: &str| params.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
        let encodings = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
        let utf8 = encodings.is_some_and(|all| all.iter().any(|e| e == "utf-8"));
        let text = "/capabilities/textDocument";
        let mut folders: Vec<String> = Vec::new();
        for folder in params.pointer("/workspaceFolders").and_then(Value::as_array).into_iter().flatten() {
            folders.extend(folder.get("uri").and_then(Value::as_str).map(String::from));
        }
        if folders.is_empty() {
            folders.extend(params.get("rootUri").and_then(Value::as_str).map(String::from));
        }
        Client {
            encoding: if utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            snippets: can(&format!("{text}/completion/completionItem/snippetSupport")),
            nested_symbols: can(&format!("{text}/documentSymbol/hierarchicalDocumentSymbolSupport")),
            code_description: can(&format!("{text}/publishDiagnostics/codeDescriptionSupport")),
            refreshes_hints: can("/capabilities/workspace/inlayHint/refreshSupport"),
            refreshes_tokens: can("/capabilities/workspace/semanticTokens/refreshSupport"),
            has_grammar: can(&format!("{text}/semanticTokens/augmentsSyntaxTokens")),
            watches_files: can("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            debugs: can("/initializationOptions/debug"),
            folders: folders.iter().filter_map(|uri| super::uri::path_of(uri)).collect(),
        }
    }
}

/// Return the answer to `initialize`.
pub fn of_server(client: &Client) -> Value {
    let types: Vec<&str> = tokens::TokenType::ALL.iter().map(|(_, name)| *name).collect();
    let encoding = match client.encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
    };
    json!({
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "hoverProvider": true,
            "definitionProvider": true,
            "declarationProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "renameProvider": {"prepareProvider": true},
            "completionProvider": {"triggerCharacters": [".", " ", "("], "resolveProvider": false},
            "signatureHelpProvider": {"triggerCharacters": ["(", ","], "retriggerCharacters": [")"]},
            "semanticTokensProvider": {
                "legend": {"tokenTypes": types, "tokenModifiers": tokens::MODIFIERS},
                "full": true,
                "range": true,
            },
            "inlayHintProvider": true,
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            "codeLensProvider": {"resolveProvider": false},
            "callHierarchyProvider": true,
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        },
        "serverInfo": {"name": "synod", "version": env!("CARGO_PKG_VERSION")},
    })
}
