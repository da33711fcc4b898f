//! Results of model checking, for assertions in tests.

use crate::explore::{Exploration, ExploreOptions, StopReason, ViolationKind, shorten};
use crate::instance::Instance;
use crate::property::Judgement;
use crate::session::trace_of;
use crate::setup::InstanceOptions;
use crate::trace::Trace;
use crate::verification::{Found, shrink};
use std::fmt;

/// The result of exploring all interleavings and choices.
pub struct Explored {
    instance: Instance,
    exploration: Exploration,
    options: InstanceOptions,
    search: ExploreOptions,
}

impl Explored {
    pub(super) fn new(
        instance: Instance,
        exploration: Exploration,
        options: InstanceOptions,
        search: ExploreOptions,
    ) -> Explored {
        Explored { instance, exploration, options, search }
    }

    /// Return the number of distinct configurations visited.
    pub fn configurations(&self) -> u64 {
        self.exploration.configurations
    }

    /// Whether the search was complete.
    pub fn is_complete(&self) -> bool {
        self.exploration.stopped_by.is_none()
    }

    /// Return the verdict of a property: `holds` (in every run), `violated` (in some run), `pending` or `not checked`.
    ///
    /// # Panics
    /// If neither the program nor its problem has a property of that name.
    #[track_caller]
    pub fn verdict(&self, property: &str) -> &'static str {
        super::verdict_word(&self.exploration.verdicts, property)
    }

    /// Whether every property that the algorithm claims holds in every run.
    pub fn holds(&self) -> bool {
        self.findings().is_empty()
    }

    /// Assert that every property that the algorithm claims holds in every run, and that the search was complete.
    ///
    /// # Panics
    /// If not: with the failures, and with a counterexample as a trace.
    #[track_caller]
    pub fn assert_holds(&self) {
        let wrong = self.findings();
        if wrong.is_empty() {
            return;
        }
        let shown = self.counterexample().map(|trace| format!("\n\n{}", trace.to_text())).unwrap_or_default();
        panic!("{self}:\n  {}{shown}", wrong.join("\n  "));
    }

    /// Return the first counterexample found, without the events that do not matter.
    pub fn counterexample(&self) -> Option<Trace> {
        let first = self.exploration.counterexamples.first()?;
        let shortened = shorten(&self.instance, first.clone());
        Some(trace_of(&self.instance, &shortened.counterexample, self.options.seed))
    }

    /// Return the first counterexample found, simplified like that of `synod verify --smallest`: with few faults, on the smallest and
    /// simplest network that has one, without the events that do not matter.
    ///
    /// ```
    /// let explored = synod::testing::library("voting").on("complete(3)").verify();
    /// let trace = explored.smallest_counterexample().unwrap();
    /// assert_eq!((trace.header.network.as_str(), trace.end.as_str()), ("complete(2)", "stuck"));
    /// ```
    pub fn smallest_counterexample(&self) -> Option<Trace> {
        let Explored { instance, exploration, options, search } = self;
        let counterexample = exploration.counterexamples.first()?;
        let shrunk =
            shrink(&Found { counterexample, exploration, instance, options, search }, &mut |_, _| None);
        Some(match &shrunk.smaller {
            Some(smaller) => trace_of(&smaller.instance, &smaller.shortened.counterexample, options.seed),
            None => trace_of(instance, &shrunk.shortened.counterexample, options.seed),
        })
    }

    fn findings(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for counterexample in &self.exploration.counterexamples {
            match &counterexample.kind {
                ViolationKind::Stuck(why) => wrong.push(format!("a run is stuck: {why}")),
                ViolationKind::Blocked(why) => wrong.push(format!("a run is blocked: {why}")),
                ViolationKind::Aborted(why) => wrong.push(format!("a run is aborted: {why}")),
                ViolationKind::Property(_) => {}
            }
        }
        for disagreement in &self.exploration.disagreements {
            wrong.push(format!("a counterexample could not be replayed: {}", disagreement.why));
        }
        let verdicts = self.exploration.verdicts.iter();
        for verdict in verdicts.filter(|v| v.promised && v.judgement != Judgement::Holds) {
            wrong.push(format!("{} is {}: {}", verdict.name, verdict.judgement.as_str(), verdict.why));
        }
        if let Some(cut) = self.exploration.stopped_by.filter(|cut| *cut != StopReason::Found) {
            wrong.push(format!("search incomplete: {}", cut.as_str()));
        }
        wrong
    }
}

/// Description of the search: `chang_roberts on ring(3), 51 configurations`.
impl fmt::Display for Explored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (algorithm, network) = (&self.instance.program.name, self.instance.network.topology());
        write!(f, "{algorithm} on {network}, {} configurations", self.exploration.configurations)
    }
}

impl fmt::Debug for Explored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Explored({self})")
    }
}
