//! Every schedule: all configurations an instance can reach, and what is true of them.
//!
//! Its rooms, each of which builds on those before it, the first four on one another, too:
//!
//! * `space`: configurations as short vectors of numbers, kept exactly, and which of them count as one (symmetry, views).
//! * `judge`: properties of single configurations, what runs have counted and observed, and what steps cost.
//! * `steps`: what follows a configuration, by tables of local steps where that can be, else step by step.
//! * `graph`: whole runs, once all configurations and the steps between them are known: bounds, what must happen, chance.
//! * `retell`: the run that shows what is wrong, made shorter, and explained.
//! * `search`: the one loop that goes through all of it, with its threads, its limits and its verdicts.

mod graph;
mod monitor;
mod space;
mod steps;
mod counterexample;
mod search;

use crate::instance::Instance;
use crate::property::{Judgement, Verdict};
use crate::semantics::Coverage;
use crate::semantics::event::Event;

pub use counterexample::choices::chosen;
pub use counterexample::confirm::{Disagreement, confirm};
pub use counterexample::shorten::{Explanation, Needs, Shortened, explain, shorten};
pub use graph::cycle::{Owed, is_same, owed};
pub use graph::infinite_run::{InfiniteRun, Lasso, goes_round};
pub use monitor::ends::End;
pub use space::view::{ViewReport, ViewStatus};
pub(crate) use steps::choices::EveryChoice;

/// What is searched first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SearchOrder {
    /// Nearest first: counterexamples are shortest among the schedules that the reductions preserve.
    #[default]
    Breadth,
    /// Newest first: finds long ways early. One thread.
    Depth,
    /// By chance, with this seed: from each configuration on to one that is new, as a random run goes, until nothing is new; then again
    /// from any of those that wait. Finds early what most schedules show, in whatever is too large to be seen as a whole. One thread.
    Chance(u64),
}

/// Most configurations where nothing else is said: at some 50 bytes each, two gigabytes.
pub const DEFAULT_MAX_CONFIGURATIONS: u64 = 40_000_000;

/// Most bytes of configurations where nothing else is said: what a laptop can spare.
pub const DEFAULT_MAX_BYTES: usize = 4_000_000_000;

/// Asked between single steps, by every thread: is it time to stop? Once it has said so it goes on saying so.
pub type Stop = fn() -> bool;

/// How an exploration goes.
#[derive(Clone, Copy, Debug)]
pub struct ExploreOptions {
    pub order: SearchOrder,
    pub threads: usize,
    /// Leave out schedules that differ from others only in the order of steps that cannot influence one another.
    pub reduce: bool,
    /// Take one configuration for all that differ only in the numbering of processes, where nobody can tell.
    pub symmetry: bool,
    /// Take one configuration for all that differ only in what the program's views name.
    pub view: bool,
    /// So many notes the application may send, from anybody to anybody, at any time.
    pub notes: u32,
    /// What must happen must happen however badly the coins fall, and not only with probability 1.
    pub surely: bool,
    /// Go on after a violation, to decide the other properties too.
    pub keep_going: bool,
    pub max_configurations: u64,
    /// Steps from the beginning.
    pub max_depth: Option<u32>,
    /// Bytes of the configurations kept, and of what is remembered beside them. It is foreseen when tables grow.
    pub max_bytes: Option<usize>,
    /// Ends the search in the middle of what it is doing; who watches says why. None: it stops where it looks at its limits only.
    pub stop: Option<Stop>,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions {
            order: SearchOrder::Breadth,
            threads: 1,
            reduce: true,
            symmetry: true,
            view: true,
            notes: 0,
            surely: false,
            keep_going: false,
            max_configurations: DEFAULT_MAX_CONFIGURATIONS,
            max_depth: None,
            max_bytes: None,
            stop: None,
        }
    }
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub configurations: u64,
    pub steps: u64,
    pub depth: u32,
    /// Configurations whose successors have still to be looked at.
    pub waiting: u64,
    pub bytes: usize,
    /// So many more will be taken for a while before limits are looked at next: where a table is full, there is a larger one beside it
    /// until all has been moved.
    pub bytes_to_come: usize,
}

impl Progress {
    /// Does it take more bytes than it may?
    pub fn is_too_much(&self, most: Option<usize>) -> bool {
        most.is_some_and(|most| self.bytes.saturating_add(self.bytes_to_come) >= most)
    }
}

/// Why an exploration stopped before it had seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    Configurations,
    Depth,
    /// So many lengths of time, or numbers of quiet rounds, may pass before some step that they were not all tried.
    Waits,
    /// There are so many initial configurations that some were drawn by chance.
    Starts,
    Memory,
    Time,
    Interrupted,
    /// A violation was found, and nothing more was asked for.
    Found,
}

/// With the numbers of [`crate::semantics::MOST_WAITS`] and [`crate::semantics::SOME_WAITS`].
const WAITS: &str = "where more than 10000 lengths of time or numbers of quiet rounds may pass before a step, only the 100 shortest and the 100 longest were tried";

/// With the number of [`space::initial_states::DRAWN`].
const STARTS: &str = "of the initial configurations 4096 were drawn by chance";

impl StopReason {
    /// In words, to follow «not everything was seen:».
    pub fn word(self) -> &'static str {
        match self {
            StopReason::Configurations => "the limit of configurations was reached",
            StopReason::Depth => "the limit of depth was reached",
            StopReason::Waits => WAITS,
            StopReason::Starts => STARTS,
            StopReason::Memory => "the limit of memory was reached",
            StopReason::Time => "the limit of time was reached",
            StopReason::Interrupted => "it was interrupted",
            StopReason::Found => "a violation was found",
        }
    }
}

