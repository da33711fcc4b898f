//! Delivery from a random channel, as by the random scheduler: channels and messages take as little memory as possible, and no
//! part of a message is looked up twice.

use super::delivery::{self, Delivery, DeliveryPath, Ended, InTransit, Run};
use super::firsts_at_random::Firsts;
use super::heads::Head;
use super::{
    Carried, Counts, FastResult, Forecast, MAX_RESERVED_MESSAGES, Outgoing, PREFETCH_THRESHOLD, RandomSource,
    Setting, carry_out, execute, tell,
};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{End, Entry, FastCode, Instance, Registers, Wiring};
use crate::semantics::configuration::Configuration;
use crate::semantics::machine::Machine;
use crate::semantics::pool::NIL;
use crate::semantics::pool::copy_words;
use prefetch_index::prefetch_index;

/// A message in transit.
#[derive(Clone, Copy, Debug)]
struct Record<const K: usize> {
    /// The next message in its channel; for the last, the first. For a free record, the next free one.
    next: u32,
    number: MessageId,
    depth: u32,
    kind: u32,
    words: [i64; K],
}

/// Position of a message in transit: its channel, the previous record there (its own, if it is alone), and its own.
#[derive(Clone, Copy, Debug)]
struct MessagePlace {
    arrival: u32,
    before: u32,
    here: u32,
}

/// All channels, and the scheduler's candidates.
struct Channels<'a, const K: usize, W> {
    setting: Setting<'a, W>,
    records: Vec<Record<K>>,
    /// First free record.
    free: u32,
    /// By arrival: the last message, NIL if there is none.
    last: Vec<u32>,
    /// The scheduler's candidates: an arrival for each non-empty channel or, in unordered channels, for each message.
    candidates: Vec<u32>,
    /// Whether channels are FIFO.
    ordered: bool,
    /// Messages that the current step sends: arrival and record.
    outbox: Vec<(u32, u32)>,
    /// Their depth.
    depth: u32,
    /// The number of the next message.
    number: MessageId,
    counts: Counts,
}

impl<const K: usize, W: Wiring> Outgoing<K> for Channels<'_, K, W> {
    #[inline(always)]
    fn send(&mut self, arrival: u32, kind: u8, words: [i64; K]) {
        let record = Record { next: NIL, number: self.number, depth: self.depth, kind: kind.into(), words };
        let place = self.put(record);
        self.outbox.push((arrival, place));
        self.number = self.number.plus(1);
        self.counts.time = self.counts.time.max(self.depth);
        self.counts.add::<K>(kind, self.setting.wiring.is_self(arrival), &words);
    }
}

impl<'a, const K: usize, W: Wiring> Channels<'a, K, W> {
    /// Take all messages from the configuration.
    fn new(setting: Setting<'a, W>, configuration: &mut Configuration, mut candidates: Vec<u32>) -> Self {
        let layout = &setting.instance.layout;
        // Unused memory costs nothing, whereas growing means copying.
        let room = layout.channels.min(MAX_RESERVED_MESSAGES) as usize;
        candidates.reserve(room.saturating_sub(candidates.len()));
        let mut channels = Channels {
            setting,
            records: Vec::with_capacity(room),
            free: NIL,
            last: Vec::new(),
            candidates,
            ordered: layout.all_fifo,
            outbox: Vec::new(),
            depth: 0,
            number: configuration.next_message(),
            counts: Counts::new(setting.fast),
        };
        let mut messages = Vec::new();
        if configuration.in_flight() > 0 {
            for channel in setting.instance.channels() {
                while let Some(head) = configuration.head(channel) {
                    let mut words = [0; K];
                    copy_words(&mut words, configuration.pool.words(head.slot));
                    let (number, depth, kind) = (head.id, head.depth, head.kind);
                    let place = channels.put(Record { next: NIL, number, depth, kind, words });
                    messages.push((setting.wiring.arrival(channel), place));
                    configuration.remove_head(channel, &head);
                }
            }
        }
        channels.last = configuration.lend_channels();
        for (arrival, place) in messages {
            channels.append(arrival, place);
        }
        for candidate in channels.candidates.iter_mut() {
            *candidate = setting.wiring.arrival(ChannelId(*candidate));
        }
        channels
    }

