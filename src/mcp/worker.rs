//! The worker: calls of tools, one after the other, on one workbench.

use super::composite::{Answered, Call, Fields};
use super::limits::{CallLimits, Reached, SECONDS};
use super::message::{Answer, ProtocolError, response};
use super::output::{Destination, Output};
use super::register::CallRegister;
use super::report;
use super::tools::Tool;
use crate::workbench::Workbench;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// A call in the queue.
pub struct Job {
    pub id: Value,
    pub tool: &'static Tool,
    pub arguments: Fields,
    pub to: Destination,
}

/// Answer calls until there are no more, or the client no longer reads.
pub fn work(queue: &Receiver<Job>, output: &Output, register: &CallRegister, limits: &Arc<CallLimits>) {
    let fresh = || Workbench::until(limits.signal());
    let mut bench = fresh();
    for Job { id, tool, arguments, to } in queue {
        let call = Call::new(tool, arguments);
        let seconds = call.as_ref().map_or(SECONDS.default, |call| call.seconds);
        if !register.begin(&id, seconds) {
            output.settle(&to, None);
            continue;
        }
        // After a panic the workbench is replaced.
        let answered =
            catch_unwind(AssertUnwindSafe(|| call.and_then(|call| call.answer(&mut bench, limits))));
        register.finish();
        let reached = limits.reached();
        if answered.is_err() || reached == Some(Reached::Memory) {
            bench = fresh();
        }
        let answer = match answered {
            _ if reached == Some(Reached::Cancelled) => None,
            Ok(answered) => Some(Ok(result(tool, answered, reached.map(|reached| limit(reached, seconds))))),
            Err(panic) => Some(bug(&panic)),
        };
        output.settle(&to, answer.map(|answer| response(&id, answer)));
        if output.is_gone() {
            return;
        }
    }
}

/// Return the words for a limit.
fn limit(reached: Reached, seconds: u64) -> String {
    match reached {
        Reached::Cancelled => "the call was cancelled".into(),
        Reached::Time => format!("time limit reached: {seconds} s"),
        Reached::Memory => "memory limit reached; the open run is closed".into(),
    }
}

/// Return the result of a call.
fn result(tool: &Tool, answered: Answered, limit: Option<String>) -> Value {
    let is_error = answered.is_err();
    let (mut content, mut text) = match answered {
        Ok(answer) => {
            let text = report::text(tool.name, &answer);
            (answer, text)
        }
        Err(mut error) => {
            report::slim(&mut error);
            let text = report::error(&error);
            (json!({ "error": error }), text)
        }
    };
    if let Some(limit) = limit {
        text = format!("{text}\n{limit}");
        content["limit"] = limit.into();
    }
    json!({
        "content": [{"type": "text", "text": text.trim_end()}],
        "structuredContent": content,
        "isError": is_error,
    })
}

fn bug(panic: &Box<dyn std::any::Any + Send>) -> Answer {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    Err(ProtocolError::bug(format!("this is a bug in Synod, and the open run is closed: {message}")))
}
