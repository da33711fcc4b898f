//! Simplification of counterexamples: shorter, with fewer faults, on smaller networks.

use super::counterexample::{ExplainedCounterexample, OnSmaller};
use super::faults::{self, Faults};
use super::progress::{Limits, ProgressDisplay};
use super::shrink::{self, Smaller};
use super::{OrderName, SearchArgs, VerifyOptions};
use crate::cli::output::Output;
use crate::explore::{
    Counterexample, Exploration, ExploreOptions as Search, Progress, SearchOrder, Shortened, StopReason,
    ViolationKind, explain, explore, shorten,
};
use crate::instance::Instance;
use crate::ir::Program;
use crate::session::{runtime_error, trace_of};
use std::sync::Arc;

/// Least and greatest limit of configurations for a search for a simpler counterexample. The greatest takes a second or two.
const ASIDE: (u64, u64) = (20_000, 200_000);

impl SearchArgs {
    /// Search another instance for a counterexample that shows the same, in at most `most` configurations. Other violations do not stop the
    /// search.
    pub(super) fn side_search(
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
            let like = found.counterexamples.iter().find(|c| c.kind.is_same_kind(what)).cloned();
            (found, like)
        };
        match look(false) {
            (Exploration { stopped_by: Some(StopReason::Found), .. }, None) => look(true),
            found => found,
        }
    }
}

impl VerifyOptions {
    /// Return the counterexample for the report: simplified, explained, and with a smaller one on a smaller network.
    pub(super) fn simplified(
        &self,
        program: &Arc<Program>,
        instance: &Arc<Instance>,
        counterexample: &Counterexample,
        exploration: &Exploration,
        seed: u64,
        (limits, out): (&Limits, &Output),
    ) -> ExplainedCounterexample {
        let mut shortened = self.shortened(program, instance, counterexample, exploration, (limits, out));
        let promised = match shortened.counterexample.kind {
            ViolationKind::Property(property) => {
                let p = &program.properties[property];
                p.is_claimed || self.course.property.contains(&p.name)
            }
            _ => true,
        };
        let most = exploration.configurations;
        let stop = limits.stop();
        let (mut faults, mut smaller) = (None, None);
        if promised {
            let mut looks = ProgressDisplay::new("fewer faults: ", limits, &self.course, out);
            let mut watch = |progress: &Progress| looks.at(progress);
            faults = faults::minimize(self, (program, seed), instance, &mut shortened, &stop, &mut watch);
            drop(looks);
            let used = faults.as_ref().map(|faults| faults.used);
            let mut looks = ProgressDisplay::new("smaller networks: ", limits, &self.course, out);
            let mut watch = |progress: &Progress| looks.at(progress);
            let shown = &shortened.counterexample;
            smaller = shrink::find(self, (program, seed), instance, shown, used, (most, &stop), &mut watch);
        }
        let used = |smaller: &Smaller| {
            let allowed = smaller.instance.active_faults()?.budget;
            Some(faults::faults_in_run(&smaller.instance, allowed, &smaller.shortened.counterexample))
        };
        let mut why = faults.as_ref().and_then(|faults| faults.why.clone());
        let (mut instance, mut instead) = (Arc::clone(instance), None);
        if let Some(found) = smaller.take_if(|_| self.course.smallest) {
            faults = used(&found).map(Faults::not_minimized);
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
        let went_wrong = runtime_error(&instance, &counterexample);
        ExplainedCounterexample {
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

    /// Return the counterexample without irrelevant events. If the search was not breadth first, also search for a shorter one that shows
    /// the same.
    fn shortened(
        &self,
        program: &Program,
        instance: &Instance,
        counterexample: &Counterexample,
        exploration: &Exploration,
        (limits, out): (&Limits, &Output),
    ) -> Shortened {
        let first = shorten(instance, counterexample.clone());
        if self.course.order == OrderName::Breadth {
            return first;
        }
        let mut looks = ProgressDisplay::new("shorter: ", limits, &self.course, out);
        let most = exploration.configurations;
        let (_, like) =
            self.course.side_search(program, instance, &counterexample.kind, most, &mut |progress| {
                looks.at(progress)
            });
        let conjunct =
            |shortened: &Shortened| explain(instance, &shortened.counterexample).and_then(|e| e.span);
        match like.map(|nearer| shorten(instance, nearer)) {
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
