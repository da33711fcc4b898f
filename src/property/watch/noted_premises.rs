//! Premises that come true along a run, as far as a budget of work allows.

use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::Property;
use crate::property::Premises;
use crate::semantics::eval::{self, World};

/// Budget for one property, in evaluated processes, pairs of processes, and so on: about 10 ms. The first evaluation is always made.
/// When it is used up, it is unknown whether the premises come true.
const BUDGET: u64 = 250_000;

/// The premises of a property, and which of them have come true in a run so far.
pub(super) struct NotedPremises {
    premises: Premises,
    spent: u64,
}

impl NotedPremises {
    pub fn of(property: &Property, instance: &Instance) -> NotedPremises {
        NotedPremises { premises: Premises::of(property, instance), spent: 0 }
    }

    /// Note the premises that are true in a configuration. `cost`: that of evaluating the property as a whole. `moved`: the property is checked
    /// for each process separately, and only the variables of these have changed since the last call.
    pub fn look(
        &mut self,
        property: &Property,
        cost: u64,
        moved: Option<&[ProcessId]>,
        instance: &Instance,
        world: World<'_>,
    ) {
        if self.premises.are_met() || self.spent > BUDGET {
            return;
        }
        eval::with_global_frame(instance, Some(world), |env| self.premises.look(property, moved, env));
        self.spent += match moved {
            Some(moved) if self.premises.ask_each_process(property) => {
                (cost / u64::from(instance.n())).saturating_mul(moved.len() as u64)
            }
            _ => cost,
        };
    }

    /// Return the premises that have not come true. Return none if that is unknown.
    pub fn never_true(&self) -> Vec<String> {
        if self.spent > BUDGET { Vec::new() } else { self.premises.unmet() }
    }
}
