//! The range `0..2` is enforced wherever a value gets such a type.

use std::sync::Arc;
use synod::internals::ir::Value;
use synod::internals::scenario::play;
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{Outcome, SimulateOptions, Unobserved, simulate};

/// Return the outcome of the program on a ring of four.
fn outcome(text: &str, params: &[(&str, i64)]) -> Result<Outcome, String> {
    let text = format!("algorithm small\nassumes unidirectional ring\n{text}");
    let checked = synod::internals::check::check("test.syn", &text, &synod::internals::library::source);
    let errors: Vec<String> =
        checked.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message()).collect();
    let program = checked.program.ok_or(errors.join("; "))?;
    let mut wishes = InstanceOptions::default();
    wishes.settings.params = params.iter().map(|(n, v)| (n.to_string(), Value::Int(*v))).collect();
    let instance = instantiate(&Arc::new(program), &wishes).map_err(|e| e.to_string())?;
    Ok(simulate(&instance, &SimulateOptions::default(), &mut Unobserved).outcome)
}

/// The declarations and statements succeed with 2, which is within the range, and abort with 7.
fn kept(declared: &str, statements: &str, message: &str) {
    let with = |number: &str| {
        let text = format!("{declared}\nstate s\n  {statements}\n  halt\n");
        outcome(&text.replace('#', number), &[])
    };
    assert_eq!(with("2"), Ok(Outcome::Terminated), "{declared}: {statements}");
    match with("7") {
        Ok(Outcome::Aborted(abort)) => assert_eq!(abort.message, message),
        other => panic!("{declared}: {statements}: {other:?}"),
    }
}

#[test]
fn of_elements_and_parts() {
    let of = |what: &str| format!("7 is outside the range 0..2 of {what}");
    kept("var u : set of 0..2", "u := {1, #}", &of("`u`"));
    kept("var u : set of 0..2", "u := u + {#}", &of("`u`"));
    kept("var u : set of 0..2 := {#}", "skip", &of("`u`"));
    kept("var l : list of 0..2 := [1]", "l[0] := #", &of("`l[0]`"));
    kept("var m : map of Int to 0..2", "m[3] := #", &of("`m[3]`"));
    kept("var m : map of 0..2 to Int", "m[#] := 3", &of("the keys of this map"));
    kept("var m : map of 0..2 to Int", "m := {#: 3}", &of("`m`"));
    kept("var t : (Int, 0..2)", "t.2 := #", &of("`t.2`"));
    kept("var t : (Int, 0..2)", "t := (9, #)", &of("`t`"));
    kept("var o : (0..2)?", "o := #", &of("`o`"));
    kept("var q : queue of (0..2, Bool)", "q := q + [(#, true)]", &of("`q`"));
    kept("var t : (1..2, 1..2)", "if t = (1, 1) -> t.1 := # fi", "7 is outside the range 1..2 of `t.1`");
    kept("var a : 0..2\nvar b : set of 0..2", "a, b := 1, {#}", &of("`b`"));
    kept("var b : (0..2)?", "choose b in {#}", &of("`b`"));
}

#[test]
fn of_fields() {
    let of = |what: &str| format!("7 is outside the range 0..2 of {what}");
    kept("record R(a: 0..2)\nvar r : R", "r := R(#)", &of("the field `a` of `R`"));
    kept("record R(a: 0..2)\nvar r : R", "r.a := #", &of("`r.a`"));
    kept("message M(k: 0..2)", "send M(#)\n  receive M(_)", &of("the field `k` of `M`"));
    kept("message M(k: set of 0..2)", "send M({#})\n  receive M(_)", &of("the field `k` of `M`"));
    kept("message M(k: Int)\nvar o : set of 0..2", "send M(#)\n  receive M(k)\n  o := {k}", &of("`o`"));
    kept("message M(k: set of Int)\nvar o : set of 0..2", "send M({#})\n  receive M(o)", &of("`o`"));
}

#[test]
fn of_functions_and_procedures() {
    let of = |what: &str| format!("7 is outside the range 0..2 of {what}");
    kept("function f(x: 0..2) = x + 1\nvar y : Int", "y := f(#)", &of("the parameter `x` of `f`"));
    kept("function f(x: Int) : 0..2 = x\nvar y : Int", "y := f(#)", &of("the result of `f`"));
    kept("var y : Int\nprocedure p(x: 0..2)\n  y := x", "p(#)", &of("the parameter `x` of `p`"));
    kept("var y : Int\nprocedure p(x: 0..2)\n  x := x + # - 1; y := x", "p(1)", &of("`x`"));
}

#[test]
fn of_constants_and_parameters() {
    let body = "\nvar y : 0..9\nstate s\n  y := k\n  halt\n";
    let constant = |n: i64| outcome(&format!("const k : 0..2 = {n}{body}"), &[]);
    assert_eq!(constant(2), Ok(Outcome::Terminated));
    assert_eq!(constant(7).unwrap_err(), "7 is outside the range 0..2 of the constant `k`");
    let param =
        |default: i64, set: &[(&str, i64)]| outcome(&format!("param k : 0..2 = {default}{body}"), set);
    assert_eq!(param(2, &[]), Ok(Outcome::Terminated));
    // The default is wrong regardless of the instance.
    assert_eq!(param(7, &[]).unwrap_err(), "7 is outside the range 0..2 of the parameter `k`");
    assert_eq!(param(7, &[("k", 1)]).unwrap_err(), "7 is outside the range 0..2 of the parameter `k`");
    assert_eq!(param(2, &[("k", 7)]).unwrap_err(), "7 is outside the range 0..2 of the parameter `k`");
}

#[test]
fn bounds_may_depend_on_the_instance() {
    let text =
        "param k : Int = 3\nvar x : 0..k\nvar s : set of 0..k\nstate s\n  x := 3\n  s := {x, 4}\n  halt\n"
            .replace("state s", "state t");
    let Ok(Outcome::Aborted(abort)) = outcome(&text, &[]) else { panic!() };
    assert_eq!(abort.message, "4 is outside the range 0..3 of `s`");
    assert_eq!(outcome(&text, &[("k", 4)]), Ok(Outcome::Terminated));
    let Ok(Outcome::Aborted(abort)) = outcome(&text, &[("k", 2)]) else { panic!() };
    assert_eq!(abort.message, "3 is outside the range 0..2 of `x`");
}

#[test]
fn a_scenario_computes_the_bounds_anew() {
    let text = "algorithm small\nassumes complete\nparam k : Int = 3\nvar x : 0..max({ 2 * i for i in 0..k })\n\
                invariant small: forall p: p.x <= 2 * k\n\
                scenario within\non complete(2)\n  initially p0.x := k + 3\n  expect p0.x = 6\n\
                scenario outside\non complete(2)\n  initially p0.x := k + 4\n  expect p0.x = 7\n";
    let program =
        synod::internals::check::check("test.syn", text, &synod::internals::library::source).program;
    let program = Arc::new(program.expect("no errors"));
    let failures = |scenario| {
        let played = play(&program, scenario, &Default::default(), &mut |_, _, _, _, _| {});
        played.failures.into_iter().map(|failure| failure.message).collect::<Vec<String>>()
    };
    assert_eq!(failures(&program.scenarios[0]), Vec::<String>::new());
    let outside = failures(&program.scenarios[1]).join("; ");
    assert!(outside.contains("7 is outside the range 0..6 of `x`"), "{outside}");
}
