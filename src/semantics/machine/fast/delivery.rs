//! Common parts of all deliveries by fast code, independent of order and storage of messages: processes start before any
//! delivery, and every few thousand steps the caller decides whether to continue.

use super::heads::{self, Head};
use super::{Carried, Counts, FastResult, Outgoing, Setting, carry_out, execute};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::{FastCode, ID, Instance, LinkTable, Registers, Wiring};
use crate::ir::PC;
use crate::semantics::Metrics;
use crate::semantics::configuration::Configuration;
use crate::semantics::machine::copy_words;
use crate::semantics::pool::MAX_IN_TRANSIT;
use crate::stop::STEPS_BETWEEN_POLLS;

/// Why delivery by fast code ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No messages are in transit.
    Quiet,
    /// The maximum number of steps was reached, or `go_on` returned false.
    Limit,
    /// The machine must execute the next step, whichever it is.
    Left,
    /// The machine must execute the next step, with a message of this channel. Its positions have been tried cyclically from
    /// `first` on, and the first `tried` of them were not accepted.
    LeftAt { channel: ChannelId, first: usize, tried: usize },
}

/// A run, and its limits.
pub(super) struct Run<'r, C> {
    pub configuration: &'r mut Configuration,
    pub metrics: &'r mut Metrics,
    /// Chooses the next message, if there is a choice.
    pub chooser: &'r mut C,
    pub max_steps: u64,
    /// Called every few thousand steps.
    pub go_on: &'r mut dyn FnMut() -> bool,
}

/// A delivery strategy for messages of any size and channels of any kind.
pub(super) trait DeliveryPath {
    /// Deliver messages, and return the number of steps and why it ended.
    fn deliver<const K: usize, W: Wiring>(self, setting: Setting<'_, W>) -> (u64, Ended);
}

/// Deliver messages, specialized for the instance's message size and channels.
pub(super) fn deliver(instance: &Instance, fast: &FastCode, way: impl DeliveryPath) -> (u64, Ended) {
    match &fast.circulant {
        Some(wiring) => of_size(Setting { instance, fast, wiring }, way),
        None => of_size(Setting { instance, fast, wiring: LinkTable { instance, fast } }, way),
    }
}

fn of_size<W: Wiring>(setting: Setting<'_, W>, way: impl DeliveryPath) -> (u64, Ended) {
    match setting.instance.layout.message_words {
        0 | 1 => way.deliver::<1, W>(setting),
        2 => way.deliver::<2, W>(setting),
        3 => way.deliver::<3, W>(setting),
        4 => way.deliver::<4, W>(setting),
        _ => way.deliver::<8, W>(setting),
    }
}

/// The messages in transit, taken from the configuration.
pub(super) trait InTransit<'a, const K: usize, W: Wiring>: Outgoing<K> + Sized {
    fn setting(&self) -> Setting<'a, W>;

    fn counts(&self) -> &Counts;

    /// Return an upper bound on the number of messages that have been in transit at once.
    fn room(&self) -> usize;

    /// Begin a step that sends messages of this depth.
    fn begin(&mut self, depth: u32);

    /// Append the messages of a process that has started to their channels.
    fn post_first(&mut self);

    /// Discard the messages that the step has sent.
    fn unsend(&mut self);

    /// Execute the first commands of a process.
    fn start(
        &mut self,
        configuration: &mut Configuration,
        head: &mut Head,
        registers: &mut Registers,
        process: ProcessId,
    ) -> FastResult {
        let setting = self.setting();
        let (words, stride) = configuration.blocks();
        let state = &mut words[process.index() * stride..][..stride - 1];
        registers[ID] = head.id;
        self.begin(head.depth.saturating_add(1));
        let role = setting.fast.role(setting.instance, process);
        let send = |arrival, kind, words| self.send(arrival, kind, words);
        if carry_out(setting, registers, role.start_end, process, state, send) == Carried::Code {
            copy_words(registers, state);
            registers[PC as usize] = 0;
            let end = execute(setting, registers, role.start, process, state, self);
            if end != FastResult::Taken {
                self.unsend();
                return end;
            }
            copy_words(state, registers.as_slice());
        }
        head.cell = role.cell(state);
        configuration.started = process.0 + 1;
        self.post_first();
        FastResult::Taken
    }
}

/// Delivery of the messages in transit. `C`: chooses among them.
pub(super) trait Delivery<'a, const K: usize, W: Wiring, C>: InTransit<'a, K, W> {
    /// Deliver until `pause` steps have been taken in total, unless delivery ends before.
    fn deliver(
        &mut self,
        chooser: &mut C,
        configuration: &mut Configuration,
        heads: &mut [Head],
        registers: &mut Registers,
        steps: &mut u64,
        pause: u64,
    ) -> Option<Ended>;

    /// Start all processes that have not started, and deliver. The remaining messages must then be returned to the configuration.
    #[inline(always)]
    fn run(&mut self, run: &mut Run<'_, C>) -> (u64, Ended) {
        let setting = self.setting();
        let mut registers = setting.fast.registers.clone();
        let mut heads = heads::of(setting, run.configuration);
        let mut steps = 0;
        let ended = 'run: loop {
            if steps == run.max_steps || !(run.go_on)() {
                break Ended::Limit;
            }
            // The machine reports the error.
            if self.room() >= MAX_IN_TRANSIT as usize {
                break Ended::Left;
            }
            let pause = run.max_steps.min(steps + STEPS_BETWEEN_POLLS);
            while steps < pause
                && let Some(process) = run.configuration.next_to_start()
            {
                let head = &mut heads[process.index()];
                if self.start(run.configuration, head, &mut registers, process) != FastResult::Taken {
                    break 'run Ended::Left;
                }
                steps += 1;
            }
            let heads = heads.as_mut_slice();
            let ended =
                self.deliver(run.chooser, run.configuration, heads, &mut registers, &mut steps, pause);
            if let Some(ended) = ended {
                break ended;
            }
        };
        heads::settle(&heads, run.configuration);
        self.counts().report(run.metrics);
        (steps, ended)
    }
}
