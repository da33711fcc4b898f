//! Values of types that differ in optional parts: the order of the operands must not matter.

use crate::support::play_all;

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
