//! Incremental checking of properties along a run, and of their premises, equals checking all processes after every step: in the
//! library, where little is violated, and in broken variants, where much is.

use crate::common::*;
use std::sync::Arc;
use synod::internals::instance::{ExecutionModel, Instance};
use synod::internals::ir::PropertyKind;
use synod::internals::ir::{Program, Shape};
use synod::internals::property::{
    Ended, Judgement, Premises, Reason, RunMonitor, combinations, is_checked_during_run, violation,
};
use synod::internals::semantics::eval::{self, World};
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, History, Metrics};
use synod::internals::simulate::{Observer, Schedule, SimulateOptions, simulate};

/// Check everything after every step, besides the monitor.
struct Thorough<'i> {
    watch: RunMonitor,
    instance: &'i Instance,
    /// By property: its previous value, for each combination.
    before: Vec<Vec<bool>>,
    /// By property: the event (`None`: the first configuration) that first showed a violation.
    broken: Vec<Option<Option<u64>>>,
    /// By property: why it is false there.
    why: Vec<Option<String>>,
    /// Properties that could not be evaluated.
    failed: Vec<bool>,
    premises: Vec<Premises>,
    events: u64,
    begun: bool,
}

impl<'i> Thorough<'i> {
    fn new(instance: &'i Instance) -> Thorough<'i> {
        let properties = instance.program.properties.len();
        Thorough {
            watch: RunMonitor::new(instance, None).noting_premises(),
            instance,
            before: vec![Vec::new(); properties],
            broken: vec![None; properties],
            why: vec![None; properties],
            failed: vec![false; properties],
            premises: instance.program.properties.iter().map(|p| Premises::of(p, instance)).collect(),
            events: 0,
            begun: false,
        }
    }

    fn look(&mut self, at: Option<u64>, configuration: &Configuration, metrics: &Metrics) {
        let history = History::default();
        let world = World { configuration, metrics, history: &history };
        for (i, property) in self.instance.program.properties.iter().enumerate() {
            eval::with_global_frame(self.instance, Some(world), |env| {
                self.premises[i].look(property, None, env)
            });
            let why = &mut self.why[i];
            let violated = eval::with_global_frame(self.instance, Some(world), |env| match property.kind {
                PropertyKind::Invariant => violation(property, env).map(|found| {
                    let text = found.map(|found| found.text());
                    let is_violated = text.is_some();
                    *why = why.take().or(text);
                    is_violated
                }),
                PropertyKind::Stable => {
                    let mut now = Vec::new();
                    combinations(&property.binders, env, &mut |env| {
                        now.push(eval::truth(&property.body, env)?);
                        Ok(())
                    })?;
                    let fell = self.before[i].iter().zip(&now).any(|(before, now)| *before && !now);
                    self.before[i] = now;
                    Ok(fell)
                }
                _ => Ok(false),
            });
            match violated {
                Ok(true) if self.broken[i].is_none() => self.broken[i] = Some(at),
                Ok(_) => {}
                Err(_) => self.failed[i] = true,
            }
        }
    }
}

impl Observer for Thorough<'_> {
    fn after(
        &mut self,
        _: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.watch.after(self.instance, event, effects, configuration, metrics);
        let index = self.events;
        self.events += 1;
        if configuration.next_to_start().is_none() {
            self.look(self.begun.then_some(index), configuration, metrics);
            self.begun = true;
        }
        true
    }
}

/// Return the number of violated properties.
fn compare(instance: &Instance, schedule: Schedule, seed: u64) -> usize {
    let options = SimulateOptions { schedule, seed, max_steps: Some(400), ..SimulateOptions::default() };
    let mut thorough = Thorough::new(instance);
    let run = simulate(instance, &options, &mut thorough);
    let verdicts = thorough.watch.verdicts(instance, Ended::CutOff, &run.configuration, &run.metrics);
    let settled = thorough.watch.verdicts(instance, Ended::Settled, &run.configuration, &run.metrics);
    for (i, verdict) in settled.iter().enumerate() {
        if is_checked_during_run(verdict.kind) && verdict.judgement == Judgement::Holds {
            let unmet = thorough.premises[i].unmet();
            assert_eq!(verdict.never_true, unmet, "{} of {}", verdict.name, instance.program.name);
        }
    }
    let mut violated = 0;
    for (i, (verdict, property)) in verdicts.iter().zip(&instance.program.properties).enumerate() {
        if !matches!(property.kind, PropertyKind::Invariant | PropertyKind::Stable) || thorough.failed[i] {
            continue;
        }
        let found = (verdict.judgement == Judgement::Violated).then_some(verdict.at_event);
        let name = format!(
            "{} of {} on {}, {schedule:?} {seed}: {}",
            property.name,
            instance.program.name,
            instance.network.topology(),
            verdict.why
        );
        assert_eq!(found, thorough.broken[i], "{name}");
        // Of several processes that violate a property, each may be named.
        if property.kind == PropertyKind::Invariant && found.is_some() && property.binders.len() != 1 {
            assert_eq!(Some(verdict.why.to_string()), thorough.why[i], "{name}");
        }
        violated += usize::from(found.is_some());
    }
    violated
}

