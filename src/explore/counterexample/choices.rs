//! What was chosen on the way: what coins showed, what was drawn, and which of several possibilities was taken.

use crate::instance::Instance;
use crate::semantics::event::Event;
use crate::semantics::orders::Made;
use crate::semantics::{Configuration, Machine};

/// By event (from 0) of those in which there was something to choose: what was, in the order in which it came.
pub fn chosen(instance: &Instance, events: &[Event]) -> Vec<(usize, Vec<Made>)> {
    let mut machine = Machine::new(instance);
    machine.told.keep();
    let mut configuration = Configuration::initial(instance);
    let mut all = Vec::new();
    for (number, event) in events.iter().enumerate() {
        // The run has been taken before; the last command of one that goes wrong goes wrong.
        let done = machine.replay(instance, &mut configuration, event);
        let made = machine.told.take_made();
        if !made.is_empty() {
            all.push((number, made));
        }
        if done.is_err() {
            break;
        }
    }
    all
}
