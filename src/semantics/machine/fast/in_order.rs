//! Delivery in the order of sending, by generations: first all messages of one generation, then all that were sent meanwhile. As
//! long as each message is taken in its turn, every channel is FIFO too, so channels need not be tracked.

use super::delivery::{self, Delivery, DeliveryPath, Ended, InTransit, Run};
use super::heads::Head;
use super::queue::Queue;
use super::{
    Carried, Counts, FastResult, MAX_RESERVED_MESSAGES, Outgoing, Setting, carry_out, execute, tell,
};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::{End, Entry, FastCode, Instance, Registers, Wiring};
use crate::semantics::configuration::Configuration;
use crate::semantics::machine::Machine;
use crate::semantics::pool::copy_words;
use std::collections::VecDeque;

/// A message in transit. Its number is not stored: in the order of sending, numbers are consecutive.
#[derive(Clone, Copy, Debug)]
struct Record<const K: usize> {
    /// Arrival and, in the low bits, kind.
    place: u32,
    depth: u32,
    words: [i64; K],
}

/// The messages in transit.
struct Sent<'a, const K: usize, W> {
    setting: Setting<'a, W>,
    queue: Queue<Record<K>>,
    /// Number of bits of the kind in `Record::place`.
    shift: u32,
    /// Depth of the messages that the current step sends.
    depth: u32,
    /// Number of messages of this generation sent before it.
    sent_before: usize,
    counts: Counts,
}

impl<const K: usize, W: Wiring> Outgoing<K> for Sent<'_, K, W> {
    #[inline(always)]
    fn send(&mut self, arrival: u32, kind: u8, words: [i64; K]) {
        let place = arrival << self.shift | u32::from(kind);
        self.queue.push(Record { place, depth: self.depth, words });
        self.counts.time = self.counts.time.max(self.depth);
        self.counts.add::<K>(kind, self.setting.wiring.is_self(arrival), &words);
    }
}

impl<'a, const K: usize, W: Wiring> Sent<'a, K, W> {
    /// Return None if arrival and kind do not fit 32 bits together.
    fn new(setting: Setting<'a, W>) -> Option<Self> {
        let shift = setting.fast.kinds.len().next_power_of_two().trailing_zeros();
        let channels = setting.instance.layout.channels;
        let fits = u64::from(channels) << shift <= 1 << 32;
        let counts = Counts::new(setting.fast);
        // Many messages are sent at the start.
        let queue = Queue::new(channels.min(MAX_RESERVED_MESSAGES) as usize);
        fits.then_some(Sent { setting, queue, shift, depth: 0, sent_before: 0, counts })
    }

    #[inline(always)]
    fn arrival_and_kind(&self, record: &Record<K>) -> (u32, u32) {
        (record.place >> self.shift, record.place & ((1 << self.shift) - 1))
    }

    /// Take all messages from their channels: `order` gives the channel of each, in the order of sending. False, without effect:
    /// their numbers are not consecutive.
    fn fill(&mut self, configuration: &mut Configuration, order: &mut VecDeque<u32>) -> bool {
        let first = configuration.next_message().minus(order.len() as u32);
        if configuration.in_flight() != order.len() as u64 || !configuration.numbered_in(order, first) {
            return false;
        }
        for channel in order.drain(..).map(ChannelId) {
            let Some(head) = configuration.head(channel) else { continue };
            let mut words = [0; K];
            copy_words(&mut words, configuration.pool.words(head.slot));
            let place = self.setting.wiring.arrival(channel) << self.shift | head.kind;
            self.queue.push(Record { place, depth: head.depth, words });
            configuration.remove_head(channel, &head);
        }
        true
    }

    /// Return messages to their channels.
    fn empty(&self, configuration: &mut Configuration, order: &mut VecDeque<u32>) {
        let under_way = self.queue.left() + self.queue.sent();
        let first = configuration.next_message().minus(under_way as u32);
        for (i, record) in (0u32..).zip(self.queue.iter()) {
            let (arrival, kind) = self.arrival_and_kind(record);
            let channel = self.setting.wiring.channel(arrival);
            configuration.put_back(channel, kind, first.plus(i), record.depth, &record.words);
            order.push_back(channel.0);
        }
    }