fn topology(program: &Program) -> &'static str {
    match program.assumptions.topology {
        Some(Shape::Ring) => "ring(5)",
        Some(Shape::Star) => "star(4)",
        Some(Shape::Line) => "line(4)",
        Some(Shape::Tree) => "tree(5)",
        Some(Shape::Mesh) => "mesh(3, 4)",
        Some(Shape::Torus) => "torus(3, 3)",
        Some(Shape::Hypercube) => "hypercube(2)",
        Some(Shape::Connected) => "ring(4)",
        _ => "complete(3)",
    }
}

#[test]
fn incremental_checks_equal_full_checks() {
    let entries = synod::internals::library::entries().into_values().filter(|e| !e.is_problem());
    for program in entries.map(|e| library(e.name)) {
        for (turn, (schedule, seed)) in (0u64..).zip(schedules(6)) {
            let instance = on(&program, topology(&program)).random_ids(turn).build();
            // In joint steps nothing is checked before all participants have acted.
            if instance.model.execution == ExecutionModel::Single {
                compare(&instance, schedule, seed);
            }
        }
    }
}

#[test]
fn incremental_checks_find_violations_at_once() {
    let broken: [Arc<Program>; 3] = [
        // Each identifier returns to its owner.
        edited(
            "chang_roberts",
            &[(
                "chang_roberts",
                "[] q < id -> skip                              // swallowed",
                "[] q < id  -> send Elect(q)",
            )],
        ),
        // Any identifier is taken for the winner's, and later given up.
        edited(
            "chang_roberts_announced",
            &[(
                "chang_roberts_announced",
                "[] receive Elect(q) when q < id -> skip",
                "[] receive Elect(q) when q < id -> elected := q",
            )],
        ),
        edited(
            "dolev_klawe_rodeh",
            &[("dolev_klawe_rodeh", "if e > d and e > f -> d := e", "if e > d -> d := e; elected := e")],
        ),
    ];
    for program in broken {
        let mut violated = 0;
        for (turn, (schedule, seed)) in (0u64..).zip(schedules(20)) {
            let instance = on(&program, "ring(6)").random_ids(turn).build();
            violated += compare(&instance, schedule, seed);
        }
        assert!(violated > 0, "nothing was violated by {}", program.name);
    }
}

/// Properties that relate processes in many forms, and that soon become false.
const SHAPES: &str = "algorithm shapes
assumes complete, reliable, unordered, unique ids, knows peers, randomness, one Small
message Hop(left: Int)

role Small
  var x : Int
  var seen : set of Int
  var l : list of Int
  state run
    on wakeup -> send Hop(12) to others
    on Hop(k) from p ->
      x := random(0..1)
      seen := seen + {x}
      l := l + [k]
      if k > 0 -> send Hop(k - 1) to p
      [] otherwise -> skip
      fi

role Large
  var x : Int
  var seen : set of Int
  var l : list of Int
  state run
    on wakeup -> send Hop(12) to others
    on Hop(k) from p ->
      x := random(0..3)
      seen := seen + {x}
      if k > 6 -> l := l + [k]
      [] otherwise -> skip
      fi
      if k > 0 -> send Hop(k - 1) to p
      [] otherwise -> skip
      fi

