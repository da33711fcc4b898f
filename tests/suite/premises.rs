//! Properties that hold only because a premise never comes true.

use crate::common::*;
use std::sync::Arc;
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::ir::Program;
use synod::internals::property::{Judgement, Verdict};
use synod::internals::scenario::play;
use synod::internals::session::{Keep, run_monitored};
use synod::internals::simulate::SimulateOptions;

const PROGRAM: &str = "algorithm premises
assumes complete, unique ids, knows peers
enum Phase = ready | busy | done | asked
param strict : Bool = false
message M
var phase : Phase := ready
state s
  on wakeup -> phase := busy; send M to others
  on M -> phase := done
leads answered for p in processes: p.phase = asked leads to p.phase = done
leads served for p in processes: p.phase = busy leads to p.phase = busy or p.phase = done
stable stays for p in processes: p.phase = asked
stable over for p in processes: p.phase = done
invariant quiet: forall p with p.phase = asked: p.phase = done
invariant strictly: strict implies forall p: p.phase != asked
invariant alone: size(initiators) = 1 implies forall p: p.phase != asked
invariant strictly_asked: forall p: strict and p.phase = asked implies p.phase = done
invariant both: (forall p with p.phase = busy: p.phase != asked) and (forall p: p.phase = asked implies strict)
finally last: forall p with p.phase = done: p.phase != ready
finally never: forall p with p.phase = ready: p.phase = busy
";

#[test]
fn a_verdict_names_the_premises_that_never_came_true() {
    let program = source(PROGRAM);
    for threads in [1, 2] {
        for reduce in [true, false] {
            let options = ExploreOptions {
                threads,
                reduce,
                symmetry: reduce,
                keep_going: true,
                ..ExploreOptions::default()
            };
            let found = explore(&on(&program, "complete(2)").build(), None, &options, &mut |_| None);
            let unmet = |name: &str| {
                let verdict = found.verdicts.iter().find(|verdict| verdict.name == name);
                let verdict = verdict.unwrap_or_else(|| panic!("{name} has no verdict"));
                assert_eq!(verdict.judgement, Judgement::Holds, "{name}: {}", verdict.why);
                (verdict.never_true.clone(), verdict.why.to_string())
            };
            let asked = vec!["p.phase = asked".to_string()];
            assert_eq!(unmet("answered").0, asked);
            assert!(unmet("answered").1.ends_with(", but `p.phase = asked` never came true"));
            assert_eq!(unmet("served").0, Vec::<String>::new());
            assert_eq!(unmet("stays").0, asked);
            assert_eq!(unmet("over").0, Vec::<String>::new());
            assert_eq!(unmet("quiet").0, asked);
            assert_eq!(unmet("strictly_asked").0, Vec::<String>::new());
            assert_eq!(unmet("strictly").0, Vec::<String>::new(), "false for the parameters");
            assert_eq!(unmet("alone").0, Vec::<String>::new(), "false for the initiators");
            assert_eq!(unmet("both").0, asked);
            assert_eq!(unmet("last").0, Vec::<String>::new());
            assert_eq!(unmet("never").0, ["p.phase = ready"]);
        }
    }
}

/// Premises that the parameters or the network make false, wherever they stand.
#[test]
fn a_premise_that_is_false_for_the_parameters() {
    let program = source(
        "algorithm parameters
assumes complete, unique ids
param k : Int = 0
var x : 0..3
state s
  on wakeup -> x := 1
eventually odd: n mod 2 = 1 implies false
eventually edges_known: k = 0 and edges > 1 implies false
invariant with_condition: forall p with k = 1: p.x = 9
invariant within: forall p: k = 1 and p.x = 3 implies p.x = 9
invariant chosen_first: k = 0 implies (k = 1 implies false)
leads left_side: k = 1 leads to false
stable side: k = 1 and (forall p: p.x = 0)
stable option: k = 1 implies (forall p: p.x = 0)
finally fails_before: forall p: 1 div k = 1 and k = 1 implies p.x = 9
leads option_of_left: (k = 1 implies (some p: p.x = 0)) leads to (forall p: p.x >= 0)
invariant applies: forall p with p.x = 1: k = 0
",
    );
    let expected = [
        ("odd", Some("n mod 2 = 1")),
        ("edges_known", Some("k = 0 and edges > 1")),
        ("with_condition", Some("k = 1")),
        ("within", Some("k = 1 and p.x = 3")),
        ("chosen_first", Some("k = 1")),
        ("left_side", Some("k = 1")),
        ("side", Some("k = 1 and (forall p: p.x = 0)")),
        ("option", Some("k = 1")),
        ("fails_before", None),
        ("option_of_left", None),
        ("applies", None),
    ];
    let instance = on(&program, "complete(2)").build();
    let found = explore(&instance, None, &ExploreOptions::default(), &mut |_| None);
    let ran = run(&program, "complete(2)", None);
    for verdicts in [&found.verdicts, &ran] {
        for (name, premise) in expected {
            let why = verdicts.iter().find(|verdict| verdict.name == name).unwrap().why.to_string();
            match premise {
                Some(premise) => {
                    assert_eq!(why, format!("it does not apply: `{premise}` is false"), "{name}")
                }
                None => assert!(!why.starts_with("it does not apply"), "{name}: {why}"),
            }
        }
    }
}

