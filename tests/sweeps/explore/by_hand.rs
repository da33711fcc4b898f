//! Small programs of which it is known by hand how many configurations they have, how they end and what goes wrong.

use crate::common::*;
use crate::explore::naive;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use synod::explore::{Exploration, ExploreOptions, Stop, StopReason, ViolationKind, explore};
use synod::instance::Instance;
use synod::ir::Fault;
use synod::property::Judgement;

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
        &ExploreOptions { reduce, symmetry: false, keep_going: true, ..ExploreOptions::default() },
        &mut |_| None,
    )
}

fn outcomes(found: &Exploration) -> BTreeSet<&'static str> {
    found.ends.iter().map(|end| end.outcome).collect()
}

fn verdict(found: &Exploration, name: &str) -> Judgement {
    found.verdicts.iter().find(|v| v.name == name).expect("a property").judgement
}

/// The numbers of the naive explorer, and its ends.
fn as_naive(instance: &Instance, found: &Exploration) {
    let verdicts: Vec<(String, Judgement)> =
        found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect();
    let naive = naive::explore(instance, &verdicts);
    assert_eq!((found.configurations, found.steps), (naive.configurations, naive.steps));
    assert_eq!(outcomes(found), naive.ends);
}

/// All hold one fork and wait for the other: found, whatever the number, after one step of each. With one who is left-handed
/// nobody waits for ever.
#[test]
fn philosophers_starve_unless_one_is_left_handed() {
    for n in 2..=4 {
        let instance = on(&source(PHILOSOPHERS), &format!("ring({n})")).build();
        let found = whole(&instance, false);
        as_naive(&instance, &found);
        assert_eq!(outcomes(&found), BTreeSet::from(["quiescent", "stuck"]), "{n}");
        let stuck =
            found.counterexamples.iter().find(|c| matches!(c.what, ViolationKind::Stuck(_))).expect("stuck");
        assert_eq!(stuck.events.len(), 2 * n, "{n} starts, and one step each");
        let instance = on(&source(LEFTY), &format!("ring({n})")).build();
        let found = whole(&instance, false);
        as_naive(&instance, &found);
        assert_eq!(outcomes(&found), BTreeSet::from(["quiescent"]), "{n}");
        assert!(found.counterexamples.is_empty(), "{n}");
        assert_eq!(whole(&instance, true).ends, found.ends, "{n}");
    }
}

/// Asleep; the attack under way; the answer under way; done. With a loss also: the attack lost, the answer lost. Of three ends
/// only the last shows one who attacks alone.
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

/// For each item and each number of losses still to come: the item under way, the receiver having it or not, its acknowledgement under
/// way, and the waits for the timer. With all losses to come the receiver cannot have it yet, and there are four waits: the item lost at
/// once or when it was due, with 2 or 1 to wait, its acknowledgement likewise, with 1 or 0. With some of them gone the receiver may have
/// an item that is repeated, and there are five: without it 2 or 1, with it 2, 1 or 0. With none to come nobody waits. Whatever is
/// under way arrives, or is lost at either instant.
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

/// Who does not look at the bit takes a repetition for an item, or an old acknowledgement for a new one; and then an item may be
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

/// Two hands, four ways to vote. Patient: one vote, the other, or both have come, and then each decision arrives by itself, 3 + 4
/// configurations. In a hurry: the first vote decides, and the other one and two decisions arrive in any order, a cube of 8
/// configurations and 12 steps for each of the two who may be first; where both vote alike, the cubes meet in a square when both
/// votes have come.
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

/// Never both, and both in the end; without the turn both at once, or each waits for the other for ever.
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

/// Nothing is asked of ends where there are none, and the verdict says so.
#[test]
fn no_run_ends() {
    let text =
        LOSING.replace("  on Token when initiator -> home := true\n", "").replace(" when not initiator", "");
    let found = whole(&on(&source(&text), "ring(3)").initiators(&[0]).build(), false);
    assert!(found.ends.is_empty());
    let [verdict] = &found.verdicts[..] else { panic!("one property") };
    assert_eq!(
        (verdict.judgement, verdict.why.as_str()),
        (Judgement::Holds, "no run ends, so properties of ends hold vacuously")
    );
}

/// When it is time to stop, a search does so in the middle of a chunk, and what it says is what it had seen.
#[test]
fn a_search_stops_when_it_is_told_to() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let soon: Stop = || ASKED.fetch_add(1, Ordering::Relaxed) > 300;
    let instance = on(&source(LEFTY), "ring(4)").build();
    let all = whole(&instance, false).configurations;
    for (threads, stop) in [(1, soon as Stop), (1, || true), (3, || true)] {
        let options =
            ExploreOptions { threads, stop: Some(stop), reduce: false, ..ExploreOptions::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        assert_eq!(found.cut, Some(StopReason::Time));
        assert!(found.configurations < all);
        assert_eq!(verdict(&found, "all_eat"), Judgement::Pending);
        assert!(found.counterexamples.is_empty());
    }
}

/// What a process has calculated and does not need any more is no part of its state, whatever variables processes of another role
/// have: two starts, and one end, of which the value that was chosen is forgotten.
#[test]
fn what_is_over_is_forgotten_whatever_other_roles_remember() {
    let program = |variables: &str| {
        format!(
            "algorithm forgetful\nassumes complete, one Source\nmessage Init(v: Int)\n\
             process Source\n  state active\n    choose v in {{0, 1}}\n    send Init(v) to neighbours\n    halt\n\
             process Sink\n{variables}  state active\n    ignore Init\n"
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

/// Who has crashed is the same wherever its thread was: its loop variable tells no configurations apart. Its variables do, since
/// properties look at them.
#[test]
fn of_a_crashed_process_only_its_variables_are_left() {
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

/// FloodSet among three, of whom so many may crash. An explorer that was written for this alone, in another language and from the
/// language reference, has found as many configurations between rounds.
#[test]
fn floodset_has_as_many_configurations_as_were_counted_elsewhere() {
    for (f, between_rounds, ends) in [(2, 2360, None), (3, 4664, Some(1872))] {
        let instance =
            on(&library("floodset"), "complete(3)").param("f", f).faults(&[(Fault::Crash, f as u32)]).build();
        let options =
            ExploreOptions { reduce: false, symmetry: false, keep_going: true, ..ExploreOptions::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        assert_eq!(found.configurations - found.between, between_rounds, "f = {f}");
        if let Some(ends) = ends {
            assert_eq!(found.ends.iter().map(|end| end.configurations).sum::<u64>(), ends);
        }
    }
}
