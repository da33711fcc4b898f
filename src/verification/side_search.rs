//! Search of an instance for a counterexample of a given kind.

use crate::explore::{
    Counterexample, Exploration, ExploreOptions, Progress, SearchOrder, StopReason, ViolationKind, explore,
};
use crate::instance::Instance;

/// Least and greatest limit of configurations for a search for a simpler counterexample. The greatest takes a second or two.
const ASIDE: (u64, u64) = (20_000, 200_000);

/// Return the limit for a search that should end quickly: the number of configurations that the first search visited, within bounds.
pub fn quick_limit(configurations: u64) -> u64 {
    configurations.clamp(ASIDE.0, ASIDE.1)
}

/// Return the limit for a search that should be complete: the number of configurations that the first search visited, if that is greater.
pub fn thorough_limit(configurations: u64) -> u64 {
    configurations.max(ASIDE.1)
}

/// A breadth-first search for a counterexample that shows the same. Other violations do not stop it.
pub struct SideSearch<'s> {
    pub search: &'s ExploreOptions,
    pub kind: &'s ViolationKind,
    /// Limit of configurations.
    pub most: u64,
}

pub struct SideResult {
    pub exploration: Exploration,
    pub like: Option<Counterexample>,
}

impl SideSearch<'_> {
    pub fn run(
        &self,
        instance: &Instance,
        watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
    ) -> SideResult {
        let names = match self.kind {
            ViolationKind::Property(property) => vec![instance.program.properties[*property].name.clone()],
            _ => Vec::new(),
        };
        let search =
            ExploreOptions { order: SearchOrder::Breadth, max_configurations: self.most, ..*self.search };
        let mut look = |keep_going| {
            let exploration =
                explore(instance, Some(&names), &ExploreOptions { keep_going, ..search }, watch);
            let like = exploration.counterexamples.iter().find(|c| c.kind.is_same_kind(self.kind)).cloned();
            SideResult { exploration, like }
        };
        match look(false) {
            SideResult {
                exploration: Exploration { stopped_by: Some(StopReason::Found), .. },
                like: None,
            } => look(true),
            found => found,
        }
    }
}
