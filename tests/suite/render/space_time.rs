//! Space-time diagrams of handmade runs.

use crate::trace::sample::{Builder, election, mutual_exclusion};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use synod::internals::ids::ProcessId;
use synod::internals::render::Look;
use synod::internals::render::space_time::{DiagramMark, SpaceTimeOptions, space_time};
use synod::internals::trace::End;

#[test]
fn an_election_on_a_ring_of_four() {
    let options =
        SpaceTimeOptions { width: 110, outputs: vec!["elected".into()], ..SpaceTimeOptions::default() };
    insta::assert_snapshot!(space_time(&election(&[1, 2, 3, 4], 3), &options));
    let ascii = SpaceTimeOptions { look: Look::ASCII, ..options };
    insta::assert_snapshot!("ring_ascii", space_time(&election(&[1, 2, 3, 4], 3), &ascii));
}

#[test]
fn mutual_exclusion_among_three() {
    insta::assert_snapshot!(space_time(
        &mutual_exclusion(),
        &SpaceTimeOptions { width: 120, ..SpaceTimeOptions::default() }
    ));
}

#[test]
fn long_and_wide_runs_are_cut_and_say_so() {
    let ids: Vec<i64> = (0..20).map(|i| (i * 7) % 20 + 1).collect();
    let trace = election(&ids, 5);
    let options = SpaceTimeOptions { width: 80, max_events: 10, ..SpaceTimeOptions::default() };
    insta::assert_snapshot!(space_time(&trace, &options));
    let some = SpaceTimeOptions {
        processes: Some(vec![ProcessId(19), ProcessId(0)]),
        events: Some(18..40),
        ..options
    };
    insta::assert_snapshot!("some_processes", space_time(&trace, &some));
}

#[test]
fn messages_that_overtake_cross_gather_and_never_arrive() {
    let mut b = Builder::new("odd", "complete(3)", &[1, 2, 3]);
    b.header().names = vec!["A".into(), "сервер".into(), "客户".into()];
    let a = b.event(ProcessId(0), "start", &[], &[("X(1)", 1), ("X(2)", 1), ("Self", 0), ("Y", 2)], &[]);
    let c = b.event(ProcessId(2), "start", &[], &[("Y", 0), ("a rather long message(1, 2, 3)", 1)], &[]);
    b.event(ProcessId(1), "on X", &[a[1]], &[], &["x=2"]);
    b.event(
        ProcessId(1),
        "gather",
        &[a[0], c[1]],
        &[("Back", 0), ("Back", 2)],
        &["x=3", "!upcall deliver(3)"],
    );
    b.event(ProcessId(0), "on Self", &[a[2]], &[], &["halted=true"]);
    b.event(ProcessId(2), "on Y", &[a[3]], &[], &[]);
    insta::assert_snapshot!(space_time(&b.end(End::Stuck), &SpaceTimeOptions::default()));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_width_makes_a_diagram_panic(
        width in 0usize..130, max_events in 0usize..20, start in 0usize..30, len in 0usize..30,
        processes in proptest::option::of(proptest::collection::vec((0u32..7).prop_map(ProcessId), 0..5)), color: bool,
    ) {
        let trace = election(&[3, 1, 4, 2, 5], 1);
        let options = SpaceTimeOptions {
            list_width: usize::MAX,
            width, max_events, processes, flags: color, events: Some(start..start + len),
            look: Look { color, ascii: false }, outputs: vec![],
            marks: vec![DiagramMark { below: start + 1, processes: vec![ProcessId(4), ProcessId(1)], text: "the cut".into() }],
        };
        let text = space_time(&trace, &options);
        if !color && width > 60 {
            prop_assert!(text.lines().all(|l| l.chars().count() <= width));
        }
    }
}
