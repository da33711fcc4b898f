//! Properties of the history are decided with the events that can still matter as with the whole history.

use crate::common::*;
use crate::explore::Numbers;
use std::sync::Arc;
use synod::internals::explore::{Exploration, ExploreOptions, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::{Fault, Program};
use synod::internals::property::Judgement;

/// A limit for most searches with the whole history.
const MOST: u64 = 4_000;

/// The events that a variable ranges over.
const KINDS: [&str; 5] =
    ["calls of say", "returns of say", "calls of close", "returns of close", "upcalls of hear"];

/// An event variable of a sentence: its name, and its index in `KINDS`.
type Variable = (String, usize);

fn has_value(kind: usize) -> bool {
    matches!(kind, 0 | 4)
}

/// The comparisons of numbers of events that a sentence may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparisons {
    Any,
    /// Only between events of one process.
    AtOneProcess,
}

/// Return a condition on two of the variables.
fn condition(variables: &[Variable], comparisons: Comparisons, numbers: &mut Numbers) -> String {
    let (x, x_kind) = &variables[numbers.below(variables.len())];
    let (y, y_kind) = &variables[numbers.below(variables.len())];
    let mut forms = vec![
        format!("{x}.process = {y}.process"),
        format!("{x}.process = {y}.process"),
        format!("{x}.process != {y}.process"),
        format!("{x} before {y}"),
        format!("{x} before {y}"),
        format!("{x} happened before {y}"),
        format!("{x} happened before {y}"),
        format!("not ({x} happened before {y})"),
        format!("({x} before {y} or {x}.process = {y}.process)"),
        format!("({x}.process = {y}.process implies {x} before {y})"),
    ];
    match comparisons {
        Comparisons::Any => forms.extend([
            format!("{x}.nth = {y}.nth"),
            format!("{x}.nth <= {y}.nth"),
            format!("{x}.nth = 1"),
        ]),
        Comparisons::AtOneProcess => forms.extend(
            ["=", "=", "<=", "<", "!="]
                .map(|sign| format!("({x}.process = {y}.process and {x}.nth {sign} {y}.nth)")),
        ),
    }
    if x_kind == y_kind {
        forms.push(format!("{x} != {y}"));
    }
    if has_value(*x_kind) && has_value(*y_kind) {
        forms.extend([
            format!("{x}.value = {y}.value"),
            format!("{x}.value = {y}.value"),
            format!("{x}.value <= {y}.value"),
        ]);
    }
    if *x_kind == 0 && *y_kind == 0 {
        forms.extend([format!("multicast_before({x}, {y})"), format!("multicast_before({x}, {y})")]);
    }
    forms[numbers.below(forms.len())].clone()
}

fn conditions(
    variables: &[Variable],
    most: usize,
    comparisons: Comparisons,
    numbers: &mut Numbers,
) -> String {
    let all: Vec<String> =
        (0..=numbers.below(most)).map(|_| condition(variables, comparisons, numbers)).collect();
    all.join(" and ")
}

/// Return a property of the history.
fn sentence(comparisons: Comparisons, numbers: &mut Numbers) -> String {
    let mut variables: Vec<Variable> = Vec::new();
    let mut text = String::new();
    for at in 0..=numbers.below(3) {
        let kind = numbers.below(KINDS.len());
        variables.push((format!("x{at}"), kind));
        text += &format!("forall x{at} in {}", KINDS[kind]);
        if at > 0 || numbers.below(3) == 0 {
            text += &format!(" with {}", conditions(&variables, 2, comparisons, numbers));
        }
        text += ": ";
    }
    let plain = condition(&variables, comparisons, numbers);
    let kind = numbers.below(KINDS.len());
    let mut inner = variables.clone();
    inner.push(("y".into(), kind));
    let witness = |text: &str| format!("(some y in {}: {text})", KINDS[kind]);
    let exists = witness(&conditions(&inner, 3, comparisons, numbers));
    let nested = {
        let other = numbers.below(KINDS.len());
        let mut all = inner.clone();
        all.push(("z".into(), other));
        witness(&format!(
            "{} and (some z in {}: {})",
            condition(&inner, comparisons, numbers),
            KINDS[other],
            conditions(&all, 3, comparisons, numbers)
        ))
    };
    text += &match numbers.below(6) {
        0 => plain,
        1 => format!("{plain} or {exists}"),
        2 => format!("{plain} implies {exists}"),
        3 => nested,
        _ => exists,
    };
    text
}

