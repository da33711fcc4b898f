//! Stops: their reports to the client, on the console and in the `stopped` event.

use super::breakpoints::Purpose;
use super::capabilities::{DEADLOCK, ERROR, FILTERS, VIOLATION};
use super::connection::{Answer, Refusal};
use super::debug::{Debug, thread_id};
use super::protocol::Place;
use super::state::{Motion, Moving, Stopped};
use crate::ids::ProcessId;
use crate::property::Verdict;
use crate::render::Look;
use crate::render::run as render;
use crate::render::space_time::SpaceTimeOptions;
use crate::session::timeline::{Hit, NarratedStep};
use crate::session::{self, end};
use crate::simulate::Outcome;
use crate::source::Span;
use crate::trace::{End, Header, Trace};
use serde_json::{Value, json};
use std::io::Write;

/// The greatest number of events printed for one movement: otherwise the first and last ones.
const MOST_PRINTED: usize = 60;
/// Width of the lines on the console, in columns.
const WIDTH: usize = 160;

impl<W: Write> Debug<'_, '_, W> {
    /// Begin the run, when all breakpoints are set.
    pub(super) fn begin(&mut self) {
        for warning in &self.debuggee.warnings {
            let place = self.debuggee.program.sources.near(warning.span);
            let line = format!("warning: {} ({place})", warning.message());
            self.print("console", &line);
        }
        let debuggee = self.debuggee;
        let header =
            Header::of(&debuggee.instance, &debuggee.names, self.timeline.schedule_word(), debuggee.seed);
        self.print("console", &header.heading());
        let mut entry = Stopped::at("entry", "The beginning of the run");
        if let Some(recorded) = &debuggee.recorded {
            recorded.remarks.iter().for_each(|remark| self.print("console", remark));
            // A recorded run-time error is the end of the run, which the timeline keeps.
            if let Err(error @ crate::semantics::StepError::Impossible(_)) =
                self.timeline.follow(recorded.events.iter().cloned())
            {
                self.print("stderr", &format!("the recorded run cannot be repeated: {error}"));
            }
            let opens_at = recorded.opens_at.min(self.timeline.events().len());
            if let Err(error) = self.timeline.goto(opens_at) {
                self.print("stderr", &format!("the recorded run cannot be repeated: {error}"));
            }
            if !recorded.is_scenario {
                self.print_events(0, self.timeline.at());
                entry = match &recorded.verdict {
                    Some(verdict) => self.exception(VIOLATION, verdict.clone()),
                    None => Stopped::at("entry", "The end of the recorded run"),
                };
                return self.announce(entry);
            }
        }
        let violated = self.timeline.violated();
        if !violated.is_empty() {
            let violation = self.violation(&violated);
            if self.stops_at_violations() {
                entry = violation;
            } else {
                self.print("console", &violation.description);
            }
        }
        match (self.arguments.stop_on_entry && !self.arguments.no_debug) || entry.exception.is_some() {
            true => self.announce(entry),
            false => self.start(Motion::Continue),
        }
    }

    /// End the current movement, print its events, and report the reason of the stop to the client.
    pub(super) fn stop_here(&mut self, stopped: Stopped) {
        let focus = self.focus();
        if let Some(moving) = self.moving.take() {
            self.end_movement(&moving);
            self.print_events(moving.from, self.timeline.at());
        }
        if stopped.exception.is_some() {
            self.print("stderr", &stopped.description);
        }
        self.announce(Stopped { process: stopped.process.or(focus), ..stopped });
    }

    fn announce(&mut self, stopped: Stopped) {
        self.handles.clear();
        self.step_targets.clear();
        let last = self.timeline.at().checked_sub(1).map(|last| self.timeline.events()[last].process);
        let process = stopped.process.or(last).unwrap_or(ProcessId(0));
        let position = match self.timeline.at() {
            0 => "at the beginning".to_string(),
            at => format!("after event {}", at - 1),
        };
        let ids: Vec<usize> =
            stopped.hits.iter().filter_map(|hit| self.breakpoints.client_id(hit.number)).collect();
        let mut body = json!({
            "reason": stopped.reason,
            "description": self.named(&stopped.description),
            "text": match stopped.exception {
                Some(_) => self.named(&stopped.description).into_owned(),
                None => position,
            },
            "threadId": thread_id(process),
            "allThreadsStopped": true,
        });
        if !ids.is_empty() {
            body["hitBreakpointIds"] = ids.into();
        }
        self.stopped = Stopped { process: Some(process), ..stopped };
        self.server.connection.event("stopped", body);
    }

    /// Print the events between two positions, one on each line, as the session of `synod repl` does.
    fn print_events(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let told = self.timeline.narrate_ends(from, to, MOST_PRINTED);
        let lines = self.event_lines(&told);
        let place = match told.as_slice() {
            [only] if lines.len() == 1 => self.place_of_action(only.action),
            _ => None,
        };
        for line in lines {
            let mut body = json!({"category": "console", "output": format!("{line}\n")});
            if let Some(place) = &place {
                body["source"] = json!(place.source);
                body["line"] = place.line.into();
                body["column"] = place.column.into();
            }
            self.server.connection.event("output", body);
        }
    }

    /// Return a line for each event.
    pub(super) fn event_lines(&self, told: &[NarratedStep]) -> Vec<String> {
        let debuggee = self.debuggee;
        let header =
            Header::of(&debuggee.instance, &debuggee.names, self.timeline.schedule_word(), debuggee.seed);
        let events = told.iter().map(|told| told.event.clone()).collect();
        let trace = Trace { header, events, end: End::Limit };
        let outputs = debuggee.program.outputs.iter().map(|output| output.name.clone()).collect();
        let options = SpaceTimeOptions {
            width: WIDTH,
            list_width: WIDTH,
            outputs,
            max_events: usize::MAX,
            ..SpaceTimeOptions::default()
        };
        render::events_with_gaps(&trace, &options).lines().map(str::to_string).collect()
    }

