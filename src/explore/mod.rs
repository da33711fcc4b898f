//! Explicit-state model checking: explore all reachable configurations of an instance and check its properties.
//!
//! Submodules, each built on those before it:
//!
//! * `store`: storage of configurations: interned components, and packed vectors of their ids.
//! * `initial_states`: the configurations in which all processes have started.
//! * `monitor`: properties of single configurations, auxiliary variables (counts, history), and costs of steps.
//! * `reduction`: information flow, and the equivalences that it justifies: views and symmetry; the future of local states, and dead
//!   messages.
//! * `fairness`: weak-fairness constraints.
//! * `graph`: properties of whole runs, on the complete graph: bounds, liveness, Markov decision processes.
//! * `space`: state encoding: a configuration as a vector, and the exact visited set.
//! * `steps`: the successor relation, from tables of local steps where possible, otherwise by interpreting whole
//!   configurations.
//! * `counterexample`: counterexamples, shortened, replayed and explained.
//! * `search`: the search loop, with its threads, limits and verdicts.

mod store;
mod initial_states;
mod monitor;
mod reduction;
mod fairness;
mod graph;
mod space;
mod steps;
mod counterexample;
mod search;

use crate::instance::Instance;
use crate::property::{Judgement, Reason, Verdict};
use crate::semantics::Coverage;
use crate::semantics::event::Event;

pub use counterexample::choices::chosen;
pub use counterexample::confirm::{Disagreement, confirm};
pub use counterexample::shorten::{Explanation, NotShortened, Shortened, explain, shorten};
pub use graph::cycle::{UnfairStep, is_same, owed};
pub use graph::infinite_run::{InfiniteRun, Lasso, check_lasso};
pub use monitor::ends::End;
pub use reduction::port_seed;
pub use reduction::view::{ViewReport, ViewStatus};
pub use search::separate::{Detail, SeparateSearch};

// Parts that are tested on their own.
pub use fairness::FairnessConstraint;
pub use graph::fairness::Fairness;
pub use graph::{Graph, Label, lasso, liveness, mdp};
pub use initial_states::DRAWN;
pub use space::transitions;
pub use steps::{successors, transition_cache};
pub use store::{frontier, hash_index, inbox};

/// The order in which configurations are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SearchOrder {
    /// Breadth first: counterexamples are shortest among the schedules that the reductions preserve.
    #[default]
    Breadth,
    /// Newest first: finds long runs early. Single-threaded.
    Depth,
    /// Random walk with this seed: continues from each configuration to a new one until there is none, and then from any that
    /// waits. Skips visited configurations. Finds early what most schedules show in a state space too large to explore
    /// exhaustively. Single-threaded.
    Chance(u64),
}

/// Default limit of configurations: two gigabytes, at about 50 bytes each.
pub const DEFAULT_MAX_CONFIGURATIONS: u64 = 40_000_000;

/// Default limit of memory for configurations, in bytes: what a laptop can spare. Of an address space of 32 bits, it leaves
/// room for the larger copies of growing tables.
pub const DEFAULT_MAX_BYTES: usize = if usize::BITS < 64 { 1_000_000_000 } else { 4_000_000_000 };

