//! Lines for steps, choices and cycles.

use super::{Line, Player, plain};
use crate::explore::Lasso;
use crate::ids::ProcessId;
use crate::ir::Chosen;
use crate::property::{Ended, Verdict};
use crate::scenario::alternatives;
use crate::semantics::eval;
use crate::semantics::event::{Cause, Event};
use crate::semantics::is_end;
use crate::semantics::orders::{ChoiceOrder, NO_VALUE, OrderedChoice};
use crate::simulate::{Outcome, classify};
use crate::source::Span;

impl Player<'_, '_> {
    pub(super) fn told_step(&mut self, line: &Line) -> Result<(), String> {
        match line {
            Line::Step(all) => {
                if all.len() > 1 && !self.instance.model.is_joint() {
                    return Err("in this model, processes step one at a time".into());
                }
                for (number, process) in all.iter().enumerate() {
                    let (process, last) = (*process, number + 1 == all.len());
                    let ways =
                        alternatives::steps(self.instance, &self.simulation.configuration, process, last);
                    self.take_one_of(process, ways, || format!("{process} has no enabled internal step"))?;
                }
                Ok(())
            }
            Line::Expire(process) => {
                let process = *process;
                let ways = alternatives::expiries(self.instance, &self.simulation.configuration, process);
                self.take_one_of(process, ways, || format!("no timer of {process} can expire now"))
            }
            _ => Ok(()),
        }
    }

    /// Take one of these steps: the first, unless another one was selected.
    pub(super) fn take_one_of(
        &mut self,
        process: ProcessId,
        mut ways: Vec<Event>,
        none: impl Fn() -> String,
    ) -> Result<(), String> {
        let number = match ways.len() {
            0 => return Err(none()),
            1 => 0,
            many => self.simulation.ordered().choose(process, many, NO_VALUE, || 0),
        };
        self.take(&ways.swap_remove(number))
    }

    pub(super) fn order_choice(
        &mut self,
        process: ProcessId,
        chosen: &Chosen,
        span: Span,
    ) -> Result<(), String> {
        let wanted = match chosen {
            Chosen::Number(number) => OrderedChoice::Number(*number),
            Chosen::Value(e) => {
                let value = eval::with_global_frame(self.instance, None, |env| eval::value(e, env));
                OrderedChoice::Value(value.map_err(|abort| abort.to_string())?)
            }
        };
        self.simulation.order_choice(ChoiceOrder { process, wanted, span });
        Ok(())
    }

    /// Begin the cycle.
    pub(super) fn begin_cycle(&mut self) -> Result<(), String> {
        if self.simulation.configuration.in_joint_step() {
            return Err("the current joint step is not finished".into());
        }
        let (configuration, metrics) = (&self.simulation.configuration, self.simulation.metrics());
        if let Some(endless) = &mut self.observer.endless {
            endless.run.begin(configuration, metrics);
            endless.begun = self.simulation.steps;
            endless.round.clear();
        }
        Ok(())
    }

    /// Close the cycle: the configuration must be the same as at `cycle`.
    pub(super) fn close_cycle(&mut self) -> Result<(), String> {
        let mut verdicts = self.watched(Ended::CutOff);
        let seen = (&self.simulation.configuration, self.simulation.metrics());
        let Some(endless) = &self.observer.endless else {
            return Err("no `cycle` precedes".into());
        };
        match endless.run.close(self.instance, seen, &endless.round, &mut verdicts) {
            Lasso::Fair => {
                self.endless_verdicts = Some(verdicts);
                Ok(())
            }
            Lasso::Open | Lasso::UpToView => Err("the configuration differs from that at `cycle`".into()),
            Lasso::Unfair(owed) => {
                Err(format!("the cycle is not weakly fair: {}", owed.describe(|process| process.to_string())))
            }
        }
    }

    /// Return the first event of the cycle that the run repeats, if it has been closed.
    pub(super) fn cycle_start(&self) -> Option<u64> {
        self.endless_verdicts.as_ref()?;
        self.observer.endless.as_ref().map(|endless| endless.begun)
    }

    fn watched(&self, ended: Ended) -> Vec<Verdict> {
        self.observer.watch.verdicts(
            self.instance,
            ended,
            &self.simulation.configuration,
            self.simulation.metrics(),
        )
    }

    /// Under a scripted schedule, return the outcome if no step is enabled; otherwise `None`.
    pub(super) fn outcome_if_disabled(&self) -> Option<Outcome> {
        let configuration = &self.simulation.configuration;
        match is_end(self.instance, configuration) {
            false => None,
            true => Some(classify(self.instance, configuration, &self.held)),
        }
    }

    /// Let time pass up to a given time without a step.
    pub(super) fn pass_to(&mut self, instant: u64) -> Result<(), String> {
        let now = self.simulation.configuration.now();
        let most = self.simulation.time_left(self.instance);
        if most.is_some_and(|most| instant - now > most) {
            return Err(match most {
                Some(0) => format!("some step must occur at {now}, but no line takes it"),
                most => format!("some step must occur by {}, but no line takes it", now + most.unwrap_or(0)),
            });
        }
        self.simulation.pass_until(instant);
        Ok(())
    }

    /// Return the delivery of a note that has arrived, if any.
    pub(super) fn note(&self, from: ProcessId, to: ProcessId) -> Option<Event> {
        let notes = self.simulation.configuration.notes().iter();
        let arrived = notes.into_iter().any(|note| (note.from, note.to) == (from, to));
        arrived.then(|| plain(to, Cause::ReceiveNote { from }))
    }
}
