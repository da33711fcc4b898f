//! Small programs whose configurations, ends and violations were counted by hand.

use crate::common::*;
use crate::explore::naive;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use synod::internals::explore::{Exploration, ExploreOptions, StopReason, ViolationKind, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::Fault;
use synod::internals::property::Judgement;
use synod::internals::stop::StopSignal;

const PHILOSOPHERS: &str = include_str!("by_hand/philosophers.syn");
const LEFTY: &str = include_str!("by_hand/lefty.syn");
const GENERALS: &str = include_str!("by_hand/generals.syn");
const LOSING: &str = include_str!("by_hand/losing.syn");
const PETERSON: &str = include_str!("by_hand/peterson_lock.syn");
const ALTERNATING: &str = include_str!("by_hand/alternating_bit.syn");
const HASTY: &str = include_str!("by_hand/hasty_commit.syn");

fn whole(instance: &Instance, reduce: bool) -> Exploration {
    explore(
        instance,
        None,
        &ExploreOptions {
            reduce,
            symmetry: false,
            dead_messages: false,
            forget_wakeups: false,
            keep_going: true,
            ..ExploreOptions::default()
        },
        &mut |_| None,
    )
}

fn outcomes(found: &Exploration) -> BTreeSet<&'static str> {
    found.ends.iter().map(|end| end.outcome).collect()
}

fn verdict(found: &Exploration, name: &str) -> Judgement {
    found.verdicts.iter().find(|v| v.name == name).expect("a property").judgement
}

/// Compare with the numbers and ends of the naive explorer.
fn as_naive(instance: &Instance, found: &Exploration) {
    let verdicts: Vec<(String, Judgement)> =
        found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect();
    let naive = naive::explore(instance, &verdicts);
    assert_eq!((found.configurations, found.steps), (naive.configurations, naive.steps));
    assert_eq!(outcomes(found), naive.ends);
}

/// All philosophers hold one fork and wait for the other: found for any number, after one step of each. With one left-handed
/// philosopher there is no deadlock.
#[test]
fn philosophers_starve_unless_one_is_left_handed() {
    for n in 2..=4 {
        let instance = on(&source(PHILOSOPHERS), &format!("ring({n})")).build();
        let found = whole(&instance, false);
        as_naive(&instance, &found);
        assert_eq!(outcomes(&found), BTreeSet::from(["quiescent", "stuck"]), "{n}");
        let stuck =
            found.counterexamples.iter().find(|c| matches!(c.kind, ViolationKind::Stuck(_))).expect("stuck");
        assert_eq!(stuck.events.len(), 2 * n, "{n} starts, and one step each");
        let instance = on(&source(LEFTY), &format!("ring({n})")).build();
        let found = whole(&instance, false);
        as_naive(&instance, &found);
        assert_eq!(outcomes(&found), BTreeSet::from(["quiescent"]), "{n}");
        assert!(found.counterexamples.is_empty(), "{n}");
        assert_eq!(whole(&instance, true).ends, found.ends, "{n}");
    }
}

/// Asleep; attack in transit; answer in transit; done. With a loss also: attack lost, answer lost. Of three ends only the last
/// shows a lone attacker.
#[test]
fn two_generals_cannot_agree() {
    let setup = on(&source(GENERALS), "complete(2)").initiators(&[0]);
    let reliable = whole(&setup.clone().build(), false);
    assert_eq!((reliable.configurations, reliable.steps, reliable.ends.len()), (4, 3, 1));
    assert_eq!(verdict(&reliable, "together"), Judgement::Holds);
    let instance = setup.faults(&[(Fault::Loss, 1)]).build();
    let lossy = whole(&instance, false);
    assert_eq!((lossy.configurations, lossy.steps), (6, 5));
    assert_eq!(verdict(&lossy, "together"), Judgement::Violated);
    let shown = &lossy.counterexamples[0];
    assert_eq!(shown.events.len(), 5, "two starts, the attack, the answer, the loss");
}

/// The token is at rest, in one of n channels, at home again, or lost.
#[test]
fn a_token_that_may_be_lost() {
    for n in 2u32..=6 {
        let setup = on(&source(LOSING), &format!("ring({n})")).initiators(&[0]);
        let found = whole(&setup.clone().build(), false);
        assert_eq!((found.configurations, found.steps), (u64::from(n) + 2, u64::from(n) + 1), "{n}");
        assert_eq!(verdict(&found, "comes_home"), Judgement::Holds);
        let found = whole(&setup.faults(&[(Fault::Loss, 1)]).build(), false);
        assert_eq!((found.configurations, found.steps), (u64::from(n) + 3, 2 * u64::from(n) + 1), "{n}");
        assert_eq!(verdict(&found, "comes_home"), Judgement::Violated);
    }
}

