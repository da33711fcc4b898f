//! Processes as threads, and their commands and waiting points as stack frames.

use super::connection::{Answer, Refusal, arguments};
use super::debug::{Debug, thread_id};
use super::protocol::{Place, Request, SourceArguments, StackTraceArguments};
use crate::ids::ProcessId;
use crate::ir::show::Show;
use crate::ir::{CRASHED, HALTED, NOT_STARTED};
use crate::source::Span;
use serde_json::{Value, json};
use std::io::Write;

/// The greatest number of frames of a process. The number of a frame is part of its id.
const MOST_FRAMES: i64 = 64;

/// A frame: its name, and its place in the program.
struct Frame {
    name: String,
    place: Option<Span>,
    /// Whether it is a command that can be executed again.
    can_restart: bool,
}

impl<W: Write> Debug<'_, '_, W> {
    pub(super) fn threads(&self) -> Value {
        let instance = &self.debuggee.instance;
        let threads = instance
            .processes()
            .map(|process| json!({"id": thread_id(process), "name": self.thread_name(process)}));
        json!({"threads": threads.collect::<Vec<_>>()})
    }

    /// Return name, id, role and condition of a process: `p0 (id 3) active`.
    fn thread_name(&self, process: ProcessId) -> String {
        let instance = &self.debuggee.instance;
        let role = &instance.program.roles[instance.role_of(process)].name;
        let role = if role.is_empty() { String::new() } else { format!(", {role}") };
        let (name, id) = (self.debuggee.name(process), instance.network.id(process));
        format!("{name} (id {id}{role}) {}", self.condition(process)).trim_end().to_string()
    }

    /// Return whether a process is halted, crashed or not started, otherwise its control states.
    pub(super) fn condition(&self, process: ProcessId) -> String {
        let (instance, configuration) = (&self.debuggee.instance, self.timeline.configuration());
        match configuration.pc(process) {
            HALTED => return "halted".into(),
            CRASHED => return "crashed".into(),
            NOT_STARTED => return "not started".into(),
            _ => {}
        }
        let status =
            Show::new(&instance.program).status(instance.role_of(process), configuration.words(process));
        let states = status.into_iter().filter(|(name, _)| name.ends_with("state"));
        states.map(|(_, state)| state).collect::<Vec<_>>().join(", ")
    }

    /// Whether a process takes no further step of its own.
    pub(super) fn is_over(&self, process: ProcessId) -> bool {
        let configuration = self.timeline.configuration();
        let may_restart = self.debuggee.instance.active_faults().is_some();
        configuration.halted(process) || (configuration.crashed(process) && !may_restart)
    }

    pub(super) fn stack_trace(&mut self, request: &Request) -> Answer {
        let given: StackTraceArguments = arguments(request)?;
        let process = self.process(given.thread_id)?;
        let frames = self.frames(process);
        let total = frames.len();
        let levels = if given.levels == 0 { usize::MAX } else { given.levels };
        let shown: Vec<Value> = (frames.iter().enumerate().skip(given.start_frame).take(levels))
            .map(|(number, frame)| {
                let mut shown = json!({
                    "id": i64::from(process.0) * MOST_FRAMES + number as i64 + 1,
                    "name": self.named(&frame.name),
                    "canRestart": frame.can_restart,
                });
                // Without a source, the line is 0.
                let place = frame.place.map_or_else(Place::default, |place| self.files.place(place));
                if place.source.is_none() {
                    shown["presentationHint"] = "label".into();
                }
                merge(&mut shown, json!(place));
                shown
            })
            .collect();
        Ok(json!({"stackFrames": shown, "totalFrames": total}))
    }

    /// Return the process of a frame.
    pub(super) fn process_of_frame(&self, frame: i64) -> Result<ProcessId, Refusal> {
        let position = frame.checked_sub(1).map(|frame| frame.div_euclid(MOST_FRAMES));
        let thread = position.and_then(|position| position.checked_add(1)).unwrap_or(0);
        self.process(thread).map_err(|_| Refusal::protocol(format!("there is no frame {frame}")))
    }

    /// Return the frames of a process: the command of its last step if that was the last step of the run, then where it waits,
    /// then the control states of its layers.
    fn frames(&self, process: ProcessId) -> Vec<Frame> {
        let instance = &self.debuggee.instance;
        let program = &instance.program;
        let mut frames = Vec::new();
        if let Some(place) = self.stopped.fault.filter(|_| self.stopped.process == Some(process)) {
            frames.push(Frame { name: "run-time error".into(), place: Some(place), can_restart: false });
        }
        if let Some(step) = self.timeline.last_step(process) {
            let action = step.action.map(|action| &program.actions[action as usize]);
            let hit = self.stopped.hits.iter().find(|hit| hit.process == process).and_then(|hit| hit.place);
            let head = action.map(|action| action.span).filter(|span| *span != Span::default());
            let place = hit.or(head).or(step.places.first().copied());
            if let Some(action) = action.filter(|_| place.is_some()) {
                let name = format!("{action}, event {}", step.event);
                frames.push(Frame { name, place, can_restart: true });
            }
        }
        let role = &program.roles[instance.role_of(process)];
        let configuration = self.timeline.configuration();
        let words = configuration.words(process);
        let state_of = |component: usize| {
            let component = &role.components[component];
            let state =
                words.get(component.state_slot as usize).and_then(|state| usize::try_from(*state).ok());
            state.and_then(|state| component.states.get(state))
        };
        let frame = |name: String, place| Frame { name, place, can_restart: false };
        let pc = configuration.pc(process);
        let wait = usize::try_from(pc).ok().filter(|pc| *pc > 0).and_then(|pc| role.waits.get(pc));
        frames.push(match (pc, wait) {
            (HALTED, _) => frame("halted".into(), None),
            (CRASHED, _) => frame("crashed".into(), None),
            (NOT_STARTED, _) => frame("not started".into(), Some(role.span)),
            (_, Some(wait)) => frame(format!("waits at {wait}"), Some(wait.span)),
            (_, None) => match state_of(0) {
                Some(state) => frame(format!("in state {}", state.name), Some(state.span)),
                None => frame("waits for messages, in its handlers".into(), Some(role.span)),
            },
        });
        let layers = (1..role.components.len()).filter(|layer| role.components[*layer].states.len() > 1);
        frames.extend(layers.filter_map(|layer| {
            let state = state_of(layer)?;
            Some(frame(format!("{}in state {}", role.prefix(layer), state.name), Some(state.span)))
        }));
        frames.truncate(MOST_FRAMES as usize);
        frames
    }

    pub(super) fn source(&mut self, request: &Request) -> Answer {
        let given: SourceArguments = arguments(request)?;
        let named = given.source.and_then(|source| source.source_reference);
        let reference = named.filter(|reference| *reference > 0).unwrap_or(given.source_reference);
        match self.files.text(reference) {
            Some(text) => Ok(json!({"content": text, "mimeType": "text/x-synod"})),
            None => Err(Refusal::protocol(format!("there is no source {reference}"))),
        }
    }
}

/// Add the members of an object to another one.
pub fn merge(to: &mut Value, from: Value) {
    if let (Value::Object(to), Value::Object(from)) = (to, from) {
        to.extend(from);
    }
}