/// Processes that tell each other numbers, with the properties `r0`, `r1`, ….
fn program(channels: &str, properties: &[String]) -> Arc<Program> {
    let problem = "problem Talk
param turns : Int = 1
var latest : Int
operation say(v: Int)
  algorithm.say(v)
operation close
  algorithm.close
on algorithm.hear(v) -> latest := v
client
  for k in 1..turns do
    pause
    say(k)
    close
  od
";
    let mut text = format!(
        "algorithm chatter solves Talk
assumes complete, {channels}, unique ids, crashes
message M(v: Int)
var passed : Bool
operation say(v: Int)
  hear(v)
  send M(v) to neighbours
operation close
  skip
on M(v) ->
  hear(v + 1)
  if not passed and v < 2 -> passed := true; send M(v + 1) to neighbours
  [] otherwise -> skip
  fi
"
    );
    for (at, property) in properties.iter().enumerate() {
        text += &format!("order r{at}: {property}\n");
    }
    let checked = synod::internals::check::check("chatter.syn", &text, &|name| match name {
        "Talk" => Some(("talk.syn".into(), problem.into())),
        _ => synod::internals::library::source(name),
    });
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    checked.program.map(Arc::new).unwrap_or_else(|| panic!("{text}: {found:#?}"))
}

fn explored(instance: &Instance, options: &ExploreOptions) -> Exploration {
    let names: Vec<String> = instance.program.properties.iter().map(|p| p.name.clone()).collect();
    explore(instance, Some(&names), options, &mut |_| None)
}

#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    compared: usize,
    violated: usize,
    hold: usize,
    smaller: usize,
    /// Searches with symmetry reduction.
    symmetric: usize,
}

/// Compare the verdicts with those by the whole history.
fn compare(instance: &Instance, notes: u32, tally: &mut Tally) {
    compare_up_to(MOST, instance, notes, tally);
}

/// The same, with this limit of configurations.
fn compare_up_to(max_configurations: u64, instance: &Instance, notes: u32, tally: &mut Tally) {
    let plain = ExploreOptions { keep_going: true, max_configurations, notes, ..ExploreOptions::default() };
    let whole = ExploreOptions {
        relevant_history: false,
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        symmetry: false,
        ..plain
    };
    let expected = explored(instance, &whole);
    let options = [
        plain,
        ExploreOptions {
            reduce: false,
            dead_messages: false,
            forget_wakeups: false,
            symmetry: false,
            ..plain
        },
        ExploreOptions { threads: 2, ..plain },
        ExploreOptions { reduce: false, dead_messages: false, forget_wakeups: false, ..plain },
        // Symmetry with the whole history.
        ExploreOptions { relevant_history: false, ..plain },
    ];
    for options in options {
        let found = explored(instance, &options);
        assert!(found.disagreements.is_empty(), "{:?}", found.disagreements);
        tally.symmetric += usize::from(found.symmetric);
        for (a, b) in expected.verdicts.iter().zip(&found.verdicts) {
            let text = || {
                let all = instance.program.properties.iter();
                let own = all.filter(|p| p.name == a.name).map(|p| instance.program.sources.slice(p.span));
                own.collect::<Vec<_>>().join("\n")
            };
            // A search with the whole history may be incomplete.
            if a.judgement != Judgement::Pending {
                assert_eq!(a.judgement, b.judgement, "{}: {options:?}: {} / {}", text(), a.why, b.why);
                tally.compared += 1;
                tally.violated += usize::from(a.judgement == Judgement::Violated);
                tally.hold += usize::from(a.judgement == Judgement::Holds);
            }
        }
        if expected.stopped_by.is_none() && !options.reduce {
            assert!(found.configurations <= expected.configurations);
            assert_eq!(found.depth, expected.depth);
            tally.smaller += usize::from(found.configurations < expected.configurations);
        }
    }
}

