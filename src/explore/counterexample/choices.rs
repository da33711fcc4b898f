//! The choices made in a run: outcomes of coins, random values, and selected options.

use crate::instance::Instance;
use crate::semantics::event::Event;
use crate::semantics::orders::MadeChoice;
use crate::semantics::{Configuration, Machine};

/// Return the choices of each event (from 0) that made some, in order.
pub fn chosen(instance: &Instance, events: &[Event]) -> Vec<(usize, Vec<MadeChoice>)> {
    let mut machine = Machine::new(instance);
    machine.choice_orders.keep();
    let mut configuration = Configuration::initial(instance);
    let mut all = Vec::new();
    for (number, event) in events.iter().enumerate() {
        // The run has been executed before. Only the last command of an aborted run fails.
        let done = machine.replay(instance, &mut configuration, event);
        let made = machine.choice_orders.take_made();
        if !made.is_empty() {
            all.push((number, made));
        }
        if done.is_err() {
            break;
        }
    }
    all
}
