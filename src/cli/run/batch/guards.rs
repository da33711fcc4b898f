//! Coverage: the guards inside commands that no run takes.

use crate::ir::Program;
use serde::Serialize;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(in crate::cli) struct GuardBody {
    /// The text of the guard, shortened.
    pub guard: String,
    /// Place of the guard: file, line and column.
    pub at: String,
}

impl GuardBody {
    /// Return the guards that were not taken, in the order of the text.
    pub(in crate::cli) fn never_taken(program: &Program, taken: &[bool]) -> Vec<GuardBody> {
        let mut left: Vec<_> =
            program.guards.iter().zip(taken).filter(|(_, taken)| !**taken).map(|(guard, _)| guard).collect();
        left.sort_by_key(|guard| (guard.span.file, guard.span.start));
        let body = |guard: &crate::ir::Guard| GuardBody {
            guard: guard.name.clone(),
            at: program.sources.place(guard.span),
        };
        left.into_iter().map(body).collect()
    }
}
