//! Upcalls from a layer to the component above it, in the same step.

use super::{Chooser, Configuration, Eval, Machine, NO_VALUE, PendingUpcall};
use crate::ids::ProcessId;
use crate::instance::{Instance, Level, RoleTable};
use crate::ir::show::show;
use crate::ir::{HALTED, Input, PC, Pattern, Value};
use crate::semantics::abort::Abort;
use crate::semantics::eval::{binders, word};
use smallvec::SmallVec;

impl Machine {
    /// Run the handlers of all queued upcalls, and of those that they make, in FIFO order.
    pub(super) fn run_upcalls(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let table = instance.table(process);
        while let Some(upcall) = self.thread.upcalls.pop_front() {
            let takers = self.takers(instance, process, table, &upcall)?;
            let Some(first) = takers.first() else {
                return Err(not_accepted(instance, process, &upcall));
            };
            let chosen = match takers.len() {
                1 => *first,
                options => takers[self.choose(process, chooser, options, NO_VALUE)],
            };
            let candidate = &table.candidates[chosen as usize];
            if candidate.level.ignores() {
                if self.recording {
                    self.effects.upcalls.push(candidate.alternative.action);
                }
                continue;
            }
            self.bind_upcall(&candidate.alternative.input, &upcall.args);
            if self.recording {
                self.effects.upcalls.push(candidate.alternative.action);
            }
            self.run(instance, configuration, process, candidate.alternative.entry, chooser)?;
        }
        Ok(())
    }

    /// Return the acceptable alternatives of the first level that has any.
    fn takers(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        table: &RoleTable,
        upcall: &PendingUpcall,
    ) -> Eval<SmallVec<[u32; 2]>> {
        let halted = self.frame.words[PC as usize] == HALTED;
        let mut numbers: SmallVec<[u32; 8]> = if halted {
            table.always.iter().flat_map(|place| &place.upcalls).copied().collect()
        } else {
            let places = table.places(&self.frame.words);
            places.flat_map(|place| &place.upcalls).copied().collect()
        };
        numbers.sort_by_key(|n| table.candidates[*n as usize].level);
        let mut takers: SmallVec<[u32; 2]> = SmallVec::new();
        let mut found: Option<Level> = None;
        for number in numbers {
            let candidate = &table.candidates[number as usize];
            if found.is_some_and(|level| level != candidate.level) {
                break;
            }
            if halted && candidate.level != Level::IgnoreAlways
                || candidate.alternative.after_earlier && found.is_some()
            {
                continue;
            }
            let Input::Upcall { component, name, args } = &candidate.alternative.input else {
                continue;
            };
            let fits = *component == upcall.from
                && *name == upcall.name
                && args.len() <= upcall.args.len()
                && args.iter().zip(&upcall.args).all(|(p, v)| binders::fits(p, v));
            if !fits {
                continue;
            }
            if let Some(guard) = &candidate.alternative.guard {
                self.bind_upcall(&candidate.alternative.input, &upcall.args);
                if word(guard, &mut self.env(instance, process))? == 0 {
                    continue;
                }
            }
            found = Some(candidate.level);
            takers.push(number);
        }
        Ok(takers)
    }

    fn bind_upcall(&mut self, input: &Input, values: &[Value]) {
        let Input::Upcall { args, .. } = input else {
            return;
        };
        let patterns: &[Pattern] = args;
        for (pattern, v) in patterns.iter().zip(values) {
            binders::store(pattern, v, &mut self.frame.words, &mut self.frame.values);
        }
    }
}

#[cold]
fn not_accepted(instance: &Instance, process: ProcessId, upcall: &PendingUpcall) -> Box<Abort> {
    let role = &instance.program.roles[instance.role_of(process)];
    let args: Vec<String> = upcall.args.iter().map(|v| show(&instance.program, v)).collect();
    let component = &role.components[upcall.from as usize].name;
    let call = format!("{}({})", upcall.name, args.join(", "));
    let call = if component.is_empty() { call } else { format!("{component}.{call}") };
    Abort::new(upcall.span, format!("no handler at {process} takes {call}"))
}
