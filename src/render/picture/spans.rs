//! Time spans of a process given by its operations: between call and return, and inside a critical section.

use crate::trace::Trace;

/// A span from one event of a process to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span<'a> {
    pub what: SpanKind,
    /// The name of the operation.
    pub name: &'a str,
    pub from: usize,
    /// `None`: to the end of the run.
    pub to: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// Between the call of an operation and its return.
    Operation,
    /// Between the return of `enter` and the call of `exit`.
    Critical,
}

pub fn spans(trace: &Trace) -> Vec<Vec<Span<'_>>> {
    let mut spans: Vec<Vec<Span>> = vec![Vec::new(); trace.n()];
    for (e, event) in trace.events.iter().enumerate() {
        let own = &mut spans[event.process.index()];
        for seen in &event.observations {
            let Some((word, name)) = seen.split_once(' ') else { continue };
            let name = name.split('(').next().unwrap_or(name);
            let begin = |what| Span { what, name, from: e, to: None };
            match (word, name) {
                ("call", _) => {
                    if name == "exit" {
                        close(own, SpanKind::Critical, "enter", e);
                    }
                    own.push(begin(SpanKind::Operation));
                }
                ("return", _) => {
                    close(own, SpanKind::Operation, name, e);
                    if name == "enter" {
                        own.push(begin(SpanKind::Critical));
                    }
                }
                _ => {}
            }
        }
        // A crash ends all spans of the process.
        if event.change("up") == Some("false") {
            own.iter_mut().filter(|s| s.to.is_none()).for_each(|s| s.to = Some(e));
        }
        // Spans without duration are dropped.
        own.retain(|s| s.to != Some(s.from));
    }
    spans
}

fn close(spans: &mut [Span], what: SpanKind, name: &str, event: usize) {
    let open = spans.iter_mut().rev().find(|s| s.to.is_none() && s.what == what && s.name == name);
    if let Some(span) = open {
        span.to = Some(event);
    }
}
