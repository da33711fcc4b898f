//! Weak fairness in a quotient graph: all paths to a configuration must agree on the constraint of a message.

use crate::common::on;
use crate::soundness::support::{Case, program};
use synod::internals::explore::{ExploreOptions, Lasso, SearchOrder, ViewStatus, check_lasso, explore};
use synod::internals::property::Judgement::{Holds, Violated};

/// The messages 1 and 2 are one constraint: the one that waits must be taken.
#[test]
fn a_field_that_is_left_out() {
    Case::on("fair_without_a_field", "complete(2)").says("e", Holds).check();
}

/// The flag alternates while a 2 waits, and while a 1 waits: both are one constraint, shifted.
#[test]
fn a_number_up_to_shift() {
    Case::on("fair_up_to_shift", "complete(2)").says("e", Holds).check();
}

/// As `a_field_that_is_left_out`, for `leads to` and `settles`.
#[test]
fn leads_to_and_settles() {
    Case::on("fair_leads_and_settles", "complete(2)").says("l", Holds).says("st", Holds).check();
}

/// The message with the lesser number waits while the one with the greater is taken repeatedly: this is unfair to the former.
#[test]
fn two_messages_that_are_not_the_same_up_to_a_shift() {
    Case::on("fair_lower_of_two", "complete(2)").says("e", Holds).check();
}

/// Each of two messages is enabled in every other configuration only: some fair run takes neither.
#[test]
fn two_messages_enabled_alternately() {
    Case::on("fair_in_turns", "complete(2)").says("e", Violated).check();
}

/// Up to the view, a cycle that bounces only one of two messages is fair. The counterexample must bounce both.
#[test]
fn the_counterexample_is_fair() {
    let instance = on(&program("fair_bounced"), "complete(2)").build();
    for order in [SearchOrder::Breadth, SearchOrder::Depth, SearchOrder::Chance(1), SearchOrder::Chance(2)] {
        let options = ExploreOptions { order, ..ExploreOptions::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        let [shown] = &found.counterexamples[..] else { panic!("{order:?}: one counterexample") };
        let from = shown.repeats_from.expect("a lasso");
        assert_eq!(check_lasso(&instance, &shown.events, from, &mut []), Lasso::Fair, "{order:?}");
    }
}

/// Without the view there are infinitely many configurations. A message waits while another circulates, so it must be taken.
#[test]
fn numbers_that_grow_without_bound() {
    holds_under_the_view("fair_counting_token");
    holds_under_the_view("fair_growing_clock");
}

/// Check that the only property of a program holds, and that its view is sound.
#[track_caller]
fn holds_under_the_view(name: &str) {
    let instance = on(&program(name), "complete(2)").build();
    for order in [
        SearchOrder::Breadth,
        SearchOrder::Depth,
        SearchOrder::Chance(1),
        SearchOrder::Chance(2),
        SearchOrder::Chance(3),
    ] {
        for (reduce, threads) in [(true, 1), (false, 1), (false, 2)] {
            let options = ExploreOptions { order, reduce, threads, ..ExploreOptions::default() };
            let found = explore(&instance, None, &options, &mut |_| None);
            let verdict = &found.verdicts[0];
            assert_eq!(verdict.judgement, Holds, "{name} {order:?}: {}", verdict.why);
            assert_eq!(found.view.map(|seeing| seeing.standing), Some(ViewStatus::Sound), "{name}");
        }
    }
}