    /// Return all messages to the configuration.
    fn empty(&mut self, configuration: &mut Configuration) {
        let wiring = self.setting.wiring;
        let last = std::mem::take(&mut self.last);
        if last.iter().all(|last| *last == NIL) {
            configuration.return_channels(last);
        } else {
            configuration.return_channels(vec![NIL; last.len()]);
            for (arrival, last) in (0u32..).zip(last).filter(|(_, last)| *last != NIL) {
                let mut place = last;
                loop {
                    place = self.records[place as usize].next;
                    let Record { number, depth, kind, words, .. } = self.records[place as usize];
                    configuration.put_back(wiring.channel(arrival), kind, number, depth, &words);
                    if place == last {
                        break;
                    }
                }
            }
        }
        for candidate in self.candidates.iter_mut() {
            *candidate = wiring.channel(*candidate).0;
        }
        configuration.forget_numbers(self.number);
    }

    /// Allocate a record.
    #[inline(always)]
    fn put(&mut self, record: Record<K>) -> u32 {
        let place = self.free;
        match self.records.get_mut(place as usize) {
            Some(free) => {
                self.free = free.next;
                *free = record;
                place
            }
            None => {
                self.records.push(record);
                self.records.len() as u32 - 1
            }
        }
    }

    /// Append the message to its channel. Return whether the channel was empty.
    #[inline(always)]
    fn append(&mut self, arrival: u32, place: u32) -> bool {
        let last = std::mem::replace(&mut self.last[arrival as usize], place);
        if last == NIL {
            self.records[place as usize].next = place;
        } else {
            let first = std::mem::replace(&mut self.records[last as usize].next, place);
            self.records[place as usize].next = first;
        }
        last == NIL
    }

    /// Take a message from its channel. `next`: the record after it. Return whether the channel is empty now.
    #[inline(always)]
    fn take_out(&mut self, MessagePlace { arrival, before, here }: MessagePlace, next: u32) -> bool {
        if here == before {
            self.last[arrival as usize] = NIL;
            return true;
        }
        // The first of several messages is not the last.
        if !self.ordered && here == self.last[arrival as usize] {
            self.last[arrival as usize] = before;
        }
        self.records[before as usize].next = next;
        false
    }

    /// The same; its record becomes free.
    #[inline(always)]
    fn remove(&mut self, place: MessagePlace, next: u32) -> bool {
        let emptied = self.take_out(place, next);
        self.records[place.here as usize].next = self.free;
        self.free = place.here;
        emptied
    }

    /// Complete a step that takes a message and sends none.
    #[inline(always)]
    fn swallow(&mut self, place: MessagePlace, next: u32) {
        let emptied = self.remove(place, next);
        if self.ordered && !emptied {
            self.candidates.push(place.arrival);
        }
    }

    /// Take a message from its channel, and send the current contents of its record.
    #[inline(always)]
    fn send_on(&mut self, place: MessagePlace, next: u32, to: u32) {
        let emptied = self.take_out(place, next);
        let was_empty = self.append(to, place.here);
        if !self.ordered || (was_empty && to != place.arrival) {
            self.candidates.push(to);
        }
        if self.ordered && (!emptied || to == place.arrival) {
            self.candidates.push(place.arrival);
        }
    }

    /// Forward a message unchanged to another channel.
    #[inline(always)]
    fn forward(&mut self, place: MessagePlace, Record { next, kind, words, .. }: Record<K>, to: u32) {
        self.stamp(place.here);
        self.counts.time = self.counts.time.max(self.depth);
        self.counts.add_same(kind, self.setting.wiring.is_self(to), &words);
        self.send_on(place, next, to);
    }

