//! Delivery from a channel chosen by lot, as the random scheduler does it: channels and messages lie here in as little
//! room as they need, and nothing of a message is looked up twice.

use super::heads::{self, Head};
use super::{Carried, Counts, Ended, Fast, Mail, STEPS_BETWEEN_LOOKS, Setting, carry_out, execute, tell};
use crate::instance::{End, Entry, FastCode, ID, Instance, Registers, Table, Wiring};
use crate::ir::PC;
use crate::semantics::configuration::Configuration;
use crate::semantics::machine::{Machine, copy_words};
use crate::semantics::pool::{MAX_UNDER_WAY, NIL};

/// A message under way.
#[derive(Clone, Copy, Debug)]
struct Message<const K: usize> {
    number: u32,
    depth: u32,
    kind: u32,
    words: [i64; K],
}

/// The first message of a channel, where most have no other: what of it is behind it, number, depth, kind; words. An array of such is
/// memory that need not be touched before it is used.
type Slot<const K: usize> = ([u32; 4], [i64; K]);

/// What is behind the first message of a channel: there is not even a first; nothing; else the place of the last message,
/// and so many more.
const EMPTY: u32 = 0;
const ALONE: u32 = 1;
const MORE: u32 = 2;

impl<const K: usize> Message<K> {
    /// As the first of its channel.
    #[inline(always)]
    fn in_front_of(self, behind: u32) -> Slot<K> {
        ([behind, self.number, self.depth, self.kind], self.words)
    }
}

/// A message that is not the first of its channel.
#[derive(Clone, Copy, Debug)]
struct Record<const K: usize> {
    /// The one behind it; for the last, the second of the channel. Of a free record, the next free one.
    next: u32,
    message: Message<K>,
}

/// All channels, and whose turn it may be.
struct Channels<'a, const K: usize, W> {
    setting: Setting<'a, W>,
    /// By arrival.
    slots: Vec<Slot<K>>,
    records: Vec<Record<K>>,
    /// First free record.
    free: u32,
    /// Where the scheduler chooses: an arrival for each channel that is not empty, or, where their order is
    /// not kept, for each message.
    candidates: &'a mut Vec<u32>,
    /// Is the order of messages kept?
    ordered: bool,
    /// Where the step at hand has sent messages, and whether nothing was there: they are in their channels already.
    outbox: Vec<(u32, bool)>,
    /// Their depth.
    depth: u32,
    /// The number the next message gets.
    number: u32,
    counts: Counts,
}

impl<const K: usize, W: Wiring> Mail<K> for Channels<'_, K, W> {
    #[inline(always)]
    fn send(&mut self, arrival: u32, kind: u8, words: [i64; K]) {
        let was_empty = self.send_now(arrival, kind, words);
        self.outbox.push((arrival, was_empty));
    }
}

