//! Messages that a crash loses.

use crate::instance::{FaultBudget, Instance};
use crate::ir::Fault;
use crate::semantics::Configuration;
use crate::semantics::event::{Cause, Event};
use crate::semantics::machine::is_lost_freely;

/// How the state space contains the loss of messages in transit from a process that crashes. Either way, the arrival of such a
/// message is not obligatory ([`crate::explore::fairness`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Losses {
    /// No crash loses messages.
    None,
    /// A lost message remains in transit and never arrives, which no process and no property can distinguish from its loss: its
    /// sender sends no message after it, and no step depends on its absence. A line of a scenario may wait until no message is in transit.
    Implicit,
    /// Each loss is a step. This is necessary if senders restart, because they may send messages after the lost one. It is also
    /// necessary in systems with time: time passes the latest arrival of a message only if the message is gone.
    Steps,
}

impl Losses {
    /// Return how the state space of an instance contains losses. `may_be_implicit`: whether losses that nothing can distinguish may
    /// be omitted.
    pub fn of(instance: &Instance, may_be_implicit: bool) -> Losses {
        let restarts = |h: &FaultBudget| h.budget.of(Fault::Restart) > 0 || h.assumed_restarts > 0;
        match instance.active_faults().filter(|h| h.crash_loses && h.budget.of(Fault::Crash) > 0) {
            None => Losses::None,
            Some(hazards)
                if may_be_implicit
                    && instance.script.is_none()
                    && !instance.is_timed()
                    && !restarts(hazards) =>
            {
                Losses::Implicit
            }
            Some(_) => Losses::Steps,
        }
    }

    /// Return whether the state space contains a step.
    pub fn includes(self, instance: &Instance, configuration: &Configuration, event: &Event) -> bool {
        match event.cause {
            Cause::Lose { channel, position } => {
                self != Losses::Implicit || !is_lost_freely(instance, configuration, channel, position)
            }
            _ => true,
        }
    }
}