/// Random properties, also several in one search, on processes with ordered and unordered channels, crashes, and notes of the
/// application.
#[test]
fn random_properties_of_the_history() {
    let mut tally = Tally::default();
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    for round in 0..40 {
        let properties: Vec<String> =
            (0..=round % 3).map(|_| sentence(Comparisons::Any, &mut numbers)).collect();
        let program = program(numbers.one_of(&["fifo", "unordered"]), &properties);
        let small = on(&program, "complete(2)");
        compare(&small.build(), 0, &mut tally);
        match round % 5 {
            0 => compare(&small.build(), 1, &mut tally),
            1 => compare(&small.faults(&[(Fault::Crash, 1)]).build(), 0, &mut tally),
            2 => compare(&small.param("turns", 2).build(), 0, &mut tally),
            3 => compare(&on(&program, "complete(3)").build(), 0, &mut tally),
            _ => {}
        }
    }
    println!("{tally:?}");
    assert!(
        tally.compared > 220
            && tally.violated > 55
            && tally.hold > 25
            && tally.smaller > 20
            && tally.symmetric > 55,
        "{tally:?}"
    );
}

/// Numbers that are compared only between events of one process are kept relative to one another.
#[test]
fn random_comparisons_of_numbers_at_one_process() {
    let mut tally = Tally::default();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for _ in 0..20 {
        let properties = [sentence(Comparisons::AtOneProcess, &mut numbers)];
        let program = program(numbers.one_of(&["fifo", "unordered"]), &properties);
        let twice = on(&program, "complete(2)").param("turns", 2).build();
        compare_up_to(50_000, &twice, 0, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.compared > 90 && tally.violated > 20 && tally.hold > 50 && tally.smaller > 30, "{tally:?}");
}

/// Numbers that are compared otherwise are kept as they are.
#[test]
fn numbers_of_events_of_several_processes() {
    let expected = [
        ("forall x in returns of say: x.nth <= 1", Judgement::Violated),
        (
            "forall x in calls of say, y in calls of say with x.process != y.process and x.nth < y.nth: x before y",
            Judgement::Violated,
        ),
        (
            "forall x in calls of say, y in returns of say with x.process = y.process and x.nth + 1 = y.nth: x before y",
            Judgement::Holds,
        ),
        (
            "forall x in calls of say, y in calls of say with x.process = y.process and x.nth < y.nth: x before y",
            Judgement::Holds,
        ),
    ];
    for (property, judgement) in expected {
        let program = program("fifo", &[property.into()]);
        let twice = on(&program, "complete(2)").param("turns", 2).build();
        let found = explored(&twice, &ExploreOptions { keep_going: true, ..ExploreOptions::default() });
        assert_eq!(found.verdicts[0].judgement, judgement, "{property}: {}", found.verdicts[0].why);
    }
}

/// The orders of the library need few configurations more than those without any history.
#[test]
fn orders_of_the_library_are_checked_with_small_histories() {
    let cases = [
        ("ricart_agrawala", "complete(3)", "ME1", "ME3", 2),
        ("carvalho_roucairol", "complete(3)", "ME1", "ME3", 2),
        ("token_ring", "ring(4)", "ME1", "ME3", 2),
        ("causal", "complete(3)", "integrity", "causal_order", 2),
        // Histories distinguish processes that are otherwise alike.
        ("central_server", "star(6)", "ME1", "ME3", 10),
    ];
    for (name, network, plain, order, factor) in cases {
        let instance = on(&library(name), network).build();
        let searched = |property: &str| {
            let found =
                explore(&instance, Some(&[property.into()]), &ExploreOptions::default(), &mut |_| None);
            assert_eq!(found.verdicts[0].judgement, Judgement::Holds, "{name}: {property}");
            found.configurations
        };
        let (without, with) = (searched(plain), searched(order));
        assert!(with <= factor * without, "{name}: {without} configurations for {plain}, {with} for {order}");
    }
}

/// Return a program whose processes call each other, with this property. The value of the upcall is this expression.
fn caller(value: &str, property: &str) -> Arc<Program> {
    let problem = "problem Call
operation ring
  algorithm.ring
on algorithm.heard(m) -> skip
client
  ring
";
    let text = format!(
        "algorithm caller solves Call
assumes complete, fifo
param k : Int = 1
message M
operation ring
  send M to neighbours
on M from p -> heard({value})
{property}
"
    );
    let checked = synod::internals::check::check("caller.syn", &text, &|name| match name {
        "Call" => Some(("call.syn".into(), problem.into())),
        _ => synod::internals::library::source(name),
    });
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    checked.program.map(Arc::new).unwrap_or_else(|| panic!("{text}: {found:#?}"))
}

/// Exchanging processes moves their events and clocks, but not a port in the value of an event.
#[test]
fn processes_are_interchangeable_unless_an_event_holds_a_port() {
    let told = "order told: forall r in calls of ring, s in calls of ring with r happened before s and r.process != s.process:
  some h in upcalls of heard: h.process = s.process and h before s";
    for (value, is_symmetric) in [("1", true), ("p", false)] {
        let instance = on(&caller(value, told), "complete(3)").build();
        let found = explored(&instance, &ExploreOptions::default());
        let plain = explored(&instance, &ExploreOptions { symmetry: false, ..ExploreOptions::default() });
        assert_eq!(found.symmetric, is_symmetric, "{value}");
        assert_eq!(found.configurations < plain.configurations, is_symmetric, "{value}");
        assert_eq!(found.verdicts[0].judgement, Judgement::Holds);
        assert_eq!(plain.verdicts[0].judgement, Judgement::Holds);
    }
}

/// A property whose premise is false for the parameters needs no history, and no search of its own.
#[test]
fn a_false_premise_needs_no_history() {
    let found =
        explore(&on(&library("fifo"), "complete(2)").build(), None, &ExploreOptions::default(), &mut |_| {
            None
        });
    assert!(
        found.separate.iter().all(|search| !search.properties.contains(&"causal_order".into())),
        "{:?}",
        found.separate
    );
    let verdict = found.verdicts.iter().find(|verdict| verdict.name == "causal_order");
    assert_eq!(verdict.map(|verdict| verdict.judgement), Some(Judgement::Holds));
}

/// A left side with a false premise is true, so the right side has to come true.
#[test]
fn a_false_premise_on_the_left_side_needs_the_history() {
    let property = "leads heard: (k = 2 implies false) leads to (some h in upcalls of heard: h.nth = 1)";
    let found = explored(&on(&caller("1", property), "complete(2)").build(), &ExploreOptions::default());
    assert_eq!(found.verdicts[0].judgement, Judgement::Holds, "{}", found.verdicts[0].why);
}

/// A limit leaves no property open whose premise is false for the parameters.
#[test]
fn a_false_premise_is_known_without_a_search() {
    let instance = on(&library("causal"), "complete(3)").build();
    let options = ExploreOptions { max_configurations: 100, ..ExploreOptions::default() };
    let found = explore(&instance, None, &options, &mut |_| None);
    for verdict in &found.verdicts {
        let is_total = verdict.name.contains("total");
        let expected = if is_total { Judgement::Holds } else { Judgement::Pending };
        assert_eq!(verdict.judgement, expected, "{}", verdict.name);
    }
}

/// The reason for a violation numbers the events as in the whole history.
#[test]
fn reasons_number_all_events() {
    let property =
        "forall x in calls of say with x.value = 2: some y in upcalls of hear: y.value = 9".to_string();
    let instance = on(&program("fifo", &[property]), "complete(2)").param("turns", 2).build();
    let why = |relevant_history| {
        let options = ExploreOptions { relevant_history, ..ExploreOptions::default() };
        explored(&instance, &options).verdicts[0].why.to_string()
    };
    assert_eq!(why(true), why(false));
    assert!(why(true).contains("call 2 of say"), "{}", why(true));
}
