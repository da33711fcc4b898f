//! The results of a search: verdicts and counterexamples.

use crate::explore::counterexample::path;
use crate::explore::counterexample::path::{Last, Selection};
use crate::explore::initial_states::AbortedStart;
use crate::explore::monitor::{Followed, is_live};
use crate::explore::reduction::view::{ViewReport, ViewStatus};
use crate::explore::search::violations::{FoundViolation, ViolationPath};
use crate::explore::search::{Purpose, Search};
use crate::explore::space::losses::Losses;
use crate::explore::{
    Counterexample, Disagreement, Exploration, Progress, StopReason, ViolationKind, initial_states,
};
use crate::ids::StateId;
use crate::instance::Instance;
use crate::ir::{Property, PropertyKind};
use crate::property::{Judgement, Reason, Verdict, false_premise};
use crate::prose;
use crate::semantics::event::Event;
use crate::semantics::{Abort, Configuration, Coverage, History, Machine};
use crate::simulate::{Held, Outcome, Unobserved, classify, replay};

/// Limit of distinct reasons within a cycle that a verdict lists.
const MOST_REASONS: usize = 2;

/// Number of configurations sampled to estimate the size of equivalence classes.
const SAMPLE: usize = 1 << 14;

/// Limit of configurations up to which the runs of an incomplete exploration are checked, if it is of no use without a violation.
const MOST_KNOWN: u64 = 100_000;

fn is_out_of_room(cut: Option<StopReason>) -> bool {
    matches!(cut, Some(StopReason::Memory | StopReason::Time | StopReason::Interrupted))
}