    /// Take a message and send another, which reuses its record. `next`: the record after it.
    #[inline(always)]
    fn answer(&mut self, place: MessagePlace, next: u32, (to, kind, words): (u32, u8, [i64; K])) {
        let record = self.stamp(place.here);
        (record.kind, record.words) = (kind.into(), words);
        self.counts.time = self.counts.time.max(self.depth);
        self.counts.add::<K>(kind, self.setting.wiring.is_self(to), &words);
        self.send_on(place, next, to);
    }

    /// Set number and depth of a record to those of a message sent now.
    #[inline(always)]
    fn stamp(&mut self, here: u32) -> &mut Record<K> {
        let record = &mut self.records[here as usize];
        (record.number, record.depth) = (self.number, self.depth);
        self.number = self.number.plus(1);
        record
    }

    /// Prefetch the data of steps with candidate messages.
    #[inline(always)]
    fn fetch(
        &self,
        (words, stride): (&[i64], usize),
        heads: &[Head],
        Forecast { soon, later }: Forecast<impl Iterator<Item = u32> + Clone>,
    ) {
        for candidate in later {
            prefetch_index(&self.candidates, candidate as usize);
        }
        let arrivals = soon.filter_map(|candidate| self.candidates.get(candidate as usize).copied());
        // If forwarded, the message is appended after this one.
        let onward = |arrival: u32| {
            let process = self.setting.wiring.receiver(arrival);
            (process.index(), self.setting.wiring.send_only(process, 0))
        };
        for arrival in arrivals.clone() {
            let (process, to) = onward(arrival);
            prefetch_index(&self.last, arrival as usize);
            prefetch_index(&self.last, to as usize);
            prefetch_index(heads, process);
            prefetch_index(words, process * stride);
            prefetch_index(words, process * stride + stride - 1);
        }
        for arrival in arrivals {
            let (_, to) = onward(arrival);
            let record = |arrival: u32| match self.last.get(arrival as usize) {
                None | Some(&NIL) => 0,
                Some(last) => *last as usize,
            };
            prefetch_index(&self.records, record(arrival));
            prefetch_index(&self.records, record(to));
        }
    }

    /// Return the message before the one at a position of a non-empty channel.
    #[inline(always)]
    fn before(&self, arrival: u32, position: usize) -> u32 {
        let last = self.last[arrival as usize];
        (0..position).fold(last, |place, _| self.records[place as usize].next)
    }

    /// Return the number of messages in a non-empty channel.
    fn messages_in(&self, arrival: u32) -> usize {
        let last = self.last[arrival as usize];
        let (mut place, mut messages) = (self.records[last as usize].next, 1);
        while place != last {
            place = self.records[place as usize].next;
            messages += 1;
        }
        messages
    }

    /// Append the messages of the step to their channels. `served`: the channel whose message was taken, if channels are FIFO; it
    /// becomes a candidate again if it is not empty.
    #[inline(always)]
    fn post(&mut self, served: u32) {
        for i in 0..self.outbox.len() {
            let (arrival, place) = self.outbox[i];
            let was_empty = self.append(arrival, place);
            if !self.ordered || (was_empty && arrival != served) {
                self.candidates.push(arrival);
            }
        }
        self.outbox.clear();
        if self.ordered && served != NIL && self.last[served as usize] != NIL {
            self.candidates.push(served);
        }
    }

