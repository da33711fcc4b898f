//! The exact instances of the coordination catalogue, §3.7.

use synod::internals::ids::ProcessId;
use synod::internals::trace::causality::{Causality, Step};

/// Return the order of a run in the notation of the catalogue, and the names of events by position.
fn run(text: &str) -> (Causality, Vec<String>) {
    let (processes, steps, names) = steps(text);
    (Causality::new(processes, steps), names)
}

/// Parse the notation of the catalogue: `p1: a; b!m1 · p2: c?m1`. Return the number of processes, the events in an
/// order that agrees with causality, and their names.
pub fn steps(text: &str) -> (usize, Vec<Step>, Vec<String>) {
    let mut lines: Vec<Vec<(ProcessId, String)>> = Vec::new();
    for (p, line) in (0..).map(ProcessId).zip(text.split('·')) {
        let (_, events) = line.split_once(':').unwrap();
        let mut events: Vec<_> = events.split(';').map(|e| (p, e.trim().to_string())).collect();
        events.reverse();
        lines.push(events);
    }
    let (mut names, mut steps, mut sent): (_, Vec<Step>, Vec<u64>) = (Vec::new(), Vec::new(), Vec::new());
    let number = |m: &str| m.bytes().fold(0, |n, b| n * 256 + u64::from(b));
    let processes = lines.len();
    // Any order that agrees with causality suffices: take any enabled event.
    while let Some(p) = lines.iter().position(|l| {
        l.last().is_some_and(|(_, e)| e.split_once('?').is_none_or(|(_, m)| sent.contains(&number(m))))
    }) {
        let (process, event) = lines[p].pop().unwrap();
        let mut step = Step { process, ..Step::default() };
        let mut name = event.as_str();
        if let Some((n, m)) = event.split_once('?') {
            (name, step.received) = (n, vec![number(m)]);
        }
        if let Some((n, m)) = event.split_once('!') {
            (name, step.sent) = (n, m.split('+').map(number).collect());
        }
        sent.extend(&step.sent);
        names.push(name.to_string());
        steps.push(step);
    }
    assert!(lines.iter().all(Vec::is_empty), "{text}: some message is never sent");
    (processes, steps, names)
}

/// Return Lamport and vector time, as the catalogue prints them: `L5(2,2,2)`.
fn clock(run: &(Causality, Vec<String>), name: &str) -> String {
    let event = run.1.iter().position(|n| n == name).unwrap();
    let vector: Vec<String> = run.0.vector(event).iter().map(u32::to_string).collect();
    format!("L{}({})", run.0.lamport(event), vector.join(","))
}

/// Return the number of pairs in happened-before, and of concurrent pairs.
fn pairs(c: &Causality) -> (usize, usize) {
    let all = || (0..c.len()).flat_map(|a| (0..c.len()).map(move |b| (a, b)));
    let before = all().filter(|(a, b)| c.happened_before(*a, *b)).count();
    let concurrent = all().filter(|(a, b)| a < b && c.concurrent(*a, *b)).count();
    // The vectors and the search must agree.
    assert!(all().all(|(a, b)| (a != b && c.chain(a, b).is_some()) == c.happened_before(a, b)));
    (before, concurrent)
}

pub const T1: &str = "p1: a; b!m1 · p2: c?m1; d!m2 · p3: e; f?m2";
pub const T2: &str = "p1: e1; e2!m1; e3; e4?m2 · p2: f1?m1; f2; f3!m2";
pub const T3: &str = "p1: a1; a2!m1; a3; a4?m3 · p2: b1; b2?m1; b3!m2; b4 · p3: c1; c2?m2; c3!m3; c4";
pub const T4: &str = "p1: a; b · p2: c; d · p3: e; f";
pub const T5: &str = "p1: a1!m1; a2?m2 · p2: b1!m2; b2?m1";
pub const T6: &str = "p1: a1!m+m'; a2 · p2: b1?m; b2!r · p3: c1?r; c2?m'";
pub const T7: &str = "p1: enter1; exit1 · p2: enter2; exit2";
pub const T8: &str = "p1: enter1; exit1!t · p2: get?t; enter2; exit2";

#[test]
fn clocks_of_the_classic_figure() {
    let t1 = run(T1);
    let clocks = ["a", "b", "c", "d", "e", "f"].map(|e| clock(&t1, e));
    assert_eq!(clocks, ["L1(1,0,0)", "L2(2,0,0)", "L3(2,1,0)", "L4(2,2,0)", "L1(0,0,1)", "L5(2,2,2)"]);
    let t2 = run(T2);
    let clocks = ["e4", "f1", "f3"].map(|e| clock(&t2, e));
    assert_eq!(clocks, ["L6(4,3)", "L3(2,1)", "L5(2,3)"]);
    let t3 = run(T3);
    let clocks = ["a4", "b2", "b3", "c2", "c3", "c4"].map(|e| clock(&t3, e));
    assert_eq!(clocks, ["L7(4,3,3)", "L3(2,2,0)", "L4(2,3,0)", "L5(2,3,2)", "L6(2,3,3)", "L7(2,3,4)"]);
}

#[test]
fn pairs_that_happened_before_and_concurrent_pairs() {
    let cases = [
        ("T1", T1, (11, 4)),
        ("T2", T2, (18, 3)),
        ("T3", T3, (45, 21)),
        ("T4", T4, (3, 12)),
        ("T5", T5, (4, 2)),
        ("T6", T6, (11, 4)),
        ("T7", T7, (2, 4)),
        ("T8", T8, (10, 0)),
    ];
    for (name, text, expected) in cases {
        assert_eq!(pairs(&run(text).0), expected, "{name}");
    }
}

#[test]
fn chains() {
    let (c, names) = run(T3);
    let at = |name: &str| names.iter().position(|n| n == name).unwrap();
    let said = |chain: Vec<usize>| chain.iter().map(|e| names[*e].as_str()).collect::<Vec<_>>().join(" ");
    assert_eq!(c.chain(at("a1"), at("c4")).map(said).as_deref(), Some("a1 a2 b2 b3 c2 c3 c4"));
    assert_eq!(c.chain(at("c1"), at("b4")), None);
    assert_eq!(c.longest_message_chain().len(), 3);
    assert_eq!(c.depth(at("a4")), 3);
    assert!(Causality::new(2, []).longest_message_chain().is_empty());
}
