//! Evaluations that fail: verdicts must not depend on the order of evaluation or of the search.

use crate::soundness::support::{Case, play_all};
use synod::internals::property::Judgement::{Holds, NotChecked, Violated};

/// Some configuration has x = (0, 20) and another (20, 0): one element fails, the other is above 0 div.
#[test]
fn forall_fails_whichever_element_fails() {
    // 10 div 20 = 0 is not above 0: false decides, whether 10 div 0 comes before or after it.
    Case::on("w2_property_abort_rotation", "ring(2)").says("i", Violated).check();
}

/// `some` is true for one element, whether or not another fails: it is 10 div (20 - 0) = 0, beside 10 div 0.
#[test]
fn some_holds_whichever_element_fails() {
    Case::on("w2c_holds_instead_of_not_checked", "ring(2)").says("i", Holds).check();
}

/// x changes from 1 to 20 at one process while it is still 1 at the other. The property becomes false, since 10 div 20 = 0, whatever fails
/// elsewhere.
#[test]
fn stable_is_violated_although_it_fails_elsewhere() {
    Case::on("w4_stable_after_failure", "ring(1)").says("st", Violated).check();
    Case::on("w4_stable_after_failure", "ring(2)").says("st", Violated).check();
    Case::on("w4_stable_order", "ring(1)").says("st", Violated).check();
}

/// For every kind of property, a violation counts wherever it is; `not checked` is the verdict only if there is none.
#[test]
fn verdicts_beside_failures() {
    for network in ["line(1)", "line(2)"] {
        // Alone, the run by way of 0 cannot tell whether `never` came true. With two processes a run may let each go by way of 0 while
        // the other's x is 1: 10 < 5 is false throughout.
        let never = if network == "line(1)" { NotChecked } else { Violated };
        Case::on("verdicts_beside_failures", network)
            .says("whole", Violated)
            .says("each", Violated)
            .says("kept", NotChecked)
            .says("lost", Violated)
            .says("lost_by_one", Violated)
            .says("stays", NotChecked)
            .says("early", Holds)
            .says("never", never)
            .says("settled", Holds)
            .says("follows", NotChecked)
            .says("does_not", Violated)
            .says("ended", Holds)
            .check();
    }
}

/// In rounds, a message that fits is taken, even if another message makes the condition fail, in every order.
#[test]
fn received_takes_a_message_that_fits() {
    Case::on("received_fails_without_order", "complete(3)").says("seen", Holds).check();
    // The second process receives no other message.
    Case::on("received_fails_without_order", "complete(2)").aborts().check();
}

/// An aggregate needs all elements, so it fails if any element fails, whichever comes first.
#[test]
fn aggregates_need_all_elements() {
    for expression in [
        "forall k in [2, 0]: 1 div k = 0",
        "some k in [2, 0]: 1 div k = 1",
        "(count k in [0, 1]: 1 div k = 1) = 1",
        "{ k in [0, 1] | 1 div k = 1 } = {1}",
        "(least k in [0, 1] by 1 div k) = 1",
        "(greatest k in [1, 0] by 1 div k) = 1",
        "(sum k in [9223372036854775807, 1]: k) > 0",
        "sum([-9223372036854775807, -2]) < 0",
        "max([1 div 1, 1 div 0]) = 1",
        "forall k in [0], j in 1..1 div k: true",
        "0 in 3..(1 div 0)",
    ] {
        let text = format!(
            "algorithm a\nassumes connected graph\nvar b : Bool\nstate s\n  b := {expression}\n  halt\n\
             scenario t on line(1)\n  expect outcome aborted\n"
        );
        let program = synod::internals::check::check("a.syn", &text, &synod::internals::library::source)
            .program
            .expect(expression);
        let program = std::sync::Arc::new(program);
        let played = synod::internals::scenario::play(
            &program,
            &program.scenarios[0],
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        assert!(played.failures.is_empty(), "{expression}: {:?}", played.failures);
    }
}

/// A left side that fails elsewhere does not hide the violation.
#[test]
fn leads_whose_left_side_fails() {
    Case::on("leads_left_side_fails", "complete(1)")
        .says("answered", Violated)
        .says("at_once", NotChecked)
        .check();
}

/// A left side that fails after it was true does not end what is owed: a run shows the violation, too.
#[test]
fn leads_whose_left_side_fails_later() {
    Case::on("leads_left_fails_later", "complete(1)").says("owed", Violated).check();
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

/// The scenarios in the programs pass.
#[test]
fn scenarios_pass() {
    for name in ["w5_range_overflow", "f1_in_range_skips_upper_bound", "quantifiers_fail_without_order"] {
        play_all(name);
    }
}