invariant sums: forall p, q with p != q: p.x + q.x < 6
invariant one_sided for p: some q with q.id != p.id: q.x <= p.x
invariant greatest: (count p: forall q: p.x >= q.x) <= 2
invariant known: forall p: forall m in p.seen: m < 3 or (some q: m in q.seen and q.x = m)
invariant in_later: forall p: forall m in p.seen: m < 3 or (some q with q.id > 2: m in q.seen)
invariant in_union: forall p in Small: forall m in p.l: some q in Large: m in q.l
invariant of_two for p, q: p.x = 3 implies q.x != 3 or p = q
invariant of_roles: forall p in Small: some q in Large: q.x >= p.x
invariant set_of: { p.x for p in processes | some q: q.x > p.x } <= {0, 1}
invariant nested: forall p: (some q: q.x = p.x + 1) implies (forall q: q.seen != {} or q.x < p.x)
invariant closed_in_pair: forall p, q: p.x <= q.x or (count r: r.x = 3) <= 1
invariant three: forall p, q, r with p != q and q != r and p != r: p.x + q.x + r.x < 9
invariant common for p, q: p = q or (some r in processes with (forall s: s.x < 3): r.x < p.x)
invariant common_count: (count p: some q with q != p: (some r in processes with (forall s: s.x < 3): r.x < p.x)) <= 1
stable near for p: forall q: q.x <= p.x + 2
stable alike: forall p, q: p.x = 0 or q.x < 3
";

#[test]
fn properties_of_pairs_are_checked_incrementally() {
    let program = source(SHAPES);
    let mut violated = 0;
    for (turn, (schedule, seed)) in (0u64..).zip(schedules(60)) {
        for topology in ["complete(1)", "complete(2)", "complete(4)", "complete(7)"] {
            let instance = on(&program, topology).random_ids(turn).build();
            violated += compare(&instance, schedule, seed);
        }
    }
    assert!(violated > 1000, "{violated} violations");
}

/// Properties that relate a process to its neighbours in many forms, and that soon become false.
const NEIGHBOURS: &str = "algorithm neighbours
assumes connected graph, reliable, unordered, unique ids, knows neighbours, randomness
message Hop(left: Int)
var x : Int
var mate : Port?
state run
  on wakeup -> send Hop(10) to neighbours
  on Hop(k) from q ->
    x := random(0..3)
    mate := if x = 0 then none else q
    if k > 0 -> send Hop(k - 1) to q
    [] otherwise -> skip
    fi

function near(p) = count q in p.neighbours: q.x = p.x
function partner(p) = neighbour(p, p.mate)

invariant proper for p: forall q in p.neighbours: q.x + p.x < 6
invariant some_below: forall p: p.x < 3 or (some q in p.neighbours: q.x < 3)
invariant alike: (count p: near(p) > 1) <= 2
invariant mutual: forall p with p.mate != none: partner(p).mate != none or p.x < 3
invariant at_port: forall p with p.mate != none: neighbour(p, p.mate).x <= p.x + 2
invariant far: forall p with p.mate != none: neighbour(p, p.mate).mate != far_end(p, p.mate) or p.x < 3
invariant two_away: forall p: forall q in p.neighbours: forall r in q.neighbours: r.x + p.x < 6
invariant set_of: { p.x for p in processes | some q in p.neighbours: q.x > p.x } <= {0, 1}
invariant least_near: forall p: (least q in p.neighbours with q.x > 0 by q.id) = none or p.x != 2
invariant pairs: forall p, q: p.x < 3 or q.x < 3 or (some r in p.neighbours: r = q)
stable low for p: forall q in p.neighbours: q.x <= p.x + 1
stable counted: (count p: some q in p.neighbours: q.x = p.x) >= 1
";

#[test]
fn properties_of_neighbours_are_checked_incrementally() {
    let program = source(NEIGHBOURS);
    let mut violated = 0;
    for (turn, (schedule, seed)) in (0u64..).zip(schedules(60)) {
        for topology in ["complete(1)", "line(2)", "ring(5)", "star(5)", "mesh(2, 4)"] {
            let instance = on(&program, topology).random_ids(turn).build();
            violated += compare(&instance, schedule, seed);
        }
    }
    assert!(violated > 1000, "{violated} violations");
}

