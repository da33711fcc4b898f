//! Values of types that differ in optional parts: the side that an expression is written on must not matter.

use crate::support::play_all;

/// `(1, true)` and `(o, true)` have one type, whichever stands left: comparing them asks `o` for no value.
#[test]
fn an_optional_part_is_compared_on_either_side() {
    play_all("compound_optional_compare");
    play_all("optional_parts_compare");
}

/// A value is needed where the whole is stored in a variable without optional parts, however deep the part lies.
#[test]
fn an_optional_part_is_needed_where_the_whole_is_stored() {
    play_all("optional_parts_needed");
}
