//! Events of a run, described.

use super::place::{Place, Texts};
use crate::instance::Instance;
use crate::ir::Program;
use crate::render::Look;
use crate::render::run::describe_event;
use crate::session::timeline::NarratedStep;
use crate::trace::{End, Header, Trace, TraceEvent};
use serde::Serialize;

#[derive(Serialize)]
pub struct EventBody {
    #[serde(flatten)]
    event: TraceEvent,
    name: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    heading: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
}

/// Return the place of an action of the program.
fn action_place(program: &Program, texts: &Texts, action: u32) -> Option<Place> {
    let action = program.actions.get(action as usize)?;
    (action.name != "start").then(|| texts.place(action.span)).flatten()
}

/// Describe events. The first `skipped` ones only give the others their headings.
pub fn described(
    instance: &Instance,
    texts: &Texts,
    header: &Header,
    steps: Vec<NarratedStep>,
    skipped: usize,
) -> Vec<EventBody> {
    let actions: Vec<u32> = steps.iter().map(|step| step.action).collect();
    let events = steps.into_iter().map(|step| step.event).collect();
    let plain = Trace { header: header.clone(), events, end: End::Limit };
    let named = plain.with_names();
    let body = |i: usize| {
        // The list calls processes by their names itself.
        let columns = describe_event(&plain, i, Look::PLAIN);
        let process = header.name(plain.events[i].process);
        let words: Vec<&str> = std::iter::once(process.as_str())
            .chain(columns.iter().map(String::as_str))
            .filter(|column| !column.is_empty())
            .collect();
        EventBody {
            event: named.events[i].clone(),
            text: words.join("  "),
            name: process,
            heading: plain.joint_step_heading(i),
            place: action_place(&instance.program, texts, actions[i]),
        }
    };
    (skipped..plain.events.len()).map(body).collect()
}