    /// Offer the message after `before` in its channel.
    #[inline(always)]
    fn offer(
        &mut self,
        (words, stride): (&mut [i64], usize),
        heads: &mut [Head],
        registers: &mut Registers,
        arrival: u32,
        before: u32,
    ) -> FastResult {
        let setting = self.setting;
        let process = setting.wiring.receiver(arrival);
        let head = &mut heads[process.index()];
        let here = self.records[before as usize].next;
        let (record, place) = (self.records[here as usize], MessagePlace { arrival, before, here });
        let role = setting.fast.role(setting.instance, process);
        let entry = role.entry(record.kind, head.cell);
        tell(registers, head.id, record.words);
        let depth = record.depth.max(head.depth);
        self.depth = depth.saturating_add(1);
        match entry.end(registers) {
            End::DROP => {
                head.depth = depth;
                self.swallow(place, record.next);
            }
            End::FORWARD => {
                head.depth = depth;
                self.forward(place, record, setting.wiring.onward(process, record.kind as u8));
            }
            end => {
                let state = &mut words[process.index() * stride..][..stride - 1];
                let (mut carried, mut answer) = (Carried::Code, None);
                if end != End::CODE {
                    let send = |to, kind, words| answer = Some((to, kind, words));
                    carried = carry_out(setting, registers, end, process, state, send);
                }
                match carried {
                    Carried::Stayed => {}
                    Carried::Moved => head.cell = role.cell(state),
                    Carried::Code => {
                        let end = self.step(registers, entry, process, place, state);
                        if end == FastResult::Taken {
                            head.cell = role.cell(state);
                        }
                        if matches!(end, FastResult::Taken | FastResult::Passed) {
                            head.depth = depth;
                        }
                        return end;
                    }
                }
                head.depth = depth;
                match answer {
                    Some(message) => self.answer(place, record.next, message),
                    None => self.swallow(place, record.next),
                }
            }
        }
        FastResult::Taken
    }

    /// Take a message by running code. Unless it is taken or passed, there is no effect.
    #[inline(never)]
    fn step(
        &mut self,
        registers: &mut Registers,
        entry: &Entry,
        process: ProcessId,
        place: MessagePlace,
        state: &mut [i64],
    ) -> FastResult {
        self.setting.fetch(registers, entry, state, place.arrival);
        let end = execute(self.setting, registers, entry.code, process, state, self);
        match end {
            FastResult::Taken => copy_words(state, registers.as_slice()),
            FastResult::Passed => {}
            FastResult::Nobody | FastResult::Left => {
                self.unsend();
                return end;
            }
        }
        let next = self.records[place.here as usize].next;
        self.remove(place, next);
        self.post(place.arrival);
        end
    }

    /// Offer the messages of an unordered channel cyclically from the given position, until one is taken. Otherwise return how
    /// many were not accepted.
    #[inline(never)]
    fn offer_any(
        &mut self,
        (words, stride): (&mut [i64], usize),
        heads: &mut [Head],
        registers: &mut Registers,
        arrival: u32,
        (first, messages): (usize, usize),
    ) -> Result<(), usize> {
        for tried in 0..messages {
            let position = if first + tried < messages { first + tried } else { first + tried - messages };
            let before = self.before(arrival, position);
            match self.offer((words, stride), heads, registers, arrival, before) {
                FastResult::Taken | FastResult::Passed => return Ok(()),
                FastResult::Nobody => {}
                FastResult::Left => return Err(tried),
            }
        }
        Err(messages)
    }
}

impl<'a, const K: usize, W: Wiring> InTransit<'a, K, W> for Channels<'a, K, W> {
    #[inline(always)]
    fn setting(&self) -> Setting<'a, W> {
        self.setting
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }

    fn room(&self) -> usize {
        self.records.len()
    }

    #[inline(always)]
    fn begin(&mut self, depth: u32) {
        self.depth = depth;
    }

    #[inline(always)]
    fn post_first(&mut self) {
        self.post(NIL);
    }

    #[cold]
    fn unsend(&mut self) {
        while let Some((arrival, place)) = self.outbox.pop() {
            let Record { kind, words, .. } = self.records[place as usize];
            self.counts.subtract(kind as u8, self.setting.wiring.is_self(arrival), &words);
            self.records[place as usize].next = self.free;
            self.free = place;
            self.number = self.number.minus(1);
        }
    }
}

