//! Contributing events of other processes: those that last changed a variable that the failing conjunct reads.
//!
//! Such an event need not have happened before the violating one. If two processes are in their critical sections at once, each
//! entered on its own, and the causal past of the second event does not contain the first one.

use crate::explore::ViolationKind;
use crate::instance::Instance;
use crate::ir::PropertyKind;
use crate::property::{Variables, needs_history, relevant_reads, truths};
use crate::semantics::eval::{self, World};
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, History, Machine, Metrics};

/// Return the last events that changed a variable read by the conjunct that is false after the last event of `together`, unless
/// they are in `past`. Initial values are omitted.
pub fn beside(
    instance: &Instance,
    what: &ViolationKind,
    events: &[Event],
    together: &[usize],
    past: &[usize],
) -> Vec<usize> {
    let (ViolationKind::Property(property), [first, ..]) = (what, together) else { return Vec::new() };
    let property = &instance.program.properties[*property];
    let is_judged_on_configurations = matches!(property.kind, PropertyKind::Invariant | PropertyKind::Stable);
    if !is_judged_on_configurations || needs_history(property, &instance.program) {
        return Vec::new();
    }
    let last = together[together.len() - 1];
    let history = History::new(0);
    let mut held = Vec::new();
    let mut variables = Variables::new();
    let taken = each_event(instance, &events[..=last], &mut |number, configuration, metrics| {
        let world = World { configuration, metrics, history: &history };
        if number + 1 == *first {
            held = eval::with_global_frame(instance, Some(world), |env| truths(property, env))
                .map_or_else(|_| Vec::new(), |(truth, _)| truth);
        }
        if number == last {
            let found =
                eval::with_global_frame(instance, Some(world), |env| relevant_reads(property, &held, env));
            variables = found.unwrap_or_default();
        }
    });
    if taken.is_none() {
        return Vec::new();
    }
    let mut set_by: Vec<Option<usize>> = vec![None; variables.len()];
    let mut before = Configuration::initial(instance);
    each_event(instance, &events[..=last], &mut |number, configuration, _| {
        for (known, (process, is_word, place)) in set_by.iter_mut().zip(&variables) {
            let place = usize::from(*place);
            let is_other = match is_word {
                true => before.words(*process)[place] != configuration.words(*process)[place],
                false => before.values(*process)[place] != configuration.values(*process)[place],
            };
            if is_other {
                *known = Some(number);
            }
        }
        before.clone_from(configuration);
    });
    let mut beside: Vec<usize> = set_by.into_iter().flatten().collect();
    beside.retain(|event| !past.contains(event) && events[*event].cause != Cause::Start);
    beside.sort_unstable();
    beside.dedup();
    beside
}

/// Re-execute a run, and call `show` after each event. `None`: the run is impossible.
fn each_event(
    instance: &Instance,
    events: &[Event],
    show: &mut dyn FnMut(usize, &Configuration, &Metrics),
) -> Option<()> {
    let mut configuration = Configuration::initial(instance);
    let mut machine = Machine::new(instance);
    for (number, event) in events.iter().enumerate() {
        machine.replay(instance, &mut configuration, event).ok()?;
        show(number, &configuration, &machine.metrics);
    }
    Some(())
}
