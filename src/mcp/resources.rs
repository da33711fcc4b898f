//! The resources: documents and the library, all embedded.

use super::message::{Answer, ProtocolError};
use crate::{glossary, library};
use serde_json::{Value, json};

struct Document {
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    mime: &'static str,
    text: &'static str,
}

const MARKDOWN: &str = "text/markdown";

const DOCUMENTS: &[Document] = &[
    Document {
        uri: "synod://llms",
        name: "llms",
        title: "The language in short",
        description: "Clauses, statements, models and properties with twelve verified examples, and frequent mistakes. Read it before you write a program.",
        mime: MARKDOWN,
        text: include_str!("../../docs/llms.txt"),
    },
    Document {
        uri: "synod://reference",
        name: "reference",
        title: "Language reference",
        description: "The Synod language: every construct, with examples.",
        mime: MARKDOWN,
        text: include_str!("../../grammar/README.md"),
    },
    Document {
        uri: "synod://tutorial",
        name: "tutorial",
        title: "Tutorial",
        description: "An election, from the first line to its verification and measurement.",
        mime: MARKDOWN,
        text: include_str!("../../docs/tutorial.md"),
    },
    Document {
        uri: "synod://glossary",
        name: "glossary",
        title: "Glossary",
        description: "Synod's words and the terms of the field.",
        mime: MARKDOWN,
        text: glossary::TEXT,
    },
];

/// The prefix of the files of the library.
const LIBRARY: &str = "synod://library/";

/// Return the answer to `resources/list`.
pub fn list() -> Value {
    let describe = |document: &Document| {
        json!({
            "uri": document.uri,
            "name": document.name,
            "title": document.title,
            "description": document.description,
            "mimeType": document.mime,
            "size": document.text.len(),
        })
    };
    json!({"resources": DOCUMENTS.iter().map(describe).collect::<Vec<Value>>()})
}

/// Return the answer to `resources/templates/list`.
pub fn templates() -> Value {
    json!({"resourceTemplates": [{
        "uriTemplate": format!("{LIBRARY}{{name}}"),
        "name": "library",
        "title": "Library file",
        "description": "An algorithm or a problem of the library, such as chang_roberts. The tool `library` finds names.",
        "mimeType": "text/plain",
    }]})
}

/// Return the answer to `resources/read`.
pub fn read(uri: &str) -> Answer {
    let found = match uri.strip_prefix(LIBRARY) {
        Some(name) => library::find(name).map(|entry| ("text/plain", entry.text)),
        None => DOCUMENTS.iter().find(|document| document.uri == uri).map(|found| (found.mime, found.text)),
    };
    match found {
        Some((mime, text)) => Ok(json!({"contents": [{"uri": uri, "mimeType": mime, "text": text}]})),
        None => Err(ProtocolError::unknown_resource(uri)),
    }
}