impl Search<'_> {
    pub fn finish(mut self, watch: &mut dyn FnMut(&Progress) -> Option<StopReason>) -> Exploration {
        let mut about_runs = Vec::new();
        self.complete = self.cut.is_none();
        if self.complete {
            about_runs = self.check_runs(watch);
        } else if matches!(
            self.cut,
            Some(StopReason::Configurations | StopReason::Depth | StopReason::Starts)
        ) && (!self.options.whole_or_none || self.configurations <= MOST_KNOWN)
        {
            self.judge_known_runs(watch);
            // An exploration with a violation is of use, complete or not.
            if self.options.whole_or_none && !self.options.keep_going && self.has_found() {
                self.cut = Some(StopReason::Found);
            }
        }
        let mut violations = std::mem::take(&mut self.violations);
        if let Some(ViewReport { standing: ViewStatus::Claimed { .. }, .. }) = self.view_report {
            violations.retain(|violation| self.is_certain(violation));
        }
        let (counterexamples, disagreements) = self.counterexamples(&mut violations);
        let mut judged: Vec<usize> = self.monitor.indices().collect();
        judged.sort_unstable();
        let mut verdicts: Vec<Verdict> = Vec::new();
        for property in judged {
            let about_run = about_runs.iter().find(|(p, _)| *p == property);
            let mut verdict = self.verdict(property, &violations, about_run.map(|(_, why)| why));
            match false_premise(&self.monitor.instance.program.properties[property], self.monitor.instance) {
                Some(premise) => verdict.does_not_apply(premise),
                None => {
                    let own = &self.monitor.instance.program.properties[property];
                    verdict.add_vacuity(own, self.monitor.premises_never_true(property));
                }
            }
            verdicts.push(verdict);
        }
        let holds = |property: &usize| about_runs.iter().any(|(held, _)| held == property);
        let almost_surely = self.by_chance.iter().copied().filter(holds).collect();
        let given_up = self.ends.given_up;
        // An incomplete search has not seen the costs of all runs.
        if !self.complete {
            self.extremes.clear();
        }
        Exploration {
            configurations: self.configurations,
            unreduced_configurations: self.told_apart(),
            separate: Vec::new(),
            intermediate: self.between,
            steps: self.steps,
            depth: self.depth,
            stopped_by: self.cut,
            verdicts,
            extremes: std::mem::take(&mut self.extremes),
            almost_surely,
            counterexamples,
            disagreements,
            every_run_ends: self.every_run_ends(),
            ends: std::mem::take(&mut self.ends).finish(),
            accepted_blocked: given_up,
            coverage: self.all_seen(),
            bytes: self.bytes(),
            reduced: self.omitted_steps,
            implicit_losses: self.space.losses == Losses::Implicit,
            forgets_wakeups: self.monitor.forgets_wakeups,
            symmetric: self.space.is_symmetric(),
            view: self.view_report.take(),
        }
    }

    /// Return the counterexamples in an order that does not depend on the number of threads: violations of requested properties
    /// first; then those found during the search, nearest first, before those of whole runs.
    fn counterexamples(
        &mut self,
        violations: &mut [FoundViolation],
    ) -> (Vec<Counterexample>, Vec<Disagreement>) {
        let mut all: Vec<(_, Counterexample)> = Vec::new();
        let mut disagreements = Vec::new();
        for violation in violations {
            let found = match self.counterexample(violation) {
                Ok(found) => found,
                Err(disagreement) => {
                    disagreements.push(disagreement);
                    continue;
                }
            };
            let (kind, property) = match violation.wrong {
                ViolationKind::Stuck(_) => (0, 0),
                ViolationKind::Blocked(_) => (1, 0),
                ViolationKind::Aborted(_) => (2, 0),
                ViolationKind::Property(property) => (3, property),
            };
            let other_than_asked =
                self.purpose != Purpose::General && !matches!(violation.wrong, ViolationKind::Property(_));
            // Whole runs are checked one after the other anyway.
            let of_runs = matches!(violation.path, ViolationPath::Run { .. });
            let met = (!of_runs).then(|| (found.events.len(), kind, property, violation.why.clone()));
            all.push(((other_than_asked, of_runs, met), found));
        }
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        (all.into_iter().map(|(_, found)| found).collect(), disagreements)
    }

    /// Under a view that is not proved sound: return whether the run certainly exists. Configurations are reachable by their
    /// recorded predecessors, but a whole run may combine configurations that are only equivalent.
    fn is_certain(&mut self, violation: &FoundViolation) -> bool {
        let (ViolationPath::Run { run, priced, .. }, ViolationKind::Property(property)) =
            (&violation.path, &violation.wrong)
        else {
            return true;
        };
        // Extreme costs rest on paths that merged configurations may only seem to join.
        let certain = priced.is_none()
            && run.windows(2).all(|pair| {
                let (from, to) = (self.key(pair[0]), self.key(pair[1]));
                let step = self.workers[0].step_between(&from, &to, 0, None);
                step.is_some_and(|(_, reached)| reached == to)
            });
        if !certain {
            self.unsure.push(*property);
        }
        certain
    }

    /// Estimate the number of configurations without symmetry reduction, from a sample.
    fn told_apart(&self) -> u64 {
        let Some(mut canonicalizer) = self.space.canonicalizer(self.monitor) else {
            return self.configurations;
        };
        let (mut looked_at, mut all, mut key) = (0, 0u64, Vec::new());
        for shard in &self.shards {
            for index in (0..shard.len() as u32).step_by(1 + self.configurations as usize / SAMPLE) {
                shard.key(index, &mut key);
                all = all.saturating_add(canonicalizer.members(&key));
                looked_at += 1;
            }
        }
        (u128::from(all) * u128::from(self.configurations) / looked_at.max(1)).try_into().unwrap_or(u64::MAX)
    }

    /// Return the coverage of all threads.
    fn all_seen(&mut self) -> Coverage {
        let mut seen = std::mem::take(&mut self.seen);
        for worker in &self.workers {
            seen.add(worker.seen());
        }
        seen
    }

    fn verdict(
        &self,
        property: usize,
        violations: &[FoundViolation],
        about_runs: Option<&Reason>,
    ) -> Verdict {
        let p = &self.space.instance.program.properties[property];
        if let Some(violation) = violations.iter().find(|f| f.wrong == ViolationKind::Property(property)) {
            let verdict = Verdict::new(p, Judgement::Violated, Reason::Failed(violation.why.clone()));
            return Verdict { span: violation.span.unwrap_or(p.span), ..verdict };
        }
        if let Some((_, why)) = self.failed.iter().find(|(failed, _)| *failed == property) {
            return Verdict::new(p, Judgement::NotChecked, Reason::NotEvaluated(why.clone()));
        }
        if self.open.contains(&property) {
            return Verdict::new(p, Judgement::NotChecked, Reason::TooManySchedules);
        }
        if self.unsure.contains(&property) {
            return Verdict::new(p, Judgement::NotChecked, Reason::ViolatedUnderView);
        }
        let all = self.configurations - self.between;
        let is_about_runs = is_live(p.kind) || self.monitor.costs.bounds.contains(&property);
        let decided = self.complete && (about_runs.is_some() || self.cut.is_none() || !is_about_runs);
        match (about_runs, p.kind) {
            // Runs are also checked after a limit of configurations or depth; after others, they are not.
            _ if !decided && is_about_runs && !self.complete && is_out_of_room(self.cut) => {
                Verdict::new(p, Judgement::Pending, Reason::NotComplete)
            }
            _ if !decided => Verdict::new(p, Judgement::Pending, Reason::Unstated),
            (Some(why), _) => Verdict::new(p, Judgement::Holds, why.clone()),
            (None, PropertyKind::Finally | PropertyKind::Bound | PropertyKind::Exactly) => {
                let measured = self.extremes.iter().find(|(known, ..)| *known == property);
                let why = match measured {
                    _ if self.ends.is_empty() && self.monitor.is_followed(property) => {
                        Reason::InAllConfigurations(all)
                    }
                    _ if self.ends.is_empty() => Reason::NoRunEnds,
                    Some((_, least, Some(most))) => match self.every_run_ends() {
                        Some(true) => Reason::Costs(*least, *most),
                        _ => Reason::CostsOfFinite(*least, *most),
                    },
                    _ => Reason::AtEveryEnd,
                };
                Verdict::new(p, Judgement::Holds, why)
            }
            (None, _) => Verdict::new(p, Judgement::Holds, Reason::InAllConfigurations(all)),
        }
    }

    fn counterexample(&mut self, violation: &mut FoundViolation) -> Result<Counterexample, Disagreement> {
        let mut of_bound = None;
        let (states, repeats_from, last) = match &mut violation.path {
            ViolationPath::To(state) => (self.way_to(*state), None, Last::None),
            ViolationPath::Step(from, key) => (self.way_to(*from), None, Last::Step(std::mem::take(key))),
            ViolationPath::Abort(state, event) => (self.way_to(*state), None, Last::Event((**event).clone())),
            ViolationPath::Run { run, repeats_from, priced, .. } => {
                of_bound = priced.take();
                let mut way = run.first().map_or(Vec::new(), |first| self.way_to(*first));
                let before = way.len().saturating_sub(1);
                way.extend(run.iter().skip(1));
                (way, repeats_from.map(|position| position + before), Last::None)
            }
        };
        let first = states.first().copied().unwrap_or_default();
        let any = || self.initial.iter().find(|(state, _)| *state == first).map_or(0, |(_, number)| *number);
        let start = of_bound.as_ref().map_or_else(any, |priced| priced.start);
        let found = self.events(start, &states, &last, Selection::best(of_bound.as_deref()));
        let (mut events, mut through) = found.map_err(|events| {
            let counterexample = Counterexample::new(violation.wrong.clone(), events);
            let replayed = counterexample.events.len();
            let why = "no step leads to the configuration that the search visited next".into();
            Disagreement { counterexample, replayed, why }
        })?;
        let starts = self.started.length(start);
        let mut repeats_from = repeats_from;
        if let Some(from) = repeats_from
            && (self.space.equivalence.view.is_some() || self.space.is_symmetric())
        {
            match self.exact_lasso((start, starts), &states, from) {
                Some(exact) => {
                    (events, through) = (exact.events, exact.through);
                    repeats_from = Some(exact.repeats_from);
                }
                None if self.space.is_symmetric() => {
                    violation.why.push_str(", up to a renumbering of the processes");
                }
                None => violation.why.push_str(", as far as the view tells"),
            }
        }
        if let Some(key) = through.last()
            && self.space.is_symmetric()
        {
            self.say_again(violation, key, &events);
        }
        let is_partial = match &of_bound {
            Some(model) => model.is_relative,
            None => {
                self.monitor.auxiliary.keeps_relevant_only() && matches!(violation.path, ViolationPath::To(_))
            }
        };
        if is_partial {
            self.say_with_all_data(violation, &events);
        }
        let round = &through[repeats_from.unwrap_or(through.len().saturating_sub(1)).min(through.len())..];
        self.say_what_is_missing(violation, round);
        self.say_since_when(violation, &states, starts);
        // Convert the index of a configuration to that of an event: starts come first.
        let repeats_from = repeats_from.map(|p| p + starts);
        let of_chance = |property: &usize| violation.wrong == ViolationKind::Property(*property);
        let whatever_the_coins = repeats_from.is_some() && self.by_chance.iter().any(of_chance);
        let found = Counterexample::new(violation.wrong.clone(), events);
        Ok(Counterexample { repeats_from, for_every_outcome: whatever_the_coins, ..found })
    }

    /// Return the events of a run through these configurations, and the vectors that it actually visits.
    pub(super) fn events(
        &mut self,
        start: usize,
        states: &[StateId],
        last: &Last,
        selection: Selection<'_>,
    ) -> Result<path::Found, Vec<Event>> {
        let truth = |state: StateId| self.truth.get(state.index()).copied().unwrap_or(0);
        let run: Vec<(Vec<u32>, u32)> =
            states.iter().map(|state| (self.key(*state), truth(*state))).collect();
        let mut starts = initial_states::Replayer::new(self.space.instance, self.started);
        let start = starts.start(start);
        let first = self.space.encode_start(self.monitor, start);
        path::events(self.space, &mut self.workers[0], (start, first), &run, last, selection)
    }

    /// Recompute the reason for the configuration that the run reaches, if an equivalent one was found.
    fn say_again(&mut self, violation: &mut FoundViolation, key: &[u32], events: &[Event]) {
        let instance = self.monitor.instance;
        let (configuration, seen) = self.workers[0].decode(key);
        match &mut violation.wrong {
            ViolationKind::Property(property) if matches!(violation.path, ViolationPath::Step(..)) => {
                let mut before = Configuration::initial(instance);
                let events = events.split_last().map_or(events, |(_, before)| before);
                let taken = replay(instance, &mut before, events, &mut Unobserved);
                let lost = || self.monitor.lost_since(*property, &before, configuration, &seen);
                if let Some(blame) = taken.ok().and_then(|_| lost()) {
                    (violation.why, violation.span) = (blame.text(), Some(blame.span));
                }
            }
            ViolationKind::Property(property) if matches!(violation.path, ViolationPath::To(_)) => {
                if let Some(Ok(blame)) = self.monitor.violation(*property, configuration, &seen) {
                    violation.why = blame.text();
                }
            }
            wrong @ (ViolationKind::Stuck(_) | ViolationKind::Blocked(_)) => {
                if let Outcome::Stuck(stuck) = classify(instance, configuration, &Held::default()) {
                    (*wrong, violation.why) = ViolationKind::stuck(instance, configuration, &stuck);
                }
            }
            _ => {}
        }
    }

    /// Recompute the reason for a violation with the counts and the whole history of the run.
    fn say_with_all_data(&mut self, violation: &mut FoundViolation, events: &[Event]) {
        let ViolationKind::Property(property) = &violation.wrong else { return };
        let instance = self.monitor.instance;
        let (mut configuration, mut machine) = (Configuration::initial(instance), Machine::new(instance));
        machine.recording = true;
        let mut history = History::new(instance.n());
        for event in events {
            // The confirmation of the counterexample reports a run that cannot be replayed.
            if machine.replay(instance, &mut configuration, event).is_err() {
                return;
            }
            history.record(event, &machine.effects);
        }
        let seen = (machine.metrics, history);
        if let Some(Ok(failed)) = self.monitor.violation(*property, &configuration, &seen) {
            violation.why = failed.text();
        }
    }

    /// Append the reason why the property is false at the end of the run, or in its cycle.
    fn say_what_is_missing(&mut self, violation: &mut FoundViolation, round: &[Vec<u32>]) {
        let (ViolationKind::Property(property), ViolationPath::Run { without: Some(combination), .. }) =
            (&violation.wrong, &violation.path)
        else {
            return;
        };
        // An exchange of processes exchanges combinations, too.
        let has_one = self.monitor.instance.program.properties[*property].binders.is_empty();
        if !has_one && self.space.is_symmetric() {
            return;
        }
        let is_joint = self.monitor.instance.model.is_joint();
        let mut reasons: Vec<String> = Vec::new();
        for key in round.iter().filter(|key| !is_joint || !self.space.is_between(key)) {
            let (configuration, seen) = self.workers[0].decode(key);
            let missing = self.monitor.missing(*property, *combination, configuration, &seen);
            let reason = missing.map(|blame| blame.text());
            reasons.extend(reason.filter(|reason| !reasons.contains(reason)));
            if reasons.len() > MOST_REASONS {
                break;
            }
        }
        // One of many would be an example only.
        if (1..=MOST_REASONS).contains(&reasons.len()) {
            violation.why += &format!(": {}", prose::alternatives(&reasons));
        }
    }

    /// For `leads to`: append the event since which the right side is pending, in a run through these configurations that
    /// begins with `starts` starts.
    fn say_since_when(&self, violation: &mut FoundViolation, states: &[StateId], starts: usize) {
        let (ViolationKind::Property(property), ViolationPath::Run { without: Some(combination), .. }) =
            (&violation.wrong, &violation.path)
        else {
            return;
        };
        let of_property = |f: &&Followed| f.property == *property;
        let Some(followed) = self.monitor.followed.iter().find(of_property) else { return };
        if self.monitor.instance.program.properties[*property].kind != PropertyKind::LeadsTo
            || self.space.is_symmetric()
        {
            return;
        }
        let (left, between) = (followed.truth.start + 2 * combination, self.between());
        let is_clear = |state: &StateId| !between(*state) && self.is_true(*state, left + 1);
        let owing = states.iter().rposition(is_clear).map_or(0, |place| place + 1);
        let since = states[owing..].iter().position(|s| !between(*s) && self.is_true(*s, left));
        match since.map(|place| owing + place) {
            Some(0) => violation.why += "; pending from the beginning",
            Some(place) => violation.why += &format!("; pending since event {}", starts + place - 1),
            None => {}
        }
    }

    /// Return the path from an initial configuration to this one.
    pub(super) fn way_to(&self, state: StateId) -> Vec<StateId> {
        let count = self.shards.len();
        let mut way = vec![state];
        let mut at = state;
        loop {
            let (shard, index) = at.place(count);
            let parent = self.shards[shard].parent(index);
            if parent == at {
                break;
            }
            way.push(parent);
            at = parent;
        }
        way.reverse();
        way
    }
}