/// For each item and each number of losses left, count: the item in transit, the receiver having it or not, its acknowledgement
/// in transit, and the waits for the timer. With all losses left the receiver cannot have the item yet, and there are four waits.
/// The item was lost at once or when due, with 2 or 1 to wait; its acknowledgement likewise, with 1 or 0. With some losses used
/// the receiver may have a repeated item, and there are five waits: without it 2 or 1, with it 2, 1 or 0. With none left no
/// process waits. Each message in transit arrives, or is lost at either instant.
#[test]
fn an_alternating_bit_over_channels_that_lose() {
    for items in 1..=3u64 {
        let setup = on(&source(ALTERNATING), "star(1)").param("items", items as i64);
        let found = whole(&setup.clone().build(), false);
        assert_eq!((found.configurations, found.steps), (2 * items + 1, 2 * items), "{items}");
        for losses in 1..=3u64 {
            let instance = setup.clone().faults(&[(Fault::Loss, losses as u32)]).build();
            let found = whole(&instance, false);
            as_naive(&instance, &found);
            let configurations = items * (6 + 8 * (losses - 1) + 3) + losses + 1;
            let steps = items * (10 + 14 * (losses - 1) + 3);
            assert_eq!((found.configurations, found.steps), (configurations, steps), "{items}, {losses}");
            assert_eq!(verdict(&found, "in_order"), Judgement::Holds);
            assert_eq!(verdict(&found, "all_there"), Judgement::Holds);
        }
    }
}

/// An end that ignores the bit takes a repetition for a new item, or an old acknowledgement for a new one; then an item may be
/// lost and never repeated.
#[test]
fn both_ends_need_the_bit() {
    let faults = [(Fault::Loss, 1), (Fault::Duplication, 1)];
    let with = |text: &str| {
        let instance = on(&source(text), "star(1)").faults(&faults).build();
        let found = whole(&instance, false);
        as_naive(&instance, &found);
        (verdict(&found, "in_order"), verdict(&found, "all_there"))
    };
    assert_eq!(with(ALTERNATING), (Judgement::Holds, Judgement::Holds));
    let (receiver, sender) = ("if b = (size(got) + 1) mod 2", "when b = sent mod 2  -> if");
    assert!(ALTERNATING.contains(receiver) && ALTERNATING.contains(sender));
    let blind = ALTERNATING.replace(receiver, "if true");
    assert_eq!(with(&blind), (Judgement::Violated, Judgement::Violated));
    let trusting = ALTERNATING
        .replace(sender, "-> if")
        .replace("do receive Ack(b) when b != sent mod 2 -> skip\n    [] receive", "do receive");
    assert_ne!(trusting, ALTERNATING);
    assert_eq!(with(&trusting).1, Judgement::Violated);
}

/// Two participants, four ways to vote. Patient: one vote, the other, or both have arrived, and then each decision arrives
/// separately: 3 + 4 configurations. Hasty: the first vote decides, and the other vote and two decisions arrive in any order: a
/// cube of 8 configurations and 12 steps for either first voter. If both vote alike, the cubes share a square, in which both
/// votes have arrived.
#[test]
fn a_commit_in_a_hurry() {
    let setup = on(&source(HASTY), "star(2)");
    let patient = setup.clone().param("wanted", 2).build();
    let found = whole(&patient, false);
    as_naive(&patient, &found);
    assert_eq!((found.configurations, found.steps), (4 * (3 + 4), 4 * (4 + 4)));
    assert_eq!(found.ends.iter().map(|end| end.configurations).sum::<u64>(), 4);
    for name in ["agreement", "unanimous", "decided"] {
        assert_eq!(verdict(&found, name), Judgement::Holds, "{name}");
    }
    let instance = setup.build();
    let found = whole(&instance, false);
    as_naive(&instance, &found);
    let (alike, apart) = (1 + 8 + 8 - 4, 1 + 8 + 8);
    assert_eq!(found.configurations, 2 * alike + 2 * apart);
    assert_eq!(found.steps, 2 * (2 + 12 + 12 - 4) + 2 * (2 + 12 + 12));
    assert_eq!(found.ends.iter().map(|end| end.configurations).sum::<u64>(), 2 + 2 * 2);
    assert_eq!(verdict(&found, "agreement"), Judgement::Violated);
    assert_eq!(verdict(&found, "unanimous"), Judgement::Violated);
    assert_eq!(verdict(&found, "decided"), Judgement::Holds);
}

/// Never both inside, and both finally done; without the turn, both inside at once, or each waits for the other forever.
#[test]
fn a_lock_of_peterson() {
    let instance = on(&source(PETERSON), "complete(3)").build();
    let found = whole(&instance, false);
    as_naive(&instance, &found);
    assert_eq!(verdict(&found, "exclusion"), Judgement::Holds);
    assert_eq!(verdict(&found, "all_done"), Judgement::Holds);
    let without = |condition: &str| {
        let text = PETERSON.replacen("up and who != id", condition, 1);
        whole(&on(&source(&text), "complete(3)").build(), false)
    };
    assert_eq!(verdict(&without("who != id"), "all_done"), Judgement::Violated);
    assert_eq!(verdict(&without("up"), "all_done"), Judgement::Violated);
    assert_eq!(verdict(&without("up and who = id"), "exclusion"), Judgement::Violated);
}

