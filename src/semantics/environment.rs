//! What a configuration holds besides processes and channels, in models that have more: rounds, clocks, faults.

pub mod clock;
pub mod faults;

pub use clock::{Clock, Window};
pub use faults::Faults;

use crate::instance::Instance;

/// One part for each model; None where the program does not assume it, so that others pay nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Environment {
    /// Time, delays, timers.
    pub clock: Option<Box<Clock>>,
    /// What may still go wrong, and what the detectors have said.
    pub faults: Option<Box<Faults>>,
}

impl Environment {
    pub fn initial(instance: &Instance) -> Environment {
        Environment {
            clock: instance.timing.as_ref().map(|timing| Box::new(Clock::new(timing, instance.n()))),
            faults: instance.hazards.as_ref().map(|hazards| Box::new(Faults::new(hazards))),
        }
    }
}
