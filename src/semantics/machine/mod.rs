//! The machine that carries out one step: a scratch frame, the messages about to be sent, the upcalls to come.
//! It holds nothing that outlasts a step but counts, so one machine serves any number of configurations.

mod arbitrary_init;
mod assign;
mod fast;
mod receive;
mod local_steps;
mod order;
mod faults;
mod detectors;
mod pairs;
mod probe;
mod radio;
mod reading;
mod rounds;
mod send;
mod run;
mod deliver;
mod time;
mod time_successors;
mod upcall;

use super::abort::{Abort, Eval};
use super::choice::Chooser;
use super::configuration::Configuration;
use super::environment::Air;
use super::eval::neighbourhood::Neighbourhood;
use super::eval::{Chance, Env, MAX_LOOKS};
use super::event::{Effects, NO_ACTION, Received};
use super::metrics::Metrics;
use super::orders::{ChoiceOrders, NO_VALUE};
use super::pool::copy_words;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{PC, Pc, Slot, Value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::VecDeque;

pub use fast::{Ended, Fast, Forecast, Lot};
pub use faults::CrashOrder;
pub use local_steps::Possible;
pub use probe::Takers;
pub use reading::readers;
pub use receive::Offer;
pub use time::ScriptedDelay;
pub use time_successors::{MOST as MOST_WAITS, SOME as SOME_WAITS};

/// Operations one command may take before it counts as an endless loop: a second of work.
pub const MAX_OPS_PER_COMMAND: u32 = 1_000_000;

/// A message that is taken in this step.
#[derive(Clone, Copy, Debug)]
struct Taken {
    channel: u32,
    position: u32,
    id: u32,
}

#[derive(Debug)]
struct PendingUpcall {
    from: u16,
    name: String,
    args: Vec<Value>,
    span: crate::source::Span,
}

#[derive(Debug)]
pub struct Machine {
    /// The frame: variables of the process at hand, temporaries, then the registers of its role's micro-code.
    words: Vec<i64>,
    /// Frames of the other roles; that of `role` has been swapped out.
    frames: Vec<Vec<i64>>,
    role: usize,
    /// Every message is one number, nobody is his own neighbour, and there is one lane.
    plain: bool,
    /// The candidate that took the message at hand.
    position: u32,
    values: Vec<Value>,
    /// The message being made.
    message_words: Vec<i64>,
    message_values: Vec<Value>,
    /// What the process at hand sees of others; None where the model gives nothing to see.
    around: Option<Box<Neighbourhood>>,
    /// Radio: what the process at hand did in this slot before its command decided.
    decided: Option<Air>,
    /// Pairs: the candidate that began the interaction at hand.
    interaction: u32,
    /// Pairs: has an oracle changed its answer in the last step?
    pub(crate) answers_changed: bool,
    /// Rounds: the alternatives that are open at the process at hand.
    open: SmallVec<[u32; 4]>,
    /// Of the steps listed as possible, some were left out, since there are so many lengths of time, or numbers of quiet rounds, that
    /// may pass before.
    pub waits_left_out: bool,
    /// Messages made in this step: channel and slot.
    outbox: Vec<(u32, u32)>,
    /// In unordered rounds, for each message of `outbox` the number of messages after it in its channel. Empty: all are appended.
    behind: Vec<u32>,
    taken: Vec<Taken>,
    /// Acceptable alternatives of the message at hand: positions in the cell's list.
    acceptable: SmallVec<[u32; 8]>,
    calls: Vec<Pc>,
    upcalls: VecDeque<PendingUpcall>,
    /// Of models with faults and time; see `faults` and `time`.
    special: Special,
    /// Length of the causal chain of the process at hand, in this step.
    depth: u32,
    /// Elements of collections that the command at hand may still look at.
    budget: u64,
    /// Choices made in the course of the command.
    pub choices: SmallVec<[u32; 2]>,
    /// What somebody says of them beforehand, or wants to know of them.
    pub told: ChoiceOrders,
    /// What the last step did. `sent`, `received`, `observations` and `guards` only while `recording`.
    pub effects: Effects,
    pub recording: bool,
    /// Is an aborted step undone completely, compound values and counts included? Then each step first keeps what it may
    /// change, and copies the collections that it does change. Where nobody watches a run, an abort is its end, and
    /// nobody pays for this.
    pub careful: bool,
    kept_values: Vec<Value>,
    kept_metrics: Metrics,
    pub metrics: Metrics,
}

impl Machine {
    pub fn new(instance: &Instance) -> Machine {
        let layout = &instance.layout;
        let mut frames: Vec<Vec<i64>> =
            instance.tables.iter().map(|table| table.micro.registers.clone()).collect();
        Machine {
            words: frames.first_mut().map(std::mem::take).unwrap_or_default(),
            frames,
            role: 0,
            position: 0,
            values: vec![Value::None; layout.frame_values],
            message_words: vec![0; layout.message_words],
            message_values: vec![Value::None; layout.message_values],
            around: (instance.model.pace != ExecutionModel::Single).then(Box::default),
            decided: None,
            interaction: 0,
            answers_changed: false,
            open: SmallVec::new(),
            waits_left_out: false,
            outbox: Vec::new(),
            behind: Vec::new(),
            taken: Vec::new(),
            plain: !instance.is_special()
                && instance.layout.lanes == 1
                && !instance.layout.self_links
                && instance.layout.message_values == 0
                && instance.layout.kinds.iter().all(|kind| kind.single),
            acceptable: SmallVec::new(),
            calls: Vec::new(),
            upcalls: VecDeque::new(),
            special: Special::new(instance),
            depth: 0,
            budget: MAX_LOOKS,
            choices: SmallVec::new(),
            told: ChoiceOrders::default(),
            effects: Effects::default(),
            recording: false,
            careful: false,
            kept_values: Vec::new(),
            kept_metrics: Metrics::default(),
            metrics: Metrics::new(instance.program.kinds.len(), instance.program.operations.len()),
        }
    }

    /// The channels of the messages that the last step sent, in order.
    #[inline]
    pub fn sent(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.outbox.iter().map(|(channel, _)| *channel)
    }

    /// The messages that the last step sent, in order: channel and number.
    pub fn sent_messages(&self, configuration: &Configuration) -> Vec<(u32, u32)> {
        self.outbox.iter().map(|(channel, slot)| (*channel, configuration.pool.id(*slot))).collect()
    }

    /// Did the process crash in the last step, or come back?
    pub fn turned(&self) -> bool {
        self.special.turned
    }

    /// The message that was doubled in the last step, if that is what it was.
    pub fn copied(&self) -> Option<u32> {
        self.special.copied
    }

    /// The process that a link does not lead to any more since the last step: what has come by it, and waits, vanishes.
    pub fn cut_off(&self) -> Option<u32> {
        self.special.cut_off
    }

    /// The messages that the last step took: channel and position, as they were before it.
    pub fn taken_positions(&self) -> Vec<(u32, u32)> {
        self.taken.iter().map(|taken| (taken.channel, taken.position)).collect()
    }

    /// Which of the acceptable alternatives the message at hand was given to; after an abort, 0 where none was chosen yet.
    pub fn alternative(&self) -> u32 {
        self.position
    }

    /// Did the last step take a message out of its channel?
    #[inline]
    pub fn took_something(&self) -> bool {
        !self.taken.is_empty()
    }

    /// The channels that held nothing before the last step sent into them, each once.
    #[inline]
    pub fn newly_busy<'a>(&'a self, configuration: &'a Configuration) -> impl Iterator<Item = u32> + 'a {
        let first = |(channel, slot): &&(u32, u32)| configuration.first_slot(*channel) == *slot;
        self.outbox.iter().filter(first).map(|(channel, _)| *channel)
    }

    /// Readies the frame for a step of a process. Compound values move, so that the step can change them in
    /// place; they move back in `commit` or `roll_back`.
    #[inline]
    fn begin(&mut self, instance: &Instance, configuration: &mut Configuration, process: u32) {
        if self.careful {
            self.keep(configuration, process);
        }
        self.outbox.clear();
        if !self.behind.is_empty() {
            self.behind.clear();
        }
        self.taken.clear();
        if !self.choices.is_empty() {
            self.choices.clear();
        }
        if self.recording {
            self.effects.received.clear();
            self.effects.sent.clear();
            self.effects.observations.clear();
            self.effects.upcalls.clear();
            self.effects.guards.clear();
            self.effects.lost.clear();
            self.effects.arrived = None;
            self.effects.copied = None;
        }
        if self.special.active {
            self.special.begin();
        }
        self.depth = configuration.depth(process);
        self.budget = MAX_LOOKS;
        self.enter(instance, process);
        copy_words(&mut self.words, configuration.words(process));
        let values = configuration.values_mut(process);
        if !values.is_empty() {
            self.values[..values.len()].swap_with_slice(values);
        }
        if self.around.is_some() {
            self.decided = None;
            self.special.arrived = false;
            self.effects.responder = None;
            self.see(instance, configuration, process);
        }
    }

    /// Keeps what an abort would have to restore.
    #[cold]
    fn keep(&mut self, configuration: &Configuration, process: u32) {
        self.effects.action = NO_ACTION;
        self.position = 0;
        self.kept_values.clear();
        self.kept_values.extend_from_slice(configuration.values(process));
        self.kept_metrics.copy_from(&self.metrics);
    }

    /// The frame becomes that of the process's role.
    #[inline]
    fn enter(&mut self, instance: &Instance, process: u32) {
        if self.frames.len() > 1 {
            let role = instance.role_of(process);
            if role != self.role {
                let (old, new) = (self.role, role);
                std::mem::swap(&mut self.words, &mut self.frames[old]);
                std::mem::swap(&mut self.words, &mut self.frames[new]);
                self.role = role;
            }
        }
        if let Some(id) = instance.table(process).micro.id {
            self.words[id as usize] = instance.network.id(process);
        }
    }

    /// The same for looking only.
    fn look(&mut self, instance: &Instance, configuration: &Configuration, process: u32) {
        self.enter(instance, process);
        copy_words(&mut self.words, configuration.words(process));
        let values = configuration.values(process);
        self.values[..values.len()].clone_from_slice(values);
        if self.around.is_some() {
            self.see(instance, configuration, process);
        }
    }

    /// Nothing was done after `begin`.
    #[inline]
    fn give_back(&mut self, configuration: &mut Configuration, process: u32) {
        let values = configuration.values_mut(process);
        if !values.is_empty() {
            self.values[..values.len()].swap_with_slice(values);
        }
    }

    /// Makes the step part of the configuration.
    #[inline]
    fn commit(&mut self, instance: &Instance, configuration: &mut Configuration, process: u32) {
        if self.special.active {
            self.commit_time(instance, configuration, process);
        }
        copy_words(configuration.words_mut(process), &self.words);
        if self.around.is_some() {
            self.leave_responder(instance, configuration, process);
        }
        self.give_back(configuration, process);
        for i in 0..self.taken.len() {
            let taken = self.taken[i];
            configuration.remove(taken.channel, taken.position);
        }
        match self.behind.is_empty() {
            true => self.outbox.iter().for_each(|(channel, slot)| configuration.append(*channel, *slot)),
            false => self.insert_sent(configuration),
        }
        if self.recording {
            self.record(instance, configuration, process);
        }
    }

    /// Notes what was taken and sent.
    #[cold]
    fn record(&mut self, instance: &Instance, configuration: &Configuration, process: u32) {
        let received = |taken: &Taken| Received { message: taken.id, channel: taken.channel };
        let taken = self.taken.iter().map(received);
        match self.special.vanishing {
            false => self.effects.received.extend(taken),
            true => self.effects.lost.extend(taken),
        }
        self.record_sent(instance, configuration, process);
    }

    /// Undoes what a command that aborted has begun. Unless the machine is careful, compound variables and counts stay as
    /// they were at that moment.
    #[cold]
    fn roll_back(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        abort: Box<Abort>,
    ) -> Box<Abort> {
        let abort = self.explain(instance, process, abort);
        self.give_back(configuration, process);
        if self.careful {
            configuration.values_mut(process).swap_with_slice(&mut self.kept_values);
            self.metrics.copy_from(&self.kept_metrics);
        }
        self.undecide(configuration, process);
        let first = configuration.next_message().wrapping_sub(self.outbox.len() as u32);
        configuration.forget_numbers(first);
        for (_, slot) in self.outbox.drain(..) {
            configuration.pool.release(slot);
        }
        self.upcalls.clear();
        self.calls.clear();
        abort
    }

    /// Adds what the frame holds.
    fn explain(&self, instance: &Instance, process: u32, mut abort: Box<Abort>) -> Box<Abort> {
        abort.process = Some(process);
        let role = &instance.program.roles[instance.role_of(process)];
        let shown = role.vars.iter().filter(|v| !v.local);
        abort.variables = shown
            .map(|v| {
                let value = match v.slot {
                    Slot::Word(slot) => Value::from_word(&v.ty, self.words[slot as usize]),
                    Slot::Value(slot) => self.values[slot as usize].clone(),
                };
                (role.shown_name(v), value)
            })
            .collect();
        abort
    }

    /// Runs a command to its end, then the upcalls it made, and makes it all part of the configuration.
    #[inline]
    fn carry_out(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        entry: Pc,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let result = self.run(instance, configuration, process, entry, chooser);
        self.conclude(instance, configuration, process, result, chooser)
    }

    /// The rest of a step whose command has run.
    #[inline]
    fn conclude(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        mut result: Eval<()>,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        if !self.upcalls.is_empty() && result.is_ok() {
            result = self.run_upcalls(instance, configuration, process, chooser);
        }
        if self.special.active {
            result = self.settle(instance, configuration, process, result);
        }
        if self.around.is_some() && result.is_ok() {
            self.order_sent(instance, configuration, process, chooser);
        }
        match result {
            Ok(()) if !chooser.agrees() => {
                // The message is never read: who gave the choices knows that they did not fit.
                let abort = Abort::new(crate::source::Span::default(), "other choices were expected");
                Err(self.roll_back(instance, configuration, process, abort))
            }
            Ok(()) => {
                self.commit(instance, configuration, process);
                Ok(())
            }
            Err(abort) => Err(self.roll_back(instance, configuration, process, abort)),
        }
    }

    /// What a variable of a process begins with, whatever its declaration says. The instance's program has to be one
    /// [to be given](crate::ir::Program::to_be_given) such values.
    pub fn give(&mut self, process: u32, slot: Slot, value: Value) {
        self.special.given.push((process, slot, value));
    }

    /// The first commands of a process, and of its client where clients run.
    pub fn start(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        self.begin(instance, configuration, process);
        let result = self.run_start(instance, configuration, process, chooser);
        self.conclude(instance, configuration, process, result, chooser)?;
        configuration.started = configuration.started.max(process + 1);
        self.arrived(instance, configuration, process);
        if configuration.next_to_start().is_none() {
            self.begin_rounds(instance, configuration);
        }
        Ok(())
    }

    fn run_start(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let role = &instance.program.roles[instance.role_of(process)];
        self.words[PC as usize] = 0;
        self.effects.action = 0;
        if self.special.active {
            self.special.entered.extend(0..role.components.len() as u16);
        }
        self.run(instance, configuration, process, role.start, chooser)?;
        match role.client.filter(|_| instance.clients && self.words[PC as usize] >= 0) {
            Some(client) => self.run(instance, configuration, process, client, chooser),
            None => Ok(()),
        }
    }

    /// The frame as an environment, for a guard.
    #[inline]
    fn env<'a>(&'a mut self, instance: &'a Instance, process: u32) -> Env<'a> {
        self.budget = MAX_LOOKS;
        Env {
            words: &mut self.words,
            values: &mut self.values,
            instance,
            process,
            world: None,
            around: self.around.as_deref(),
            chance: None,
            budget: &mut self.budget,
        }
    }

    /// The same in the course of a command, where chance may be asked.
    #[inline]
    fn command_env<'a>(
        &'a mut self,
        instance: &'a Instance,
        process: u32,
        chooser: &'a mut dyn Chooser,
    ) -> Env<'a> {
        let chance = Some(Chance { chooser, choices: &mut self.choices, told: &mut self.told });
        Env {
            words: &mut self.words,
            values: &mut self.values,
            instance,
            process,
            world: None,
            around: self.around.as_deref(),
            chance,
            budget: &mut self.budget,
        }
    }

    #[inline]
    fn choose(
        &mut self,
        process: u32,
        chooser: &mut dyn Chooser,
        options: usize,
        value: &dyn Fn(usize) -> Option<Value>,
    ) -> usize {
        if options <= 1 {
            return 0;
        }
        let choice = self.told.choose(process, options, value, || chooser.choose(options));
        self.choices.push(choice as u32);
        choice
    }
}

