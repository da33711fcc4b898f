//! Delivery in the order of sending: first all messages of one generation, then all that were sent meanwhile. As long
//! as each is taken when it is its turn, that keeps the order of every channel too, and nothing else needs to know the
//! channels.

use super::heads::{self, Head};
use super::queue::Queue;
use super::{Carried, Counts, Ended, Fast, Mail, STEPS_BETWEEN_LOOKS, Setting, carry_out, execute, tell};
use crate::instance::{End, Entry, FastCode, ID, Instance, Registers, Table, Wiring};
use crate::ir::PC;
use crate::semantics::configuration::Configuration;
use crate::semantics::machine::{Machine, copy_words};
use crate::semantics::pool::MAX_UNDER_WAY;
use std::collections::VecDeque;

/// Room is made at once for this many messages, where there are as many channels.
const MOST_RESERVED: u32 = 1 << 22;

/// A message under way. Its number is not kept: in the order of sending they are numbered one after the other.
#[derive(Clone, Copy, Debug)]
struct Record<const K: usize> {
    /// Arrival and, in the low bits, kind.
    place: u32,
    depth: u32,
    words: [i64; K],
}

/// The messages under way.
struct Sent<'a, const K: usize, W> {
    setting: Setting<'a, W>,
    queue: Queue<Record<K>>,
    /// Bits of the kind in `Record::place`.
    shift: u32,
    /// Of the messages that the step at hand sends.
    depth: u32,
    counts: Counts,
}

impl<const K: usize, W: Wiring> Mail<K> for Sent<'_, K, W> {
    #[inline(always)]
    fn send(&mut self, arrival: u32, kind: u8, words: [i64; K]) {
        let place = arrival << self.shift | u32::from(kind);
        self.queue.push(Record { place, depth: self.depth, words });
        self.counts.time = self.counts.time.max(self.depth);
        self.counts.add::<K>(kind, self.setting.wiring.is_self(arrival), &words);
    }
}

impl<'a, const K: usize, W: Wiring> Sent<'a, K, W> {
    /// None: channels and kinds have too many numbers together.
    fn new(setting: Setting<'a, W>) -> Option<Self> {
        let shift = setting.fast.kinds.len().next_power_of_two().trailing_zeros();
        let channels = setting.instance.layout.channels;
        let fits = u64::from(channels) << shift <= 1 << 32;
        let counts = Counts::new(setting.fast);
        // In the beginning many send at once.
        let queue = Queue::new(channels.min(MOST_RESERVED) as usize);
        fits.then_some(Sent { setting, queue, shift, depth: 0, counts })
    }

    #[inline(always)]
    fn arrival_and_kind(&self, record: &Record<K>) -> (u32, u32) {
        (record.place >> self.shift, record.place & ((1 << self.shift) - 1))
    }

    /// Takes all messages out of their channels: `order` names the channel of each, in the order of sending. False,
    /// and nothing is done: their numbers are not consecutive.
    fn fill(&mut self, configuration: &mut Configuration, order: &mut VecDeque<u32>) -> bool {
        let first = configuration.next_message().wrapping_sub(order.len() as u32);
        if configuration.in_flight() != order.len() as u64 || !configuration.numbered_in(order, first) {
            return false;
        }
        for channel in order.drain(..) {
            let Some(head) = configuration.head(channel) else { continue };
            let mut words = [0; K];
            copy_words(&mut words, configuration.pool.words(head.slot));
            let place = self.setting.wiring.arrival(channel) << self.shift | head.kind;
            self.queue.push(Record { place, depth: head.depth, words });
            configuration.remove_head(channel, &head);
        }
        true
    }

    /// Puts messages back into their channels.
    fn empty(&self, configuration: &mut Configuration, order: &mut VecDeque<u32>) {
        let under_way = self.queue.left() + self.queue.sent();
        let first = configuration.next_message().wrapping_sub(under_way as u32);
        for (i, record) in (0u32..).zip(self.queue.iter()) {
            let (arrival, kind) = self.arrival_and_kind(record);
            let channel = self.setting.wiring.channel(arrival);
            configuration.put_back(channel, kind, first.wrapping_add(i), record.depth, &record.words);
            order.push_back(channel);
        }
    }

