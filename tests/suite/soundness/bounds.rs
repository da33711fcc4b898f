//! Bounds: cycles without growth, and limits whose evaluation may fail.

use crate::common::{judge, on};
use crate::soundness::support::{Case, program};
use synod::internals::explore::{Detail, ExploreOptions, SeparateSearch, explore};
use synod::internals::property::Judgement::{Holds, NotChecked, Pending, Violated};
use synod::internals::simulate::Schedule;

/// The search for growing cycles visits many cycles, and none of them lengthens the causal chain.
#[test]
fn a_cycle_that_gains_no_time() {
    Case::on("a_cycle_that_gains_no_time", "ring(2)").says("short", Holds).check();
    let instance = on(&program("a_cycle_that_gains_no_time"), "ring(2)").build();
    for max_configurations in [40, 60, 100] {
        let options = ExploreOptions { max_configurations, ..ExploreOptions::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        assert_eq!(found.verdicts[0].judgement, Pending, "{max_configurations}: {}", found.verdicts[0].why);
        assert!(found.counterexamples.is_empty(), "{max_configurations}");
    }
}

/// Counts on both sides are a sum over the steps of a run: configurations contain none of them.
#[test]
fn counts_on_both_sides() {
    let expected = [
        ("all_answer", Violated),
        ("fewer", Holds),
        ("difference", Holds),
        ("answers", Holds),
        ("both", Holds),
        ("too_few", Violated),
        ("limit_fails", NotChecked),
        ("huge_term", NotChecked),
        ("huge_sum", NotChecked),
        ("huge_factor", NotChecked),
        ("huge_inside", NotChecked),
        ("addends", Holds),
        ("never", Violated),
    ];
    let case = Case::on("counts_on_both_sides", "complete(2)");
    expected.into_iter().fold(case, |case, (name, judgement)| case.says(name, judgement)).check();
    let instance = on(&program("counts_on_both_sides"), "complete(3)").build();
    // Which steps and messages are omitted depends on the properties.
    let options = ExploreOptions {
        keep_going: true,
        reduce: false,
        symmetry: false,
        dead_messages: false,
        ..ExploreOptions::default()
    };
    let found = explore(&instance, None, &options, &mut |_| None);
    let without = explore(&instance, Some(&[]), &options, &mut |_| None);
    assert_eq!(found.configurations, without.configurations);
    let why: Vec<String> = found.verdicts.iter().map(|verdict| verdict.why.to_string()).collect();
    assert_eq!(why[..3], ["6, more than 0", "from 0 to 6", "6 in every run"]);
}

/// Bounds that apply to some ends only are sums over the steps of a run, too.
#[test]
fn bounds_with_premises() {
    let expected = [
        ("all_send", Holds),
        ("too_many", Violated),
        ("some_send", Holds),
        ("too_few", Violated),
        ("by_sender", Holds),
        ("both_sides", Holds),
        ("never", Holds),
        ("for_certain", Holds),
        ("for_another", Holds),
        ("woken", Violated),
        ("woken_alone", Holds),
        ("premise_fails", NotChecked),
        ("limit_fails", NotChecked),
    ];
    let case = Case::on("bounds_with_premises", "complete(2)");
    expected.into_iter().fold(case, |case, (name, judgement)| case.says(name, judgement)).check();
    let instance = on(&program("bounds_with_premises"), "complete(2)").build();
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let found = explore(&instance, None, &options, &mut |_| None);
    let counted = |why: &&SeparateSearch| why.detail == Detail::Counts;
    assert_eq!(found.separate.iter().filter(counted).count(), 0);
    let why: Vec<String> = found.verdicts.iter().map(|verdict| verdict.why.to_string()).collect();
    assert_eq!(
        why[6..8],
        ["at every end, but `(some p: p.sends and p.silent)` never came true", "from 0 to 2"]
    );
}

/// At one end the limit divides by 0. A bound that another end exceeds is violated; otherwise it is not checked.
#[test]
fn a_limit_that_fails_at_one_end() {
    Case::on("a_limit_fails_at_one_end", "ring(1)")
        .says("exceeded", Violated)
        .says("kept", NotChecked)
        .says("fine", Holds)
        .check();
}

/// A process aborts before all have begun: no property is checked, neither in a run nor in a search.
#[test]
fn an_abort_at_the_beginning_leaves_bounds_unchecked() {
    let name = "an_abort_at_the_beginning";
    Case::on(name, "ring(2)").says("few", NotChecked).aborts().check();
    let judged = judge(&on(&program(name), "ring(2)").build(), Schedule::Fifo, 1, 100);
    assert_eq!(judged.verdicts[0].judgement, NotChecked, "{}", judged.verdicts[0].why);
}

/// A message is the beginning of a causal chain, also where no neighbour hears it. The chain of a transmission without neighbours had the
/// length 0.
#[test]
fn a_transmission_that_reaches_no_process_is_a_causal_chain() {
    let name = "a_transmission_that_reaches_nobody";
    Case::on(name, "complete(1)").says("no_chain", Violated).says("one", Holds).check();
}

/// An optional Int is stored in another way than other optional numbers, and its bits are those of the reference all the same.
#[test]
fn the_bits_of_an_optional_int() {
    let name = "the_bits_of_an_optional_int";
    Case::on(name, "ring(2)").says("six_for_each", Holds).says("five_for_each", Violated).check();
}

/// A transmission that no process can hear ends a chain of one message.
#[test]
fn a_transmission_without_neighbours_takes_time() {
    let name = "transmission_without_neighbours";
    Case::on(name, "complete(1)").says("silent", Violated).says("once", Holds).check();
    Case::on(name, "complete(2)").says("silent", Violated).says("once", Holds).check();
}
