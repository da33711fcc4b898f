//! Connection of traces with the engine: a recorder observes simulations, and a replay steps a configuration.

use super::replay::{Machine as Stepper, Refusal, Replay};
use super::{End, Recorder, Trace, View, replay};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::Value;
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Machine, Metrics, StepError, initial};
use crate::simulate::{Observer, Outcome};

impl View for Configuration {
    fn words(&self, process: ProcessId) -> &[i64] {
        self.words(process)
    }

    fn values(&self, process: ProcessId) -> &[Value] {
        self.values(process)
    }

    fn depth(&self, process: ProcessId) -> u64 {
        u64::from(self.depth(process))
    }

    fn message(&self, channel: ChannelId, id: MessageId) -> Option<(&[i64], &[Value])> {
        let mut messages = self.channel(channel);
        messages.find(|m| m.id == id).map(|m| (m.words, m.values))
    }

    fn now(&self) -> Option<u64> {
        self.environment().clock.as_ref().filter(|clock| clock.is_timed()).map(|clock| clock.now())
    }
}

impl Observer for Recorder<'_> {
    fn after(
        &mut self,
        _: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        _: &Metrics,
    ) -> bool {
        self.record(event, effects, configuration);
        true
    }

    fn aborted(
        &mut self,
        _: &Instance,
        event: &Event,
        effects: &Effects,
        abort: &Abort,
        configuration: &Configuration,
    ) {
        self.record_abort(event, effects.action, &abort.message, configuration);
    }
}

impl End {
    /// Return the outcome in a trace. An interrupted run could have continued, like one at its limit.
    pub fn of(outcome: &Outcome) -> End {
        match outcome {
            Outcome::Terminated => End::Terminated,
            Outcome::Quiescent => End::Quiescent,
            Outcome::Stuck(_) => End::Stuck,
            Outcome::Limit | Outcome::Interrupted | Outcome::Stopped => End::Limit,
            Outcome::Aborted(_) => End::Aborted,
        }
    }
}

impl Trace {
    /// Replay the trace from the initial configuration of an instance: see [`replay::replay`].
    #[doc(hidden)]
    pub fn replay(&self, instance: &Instance) -> Replay {
        let mut engine =
            Engine { instance, machine: Machine::new(instance), configuration: initial(instance) };
        engine.machine.recording = true;
        replay::replay(instance, self, &mut engine)
    }
}

struct Engine<'a> {
    instance: &'a Instance,
    machine: Machine,
    configuration: Configuration,
}

impl Stepper for Engine<'_> {
    fn step(&mut self, event: &Event) -> Result<Effects, Refusal> {
        match self.machine.replay(self.instance, &mut self.configuration, event) {
            Ok(()) => Ok(self.machine.effects.clone()),
            Err(StepError::Impossible(_)) => Err(Refusal::NotEnabled),
            Err(StepError::Aborted(abort)) => Err(Refusal::Abort(abort.message.clone())),
        }
    }
}

impl View for Engine<'_> {
    fn words(&self, process: ProcessId) -> &[i64] {
        self.configuration.words(process)
    }

    fn values(&self, process: ProcessId) -> &[Value] {
        self.configuration.values(process)
    }

    fn depth(&self, process: ProcessId) -> u64 {
        View::depth(&self.configuration, process)
    }

    fn message(&self, channel: ChannelId, id: MessageId) -> Option<(&[i64], &[Value])> {
        self.configuration.message(channel, id)
    }

    fn now(&self) -> Option<u64> {
        View::now(&self.configuration)
    }
}