    /// Return the place of an action in the program.
    pub(super) fn place_of_action(&self, action: u32) -> Option<Place> {
        let span = self.debuggee.program.actions.get(action as usize)?.span;
        (span != Span::default()).then(|| self.files.place(span))
    }

    /// Remove the breakpoint that ends a movement.
    fn end_movement(&mut self, moving: &Moving) {
        if let Some(number) = moving.ends_at {
            self.breakpoints.looks.remove(number);
        }
    }

    /// Stop at the end of the run: print the outcome and the verdicts.
    pub(super) fn ended(&mut self, outcome: &Outcome) {
        let instance = &self.debuggee.instance;
        let why = session::why_stopped(instance, outcome, self.timeline.configuration());
        let steps = self.timeline.at() as u64;
        let text = render::outcome_text(end(outcome), steps, &why, WIDTH, Look::PLAIN);
        let heading = text.lines().next().unwrap_or_default().to_string();
        let exception = match outcome {
            Outcome::Stuck(_) => Some((DEADLOCK, format!("Deadlock: {}", why.join("; ")))),
            Outcome::Aborted(_) => Some((ERROR, format!("Run-time error: {}", why.join("; ")))),
            _ => None,
        };
        let wanted = exception.filter(|(filter, _)| self.stops_at(filter));
        let process = match outcome {
            Outcome::Aborted(abort) => abort.process,
            Outcome::Stuck(stuck) => stuck.first().map(|stuck| stuck.process),
            _ => None,
        };
        let fault = match outcome {
            Outcome::Aborted(abort) => Some(abort.span),
            _ => None,
        };
        let stopped = match wanted {
            Some((filter, description)) => self.exception(filter, description),
            None => Stopped::at("pause", &format!("The run has ended: {heading}")),
        };
        if let Some(moving) = self.moving.take() {
            self.end_movement(&moving);
            self.print_events(moving.from, self.timeline.at());
        }
        text.lines().for_each(|line| self.print("console", line));
        self.print_verdicts();
        if !self.arguments.no_debug {
            self.announce(Stopped { process, fault, is_end: true, ..stopped });
        }
    }

    fn print_verdicts(&mut self) {
        let watched = self.timeline.watched();
        let (schedule, seed) = (self.timeline.schedule_word(), self.timeline.seed());
        let report = session::report(&self.debuggee.instance, &watched, schedule, seed);
        let text = render::verdicts(&report, Look::PLAIN);
        text.trim_start().lines().for_each(|line| self.print("console", line));
    }

    /// Return the exit code of the run so far, as `synod run` has it.
    pub(super) fn exit_code(&mut self) -> u8 {
        let watched = self.timeline.watched();
        let (schedule, seed) = (self.timeline.schedule_word(), self.timeline.seed());
        session::report(&self.debuggee.instance, &watched, schedule, seed).has_finding().into()
    }

    /// Describe violated properties: `ME1 violated at event 7: …`.
    pub(super) fn violation(&self, verdicts: &[Verdict]) -> Stopped {
        let one = |verdict: &Verdict| {
            let at = verdict.at_event.map_or("initially".into(), |event| format!("at event {event}"));
            let why = verdict.why.to_string();
            let why = if why.is_empty() { why } else { format!(": {why}") };
            let place = self.debuggee.program.sources.near(verdict.span);
            format!("{} violated {at}{why} ({place})", verdict.name)
        };
        let all: Vec<String> = verdicts.iter().map(one).collect();
        self.exception(VIOLATION, all.join("; "))
    }

    pub(super) fn exception(&self, filter: &'static str, description: String) -> Stopped {
        let description = self.named(&description).into_owned();
        Stopped { exception: Some(filter), ..Stopped::at("exception", &description) }
    }

    /// Whether the run stops at exceptions of a filter.
    pub(super) fn stops_at(&self, filter: &str) -> bool {
        !self.arguments.no_debug
            && match &self.breakpoints.filters {
                Some(filters) => filters.contains(filter),
                None => FILTERS.iter().any(|(known, _, _, default)| *known == filter && *default),
            }
    }

    pub(super) fn stops_at_violations(&self) -> bool {
        self.arguments.stop_on_violation && self.stops_at(VIOLATION)
    }

    pub(super) fn exception_info(&mut self) -> Answer {
        let Some(filter) = self.stopped.exception else {
            return Err(Refusal::state("the run has not stopped at an exception"));
        };
        let description = self.stopped.description.clone();
        Ok(json!({
            "exceptionId": filter,
            "description": description,
            "breakMode": "always",
            "details": {"message": description},
        }))
    }

    /// Print the texts of log points, and remove their hits.
    pub(super) fn log(&mut self, hits: &mut Vec<Hit>) {
        let mut texts = Vec::new();
        hits.retain(|hit| match self.breakpoints.purpose(hit.number) {
            Some(Purpose::Log(text)) => {
                texts.push((text, hit.clone()));
                false
            }
            _ => true,
        });
        for (text, hit) in texts {
            let line = self.interpolated(&text, hit.process);
            let place = hit.place.map(|place| self.files.place(place));
            let mut body: Value = json!({"category": "console", "output": format!("{line}\n")});
            if let Some(place) = place {
                body["source"] = json!(place.source);
                body["line"] = place.line.into();
            }
            self.server.connection.event("output", body);
        }
    }
}
