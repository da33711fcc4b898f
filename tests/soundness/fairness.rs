//! Weak fairness in a graph whose configurations stand for others: a message counts as the same on all ways to a configuration.

use crate::common::on;
use crate::support::{Case, program};
use synod::explore::{Lasso, Options, Order, Standing, explore, goes_round};
use synod::property::Judgement::{Holds, Violated};

/// 1 and 2 are one constraint: whichever it is that waits has to be taken.
#[test]
fn a_field_that_is_left_out() {
    Case::on("fair_without_a_field", "complete(2)").says("e", Holds).check();
}

/// The flag goes up and down beside a 2, and beside a 1: they are one constraint, shifted.
#[test]
fn a_number_up_to_shift() {
    Case::on("fair_up_to_shift", "complete(2)").says("e", Holds).check();
}

#[test]
fn what_leads_and_what_settles() {
    Case::on("fair_leads_and_settles", "complete(2)").says("l", Holds).says("st", Holds).check();
}

/// A message with the lesser of two numbers waits, and one with the greater is taken again and again: that does not do for both.
#[test]
fn two_messages_that_are_not_the_same_up_to_a_shift() {
    Case::on("fair_lower_of_two", "complete(2)").says("e", Holds).check();
}

/// Each of two messages can be taken every other moment only: a fair run takes neither.
#[test]
fn two_messages_that_can_be_taken_in_turns() {
    Case::on("fair_in_turns", "complete(2)").says("e", Violated).check();
}

/// Up to the view it would do to bounce one of two messages again and again.
#[test]
fn the_run_that_is_shown_is_fair() {
    let instance = on(&program("fair_bounced"), "complete(2)").build();
    for order in [Order::Breadth, Order::Depth, Order::Chance(1), Order::Chance(2)] {
        let options = Options { order, ..Options::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        let [shown] = &found.counterexamples[..] else { panic!("{order:?}: one counterexample") };
        let from = shown.repeats_from.expect("it goes round");
        assert_eq!(goes_round(&instance, &shown.events, from, &mut []), Lasso::Fair, "{order:?}");
    }
}

/// Without the view there are infinitely many configurations. The question waits while the token goes round, so it must be taken.
#[test]
fn numbers_that_grow_for_ever() {
    holds_under_the_view("fair_counting_token");
    holds_under_the_view("fair_growing_clock");
}

/// The one property of a program holds, under a view that is sound.
#[track_caller]
fn holds_under_the_view(name: &str) {
    let instance = on(&program(name), "complete(2)").build();
    for order in [Order::Breadth, Order::Depth, Order::Chance(1), Order::Chance(2), Order::Chance(3)] {
        for (reduce, threads) in [(true, 1), (false, 1), (false, 2)] {
            let options = Options { order, reduce, threads, ..Options::default() };
            let found = explore(&instance, None, &options, &mut |_| None);
            let verdict = &found.verdicts[0];
            assert_eq!(verdict.judgement, Holds, "{name} {order:?}: {}", verdict.why);
            assert_eq!(found.view.map(|seeing| seeing.standing), Some(Standing::Sound), "{name}");
        }
    }
}
