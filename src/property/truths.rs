//! Truth of a property in one configuration, for each combination of its binders separately: a combination that cannot
//! be evaluated does not affect the others.

use super::combinations;
use crate::ir::{Expr, Property};
use crate::semantics::eval::{self, Env};
use crate::semantics::{Abort, Eval};

/// Truth of a property for one combination of its binders: of the left side of `leads to`, and of the right side or the
/// body. A side is `None` if its evaluation fails. Each side is evaluated separately, so a failing left side leaves the
/// right one known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    pub left: Option<bool>,
    pub right: Option<bool>,
}

/// Return the truth for each combination, in the order of the binders, and the first failure.
///
/// # Errors
/// If the sets of the binders cannot be evaluated: then there are no combinations.
pub fn truths(property: &Property, env: &mut Env<'_>) -> Eval<(Vec<Sides>, Option<Box<Abort>>)> {
    let (mut all, mut failure) = (Vec::new(), None);
    combinations(&property.binders, env, &mut |env| {
        let mut side = |e: &Expr| eval::truth(e, env).map_err(|abort| failure.get_or_insert(abort)).ok();
        let body = side(&property.body);
        all.push(match &property.consequent {
            Some(then) => Sides { left: body, right: side(then) },
            None => Sides { left: Some(false), right: body },
        });
        Ok(())
    })?;
    Ok((all, failure))
}
