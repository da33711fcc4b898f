//! Messages of JSON-RPC 2.0.
//!
//! These types are our own: they keep the id of any request, and separate invalid JSON, invalid messages and invalid parameters, each
//! of which has its own code. `tests/suite/mcp` reads every message with the types of another implementation.

use serde_json::{Map, Value, json};

/// An error of the protocol.
#[derive(Debug)]
pub struct ProtocolError {
    code: i32,
    /// One sentence without a full stop.
    message: String,
    data: Option<Value>,
}

impl ProtocolError {
    fn new(code: i32, message: impl Into<String>) -> ProtocolError {
        ProtocolError { code, message: message.into(), data: None }
    }

    pub fn invalid_json(message: impl Into<String>) -> ProtocolError {
        ProtocolError::new(-32700, message)
    }

    pub fn invalid_request(message: impl Into<String>) -> ProtocolError {
        ProtocolError::new(-32600, message)
    }

    pub fn unknown_method(method: &str) -> ProtocolError {
        ProtocolError::new(-32601, format!("there is no method {method}"))
    }

    pub fn invalid_params(message: impl Into<String>) -> ProtocolError {
        ProtocolError::new(-32602, message)
    }

    pub fn unknown_resource(uri: &str) -> ProtocolError {
        let data = Some(json!({ "uri": uri }));
        ProtocolError { data, ..ProtocolError::new(-32002, format!("there is no resource {uri}")) }
    }

    pub fn bug(message: impl Into<String>) -> ProtocolError {
        ProtocolError::new(-32603, message)
    }

    pub fn overload(message: impl Into<String>) -> ProtocolError {
        ProtocolError::new(-32000, message)
    }
}

/// The result of a request.
pub type Answer = Result<Value, ProtocolError>;

/// Return the response to a request. Without an id it concerns a message that cannot be answered otherwise.
pub fn response(id: &Value, answer: Answer) -> Value {
    match answer {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(ProtocolError { code, message, data }) => {
            let mut error = json!({"code": code, "message": message});
            if let Some(data) = data {
                error["data"] = data;
            }
            json!({"jsonrpc": "2.0", "id": id, "error": error})
        }
    }
}

/// A request of the client.
pub struct Request {
    pub id: Value,
    pub method: String,
    pub params: Map<String, Value>,
}

/// A message of the client.
pub enum Message {
    Request(Request),
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// An answer to a request, of which the server sends none.
    Response,
    Invalid {
        id: Value,
        error: ProtocolError,
    },
}

impl Message {
    /// Parse a message.
    pub fn parse(value: Value) -> Message {
        let invalid = |id: Option<&Value>, error| Message::Invalid {
            id: id.filter(|id| is_id(id)).cloned().unwrap_or_default(),
            error,
        };
        let Value::Object(mut fields) = value else {
            return invalid(None, ProtocolError::invalid_request("a message is a JSON object"));
        };
        let id = fields.remove("id");
        if fields.get("jsonrpc") != Some(&"2.0".into()) {
            return invalid(
                id.as_ref(),
                ProtocolError::invalid_request("the field `jsonrpc` is not \"2.0\""),
            );
        }
        if id.as_ref().is_some_and(|id| !is_id(id)) {
            let message = "the id of a request is a text or a number";
            return invalid(None, ProtocolError::invalid_request(message));
        }
        let method = match fields.remove("method") {
            Some(Value::String(method)) => method,
            None if fields.contains_key("result") || fields.contains_key("error") => {
                return Message::Response;
            }
            _ => {
                let message = "a request has a field `method`, which is a text";
                return invalid(id.as_ref(), ProtocolError::invalid_request(message));
            }
        };
        let params = match fields.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => {
                return invalid(id.as_ref(), ProtocolError::invalid_params("the parameters are an object"));
            }
        };
        match id {
            Some(id) => Message::Request(Request { id, method, params }),
            None => Message::Notification { method, params },
        }
    }
}

fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_number()
}