/// Return the result if no process has done more than start.
pub fn aborted_start(
    instance: &Instance,
    properties: Option<&[String]>,
    goes_on: bool,
    (events, abort): AbortedStart,
) -> Exploration {
    let verdict = (Judgement::NotChecked, Reason::NotStarted);
    // A search that was to continue has seen everything.
    let cut = if goes_on { None } else { Some(StopReason::Found) };
    nothing_seen(instance, properties, cut, verdict, vec![of_start(events, &abort)])
}

/// Return the counterexample of a process that aborts at its start.
pub fn of_start(events: Vec<Event>, abort: &Abort) -> Counterexample {
    Counterexample::new(ViolationKind::Aborted(abort.message.clone()), events)
}

/// Return the result if there are too many initial configurations.
pub fn cut_at_start(instance: &Instance, properties: Option<&[String]>, cut: StopReason) -> Exploration {
    nothing_seen(instance, properties, Some(cut), (Judgement::Pending, Reason::Unstated), Vec::new())
}

/// Return the verdict on a property for which no search was made, unless its premise is false for the parameters.
pub fn unexplored(instance: &Instance, property: &Property, judgement: Judgement, why: Reason) -> Verdict {
    let mut verdict = Verdict::new(property, judgement, why);
    if let Some(premise) = false_premise(property, instance) {
        verdict.does_not_apply(premise);
    }
    verdict
}

fn nothing_seen(
    instance: &Instance,
    properties: Option<&[String]>,
    cut: Option<StopReason>,
    (judgement, why): (Judgement, Reason),
    counterexamples: Vec<Counterexample>,
) -> Exploration {
    let program = &instance.program;
    let wanted = program.properties.iter().filter(|p| properties.is_none_or(|names| names.contains(&p.name)));
    Exploration {
        configurations: 0,
        intermediate: 0,
        steps: 0,
        depth: 0,
        stopped_by: cut,
        verdicts: wanted.map(|p| unexplored(instance, p, judgement, why.clone())).collect(),
        counterexamples,
        disagreements: Vec::new(),
        every_run_ends: None,
        ends: Vec::new(),
        accepted_blocked: false,
        coverage: Coverage::new(program),
        bytes: 0,
        reduced: false,
        implicit_losses: false,
        forgets_wakeups: false,
        symmetric: false,
        unreduced_configurations: 0,
        separate: Vec::new(),
        view: None,
        extremes: Vec::new(),
        almost_surely: Vec::new(),
    }
}
