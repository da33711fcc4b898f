//! Messages that set a variable are dead only if nothing can read it. One variable, two messages that set it, and one place that reads
//! it, for each place of the language.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explore};
use synod::internals::ir::{Fault, Program};
use synod::internals::property::Judgement;

/// A variable, the pairs of commands that set it, the clauses that read it, and properties that do.
struct Variable {
    declaration: &'static str,
    /// The type of the elements of a list of such values.
    element: &'static str,
    /// A condition on it.
    condition: &'static str,
    setters: &'static [(&'static str, &'static str)],
    readers: &'static [&'static str],
    properties: &'static [&'static str],
}

const BOOL: Variable = Variable {
    declaration: "b : Bool",
    element: "Bool",
    condition: "b",
    setters: &[("b := true", "b := false"), ("b := not b", "skip"), ("b := true", "skip")],
    readers: &[
        "on M when b -> done := true\n  ignore M",
        "on M when not b -> skip",
        "ignore M when b",
        "ignore M when not b",
        "defer M when b\n  on M -> skip",
        "on M -> if b -> done := true [] not b -> skip fi",
        "on M -> if b -> done := true fi",
        "on M -> c := b\n  on Q when c -> done := true\n  ignore Q",
        "on M -> done := b",
        "on M -> send R(if b then 1 else 0) to Sender",
        "when b and not done -> done := true\n  ignore M",
        "on M -> for k in (if b then {1} else {}) do done := true od",
        "on M -> if b -> become t [] otherwise -> skip fi",
        "on M when holds() -> done := true\n  ignore M",
        "on M when (some k in 0..1: b and k = 1) -> done := true\n  ignore M",
        "on M when (if b then c else not c) -> done := true\n  ignore M",
        "on M -> d := { k for k in 0..1 | b }\n  on Q -> done := size(d) > 0",
        "on M -> m[if b then 1 else 0] := 1\n  on Q -> done := 1 in m",
        "on M when m[if b then 1 else 0] = 0 -> skip\n  ignore M",
        "on M -> l := l + [b]\n  on Q -> done := true in l",
        "on M -> help",
        "ignore M",
    ],
    properties: &[
        "finally q: forall p in Receiver: p.b",
        "invariant q: forall p in Receiver: not p.b",
        "stable q: forall p in Receiver: p.b",
        "eventually q: forall p in Receiver: p.b",
        "leads q: (some p in Receiver: p.b) leads to (some p in Receiver: not p.b)",
        "bound q: messages <= (if (some p in Receiver: p.b) then 3 else 4)",
    ],
};

const INT: Variable = Variable {
    declaration: "x : Int",
    element: "Int",
    condition: "x > 1",
    setters: &[("x := 0", "x := 1"), ("x := x + 1", "x := 2"), ("x := x - 1", "x := 1")],
    readers: &[
        "on M -> y := 10 div x",
        "on M when 10 div x > 20 -> skip\n  ignore M",
        "ignore M when 10 div x > 20\n  on M -> skip",
        "on M when 0 < x -> done := true\n  ignore M",
        "on M when x < 1 -> skip",
        "on M -> m[x] := 1\n  on Q -> done := 2 in m",
        "on M -> y := m[x]",
        "on M -> l := l + [x]\n  on Q -> done := size(l) > 0 and head(l) > 0",
        "on M -> if x = y -> done := true [] otherwise -> skip fi",
        "on M -> y := y + x\n  on Q when y > 1 -> done := true\n  ignore Q",
        "on M -> for k in 1..x do done := true od",
        "on M -> z := x",
        "on M when (count k in 0..x: k > 0) > 0 -> done := true\n  ignore M",
        "on M -> send R(x) to Sender",
        "when some k in 1..x with not done -> done := true\n  ignore M",
        "on M -> help",
        "ignore M",
    ],
    properties: &["finally q: forall p in Receiver: p.x > 1", "stable q: forall p in Receiver: p.x = 1"],
};

const PORT: Variable = Variable {
    declaration: "boss : Port?",
    element: "Int",
    condition: "boss != none",
    setters: &[("boss := p", "boss := none"), ("boss := p", "skip")],
    readers: &[
        "on M from boss when c -> skip\n  ignore M",
        "on M from boss -> done := true\n  ignore M",
        "ignore M from boss",
        "defer M from boss\n  on M -> skip",
        "on M -> send R(1) to boss",
        "on M when boss != none -> done := true\n  ignore M",
        "on M from p when p in { q for q in neighbours | q = boss } -> done := true\n  ignore M",
        "on M -> help",
        "ignore M",
    ],
    properties: &["finally q: forall p in Receiver: p.boss = none"],
};

