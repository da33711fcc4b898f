//! The searches of an exploration. A property that would enlarge the state space must not slow down the others, nor leave them undecided:
//! it is checked in a search of its own, after the others.

use crate::explore::monitor::needs::{can_reduce_counts, needs_counting, needs_history};
use crate::explore::reduction::view::{ViewReport, ViewStatus};
use crate::explore::reduction::{may_be_decomposed, view};
use crate::explore::search::verdicts::unexplored;
use crate::explore::search::{Purpose, search, time_growth};
use crate::explore::{Exploration, ExploreOptions, Progress, StopReason, ViolationKind};
use crate::instance::Instance;
use crate::ir::{Metric, Property, PropertyKind};
use crate::property::{Judgement, Reads, Reason, Verdict, is_constant_upper_limit};
use std::collections::VecDeque;

/// Counts and history multiply configurations, often without bound. Unless the property was requested by name, or is claimed and reads the
/// history, a separate search for it gets this multiple of the configurations without them, and this number in addition.
const SEPARATE_TIMES: u64 = 20;
const SEPARATE_MORE: u64 = 100_000;

/// The multiple for properties that are not claimed and read the history: the verdicts of the claimed ones do not wait long for theirs.
const UNCLAIMED_TIMES: u64 = 2;

/// A search for properties that were requested by name counts exactly up to this number of configurations.
const EXACT: u64 = 1_000_000;

/// The contents of configurations, beside those of the first search, that some properties need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The variables that the program's view leaves out.
    OutsideView,
    /// Counts along runs.
    Counts,
    /// The events so far, with their causal order.
    History,
}

impl Detail {
    /// Return a noun phrase, to follow «with».
    pub fn as_str(self) -> &'static str {
        match self {
            Detail::OutsideView => "the details that the view leaves out",
            Detail::Counts => "counts along runs",
            Detail::History => "the history of events",
        }
    }
}

/// A search for properties that enlarge the state space.
#[derive(Clone, Debug)]
pub struct SeparateSearch {
    pub properties: Vec<String>,
    pub detail: Detail,
    pub configurations: u64,
    pub stopped_by: Option<StopReason>,
}

/// Properties that are checked in one separate search.
struct Group {
    names: Vec<String>,
    detail: Detail,
    is_claimed: bool,
    /// Whether it is a single property that a search for several ones has left undecided.
    is_repeated: bool,
}

