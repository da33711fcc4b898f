//! Times of faults in a random run, drawn in advance, uniformly over orders of magnitude: a short run has no late moments, and a
//! long one has many.

use super::rng::RunRng;
use crate::ir::{Budget, Fault};

/// Moments are drawn below 2 to this power.
const MAGNITUDES: u32 = 12;

/// Moments are numbered: one for every step, and one for every send at which a crash may occur.
#[derive(Clone, Debug)]
pub(super) struct FaultSchedule {
    /// In descending order.
    moments: Vec<(u64, Fault)>,
    now: u64,
}

impl FaultSchedule {
    pub fn new(budget: &Budget, dice: &mut RunRng) -> FaultSchedule {
        let mut moments = Vec::new();
        for fault in Fault::ALL {
            for _ in 0..budget.of(fault).min(1 << 16) {
                let magnitude = dice.below(MAGNITUDES + 1);
                moments.push((u64::from(dice.below(1 << magnitude)), fault));
            }
        }
        moments.sort_by_key(|(moment, fault)| (std::cmp::Reverse(*moment), *fault));
        FaultSchedule { moments, now: 0 }
    }

    /// Advance to a moment between two steps, and return the fault that occurs there.
    pub fn strikes(&mut self) -> Option<Fault> {
        self.now += 1;
        match self.moments.last() {
            Some((moment, fault)) if *moment < self.now => {
                let fault = *fault;
                self.moments.pop();
                Some(fault)
            }
            _ => None,
        }
    }

    /// Reschedule a fault that found no target a little later, after other faults.
    pub fn again(&mut self, fault: Fault) {
        let moment = self.now + 1;
        let place = self.moments.partition_point(|(other, _)| *other > moment);
        self.moments.insert(place, (moment, fault));
    }

    /// Return the next fault at once, since no other moment precedes it.
    pub fn at_rest(&mut self) -> Option<Fault> {
        self.moments.pop().map(|(_, fault)| fault)
    }

    /// Advance to a moment within a command, and return whether the process crashes.
    pub fn crashes(&mut self) -> bool {
        self.now += 1;
        match self.moments.last() {
            Some((moment, Fault::Crash)) if *moment < self.now => {
                self.moments.pop();
                true
            }
            _ => false,
        }
    }
}
