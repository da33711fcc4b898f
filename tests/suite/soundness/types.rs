//! Values of types that differ in optional parts: the order of the operands must not matter.

use crate::common::source;
use crate::soundness::support::play_all;

/// `(1, true)` and `(o, true)` have one type in either order: the comparison needs no value of `o`.
#[test]
fn an_optional_part_is_compared_on_either_side() {
    play_all("compound_optional_compare");
    play_all("optional_parts_compare");
}

/// A value is needed where the whole is stored in a variable without optional parts, at any depth of nesting.
#[test]
fn an_optional_part_is_needed_where_the_whole_is_stored() {
    play_all("optional_parts_needed");
}

/// Destinations and senders are values: an optional one that is written in a set is unwrapped there.
#[test]
fn optional_destinations_need_values() {
    let text = "algorithm a
assumes complete, unique ids, knows peers
message M
var got : Bool
state s
  send M to {id, least p in others}
  receive M from {id, least p in others}
  got := true
  halt
always
  ignore M
";
    assert!(!source(text).roles.is_empty());
}

/// Nothing determines the whole type of a component that is ignored.
#[test]
fn an_ignored_part_may_have_an_unknown_type() {
    play_all("ignored_parts");
}
