//! Features of one text, in the form of the protocol.

use super::location::{Text, parsed};
use super::server::{Answer, Server, not_open};
use super::transport::ResponseError;
use crate::check::names::{Access, Kind};
use crate::diagnostic::Edit;
use crate::ide::completion;
use crate::ide::lenses::DEBUG;
use crate::ide::symbols::{Symbol, SymbolKind};
use crate::ide::tokens::{SemanticToken, TokenType};
use crate::source::Span;
use lsp_types as lsp;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::Write;

pub fn value(result: impl Serialize) -> Answer {
    serde_json::to_value(result)
        .map_err(|error| ResponseError::new(ResponseError::INTERNAL_ERROR, error.to_string()))
}

impl<W: Write> Server<W> {
    pub fn hover(&mut self, params: lsp::HoverParams) -> Answer {
        let (text, offset) = self.place(&params.text_document_position_params)?;
        let Some(hover) = text.analysis.hover(offset) else { return Ok(Value::Null) };
        let contents = json!({"kind": "markdown", "value": hover.markdown});
        Ok(json!({"contents": contents, "range": text.range(hover.place)}))
    }

    pub fn definition(&mut self, params: lsp::GotoDefinitionParams) -> Answer {
        let (text, offset) = self.place(&params.text_document_position_params)?;
        let places = text.analysis.definition(offset);
        let locations: Vec<lsp::Location> =
            places.into_iter().filter_map(|place| text.location(place)).collect();
        value(locations)
    }

    pub fn references(&mut self, params: lsp::ReferenceParams) -> Answer {
        let (text, offset) = self.place(&params.text_document_position)?;
        let places = text.analysis.references(offset, params.context.include_declaration);
        let locations: Vec<lsp::Location> = places.iter().filter_map(|(p, _)| text.location(*p)).collect();
        value(locations)
    }

    pub fn highlights(&mut self, params: lsp::DocumentHighlightParams) -> Answer {
        let (text, offset) = self.place(&params.text_document_position_params)?;
        let places = text.analysis.references(offset, true);
        let own = places.iter().filter(|(place, _)| place.file == 0);
        let highlights = own.map(|(place, access)| lsp::DocumentHighlight {
            range: text.range(*place),
            kind: Some(match access {
                Access::Declare | Access::Write | Access::Send => lsp::DocumentHighlightKind::WRITE,
                _ => lsp::DocumentHighlightKind::READ,
            }),
        });
        value(highlights.collect::<Vec<_>>())
    }

    pub fn document_symbols(&mut self, params: lsp::DocumentSymbolParams) -> Answer {
        let text = self.text(&params.text_document.uri)?;
        let symbols = text.analysis.symbols();
        if self.client.as_ref().is_some_and(|client| client.nested_symbols) {
            return Ok(symbols.iter().map(|symbol| nested(&text, symbol)).collect());
        }
        let mut flat = Vec::new();
        symbols.iter().for_each(|symbol| flatten(&text, symbol, None, &mut flat));
        Ok(Value::Array(flat))
    }

    pub fn completion(&mut self, params: lsp::CompletionParams) -> Answer {
        let (text, offset) = self.place(&params.text_document_position)?;
        let trigger = params.context.as_ref().and_then(|c| c.trigger_character.as_deref());
        if trigger == Some(" ") && !asks_for_more(&text.text[..offset]) {
            return Ok(json!([]));
        }
        let snippets = self.client.as_ref().is_some_and(|client| client.snippets);
        let items = text.analysis.completions(offset);
        let list: Vec<Value> =
            items.iter().enumerate().map(|(i, item)| completed(&text, item, i, snippets)).collect();
        Ok(json!({"isIncomplete": false, "items": list}))
    }

    pub fn signature_help(&mut self, params: lsp::SignatureHelpParams) -> Answer {
        let (text, offset) = self.place(&params.text_document_position_params)?;
        let Some(signature) = text.analysis.signature(offset) else { return Ok(Value::Null) };
        // The first form with enough parameters.
        let fits = |(_, params): &(String, Vec<String>)| {
            params.len() > signature.active || params.last().is_some_and(|p| p == "…")
        };
        let active = signature.ways.iter().position(fits).unwrap_or(0);
        let signatures: Vec<Value> = signature
            .ways
            .iter()
            .map(|(label, params)| {
                let params: Vec<Value> = params.iter().map(|p| json!({"label": p})).collect();
                json!({"label": label, "parameters": params, "documentation": markdown(&signature.doc)})
            })
            .collect();
        Ok(json!({"signatures": signatures, "activeSignature": active, "activeParameter": signature.active}))
    }