impl<'a, const K: usize, W: Wiring> Channels<'a, K, W> {
    /// Takes all messages out of the configuration.
    fn new(
        setting: Setting<'a, W>,
        configuration: &mut Configuration,
        candidates: &'a mut Vec<u32>,
    ) -> Channels<'a, K, W> {
        let layout = &setting.instance.layout;
        let mut channels = Channels {
            setting,
            slots: vec![([EMPTY; 4], [0; K]); layout.channels as usize],
            records: Vec::new(),
            free: NIL,
            candidates,
            ordered: layout.all_fifo,
            outbox: Vec::new(),
            depth: 0,
            number: configuration.next_message(),
            counts: Counts::new(setting.fast),
        };
        if configuration.in_flight() > 0 {
            for channel in 0..layout.channels {
                while let Some(head) = configuration.head(channel) {
                    let mut words = [0; K];
                    copy_words(&mut words, configuration.pool.words(head.slot));
                    let message = Message { number: head.id, depth: head.depth, kind: head.kind, words };
                    channels.append(setting.wiring.arrival(channel), message);
                    configuration.remove_head(channel, &head);
                }
            }
        }
        for candidate in channels.candidates.iter_mut() {
            *candidate = setting.wiring.arrival(*candidate);
        }
        channels
    }

    /// Puts all messages back into the configuration.
    fn empty(&mut self, configuration: &mut Configuration) {
        let wiring = self.setting.wiring;
        for arrival in (0..self.slots.len() as u32).filter(|arrival| !self.is_empty(*arrival)) {
            let channel = wiring.channel(arrival);
            let mut put_back = |Message { number, depth, kind, words }: Message<K>| {
                configuration.put_back(channel, kind, number, depth, &words);
            };
            put_back(self.first(arrival));
            if let Some(last) = self.last(arrival) {
                let mut place = last;
                loop {
                    place = self.records[place as usize].next;
                    put_back(self.records[place as usize].message);
                    if place == last {
                        break;
                    }
                }
            }
        }
        for candidate in self.candidates.iter_mut() {
            *candidate = wiring.channel(*candidate);
        }
        configuration.forget_numbers(self.number);
    }

    #[inline(always)]
    fn is_empty(&self, arrival: u32) -> bool {
        self.slots[arrival as usize].0[0] == EMPTY
    }

    /// The first message of a channel, which is not empty.
    #[inline(always)]
    fn first(&self, arrival: u32) -> Message<K> {
        let ([_, number, depth, kind], words) = self.slots[arrival as usize];
        Message { number, depth, kind, words }
    }

    /// Where the last message of a channel is, if it is not the first.
    #[inline(always)]
    fn last(&self, arrival: u32) -> Option<u32> {
        self.slots[arrival as usize].0[0].checked_sub(MORE)
    }

    /// The record before that of the message at a position of a channel, which is not the first.
    #[inline]
    fn before(&self, last: u32, position: usize) -> u32 {
        (1..position).fold(last, |place, _| self.records[place as usize].next)
    }

    /// The message at a position of a channel, which must be there.
    #[inline(always)]
    fn at(&self, arrival: u32, position: usize) -> Message<K> {
        match self.last(arrival) {
            Some(last) if position > 0 => {
                let place = self.records[self.before(last, position) as usize].next;
                self.records[place as usize].message
            }
            _ => self.first(arrival),
        }
    }

    /// No more messages are under way than this, and not many fewer, if records have been in use lately.
    fn most_under_way(&self) -> usize {
        self.candidates.len() + if self.ordered { self.records.len() } else { 0 }
    }

    /// How many messages are in a channel, which is not empty.
    fn messages_in(&self, arrival: u32) -> usize {
        let Some(last) = self.last(arrival) else { return 1 };
        let (mut place, mut messages) = (self.records[last as usize].next, 2);
        while place != last {
            place = self.records[place as usize].next;
            messages += 1;
        }
        messages
    }

    /// The message enters its channel. Answers whether that was empty.
    #[inline(always)]
    fn append(&mut self, arrival: u32, message: Message<K>) -> bool {
        let slot = &mut self.slots[arrival as usize];
        let was_empty = slot.0[0] == EMPTY;
        if was_empty {
            *slot = message.in_front_of(ALONE);
        } else {
            self.append_behind(arrival, message);
        }
        was_empty
    }

    #[inline(never)]
    fn append_behind(&mut self, arrival: u32, message: Message<K>) {
        let place = self.free;
        let place = match self.records.get_mut(place as usize) {
            Some(free) => {
                self.free = std::mem::replace(&mut free.next, place);
                free.message = message;
                place
            }
            None => {
                let place = self.records.len() as u32;
                self.records.push(Record { next: place, message });
                place
            }
        };
        if let Some(last) = self.last(arrival) {
            let second = std::mem::replace(&mut self.records[last as usize].next, place);
            self.records[place as usize].next = second;
        }
        self.slots[arrival as usize].0[0] = place + MORE;
    }

    /// Takes the message at a position out of its channel.
    #[inline(always)]
    fn take(&mut self, arrival: u32, position: usize) {
        match self.last(arrival) {
            None => self.slots[arrival as usize].0[0] = EMPTY,
            Some(last) => self.take_of_several(arrival, last, position),
        }
    }

    #[inline(never)]
    fn take_of_several(&mut self, arrival: u32, last: u32, position: usize) {
        let before = self.before(last, position);
        let place = self.records[before as usize].next;
        let behind = if place == before { ALONE } else { MORE + if place == last { before } else { last } };
        let Record { next, message } = self.records[place as usize];
        self.records[before as usize].next = next;
        self.records[place as usize].next = self.free;
        self.free = place;
        let slot = &mut self.slots[arrival as usize];
        if position == 0 {
            *slot = message.in_front_of(behind);
        } else {
            slot.0[0] = behind;
        }
    }

    /// A message enters its channel and is counted. Answers whether the channel was empty.
    #[inline(always)]
    fn send_now(&mut self, arrival: u32, kind: u8, words: [i64; K]) -> bool {
        self.counts.add::<K>(kind, self.setting.wiring.is_self(arrival), &words);
        self.append_stamped(arrival, kind.into(), words)
    }

    #[inline(always)]
    fn append_stamped(&mut self, arrival: u32, kind: u32, words: [i64; K]) -> bool {
        let message = Message { number: self.number, depth: self.depth, kind, words };
        self.number = self.number.wrapping_add(1);
        self.counts.time = self.counts.time.max(self.depth);
        self.append(arrival, message)
    }

    /// It may be the turn of a channel into which a message has been sent, when the one that was taken is gone.
    #[inline(always)]
    fn sent(&mut self, served: Option<u32>, to: u32, was_empty: bool) {
        if !self.ordered || (was_empty && Some(to) != served) {
            self.candidates.push(to);
        }
    }

    /// Where order is kept it is the turn of a channel again, if it is not empty.
    #[inline(always)]
    fn serve_again(&mut self, served: u32) {
        if self.ordered && !self.is_empty(served) {
            self.candidates.push(served);
        }
    }

    /// The step is done. `served`: the channel whose message was taken.
    fn post(&mut self, served: Option<u32>) {
        for i in 0..self.outbox.len() {
            let (to, was_empty) = self.outbox[i];
            self.sent(served, to, was_empty);
        }
        self.outbox.clear();
        if let Some(served) = served {
            self.serve_again(served);
        }
    }

    /// The messages of the step are taken back.
    #[cold]
    fn unsend(&mut self) {
        while let Some((arrival, _)) = self.outbox.pop() {
            let position = self.messages_in(arrival) - 1;
            let Message { kind, words, .. } = self.at(arrival, position);
            self.take(arrival, position);
            self.counts.subtract(kind as u8, self.setting.wiring.is_self(arrival), &words);
            self.number = self.number.wrapping_sub(1);
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
            self.post(None);
            return Fast::Taken;
        }
        copy_words(registers, state);
        registers[PC as usize] = 0;
        let end = execute(self.setting, registers, role.start, process, state, self);
        if end == Fast::Taken {
            copy_words(state, registers.as_slice());
            head.cell = role.cell(state);
            configuration.started = process + 1;
            self.post(None);
        } else {
            self.unsend();
        }
        end
    }

    /// Offers the message at a position of a channel.
    #[inline(always)]
    fn deliver(
        &mut self,
        (words, stride): (&mut [i64], usize),
        heads: &mut [Head],
        registers: &mut Registers,
        arrival: u32,
        position: usize,
    ) -> Fast {
        let setting = self.setting;
        let process = setting.wiring.receiver(arrival);
        let head = &mut heads[process as usize];
        let message = self.at(arrival, position);
        let role = setting.fast.role(setting.instance, process);
        let entry = role.entry(message.kind, head.cell);
        tell(registers, head.id, message.words);
        let depth = message.depth.max(head.depth);
        self.depth = depth.saturating_add(1);
        match entry.end(registers) {
            End::DROP => {
                self.take(arrival, position);
                self.serve_again(arrival);
            }
            End::FORWARD => {
                let to = setting.wiring.onward(process, message.kind as u8);
                self.counts.add_same(message.kind, setting.wiring.is_self(to), &message.words);
                let was_empty = self.append_stamped(to, message.kind, message.words);
                self.take(arrival, position);
                self.sent(Some(arrival), to, was_empty);
                self.serve_again(arrival);
            }
            end => {
                let state = &mut words[process as usize * stride..][..stride - 1];
                let (mut carried, mut answer) = (Carried::Code, None);
                if end != End::CODE {
                    let send = |to, kind, words| answer = Some((to, self.send_now(to, kind, words)));
                    carried = carry_out(setting, registers, end, process, state, send);
                }
                match carried {
                    Carried::Stayed => {}
                    Carried::Moved => head.cell = role.cell(state),
                    Carried::Code => {
                        let end = self.step(registers, entry, process, (arrival, position), state);
                        if end == Fast::Taken {
                            head.cell = role.cell(state);
                        }
                        if matches!(end, Fast::Taken | Fast::Passed) {
                            head.depth = depth;
                        }
                        return end;
                    }
                }
                self.take(arrival, position);
                if let Some((to, was_empty)) = answer {
                    self.sent(Some(arrival), to, was_empty);
                }
                self.serve_again(arrival);
            }
        }
        head.depth = depth;
        Fast::Taken
    }

    /// Takes a message by running code. Unless it is taken or passed, nothing is done.
    #[inline(never)]
    fn step(
        &mut self,
        registers: &mut Registers,
        entry: &Entry,
        process: u32,
        (arrival, position): (u32, usize),
        state: &mut [i64],
    ) -> Fast {
        self.setting.fetch(registers, entry, state, arrival);
        let end = execute(self.setting, registers, entry.code, process, state, self);
        match end {
            Fast::Taken => copy_words(state, registers.as_slice()),
            Fast::Passed => {}
            Fast::Nobody | Fast::Left => {
                self.unsend();
                return end;
            }
        }
        self.take(arrival, position);
        self.post(Some(arrival));
        end
    }

    /// Offers the messages of a channel whose order is not kept one after the other, round, from the given position on, until one
    /// is taken. Otherwise: how many were for nobody.
    #[inline(never)]
    fn deliver_any(
        &mut self,
        (words, stride): (&mut [i64], usize),
        heads: &mut [Head],
        registers: &mut Registers,
        arrival: u32,
        (first, messages): (usize, usize),
    ) -> Result<(), usize> {
        for tried in 0..messages {
            let position = if first + tried < messages { first + tried } else { first + tried - messages };
            match self.deliver((words, stride), heads, registers, arrival, position) {
                Fast::Taken | Fast::Passed => return Ok(()),
                Fast::Nobody => {}
                Fast::Left => return Err(tried),
            }
        }
        Err(messages)
    }
}

