//! Evaluations that fail: verdicts must not depend on the order of evaluation or of the search.

use crate::support::{Case, program};
use synod::property::Judgement::{Holds, Violated};

/// Some configuration has x = (0, 20) and another (20, 0): one element fails, the other is above 0 div.
#[test]
fn forall_fails_whichever_element_fails() {
    // 10 div 20 = 0 is not above 0: false decides, wherever 10 div 0 stands.
    Case::on("w2_property_abort_rotation", "ring(2)").says("i", Violated).check();
}

/// `some` is true for one element, whether or not another fails: it is 10 div (20 - 0) = 0, beside 10 div 0.
#[test]
fn some_holds_whichever_element_fails() {
    Case::on("w2c_holds_instead_of_not_checked", "ring(2)").says("i", Holds).check();
}

/// x goes from 1 to 20 for one process while the other's is still 1: 10 div 20 = 0 is lost, whatever fails elsewhere.
#[test]
fn stable_is_violated_although_it_fails_elsewhere() {
    Case::on("w4_stable_after_failure", "ring(1)").says("st", Violated).check();
    Case::on("w4_stable_after_failure", "ring(2)").says("st", Violated).check();
    Case::on("w4_stable_order", "ring(1)").says("st", Violated).check();
}

/// The range is empty, however far apart its ends are.
#[test]
fn a_range_whose_ends_are_far_apart() {
    Case::on("w5_range_overflow", "ring(1)").check();
}

/// Both ends of a range are evaluated.
#[test]
fn a_range_evaluates_both_ends() {
    Case::on("f1_in_range_skips_upper_bound", "line(1)").aborts().check();
}

/// The scenarios that a program comes with are as they say.
#[test]
fn scenarios_pass() {
    for name in ["w5_range_overflow", "f1_in_range_skips_upper_bound", "f2_compound_optional_compare"] {
        let program = program(name);
        for scenario in &program.scenarios {
            let played = synod::scenario::play(&program, scenario, None, &mut |_, _, _, _, _| {});
            assert!(played.failures.is_empty(), "{name}: {}: {:?}", scenario.name, played.failures);
        }
    }
}