    pub fn semantic_tokens(&mut self, params: lsp::SemanticTokensParams) -> Answer {
        let text = self.text(&params.text_document.uri)?;
        let whole = Span::new(0, 0, text.text.len());
        Ok(json!({"data": self.tokens(&text, whole)}))
    }

    pub fn semantic_tokens_range(&mut self, params: lsp::SemanticTokensRangeParams) -> Answer {
        let text = self.text(&params.text_document.uri)?;
        let range = text.span(params.range);
        Ok(json!({"data": self.tokens(&text, range)}))
    }

    /// Return the tokens. If the client has a grammar, only those that depend on what names refer to.
    fn tokens(&self, text: &Text, range: Span) -> Vec<u32> {
        let mut tokens = text.analysis.coloured(range);
        if self.client.as_ref().is_some_and(|client| client.has_grammar) {
            tokens.retain(|token| !token.colour.is_of_words());
        }
        encoded(text, &tokens)
    }

    pub fn inlay_hints(&mut self, params: lsp::InlayHintParams) -> Answer {
        let text = self.text(&params.text_document.uri)?;
        let hints = text.analysis.hints(text.span(params.range));
        let shown = hints.iter().map(|hint| {
            let at = text.lines.position(&text.text, hint.offset as usize, text.encoding);
            json!({"position": at, "label": hint.text, "kind": 1, "paddingLeft": false, "paddingRight": false})
        });
        Ok(shown.collect())
    }

    pub fn folding_ranges(&mut self, params: lsp::FoldingRangeParams) -> Answer {
        let text = self.text(&params.text_document.uri)?;
        let folds = text.analysis.folds();
        let shown = folds.iter().map(|fold| {
            let mut range = json!({"startLine": fold.first, "endLine": fold.last});
            if fold.comment {
                range["kind"] = json!("comment");
            }
            range
        });
        Ok(shown.collect())
    }

    pub fn selection_ranges(&mut self, params: lsp::SelectionRangeParams) -> Answer {
        let text = self.text(&params.text_document.uri)?;
        let all = params.positions.iter().map(|position| {
            let spans = text.analysis.selections(text.offset(*position));
            let outer_first = spans.iter().rev();
            outer_first.fold(Value::Null, |parent, span| match parent {
                Value::Null => json!({"range": text.range(*span)}),
                parent => {
                    let mut range = json!({"range": text.range(*span)});
                    range["parent"] = parent;
                    range
                }
            })
        });
        Ok(all.collect())
    }

    pub fn code_actions(&mut self, params: lsp::CodeActionParams) -> Answer {
        let text = self.text(&params.text_document.uri)?;
        let wanted = params.context.only.as_ref();
        let is_wanted =
            |kinds: &Vec<lsp::CodeActionKind>| kinds.iter().any(|k| matches!(k.as_str(), "" | "quickfix"));
        if text.is_library || !wanted.is_none_or(is_wanted) {
            return Ok(json!([]));
        }
        let findings = self.documents.get(&text.uri).and_then(|d| d.findings.clone());
        let Some(findings) = findings else { return Ok(json!([])) };
        let actions = text.analysis.actions(&findings.diagnostics, text.span(params.range));
        let mut shown = Vec::new();
        for action in &actions {
            let diagnostic = self.diagnostic(&text.uri, action.finding)?;
            shown.push(json!({
                "title": action.fix.title,
                "kind": "quickfix",
                "diagnostics": [diagnostic],
                "isPreferred": true,
                "edit": workspace_edit(&text, &action.fix.edits),
            }));
        }
        Ok(Value::Array(shown))
    }

    pub fn code_lenses(&mut self, params: lsp::CodeLensParams) -> Answer {
        let text = self.text(&params.text_document.uri)?;
        let debugs = self.client.as_ref().is_some_and(|client| client.debugs);
        let lenses = text.analysis.lenses().into_iter().filter(|lens| debugs || lens.verb != DEBUG);
        let shown = lenses.map(|lens| {
            let start = Span { end: lens.place.start, ..lens.place };
            let mut arguments = vec![text.uri.clone()];
            arguments.extend(lens.arguments);
            let command = format!("synod.{}", lens.verb);
            json!({
                "range": text.range(start),
                "command": {"title": lens.title, "command": command, "arguments": arguments},
            })
        });
        Ok(shown.collect())
    }