    /// The first commands of a process.
    fn start(
        &mut self,
        configuration: &mut Configuration,
        head: &mut Head,
        registers: &mut Registers,
        process: u32,
    ) -> Fast {
        let Setting { instance, fast, .. } = self.setting;
        let (words, stride) = configuration.blocks();
        let state = &mut words[process as usize * stride..][..stride - 1];
        registers[ID] = head.id;
        self.depth = head.depth.saturating_add(1);
        let role = fast.role(instance, process);
        let setting = self.setting;
        let send = |arrival, kind, words| self.send(arrival, kind, words);
        if carry_out(setting, registers, role.start_end, process, state, send) != Carried::Code {
            head.cell = role.cell(state);
            configuration.started = process + 1;
            return Fast::Taken;
        }
        copy_words(registers, state);
        registers[PC as usize] = 0;
        let sent = self.queue.sent();
        let end = execute(self.setting, registers, role.start, process, state, self);
        if end == Fast::Taken {
            copy_words(state, registers.as_slice());
            head.cell = role.cell(state);
            configuration.started = process + 1;
        } else {
            self.undo(sent);
        }
        end
    }

    /// Delivers messages of this generation, so many at most, until one does not come about. Answers how many were taken.
    #[inline(always)]
    fn deliver(
        &mut self,
        configuration: &mut Configuration,
        heads: &mut [Head],
        registers: &mut Registers,
        most: usize,
    ) -> usize {
        let setting @ Setting { instance, fast, wiring } = self.setting;
        let (words, stride) = configuration.blocks();
        for taken in 0..most {
            let Some(record) = self.queue.take() else { return taken };
            let (arrival, kind) = self.arrival_and_kind(&record);
            let process = wiring.receiver(arrival);
            let head = &mut heads[process as usize];
            let role = fast.role(instance, process);
            let entry = role.entry(kind, head.cell);
            tell(registers, head.id, record.words);
            let depth = record.depth.max(head.depth);
            match entry.end(registers) {
                End::DROP => {}
                End::FORWARD => {
                    let to = wiring.onward(process, kind as u8);
                    let (place, depth) = (to << self.shift | kind, depth.saturating_add(1));
                    self.queue.push(Record { place, depth, words: record.words });
                    self.counts.time = self.counts.time.max(depth);
                    self.counts.add_same(kind, wiring.is_self(to), &record.words);
                }
                end => {
                    self.depth = depth.saturating_add(1);
                    let state = &mut words[process as usize * stride..][..stride - 1];
                    let mut carried = Carried::Code;
                    if end != End::CODE {
                        let send = |arrival, kind, words| self.send(arrival, kind, words);
                        carried = carry_out(setting, registers, end, process, state, send);
                    }
                    if carried == Carried::Code {
                        match self.step(registers, entry, process, arrival, state) {
                            Fast::Taken => carried = Carried::Moved,
                            Fast::Passed => {}
                            Fast::Nobody | Fast::Left => {
                                self.queue.put_back(record);
                                return taken;
                            }
                        }
                    }
                    if carried == Carried::Moved {
                        head.cell = role.cell(state);
                    }
                }
            }
            head.depth = depth;
        }
        most
    }

    /// Takes a message by running code. Unless it is taken or passed, nothing is done, and this is a step for the machine.
    #[inline(never)]
    fn step(
        &mut self,
        registers: &mut Registers,
        entry: &Entry,
        process: u32,
        arrival: u32,
        state: &mut [i64],
    ) -> Fast {
        self.setting.fetch(registers, entry, state, arrival);
        let sent = self.queue.sent();
        let end = execute(self.setting, registers, entry.code, process, state, self);
        match end {
            Fast::Taken => copy_words(state, registers.as_slice()),
            Fast::Passed => {}
            Fast::Nobody | Fast::Left => self.undo(sent),
        }
        end
    }

