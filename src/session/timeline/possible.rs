//! Enabled steps, with all choices within their commands.

use super::Timeline;
use crate::semantics::enumeration::ChoiceEnumerator;
use crate::semantics::event::Event;
use crate::semantics::{Machine, StepError};
use crate::trace::{Recorder, TraceEvent};

/// Maximum number of choices listed for one step.
const MOST_CHOICES: usize = 16;

/// An enabled step with its effect.
#[derive(Clone, Debug)]
pub struct Possibility {
    pub event: Event,
    pub told: TraceEvent,
    /// Index into `Program::actions`; `NO_ACTION` if no code of the program is executed.
    pub action: u32,
    /// The message if the step is a run-time error.
    pub aborts: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Possibilities {
    pub list: Vec<Possibility>,
    /// Number of enabled steps, not counting choices.
    pub steps: usize,
    /// Whether the list lacks some steps or choices.
    pub cut: bool,
    /// Whether the list contains only some of very many delays before a step.
    pub some_waits: bool,
}

impl Timeline {
    /// Return at most `most` steps that are enabled at the cursor, in the order of `semantics::enabled`.
    pub fn possible(&self, most: usize) -> Possibilities {
        let mut machine = Machine::new(&self.instance);
        machine.recording = true;
        machine.undo_aborts(true);
        let events = machine.enabled(&self.instance, self.configuration());
        let mut found = Possibilities {
            steps: events.len(),
            some_waits: machine.delays_omitted,
            ..Possibilities::default()
        };
        for event in events {
            let mut every = ChoiceEnumerator::default();
            let mut choices = 0;
            loop {
                if found.list.len() >= most || choices >= MOST_CHOICES {
                    found.cut = true;
                    break;
                }
                found.list.extend(self.tried(&mut machine, &event, &mut every));
                choices += 1;
                if !every.next() {
                    break;
                }
            }
            if found.list.len() >= most && found.cut {
                break;
            }
        }
        found
    }

    /// Execute a step on a copy, with the next choices.
    fn tried(
        &self,
        machine: &mut Machine,
        event: &Event,
        every: &mut ChoiceEnumerator,
    ) -> Option<Possibility> {
        let mut recorder =
            Recorder::resume(&self.instance, self.header(), self.at() as u64, self.configuration());
        let mut configuration = self.configuration().clone();
        let done = machine.perform(&self.instance, &mut configuration, event, every);
        let event = Event { choices: machine.choices.clone(), ..event.clone() };
        let aborts = match done {
            Ok(true) => {
                recorder.record(&event, &machine.effects, &configuration);
                None
            }
            Err(StepError::Aborted(abort)) => {
                let action = machine.effects.action;
                recorder.record_abort(&event, action, &abort.message, self.configuration());
                Some(abort.message)
            }
            Ok(false) | Err(StepError::Impossible(_)) => return None,
        };
        let told = recorder.events().last()?.clone();
        Some(Possibility { event, told, action: machine.effects.action, aborts })
    }
}