    pub fn formatting(&mut self, params: lsp::DocumentFormattingParams) -> Answer {
        self.formatted(&params.text_document.uri, None)
    }

    pub fn range_formatting(&mut self, params: lsp::DocumentRangeFormattingParams) -> Answer {
        self.formatted(&params.text_document.uri, Some(params.range))
    }

    fn formatted(&mut self, uri: &lsp::Uri, part: Option<lsp::Range>) -> Answer {
        let encoding = self.encoding();
        let document = self.documents.get_mut(uri.as_str()).ok_or_else(|| not_open(uri.as_str()))?;
        let edit = document.format(part, encoding);
        let shown = |edit: Edit| json!({"range": document.range(edit.span, encoding), "newText": edit.text});
        Ok(edit.into_iter().map(shown).collect())
    }
}

pub fn shown(text: &Text, edits: &[Edit]) -> Value {
    edits.iter().map(|edit| json!({"range": text.range(edit.span), "newText": edit.text})).collect()
}

pub fn refused(why: String) -> ResponseError {
    ResponseError::new(ResponseError::REQUEST_FAILED, why)
}

pub fn writable(text: &Text) -> Result<(), ResponseError> {
    match text.is_library {
        true => Err(refused("this file belongs to the library, which is read-only".into())),
        false => Ok(()),
    }
}

/// Return the workspace edit for edits of the text itself.
pub fn workspace_edit(text: &Text, edits: &[Edit]) -> Value {
    json!({"changes": {(text.uri.clone()): shown(text, edits)}})
}

pub fn markdown(text: &str) -> Value {
    json!({"kind": "markdown", "value": text})
}

// ---------------------------------------------------------------------- completion

/// Return whether a blank after this text should trigger completion.
fn asks_for_more(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
    let word = line.rsplit(|c: char| !c.is_ascii_alphabetic() && c != ',').next().unwrap_or_default();
    let first = line.split_whitespace().next().unwrap_or_default();
    match word {
        "assumes" | "solves" | "without" | "uses" | "become" | "send" | "receive" | "transmit" | "expect"
        | "outcome" | "schedule" | "daemon" => true,
        "of" => line.ends_with("variant of"),
        "on" | "with" => first == "scenario" || line == "on" || line.trim_start() == "on",
        "to" => line.contains("send "),
        "," => matches!(first, "assumes" | "uses") || line.contains(" assumes "),
        _ => false,
    }
}

fn completed(text: &Text, item: &completion::Item, index: usize, snippets: bool) -> Value {
    use completion::ItemKind;
    let kind = match item.kind {
        ItemKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        ItemKind::Snippet => lsp::CompletionItemKind::SNIPPET,
        ItemKind::Function => lsp::CompletionItemKind::FUNCTION,
        ItemKind::Fact => lsp::CompletionItemKind::CONSTANT,
        ItemKind::Type => lsp::CompletionItemKind::CLASS,
        ItemKind::Assumption | ItemKind::Topology => lsp::CompletionItemKind::VALUE,
        ItemKind::Setting => lsp::CompletionItemKind::PROPERTY,
        ItemKind::Name(kind) => match kind {
            Kind::Algorithm | Kind::Problem | Kind::Layer => lsp::CompletionItemKind::MODULE,
            Kind::Message | Kind::Upcall => lsp::CompletionItemKind::EVENT,
            Kind::Field | Kind::RecordField | Kind::Option => lsp::CompletionItemKind::FIELD,
            Kind::Enum => lsp::CompletionItemKind::ENUM,
            Kind::Case | Kind::Choice | Kind::State => lsp::CompletionItemKind::ENUM_MEMBER,
            Kind::Record => lsp::CompletionItemKind::STRUCT,
            Kind::Const | Kind::Param => lsp::CompletionItemKind::CONSTANT,
            Kind::Function | Kind::Property | Kind::Scenario => lsp::CompletionItemKind::FUNCTION,
            Kind::Procedure | Kind::Operation | Kind::Alias => lsp::CompletionItemKind::METHOD,
            Kind::Role => lsp::CompletionItemKind::CLASS,
            _ => lsp::CompletionItemKind::VARIABLE,
        },
    };
    let is_snippet = item.insert.contains("${");
    let inserted = if is_snippet && !snippets { plain(&item.insert) } else { item.insert.clone() };
    let mut shown = json!({
        "label": item.label,
        "kind": kind,
        "sortText": format!("{index:04}"),
        "textEdit": {"range": text.range(item.replace), "newText": inserted},
        "insertTextFormat": if is_snippet && snippets { 2 } else { 1 },
    });
    if !item.detail.is_empty() {
        shown["detail"] = json!(item.detail);
    }
    if !item.doc.is_empty() {
        shown["documentation"] = markdown(&item.doc);
    }
    shown
}

