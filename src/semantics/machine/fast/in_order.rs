//! Delivery in the order of sending: all messages stand in one queue. As long as each is taken when it is its turn,
//! that keeps the order of every channel too, and nothing else needs to know the channels.

use super::{Counts, Done, Fast, Mail, execute, store};
use crate::instance::{FastCode, Instance, NO_SENDER, Registers};
use crate::ir::PC;
use crate::semantics::configuration::{Configuration, reached};
use crate::semantics::machine::{Machine, copy_words};
use std::collections::VecDeque;

/// How often it is asked whether to go on, in steps.
const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// Why deliveries in the order of sending came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is under way.
    Quiet,
    /// So many steps have been taken, or nobody wants more.
    Limit,
    /// The next step is one for the machine.
    Left,
}

/// A message under way. Its number is not kept: those in the queue are numbered one after the other.
#[derive(Clone, Copy, Debug)]
struct Record<const K: usize> {
    /// Channel and, in the low bits, kind.
    place: u32,
    depth: u32,
    words: [i64; K],
}

struct Queue<'a, const K: usize> {
    instance: &'a Instance,
    fast: &'a FastCode,
    records: VecDeque<Record<K>>,
    /// Bits of the kind in `Record::place`.
    shift: u32,
    /// Of the messages that the step at hand sends.
    depth: u32,
    counts: Counts,
}

impl<const K: usize> Mail<K> for Queue<'_, K> {
    #[inline(always)]
    fn send(&mut self, link: u32, kind: u8, words: [i64; K]) {
        let layout = &self.instance.layout;
        let channel =
            if layout.lanes == 1 { link } else { layout.channel(link, self.fast.kinds[kind as usize].lane) };
        let place = channel << self.shift | u32::from(kind);
        self.records.push_back(Record { place, depth: self.depth, words });
        self.counts.time = self.counts.time.max(self.depth);
        self.counts.add(self.instance, self.fast, link, kind, &words);
    }
}

