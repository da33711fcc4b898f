//! Descriptions of events: messages and changed variables, traces, differences.

use super::Timeline;
use super::cursor::Cursor;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::property::first_violation;
use crate::semantics::event::Event;
use crate::semantics::{Configuration, Coverage, StepError};
use crate::session::{Keep, MonitoredRun, end};
use crate::simulate::{Outcome, Run};
use crate::trace::show::Show;
use crate::trace::{End, Header, Recorder, Trace, TraceEvent};
use std::ops::Range;

/// An event with the action of the program that it executes.
#[derive(Clone, Debug)]
pub struct NarratedStep {
    pub event: TraceEvent,
    /// Index into `Program::actions`; `NO_ACTION` if no code of the program was executed.
    pub action: u32,
}

impl Timeline {
    /// Return the header of a trace that begins here.
    pub(super) fn header(&self) -> Header {
        Header::of(&self.instance, &[], self.schedule_word(), self.seed)
    }

    pub fn schedule_word(&self) -> &'static str {
        self.schedule.as_str()
    }

    /// Return descriptions of recorded events.
    pub fn narrate(&self, range: Range<usize>) -> Vec<NarratedStep> {
        self.narrate_events(&self.events, range)
    }

    /// Return descriptions of the events between two positions; of more than `most`, of the first and last ones.
    pub fn narrate_ends(&self, from: usize, to: usize, most: usize) -> Vec<NarratedStep> {
        if to - from <= most {
            return self.narrate(from..to);
        }
        let mut told = self.narrate(from..from + most / 2);
        told.extend(self.narrate(to - most / 2..to));
        told
    }

    /// Return descriptions of other events on this instance.
    pub(super) fn narrate_events(&self, events: &[Event], range: Range<usize>) -> Vec<NarratedStep> {
        let mut told = Vec::new();
        self.telling(events, range, |recorder, action| {
            told.extend(recorder.events().last().map(|event| NarratedStep { event: event.clone(), action }));
        });
        told
    }

    /// Replay events and record them.
    fn telling(
        &self,
        events: &[Event],
        range: Range<usize>,
        mut each: impl FnMut(&Recorder, u32),
    ) -> Option<Recorder<'_>> {
        let range = range.start.min(events.len())..range.end.min(events.len());
        let mut head = Cursor::new(&self.instance);
        let shared = self.common(events).min(range.start);
        head.to(shared, &self.instance, &self.events, &self.checkpoints).ok()?;
        for event in &events[shared..range.start] {
            head.take(&self.instance, event).ok()?;
        }
        let first = range.start as u64;
        let mut recorder = Recorder::resume(&self.instance, self.header(), first, &head.configuration);
        for event in events.get(range)? {
            head.take(&self.instance, event).ok()?;
            recorder.record(event, &head.machine.effects, &head.configuration);
            each(&recorder, head.machine.effects.action);
        }
        Some(recorder)
    }

    /// Return the run up to the cursor, as a trace.
    pub fn trace(&self) -> Trace {
        let at = self.at();
        let recorder = self.telling(&self.events, 0..at, |_, _| {});
        let mut recorder =
            recorder.unwrap_or_else(|| Recorder::new(&self.instance, self.header(), self.configuration()));
        let outcome = self.outcome();
        if let Some(Outcome::Aborted(abort)) = &outcome
            && let Some(event) = &abort.event
        {
            // Replaying the step yields its action.
            let mut head = Cursor::new(&self.instance);
            let mut action = crate::semantics::event::NO_ACTION;
            if head.to(at, &self.instance, &self.events, &self.checkpoints).is_ok()
                && let Err(StepError::Aborted(_)) = head.take(&self.instance, event)
            {
                action = head.machine.effects.action;
            }
            recorder.record_abort(event, action, &abort.message, self.configuration());
        }
        recorder.finish(outcome.as_ref().map_or(End::Limit, End::of))
    }

    /// Return the run up to the cursor as a trace that states the first violation of a claimed property.
    pub fn recorded(&mut self) -> Trace {
        let mut trace = self.trace();
        let Header { verdict, violated_at, .. } = self.header_with_verdict();
        (trace.header.verdict, trace.header.violated_at) = (verdict, violated_at);
        trace
    }

    /// Return the header of the run up to the cursor, with the first violation of a claimed property.
    pub fn header_with_verdict(&mut self) -> Header {
        let mut header = self.header();
        let verdicts = self.verdicts();
        if let Some(verdict) = first_violation(verdicts.iter().filter(|verdict| verdict.promised)) {
            header.violated(&verdict.name, verdict.at_event, &verdict.why.to_string());
        }
        header
    }

    /// Return the run up to the cursor, with its verdicts, for reports.
    pub fn watched(&mut self) -> MonitoredRun {
        let verdicts = self.verdicts();
        let run = Run {
            outcome: self.outcome().unwrap_or(Outcome::Stopped),
            steps: self.at() as u64,
            configuration: self.configuration().clone(),
            metrics: self.metrics().clone(),
        };
        debug_assert!(end(&run.outcome) != End::Terminated || run.configuration.in_flight() == 0);
        MonitoredRun {
            run,
            verdicts,
            trace: None,
            beginning: None,
            keep: Keep::Never,
            seen: Coverage::default(),
            settled: false,
            settled_after: None,
            repeats: None,
        }
    }

    /// Return the configuration at another recorded position.
    ///
    /// # Errors
    /// If the events do not lead there.
    pub fn configuration_at(&self, position: usize) -> Result<Configuration, StepError> {
        let mut head = Cursor::new(&self.instance);
        head.to(position.min(self.events.len()), &self.instance, &self.events, &self.checkpoints)?;
        Ok(head.configuration)
    }
}

/// Return the variables that differ: process, name, value in each configuration.
pub fn differences(
    instance: &Instance,
    here: &Configuration,
    there: &Configuration,
) -> Vec<(ProcessId, String, String, String)> {
    let mut found = Vec::new();
    for p in instance.processes() {
        if here.words(p) == there.words(p) && here.values(p) == there.values(p) {
            continue;
        }
        let show = Show::new(&instance.program).at(&instance.network, p);
        let variables = |c: &Configuration| show.process(instance.role_of(p), c.words(p), c.values(p));
        let (mine, theirs) = (variables(here), variables(there));
        let value = |list: &[(String, String)], name: &str| {
            list.iter().find(|(n, _)| n == name).map_or("-".to_string(), |(_, value)| value.clone())
        };
        let new = theirs.iter().filter(|(name, _)| !mine.iter().any(|(n, _)| n == name));
        for (name, _) in mine.iter().chain(new) {
            let (a, b) = (value(&mine, name), value(&theirs, name));
            if a != b {
                found.push((p, name.clone(), a, b));
            }
        }
    }
    found
}
