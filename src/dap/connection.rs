//! The client's end of the protocol: responses, events, refusals.

use super::protocol::Request;
use crate::framing::write;
use crate::input::InputError;
use crate::session::questions::Unanswerable;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io::Write;

/// A rejected request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    id: u32,
    /// One sentence without a full stop, or the diagnostics of a program.
    pub message: String,
    pub hint: Option<String>,
    /// More about it, for the console.
    details: String,
    /// Whether the client is to show it to the user.
    show: bool,
}

impl Refusal {
    /// Return the refusal of a request that the client should not have sent.
    pub fn protocol(message: impl Into<String>) -> Refusal {
        Refusal { id: 1, message: message.into(), hint: None, details: String::new(), show: false }
    }

    /// Return the refusal of a request that the state of the run rules out.
    pub fn state(message: impl Into<String>) -> Refusal {
        Refusal { id: 2, ..Refusal::protocol(message) }
    }

    /// Return the refusal of what the user wants, with a message for the user.
    pub fn user(message: impl Into<String>) -> Refusal {
        Refusal { id: 3, show: true, ..Refusal::protocol(message) }
    }

    pub fn hint(self, hint: impl Into<String>) -> Refusal {
        Refusal { hint: Some(hint.into()), ..self }
    }

    /// Return the refusal without a message for the user.
    pub fn quiet(self) -> Refusal {
        Refusal { show: false, ..self }
    }

    /// Return message and hint as one text.
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}: {hint}", self.message),
            None => self.message.clone(),
        }
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Refusal {
        match error {
            InputError::Usage(problem) => Refusal { hint: problem.hint, ..Refusal::user(problem.message) },
            InputError::Source(ref checked) => {
                let first = checked.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
                let what = first.map(|first| {
                    format!(
                        "the program has an error: {} ({})",
                        first.message(),
                        checked.sources.place(first.span)
                    )
                });
                let refusal = Refusal::user(what.unwrap_or_else(|| "the program has errors".into()));
                Refusal { details: error.to_string(), ..refusal }
            }
        }
    }
}

impl From<Unanswerable> for Refusal {
    fn from(Unanswerable { message, hint }: Unanswerable) -> Refusal {
        Refusal { hint, ..Refusal::user(message) }
    }
}

/// The body of a response, or a refusal.
pub type Answer = Result<Value, Refusal>;

/// The output to the client.
pub struct Connection<W> {
    output: W,
    seq: i64,
    /// Whether the client no longer reads.
    pub gone: bool,
}

impl<W: Write> Connection<W> {
    pub fn new(output: W) -> Connection<W> {
        Connection { output, seq: 0, gone: false }
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        self.gone |= write(&mut self.output, &message).is_err();
    }

    pub fn respond(&mut self, request: &Request, answer: Answer) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(refusal) => {
                refusal.details.lines().for_each(|line| self.print("stderr", line));
                let text = refusal.text();
                // Braces in a format are names of variables.
                let error = match text.contains('{') {
                    true => {
                        json!({"id": refusal.id, "format": "{_text}", "variables": {"_text": text}, "showUser": refusal.show})
                    }
                    false => json!({"id": refusal.id, "format": text, "showUser": refusal.show}),
                };
                message["message"] = text.into();
                message["body"] = json!({"error": error});
            }
        }
        self.send(message);
    }

    pub fn event(&mut self, event: &str, body: Value) {
        let mut message = json!({"type": "event", "event": event});
        if !body.is_null() {
            message["body"] = body;
        }
        self.send(message);
    }

    /// Print a line on the console of the client.
    pub fn print(&mut self, category: &str, line: &str) {
        self.event("output", json!({"category": category, "output": format!("{line}\n")}));
    }
}

/// Parse the arguments of a request.
///
/// # Errors
/// If they have another form.
pub fn arguments<T: DeserializeOwned>(request: &Request) -> Result<T, Refusal> {
    // Requests without required arguments may have none at all.
    let given = match &request.arguments {
        Value::Null => json!({}),
        given => given.clone(),
    };
    serde_json::from_value(given).map_err(|error| {
        Refusal::protocol(format!("the arguments of `{}` are not valid: {error}", request.command))
    })
}
