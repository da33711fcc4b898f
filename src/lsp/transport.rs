//! Answers of the language server protocol, in the shared wire format.

pub use crate::framing::write;

use super::Event;
use crate::framing::{Frame, read as read_frame};
use serde_json::{Value, json};
use std::io::BufRead;

/// Read the next message.
pub fn read(input: &mut impl BufRead) -> Event {
    match read_frame(input) {
        Frame::Message(message) => Event::Message(message),
        Frame::Malformed(why) => Event::Malformed(why),
        Frame::End => Event::End,
    }
}

/// The error of a rejected request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseError {
    pub code: i32,
    pub message: String,
}

impl ResponseError {
    pub const PARSE_ERROR: i32 = -32700;
    pub const INVALID_REQUEST: i32 = -32600;
    pub const METHOD_NOT_FOUND: i32 = -32601;
    pub const INVALID_PARAMS: i32 = -32602;
    pub const INTERNAL_ERROR: i32 = -32603;
    pub const NOT_INITIALIZED: i32 = -32002;
    pub const REQUEST_FAILED: i32 = -32803;
    pub const CANCELLED: i32 = -32800;
    pub const CONTENT_MODIFIED: i32 = -32801;

    pub fn new(code: i32, message: impl Into<String>) -> ResponseError {
        ResponseError { code, message: message.into() }
    }
}

pub fn response(id: &Value, answer: Result<Value, ResponseError>) -> Value {
    match answer {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(refusal) => {
            let error = json!({"code": refusal.code, "message": refusal.message});
            json!({"jsonrpc": "2.0", "id": id, "error": error})
        }
    }
}