/// What a step keeps in mind in models with faults and time.
#[derive(Debug, Default)]
struct Special {
    active: bool,
    /// The thread has come to a waiting point, possibly the one it was at.
    arrived: bool,
    /// Components whose control state was entered, possibly the one they were in.
    entered: SmallVec<[u16; 2]>,
    /// Timers set, with the time, and cancelled, in order.
    timers: SmallVec<[(u16, Option<u64>); 2]>,
    /// The process crashes in the course of its command.
    crashing: bool,
    /// The same in a round.
    dying: Option<Box<faults::Dying>>,
    /// The step is a restart.
    restarting: bool,
    /// What is taken is taken by nobody.
    vanishing: bool,
    /// The process has crashed, or come back.
    turned: bool,
    /// The message that has been doubled; what was sent is its copy.
    copied: Option<u32>,
    /// The process at the other end of the link that has failed.
    cut_off: Option<u32>,
    /// Messages that come so much later may be counted on.
    later: u64,
    /// Messages that may have come, but by the choice of the run have not.
    coming: FxHashSet<u32>,
    /// Messages held by a scenario.
    held: FxHashSet<u32>,
    /// Crashes that a scenario has ordered.
    orders: Vec<CrashOrder>,
    /// Delays that a scenario has ordered; the last that fits counts.
    delays: Vec<ScriptedDelay>,
    /// What variables of processes begin with, as a scenario says.
    given: Vec<(u32, Slot, Value)>,
}

impl Special {
    fn new(instance: &Instance) -> Special {
        Special { active: instance.is_special(), ..Special::default() }
    }

    fn begin(&mut self) {
        self.arrived = false;
        self.entered.clear();
        self.timers.clear();
        self.crashing = false;
        self.dying = None;
        self.restarting = false;
        self.vanishing = false;
        self.turned = false;
        self.copied = None;
        self.cut_off = None;
    }
}
