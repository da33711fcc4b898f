//! Forgotten wake-ups: no step depends on which processes have woken up spontaneously. So configurations that differ only in this are the
//! same, unless a property or an outcome distinguishes them.

use crate::explore::reduction::flow::Flow;
use crate::instance::{ExecutionModel, Instance};
use crate::property::Reads;

/// Return how bounds must be measured if spontaneous wake-ups are forgotten: by property, the increase of its limit with each wake-up. `None`:
/// it matters which processes have woken up spontaneously, or no process ever does.
pub(in crate::explore) fn slopes_when_forgotten(
    instance: &Instance,
    properties: &[usize],
) -> Option<Vec<(usize, i64)>> {
    let program = &instance.program;
    let may_apply = instance.model.execution == ExecutionModel::Single && instance.script.is_none();
    if !may_apply || !program.roles.iter().any(|role| role.has_wakeup) {
        return None;
    }
    let ends = program.outputs.iter().map(|output| &output.value);
    let mut ends = ends.chain(program.outcomes.iter().map(|outcome| &outcome.expr));
    if ends.any(|e| Reads::of(e, program).wakes) {
        return None;
    }
    let mut flow = Flow::of(instance);
    let mut slopes = Vec::new();
    for number in properties {
        let finding = flow.of_property(&program.properties[*number]);
        if finding.wakes {
            return None;
        }
        slopes.extend(finding.slopes.last().filter(|slope| **slope != 0).map(|slope| (*number, *slope)));
    }
    Some(slopes)
}
