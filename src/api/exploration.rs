//! Model checking.

use super::instance::Instance;
use super::verdict::PropertyVerdict;
use crate::explore::{
    self, DEFAULT_MAX_BYTES, DEFAULT_MAX_CONFIGURATIONS, ExploreOptions, SearchOrder, StopReason,
    ViolationKind, shorten,
};
use crate::report::Verdict;
use crate::session::trace_of;
use crate::trace::Trace;
use crate::verification::{Found, shrink};
use std::fmt;

/// Options of an exploration. Reductions are enabled; they apply only where no property can observe the difference.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// The order in which configurations are explored.
    pub order: SearchOrder,
    /// Number of threads. The result does not depend on it.
    pub threads: usize,
    /// Continue after a violation, to decide the other properties too.
    pub keep_going: bool,
    /// Maximum number of configurations; beyond, the search is incomplete.
    pub max_configurations: u64,
    /// Maximum length of a run in steps. `None`: no limit.
    pub max_depth: Option<u32>,
    /// Maximum memory for configurations in bytes.
    pub max_bytes: usize,
}

impl Default for SearchOptions {
    /// Breadth first, on one thread, until a violation is found; as many configurations as fit into 4 GB (into 1 GB on 32 bits).
    fn default() -> SearchOptions {
        SearchOptions {
            order: SearchOrder::Breadth,
            threads: 1,
            keep_going: false,
            max_configurations: DEFAULT_MAX_CONFIGURATIONS,
            max_depth: None,
            max_bytes: DEFAULT_MAX_BYTES,
        }
    }
}

/// The result of exploring all interleavings and choices of an instance.
///
/// ```
/// use synod::{SearchOptions, Verdict};
///
/// let election = synod::Program::library("chang_roberts")?;
/// let explored = election.on("ring(3)").instantiate()?.explore(&SearchOptions::default());
/// assert!(explored.is_complete() && explored.holds());
/// assert_eq!(explored.verdict("at_most"), Verdict::Holds);
///
/// // Naive voting deadlocks: each process has its own vote, and waits for the vote of the other process.
/// let voting = synod::Program::library("voting")?;
/// let explored = voting.on("complete(2)").instantiate()?.explore(&SearchOptions::default());
/// let deadlock = explored.counterexample().unwrap();
/// assert!(deadlock.events.len() <= 12);
/// println!("{}", deadlock.diagram());
/// # Ok::<(), synod::Error>(())
/// ```
pub struct Exploration {
    instance: Instance,
    search: ExploreOptions,
    exploration: explore::Exploration,
}

impl Instance {
    /// Explore all interleavings, choices and permitted faults, like `synod verify`. This may take long: networks of three to
    /// five processes are usual. Counterexamples are replayed step by step before they are reported.
    pub fn explore(&self, options: &SearchOptions) -> Exploration {
        let search = ExploreOptions {
            order: options.order,
            threads: options.threads,
            keep_going: options.keep_going,
            max_configurations: options.max_configurations,
            max_depth: options.max_depth,
            max_bytes: Some(options.max_bytes),
            ..ExploreOptions::default()
        };
        let exploration = explore::explore(&self.instance, None, &search, &mut |_| None);
        Exploration { instance: self.clone(), search, exploration }
    }
}

impl Exploration {
    /// Return the number of distinct configurations visited.
    pub fn configurations(&self) -> u64 {
        self.exploration.configurations
    }

    /// Return the number of steps, each counted once for each configuration in which it is enabled.
    pub fn steps(&self) -> u64 {
        self.exploration.steps
    }

    /// Whether the search was complete: it stopped neither at a limit nor at a violation.
    pub fn is_complete(&self) -> bool {
        self.exploration.stopped_by.is_none()
    }

    /// Return the verdicts on all properties, each for all runs.
    pub fn verdicts(&self) -> Vec<PropertyVerdict> {
        PropertyVerdict::all(&self.exploration.verdicts)
    }

    /// Return the verdict on a property: it holds in every run, or is violated in some run, or is undecided.
    ///
    /// # Panics
    /// If neither the program nor its problem has a property of that name.
    #[track_caller]
    pub fn verdict(&self, property: &str) -> Verdict {
        PropertyVerdict::of(&self.exploration.verdicts, property)
    }

    /// Whether every property that the algorithm claims holds in every run, no run is stuck or aborted, and the search was
    /// complete.
    pub fn holds(&self) -> bool {
        self.findings().is_empty()
    }

    /// Return every reason why the algorithm does not [hold](Exploration::holds), one sentence each.
    pub fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for counterexample in &self.exploration.counterexamples {
            match &counterexample.kind {
                ViolationKind::Stuck(why) => findings.push(format!("a run is stuck: {why}")),
                ViolationKind::Blocked(why) => findings.push(format!("a run is blocked: {why}")),
                ViolationKind::Aborted(why) => findings.push(format!("a run is aborted: {why}")),
                ViolationKind::Property(_) => {}
            }
        }
        for disagreement in &self.exploration.disagreements {
            findings.push(format!("a counterexample could not be replayed: {}", disagreement.why));
        }
        findings.extend(PropertyVerdict::findings(&self.exploration.verdicts));
        if let Some(cut) = self.exploration.stopped_by.filter(|cut| *cut != StopReason::Found) {
            findings.push(format!("search incomplete: {}", cut.as_str()));
        }
        findings
    }

    /// Return the first counterexample found, without the events that do not matter.
    pub fn counterexample(&self) -> Option<Trace> {
        let first = self.exploration.counterexamples.first()?;
        let shortened = shorten(&self.instance.instance, first.clone());
        Some(trace_of(&self.instance.instance, &shortened.counterexample, self.instance.options.seed))
    }

    /// Return the first counterexample found, simplified like that of `synod verify --smallest`: with few faults, on the smallest and
    /// simplest network that has one, without the events that do not matter.
    ///
    /// ```
    /// let voting = synod::Program::library("voting")?;
    /// let explored = voting.on("complete(3)").instantiate()?.explore(&synod::SearchOptions::default());
    /// let trace = explored.smallest_counterexample().unwrap();
    /// assert_eq!((trace.header.network.as_str(), trace.end.as_str()), ("complete(2)", "stuck"));
    /// # Ok::<(), synod::Error>(())
    /// ```
    pub fn smallest_counterexample(&self) -> Option<Trace> {
        let (instance, options) = (&*self.instance.instance, &*self.instance.options);
        let Exploration { search, exploration, .. } = self;
        let counterexample = exploration.counterexamples.first()?;
        let shrunk =
            shrink(&Found { counterexample, exploration, instance, options, search }, &mut |_, _| None);
        Some(match &shrunk.smaller {
            Some(smaller) => trace_of(&smaller.instance, &smaller.shortened.counterexample, options.seed),
            None => trace_of(instance, &shrunk.shortened.counterexample, options.seed),
        })
    }
}

/// Description of the search: `chang_roberts on ring(3), 51 configurations`.
impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} configurations", self.instance, self.exploration.configurations)
    }
}

impl fmt::Debug for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exploration({self})")
    }
}
