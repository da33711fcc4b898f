//! A configuration at a position in a list of events.

use super::checkpoints::Checkpoints;
use crate::instance::Instance;
use crate::semantics::event::Event;
use crate::semantics::{Configuration, Machine, StepError};

#[derive(Debug)]
pub(super) struct Cursor {
    /// Number of events before the cursor.
    pub at: usize,
    pub configuration: Configuration,
    /// The machine, with the counts so far and the effects of the last step.
    pub machine: Machine,
}

impl Cursor {
    /// Create a cursor before the first event.
    pub fn new(instance: &Instance) -> Cursor {
        let mut machine = Machine::new(instance);
        machine.recording = true;
        machine.executed = Some(Vec::new());
        Cursor { at: 0, configuration: Configuration::initial(instance), machine }
    }

    /// Replay a recorded event.
    pub fn take(&mut self, instance: &Instance, event: &Event) -> Result<(), StepError> {
        self.machine.replay(instance, &mut self.configuration, event)?;
        self.at += 1;
        Ok(())
    }

    /// Move to a position, from the nearest checkpoint before it, or from here if that is nearer.
    pub fn to(
        &mut self,
        position: usize,
        instance: &Instance,
        events: &[Event],
        checkpoints: &Checkpoints,
    ) -> Result<(), StepError> {
        let kept = checkpoints.before(position);
        let nearest = kept.map_or(0, |(at, _)| at);
        if self.at > position || self.at < nearest {
            match kept {
                Some((at, (configuration, metrics))) => {
                    self.at = at;
                    self.configuration = configuration.clone();
                    self.machine.metrics = metrics.clone();
                }
                None => *self = Cursor::new(instance),
            }
        }
        for event in &events[self.at..position] {
            self.take(instance, event)?;
        }
        Ok(())
    }
}