    /// Deliver messages of this generation, up to a maximum number, until one is not taken. Return the number of messages taken.
    #[inline(always)]
    fn deliver_some(
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
            let head = &mut heads[process.index()];
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
                    let state = &mut words[process.index() * stride..][..stride - 1];
                    let mut carried = Carried::Code;
                    if end != End::CODE {
                        let send = |arrival, kind, words| self.send(arrival, kind, words);
                        carried = carry_out(setting, registers, end, process, state, send);
                    }
                    if carried == Carried::Code {
                        match self.step(registers, entry, process, arrival, state) {
                            FastResult::Taken => carried = Carried::Moved,
                            FastResult::Passed => {}
                            FastResult::Nobody | FastResult::Left => {
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

    /// Take a message by running code. Unless it is taken or passed, there is no effect, and the machine must execute the step.
    #[inline(never)]
    fn step(
        &mut self,
        registers: &mut Registers,
        entry: &Entry,
        process: ProcessId,
        arrival: u32,
        state: &mut [i64],
    ) -> FastResult {
        self.setting.fetch(registers, entry, state, arrival);
        self.sent_before = self.queue.sent();
        let end = execute(self.setting, registers, entry.code, process, state, self);
        match end {
            FastResult::Taken => copy_words(state, registers.as_slice()),
            FastResult::Passed => {}
            FastResult::Nobody | FastResult::Left => self.unsend(),
        }
        end
    }
}

impl<'a, const K: usize, W: Wiring> InTransit<'a, K, W> for Sent<'a, K, W> {
    #[inline(always)]
    fn setting(&self) -> Setting<'a, W> {
        self.setting
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }

    fn room(&self) -> usize {
        self.queue.left() + self.queue.sent()
    }

    #[inline(always)]
    fn begin(&mut self, depth: u32) {
        self.depth = depth;
        self.sent_before = self.queue.sent();
    }

    /// Sent messages are in the queue already.
    #[inline(always)]
    fn post_first(&mut self) {}

    #[cold]
    fn unsend(&mut self) {
        while self.queue.sent() > self.sent_before {
            if let Some(record) = self.queue.pop() {
                let (arrival, kind) = self.arrival_and_kind(&record);
                let to_self = self.setting.wiring.is_self(arrival);
                self.counts.subtract(kind as u8, to_self, &record.words);
            }
        }
    }
}

impl<'a, const K: usize, W: Wiring> Delivery<'a, K, W, ()> for Sent<'a, K, W> {
    #[inline(always)]
    fn deliver(
        &mut self,
        (): &mut (),
        configuration: &mut Configuration,
        heads: &mut [Head],
        registers: &mut Registers,
        steps: &mut u64,
        pause: u64,
    ) -> Option<Ended> {
        while *steps < pause {
            if self.queue.left() == 0 {
                self.queue.turn();
                if self.queue.left() == 0 {
                    return Some(Ended::Quiet);
                }
            }
            let most = (self.queue.left() as u64).min(pause - *steps) as usize;
            let done = self.deliver_some(configuration, heads, registers, most);
            *steps += done as u64;
            if done < most {
                return Some(Ended::Left);
            }
        }
        None
    }
}

struct InOrder<'r> {
    run: Run<'r, ()>,
    order: &'r mut VecDeque<u32>,
}

impl DeliveryPath for InOrder<'_> {
    #[inline(never)]
    fn deliver<const K: usize, W: Wiring>(self, setting: Setting<'_, W>) -> (u64, Ended) {
        let InOrder { mut run, order } = self;
        let Some(mut sent) = Sent::<K, W>::new(setting) else {
            return (0, Ended::Left);
        };
        if !sent.fill(run.configuration, order) {
            return (0, Ended::Left);
        }
        let done = sent.run(&mut run);
        // Every sent message has received a number.
        let configuration = run.configuration;
        let next = configuration.next_message().plus(sent.counts.messages() as u32);
        configuration.forget_numbers(next);
        sent.empty(configuration, order);
        done
    }
}

impl Machine {
    /// Start all processes that have not started, and deliver all messages in the order of sending, including those sent
    /// meanwhile. Messages that remain are in the channels. `order` gives the channel of each message in the order of sending,
    /// before and after. Return the number of steps; `go_on` is called every few thousand.
    pub fn deliver_in_order(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        configuration: &mut Configuration,
        order: &mut VecDeque<u32>,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        let run = Run { configuration, metrics: &mut self.metrics, chooser: &mut (), max_steps, go_on };
        delivery::deliver(instance, fast, InOrder { run, order })
    }
}