    /// Undoes the sending of all messages of this generation but the first `sent`.
    #[cold]
    fn undo(&mut self, sent: usize) {
        while self.queue.sent() > sent {
            if let Some(record) = self.queue.pop() {
                let (arrival, kind) = self.arrival_and_kind(&record);
                let to_self = self.setting.wiring.is_self(arrival);
                self.counts.subtract(kind as u8, to_self, &record.words);
            }
        }
    }
}

impl Machine {
    /// Starts who has not started, and delivers all messages in the order of sending, with whatever is sent. What is
    /// left at the end is in the channels, and `order` names the channel of each message in the order of sending, as it
    /// must before. Answers how many steps were taken; `go_on` is asked every few thousand.
    pub fn deliver_in_order(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        configuration: &mut Configuration,
        order: &mut VecDeque<u32>,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        match &fast.circle {
            Some(wiring) => {
                let setting = Setting { instance, fast, wiring };
                self.in_order_of_size(setting, configuration, order, max_steps, go_on)
            }
            None => {
                let setting = Setting { instance, fast, wiring: Table { instance, fast } };
                self.in_order_of_size(setting, configuration, order, max_steps, go_on)
            }
        }
    }

    fn in_order_of_size<W: Wiring>(
        &mut self,
        setting: Setting<'_, W>,
        configuration: &mut Configuration,
        order: &mut VecDeque<u32>,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        match setting.instance.layout.message_words {
            0 | 1 => self.in_order::<1, W>(setting, configuration, order, max_steps, go_on),
            2 => self.in_order::<2, W>(setting, configuration, order, max_steps, go_on),
            3 => self.in_order::<3, W>(setting, configuration, order, max_steps, go_on),
            4 => self.in_order::<4, W>(setting, configuration, order, max_steps, go_on),
            _ => self.in_order::<8, W>(setting, configuration, order, max_steps, go_on),
        }
    }

    #[inline(never)]
    fn in_order<const K: usize, W: Wiring>(
        &mut self,
        setting: Setting<'_, W>,
        configuration: &mut Configuration,
        order: &mut VecDeque<u32>,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        let Some(mut sent) = Sent::<K, W>::new(setting) else {
            return (0, Ended::Left);
        };
        if !sent.fill(configuration, order) {
            return (0, Ended::Left);
        }
        let mut registers = setting.fast.registers.clone();
        let mut heads = heads::of(setting, configuration);
        let mut steps = 0;
        let ended = 'run: loop {
            if steps == max_steps || !go_on() {
                break Ended::Limit;
            }
            // The machine says what is wrong then.
            if sent.queue.left() + sent.queue.sent() >= MAX_UNDER_WAY as usize {
                break Ended::Left;
            }
            let pause = max_steps.min(steps + STEPS_BETWEEN_LOOKS);
            while steps < pause
                && let Some(process) = configuration.next_to_start()
            {
                let head = &mut heads[process as usize];
                if sent.start(configuration, head, &mut registers, process) != Fast::Taken {
                    break 'run Ended::Left;
                }
                steps += 1;
            }
            while steps < pause {
                if sent.queue.left() == 0 {
                    sent.queue.turn();
                    if sent.queue.left() == 0 {
                        break 'run Ended::Quiet;
                    }
                }
                let most = sent.queue.left().min((pause - steps) as usize);
                let done = sent.deliver(configuration, &mut heads, &mut registers, most);
                steps += done as u64;
                if done < most {
                    break 'run Ended::Left;
                }
            }
        };
        // Every message that was sent has had a number.
        let next = configuration.next_message().wrapping_add(sent.counts.messages() as u32);
        configuration.forget_numbers(next);
        sent.empty(configuration, order);
        heads::settle(&heads, configuration);
        sent.counts.report(&mut self.metrics);
        (steps, ended)
    }
}
