//! Range checks of values against their types.

use super::{Env, Eval, abort, elements, word};
use crate::ir::{Expr, Ranges, Value};

/// Abort if a number in the value is outside its range. `what` describes the owner of the range; `e` is the source of the value.
pub(in crate::semantics) fn check_ranges(
    ranges: &Ranges,
    value: &Value,
    what: &str,
    e: &Expr,
    env: &mut Env<'_>,
) -> Eval<()> {
    match (ranges, value) {
        (Ranges::Int(least, greatest), Value::Int(number)) => {
            number_within(least, greatest, *number, what, e, env)?;
        }
        (Ranges::Option(_), Value::None) => {}
        (Ranges::Option(inner), value) => check_ranges(inner, value, what, e, env)?,
        (Ranges::Elements(inner), collection) => {
            for element in elements(collection) {
                check_ranges(inner, element, what, e, env)?;
            }
        }
        (Ranges::Map(keys, values), Value::Map(items)) => {
            for (key, value) in items.iter() {
                check_ranges(keys, key, what, e, env)?;
                check_ranges(values, value, what, e, env)?;
            }
        }
        (Ranges::Parts(parts), Value::Tuple(values)) => {
            for (part, value) in parts.iter().zip(values.iter()) {
                check_ranges(part, value, what, e, env)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// The same for one number.
pub(super) fn number_within(
    least: &Expr,
    greatest: &Expr,
    number: i64,
    what: &str,
    e: &Expr,
    env: &mut Env<'_>,
) -> Eval<()> {
    let (least, greatest) = (word(least, env)?, word(greatest, env)?);
    match (least..=greatest).contains(&number) {
        true => Ok(()),
        false => abort(e.span, format!("{number} is outside the range {least}..{greatest} of {what}")),
    }
}
