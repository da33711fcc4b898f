//! Limits on the size of values: a program whose collections double at every step must end with a message, before memory is
//! exhausted.

use super::{Eval, abort};
use crate::ir::{Program, Type, Value};
use crate::source::Span;

/// Maximum number of elements: a set with every process of the largest network fits. At 40 to 100 bytes an element this is less
/// than half a gigabyte.
pub const MAX_ELEMENTS: usize = 4_194_304;

/// Maximum nesting depth. Values nest as deeply as their types, except for `Value`, which may contain another one: as deeply as a
/// trace can represent.
pub const MAX_DEPTH: u32 = 64;

/// Abort if a collection has too many elements.
#[inline]
pub(in crate::semantics) fn limited(value: &Value, span: Span) -> Eval<()> {
    let elements = match value {
        Value::List(items) => items.len(),
        Value::Set(items) => items.len(),
        Value::Map(items) => items.len(),
        _ => 0,
    };
    match elements > MAX_ELEMENTS {
        true => too_many(span),
        false => Ok(()),
    }
}

#[cold]
pub(in crate::semantics) fn too_many<T>(span: Span) -> Eval<T> {
    abort(span, format!("a collection of more than {MAX_ELEMENTS} elements is too large"))
}

/// The same for all nested values; also abort if the nesting is too deep. Since values share their parts, a value of many
/// gigabytes, written out, may take almost no memory until it is compared, counted or shown.
pub(in crate::semantics) fn limited_in_all(
    program: &Program,
    value: &Value,
    ty: &Type,
    span: Span,
) -> Eval<()> {
    limited(value, span)?;
    if !is_nested(program, ty, false) {
        return Ok(());
    }
    let mut left = MAX_ELEMENTS;
    match count(value, MAX_DEPTH, &mut left) {
        Ok(()) => Ok(()),
        Err(TooLarge::Elements) => {
            abort(span, format!("a value of more than {MAX_ELEMENTS} parts is too large"))
        }
        Err(TooLarge::Depth) => {
            abort(span, format!("values cannot be nested more than {MAX_DEPTH} levels deep"))
        }
    }
}

enum TooLarge {
    Elements,
    Depth,
}

fn count(value: &Value, depth: u32, left: &mut usize) -> Result<(), TooLarge> {
    *left = left.checked_sub(1).ok_or(TooLarge::Elements)?;
    let mut inner = |value: &Value| match depth.checked_sub(1) {
        Some(depth) => count(value, depth, left),
        None => Err(TooLarge::Depth),
    };
    match value {
        Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts) => {
            parts.iter().try_for_each(inner)
        }
        Value::List(items) => items.iter().try_for_each(inner),
        Value::Set(items) => items.iter().try_for_each(inner),
        Value::Map(items) => items.iter().try_for_each(|(k, v)| {
            inner(k)?;
            inner(v)
        }),
        _ => Ok(()),
    }
}

/// Return whether a value of this type may contain more elements than its outermost collection. Others need not be counted
/// element by element.
fn is_nested(program: &Program, ty: &Type, inside: bool) -> bool {
    match ty {
        _ if ty.is_word() => false,
        Type::Value => true,
        Type::Option(inner) => is_nested(program, inner, inside),
        Type::Tuple(parts) => parts.iter().any(|part| is_nested(program, part, inside)),
        Type::Record(of) => {
            let fields = program.records.get(*of as usize).map_or(&[][..], |record| &record.fields);
            // A record that contains records is counted.
            fields.iter().any(|(_, ty)| match ty {
                Type::Record(_) => true,
                ty => is_nested(program, ty, inside),
            })
        }
        Type::List(of) | Type::Set(of) => inside || is_nested(program, of, true),
        Type::Map(keys, values) => {
            inside || [keys, values].into_iter().any(|of| is_nested(program, of, true))
        }
        _ => false,
    }
}
