//! Choices of the client: an enabled step as the next one, an event of the run to go to.

use super::connection::{Answer, Refusal, arguments};
use super::debug::Debug;
use super::frames::merge;
use super::protocol::{FrameArguments, GotoTargetsArguments, Request};
use crate::trace::TraceEvent;
use serde_json::{Value, json};
use std::io::Write;

/// The greatest number of enabled steps that are listed.
const MOST_STEPS: usize = 200;
/// The greatest number of events that are listed for a line.
const MOST_EVENTS: usize = 50;

impl<W: Write> Debug<'_, '_, W> {
    /// List the enabled steps, with their effects; those of the process of the frame come first.
    pub(super) fn step_in_targets(&mut self, request: &Request) -> Answer {
        let given: FrameArguments = arguments(request)?;
        let process = self.process_of_frame(given.frame_id)?;
        let mut possible = self.timeline.possible(MOST_STEPS).list;
        possible.sort_by_key(|step| step.event.process != process);
        self.step_targets = possible.iter().map(|step| step.event.clone()).collect();
        let targets: Vec<Value> = (1..)
            .zip(&possible)
            .map(|(id, step)| {
                let effect = self.effect(&step.told);
                let aborts = step.aborts.as_ref().map(|why| format!(", run-time error: {why}"));
                let label = format!("{effect}{}", aborts.unwrap_or_default());
                let mut target = json!({"id": id, "label": self.named(&label)});
                if let Some(place) = self.place_of_action(step.action) {
                    let mut place = json!(place);
                    place.as_object_mut().map(|members| members.remove("source"));
                    merge(&mut target, place);
                }
                target
            })
            .collect();
        Ok(json!({"targets": targets}))
    }

    /// Describe an event on one line: process, action, messages, changes.
    fn effect(&self, event: &TraceEvent) -> String {
        let told = crate::session::timeline::NarratedStep {
            event: event.clone(),
            action: crate::semantics::event::NO_ACTION,
        };
        let line = self.event_lines(&[told]).join(" ");
        // The number of the event is that of every enabled step.
        let words: Vec<&str> = line.split_whitespace().collect();
        words.iter().skip_while(|word| word.parse::<u64>().is_ok()).copied().collect::<Vec<_>>().join(" ")
    }

    /// List the recorded events that execute a line.
    pub(super) fn goto_targets(&mut self, request: &Request) -> Answer {
        let given: GotoTargetsArguments = arguments(request)?;
        let found = self.files.find(&given.source).zip(self.files.line_number(given.line));
        let Some((file, line)) = found else {
            return Err(Refusal::user(format!("this file is no part of {}", self.debuggee.program.name)));
        };
        let events = self.timeline.executions(self.files.line(file, line), MOST_EVENTS);
        self.goto_targets = events.iter().map(|event| event + 1).collect();
        let targets: Vec<Value> = (1..)
            .zip(&events)
            .map(|(id, event)| {
                let told = self.timeline.narrate(*event..*event + 1);
                let text = told.first().map(|told| self.effect(&told.event)).unwrap_or_default();
                let label = format!("event {event}: {text}");
                json!({"id": id, "label": self.named(&label), "line": given.line})
            })
            .collect();
        Ok(json!({"targets": targets}))
    }
}
