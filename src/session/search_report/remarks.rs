//! Remarks on verdicts.

use crate::ir::Program;
use crate::property::{Judgement, Reads, Reason, Verdict};

/// Add to verdicts on properties that use happened-before that the application sends no messages: such messages may change the verdict.
pub fn remark_on_notes(program: &Program, verdicts: &mut [Verdict]) {
    let uses_precedence = |name: &str| {
        let property = program.properties.iter().find(|p| p.name == name);
        property.is_some_and(|p| Reads::of(&p.body, program).precedence)
    };
    let holds = verdicts.iter_mut().filter(|v| v.judgement == Judgement::Holds);
    for verdict in holds.filter(|v| uses_precedence(&v.name)) {
        verdict.why.wrap(Reason::WithoutMessages);
    }
}
