//! What may go wrong in an instance: what the algorithm assumes, and how much of it a person asked for.

use super::Settings;
use crate::ir::{Assumptions, Budget, Detector, Fault};

/// Present where any fault, or a failure detector, is assumed.
#[derive(Clone, Debug)]
pub struct FaultBudget {
    /// What may happen at all. A scenario, which says itself what happens, needs no more than this.
    allowed: [bool; Fault::ALL.len()],
    pub detector: Option<Detector>,
    /// How often. Nothing, where nobody asks for it.
    pub budget: Budget,
    /// So many restarts more may still be hoped for at every end, though none of them happens: of runs with many restarts allowed, only
    /// those with few are looked at.
    pub restarts_to_hope_for: u32,
}

impl FaultBudget {
    pub(super) fn new(
        assumes: &Assumptions,
        settings: &Settings,
        wrong: &mut Vec<String>,
    ) -> Option<FaultBudget> {
        let allows = |fault| match fault {
            Fault::Crash => assumes.crashes,
            Fault::Restart => assumes.restarts,
            Fault::Loss => assumes.loses,
            Fault::Duplication => assumes.duplicates,
            Fault::Link => assumes.links_fail,
            Fault::Suspicion => assumes.detector == Some(Detector::EventuallyPerfect),
            Fault::Lie => assumes.oracles_err,
        };
        let mut budget = Budget::default();
        for (fault, count) in &settings.faults {
            if *count > 0 && !allows(*fault) {
                wrong.push(format!(
                    "the fault `{}` is asked for, and the algorithm does not assume `{}`",
                    fault.as_str(),
                    fault.assumption()
                ));
            }
            budget.set(*fault, *count);
        }
        let allowed = Fault::ALL.map(allows);
        let any = allowed.contains(&true) || assumes.detector.is_some();
        any.then_some(FaultBudget { allowed, detector: assumes.detector, budget, restarts_to_hope_for: 0 })
    }

    pub fn allows(&self, fault: Fault) -> bool {
        self.allowed[fault as usize]
    }
}
