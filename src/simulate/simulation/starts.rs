//! The beginning of a run in which all initiators wake up together.

use super::{Progress, Scheduler, Simulation};
use crate::instance::Instance;
use crate::semantics::StepError;
use crate::semantics::event::{Cause, Event};
use crate::simulate::{Observer, Outcome};

impl<S: Scheduler> Simulation<S> {
    /// Start all processes, and wake up those that may wake up spontaneously, in their order. Return the outcome if the run ends meanwhile.
    pub fn wake_all<O: Observer>(&mut self, instance: &Instance, observer: &mut O) -> Option<Outcome> {
        while self.configuration.next_to_start().is_some() {
            match self.advance(instance, observer) {
                Ok(Progress::Stopped) => return Some(Outcome::Stopped),
                Ok(_) => {}
                Err(abort) => return Some(Outcome::Aborted(abort)),
            }
        }
        let mut possible = Vec::new();
        for process in instance.processes() {
            possible.clear();
            self.machine.internal(instance, &self.configuration, process, &mut possible);
            let Some((_, alternative)) = possible.iter().find(|(cause, _)| *cause == Cause::Wakeup) else {
                continue;
            };
            let event = Event { alternative: *alternative, ..Event::new(process, Cause::Wakeup) };
            match self.take(instance, &event, observer) {
                Ok(Progress::Stopped) => return Some(Outcome::Stopped),
                Err(StepError::Aborted(mut abort)) => {
                    abort.step = Some(self.steps);
                    return Some(Outcome::Aborted(abort));
                }
                Ok(_) | Err(StepError::Impossible(_)) => {}
            }
        }
        None
    }
}
