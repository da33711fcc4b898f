//! The processes at one moment of a run, as far as the trace determines them.

use crate::ids::ProcessId;
use crate::trace::{Change, Trace, TraceEvent};

/// Names and values of the variables of each process, in program order.
#[derive(Clone, Debug)]
pub struct Moment<'a> {
    /// The number of events so far.
    pub position: usize,
    pub variables: Vec<Vec<(&'a str, &'a str)>>,
    /// Processes and variables that the last event changed.
    pub changed: Vec<(ProcessId, &'a str)>,
}

impl<'a> Moment<'a> {
    pub fn initial(trace: &'a Trace) -> Moment<'a> {
        let of = |p: usize| {
            let initial = trace.header.initial.get(p).into_iter().flatten();
            initial.map(|c| (c.name.as_str(), c.value.as_str())).collect()
        };
        Moment { position: 0, variables: (0..trace.n()).map(of).collect(), changed: Vec::new() }
    }

    /// Return the moment after `position` events.
    pub fn at(trace: &'a Trace, position: usize) -> Moment<'a> {
        let mut moment = Moment::initial(trace);
        trace.events.iter().take(position).for_each(|event| moment.step(event));
        moment
    }

    pub fn step(&mut self, event: &'a TraceEvent) {
        self.position += 1;
        self.changed.clear();
        self.apply(event.process, &event.changes);
        if let Some(with) = &event.with {
            self.apply(with.process, &with.changes);
        }
    }

    fn apply(&mut self, process: ProcessId, changes: &'a [Change]) {
        let own = &mut self.variables[process.index()];
        for change in changes {
            self.changed.push((process, &change.name));
            match own.iter_mut().find(|(name, _)| *name == change.name) {
                Some((_, value)) => *value = &change.value,
                None => own.push((&change.name, &change.value)),
            }
        }
    }

    pub fn value(&self, process: ProcessId, name: &str) -> Option<&'a str> {
        let own = self.variables.get(process.index())?;
        own.iter().find(|(n, _)| *n == name).map(|(_, value)| *value)
    }

    pub fn state(&self, process: ProcessId) -> Option<&'a str> {
        self.value(process, "state")
    }

    pub fn is_up(&self, process: ProcessId) -> bool {
        self.value(process, "up") != Some("false")
    }

    pub fn has_halted(&self, process: ProcessId) -> bool {
        self.value(process, "halted") == Some("true")
    }
}

/// Names that the tool itself reports about a process, and that are not variables of the program.
pub const BUILTIN_VARIABLES: [&str; 3] = ["state", "halted", "up"];