/// An incomplete search does not know whether a premise comes true, and a violated property has applied.
#[test]
fn only_verdicts_that_hold_name_premises() {
    let instance = on(&source(PROGRAM), "complete(2)").build();
    let options = ExploreOptions { max_configurations: 1, keep_going: true, ..ExploreOptions::default() };
    let found = explore(&instance, None, &options, &mut |_| None);
    assert!(found.verdicts.iter().all(|verdict| verdict.never_true.is_empty()));
}

/// Return the verdicts of a run of at most so many steps.
fn run(program: &Arc<Program>, topology: &str, max_steps: Option<u64>) -> Vec<Verdict> {
    let options = SimulateOptions { max_steps, ..SimulateOptions::default() };
    run_monitored(&on(program, topology).build(), None, Keep::Never, "fifo", &options).verdicts
}

/// Return the names of the properties with a premise that never came true.
fn vacuous(verdicts: &[Verdict]) -> Vec<&str> {
    verdicts.iter().filter(|v| !v.never_true.is_empty()).map(|v| v.name.as_str()).collect()
}

/// A run that has ended names the premises that it did not make true; one that was cut off may still make them true.
#[test]
fn a_run_names_the_premises_that_never_came_true() {
    let program = source(PROGRAM);
    let ended = run(&program, "complete(2)", None);
    assert_eq!(vacuous(&ended), ["answered", "stays", "quiet", "both", "never"]);
    let quiet = ended.iter().find(|verdict| verdict.name == "quiet").unwrap();
    assert_eq!(quiet.why.to_string(), "in all 5 configurations, but `p.phase = asked` never came true");
    assert_eq!(
        vacuous(&run(&program, "complete(1)", None)),
        ["answered", "stays", "over", "quiet", "both", "last", "never"]
    );
    assert_eq!(vacuous(&run(&program, "complete(2)", Some(1))), Vec::<&str>::new());
}

/// A premise may come true in the middle of a run only, and for processes other than those that have just moved.
#[test]
fn a_premise_that_was_true_for_a_moment_has_come_true() {
    let program = source(
        "algorithm moment
assumes unidirectional ring, fifo, unique ids, knows n
message Token(k: Int)
var turns : Int
var old : Int
state s
  on wakeup -> turns := 1; old := 1; send Token(1)
  on Token(k) when k < 3 * n -> old := turns; turns := turns + 1; send Token(k + 1)
  on Token(k) -> turns := turns + 1
invariant one_moment: forall p with p.turns = 2 and p.old = 1: p.turns > 0
invariant others: forall p: (forall q: q.turns >= 2) implies p.turns >= 2
invariant in_turn: (count p: p.turns = 2) = 1 implies (forall p with p.turns = 3: p.old = 2)
stable once for p in processes: p.turns >= 2
",
    );
    for n in ["ring(2)", "ring(5)"] {
        assert_eq!(vacuous(&run(&program, n, None)), Vec::<&str>::new(), "{n}");
    }
    // A single process does not have two values at a time.
    assert_eq!(vacuous(&run(&program, "ring(1)", None)), ["in_turn"]);
}

/// A scenario that expects a property to hold gets a note if that is vacuous at its end, and passes.
#[test]
fn a_scenario_notes_expectations_that_hold_vacuously() {
    let text = format!(
        "{PROGRAM}scenario early on complete(2)
  expect over holds
  expect quiet holds
  wake p0
  expect over holds
  expect served holds
"
    );
    let program = source(&text);
    let played = play(&program, &program.scenarios[0], &Default::default(), &mut |_, _, _, _, _| {});
    assert_eq!(played.failures, []);
    let notes: Vec<(String, &str)> = (played.notes.iter())
        .map(|note| (program.sources.slice(note.span).to_string(), note.message.as_str()))
        .collect();
    let why = "`quiet` holds: in all 3 configurations, but `p.phase = asked` never came true";
    assert_eq!(notes, [("expect quiet holds".to_string(), why)]);
}
