//! Programs and properties that distinguish processes or ports.

use crate::soundness::support::Case;
use synod::internals::check::check;
use synod::internals::property::Judgement::{Holds, Violated};

/// The hub received 0 and 1 from its two leaves. It evaluates 1 div 0 only while `b` is false: if the 0 came by the first port.
#[test]
fn a_loop_over_ports_skips_what_fails() {
    Case::with("w1_or_abort_in_loop", "star(2)", &[], Some(&[1, 2])).aborts().check();
    // `b` stays true up to the division by 0.
    Case::with("w1b_panic", "star(2)", &[], Some(&[1, 2])).aborts().check();
    // The divisor is 0 where a leaf sent 1, which is skipped if the other leaf has made `b` false before.
    Case::with("w1c_panic_when", "star(2)", &[], Some(&[1, 2])).aborts().says("fine", Holds).check();
}

/// x is the greatest Int; it is incremented before it is decremented, or the reverse.
#[test]
fn a_loop_over_ports_overflows_on_the_way() {
    Case::with("w1e_panic_overflow", "star(2)", &[], Some(&[1, 2])).aborts().check();
    // Two leaves sent 1 and one -1: the sum exceeds the greatest Int if the -1 comes last.
    Case::with("loop_sum_overflow", "star(3)", &[], Some(&[1, 2, 3])).aborts().check();
}

/// The first port gets the key 1, the second 2; the answer comes by either of them.
#[test]
fn a_loop_over_ports_counts_nested_keys() {
    Case::on("1_loop_nested_key_twins", "star(2)").says("not1", Violated).says("not2", Violated).check();
}

/// Each process can be the one with x = 1.
#[test]
fn a_list_of_processes_is_an_element() {
    let case = Case::on("3_list_in_collection", "ring(3)");
    case.says("i1", Violated).says("i2", Violated).says("i3", Violated).check();
}

/// p precedes q, and p.x = 0 while q.x = 1.
#[test]
fn the_least_by_a_process_is_the_first() {
    Case::on("4_least_by_process", "ring(3)").says("i1", Violated).check();
}

/// Only a lit process p0 lets the oracle answer «yes».
#[test]
fn an_oracle_that_orders_processes() {
    Case::on("oracle_orders_processes", "ring(3)").says("calm", Violated).check();
}

/// The list of both ports begins with the lesser or with the greater one.
#[test]
fn the_least_of_a_list_of_ports() {
    Case::on("7_least_in_list_of_ports_twins", "star(2)")
        .says("not1", Violated)
        .says("not2", Violated)
        .check();
}

/// Each process has sent a message to all others, and then waits for messages that no process sends.
#[test]
fn each_of_several_messages() {
    Case::on("p1_panic_from_each_twins", "complete(3)").deadlocks().check();
    // The least port is an ordinary port.
    Case::on("each_name_lives_on", "complete(3)").says("none_yet", Violated).check();
}

/// x never changes back.
#[test]
fn stable_for_each_process() {
    Case::on("stable_for_each", "ring(4)").says("rises", Holds).check();
}

/// A rotation that changes weights is no automorphism: each of the three processes may be the only one with x = 1.
#[test]
fn a_renumbering_keeps_weights() {
    Case::on("weights_tell_processes_apart", "edges(0-1: 1, 1-2: 2, 2-0: 3)")
        .says("not_alone_1", Violated)
        .says("not_alone_2", Violated)
        .says("not_alone_3", Violated)
        .check();
}

/// Leaves whose edges differ in weight are not interchangeable.
#[test]
fn interchangeable_neighbours_have_the_same_weight() {
    Case::on("weights_tell_leaves_apart", "edges(0-1: 5, 0-2: 7)")
        .says("not_alone_5", Violated)
        .says("not_alone_7", Violated)
        .check();
}

/// A program that mentions no identifier receives identifiers as senders of messages.
#[test]
fn identifiers_come_with_messages() {
    Case::on("ids_come_with_messages", "complete(3)")
        .says("not_1_alone", Violated)
        .says("not_2_alone", Violated)
        .says("not_3_alone", Violated)
        .check();
}

/// x becomes true at every process, though not at a single representative process of the quotient graph.
#[test]
fn eventually_for_each_process() {
    Case::on("each_process_on_its_own", "ring(3)").says("comes_true", Holds).check();
}

/// Either leaf may send first, and the program distinguishes its ports by number.
#[test]
fn a_program_that_counts_ports_off() {
    Case::on("ports_are_counted_off", "star(2)")
        .says("not_first", Violated)
        .says("not_second", Violated)
        .check();
}

/// A port in a message is not renamed with its owner, so symmetry must not exchange ports: the program compares them afterwards.
#[test]
fn a_port_in_a_message() {
    Case::with("a_port_goes_through_a_message", "star(2)", &[], Some(&[0]))
        .says("is_same", Holds)
        .says("is_other", Holds)
        .check();
}

/// A port of one process has another meaning at another process: `check` reports every such use.
#[test]
fn a_port_of_another_process_is_an_error() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/soundness/programs/w3_foreign_port_property.syn");
    let text = std::fs::read_to_string(path).unwrap();
    let checked = check("w3.syn", &text, &|_| None);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    assert_eq!(found, ["a port of `q` is used at `p`"; 2]);
    assert!(checked.program.is_none());
    for (property, expected) in [
        ("forall p: p.g = none or neighbour(p, p.g) != p", None),
        ("forall p, q: p.g = q.g or p.x = q.x", Some("a port of `p` is compared with one of `q`")),
        ("forall p, q: port(p, q) != p.g or p != q", None),
        ("forall p, q: port(q, p) != p.g or p != q", Some("a port of `q` is compared with one of `p`")),
        ("forall p: forall k in p.t: neighbour(p, k).x = 0", None),
        ("forall p, q: forall k in q.t: neighbour(p, k).x = 0", Some("a port of `q` is used at `p`")),
        ("forall p, q with q.g in p.t: p.x = 0", Some("a port of `q` is compared with one of `p`")),
        (
            "forall p, q with q.g in p.m: q.m[q.g] = p.m[q.g]",
            Some("a port of `q` is compared with one of `p`"),
        ),
        ("forall p: size(p.t) <= size({ q.g for q in processes })", None),
        (
            "forall p: p.g in { q.g for q in processes }",
            Some("it is not known to which process this port belongs"),
        ),
        ("forall p: across(p, p.g) != p", None),
        ("forall p, q: across(p, q.g) != p", Some("a port of `q` is used at `p`")),
    ] {
        let text = format!(
            "algorithm a assumes complete, anonymous message M var g : Port? var x : Int\n\
             var t : set of Port var m : map of Port to Int\n\
             state s on wakeup -> choose q in neighbours; g := q; t := {{q}}; m[q] := 1; send M to q on M -> x := 1\n\
             function across(p, k) = if k = none then p else neighbour(p, k)\n\
             invariant i: {property}\n"
        );
        let checked = check("a.syn", &text, &|_| None);
        let found = checked.diagnostics.iter().find(|d| d.is_error()).map(|d| d.message());
        assert_eq!(found, expected.map(String::from), "{property}");
    }
}
