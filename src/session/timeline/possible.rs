//! What can happen next, with all choices in the course of the commands.

use super::Timeline;
use crate::explore::EveryChoice;
use crate::semantics::event::Event;
use crate::semantics::{Machine, StepError};
use crate::trace::{Recorder, TraceEvent};

/// Of one step, more choices than these are not listed.
const MOST_CHOICES: usize = 16;

/// A step that could be taken, and what would come of it.
#[derive(Clone, Debug)]
pub struct Possibility {
    pub event: Event,
    pub told: TraceEvent,
    /// Index into `Program::actions`; `NO_ACTION` where none of the program would run.
    pub action: u32,
    /// The step is an error of the program: what it would say.
    pub aborts: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Possibilities {
    pub list: Vec<Possibility>,
    /// Steps that are possible, choices aside.
    pub steps: usize,
    /// Not all steps, or not all their choices, are in the list.
    pub cut: bool,
    /// Of very many waits before a step some are steps in the list.
    pub some_waits: bool,
}

impl Timeline<'_> {
    /// The steps that are possible at the cursor, in the order of `semantics::enabled`, at most so many.
    pub fn possible(&self, most: usize) -> Possibilities {
        let mut machine = Machine::new(self.instance);
        machine.recording = true;
        machine.careful = true;
        let events = machine.enabled(self.instance, self.configuration());
        let mut found = Possibilities {
            steps: events.len(),
            some_waits: machine.waits_left_out,
            ..Possibilities::default()
        };
        for event in events {
            let mut every = EveryChoice::default();
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

    /// What comes of a step, with the choices that come next.
    fn tried(&self, machine: &mut Machine, event: &Event, every: &mut EveryChoice) -> Option<Possibility> {
        let mut recorder =
            Recorder::resume(self.instance, self.header(), self.at() as u64, self.configuration());
        let mut configuration = self.configuration().clone();
        let done = machine.perform(self.instance, &mut configuration, event, every);
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