/// A run that shows what is wrong.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub what: ViolationKind,
    /// From the first start on.
    pub events: Vec<Event>,
    /// The run goes on for ever with the events from this one on, again and again.
    pub repeats_from: Option<usize>,
    /// The schedule can go on so whatever the coins show: those in what repeats are an example.
    pub whatever_the_coins: bool,
    /// The run need not exceed the bound: it contains a cycle that increases the cost, so that a longer run exceeds the bound.
    pub outgrows: bool,
}

impl Counterexample {
    /// A finite run: to an end, or to the violation.
    pub fn new(what: ViolationKind, events: Vec<Event>) -> Counterexample {
        Counterexample { what, events, repeats_from: None, whatever_the_coins: false, outgrows: false }
    }
}

/// What a counterexample shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// Index into `Program::properties`.
    Property(usize),
    /// Nothing can go on, though something should. One sentence.
    Stuck(String),
    /// The same, where somebody is down and does not come back, and those who are stuck wait. It ends no search: what else is wrong
    /// has little to do with it.
    Blocked(String),
    /// A command goes wrong. One sentence.
    Aborted(String),
}

impl ViolationKind {
    /// Are these about the same: one property, stuck ends, blocked ones, commands that go wrong?
    pub fn is_like(&self, other: &ViolationKind) -> bool {
        match (self, other) {
            (ViolationKind::Property(a), ViolationKind::Property(b)) => a == b,
            (ViolationKind::Stuck(_), ViolationKind::Stuck(_))
            | (ViolationKind::Blocked(_), ViolationKind::Blocked(_))
            | (ViolationKind::Aborted(_), ViolationKind::Aborted(_)) => true,
            _ => false,
        }
    }
}

/// What an exploration has found.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Distinct configurations; the first ones are those in which all processes have just started.
    pub configurations: u64,
    /// So many of them lie in the middle of a joint step: nobody sees them, and no property is asked of them.
    pub between: u64,
    /// Steps between them, each counted once for each configuration it leads out of.
    pub steps: u64,
    /// Of the configuration farthest from the beginning, starts not counted.
    pub depth: u32,
    pub cut: Option<StopReason>,
    pub verdicts: Vec<Verdict>,
    /// Confirmed counterexamples: each has been replayed, and shows its violation.
    pub counterexamples: Vec<Counterexample>,
    /// Counterexamples that could not be replayed, or do not show their violation: bugs in Synod.
    pub disagreements: Vec<Disagreement>,
    /// Does every run come to an end that is fair, unless coins fall badly for ever? None: that was not looked into.
    pub every_run_ends: Option<bool>,
    /// How runs end, the commonest first.
    pub ends: Vec<End>,
    /// Are there blocked ends that are none the worse for it, since a `finally` is false there that the algorithm gives up?
    pub given_up: bool,
    /// Which actions and guards have been taken.
    pub seen: Coverage,
    /// Bytes of the configurations kept, and of what is remembered beside them.
    pub bytes: usize,
    /// Were schedules left out that differ only in the order of independent steps?
    pub reduced: bool,
    /// Was one configuration taken for all that differ only in the numbering of processes?
    pub symmetric: bool,
    /// How many configurations there are, about, where none stands for others that differ in the numbering of processes.
    pub(crate) told_apart: u64,
    /// Configurations of searches beside this one, for properties that are judged apart.
    pub(crate) apart: u64,
    /// What the program's views were worth. None: it has none, or nobody wanted them.
    pub view: Option<ViewReport>,
    /// For bounds: what they measure, at least and at most; of violated ones only where everything was looked at. None: any number.
    pub extremes: Vec<(usize, Option<i64>, Option<i64>)>,
    /// Properties that hold with probability 1, and not in every run: coins that fall badly for ever would violate them.
    pub almost_surely: Vec<usize>,
}

/// Explore all interleavings and choices of an instance, and check the named properties (None: all). Every counterexample is replayed.
/// The search calls `watch` at intervals; `watch` may end the search.
pub fn explore(
    instance: &Instance,
    properties: Option<&[String]>,
    options: &ExploreOptions,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Exploration {
    let mut found = search::explore(instance, properties, options, watch);
    found.confirm(instance);
    found
}

impl Exploration {
    /// Replay every counterexample. A property whose only counterexamples are not confirmed is not decided.
    fn confirm(&mut self, instance: &Instance) {
        for counterexample in std::mem::take(&mut self.counterexamples) {
            match confirm(instance, counterexample) {
                Ok(confirmed) => self.counterexamples.push(confirmed),
                Err(disagreement) => self.disagreements.push(*disagreement),
            }
        }
        for disagreement in &self.disagreements {
            let what = &disagreement.counterexample.what;
            let ViolationKind::Property(property) = what else { continue };
            let name = &instance.program.properties[*property].name;
            let is_shown = self.counterexamples.iter().any(|other| other.what.is_like(what));
            for verdict in self.verdicts.iter_mut().filter(|verdict| verdict.name == *name && !is_shown) {
                verdict.judgement = Judgement::NotChecked;
                verdict.why = "the counterexample could not be replayed".into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StopReason;
    use crate::explore::space::initial_states::DRAWN;
    use crate::semantics::{MOST_WAITS, SOME_WAITS};

    #[test]
    fn how_many_starts_are_drawn_is_told() {
        assert!(StopReason::Starts.word().contains(&format!("configurations {DRAWN} were drawn")));
    }

    #[test]
    fn how_many_waits_are_tried_is_told() {
        let words = StopReason::Waits.word();
        assert!(words.contains(&format!("more than {MOST_WAITS} lengths")), "{words}");
        assert!(
            words.contains(&format!("the {SOME_WAITS} shortest and the {SOME_WAITS} longest")),
            "{words}"
        );
    }
}
