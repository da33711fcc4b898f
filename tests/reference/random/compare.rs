//! Explorations of one instance under different options, compared with one another and with the explicit graph.

use crate::random::examine::{Examined, Finding, steps_taken, with_limited_steps};
use crate::random::graph::Graph;
use crate::random::print::Case;
use crate::random::specified::{self, Covered, Specified};
use crate::random::{replay, runs};
use crate::specification::explore::Nearest;
use std::collections::BTreeSet;
use synod::internals::explore::{
    Exploration, ExploreOptions, SearchOrder, StopReason, ViewStatus, ViolationKind, explore,
};
use synod::internals::instance::Instance;
use synod::internals::ir::PropertyKind;
use synod::internals::property::{Judgement, Reads, needs_history};

/// The greatest number of configurations that are explored without reductions.
const MOST: u64 = 2_000;

/// The same where a client calls operations for ever.
const MOST_ENDLESS: u64 = 150;

/// The options for larger instances.
const FOR_LARGE: [&str; 4] = ["default", "few configurations, random order", "small depth", "depth first"];

/// The number of single steps of an exploration beyond which the explicit graph is not built: one command may have too many choices.
const MOST_STEPS_OF_GRAPH: u64 = 60_000;

/// The effects of the reductions on a program.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// All configurations were explored without reductions.
    pub complete: bool,
    pub symmetry: bool,
    /// Symmetry had an effect in a network whose only automorphisms exchange neighbours.
    pub twins: bool,
    pub partial_order: bool,
    pub dead_messages: bool,
    pub forget_wakeups: bool,
    pub view: bool,
    pub violated: bool,
    pub aborts: bool,
    pub deadlocks: bool,
    pub configurations: u64,
    pub covered: Covered,
    /// The program was compared with the specification near its beginning.
    pub near_the_start: bool,
    /// Verdicts of the specification on properties of the history.
    pub history: BTreeSet<&'static str>,
}

