//! Views that leave out values on which the program or a property depends.

use crate::common::on;
use crate::soundness::support::{Case, program};
use synod::internals::explore::{ExploreOptions, SearchOrder, ViewStatus, ViolationKind, explore};
use synod::internals::property::Judgement;

/// Explore with and without views. A view that hides a violation or an abort must not be called sound.
#[track_caller]
fn is_not_sound(name: &str, network: &str, aborts: bool) {
    let instance = on(&program(name), network).build();
    for view in [false, true] {
        for order in [SearchOrder::Breadth, SearchOrder::Depth] {
            let options = ExploreOptions { view, order, keep_going: true, ..ExploreOptions::default() };
            let found = explore(&instance, None, &options, &mut |_| None);
            let is_wrong = match aborts {
                true => found.counterexamples.iter().any(|c| matches!(c.kind, ViolationKind::Aborted(_))),
                false => found.verdicts.iter().all(|verdict| verdict.judgement == Judgement::Violated),
            };
            let standing = found.view.map(|seeing| seeing.standing);
            assert_eq!(standing.is_some(), view, "{name}");
            assert_ne!(standing, Some(ViewStatus::Sound), "{name}");
            assert!(is_wrong || view, "{name}: {view}");
        }
    }
}

/// The set of senders is empty or not: with the empty one x becomes 1 at once.
#[test]
fn the_set_of_from_each_is_left_out() {
    is_not_sound("2_view_from_each_set", "complete(2)", false);
}

/// c is compared with a 2 that the first commands left in a local.
#[test]
fn the_first_commands_leave_an_ordinary_number() {
    is_not_sound("5_view_start_constant", "ring(1)", false);
    is_not_sound("view_start_list", "ring(1)", false);
}

/// The same, in a part of a local.
#[test]
fn a_part_of_a_local_becomes_an_ordinary_number() {
    is_not_sound("6_view_part_of_local", "ring(1)", false);
}

/// Commands after an operation that waits are repeated.
#[test]
fn the_commands_after_an_operation_of_a_layer() {
    is_not_sound("view_without_after_layer_call", "ring(1)", false);
}

/// Each step adds half of the greatest Int.
#[test]
fn large_steps_overflow_soon() {
    is_not_sound("view_great_steps", "ring(1)", true);
}

/// Numbers near the greatest Int are kept apart, so that the search finds the overflow.
#[test]
fn numbers_about_to_overflow_are_kept_apart() {
    Case::on("view_overflow", "ring(1)").aborts().check();
    Case::on("view_overflow_without", "ring(1)").aborts().check();
}

/// An omitted variable decides whether x becomes 1, or is assigned to x.
#[test]
fn omitted_values_become_visible() {
    is_not_sound("what_is_left_out_decides", "ring(1)", false);
    is_not_sound("what_is_left_out_is_assigned", "ring(1)", false);
}

/// An omitted variable selects 0 or the greatest number for an addition: the sum may overflow.
#[test]
fn an_omitted_value_selects_a_large_number() {
    is_not_sound("a_great_number_is_chosen", "ring(1)", true);
}

/// A number up to shift is compared with a constant, or added to itself: neither is invariant under a shift.
#[test]
fn a_shifted_number_meets_an_ordinary_one() {
    is_not_sound("shifted_meets_a_constant", "ring(1)", false);
    is_not_sound("shifted_is_multiplied", "ring(1)", false);
}

/// A property compares a number up to shift with a constant, and steps decrease that number.
#[test]
fn a_shifted_number_falls_to_a_constant() {
    is_not_sound("shifted_falls_to_a_constant", "ring(1)", false);
}

/// The argument of an operation comes from the environment, and does not shift with the numbers of the view.
#[test]
fn an_argument_comes_from_outside() {
    let instance = on(&program("an_argument_from_outside"), "ring(1)").build();
    let found = explore(&instance, None, &ExploreOptions::default(), &mut |_| None);
    let standing = found.view.map(|seeing| seeing.standing);
    assert!(matches!(standing, Some(ViewStatus::Claimed { .. })), "{standing:?}");
}
