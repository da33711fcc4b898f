//! The event at which a run first exceeds an upper limit.

use crate::instance::Instance;
use crate::ir::Property;
use crate::property::{bound_violation, is_constant_upper_limit};
use crate::semantics::eval::{self, World};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Configuration, History, Metrics};
use crate::simulate::{Observer, replay};

/// Return the event (from 0) after which the measured cost exceeds its limit for good. `None`: the limit changes during the
/// run, does not exist, or is not exceeded.
pub fn exceeded_by(instance: &Instance, property: &Property, events: &[Event]) -> Option<usize> {
    let bound = property.bound.as_ref()?;
    if !is_constant_upper_limit(bound, &instance.program) {
        return None;
    }
    let mut looks = ExceededBound { property, taken: 0, found: None };
    // The run has been executed before.
    replay(instance, &mut Configuration::initial(instance), events, &mut looks).ok()?;
    looks.found
}

struct ExceededBound<'p> {
    property: &'p Property,
    taken: usize,
    found: Option<usize>,
}

impl Observer for ExceededBound<'_> {
    fn after(
        &mut self,
        instance: &Instance,
        _: &Event,
        _: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.taken += 1;
        // Properties are first checked when all processes have started, and a joint step costs what it costs as a whole.
        if configuration.next_to_start().is_none() && !configuration.in_joint_step() {
            let history = History::default();
            let world = World { configuration, metrics, history: &history };
            let told =
                eval::with_global_frame(instance, Some(world), |env| bound_violation(self.property, env));
            self.found = matches!(told, Ok(Some(_))).then_some(self.taken - 1);
        }
        self.found.is_none()
    }
}