impl Effects {
    /// Return the effect of each reduction, by name.
    pub fn reductions(&self) -> [(&'static str, bool); 6] {
        [
            ("symmetry", self.symmetry),
            ("twins", self.twins),
            ("partial order", self.partial_order),
            ("dead messages", self.dead_messages),
            ("forgotten wake-ups", self.forget_wakeups),
            ("view", self.view),
        ]
    }
}

fn whole(most: u64) -> ExploreOptions {
    ExploreOptions {
        reduce: false,
        symmetry: false,
        view: false,
        relevant_history: false,
        implicit_losses: false,
        dead_messages: false,
        forget_wakeups: false,
        keep_going: true,
        max_configurations: most,
        ..ExploreOptions::default()
    }
}

/// Return the sets of options that are compared with an exploration without any reduction.
fn option_sets(most: u64) -> Vec<(&'static str, ExploreOptions)> {
    let all = ExploreOptions { keep_going: true, max_configurations: most, ..ExploreOptions::default() };
    vec![
        ("default", all),
        ("symmetry off", ExploreOptions { symmetry: false, ..all }),
        ("reduction off", ExploreOptions { reduce: false, ..all }),
        ("views off", ExploreOptions { view: false, ..all }),
        ("symmetry alone", ExploreOptions { symmetry: true, ..whole(most) }),
        ("reduction alone", ExploreOptions { reduce: true, ..whole(most) }),
        ("views alone", ExploreOptions { view: true, ..whole(most) }),
        ("relevant history alone", ExploreOptions { relevant_history: true, ..whole(most) }),
        ("implicit losses alone", ExploreOptions { implicit_losses: true, ..whole(most) }),
        ("relevant counts alone", ExploreOptions { relevant_counts: true, ..whole(most) }),
        ("dead messages alone", ExploreOptions { dead_messages: true, ..whole(most) }),
        ("forgotten wake-ups alone", ExploreOptions { forget_wakeups: true, ..whole(most) }),
        ("two threads", ExploreOptions { threads: 2, ..all }),
        ("two threads, nothing reduced", ExploreOptions { threads: 2, ..whole(most) }),
        ("depth first", ExploreOptions { order: SearchOrder::Depth, ..all }),
        ("random order, seed 1", ExploreOptions { order: SearchOrder::Chance(1), ..all }),
        (
            "random order, seed 2, nothing reduced",
            ExploreOptions { order: SearchOrder::Chance(2), ..whole(most) },
        ),
        ("few configurations", ExploreOptions { max_configurations: 7, ..all }),
        (
            "few configurations, random order",
            ExploreOptions { max_configurations: 20, order: SearchOrder::Chance(3), ..all },
        ),
        ("small depth", ExploreOptions { max_depth: Some(3), ..all }),
        ("first violation", ExploreOptions { keep_going: false, ..all }),
    ]
}

fn explored(instance: &Instance, names: Option<&[String]>, options: &ExploreOptions) -> Exploration {
    with_limited_steps(|| explore(instance, names, options, &mut |_| None))
}

/// Return the properties of single configurations and steps, which need neither counters nor a history.
fn plain(instance: &Instance) -> Vec<String> {
    use PropertyKind::{Finally, Invariant, Stable};
    let program = &instance.program;
    let kinds = |kind| matches!(kind, Invariant | Stable | Finally);
    let plain = program.properties.iter().filter(|p| {
        kinds(p.kind) && p.bound.is_none() && !needs_history(p, program) && !Reads::of(&p.body, program).other
    });
    plain.map(|p| p.name.clone()).collect()
}

pub fn compare(case: &Case, instance: &Instance, only: Option<&str>, examined: &mut Examined) {
    let wanted = |phase: &str| only.is_none_or(|key| key.contains(phase) || key.starts_with("panic"));
    // Where the history grows for ever, its quantifiers take most of the time.
    let is_endless = case.files.iter().any(|(_, text)| text.contains("do true"));
    let most = if is_endless { MOST_ENDLESS } else { MOST };
    let base = explored(instance, None, &whole(most));
    let has_few_steps = steps_taken() <= MOST_STEPS_OF_GRAPH;
    let complete = base.stopped_by.is_none();
    examined.effects.complete = complete;
    examined.effects.configurations = base.configurations;
    examined.effects.violated = base.verdicts.iter().any(|v| v.judgement == Judgement::Violated);
    examined.effects.aborts = any(&base, |w| matches!(w, ViolationKind::Aborted(_)));
    examined.effects.deadlocks =
        any(&base, |w| matches!(w, ViolationKind::Stuck(_) | ViolationKind::Blocked(_)));
    replay::check(instance, "no reduction", &base, examined);
    let mut specified = None;
    // The history multiplies configurations.
    let has_history = instance.program.properties.iter().any(|p| needs_history(p, &instance.program));
    let is_small = has_history || base.configurations <= specified::MOST;
    if complete && is_small && (wanted("specification") || wanted("run")) {
        specified = Specified::of(case, instance, &mut examined.effects.covered);
    }
    // The other options are compared with this exploration.
    if let Some(specified) = &specified {
        specified.judge(false, &base, examined);
        if has_history && !instance.is_timed() && wanted("specification") {
            with_notes(instance, most, specified, examined);
        }
    }
    for (name, options) in option_sets(most) {
        // Use fewer options for large instances, which take longest and show least.
        let is_small = complete && has_few_steps;
        if !is_small && !FOR_LARGE.contains(&name) {
            continue;
        }
        // A key ends with the name of the options.
        if only.is_some_and(|key| !key.starts_with("panic") && !key.ends_with(name)) {
            continue;
        }
        let found = explored(instance, None, &options);
        if complete && found.stopped_by.is_none() {
            effects(&base, &found, name, &mut examined.effects);
        }
        agree(name, &base, &found, examined);
        replay::check(instance, name, &found, examined);
    }
    // If coins matter, repeat the comparison for every outcome of coins.
    if complete && !base.almost_surely.is_empty() && wanted("surely") {
        let base = explored(instance, None, &ExploreOptions { every_outcome: true, ..whole(most) });
        if let Some(specified) = &specified {
            specified.judge(true, &base, examined);
        }
        let (name, all) = option_sets(most)[0];
        let found = explored(instance, None, &ExploreOptions { every_outcome: true, ..all });
        let name = format!("surely, {name}");
        agree(&name, &base, &found, examined);
        replay::check(instance, &name, &found, examined);
    }
    let mut graph = None;
    if complete && (wanted("graph") || wanted("run") || wanted("specification counts")) {
        let names = plain(instance);
        let found = explored(instance, Some(&names), &whole(most));
        if let Some(specified) = &specified {
            specified.count(instance, &found, examined);
        }
        graph = has_few_steps.then(|| Graph::of(instance, &names, 3 * MOST as usize)).flatten();
        if let Some(graph) = &graph {
            by_definition(graph, &found, examined);
        }
    }
    // Programs that are too large for the specification are compared near their beginning, where both count steps alike.
    let is_counted_alike = case.faults.is_empty() && !instance.model.is_joint() && !instance.is_timed();
    if specified.is_none() && is_counted_alike && wanted("specification near the start") {
        near_the_start(case, instance, examined);
    }
    if wanted("run") {
        if let Some(specified) = &specified {
            specified.run(case, instance, examined);
        }
        runs::check(instance, &base, graph.as_ref(), is_endless, examined);
    }
}

/// Compare the numbers of configurations within some steps, and whether a command aborts there.
fn near_the_start(case: &Case, instance: &Instance, examined: &mut Examined) {
    let Some(Nearest { depth, configurations, aborts }) = specified::nearest(case, instance) else { return };
    let options = ExploreOptions { max_depth: Some(depth), ..whole(MOST) };
    let found = explored(instance, Some(&plain(instance)), &options);
    if !matches!(found.stopped_by, None | Some(StopReason::Depth)) {
        return;
    }
    examined.effects.near_the_start = true;
    let does = any(&found, |w| matches!(w, ViolationKind::Aborted(_)));
    if (found.configurations, does) != (configurations as u64, aborts) {
        let message = format!(
            "within {depth} steps {} configurations, aborts {does}, by the specification {configurations}, aborts {aborts}",
            found.configurations
        );
        examined.findings.push(Finding::new("specification near the start", message));
    }
}

/// Compare the verdicts if the application may send a note.
fn with_notes(instance: &Instance, most: u64, specified: &Specified, examined: &mut Examined) {
    let of_history = instance.program.properties.iter().filter(|p| {
        matches!(p.kind, PropertyKind::Invariant | PropertyKind::Order) && needs_history(p, &instance.program)
    });
    let names: Vec<String> = of_history.map(|p| p.name.clone()).collect();
    for reduced in [false, true] {
        let options = ExploreOptions { notes: 1, reduce: reduced, symmetry: reduced, ..whole(most) };
        let found = explored(instance, Some(&names), &options);
        specified.judge_with_notes(1, &found, examined);
        replay::check(instance, "specification, notes", &found, examined);
    }
}

fn effects(base: &Exploration, found: &Exploration, name: &str, effects: &mut Effects) {
    let fewer = found.configurations < base.configurations;
    match name {
        "symmetry alone" => {
            effects.symmetry = found.symmetric && fewer;
        }
        "reduction alone" => effects.partial_order = found.reduced,
        "forgotten wake-ups alone" => effects.forget_wakeups = found.forgets_wakeups && fewer,
        "dead messages alone" => effects.dead_messages = found.reduced && fewer,
        "views alone" => {
            effects.view = fewer && found.view.as_ref().is_some_and(|v| v.standing == ViewStatus::Sound);
        }
        _ => {}
    }
}

/// Return a readable summary of the reductions.
pub fn summary(instance: &Instance) -> String {
    let mut text = String::new();
    let most = MOST;
    for (name, options) in option_sets(most).into_iter().take(7).chain([("no reduction", whole(most))]) {
        let found = explored(instance, None, &options);
        text += &format!(
            "{name}: {} configurations, cut {:?}, symmetric {}, reduced {}, view {:?}\n",
            found.configurations, found.stopped_by, found.symmetric, found.reduced, found.view
        );
    }
    text
}

pub fn any(found: &Exploration, of: impl Fn(&ViolationKind) -> bool) -> bool {
    found.counterexamples.iter().any(|c| of(&c.kind))
}

/// Compare two explorations: verdicts that both decide must be equal.
fn agree(name: &str, base: &Exploration, found: &Exploration, examined: &mut Examined) {
    let mut add = |what: &str, message: String| {
        examined.findings.push(Finding::new(format!("{what}: {name}"), format!("{name}: {message}")));
    };
    let claimed = found.view.as_ref().is_some_and(|v| matches!(v.standing, ViewStatus::Claimed { .. }));
    let both = base.stopped_by.is_none() && found.stopped_by.is_none();
    for (one, other) in base.verdicts.iter().zip(&found.verdicts) {
        let (a, b) = (one.judgement, other.judgement);
        let decided = |j| matches!(j, Judgement::Holds | Judgement::Violated);
        let contradicts = if claimed {
            a == Judgement::Holds && b == Judgement::Violated
        } else {
            // After the first violation, other properties may be pending. A search of its own that a limit ends may leave a
            // property undecided, or have met only ends at which it cannot be evaluated.
            let is_stopped = |e: &Exploration| {
                e.separate.iter().any(|own| own.stopped_by.is_some() && own.properties.contains(&one.name))
            };
            let is_open = b == Judgement::Pending && name == "first violation";
            let whole = both && !is_stopped(base) && !is_stopped(found);
            a != b && !is_open && (whole || decided(a) && decided(b))
        };
        if contradicts {
            add(
                &format!("{:?} {} for {}", one.kind, b.as_str(), a.as_str()),
                format!(
                    "property {} is {} ({}), without reductions it is {} ({})",
                    one.name,
                    b.as_str(),
                    other.why,
                    a.as_str(),
                    one.why
                ),
            );
        }
    }
    if !both || claimed {
        return;
    }
    type What = fn(&ViolationKind) -> bool;
    let kinds: [(&str, What); 3] = [
        ("aborts", |w| matches!(w, ViolationKind::Aborted(_))),
        ("deadlocks", |w| matches!(w, ViolationKind::Stuck(_))),
        ("blocked ends", |w| matches!(w, ViolationKind::Blocked(_))),
    ];
    for (what, is) in kinds {
        if any(base, is) != any(found, is) {
            let message = format!("{what}: {}, without reductions {}", any(found, is), any(base, is));
            add(what, message);
        }
    }
    let outcomes = |e: &Exploration| e.ends.iter().map(|end| end.outcome).collect::<BTreeSet<_>>();
    if outcomes(base) != outcomes(found) {
        add("outcomes", format!("outcomes: {:?}, without reductions {:?}", outcomes(found), outcomes(base)));
    }
    if base.coverage != found.coverage {
        add("coverage", "the actions or guards taken differ from those without reductions".into());
    }
    if base.almost_surely != found.almost_surely {
        let message =
            format!("almost surely: {:?}, without reductions {:?}", found.almost_surely, base.almost_surely);
        add("almost surely", message);
    }
    if let (Some(a), Some(b)) = (base.every_run_ends, found.every_run_ends)
        && a != b
    {
        add("ends of runs", format!("every run ends: {b}, without reductions {a}"));
    }
    // A search that stops at the first violation has seen only part of the costs.
    for (property, least, most) in base.extremes.iter().filter(|_| name != "first violation") {
        let Some((_, l, m)) = found.extremes.iter().find(|(p, ..)| p == property) else { continue };
        let differ = |a: &Option<i64>, b: &Option<i64>| matches!((a, b), (Some(a), Some(b)) if a != b);
        if differ(least, l) || differ(most, m) {
            add(
                "extremes",
                format!("extremes: {:?}, without reductions {:?}", found.extremes, base.extremes),
            );
        }
    }
    let nothing_reduced = !found.symmetric
        && !found.reduced
        && !found.implicit_losses
        && !found.forgets_wakeups
        && found.view.is_none();
    let counts = |e: &Exploration| (e.configurations, e.steps);
    if nothing_reduced && counts(base) != counts(found) {
        let message =
            format!("configurations and steps: {:?}, without reductions {:?}", counts(found), counts(base));
        add("counts", message);
    }
    if found.configurations > base.configurations {
        let message =
            format!("{} configurations, without reductions {}", found.configurations, base.configurations);
        add("more configurations", message);
    }
}

/// Compare an exploration without reductions with the explicit graph.
fn by_definition(graph: &Graph, found: &Exploration, examined: &mut Examined) {
    if found.stopped_by.is_some_and(|cut| cut != StopReason::Found) {
        return;
    }
    let mut add = |what: &str, message: String| {
        examined
            .findings
            .push(Finding::new(format!("graph {what}"), format!("against the explicit graph: {message}")));
    };
    for verdict in &found.verdicts {
        let Some(right) = graph.verdicts.get(&verdict.name) else { continue };
        if *right != verdict.judgement {
            add(
                &format!("{:?} {} for {}", verdict.kind, verdict.judgement.as_str(), right.as_str()),
                format!(
                    "property {} is {} ({}), by definition {}",
                    verdict.name,
                    verdict.judgement.as_str(),
                    verdict.why,
                    right.as_str()
                ),
            );
        }
    }
    // In the middle of a joint step the search also stores which properties were true before it, so that there are more
    // configurations and steps, and longer shortest paths to them.
    let comparable = |count: u64| (found.intermediate == 0).then_some(count);
    let counts =
        (found.configurations - found.intermediate, comparable(found.steps), comparable(found.depth.into()));
    let right =
        (graph.configurations - graph.between, comparable(graph.steps), comparable(graph.depth.into()));
    if counts != right {
        add(
            "counts",
            format!("configurations between joint steps, steps, depth: {counts:?}, there are {right:?}"),
        );
    }
    let ends: BTreeSet<&str> = found.ends.iter().map(|end| end.outcome).collect();
    if ends != graph.ends {
        add("outcomes", format!("outcomes {ends:?}, there are {:?}", graph.ends));
    }
    let aborts = any(found, |w| matches!(w, ViolationKind::Aborted(_)));
    if aborts != graph.aborts {
        add("aborts", format!("aborts: {aborts}, by definition {}", graph.aborts));
    }
}
