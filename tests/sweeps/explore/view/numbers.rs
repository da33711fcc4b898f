//! Properties that read numbers up to shift, but distinguish no shift, or none of greater numbers: limits of bounds, comparisons with
//! constants. The verdicts are those of a search without the view.

use super::*;
use crate::explore::Numbers;

/// Return an affine function of the numbers of all processes.
fn limit(numbers: &mut Numbers) -> String {
    let terms = [
        "(sum p: p.x)",
        "(sum p: (p.x - 1))",
        "(sum p, q: p.x)",
        "max({ p.x for p in processes })",
        "(if turns > 1 then HIGH else HIGH + 1)",
        "n * LOW",
        "(HIGH - LOW)",
        "(sum p with p.fuel > 1: (p.x - LOW))",
    ];
    let mut text = format!("{}", 1 + numbers.below(4));
    for _ in 0..1 + numbers.below(2) {
        let sign = numbers.one_of(&["+", "+", "-"]);
        text += &format!(" {sign} {} * {}", 1 + numbers.below(3), numbers.one_of(&terms));
    }
    text.replace("HIGH", "max({ r.x for r in processes })").replace("LOW", "min({ r.x for r in processes })")
}

/// Return a comparison of numbers with a constant, or with each other.
fn condition(numbers: &mut Numbers) -> String {
    let sign = numbers.one_of(&["=", "!=", "<", "<=", ">", ">="]);
    let constant = numbers.below(6) as i32 - 1;
    match numbers.below(5) {
        0 => format!("(some p: p.x {sign} {constant})"),
        1 => format!("(forall p: p.x + 1 {sign} {constant})"),
        2 => format!("(forall p: {constant} {sign} p.x - 2)"),
        3 => format!("(forall p, q with p != q: p.x {sign} q.x)"),
        _ => format!("(forall p: p.x {sign} turns)"),
    }
}

fn property(at: usize, numbers: &mut Numbers) -> String {
    let connective = numbers.one_of(&["and", "or", "implies"]);
    let text = format!("{} {connective} {}", condition(numbers), condition(numbers));
    let sign = numbers.one_of(&["<=", "<=", ">=", "<", "="]);
    match numbers.below(10) {
        0 => format!("invariant r{at}: {text}\n"),
        1 => format!("finally r{at}: {text}\n"),
        2 => format!("stable r{at}: {text}\n"),
        3 => format!("eventually r{at}: {text}\n"),
        4 => format!("leads r{at}: {} leads to {}\n", condition(numbers), condition(numbers)),
        5 => format!("exactly r{at}: messages of A = {}\n", limit(numbers)),
        _ => format!(
            "bound r{at}: {} {sign} {}\n",
            numbers.one_of(&["messages", "messages of A", "messages of B"]),
            limit(numbers)
        ),
    }
}

/// Two processes increase their numbers for some turns, or as long as `more` is true.
fn program(more: &str, first: &str, steps: [&str; 3], properties: &str) -> Arc<Program> {
    let text = format!(
        "algorithm shifted
assumes complete, fifo
param turns : Int = 2
message A(x: Int), B(x: Int)
var x : Int := {first}
var fuel := turns
view x, A.x, B.x up to shift
state s
  when {more} ->
    fuel := fuel - 1
    if true -> x := {}; send A(x) to neighbours
    [] true -> x := {}; send B(x + 1) to neighbours
    fi
  on A(y) when y >= x -> x := {}
  on A(y) when y < x -> send B(x) to neighbours
  on B(y) -> x := max(x, y)
{properties}",
        steps[0], steps[1], steps[2]
    );
    let checked = check("shifted.syn", &text, &|name| synod::internals::library::source(name));
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    checked.program.map(Arc::new).unwrap_or_else(|| panic!("{text}: {found:#?}"))
}

#[test]
fn random_properties_of_numbers_up_to_shift() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut violated, mut hold, mut fewer, mut with_view) = (0, 0, 0, 0);
    for round in 0..300 {
        let text = property(0, &mut numbers);
        let own = ["x + 1", "x + 2", "x"];
        let down = if numbers.below(8) == 0 { "x - 1" } else { "x + 1" };
        let steps = [numbers.one_of(&own), numbers.one_of(&own), numbers.one_of(&["y", "y + 1", down])];
        let program = program("fuel > 0", numbers.one_of(&["0", "0", "2"]), steps, &text);
        let instance = on(&program, "complete(2)").build();
        let names: Vec<String> = instance.program.properties.iter().map(|p| p.name.clone()).collect();
        let explored = |options: &ExploreOptions| explore(&instance, Some(&names), options, &mut |_| None);
        let exact = ExploreOptions {
            view: false,
            reduce: false,
            symmetry: false,
            dead_messages: false,
            forget_wakeups: false,
            ..ALL
        };
        let expected = explored(&exact);
        assert_eq!(expected.stopped_by, None, "{round}");
        for options in
            [ALL, ExploreOptions { reduce: false, dead_messages: false, forget_wakeups: false, ..ALL }]
        {
            let found = explored(&options);
            assert!(found.disagreements.is_empty(), "{:?}", found.disagreements);
            assert_eq!(verdicts(&found), verdicts(&expected), "{round}: {text} {steps:?}");
            let is_used = *standing(&found) == ViewStatus::Sound;
            with_view += usize::from(is_used);
            fewer += usize::from(is_used && found.configurations < expected.configurations);
        }
        violated += expected.verdicts.iter().filter(|v| v.judgement == Judgement::Violated).count();
        hold += expected.verdicts.iter().filter(|v| v.judgement == Judgement::Holds).count();
    }
    println!("{violated} violated, {hold} hold, {with_view} with the view, {fewer} fewer");
    assert!(violated > 50 && hold > 50 && with_view > 200 && fewer > 100);
}

/// Two steps lead to one configuration up to shift, at the same cost. The run that violates the bound takes the one with the lesser shift.
#[test]
fn the_run_shown_is_the_one_with_the_greatest_distance_from_the_limit() {
    let text = "algorithm shifted
assumes complete, fifo, one Teller, one Listener
message A
view x up to shift
role Teller
  var x : Int
  var fuel := 3
  state s
    when fuel > 0 -> fuel := fuel - 1
                     send A to Listener
                     if true -> x := x + 2
                     [] true -> x := x + 1
                     fi
role Listener
  state s
    on A -> skip
bound few: messages < sum p in Teller: p.x
";
    let checked = check("shifted.syn", text, &|name| synod::internals::library::source(name));
    let program = checked.program.map(Arc::new).expect("a sound program");
    let found = explore(&on(&program, "complete(2)").build(), None, &ALL, &mut |_| None);
    assert_eq!(*standing(&found), ViewStatus::Sound);
    assert!(found.disagreements.is_empty(), "{:?}", found.disagreements);
    let verdict = &found.verdicts[0];
    assert_eq!(
        (verdict.judgement, verdict.why.to_string()),
        (Judgement::Violated, "3, not less than 3".into())
    );
}
