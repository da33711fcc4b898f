//! Programs without bounds end with a message at the place of the error.

use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::semantics::Abort;
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{Outcome, SimulateOptions, Unobserved, simulate};

fn aborted(body: &str) -> (Box<Abort>, String) {
    let text = format!("algorithm large\nassumes unidirectional ring, one First\n{body}");
    let checked = synod::internals::check::check("large.syn", &text, &synod::internals::library::source);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{found:?}")));
    let instance = instantiate(&program, &InstanceOptions::default()).expect("an instance");
    let options = SimulateOptions { max_steps: Some(100_000), ..SimulateOptions::default() };
    match simulate(&instance, &options, &mut Unobserved).outcome {
        Outcome::Aborted(abort) => {
            let place = program.sources.slice(abort.span).to_string();
            (abort, place)
        }
        other => panic!("{other:?}"),
    }
}

/// One process circulates a message.
fn carousel(declared: &str, first: &str, on: &str) -> String {
    let state = "state s\n    on wakeup -> send Go\n";
    format!(
        "message Go\nrole First\n  {declared}\n  {first}\n  {state}    on Go -> {on}; send Go\n\
         role Other\n  state s\n    on Go -> send Go\n"
    )
}

#[test]
fn collections_that_double() {
    let (abort, place) = aborted(&carousel("var l : list of Int := [1]", "", "l := l + l"));
    assert_eq!(abort.message, "a collection of more than 4194304 elements is too large");
    assert_eq!(place, "l + l");
    // It doubled 22 times, at every fourth step after the starts and the first wake-up.
    assert_eq!(abort.process, Some(ProcessId(0)));
    let (abort, place) = aborted(&carousel(
        "var all : set of Int := {0, 1}",
        "",
        "all := { x * size(all) + y for x in all, y in all }",
    ));
    assert_eq!(abort.message, "a collection of more than 4194304 elements is too large");
    assert_eq!(place, "{ x * size(all) + y for x in all, y in all }");
}

#[test]
fn values_that_share_their_parts() {
    // Twenty-two steps make a collection of four million parts, and a hundred more an uncountable one.
    let (abort, place) = aborted(&carousel("var v : Value", "", "v := (v, v)"));
    assert_eq!(abort.message, "a value of more than 4194304 parts is too large");
    assert_eq!(place, "(v, v)");
    let (abort, _) = aborted(&carousel("var v : Value", "", "v := (v, 1)"));
    assert_eq!(abort.message, "values cannot be nested more than 64 levels deep");
    let (abort, place) = aborted(&carousel(
        "var m : map of Int to (set of Int) := {1: {1}}",
        "",
        "for i in 1..5000000 do m[1] := m[1] + {i} od",
    ));
    // The loop ends before the limit.
    assert!(abort.message.contains("1..5000000 has more than"), "{} {place}", abort.message);
}

#[test]
fn commands_that_visit_too_many_elements() {
    let declared = "var x : Int\n  var l : list of Int := [1]";
    for (on, at) in [
        // One expression over ranges that are never materialized, and a collection in a loop.
        ("x := sum i in 1..20000: sum j in 1..20000: 1", "1..20000"),
        ("for i in 1..22 do l := l + l od; do not (0 in l) -> skip od", "l"),
    ] {
        let (abort, place) = aborted(&carousel(declared, "", on));
        let message = "more than 100000000 elements visited in one command: this would take too long";
        assert_eq!((abort.message.as_str(), place.as_str()), (message, at), "{on}");
    }
}

#[test]
fn messages_that_grow_on_their_way() {
    let growing = |what: &str| {
        aborted(&format!(
            "message Go(v: Value)\nrole First\n  state s\n    on wakeup -> send Go(1)\n    on Go(v) -> send Go({what})\n\
             role Other\n  state s\n    on Go(v) -> send Go({what})\n"
        ))
    };
    for what in ["(v, v)", "(v, 1)"] {
        let (abort, place) = growing(what);
        assert!(abort.message.starts_with("this message is too large"), "{}", abort.message);
        assert_eq!(place, format!("send Go({what})"));
    }
}

#[test]
fn long_values_are_cut_where_they_are_shown() {
    use synod::internals::ir::Value;
    use synod::internals::ir::show::show;
    let checked =
        synod::internals::check::check("small.syn", "algorithm small\nstate s\n  halt\n", &|_| None);
    let program = checked.program.expect("no errors");
    let short = show(&program, &Value::set((0..3).map(Value::Int)));
    assert_eq!(short, "{0, 1, 2}");
    let million = Value::list((0..1_000_000).map(Value::Int));
    let shown = show(&program, &Value::tuple(vec![million.clone(), million]));
    assert!(shown.len() < 4100, "{}", shown.len());
    assert!(shown.starts_with("([0, 1, 2, ") && shown.ends_with(" more], … and 1 more)"), "{shown}");
}