/// Checking all processes after every move, on rings of this size, would exceed the budget of any property.
#[test]
fn properties_of_neighbours_are_checked_to_the_end_on_large_rings() {
    let program = source(
        "algorithm colours
assumes bidirectional ring, anonymous, reads neighbours, central daemon
var colour : 0..2
when colour = left.colour and colour != right.colour -> colour := (colour + 1) mod 3
when colour = right.colour -> colour := (colour + 2) mod 3
invariant in_range for p: forall q in p.neighbours: q.colour + p.colour <= 4
",
    );
    let instance = on(&program, "ring(3000)").random_ids(1).build();
    let options = SimulateOptions { max_steps: Some(20_000), ..SimulateOptions::default() };
    let mut only = Only(RunMonitor::new(&instance, None));
    let run = simulate(&instance, &options, &mut only);
    assert!(run.steps > 10_000, "{} steps", run.steps);
    let verdicts = only.0.verdicts(&instance, Ended::CutOff, &run.configuration, &run.metrics);
    for verdict in verdicts {
        let what = format!("{}: {}", verdict.name, verdict.why);
        assert!(matches!(verdict.why, Reason::InAllConfigurations(_)), "{what}");
    }
}

/// Forward everything to the monitor.
struct Only(RunMonitor);

impl Observer for Only {
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.0.after(instance, event, effects, configuration, metrics);
        true
    }
}

/// Checking all processes after every step, on rings of this size, would exceed the budget of any property.
#[test]
fn elections_on_large_rings_are_checked_to_the_end() {
    for name in ["chang_roberts", "chang_roberts_announced", "dolev_klawe_rodeh", "hirschberg_sinclair"] {
        let program = library(name);
        let instance = on(&program, "ring(3000)").random_ids(1).build();
        let options = SimulateOptions {
            schedule: Schedule::Random,
            seed: 1,
            max_steps: None,
            ..SimulateOptions::default()
        };
        let mut only = Only(RunMonitor::new(&instance, None));
        let run = simulate(&instance, &options, &mut only);
        for verdict in only.0.verdicts(&instance, Ended::Finished, &run.configuration, &run.metrics) {
            let what = format!("{} of {name}: {}", verdict.name, verdict.why);
            assert_eq!(verdict.judgement, Judgement::Holds, "{what}");
            assert!(!matches!(verdict.why, Reason::InFirst(_) | Reason::InFirstAndLast(_)), "{what}");
        }
    }
}

/// Most properties visit 20 000 elements for each process that has moved: the budget ends within the run.
const EXPENSIVE: &str = "algorithm expensive
assumes unidirectional ring, fifo, unique ids
message Hop(k: Int)
var x : Int
state run
  on wakeup -> send Hop(1)
  on Hop(k) -> x := k
               if k < 1500 -> send Hop(k + 1)
               [] otherwise -> skip
               fi
invariant small for p: forall i in 1..20000: i + p.x > 0
invariant broken for p: forall i in 1..20000: i + p.x > 0 and p.x < 1500
leads answered for p: p.x > 0 leads to forall i in 1..20000: i + p.x > 0
leads missed for p: p.x > 0 leads to forall i in 1..20000: i < 20000 or p.x > 1500
invariant huge: forall p, q: forall i in 1..60: i + p.x + q.x > 0
stable huge_later: forall p, q: forall i in 1..60: i + p.x + q.x > 0
leads open for p: p.x = 3 leads to forall i in 1..20000: i < 20000 or p.x > 1500
";

#[test]
fn the_last_configuration_decides_what_the_budget_leaves_open() {
    let instance = on(&source(EXPENSIVE), "ring(1001)").initiators(&[0]).build();
    let mut only = Only(RunMonitor::new(&instance, None));
    let run = simulate(&instance, &SimulateOptions::default(), &mut only);
    let verdicts = only.0.verdicts(&instance, Ended::Finished, &run.configuration, &run.metrics);
    let of = |name: &str| verdicts.iter().find(|verdict| verdict.name == name).unwrap();
    assert_eq!(of("small").judgement, Judgement::Holds);
    assert!(matches!(of("small").why, Reason::InFirstAndLast(_)), "{}", of("small").why);
    assert_eq!(of("broken").judgement, Judgement::Violated);
    assert_eq!(of("answered").judgement, Judgement::Holds);
    assert_eq!(of("missed").judgement, Judgement::Violated);
    assert_eq!(of("open").judgement, Judgement::NotChecked);
    // One evaluation exceeds the budget.
    assert_eq!(of("huge").judgement, Judgement::Holds);
    assert_eq!(of("huge").why, Reason::InFirstAndLast(0));
    assert_eq!(of("huge_later").judgement, Judgement::NotChecked);
}
