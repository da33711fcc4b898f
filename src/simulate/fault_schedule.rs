//! When faults strike in a random run: at moments drawn beforehand, evenly over all orders of magnitude, since a
//! short run has no late moments and a long one many.

use super::rng::RunRng;
use crate::ir::{Budget, Fault};

/// Moments are drawn below two to this power.
const MAGNITUDES: u32 = 12;

/// Every step, and every send where a crash might come between two, is a moment.
#[derive(Clone, Debug)]
pub(super) struct FaultSchedule {
    /// Ascending from the end.
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

    /// A moment has come between two steps: what strikes.
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

    /// What did not find anybody tries again a little later, and lets others go before.
    pub fn again(&mut self, fault: Fault) {
        let moment = self.now + 1;
        let place = self.moments.partition_point(|(other, _)| *other > moment);
        self.moments.insert(place, (moment, fault));
    }

    /// Nothing will happen before the next moment.
    pub fn at_rest(&mut self) -> Option<Fault> {
        self.moments.pop().map(|(_, fault)| fault)
    }

    /// A moment has come in the course of a command: does the process crash?
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
