//! Each assumption of each algorithm of the library is removed. The program must then be rejected with the missing assumption;
//! otherwise [`TABLE`] states why the checker cannot detect it, and the test confirms that.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::check::{Checked, check};
use synod::internals::diagnostic::{Diagnostic, Finding, Hint, Modelling};
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::ir::{Fault, Program};
use synod::internals::library::{entries, source};
use synod::internals::network::{IdsSpec, Spec};
use synod::internals::scenario::play;
use synod::internals::setup::{Ids, InstanceOptions, instantiate};
use synod::internals::source::Span;

/// The consequence of removing an assumption from an algorithm.
#[derive(Clone, Copy, Debug)]
enum Then {
    /// The program is rejected with this code, and the message names the assumption.
    Refused(&'static str),
    /// The assumption constrains the network, and the program cannot violate it: on this network the algorithm runs only without
    /// it.
    Promise(&'static str),
    /// The same for identifiers: without it, the numbers of `id` may repeat.
    Distinct,
    /// The assumption restricts instead of granting. `other` uses what it forbids: with the assumption it is rejected, alone it
    /// is not.
    Excludes(&'static str),
    /// Another assumption grants the same; this one is written because papers state it.
    GrantedBy(&'static str),
    /// The other assumption constrains as much: it rejects this network, too.
    PromisedBy(&'static str, &'static str),
    /// Without it, received signals mean less: the program remains correct, but its scenarios fail.
    Matters,
    /// Without it, the algorithm violates a claimed property on this network within this fault budget.
    Protects(&'static str, &'static [(Fault, u32)]),
}
use Then::*;

/// The assumption, its algorithms (none: all that no earlier row names), and the consequence of removing it.
const TABLE: &[(&str, &[&str], Then)] = &[
    // Assumptions that grant something used by programs.
    ("addressable ids", &[], Refused("SYN0060")),
    ("beeps", &[], Refused("SYN0060")),
    ("bidirectional ring", &[], Refused("SYN0060")),
    ("integer ids", &[], Refused("SYN0060")),
    ("knows columns", &[], Refused("SYN0060")),
    ("knows diameter", &[], Refused("SYN0060")),
    ("knows neighbours", &[], Refused("SYN0060")),
    ("knows rows", &[], Refused("SYN0060")),
    ("oriented hypercube", &[], Refused("SYN0060")),
    ("oriented mesh", &[], Refused("SYN0060")),
    ("oriented torus", &[], Refused("SYN0060")),
    ("oracle some_leader", &[], Refused("SYN0060")),
    ("oracles err", &[], Refused("SYN0060")),
    ("pairwise interactions", &[], Refused("SYN0060")),
    ("radio", &[], Refused("SYN0060")),
    ("randomness", &[], Refused("SYN0060")),
    ("reads neighbours", &[], Refused("SYN0060")),
    ("ring", &[], Refused("SYN0060")),
    ("spanning tree", &[], Refused("SYN0060")),
    ("synchronous", &[], Refused("SYN0060")),
    ("virtual ring", &[], Refused("SYN0060")),
    ("delay <= D", &[], Refused("SYN0060")),
    ("detector", &[], Refused("SYN0060")),
    ("restarts", &[], Refused("SYN0060")),
    ("loses messages", &[], Refused("SYN0060")),
    ("weights", &[], Refused("SYN0060")),
    ("knows peers", LAYERED, Refused("SYN0063")),
    ("knows peers", &[], Refused("SYN0060")),
    ("one Bottom", &[], Refused("SYN0086")),
    ("one Coordinator", &[], Refused("SYN0086")),
    ("one Detector", &[], Refused("SYN0086")),
    ("one Holder", &[], Refused("SYN0086")),
    ("one Initiator", &[], Refused("SYN0086")),
    ("one Root", &[], Refused("SYN0086")),
    ("one Sequencer", &[], Refused("SYN0086")),
    ("one Server", &[], Refused("SYN0086")),
    ("one Top", &[], Refused("SYN0086")),
    ("star", &[], Refused("SYN0047")),
    ("knows n", LAYERED, Refused("SYN0063")),
    ("knows n", BY_PEERS, GrantedBy("knows peers")),
    ("knows n", &[], Refused("SYN0060")),
    ("unique ids", NUMBERED, Distinct),
    ("unique ids", &[], Refused("SYN0060")),
    // Topologies.
    ("unidirectional ring", &["korach_kutten_moran_ring", "leader_oracle_ring"], Promise("line(3)")),
    ("unidirectional ring", &["burns_pachl", "herman", "k_state_ring", "token_ring"], Refused("SYN0060")),
    ("unidirectional ring", &[], Refused("SYN0047")),
    ("tree", &["raymond"], Refused("SYN0060")),
    ("tree", &[], Promise("ring(3)")),
    ("torus", &[], Promise("ring(5)")),
    ("unoriented hypercube", &[], Promise("ring(5)")),
    ("unoriented mesh", &[], Promise("torus(3, 3)")),
    ("complete", LAYERED, Refused("SYN0063")),
    ("complete", &[], Promise("ring(4)")),
    ("connected graph", &["embedded_ring_walk"], PromisedBy("virtual ring", APART)),
    ("connected graph", &["beta"], PromisedBy("spanning tree", APART)),
    ("connected graph", DIAMETER, PromisedBy("knows diameter", APART)),
    ("connected graph", &[], Promise(APART)),
    ("no loops", &[], Promise("ring(1)")),
    ("n >= 3 and prime(n)", &["burns_pachl"], Promise("ring(4)")),
    ("n >= 2", &["leader_oracle"], Promise("complete(1)")),
    ("n >= 2", &[], Promise("ring(1)")),
    ("rows >= 3", &[], Promise("mesh(2, 3)")),
    ("columns >= 3", &[], Promise("mesh(3, 2)")),
    // Assumptions that restrict the program or the run.
    ("anonymous", &[], Excludes("unique ids")),
    ("fifo", &[], Excludes("unordered")),
    ("unordered", &[], Excludes("fifo")),
    ("reliable", &[], Excludes("loses messages")),
    ("central daemon", &[], Excludes("distributed daemon")),
    ("distributed daemon", &[], Excludes("central daemon")),
    ("collision detection", FED_BACK, Refused("SYN0060")),
    ("collision detection", &[], Matters),
    ("synchronous daemon", &[], Matters),
    ("transmitter feedback", &[], Matters),
    ("messages survive crashes", &[], Protects("complete(2)", &[(Fault::Crash, 1)])),
    ("crashes", CRASHED, Refused("SYN0060")),
    ("crashes <= f", &[], Refused("SYN0060")),
    ("crashes <= (n - 1) div 2", &[], Refused("SYN0060")),
];

/// Algorithms that observe the outcome of their own transmissions, which requires it.
const FED_BACK: &[&str] = &["radio_collision_detection", "radio_collision_detection_splitting"];

/// Algorithms whose handlers or scenarios mention crashes.
const CRASHED: &[&str] = &[
    "basic_crashing",
    "bully",
    "bully_estimate",
    "bully_suspects",
    "paxos",
    "reliable",
    "two_phase_commit",
    "two_phase_commit_recovery",
];

/// Two networks instead of one.
const APART: &str = "edges(0-1, 2-3)";

/// Algorithms with a layer below that has the same assumption.
const LAYERED: &[&str] =
    &["causal", "fifo", "fifo_off_by_one", "isis", "reliable", "sequencer", "sequencer_member"];

/// `n` is the number of peers plus one.
const BY_PEERS: &[&str] = &[
    "basic",
    "basic_crashing",
    "ben_or",
    "carvalho_roucairol",
    "k_mutex",
    "lamport",
    "lamport_omitted_replies",
    "lamport_self_addressed",
    "lamport_total",
    "lamport_unordered",
    "maekawa",
    "maekawa_1985",
    "paxos",
    "ricart_agrawala",
    "ricart_agrawala_deny",
    "suzuki_kasami",
    "voting",
];

/// `integer ids` grants `id`, but does not make ids distinct.
const NUMBERED: &[&str] =
    &["beeping", "radio_bitwise", "radio_multihop", "radio_multihop_cd", "radio_time_division", "time_slice"];

/// A disconnected network has no diameter.
const DIAMETER: &[&str] =
    &["beeping", "beeping_random_ids", "flooding", "flooding_changes", "radio_multihop", "radio_multihop_cd"];

/// Return the program with other words in place of an assumption; `None`: with the assumption removed.
fn instead(program: &Program, span: Span, words: Option<&str>) -> Checked {
    let written = program.sources.get(span.file);
    let (before, after) = (&written.text[..span.start as usize], &written.text[span.end as usize..]);
    let text = match (words, after.trim_start().strip_prefix(',')) {
        (Some(words), _) => format!("{before}{words}{after}"),
        (None, Some(after)) => format!("{before}{after}"),
        // For the last of the list, the comma precedes it.
        (None, None) => format!("{}{after}", before.trim_end().trim_end_matches(',')),
    };
    // A variant has its assumptions from another file.
    let find = |name: &str| {
        let (path, original) = source(name)?;
        let text = if *path == *written.name { text.clone() } else { original };
        Some((path, text))
    };
    let (path, text) = find(&program.name).expect("a file of the library");
    check(&path, &text, &find)
}

fn codes(checked: &Checked) -> BTreeSet<String> {
    checked.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code().to_string()).collect()
}

fn accepted(checked: Checked) -> Result<Arc<Program>, String> {
    let codes = codes(&checked);
    checked.program.map(Arc::new).ok_or_else(|| format!("it is refused with {codes:?}"))
}

/// Return whether an instance exists on this network, or with two equal ids on a small one.
fn can_be_made(program: &Arc<Program>, topology: Option<&str>) -> bool {
    let spec = topology.unwrap_or_else(|| program.assumptions.default_topology());
    let mut wishes = InstanceOptions {
        topology: Some(Spec::parse(spec).expect("a topology")),
        ..InstanceOptions::default()
    };
    if topology.is_none() {
        let n = program.assumptions.network(wishes.topology.as_ref().unwrap(), 1).expect("a network").n();
        wishes.ids = Ids::Spec(IdsSpec::Explicit((0..i64::from(n)).map(|p| 1 + p / 2).collect()));
    }
    instantiate(program, &wishes).is_ok()
}

fn scenarios_pass(program: &Arc<Program>) -> bool {
    program.scenarios.iter().all(|s| play(program, s, &Default::default(), &mut |_, _, _, _, _| {}).passed())
}

/// Check a row of the table; return the contradiction otherwise.
fn shown(program: &Arc<Program>, words: &str, span: Span, then: Then) -> Result<(), String> {
    let without = instead(program, span, None);
    let all = codes(&without);
    let so = |fine: bool, what: &str| if fine { Ok(()) } else { Err(what.to_string()) };
    match then {
        Refused(code) => {
            so(all.contains(code), &format!("it is refused with {all:?} instead"))?;
            // Of the topologies and bounds that would grant it, the message may name another.
            let named = |d: &Diagnostic| {
                d.code().to_string() == code
                    && match (&d.finding, &d.hint) {
                        (Finding::Modelling(Modelling::NotAssumed(need)), _) => need.assumption() == words,
                        (Finding::Modelling(Modelling::LayerAssumes(_, named)), _)
                        | (_, Some(Hint::Assume(named))) => named == words,
                        _ => false,
                    }
            };
            let says = ["SYN0060", "SYN0063"].contains(&code)
                && !["ring", "oriented torus", "delay <= D"].contains(&words)
                && !words.starts_with("crashes <=");
            so(!says || without.diagnostics.iter().any(named), "nothing says what is missing")
        }
        Promise(network) => {
            let without = accepted(without)?;
            so(!can_be_made(program, Some(network)), &format!("{network} is no violation"))?;
            so(can_be_made(&without, Some(network)), &format!("{network} is still refused"))
        }
        Distinct => {
            let without = accepted(without)?;
            so(
                can_be_made(program, Some(program.assumptions.default_topology())),
                "different ids are refused",
            )?;
            so(!can_be_made(program, None), "equal ids are no violation")?;
            so(can_be_made(&without, None), "equal ids are still refused")
        }
        Excludes(other) => {
            accepted(without)?;
            let both = codes(&instead(program, span, Some(&format!("{words}, {other}"))));
            so(both.contains("SYN0062"), &format!("`{other}` is possible beside it: {both:?}"))?;
            let alone = codes(&instead(program, span, Some(other)));
            so(!alone.contains("SYN0062"), &format!("`{other}` is not possible in its place: {alone:?}"))
        }
        GrantedBy(other) => {
            let without = accepted(without)?;
            let lacks_both = program.assumptions.written.iter().find(|(w, _)| w == other).map(|(_, s)| *s);
            let other_span = lacks_both.ok_or(format!("`{other}` is not assumed"))?;
            let gone = codes(&instead(program, other_span, None));
            so(!gone.is_empty(), &format!("`{other}` is not needed, either"))?;
            so(!without.assumptions.written.iter().any(|(w, _)| w == words), "it is still there")
        }
        PromisedBy(other, network) => {
            let without = accepted(without)?;
            so(without.assumptions.written.iter().any(|(w, _)| w == other), "the other is not assumed")?;
            so(!can_be_made(program, Some(network)), &format!("{network} is no violation"))?;
            so(!can_be_made(&without, Some(network)), &format!("{network} is no longer refused"))
        }
        Matters => {
            let without = accepted(without)?;
            so(scenarios_pass(program), "its scenarios fail anyway")?;
            so(!scenarios_pass(&without), "its scenarios still pass")
        }
        Protects(network, faults) => {
            let without = accepted(without)?;
            let is_violated = |program| {
                let instance = on(program, network).faults(faults).build();
                !explore(&instance, None, &ExploreOptions::default(), &mut |_| None)
                    .counterexamples
                    .is_empty()
            };
            so(!is_violated(program), "it is violated anyway")?;
            so(is_violated(&without), "nothing is violated")
        }
    }
}

#[test]
fn each_missing_assumption_is_detected_or_explained() {
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    for entry in entries().into_values().filter(|e| !e.is_problem()) {
        let program = library(entry.name);
        for (words, span) in &program.assumptions.written {
            let fits = |(about, names, _): &&(&str, &[&str], Then)| {
                about == words && (names.is_empty() || names.contains(&entry.name))
            };
            let Some(row) = TABLE.iter().position(|row| fits(&row)) else {
                wrong.push(format!("{}, `{words}`: no row of the table is about it", entry.name));
                continue;
            };
            used.insert((row, entry.name));
            if let Err(why) = shown(&program, words, *span, TABLE[row].2) {
                wrong.push(format!("{}, `{words}`, {:?}: {why}", entry.name, TABLE[row].2));
            }
        }
    }
    // A row without algorithms is obsolete.
    for (i, (words, names, _)) in TABLE.iter().enumerate() {
        if names.is_empty() && !used.iter().any(|(row, _)| *row == i) {
            wrong.push(format!("the row for `{words}` is about no algorithm"));
        }
        let stale = names.iter().filter(|name| !used.contains(&(i, **name)));
        wrong.extend(stale.map(|name| format!("the row for `{words}` is no longer about {name}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
