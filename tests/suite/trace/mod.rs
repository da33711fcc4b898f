//! Traces: made by hand in the submodules; here those of real runs, recorded, written, read, replayed, and replayed with another
//! program.

mod causality;
mod cuts;
mod exports;
mod files;
mod imports;
pub mod sample;
mod snapshot;
mod values;

use std::sync::Arc;
use synod::internals::check::{Checked, check};
use synod::internals::ids::ProcessId;
use synod::internals::instance::{Instance, Settings};
use synod::internals::library;
use synod::internals::network::{NetworkOptions, Spec, build};
use synod::internals::semantics::Metrics;
use synod::internals::semantics::eval::GlobalEvaluator;
use synod::internals::simulate::{Schedule, SimulateOptions, simulate};
use synod::internals::trace::causality::Causality;
use synod::internals::trace::{End, Header, Recorder, Trace};

const RING: NetworkOptions = NetworkOptions {
    direction: synod::internals::network::Direction::Unidirectional,
    labels: synod::internals::network::Labels::Oriented,
    self_links: false,
    addressable: false,
    seed: 0,
};

const COMPLETE: NetworkOptions = NetworkOptions {
    direction: synod::internals::network::Direction::Bidirectional,
    labels: synod::internals::network::Labels::Oriented,
    self_links: true,
    addressable: false,
    seed: 0,
};

fn instance(name: &str, text: &str, topology: &str, ids: &[i64], options: NetworkOptions) -> Instance {
    let Checked { program, diagnostics, .. } = check(name, text, &library::source);
    let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let network = build(&Spec::parse(topology).unwrap(), &options).unwrap();
    let network = network.with_ids(ids.to_vec()).unwrap();
    Instance::new(Arc::new(program), network, &Settings::default(), &GlobalEvaluator).unwrap()
}

fn of_library(name: &str, topology: &str, ids: &[i64], options: NetworkOptions) -> Instance {
    let (file, text) = library::source(name).unwrap();
    instance(&file, &text, topology, ids, options)
}

fn record(instance: &Instance, seed: u64) -> (Trace, Metrics) {
    let header = Header::of(instance, &[], "random", seed);
    let mut recorder = Recorder::new(instance, header, &synod::internals::semantics::initial(instance));
    let options = SimulateOptions { schedule: Schedule::Random, seed, ..SimulateOptions::default() };
    let run = simulate(instance, &options, &mut recorder);
    (recorder.finish(End::of(&run.outcome)), run.metrics)
}

#[test]
fn runs_of_the_library_replay_and_read_back() {
    let dkr = of_library("dolev_klawe_rodeh", "ring(4)", &[1, 2, 3, 4], RING);
    let mutex = of_library("ricart_agrawala", "complete(3)", &[1, 2, 3], COMPLETE);
    for (i, seed) in [&dkr, &mutex].into_iter().flat_map(|i| (0..10).map(move |s| (i, s))) {
        let (trace, metrics) = record(i, seed);
        assert!(!trace.events.is_empty());
        for written in [trace.to_text(), trace.to_lines()] {
            let read = Trace::read(&written).unwrap_or_else(|e| panic!("{e}\n{written}"));
            assert_eq!(read, trace);
            let again = read.replay(i);
            assert!(again.reproduced(), "{}", again.summary());
            assert_eq!(again.same, trace.events.len() as u64);
            assert!(!again.program_changed && again.other_version.is_none());
        }
        let causality = Causality::of(&trace);
        assert_eq!(causality.longest_message_chain().len(), metrics.time as usize);
        for (e, event) in trace.events.iter().enumerate() {
            assert_eq!(causality.depth(e), event.depth, "event {e}");
        }
    }
}

