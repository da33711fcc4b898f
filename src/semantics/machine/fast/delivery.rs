//! What deliveries have in common, whatever their order and wherever the messages lie meanwhile: who has not started starts before
//! anything is delivered, and every few thousand steps it is asked whether to go on.

use super::heads::{self, Head};
use super::{Carried, Counts, Fast, Mail, Setting, carry_out, execute};
use crate::instance::{FastCode, ID, Instance, Registers, Table, Wiring};
use crate::ir::PC;
use crate::semantics::Metrics;
use crate::semantics::configuration::Configuration;
use crate::semantics::machine::copy_words;
use crate::semantics::pool::MAX_UNDER_WAY;

/// How often it is asked whether to go on, in steps.
const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// Why deliveries by fast code came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is under way.
    Quiet,
    /// So many steps have been taken, or nobody wants more.
    Limit,
    /// The next step is one for the machine: any.
    Left,
    /// The next step is one for the machine, with a message of this channel. Its positions have been tried from
    /// `first` on, round, and the first `tried` of them were for nobody.
    LeftAt { channel: u32, first: usize, tried: usize },
}

/// The run that is made, and how much of it is wanted.
pub(super) struct Run<'r, C> {
    pub configuration: &'r mut Configuration,
    pub metrics: &'r mut Metrics,
    /// Says which message is next, where there is a choice.
    pub chooser: &'r mut C,
    pub max_steps: u64,
    /// Asked every few thousand steps.
    pub go_on: &'r mut dyn FnMut() -> bool,
}

/// A way to deliver messages of any size through channels of any kind.
pub(super) trait DeliveryPath {
    /// How many steps were taken, and why no more.
    fn deliver<const K: usize, W: Wiring>(self, setting: Setting<'_, W>) -> (u64, Ended);
}

/// Delivers messages of the size that the instance has, through its channels.
pub(super) fn deliver(instance: &Instance, fast: &FastCode, way: impl DeliveryPath) -> (u64, Ended) {
    match &fast.circle {
        Some(wiring) => of_size(Setting { instance, fast, wiring }, way),
        None => of_size(Setting { instance, fast, wiring: Table { instance, fast } }, way),
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

/// The messages under way, taken out of the configuration.
pub(super) trait UnderWay<'a, const K: usize, W: Wiring>: Mail<K> + Sized {
    fn setting(&self) -> Setting<'a, W>;

    fn counts(&self) -> &Counts;

    /// So many have been under way at once, or more.
    fn room(&self) -> usize;

    /// A step begins that sends messages of this depth.
    fn begin(&mut self, depth: u32);

    /// A process has started: what it has sent enters its channels.
    fn post_first(&mut self);

    /// What the step has sent is not sent.
    fn unsend(&mut self);

    /// The first commands of a process.
    fn start(
        &mut self,
        configuration: &mut Configuration,
        head: &mut Head,
        registers: &mut Registers,
        process: u32,
    ) -> Fast {
        let setting = self.setting();
        let (words, stride) = configuration.blocks();
        let state = &mut words[process as usize * stride..][..stride - 1];
        registers[ID] = head.id;
        self.begin(head.depth.saturating_add(1));
        let role = setting.fast.role(setting.instance, process);
        let send = |arrival, kind, words| self.send(arrival, kind, words);
        if carry_out(setting, registers, role.start_end, process, state, send) == Carried::Code {
            copy_words(registers, state);
            registers[PC as usize] = 0;
            let end = execute(setting, registers, role.start, process, state, self);
            if end != Fast::Taken {
                self.unsend();
                return end;
            }
            copy_words(state, registers.as_slice());
        }
        head.cell = role.cell(state);
        configuration.started = process + 1;
        self.post_first();
        Fast::Taken
    }
}

/// Their delivery. `C`: who chooses among them.
pub(super) trait Delivery<'a, const K: usize, W: Wiring, C>: UnderWay<'a, K, W> {
    /// Delivers until `pause` steps have been taken in all, unless something ends it before.
    fn deliver(
        &mut self,
        chooser: &mut C,
        configuration: &mut Configuration,
        heads: &mut [Head],
        registers: &mut Registers,
        steps: &mut u64,
        pause: u64,
    ) -> Option<Ended>;

    /// Starts who has not started, and delivers. Then the messages lie where they are, and have to go back.
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
            // The machine says what is wrong then.
            if self.room() >= MAX_UNDER_WAY as usize {
                break Ended::Left;
            }
            let pause = run.max_steps.min(steps + STEPS_BETWEEN_LOOKS);
            while steps < pause
                && let Some(process) = run.configuration.next_to_start()
            {
                let head = &mut heads[process as usize];
                if self.start(run.configuration, head, &mut registers, process) != Fast::Taken {
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
