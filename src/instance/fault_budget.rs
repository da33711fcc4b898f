//! Fault budget of an instance: the assumed faults, and how many of each the user permits.

use super::Settings;
use crate::ir::{Assumptions, Budget, Detector, Fault};

/// The faults that can occur. Present if any fault, or a failure detector, is assumed.
#[derive(Clone, Debug)]
pub struct FaultBudget {
    /// Assumed kinds of faults. A scripted scenario is restricted only by these.
    allowed: [bool; Fault::ALL.len()],
    pub detector: Option<Detector>,
    /// The maximum number of faults of each kind; zero unless the user requests them.
    pub budget: Budget,
    /// Restarts that count as possible at every end, although none of them occurs. Used to search, of the runs of an instance
    /// with many restarts, only those with few.
    pub assumed_restarts: u32,
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
            Fault::OracleError => assumes.unreliable_oracles,
        };
        let mut budget = Budget::default();
        for (fault, count) in &settings.faults {
            if *count > 0 && !allows(*fault) {
                wrong.push(format!(
                    "the fault `{}` was requested, but the algorithm does not assume `{}`",
                    fault.as_str(),
                    fault.assumption()
                ));
            }
            budget.set(*fault, *count);
        }
        let allowed = Fault::ALL.map(allows);
        let any = allowed.contains(&true) || assumes.detector.is_some();
        any.then_some(FaultBudget { allowed, detector: assumes.detector, budget, assumed_restarts: 0 })
    }

    pub fn allows(&self, fault: Fault) -> bool {
        self.allowed[fault as usize]
    }
}