/// If no run ends, properties of ends hold vacuously, and the verdict says so.
#[test]
fn no_run_ends() {
    let text =
        LOSING.replace("  on Token when initiator -> home := true\n", "").replace(" when not initiator", "");
    let found = whole(&on(&source(&text), "ring(3)").initiators(&[0]).build(), false);
    assert!(found.ends.is_empty());
    let [verdict] = &found.verdicts[..] else { panic!("one property") };
    assert_eq!(
        (verdict.judgement, verdict.why.to_string().as_str()),
        (Judgement::Holds, "no run ends, so properties of ends hold vacuously")
    );
}

/// A search can be stopped in the middle of a batch, and then reports what it has explored.
#[test]
fn a_search_can_be_stopped() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let soon = || StopSignal::when(|| ASKED.fetch_add(1, Ordering::Relaxed) > 300);
    let at_once = || StopSignal::when(|| true);
    let instance = on(&source(LEFTY), "ring(4)").build();
    let all = whole(&instance, false).configurations;
    for (threads, stop) in [(1, soon()), (1, at_once()), (3, at_once())] {
        let options = ExploreOptions {
            threads,
            reduce: false,
            dead_messages: false,
            forget_wakeups: false,
            ..ExploreOptions::default()
        };
        let stopped = on(&source(LEFTY), "ring(4)").stop(stop).build();
        let found = explore(&stopped, None, &options, &mut |_| None);
        assert_eq!(found.stopped_by, Some(StopReason::Time));
        assert!(found.configurations < all);
        assert_eq!(verdict(&found, "all_eat"), Judgement::Pending);
        assert!(found.counterexamples.is_empty());
    }
}

/// Values that a process has computed and no longer needs are not part of its state, whatever the variables of other roles: two
/// starts, and one end, in which the chosen value is forgotten.
#[test]
fn dead_values_are_not_part_of_the_state() {
    let program = |variables: &str| {
        format!(
            "algorithm forgetful\nassumes complete, one Source\nmessage Init(v: Int)\n\
             role Source\n  state active\n    choose v in {{0, 1}}\n    send Init(v) to neighbours\n    halt\n\
             role Sink\n{variables}  state active\n    ignore Init\n"
        )
    };
    for variables in ["", "  var e : Int\n", "  var e, f, g : Int\n  var s : set of Int\n"] {
        let instance = on(&source(&program(variables)), "complete(2)").build();
        let found = whole(&instance, false);
        as_naive(&instance, &found);
        let ends: u64 = found.ends.iter().map(|end| end.configurations).sum();
        assert_eq!((found.configurations, ends), (3, 1), "{variables}");
    }
}

/// The state of a crashed process does not depend on its thread: its loop variable does not distinguish configurations. Its
/// variables do, since properties read them.
#[test]
fn a_crashed_process_keeps_its_variables_only() {
    let configurations = |text: &str| {
        let instance = on(&source(text), "complete(1)").faults(&[(Fault::Crash, 1)]).build();
        let found = whole(&instance, false);
        as_naive(&instance, &found);
        found.configurations
    };
    let local = "algorithm a assumes complete, crashes state s for r in 1..3 do pause od halt";
    assert_eq!(configurations(local), 5, "r is 1, 2 or 3; it has halted; it is down");
    let variable = "algorithm a assumes complete, crashes var r : Int
                    state s r := 1 do r <= 3 -> pause; r := r + 1 od halt";
    assert_eq!(configurations(variable), 8, "the same, and down with r from 1 to 4");
}

/// FloodSet with three processes, some of which may crash. An independent explorer, written in another language from the language
/// reference, found as many configurations between rounds.
#[test]
fn floodset_agrees_with_an_independent_count() {
    for (f, between_rounds, ends) in [(2, 2360, None), (3, 4664, Some(1872))] {
        let instance =
            on(&library("floodset"), "complete(3)").param("f", f).faults(&[(Fault::Crash, f as u32)]).build();
        let options = ExploreOptions {
            reduce: false,
            dead_messages: false,
            forget_wakeups: false,
            symmetry: false,
            keep_going: true,
            ..ExploreOptions::default()
        };
        let found = explore(&instance, None, &options, &mut |_| None);
        assert_eq!(found.configurations - found.intermediate, between_rounds, "f = {f}");
        if let Some(ends) = ends {
            assert_eq!(found.ends.iter().map(|end| end.configurations).sum::<u64>(), ends);
        }
    }
}
