//! Failure detectors: possible suspicions, their withdrawal, and the notification of processes.

use super::faults::{possible, spend};
use super::{Chooser, Configuration, Eval, Machine, Possible};
use crate::ids::ProcessId;
use crate::instance::{Instance, RoleTable};
use crate::ir::{Detector, Fault, Input, Type, Value};
use crate::semantics::eval::{binders, word};
use crate::semantics::event::Cause;

impl Machine {
    /// Return all possible reports of a process's detector, correct or incorrect.
    pub fn all_detections(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
    ) -> Vec<Possible> {
        let mut found = Vec::new();
        self.detections(instance, configuration, process, false, &mut found);
        if instance.active_faults().is_some_and(|hazards| hazards.allows(Fault::Suspicion)) {
            self.detections(instance, configuration, process, true, &mut found);
        }
        found
    }

    /// Return the possible reports of a process's detector. `wrong`: suspicions of processes that are up, which cost budget;
    /// otherwise reports that must be made eventually.
    pub fn detections(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        wrong: bool,
        found: &mut Vec<Possible>,
    ) {
        let Some(faults) = &configuration.environment.faults else { return };
        let table = instance.table(process);
        let places: Vec<u32> =
            table.places(configuration.words(process)).flat_map(|p| &p.detections).copied().collect();
        if places.is_empty() {
            return;
        }
        self.look(instance, configuration, process);
        for of in watched(instance, process) {
            let (down, suspected) = (configuration.crashed(of), faults.suspects(process, of));
            for (position, number) in (0u32..).zip(&places) {
                let trusted = trusts(table, *number);
                let due = match (trusted, wrong) {
                    (true, false) => suspected && !down,
                    (false, false) => {
                        !suspected && down && !may_still_hear(instance, configuration, process, of)
                    }
                    (false, true) => !suspected && !down,
                    (true, true) => false,
                };
                if due && self.hears(instance, process, table, *number, of).unwrap_or(true) {
                    let cause = if trusted { Cause::Trust { of } } else { Cause::Suspect { of } };
                    found.push((cause, position));
                }
            }
        }
    }

    /// Bind the reported process, and evaluate the guard.
    fn hears(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        table: &RoleTable,
        number: u32,
        of: ProcessId,
    ) -> Eval<bool> {
        let alternative = &table.candidates[number as usize].alternative;
        if let Input::Detected { process: pattern, .. } = &alternative.input
            && let Some(name) = name_of(instance, process, of)
        {
            binders::store(pattern, &name, &mut self.frame.words, &mut self.frame.values);
        }
        match &alternative.guard {
            Some(guard) => Ok(word(guard, &mut self.env(instance, process))? != 0),
            None => Ok(true),
        }
    }

    /// Notify a process of a report of its detector. False: the report is not possible now, or no handler accepts it.
    #[allow(clippy::too_many_arguments, reason = "the parts of one report")]
    pub(super) fn detect(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        of: ProcessId,
        trusted: bool,
        found: &Possible,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        let Some(faults) = &configuration.environment.faults else { return Ok(false) };
        if of.0 >= instance.n()
            || faults.suspects(process, of) != trusted
            || !watched(instance, process).any(|q| q == of)
        {
            return Ok(false);
        }
        let wrong = configuration.crashed(of) == trusted;
        if !trusted && !wrong && may_still_hear(instance, configuration, process, of) {
            return Ok(false);
        }
        let allowed = instance.active_faults().is_some_and(|h| match h.detector {
            Some(Detector::EventuallyPerfect) => !trusted || !wrong,
            Some(Detector::Perfect) => !wrong,
            None => false,
        });
        if !allowed || wrong && !possible(instance, configuration, Fault::Suspicion) {
            return Ok(false);
        }
        let table = instance.table(process);
        let number = table
            .places(configuration.words(process))
            .flat_map(|place| &place.detections)
            .nth(found.1 as usize)
            .copied();
        let Some(number) = number.filter(|n| trusts(table, *n) == trusted) else {
            return Ok(false);
        };
        self.begin(instance, configuration, process);
        match self.hears(instance, process, table, number, of) {
            Ok(true) => {}
            Ok(false) => {
                self.frame.give_back(configuration, process);
                return Ok(false);
            }
            Err(abort) => return Err(self.roll_back(instance, configuration, process, abort)),
        }
        let alternative = &table.candidates[number as usize].alternative;
        self.effects.action = alternative.action;
        self.execute_step(instance, configuration, process, alternative.entry, chooser)?;
        if let Some(faults) = &mut configuration.environment.faults {
            faults.suspect(process, of, !trusted);
        }
        if wrong {
            spend(configuration, Fault::Suspicion);
        }
        Ok(true)
    }
}

/// Return whether messages of a crashed process may still arrive. With bounded delays, a perfect detector waits that long before
/// it reports the crash. Without bounds it cannot know.
fn may_still_hear(
    instance: &Instance,
    configuration: &Configuration,
    process: ProcessId,
    of: ProcessId,
) -> bool {
    let mut channels = instance.incoming(process).filter(|channel| instance.sender(*channel) == of);
    instance.is_timed() && channels.any(|channel| !configuration.is_empty(channel))
}

fn trusts(table: &RoleTable, number: u32) -> bool {
    matches!(table.candidates[number as usize].alternative.input, Input::Detected { trusted: true, .. })
}

/// Return the processes that a detector monitors: all others if they have ids as names, else the neighbours.
fn watched(instance: &Instance, process: ProcessId) -> Box<dyn Iterator<Item = ProcessId> + '_> {
    if instance.layout.by_id {
        return Box::new(instance.processes().filter(move |q| *q != process));
    }
    let mut peers: Vec<ProcessId> = instance.network.ports(process).iter().map(|port| port.peer).collect();
    peers.sort_unstable();
    peers.dedup();
    Box::new(peers.into_iter().filter(move |q| *q != process))
}

/// Return the name of a process at another one: id or port.
fn name_of(instance: &Instance, process: ProcessId, of: ProcessId) -> Option<Value> {
    let ty = if instance.layout.by_id { Type::Id } else { Type::Port };
    let name = match ty {
        Type::Id => instance.network.id(of),
        _ => i64::from(instance.network.port_to(process, of)?),
    };
    Some(Value::from_word(&ty, name))
}
