//! Reports of handmade runs.

use crate::trace::sample::{election, mutual_exclusion};
use synod::internals::ids::ProcessId;
use synod::internals::ir::PropertyKind;
use synod::internals::render::Look;
use synod::internals::render::run::{RunSections, run};
use synod::internals::render::space_time::SpaceTimeOptions;
use synod::internals::report::*;
use synod::internals::trace::{Change, End, Trace};

/// A report as the command line would fill it, of a run made by hand.
fn report(trace: &Trace) -> Report<'static> {
    let header = &trace.header;
    let process = |p: usize| {
        let last = |name: &str| {
            let own = trace.events.iter().rev().filter(|e| e.process.index() == p);
            let mut own = own.filter_map(|e| e.change(name));
            let initial = header.initial.get(p).into_iter().flatten().find(|c| c.name == name);
            own.next().map(str::to_string).or(initial.map(|c| c.value.clone()))
        };
        let variable = |name: &str| {
            last(name).map(|text| VariableReport {
                name: name.into(),
                json: text.parse::<i64>().map_or(serde_json::Value::Null, Into::into),
                text,
            })
        };
        let all = |names: &[&str]| Variables(names.iter().filter_map(|n| variable(n)).collect());
        ProcessReport {
            index: p as u64,
            name: header.name(ProcessId(p as u32)),
            id: header.ids[p],
            role: header.roles.get(p).cloned(),
            state: last("state"),
            halted: last("halted").is_some(),
            up: true,
            vars: all(&["d", "clock"]),
            outputs: all(&["elected"]),
        }
    };
    let processes: Vec<ProcessReport> = (0..trace.n()).map(process).collect();
    let sent: u64 = trace.events.iter().map(|e| e.sent.len() as u64).sum();
    Report {
        schema: SCHEMA,
        command: "run",
        algorithm: header.algorithm.clone(),
        network: NetworkReport {
            port_seed: None,
            topology: header.network.clone(),
            n: trace.n() as u64,
            ids: header.ids.clone(),
        },
        params: header.params.clone(),
        seed: header.seed,
        schedule: header.schedule.clone(),
        outcome: trace.end,
        repeats_from: None,
        blocked: None,
        explanation: Vec::new(),
        steps: trace.events.len() as u64,
        messages: MessageCounts {
            total: sent,
            to_self: 0,
            sent: Counts(vec![("(value)".into(), sent)]),
            layers: Counts::default(),
        },
        bits: 4 * sent,
        time: trace.events.iter().map(|e| e.depth).max().unwrap_or(0),
        elapsed: None,
        faults: String::new(),
        rounds: None,
        moves: None,
        processes: Processes::new(trace.n() as u32, move |p| processes[p.index()].clone()),
        properties: vec![property("E1", PropertyKind::Invariant, Verdict::Holds, "", None)],
        operations: Vec::new(),
        trace_hash: Some(synod::internals::trace::hash::show(trace.hash())),
    }
}

fn property(
    name: &str,
    kind: PropertyKind,
    verdict: Verdict,
    why: &str,
    at_event: Option<u64>,
) -> PropertyReport {
    PropertyReport {
        promised: true,
        name: name.into(),
        kind,
        verdict,
        why: why.into(),
        never_true: Vec::new(),
        at_event,
        crashed_within: None,
        place: Some("stdlib/problems/x.syn:9:1".into()),
        span: None,
    }
}

fn parts() -> RunSections {
    RunSections {
        events: false,
        diagram: true,
        variables: true,
        options: SpaceTimeOptions {
            width: 110,
            outputs: vec!["elected".into()],
            ..SpaceTimeOptions::default()
        },
    }
}

fn violated() -> Report<'static> {
    let mut r = report(&mutual_exclusion());
    r.messages.sent = Counts(vec![("Request".into(), 6), ("Reply".into(), 5)]);
    r.messages.to_self = 2;
    r.explanation = vec!["step limit reached; --max-steps changes it".into()];
    r.operations =
        vec![OperationReport { name: "enter".into(), completed: 2, messages_per_operation: Some(5.5) }];
    r.properties = vec![
        property("ME1", PropertyKind::Invariant, Verdict::Holds, "", None),
        property("ME2", PropertyKind::Finally, Verdict::Pending, "the run was stopped before its end", None),
        property(
            "ME3",
            PropertyKind::Order,
            Verdict::Violated,
            "with r = call enter 1 of p0, s = call enter 1 of p1",
            Some(12),
        ),
        property("entry_cost", PropertyKind::Exactly, Verdict::NotChecked, "it needs a whole run", None),
    ];
    r
}

#[test]
fn the_report_of_an_election() {
    let trace = election(&[1, 2, 3, 4], 3);
    insta::assert_snapshot!(run(&report(&trace), Some(&trace), &parts()));
}

#[test]
fn the_report_of_a_violation_in_ascii() {
    let trace = mutual_exclusion();
    let mut parts = RunSections { events: true, diagram: false, ..parts() };
    parts.options.look = Look::ASCII;
    insta::assert_snapshot!(run(&violated(), Some(&trace), &parts));
}

#[test]
fn many_processes_are_counted_not_listed() {
    let ids: Vec<i64> = (0..100).map(|i| (i * 37) % 100 + 1).collect();
    let trace = election(&ids, 5);
    insta::assert_snapshot!(run(&report(&trace), Some(&trace), &RunSections { diagram: false, ..parts() }));
}

#[test]
fn json_keeps_the_contract() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../docs/synod-1.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut with_params = violated();
    with_params.params = vec![Change::new("entries", "2")];
    with_params.rounds = Some(3);
    with_params.outcome = End::Aborted;
    for report in [report(&election(&[1, 2, 3, 4], 3)), violated(), with_params] {
        let json = serde_json::from_str(&report.to_json()).unwrap();
        let wrong: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
    assert!(!validator.is_valid(&serde_json::json!({"schema": "synod/1", "command": "run"})));
    insta::assert_snapshot!(violated().to_json());
}