/// Options of an exploration.
#[derive(Clone, Copy, Debug)]
pub struct ExploreOptions {
    pub order: SearchOrder,
    pub threads: usize,
    /// Partial-order reduction: omit schedules that differ from others only in the order of independent steps.
    pub reduce: bool,
    /// Symmetry reduction: visit one of the configurations that differ only in the numbering of processes, if that is
    /// unobservable.
    pub symmetry: bool,
    /// Visit one of the configurations that the program's views identify.
    pub view: bool,
    /// Keep only the events of the history that can still matter to a property. Without it, the whole history tells configurations
    /// apart.
    pub relevant_history: bool,
    /// Keep counts only as far as a property can distinguish them, so that there may be finitely many. The costs of ends are unknown then. Without
    /// it, a search with counts that reaches its limit is repeated in this way.
    pub relevant_counts: bool,
    /// Let the messages that a crash loses remain in transit, where they never arrive, if no step can distinguish that from their
    /// loss. Without it, each loss is a step.
    pub implicit_losses: bool,
    /// Receive dead messages first: messages that their receivers ignore now and for ever.
    pub dead_messages: bool,
    /// Forget which processes have woken up spontaneously, unless a property or an outcome distinguishes them.
    pub forget_wakeups: bool,
    /// Number of notes that the application may send, from any process to any other, at any time.
    pub notes: u32,
    /// Check liveness for every outcome of the random choices, instead of with probability 1.
    pub every_outcome: bool,
    /// Continue after a violation, to decide the other properties too.
    pub keep_going: bool,
    /// An incomplete exploration is of no use, unless it finds a violation. The search ends as soon as its levels grow so fast that the
    /// next ones exceed the limit of configurations, and no separate search follows one that a limit has ended.
    pub whole_or_none: bool,
    pub max_configurations: u64,
    /// Search depth: at most this many steps from an initial configuration.
    pub max_depth: Option<u32>,
    /// Limit of memory in bytes, for the configurations and the tables beside them. The search anticipates the growth of
    /// tables.
    pub max_bytes: Option<usize>,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions {
            order: SearchOrder::Breadth,
            threads: 1,
            reduce: true,
            symmetry: true,
            view: true,
            relevant_history: true,
            relevant_counts: false,
            implicit_losses: true,
            dead_messages: true,
            forget_wakeups: true,
            notes: 0,
            every_outcome: false,
            keep_going: false,
            whole_or_none: false,
            max_configurations: DEFAULT_MAX_CONFIGURATIONS,
            max_depth: None,
            max_bytes: None,
        }
    }
}

/// Progress of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub configurations: u64,
    pub steps: u64,
    pub depth: u32,
    /// Configurations that have not been expanded yet.
    pub waiting: u64,
    pub bytes: usize,
    /// Bytes needed temporarily before the limits are checked again: a full table coexists with its larger copy until all
    /// entries have been moved.
    pub bytes_to_come: usize,
}

impl Progress {
    /// Return whether the memory in use, or soon in use, reaches `most` bytes.
    pub fn is_too_much(&self, most: Option<usize>) -> bool {
        most.is_some_and(|most| self.bytes.saturating_add(self.bytes_to_come) >= most)
    }
}

/// The reason why an exploration stopped before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    Configurations,
    Depth,
    /// Before some step, too many delays or numbers of quiet rounds are possible to explore them all.
    Waits,
    /// There are too many initial configurations; some were drawn at random.
    Starts,
    Memory,
    Time,
    Interrupted,
    /// A violation was found, and the search was to stop there.
    Found,
}

/// States the values of [`crate::semantics::MOST_WAITS`] and [`crate::semantics::SOME_WAITS`].
const WAITS: &str = "more than 10000 delays or numbers of quiet rounds are possible before some step; only the 100 shortest and the 100 longest were explored";

/// States the value of [`space::initial_states::DRAWN`].
const STARTS: &str = "only 4096 initial configurations explored, drawn at random";

impl StopReason {
    /// Return the reason in words, to follow «search incomplete:».
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::Configurations => "configuration limit reached",
            StopReason::Depth => "depth limit reached",
            StopReason::Waits => WAITS,
            StopReason::Starts => STARTS,
            StopReason::Memory => "memory limit reached",
            StopReason::Time => "time limit reached",
            StopReason::Interrupted => "interrupted",
            StopReason::Found => "violation found",
        }
    }
}

/// A run that violates a property, deadlocks or aborts.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub kind: ViolationKind,
    /// From the first start of a process on.
    pub events: Vec<Event>,
    /// The run repeats the events from this index on forever (lasso).
    pub repeats_from: Option<usize>,
    /// The schedule can continue so for every outcome of the random choices; those in the cycle are an example.
    pub for_every_outcome: bool,
    /// The run itself need not exceed the bound. It contains a cycle of positive cost, so a longer run exceeds it.
    pub has_positive_cycle: bool,
}

impl Counterexample {
    /// Return a finite counterexample: a run to an end, or to the violation.
    pub fn new(what: ViolationKind, events: Vec<Event>) -> Counterexample {
        Counterexample {
            kind: what,
            events,
            repeats_from: None,
            for_every_outcome: false,
            has_positive_cycle: false,
        }
    }
}

/// The kind of violation that a counterexample shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// Index into `Program::properties`.
    Property(usize),
    /// A deadlock. One sentence.
    Stuck(String),
    /// A deadlock in which some process is down for good and all stuck processes are waiting. It does not end the search, since
    /// other violations are mostly unrelated to it.
    Blocked(String),
    /// A run-time error aborts a command. One sentence.
    Aborted(String),
}