impl Machine {
    /// Starts who has not started, and delivers messages from channels chosen by lot, with whatever is sent.
    /// `candidates` are those of the random scheduler, before and after; `draw` gives numbers below a bound. Answers how
    /// many steps were taken; `go_on` is asked every few thousand.
    #[allow(clippy::too_many_arguments)]
    pub fn deliver_at_random(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        configuration: &mut Configuration,
        candidates: &mut Vec<u32>,
        draw: impl FnMut(u32) -> u32,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        match &fast.circle {
            Some(wiring) => {
                let setting = Setting { instance, fast, wiring };
                self.at_random_of_size(setting, configuration, candidates, draw, max_steps, go_on)
            }
            None => {
                let setting = Setting { instance, fast, wiring: Table { instance, fast } };
                self.at_random_of_size(setting, configuration, candidates, draw, max_steps, go_on)
            }
        }
    }

    fn at_random_of_size<W: Wiring>(
        &mut self,
        setting: Setting<'_, W>,
        configuration: &mut Configuration,
        candidates: &mut Vec<u32>,
        draw: impl FnMut(u32) -> u32,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        match setting.instance.layout.message_words {
            0 | 1 => self.at_random::<1, W>(setting, configuration, candidates, draw, max_steps, go_on),
            2 => self.at_random::<2, W>(setting, configuration, candidates, draw, max_steps, go_on),
            3 => self.at_random::<3, W>(setting, configuration, candidates, draw, max_steps, go_on),
            4 => self.at_random::<4, W>(setting, configuration, candidates, draw, max_steps, go_on),
            _ => self.at_random::<8, W>(setting, configuration, candidates, draw, max_steps, go_on),
        }
    }