#[test]
fn a_replay_says_where_a_changed_program_goes_another_way() {
    let (file, text) = library::source("dolev_klawe_rodeh").unwrap();
    let ids = [1, 2, 3, 4];
    let (trace, _) = record(&instance(&file, &text, "ring(4)", &ids, RING), 3);
    let with = |text: &str, ids: &[i64]| trace.replay(&instance(&file, text, "ring(4)", ids, RING)).summary();
    let mut said = vec![
        format!("a comment more: {}", with(&format!("{text}\n// seen\n"), &ids)),
        format!("another guard: {}", with(&text.replace("e > d and e > f", "e < d and e < f"), &ids)),
        format!("other ids: {}", with(&text, &[1, 2, 4, 3])),
    ];
    let mut damaged = trace.clone();
    damaged.events.swap(5, 7);
    damaged.events[5].index = 5;
    damaged.header.synod = "0.0.9".into();
    let same = instance(&file, &text, "ring(4)", &ids, RING);
    said.push(format!("swapped events: {}", damaged.replay(&same).summary()));
    damaged = trace.clone();
    damaged.events[4].process = ProcessId(77);
    said.push(format!("no such process: {}", damaged.replay(&same).summary()));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_real_run_as_text_and_drawn() {
    use synod::internals::render::space_time::{SpaceTimeOptions, space_time};
    let mutex = of_library("ricart_agrawala", "complete(3)", &[1, 2, 3], COMPLETE);
    let (trace, _) = record(&mutex, 1);
    let options = SpaceTimeOptions { width: 120, ..SpaceTimeOptions::default() };
    insta::assert_snapshot!(format!("{}\n{}", trace.to_text(), space_time(&trace, &options)));
}

/// `on arrival` leaves the message in its channel: the trace names it, and a trace that does not is rejected.
#[test]
fn a_trace_names_the_message_that_woke_a_process() {
    let mut woken = 0;
    for seed in 0..20 {
        let form = NetworkOptions { self_links: false, ..COMPLETE };
        let instance = of_library("mega_merger", "complete(5)", &[3, 1, 4, 5, 2], form);
        let (trace, _) = record(&instance, seed);
        let read = Trace::read(&trace.to_text()).expect("it is a trace");
        assert_eq!(read, trace);
        assert_eq!(Trace::read(&trace.to_lines()).expect("it is a trace"), trace);
        let causality = Causality::of(&trace);
        for (e, event) in trace.events.iter().enumerate() {
            let Some(message) = &event.arrived else { continue };
            woken += 1;
            assert_eq!(event.action, "on arrival");
            let sender = trace.events.iter().position(|e| e.sent.iter().any(|m| m.id == message.id));
            let sender = sender.expect("somebody has sent it");
            assert_eq!(trace.events[sender].process, message.peer);
            assert!(causality.happened_before(sender, e));
            let taken = trace.events[e + 1..].iter().any(|e| e.received.iter().any(|m| m.id == message.id));
            assert!(taken, "seed {seed}: it is taken later");
            let mut silent = trace.clone();
            silent.events[e].arrived = None;
            let refused = Trace::read(&silent.to_text()).expect_err("nobody could tell");
            assert!(refused.to_string().contains("the delivered message is missing"), "{refused}");
        }
    }
    assert!(woken >= 20, "{woken}");
}

/// Ports without labels are shown by the processes that they lead to; traces of earlier versions, with numbers, are still replayed.
#[test]
fn ports_are_shown_by_processes() {
    let unoriented =
        NetworkOptions { labels: synod::internals::network::Labels::Unoriented { seed: 1 }, ..COMPLETE };
    let values = |trace: &Trace, name: &str| -> Vec<String> {
        let changes = trace.events.iter().flat_map(|event| &event.changes);
        changes.filter(|change| change.name == name).map(|change| change.value.clone()).collect()
    };
    let line = of_library("echo", "line(3)", &[1, 2, 3], unoriented);
    let (trace, _) = record(&line, 3);
    assert_eq!(values(&trace, "father"), ["p0", "p1"]);
    assert_eq!(values(&trace, "counts"), ["{p2: 1}", "{p1: 2}"]);
    // Both ports of a process lead to the same neighbour.
    let pair = of_library("echo", "ring(2)", &[1, 2], unoriented);
    let (parallel, _) = record(&pair, 1);
    let father = &values(&parallel, "father")[0];
    assert!(["p0", "p0 (port 1)"].contains(&father.as_str()), "{father}");
    assert_eq!(values(&parallel, "counts")[1], "{p1: 1, p1 (port 1): 0}");
    for (instance, trace) in [(&line, &trace), (&pair, &parallel)] {
        assert!(trace.replay(instance).reproduced());
        let mut old = trace.clone();
        for event in &mut old.events {
            let ports = instance.network.ports(event.process).len();
            for change in
                event.changes.iter_mut().filter(|change| ["father", "counts"].contains(&change.name.as_str()))
            {
                for port in (0..ports).rev() {
                    let peer = instance.network.ports(event.process).get(port).unwrap().peer;
                    let remark = format!("{peer} (port {port})");
                    change.value = change.value.replace(&remark, &format!("port {port}"));
                    if instance.network.port_to(event.process, peer) == Some(port as u32) {
                        change.value = change.value.replace(&peer.to_string(), &format!("port {port}"));
                    }
                }
            }
        }
        assert_ne!(old, *trace);
        assert!(old.to_text().contains("father=port "), "{}", old.to_text());
        assert!(old.replay(instance).reproduced(), "{}", old.replay(instance).summary());
    }
}
