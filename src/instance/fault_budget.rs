//! Fault budget of an instance: the assumed faults, and how many of each the user permits.

use super::Settings;
use crate::ir::{Assumptions, Budget, Detector, Fault, MESSAGES_SURVIVE};

/// The faults that can occur. Present if any fault, or a failure detector, is assumed.
#[derive(Clone, Debug)]
pub struct FaultBudget {
    /// Assumed kinds of faults. A scripted scenario is restricted only by these.
    allowed: [bool; Fault::ALL.len()],
    pub detector: Option<Detector>,
    /// The maximum number of faults of each kind; zero unless the user requests them.
    pub budget: Budget,
    /// Whether messages in transit from a crashed process may be lost: links are reliable between correct processes only
    /// (Hadzilacos and Toueg, 1993; Cachin, Guerraoui and Rodrigues, 2011, section 2.4). In rounds, a crash while sending
    /// may already omit any of the messages.
    pub crash_loses: bool,
    /// Whether the user requests that messages survive crashes.
    messages_survive: bool,
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
        let crash_loses =
            assumes.crashes && !assumes.messages_survive && !settings.messages_survive && !assumes.rounds();
        any.then_some(FaultBudget {
            allowed,
            detector: assumes.detector,
            budget,
            crash_loses,
            messages_survive: settings.messages_survive,
            assumed_restarts: 0,
        })
    }

    /// Return the budget as `--faults` takes it; empty if no fault may occur.
    pub fn show(&self) -> String {
        match self.messages_survive && self.budget.of(Fault::Crash) > 0 {
            true => format!("{}, {MESSAGES_SURVIVE}", self.budget.show()),
            false => self.budget.show(),
        }
    }

    pub fn allows(&self, fault: Fault) -> bool {
        self.allowed[fault as usize]
    }
}
