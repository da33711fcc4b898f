//! The times at which properties are checked, and regression tests of small programs.

use std::sync::Arc;
use synod::internals::ir::Program;
use synod::internals::property::{Ended, Judgement, RunMonitor, Verdict};
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, Metrics};
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{Observer, Outcome, SimulateOptions, simulate};

fn program(text: &str) -> Result<Arc<Program>, Vec<String>> {
    let checked = synod::internals::check::check("test.syn", text, &synod::internals::library::source);
    let found = checked.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message());
    let found: Vec<String> = found.collect();
    checked.program.map(Arc::new).ok_or(found)
}

struct Watching(RunMonitor);

impl Observer for Watching {
    fn after(
        &mut self,
        instance: &synod::internals::instance::Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.0.after(instance, event, effects, configuration, metrics);
        true
    }
}

/// Run on a small network, and return the outcome and the verdicts.
fn run(text: &str) -> (Outcome, Vec<Verdict>) {
    let program = program(text).expect("no errors");
    let instance = instantiate(&program, &InstanceOptions::default()).expect("an instance");
    let mut watching = Watching(RunMonitor::new(&instance, None));
    watching.0.begin(&instance, &Configuration::initial(&instance), &Metrics::new(program.kinds.len(), 0));
    let run = simulate(&instance, &SimulateOptions::default(), &mut watching);
    let verdicts = watching.0.verdicts(&instance, Ended::Finished, &run.configuration, &run.metrics);
    (run.outcome, verdicts)
}

fn judgements(text: &str) -> Vec<Judgement> {
    run(text).1.into_iter().map(|v| v.judgement).collect()
}

const HEADER: &str = "algorithm small\nassumes unidirectional ring, unique ids\n";

/// The definition of an output applies only if no statement assigns the output, or a part of it.
#[test]
fn an_output_is_assigned_if_a_part_of_it_is() {
    let find = |name: &str| {
        let problem = "problem Shares\noutput shares : map of Int to Int := { 1: 1 }\n";
        (name == "Shares").then(|| ("shares.syn".to_string(), problem.to_string()))
    };
    let text = "algorithm t solves Shares\nassumes unidirectional ring, unique ids\nstate s\n  shares[1] := 2\n  halt\n\
                finally assigned: forall p: p.shares[1] = 2\n";
    let checked = synod::internals::check::check("t.syn", text, &find);
    assert!(checked.diagnostics.is_empty() && checked.program.is_some(), "{:?}", checked.diagnostics);
}

#[test]
fn properties_are_checked_after_all_processes_have_started() {
    let text = format!(
        "{HEADER}var d : Int := 5\nvar b : Bool := true\nstate s\n  send 1\n  receive _\n  halt\n\
         invariant five: forall p: p.d = 5\nstable true_for_ever for p: p.b\neventually false_once: some p: not p.b\n"
    );
    assert_eq!(judgements(&text), [Judgement::Holds, Judgement::Holds, Judgement::Violated]);
}

#[test]
fn what_a_property_ranges_over_may_grow_and_shrink() {
    let text = format!(
        "{HEADER}var c : Int\nstate s\n  send 1\n  receive _\n  c := c + 1\n  if c = 3 -> c := 0; halt [] otherwise -> skip fi\n\
         invariant keeps for p in {{ x in processes | x.c > 0 }}: p.c >= 1\n"
    );
    assert_eq!(judgements(&text), [Judgement::Holds]);
}

#[test]
fn eventually_is_checked_for_each_process() {
    let text = format!(
        "{HEADER}var c : Bool\nstate s\n  send 1\n  receive _\n  c := true\n  send 2\n  receive _\n  c := false\n  halt\n\
         eventually turn for p: p.c\neventually never for p: p.c and not p.c\n"
    );
    assert_eq!(judgements(&text), [Judgement::Holds, Judgement::Violated]);
}

#[test]
fn ranges_are_kept_by_initial_values_and_choices() {
    for body in [
        "var x : 0..2 := 7\nstate s\n  send x\n  receive _\n  halt\n",
        "var x : 1..3\nstate s\n  choose x in {7}\n  send x\n  receive _\n  halt\n",
    ] {
        let (outcome, _) = run(&format!("{HEADER}{body}"));
        assert!(matches!(outcome, Outcome::Aborted(_)), "{body}{outcome:?}");
    }
}

#[test]
fn a_key_on_the_way_must_exist() {
    let body = "var m : map of Int to list of Int\nstate s\n  m[1][7] := 5\n  send 1\n  receive _\n  halt\n";
    let (outcome, _) = run(&format!("{HEADER}{body}"));
    let Outcome::Aborted(abort) = outcome else { panic!("{outcome:?}") };
    assert_eq!(abort.message, "key 1 is not in this map");
}

#[test]
fn parts_that_do_not_exist_cannot_be_assigned() {
    for (declared, statement) in [
        ("record R(a: Int)\nvar r : R", "r.zz := 5"),
        ("var t : (Int, Int)", "t.3 := 5"),
        ("var x : Int", "x, x := 1, 2"),
    ] {
        let text = format!("{HEADER}{declared}\nstate s\n  {statement}\n  send 1\n  receive _\n  halt\n");
        assert_eq!(program(&text).map(|_| ()).unwrap_err().len(), 1, "{statement}");
    }
}

#[test]
fn an_if_over_all_cases_of_an_enumeration_is_complete() {
    let program = |guards: &str| {
        format!(
            "algorithm lights\nassumes complete\nenum Light = red | amber | green\nvar light: Light := red\n\
             var seen := 0\nstate s\n  if {guards} fi\n  light := amber; light := green\n  halt\nfinally looked: some p: p.seen > 0\n"
        )
    };
    let doubts = |guards: &str| {
        let checked =
            synod::internals::check::check("test.syn", &program(guards), &synod::internals::library::source);
        checked.diagnostics.into_iter().map(|d| d.message()).collect::<Vec<_>>()
    };
    let all = "light = red -> seen := 1 [] light = amber -> seen := 2 [] green = light -> seen := 3";
    assert_eq!(doubts(all), Vec::<String>::new());
    assert_eq!(doubts("light = red -> seen := 1 [] light != red -> seen := 2"), Vec::<String>::new());
    let missing = "no guard of this `if` holds when `light = green`: the run would abort";
    assert_eq!(doubts("light = red -> seen := 1 [] light = amber -> seen := 2"), [missing]);
    assert!(matches!(run(&program(all)).0, Outcome::Terminated));
}

/// A violated property shows a port by the process that it leads to.
#[test]
fn ports_of_a_variable_are_shown_by_processes() {
    let text = "algorithm t\nassumes connected graph\nmessage M\nvar from_whom : Port?\nstate s\n  send M to port(0)\n  \
                become t\nstate t\n  on M from p -> from_whom := p\n\
                invariant no_port: forall p: p.from_whom = none\n";
    let verdict = run(text).1.remove(0);
    let why = verdict.why.to_string();
    assert_eq!(verdict.judgement, Judgement::Violated);
    assert!(why.contains(", with p") && !why.contains("port "), "{why}");
}