/// Explore everything that an instance can do, and check the named properties (`None`: all).
///
/// Properties that need no more than configurations come first. Then there is a separate search for each of these kinds: properties that
/// distinguish configurations identified by a view; properties that need counts along runs; and properties that read the history, the
/// claimed ones first. Properties that such a search leaves undecided at its limit are searched for one by one: a single property may have
/// enlarged the state space for all. The search calls `watch` at intervals; `watch` may end the exploration.
pub fn explore(
    instance: &Instance,
    properties: Option<&[String]>,
    options: &ExploreOptions,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Exploration {
    let all = &instance.program.properties;
    let asked = properties.is_some();
    let purpose = if asked { Purpose::Requested } else { Purpose::General };
    let views = options.view && options.notes == 0 && may_be_decomposed(instance);
    let is_seen_through = |p: &Property| views && view::distinguishes_equivalent(instance, p);
    let (plain, mut groups) = groups(instance, properties, &is_seen_through);
    let first = match groups.first() {
        // Without a request by name, a search without the history looks for deadlocks and run-time errors.
        Some(group)
            if plain.is_empty()
                && (asked || group.detail != Detail::History)
                && !group.properties(instance).any(|p| concerns_time_of_ends(instance, p)) =>
        {
            groups.remove(0).names
        }
        _ => plain,
    };
    // Its search, before those for the requested properties, looks for ends.
    let purpose = if first.is_empty() && !groups.is_empty() { Purpose::General } else { purpose };
    let mut found = search_counting(instance, &first, options, (SEPARATE_MORE, asked), purpose, watch);
    if let Some(view_report) = found.view.as_mut().filter(|_| views) {
        let is_separate = |name: &String| groups.iter().any(|group| group.names.contains(name));
        let unviewed = all.iter().filter(|p| is_separate(&p.name) && is_seen_through(p));
        view_report.apart = unviewed.map(|p| p.name.clone()).collect();
    }
    let mut groups = VecDeque::from(groups);
    while let Some(mut group) = groups.pop_front() {
        // If every start aborts, nothing has been explored.
        if found.stopped_by.is_none() && found.configurations > 0 && found.ends.is_empty() {
            let (vacuous, others): (Vec<&Property>, Vec<&Property>) =
                group.properties(instance).partition(|p| concerns_time_of_ends(instance, p));
            let verdict = |p: &&Property| unexplored(instance, p, Judgement::Holds, Reason::NoRunEnds);
            found.verdicts.extend(vacuous.iter().map(verdict));
            group.names = others.iter().map(|p| p.name.clone()).collect();
            if group.names.is_empty() {
                continue;
            }
        }
        // A separate search may soon show what others did not show within a limit of configurations or depth.
        let is_limit =
            |cut| matches!(cut, StopReason::Configurations | StopReason::Depth | StopReason::Starts);
        if found.stopped_by.is_some_and(|cut| options.whole_or_none || !is_limit(cut)) {
            let why =
                if found.stopped_by == Some(StopReason::Found) { Reason::Unstated } else { Reason::NotBegun };
            let unjudged = |p: &Property| unexplored(instance, p, Judgement::Pending, why.clone());
            found.verdicts.extend(all.iter().filter(|p| group.names.contains(&p.name)).map(unjudged));
            continue;
        }
        let (usual, times) = match (group.is_claimed, group.detail) {
            // Counts may distinguish processes, so symmetry may not apply.
            (true, _) => (found.unreduced_configurations, SEPARATE_TIMES),
            (false, Detail::History) => (found.configurations, UNCLAIMED_TIMES),
            (false, _) => (found.configurations, SEPARATE_TIMES),
        };
        let modest = usual.saturating_mul(times).saturating_add(SEPARATE_MORE);
        let is_wanted = asked || (group.is_claimed && group.detail == Detail::History && !group.is_repeated);
        let limit =
            if is_wanted { options.max_configurations } else { modest.min(options.max_configurations) };
        let options = ExploreOptions { max_configurations: limit, ..*options };
        let mut more =
            search_counting(instance, &group.names, &options, (modest, asked), Purpose::Verdicts, watch);
        for repeated in group.repeated(instance, &mut more).into_iter().rev() {
            groups.push_front(repeated);
        }
        found.join(more, group, limit);
    }
    let place = |name: &str| all.iter().position(|p| p.name == name);
    found.verdicts.sort_by_key(|verdict| place(&verdict.name));
    found
}

/// Return the names of the properties that need configurations only, and the groups of the others in the order of their searches.
fn groups(
    instance: &Instance,
    properties: Option<&[String]>,
    is_seen_through: &dyn Fn(&Property) -> bool,
) -> (Vec<String>, Vec<Group>) {
    let mut plain = Vec::new();
    // Without the view there may be as many configurations as with counts, but mostly there are fewer.
    let mut groups = [Detail::OutsideView, Detail::Counts, Detail::History, Detail::History]
        .map(|detail| Group { names: Vec::new(), detail, is_claimed: false, is_repeated: false });
    let [outside_view, counted, claimed, unclaimed] = &mut groups;
    let wanted = |p: &&Property| properties.is_none_or(|names| names.contains(&p.name));
    for property in instance.program.properties.iter().filter(wanted) {
        let group = if needs_counting(instance, property) {
            &mut *counted
        } else if is_seen_through(property) {
            &mut *outside_view
        } else if !needs_history(instance, property) {
            plain.push(property.name.clone());
            continue;
        } else if property.is_claimed {
            &mut *claimed
        } else {
            &mut *unclaimed
        };
        group.names.push(property.name.clone());
        group.is_claimed |= property.is_claimed;
    }
    (plain, groups.into_iter().filter(|group| !group.names.is_empty()).collect())
}

impl Group {
    fn properties<'i>(&self, instance: &'i Instance) -> impl Iterator<Item = &'i Property> {
        instance.program.properties.iter().filter(|p| self.names.contains(&p.name))
    }

    /// Remove from a search for several properties those that its limit has left undecided, and return them, each as a group.
    fn repeated(&mut self, instance: &Instance, found: &mut Exploration) -> Vec<Group> {
        let is_limit = matches!(found.stopped_by, Some(StopReason::Configurations | StopReason::Memory));
        if !is_limit || self.names.len() < 2 {
            return Vec::new();
        }
        let is_open = |verdict: &Verdict| verdict.judgement == Judgement::Pending;
        let open = found.verdicts.extract_if(.., |verdict| is_open(verdict)).map(|verdict| verdict.name);
        let open: Vec<String> = open.collect();
        self.names.retain(|name| !open.contains(name));
        let property = |name: &String| instance.program.properties.iter().find(|p| p.name == *name);
        let is_claimed = |name: &String| property(name).is_some_and(|p| p.is_claimed);
        let group = |name: String| Group {
            is_claimed: is_claimed(&name),
            names: vec![name],
            detail: self.detail,
            is_repeated: true,
        };
        open.into_iter().map(group).collect()
    }
}

