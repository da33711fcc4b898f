//! Counterexamples made easier to read: nearer, shorter, with fewer faults, on smaller networks.

use super::counterexample::{Found, OnSmaller};
use super::faults::{self, Faults};
use super::progress::{self, ProgressDisplay};
use super::shrink::{self, Smaller};
use super::units::Clock;
use super::{Course, OrderName, VerifyOptions};
use crate::cli::output::Output;
use crate::explore::{
    Counterexample, Exploration, ExploreOptions as Search, Progress, SearchOrder, Shortened, Stop,
    StopReason, ViolationKind, explain, explore, shorten,
};
use crate::instance::Instance;
use crate::ir::Program;
use crate::session::{trace_of, went_wrong};
use std::sync::Arc;

/// Searches for a counterexample that is easier to read may have so many configurations, however few the search at hand had; and no
/// more than these, a second or two.
const ASIDE: (u64, u64) = (20_000, 200_000);

impl Course {
    /// A search beside it, in so many configurations at most: for a run on another instance that shows the same. Whatever else is
    /// found on the way does not end it.
    pub(super) fn aside(
        &self,
        program: &Program,
        instance: &Instance,
        what: &ViolationKind,
        most: u64,
        watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
    ) -> (Exploration, Option<Counterexample>) {
        let names = match what {
            ViolationKind::Property(property) => vec![program.properties[*property].name.clone()],
            _ => Vec::new(),
        };
        let search = Search {
            order: SearchOrder::Breadth,
            max_configurations: most.clamp(ASIDE.0, ASIDE.1),
            ..self.search()
        };
        let mut look = |keep_going| {
            let found = explore(instance, Some(&names), &Search { keep_going, ..search }, watch);
            let like = found.counterexamples.iter().find(|c| c.what.is_like(what)).cloned();
            (found, like)
        };
        match look(false) {
            (Exploration { cut: Some(StopReason::Found), .. }, None) => look(true),
            found => found,
        }
    }
}

impl VerifyOptions {
    /// The counterexample as it is shown: shorter if possible, explained, and on a smaller network beside it.
    pub(super) fn found(
        &self,
        program: &Arc<Program>,
        instance: &Arc<Instance>,
        counterexample: &Counterexample,
        exploration: &Exploration,
        seed: u64,
        (clock, out): (&Clock, &Output),
    ) -> Found {
        let mut shortened = self.nearest(program, instance, counterexample, exploration, (clock, out));
        let promised = match shortened.counterexample.what {
            ViolationKind::Property(property) => {
                let p = &program.properties[property];
                p.promised || self.course.property.contains(&p.name)
            }
            _ => true,
        };
        let most = exploration.configurations;
        let (mut faults, mut smaller) = (None, None);
        if promised {
            let mut looks = ProgressDisplay::new("with fewer faults: ", clock, &self.course, out);
            let mut watch = |progress: &Progress| looks.at(progress);
            faults = faults::fewest(self, (program, seed), instance, &mut shortened, &mut watch);
            drop(looks);
            let used = faults.as_ref().map(|faults| faults.used);
            let mut looks = ProgressDisplay::new("on smaller networks: ", clock, &self.course, out);
            let mut watch = |progress: &Progress| looks.at(progress);
            let shown = &shortened.counterexample;
            smaller = shrink::find(self, (program, seed), instance, shown, used, most, &mut watch);
        }
        let used = |smaller: &Smaller| {
            let allowed = smaller.instance.hazards()?.budget;
            Some(faults::used(&smaller.instance, allowed, &smaller.shortened.counterexample))
        };
        let mut why = faults.as_ref().and_then(|faults| faults.why.clone());
        let (mut instance, mut instead) = (Arc::clone(instance), None);
        if let Some(found) = smaller.take_if(|_| self.course.smallest) {
            faults = used(&found).map(Faults::seen);
            instead = Some(shortened.counterexample.events.len());
            (instance, shortened, why) = (Arc::new(found.instance), found.shortened, found.why);
        }
        let Shortened { counterexample, left_out } = shortened;
        let smaller = smaller.map(|s| OnSmaller {
            topology: s.instance.network.topology().into(),
            ids: s.instance.network.ids().to_vec(),
            faults: used(&s),
            trace: trace_of(&s.instance, &s.shortened.counterexample, seed),
        });
        let explanation = explain(&instance, &counterexample);
        let trace = trace_of(&instance, &counterexample, seed);
        let went_wrong = went_wrong(&instance, &counterexample);
        Found {
            instance,
            instead,
            counterexample,
            left_out,
            trace,
            why,
            explanation,
            faults,
            went_wrong,
            smaller,
        }
    }

    /// The counterexample without what does not matter; where the search did not take the nearest first, the nearest that shows the
    /// same, if it is found soon.
    fn nearest(
        &self,
        program: &Program,
        instance: &Instance,
        counterexample: &Counterexample,
        exploration: &Exploration,
        (clock, out): (&Clock, &Output),
    ) -> Shortened {
        let stop = Some(progress::is_over as Stop);
        let first = shorten(instance, counterexample.clone(), stop);
        if self.course.order == OrderName::Breadth {
            return first;
        }
        let mut looks = ProgressDisplay::new("nearer: ", clock, &self.course, out);
        let most = exploration.configurations;
        let (_, like) = self
            .course
            .aside(program, instance, &counterexample.what, most, &mut |progress| looks.at(progress));
        let conjunct =
            |shortened: &Shortened| explain(instance, &shortened.counterexample).and_then(|e| e.span);
        match like.map(|nearer| shorten(instance, nearer, stop)) {
            Some(nearer)
                if nearer.counterexample.events.len() < first.counterexample.events.len()
                    && conjunct(&nearer) == conjunct(&first) =>
            {
                nearer
            }
            _ => first,
        }
    }
}
