//! The truth of a property in one configuration, for each combination of its binders on its own: one that cannot be evaluated says
//! nothing of the others.

use super::combinations;
use crate::ir::Property;
use crate::semantics::eval::{self, Env};
use crate::semantics::{Abort, Eval};

/// The truth for one combination. None: it cannot be evaluated.
pub type Truth = Option<Sides>;

/// The left side of `leads to` (of other properties false), and what has to be true: the right side, or the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    pub left: bool,
    pub right: bool,
}

/// The truth for each combination, in the order of the binders, and the first failure.
///
/// # Errors
/// When the sets of the binders cannot be evaluated: then there are no combinations.
pub fn truths(property: &Property, env: &mut Env<'_>) -> Eval<(Vec<Truth>, Option<Box<Abort>>)> {
    let (mut all, mut failure) = (Vec::new(), None);
    combinations(&property.each, env, &mut |env| {
        all.push(match sides(property, env) {
            Ok(sides) => Some(sides),
            Err(abort) => {
                failure.get_or_insert(abort);
                None
            }
        });
        Ok(())
    })?;
    Ok((all, failure))
}

fn sides(property: &Property, env: &mut Env<'_>) -> Eval<Sides> {
    let body = eval::truth(&property.body, env)?;
    Ok(match &property.then {
        Some(then) => Sides { left: body, right: eval::truth(then, env)? },
        None => Sides { left: false, right: body },
    })
}