impl ViolationKind {
    /// Return whether both are of the same kind: violations of one property, deadlocks, blocked ends, or aborts.
    pub fn is_same_kind(&self, other: &ViolationKind) -> bool {
        match (self, other) {
            (ViolationKind::Property(a), ViolationKind::Property(b)) => a == b,
            (ViolationKind::Stuck(_), ViolationKind::Stuck(_))
            | (ViolationKind::Blocked(_), ViolationKind::Blocked(_))
            | (ViolationKind::Aborted(_), ViolationKind::Aborted(_)) => true,
            _ => false,
        }
    }
}

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Number of distinct configurations, the initial ones first (all processes have just started).
    pub configurations: u64,
    /// The number of intermediate states of joint steps among them; properties are not checked there.
    pub intermediate: u64,
    /// Number of steps, each counted once for each configuration in which it is enabled.
    pub steps: u64,
    /// Greatest distance of a configuration from an initial one, in steps.
    pub depth: u32,
    pub stopped_by: Option<StopReason>,
    pub verdicts: Vec<Verdict>,
    /// Confirmed counterexamples: each has been replayed and shows its violation.
    pub counterexamples: Vec<Counterexample>,
    /// Counterexamples that could not be replayed, or do not show their violation: bugs in Synod.
    pub disagreements: Vec<Disagreement>,
    /// Whether every fair run ends almost surely. `None`: not checked.
    pub every_run_ends: Option<bool>,
    /// The ends of runs, the most frequent first.
    pub ends: Vec<End>,
    /// Whether some blocked end was accepted, since the algorithm waives a `finally` that is false there.
    pub accepted_blocked: bool,
    /// Coverage: the actions and guards that have been taken.
    pub coverage: Coverage,
    /// Bytes of the configurations and of the tables beside them.
    pub bytes: usize,
    /// Whether partial-order reduction omitted schedules.
    pub reduced: bool,
    /// Whether messages that a crash loses remained in transit: see [`ExploreOptions::implicit_losses`].
    pub implicit_losses: bool,
    /// Whether it was forgotten which processes have woken up spontaneously: see [`ExploreOptions::forget_wakeups`].
    pub forgets_wakeups: bool,
    /// Whether symmetry reduction identified configurations.
    pub symmetric: bool,
    /// Approximate number of configurations without symmetry reduction.
    pub(crate) unreduced_configurations: u64,
    /// The searches for properties that enlarge the state space, which came after the first search.
    pub separate: Vec<SeparateSearch>,
    /// The result for the program's views. `None`: it has none, or they are disabled.
    pub view: Option<ViewReport>,
    /// For each bound that a complete search has decided, the least and the greatest measured cost (`None`: unbounded).
    pub extremes: Vec<(usize, Option<i64>, Option<i64>)>,
    /// Properties that hold almost surely, but not in every run: some outcomes of the random choices violate them forever.
    pub almost_surely: Vec<usize>,
}

/// Explore all interleavings and choices of an instance, and check the named properties (`None`: all). Replay every
/// counterexample. The search calls `watch` at intervals; `watch` may end the search. The stop signal of the instance ends it between
/// two steps, and `watch` then states the reason.
pub fn explore(
    instance: &Instance,
    properties: Option<&[String]>,
    options: &ExploreOptions,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Exploration {
    let mut found = search::separate::explore(instance, properties, options, watch);
    found.confirm(instance);
    found
}

impl Exploration {
    /// Replay every counterexample. A property is undecided if none of its counterexamples is confirmed.
    fn confirm(&mut self, instance: &Instance) {
        for counterexample in std::mem::take(&mut self.counterexamples) {
            match confirm(instance, counterexample) {
                Ok(confirmed) => self.counterexamples.push(confirmed),
                Err(disagreement) => self.disagreements.push(*disagreement),
            }
        }
        for disagreement in &self.disagreements {
            let what = &disagreement.counterexample.kind;
            let ViolationKind::Property(property) = what else { continue };
            let name = &instance.program.properties[*property].name;
            let is_shown = self.counterexamples.iter().any(|other| other.kind.is_same_kind(what));
            for verdict in self.verdicts.iter_mut().filter(|verdict| verdict.name == *name && !is_shown) {
                verdict.judgement = Judgement::NotChecked;
                verdict.why = Reason::NotReplayed;
            }
        }
    }
}