fn program(
    variable: &Variable,
    (first, second): (&str, &str),
    (reader, property): (&str, &str),
    channels: &str,
) -> Arc<Program> {
    let Variable { declaration, element, condition, .. } = variable;
    let text = format!(
        "algorithm dead solves dead_problem
assumes complete, reliable, {channels}crashes, one Sender, one Receiver
message N, P, M, Q, R(v: Int)
role Sender
  state s
    send N to Receiver
    send P to Receiver
    send M to Receiver
    send Q to Receiver
    become t
  state t
  on R(v) when v = 1 -> done := true
  ignore R
role Receiver
  var {declaration}
  var c : Bool
  var d : set of Int
  var m : map of Int to Int := {{0: 0}}
  var l : list of {element}
  var y, z : Int
  function holds() = {condition}
  procedure help
    if {condition} -> done := true
    [] otherwise -> skip
    fi
  state s
  on N from p -> {first}
  on P from p -> {second}
  {reader}
  ignore Q
  state t
  on N from p -> {first}
  on P from p -> {second}
  on Q -> done := true
  ignore M
{property}
"
    );
    let problem = |name: &str| {
        let text = "problem dead_problem\noutput done : Bool\n";
        (name == "dead_problem").then(|| ("dead_problem.syn".to_string(), text.to_string()))
    };
    let checked = synod::internals::check::check("dead.syn", &text, &problem);
    let wrong = checked.diagnostics.iter().filter(|found| found.is_error());
    let wrong: Vec<String> = wrong.map(|found| found.message()).collect();
    checked.program.map(Arc::new).unwrap_or_else(|| panic!("{text}: {wrong:#?}"))
}

/// The results that early receipts preserve.
#[derive(Debug, PartialEq)]
struct Results {
    verdicts: Vec<(String, Judgement)>,
    /// Outcome and outputs.
    ends: BTreeSet<(&'static str, String)>,
    aborts: bool,
    deadlocks: bool,
}

fn results(found: &Exploration) -> Results {
    assert_eq!(found.stopped_by, None);
    assert!(found.disagreements.is_empty());
    let any = |is: fn(&ViolationKind) -> bool| found.counterexamples.iter().any(|c| is(&c.kind));
    Results {
        verdicts: found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect(),
        ends: found.ends.iter().map(|end| (end.outcome, end.outputs.clone())).collect(),
        aborts: any(|kind| matches!(kind, ViolationKind::Aborted(_))),
        deadlocks: any(|kind| matches!(kind, ViolationKind::Stuck(_) | ViolationKind::Blocked(_))),
    }
}

/// Explore a program with and without early receipts. Return the numbers of searches with fewer configurations, and the differences.
fn compare(program: &Arc<Program>, crashes: u32) -> (u32, Vec<String>) {
    let instance = on(program, "complete(2)").faults(&[(Fault::Crash, crashes)]).build();
    let search = |reduce, dead_messages| {
        let options = ExploreOptions { reduce, dead_messages, keep_going: true, ..ExploreOptions::default() };
        explore(&instance, None, &options, &mut |_| None)
    };
    let whole = search(false, false);
    let early = [search(false, true), search(true, true)];
    let fewer = early.iter().filter(|early| early.configurations < whole.configurations).count();
    let whole = results(&whole);
    let different = early.iter().map(results).filter(|early| *early != whole);
    (fewer as u32, different.map(|early| format!("{early:?}\n{whole:?}")).collect())
}

#[test]
fn nothing_is_read_later() {
    let mut fewer = 0;
    let mut wrong = Vec::new();
    for variable in [BOOL, INT, PORT] {
        let readers = variable.readers.iter().map(|reader| (*reader, ""));
        let properties = variable.properties.iter().map(|property| ("ignore M", *property));
        let setters = variable.setters.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        let places: Vec<(&str, &str)> = readers.chain(properties).collect();
        let cases = setters.flat_map(|pair| places.iter().map(move |place| (pair, *place)));
        for ((pair, place), channels) in cases.flat_map(|case| [(case, ""), (case, "unordered, ")]) {
            let program = program(&variable, pair, place, channels);
            for crashes in [0, 1] {
                let (less, different) = compare(&program, crashes);
                fewer += less;
                let case = format!("{channels}{crashes} crashes, {pair:?}, {place:?}");
                wrong.extend(different.iter().map(|text| format!("{case}:\n{text}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(fewer > 500, "{fewer}");
}