impl<'a, const K: usize> Queue<'a, K> {
    /// None: channels and kinds have too many numbers together.
    fn new(instance: &'a Instance, fast: &'a FastCode) -> Option<Queue<'a, K>> {
        let shift = fast.kinds.len().next_power_of_two().trailing_zeros();
        let fits = u64::from(instance.layout.channels) << shift <= 1 << 32;
        fits.then(|| Queue {
            instance,
            fast,
            records: VecDeque::new(),
            shift,
            depth: 0,
            counts: Counts::new(instance),
        })
    }

    fn place(&self, record: &Record<K>) -> (u32, u32) {
        (record.place >> self.shift, record.place & ((1 << self.shift) - 1))
    }

    /// Takes all messages out of their channels: `order` names the channel of each, in the order of sending. False,
    /// and nothing is done: their numbers are not consecutive.
    fn fill(&mut self, configuration: &mut Configuration, order: &mut VecDeque<u32>) -> bool {
        let first = configuration.next_message().wrapping_sub(order.len() as u32);
        if configuration.in_flight() != order.len() as u64 || !configuration.numbered_in(order, first) {
            return false;
        }
        self.records.reserve(order.len());
        for channel in order.drain(..) {
            let Some(head) = configuration.head(channel) else { continue };
            let mut words = [0; K];
            copy_words(&mut words, configuration.pool.words(head.slot));
            self.records.push_back(Record {
                place: channel << self.shift | head.kind,
                depth: head.depth,
                words,
            });
            configuration.remove_head(channel, &head);
        }
        true
    }

    /// Puts all messages back into their channels.
    fn empty(&mut self, configuration: &mut Configuration, order: &mut VecDeque<u32>) {
        let records = std::mem::take(&mut self.records);
        let first = configuration.next_message().wrapping_sub(records.len() as u32);
        for (i, record) in (0u32..).zip(records) {
            let (channel, kind) = self.place(&record);
            configuration.put_back(channel, kind, first.wrapping_add(i), record.depth, &record.words);
            order.push_back(channel);
        }
    }

    /// The first commands of a process.
    fn start(&mut self, configuration: &mut Configuration, registers: &mut Registers, process: u32) -> Fast {
        let (words, stride) = configuration.blocks();
        let block = &mut words[process as usize * stride..][..stride];
        let Some((own, state)) = block.split_last_mut() else {
            return Fast::Left;
        };
        copy_words(registers, state);
        registers[PC as usize] = 0;
        registers[self.fast.id as usize] = self.instance.network.id(process);
        self.depth = (*own as u32).saturating_add(1);
        let len = self.records.len();
        let code = self.fast.role(self.instance, process).start;
        let Done { end, changed } = execute(self.instance, self.fast, registers, code, process, self);
        if end == Fast::Taken {
            store(state, registers, changed | 1 << PC);
            configuration.started = process + 1;
        } else {
            self.undo(len);
        }
        end
    }

    /// Deliveries until nothing is under way, or so many steps have been taken, or one does not come about: that is
    /// counted as a step, too.
    #[inline(always)]
    fn deliver(
        &mut self,
        configuration: &mut Configuration,
        registers: &mut Registers,
        steps: &mut u64,
        pause: u64,
    ) -> Fast {
        let (instance, fast) = (self.instance, self.fast);
        let (words, stride) = configuration.blocks();
        while *steps < pause {
            let Some(record) = self.records.front() else {
                break;
            };
            let (channel, kind) = self.place(record);
            let process = fast.receiver(instance, channel);
            let block = &mut words[process as usize * stride..][..stride];
            let Some((own, state)) = block.split_last_mut() else {
                return Fast::Left;
            };
            *steps += 1;
            let entry = fast.role(instance, process).entry(kind, state);
            copy_words(registers, state);
            registers[fast.id as usize] = instance.network.id(process);
            for (to, word) in entry.bind.iter().zip(record.words) {
                registers[*to as usize] = word;
            }
            if entry.from != NO_SENDER {
                registers[entry.from as usize] = fast.sender(instance, channel);
            }
            let depth = record.depth.max(*own as u32);
            self.depth = depth.saturating_add(1);
            let len = self.records.len();
            let Done { end, changed } = execute(instance, fast, registers, entry.code, process, self);
            if end != Fast::Taken {
                self.undo(len);
                return end;
            }
            store(state, registers, changed);
            *own = reached(*own, depth);
            self.records.pop_front();
        }
        Fast::Taken
    }

    /// Undoes the sending of all messages behind the first `len`.
    #[cold]
    fn undo(&mut self, len: usize) {
        while self.records.len() > len {
            if let Some(record) = self.records.pop_back() {
                let (channel, kind) = self.place(&record);
                let link = self.instance.layout.link_of(channel);
                self.counts.subtract(self.instance, self.fast, link, kind as u8, &record.words);
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
        match instance.layout.message_words {
            0 | 1 => self.in_order::<1>(instance, fast, configuration, order, max_steps, go_on),
            2 => self.in_order::<2>(instance, fast, configuration, order, max_steps, go_on),
            3 => self.in_order::<3>(instance, fast, configuration, order, max_steps, go_on),
            4 => self.in_order::<4>(instance, fast, configuration, order, max_steps, go_on),
            _ => self.in_order::<8>(instance, fast, configuration, order, max_steps, go_on),
        }
    }

    #[inline(never)]
    fn in_order<const K: usize>(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        configuration: &mut Configuration,
        order: &mut VecDeque<u32>,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        let Some(mut queue) = Queue::<K>::new(instance, fast) else {
            return (0, Ended::Left);
        };
        if !queue.fill(configuration, order) {
            return (0, Ended::Left);
        }
        let mut registers = fast.registers.clone();
        let (mut steps, mut pause) = (0, 0);
        let ended = loop {
            if steps == pause {
                if steps == max_steps || !go_on() {
                    break Ended::Limit;
                }
                pause = max_steps.min(steps + STEPS_BETWEEN_LOOKS);
            }
            let end = if let Some(process) = configuration.next_to_start() {
                steps += 1;
                queue.start(configuration, &mut registers, process)
            } else if queue.records.is_empty() {
                break Ended::Quiet;
            } else {
                queue.deliver(configuration, &mut registers, &mut steps, pause)
            };
            if end != Fast::Taken {
                steps -= 1;
                break Ended::Left;
            }
        };
        // Every message that was sent has had a number.
        let sent: u64 = queue.counts.kinds.iter().map(|count| count.sent + count.to_self).sum();
        configuration.forget_numbers(configuration.next_message().wrapping_add(sent as u32));
        queue.empty(configuration, order);
        queue.counts.report(&mut self.metrics);
        (steps, ended)
    }
}