impl<'a, const K: usize, W: Wiring, L: RandomSource> Delivery<'a, K, W, L> for Channels<'a, K, W> {
    #[inline(always)]
    fn deliver(
        &mut self,
        lot: &mut L,
        configuration: &mut Configuration,
        heads: &mut [Head],
        registers: &mut Registers,
        steps: &mut u64,
        pause: u64,
    ) -> Option<Ended> {
        let (words, stride) = configuration.blocks();
        let far = heads.len() >= PREFETCH_THRESHOLD;
        while *steps < pause {
            if self.candidates.is_empty() {
                return Some(Ended::Quiet);
            }
            let choices = self.candidates.len() as u32;
            let arrival = self.candidates.swap_remove(lot.below(choices) as usize);
            let before = self.last[arrival as usize];
            if before == NIL {
                continue;
            }
            if far {
                // The number of messages in transit usually remains the same after a step.
                self.fetch((words, stride), heads, lot.forecast(choices));
            }
            let left = if self.ordered {
                match self.offer((words, stride), heads, registers, arrival, before) {
                    FastResult::Taken | FastResult::Passed => None,
                    FastResult::Nobody => Some((0, 1)),
                    FastResult::Left => Some((0, 0)),
                }
            } else {
                let messages = self.messages_in(arrival);
                let first = lot.below(messages as u32) as usize;
                let which = (first, messages);
                let offered = self.offer_any((words, stride), heads, registers, arrival, which);
                offered.err().map(|tried| (first, tried))
            };
            if let Some((first, tried)) = left {
                let channel = self.setting.wiring.channel(arrival);
                return Some(Ended::LeftAt { channel, first, tried });
            }
            *steps += 1;
        }
        None
    }
}

struct AtRandom<'r, L> {
    run: Run<'r, L>,
    candidates: &'r mut Vec<u32>,
}

impl<L: RandomSource> DeliveryPath for AtRandom<'_, L> {
    fn deliver<const K: usize, W: Wiring>(self, setting: Setting<'_, W>) -> (u64, Ended) {
        // If most steps only forward messages, memory accesses dominate; otherwise the commands do.
        match setting.fast.has_single_sender && setting.instance.layout.all_fifo {
            true => self.with_firsts::<K, W>(setting),
            false => self.with_channels::<K, W>(setting),
        }
    }
}

impl<L: RandomSource> AtRandom<'_, L> {
    #[inline(never)]
    fn with_firsts<const K: usize, W: Wiring>(self, setting: Setting<'_, W>) -> (u64, Ended) {
        let AtRandom { mut run, candidates } = self;
        let Some(mut firsts) = Firsts::<K, W>::new(setting, run.configuration, candidates) else {
            return (0, Ended::Left);
        };
        let done = firsts.run(&mut run);
        firsts.empty(run.configuration, candidates);
        done
    }

    #[inline(never)]
    fn with_channels<const K: usize, W: Wiring>(self, setting: Setting<'_, W>) -> (u64, Ended) {
        let AtRandom { mut run, candidates } = self;
        let taken = std::mem::take(candidates);
        let mut channels = Channels::<K, W>::new(setting, run.configuration, taken);
        let done = channels.run(&mut run);
        channels.empty(run.configuration);
        *candidates = channels.candidates;
        done
    }
}

impl Machine {
    /// Start all processes that have not started, and deliver messages from random channels, including those sent meanwhile.
    /// `candidates` are those of the random scheduler, before and after. Return the number of steps; `go_on` is called every few
    /// thousand.
    #[allow(clippy::too_many_arguments, reason = "the hot path passes values in registers")]
    pub fn deliver_at_random(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        configuration: &mut Configuration,
        candidates: &mut Vec<u32>,
        lot: &mut impl RandomSource,
        max_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (u64, Ended) {
        let run = Run { configuration, metrics: &mut self.metrics, chooser: lot, max_steps, go_on };
        delivery::deliver(instance, fast, AtRandom { run, candidates })
    }
}
