//! Small programs of which it is known by hand how many configurations they have, how they end and what goes wrong.

use crate::common::*;
use crate::naive;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use synod::explore::{Cut, Exploration, Options, Stop, Wrong, explore};
use synod::instance::Instance;
use synod::ir::Fault;
use synod::property::Judgement;

const PHILOSOPHERS: &str = include_str!("by_hand/philosophers.syn");
const LEFTY: &str = include_str!("by_hand/lefty.syn");
const GENERALS: &str = include_str!("by_hand/generals.syn");
const LOSING: &str = include_str!("by_hand/losing.syn");
const PETERSON: &str = include_str!("by_hand/peterson_lock.syn");

fn whole(instance: &Instance, reduce: bool) -> Exploration {
    explore(instance, None, &Options { reduce, keep_going: true, ..Options::default() }, &mut |_| None)
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
        let stuck = found.counterexamples.iter().find(|c| matches!(c.what, Wrong::Stuck(_))).expect("stuck");
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
    assert_eq!((verdict.judgement, verdict.why.as_str()), (Judgement::Holds, "no run comes to an end"));
}

/// When it is time to stop, a search does so in the middle of a chunk, and what it says is what it had seen.
#[test]
fn a_search_stops_when_it_is_told_to() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let soon: Stop = || ASKED.fetch_add(1, Ordering::Relaxed) > 300;
    let instance = on(&source(LEFTY), "ring(4)").build();
    let all = whole(&instance, false).configurations;
    for (threads, stop) in [(1, soon as Stop), (1, || true), (3, || true)] {
        let options = Options { threads, stop: Some(stop), reduce: false, ..Options::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        assert_eq!(found.cut, Some(Cut::Time));
        assert!(found.configurations < all);
        assert_eq!(verdict(&found, "all_eat"), Judgement::Pending);
        assert!(found.counterexamples.is_empty());
    }
}