    #[inline(never)]
    fn at_random<const K: usize, W: Wiring>(
        &mut self,
        setting: Setting<'_, W>,
        configuration: &mut Configuration,
        candidates: &mut Vec<u32>,
        mut draw: impl FnMut(u32) -> u32,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        let mut channels = Channels::<K, W>::new(setting, configuration, candidates);
        let mut registers = setting.fast.registers.clone();
        let mut heads = heads::of(setting, configuration);
        let mut steps = 0;
        let ended = 'run: loop {
            if steps == max_steps || !go_on() {
                break Ended::Limit;
            }
            // Too many may be under way: the machine says what is wrong then.
            if channels.most_under_way() >= MAX_UNDER_WAY as usize {
                break Ended::Left;
            }
            let pause = max_steps.min(steps + STEPS_BETWEEN_LOOKS);
            while steps < pause
                && let Some(process) = configuration.next_to_start()
            {
                let head = &mut heads[process as usize];
                if channels.start(configuration, head, &mut registers, process) != Fast::Taken {
                    break 'run Ended::Left;
                }
                steps += 1;
            }
            let (words, stride) = configuration.blocks();
            let heads = heads.as_mut_slice();
            while steps < pause {
                if channels.candidates.is_empty() {
                    break 'run Ended::Quiet;
                }
                let chosen = draw(channels.candidates.len() as u32);
                let arrival = channels.candidates.swap_remove(chosen as usize);
                if channels.is_empty(arrival) {
                    continue;
                }
                let (first, offered) = if channels.ordered {
                    let end = channels.deliver((words, stride), heads, &mut registers, arrival, 0);
                    let offered = match end {
                        Fast::Taken | Fast::Passed => Ok(()),
                        Fast::Nobody => Err(1),
                        Fast::Left => Err(0),
                    };
                    (0, offered)
                } else {
                    let messages = channels.messages_in(arrival);
                    let first = draw(messages as u32) as usize;
                    let which = (first, messages);
                    (first, channels.deliver_any((words, stride), heads, &mut registers, arrival, which))
                };
                if let Err(tried) = offered {
                    let channel = setting.wiring.channel(arrival);
                    break 'run Ended::LeftAt { channel, first, tried };
                }
                steps += 1;
            }
        };
        channels.empty(configuration);
        heads::settle(&heads, configuration);
        channels.counts.report(&mut self.metrics);
        (steps, ended)
    }
}
