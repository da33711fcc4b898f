//! Failure detectors, under all schedules.

use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::ids::ProcessId;
use synod::internals::ir::{Fault, Program, Value};

use crate::common::*;

fn program(kind: &str) -> Arc<Program> {
    let text = format!(
        "algorithm watching\nassumes complete, unique ids, knows peers, crashes, restarts, {kind}\n\
         var down : set of Id\nstate s\n  on suspect(p) -> down := down + {{p}}\n  on trust(p) -> down := down - {{p}}\n"
    );
    let checked = check("watching.syn", &text, &|_| None);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    Arc::new(checked.program.unwrap())
}

/// Return the final suspicions of each process, or `None` if it is down.
fn ends(kind: &str, faults: &[(Fault, u32)]) -> BTreeSet<Vec<Option<Value>>> {
    let instance = on(&program(kind), "complete(3)").faults(faults).build();
    endings(
        &instance,
        |_| Vec::new(),
        |end| {
            let c = end.configuration;
            (0..3).map(ProcessId).map(|p| (!c.crashed(p)).then(|| end.variable(p, "down"))).collect()
        },
    )
}

fn set(ids: &[i64]) -> Option<Value> {
    Some(Value::set(ids.iter().map(|id| Value::Id(*id))))
}

#[test]
fn a_perfect_detector_suspects_exactly_the_crashed() {
    let found = ends("detector", &[(Fault::Crash, 1)]);
    let expected = BTreeSet::from([
        vec![set(&[]), set(&[]), set(&[])],
        vec![None, set(&[1]), set(&[1])],
        vec![set(&[2]), None, set(&[2])],
        vec![set(&[3]), set(&[3]), None],
    ]);
    assert_eq!(found, expected);
}

#[test]
fn a_restarted_process_is_trusted_again() {
    let found = ends("detector", &[(Fault::Crash, 1), (Fault::Restart, 1)]);
    assert!(found.contains(&vec![set(&[]), set(&[]), set(&[])]));
    let wrong =
        |end: &Vec<Option<Value>>| end.iter().all(Option::is_some) && end.iter().any(|d| *d != set(&[]));
    assert!(!found.iter().any(wrong), "{found:?}");
}

#[test]
fn an_eventually_perfect_detector_corrects_its_mistakes() {
    let found = ends("eventually perfect detector", &[(Fault::Suspicion, 2)]);
    assert_eq!(found, BTreeSet::from([vec![set(&[]), set(&[]), set(&[])]]));
    let found = ends("eventually perfect detector", &[(Fault::Suspicion, 1), (Fault::Crash, 1)]);
    assert_eq!(found.len(), 4);
}