/// Return whether the property reads the time of ends only. Along runs without an end, time may grow without bound; but such a run does not
/// violate the property.
fn concerns_time_of_ends(instance: &Instance, property: &Property) -> bool {
    let is_of_ends = match (property.kind, &property.bound) {
        (PropertyKind::Finally | PropertyKind::Exactly, _) => true,
        (PropertyKind::Bound, Some(bound)) => {
            bound.per.is_none() && !is_constant_upper_limit(bound, &instance.program)
        }
        _ => false,
    };
    let measures = property
        .bound
        .as_ref()
        .is_some_and(|bound| bound.metric == Metric::Time || Reads::of(&bound.limit, &instance.program).time);
    is_of_ends && (measures || Reads::of_property(property, &instance.program).time)
}

/// Return whether one of these is a bound on time that a cycle may exceed.
fn outgrows(instance: &Instance, names: &[String]) -> bool {
    instance
        .program
        .properties
        .iter()
        .any(|p| names.contains(&p.name) && time_growth::may_outgrow(instance, p))
}

/// Search for properties, some of which may need counts along runs. If these distinguish too many configurations, repeat the search for
/// the undecided properties, with relevant counts only. The first search has a `modest` number of configurations, unless the properties were
/// `asked` for.
fn search_counting(
    instance: &Instance,
    names: &[String],
    options: &ExploreOptions,
    (modest, asked): (u64, bool),
    purpose: Purpose,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Exploration {
    let mut search_exactly = |options: &ExploreOptions| match outgrows(instance, names) {
        true => search_growing(instance, names, options, modest, purpose, watch),
        false => search(instance, Some(names), options, purpose, watch),
    };
    if options.relevant_counts || !can_reduce_counts(instance, names) {
        return search_exactly(options);
    }
    let most = if asked { EXACT.max(modest) } else { modest };
    let limited = ExploreOptions { max_configurations: most.min(options.max_configurations), ..*options };
    let mut exact = search_exactly(&limited);
    let is_open = |verdict: &Verdict| verdict.judgement == Judgement::Pending;
    let open = exact.verdicts.iter().filter(|verdict| is_open(verdict));
    let open: Vec<String> = open.map(|verdict| verdict.name.clone()).collect();
    if exact.stopped_by != Some(StopReason::Configurations) || open.is_empty() {
        return exact;
    }
    let relevant = ExploreOptions { relevant_counts: true, ..*options };
    let mut more = search(instance, Some(&open), &relevant, purpose, watch);
    more.verdicts.extend(exact.verdicts.into_iter().filter(|verdict| !is_open(verdict)));
    more.counterexamples.splice(..0, exact.counterexamples);
    more.disagreements.splice(..0, exact.disagreements);
    more.extremes.append(&mut exact.extremes);
    more.almost_surely.append(&mut exact.almost_surely);
    more
}

/// Search with counts along runs, where time may grow without bound. After a `modest` number of configurations, [`time_growth`]
/// checks whether cycles exceed the bounds on time. The search continues for the properties that this leaves undecided.
fn search_growing(
    instance: &Instance,
    names: &[String],
    options: &ExploreOptions,
    modest: u64,
    purpose: Purpose,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Exploration {
    let limit = modest.min(options.max_configurations);
    let found = search(
        instance,
        Some(names),
        &ExploreOptions { max_configurations: limit, ..*options },
        purpose,
        watch,
    );
    if found.stopped_by != Some(StopReason::Configurations) {
        return found;
    }
    let is_open = |name: &&String| {
        let verdict = found.verdicts.iter().find(|verdict| verdict.name == **name);
        verdict.is_some_and(|verdict| verdict.judgement == Judgement::Pending)
            && outgrows(instance, std::slice::from_ref(*name))
    };
    let open: Vec<String> = names.iter().filter(is_open).cloned().collect();
    let decided = time_growth::outgrown(instance, &open, options, watch);
    let rest: Vec<String> = names
        .iter()
        .filter(|name| decided.iter().all(|(verdict, _)| verdict.name != **name))
        .cloned()
        .collect();
    let mut found = match (decided.is_empty(), rest.is_empty()) {
        // Nothing is left to search for.
        (false, true) => Exploration { verdicts: Vec::new(), stopped_by: Some(StopReason::Found), ..found },
        (true, _) if limit == options.max_configurations => found,
        _ => search(instance, Some(&rest), options, purpose, watch),
    };
    for (verdict, counterexample) in decided {
        found.verdicts.push(verdict);
        found.counterexamples.push(counterexample);
    }
    found
}

impl Exploration {
    /// Merge the results of a separate search, which had this limit of configurations. Its limits leave only its own properties undecided.
    fn join(&mut self, mut more: Exploration, group: Group, limit: u64) {
        let detail = group.detail.as_str();
        let why = more.stopped_by.map(|cut| match cut {
            StopReason::Configurations => Reason::TooManyConfigurations(limit, detail),
            StopReason::Found => Reason::KeepGoing,
            cut => Reason::StoppedWith(cut.as_str(), detail),
        });
        let pending = more.verdicts.iter_mut().filter(|verdict| verdict.judgement == Judgement::Pending);
        if let Some(why) = why {
            pending.for_each(|verdict| verdict.why.clone_from(&why));
        }
        if !group.names.is_empty() {
            self.separate.push(SeparateSearch {
                properties: group.names,
                detail: group.detail,
                configurations: more.configurations,
                stopped_by: more.stopped_by,
            });
        }
        self.verdicts.append(&mut more.verdicts);
        // Verdicts of either search depend on its view: report a view that is only claimed.
        if matches!(&more.view, Some(ViewReport { standing: ViewStatus::Claimed { .. }, .. })) {
            self.view = more.view.take();
        }
        // Violations that end a search in general have been found by the first one.
        more.counterexamples.retain(|c| matches!(c.kind, ViolationKind::Property(_)));
        self.counterexamples.append(&mut more.counterexamples);
        self.disagreements.append(&mut more.disagreements);
        self.extremes.append(&mut more.extremes);
        self.almost_surely.append(&mut more.almost_surely);
        self.bytes = self.bytes.max(more.bytes);
        let interrupted = more.stopped_by.filter(|cut| *cut == StopReason::Interrupted);
        self.stopped_by = self.stopped_by.or(interrupted);
    }
}