/// Return a snippet with its placeholders filled in: the first of several choices.
fn plain(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some(start) = rest.find("${") {
        out.push_str(&rest[..start]);
        let inner = &rest[start + 2..];
        let end = inner.find('}').unwrap_or(inner.len());
        let hole = &inner[..end];
        if let Some((_, value)) = hole.split_once(['|', ':']) {
            out.push_str(value.trim_end_matches('|').split(',').next().unwrap_or_default());
        }
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    out + rest
}

// ---------------------------------------------------------------------- tokens

/// Encode tokens relative to the previous token, as the protocol requires. A token never spans lines.
fn encoded(text: &Text, tokens: &[SemanticToken]) -> Vec<u32> {
    let mut data = Vec::with_capacity(tokens.len() * 5);
    let (mut line, mut column) = (0, 0);
    for token in tokens {
        let range = text.range(token.place);
        if range.end.line != range.start.line {
            continue;
        }
        let kind = TokenType::ALL.iter().position(|(colour, _)| *colour == token.colour).unwrap_or(0);
        let from = if range.start.line == line { column } else { 0 };
        data.extend([
            range.start.line - line,
            range.start.character - from,
            range.end.character - range.start.character,
            kind as u32,
            token.modifiers,
        ]);
        (line, column) = (range.start.line, range.start.character);
    }
    data
}

// ---------------------------------------------------------------------- symbols

pub fn symbol_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Handler | SymbolKind::Client => lsp::SymbolKind::METHOD,
        SymbolKind::Decl(kind) => match kind {
            Kind::Algorithm => lsp::SymbolKind::MODULE,
            Kind::Problem => lsp::SymbolKind::INTERFACE,
            Kind::Message => lsp::SymbolKind::EVENT,
            Kind::Field | Kind::RecordField => lsp::SymbolKind::FIELD,
            Kind::Enum => lsp::SymbolKind::ENUM,
            Kind::Case | Kind::State => lsp::SymbolKind::ENUM_MEMBER,
            Kind::Record => lsp::SymbolKind::STRUCT,
            Kind::Const | Kind::Param => lsp::SymbolKind::CONSTANT,
            Kind::Function => lsp::SymbolKind::FUNCTION,
            Kind::Procedure | Kind::Operation => lsp::SymbolKind::METHOD,
            Kind::Role => lsp::SymbolKind::CLASS,
            Kind::Layer => lsp::SymbolKind::NAMESPACE,
            Kind::Property => lsp::SymbolKind::BOOLEAN,
            Kind::Scenario => lsp::SymbolKind::OBJECT,
            _ => lsp::SymbolKind::VARIABLE,
        },
    }
}

fn nested(text: &Text, symbol: &Symbol) -> Value {
    let children: Vec<Value> = symbol.children.iter().map(|child| nested(text, child)).collect();
    let mut shown = json!({
        "name": symbol.name,
        "kind": symbol_kind(symbol.kind),
        "range": text.range(symbol.whole),
        "selectionRange": text.range(symbol.place),
        "children": children,
    });
    if !symbol.detail.is_empty() {
        shown["detail"] = json!(symbol.detail);
    }
    shown
}

fn flatten(text: &Text, symbol: &Symbol, container: Option<&str>, flat: &mut Vec<Value>) {
    if let Some(uri) = parsed(&text.uri) {
        let mut shown = json!({
            "name": symbol.name,
            "kind": symbol_kind(symbol.kind),
            "location": {"uri": uri, "range": text.range(symbol.whole)},
        });
        if let Some(container) = container {
            shown["containerName"] = json!(container);
        }
        flat.push(shown);
    }
    symbol.children.iter().for_each(|child| flatten(text, child, Some(&symbol.name), flat));
}
