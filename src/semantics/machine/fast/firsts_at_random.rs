//! Delivery from a random channel, as by the random scheduler, for FIFO channels and processes that send at one port. A candidate
//! contains the first message of its channel, so the channel itself is accessed only for its later messages.

use super::delivery::{Delivery, Ended, InTransit};
use super::heads::Head;
use super::{
    Carried, Counts, FastResult, Forecast, MAX_RESERVED_MESSAGES, Outgoing, PREFETCH_THRESHOLD, RandomSource,
    Setting, carry_out, execute, tell,
};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{End, Entry, Registers, Wiring};
use crate::semantics::configuration::Configuration;
use crate::semantics::pool::copy_words;
use crate::semantics::pool::{MAX_IN_TRANSIT, NIL};
use prefetch_index::prefetch_index;

/// Value of `last` for a channel with exactly one message.
const ALONE: u32 = NIL - 1;
const _: () = assert!(MAX_IN_TRANSIT <= ALONE);

/// A message in transit.
#[derive(Clone, Copy, Debug)]
struct Message<const K: usize> {
    /// The first message of its channel, and one just sent: its arrival. Another message: the position of the one after it; the
    /// last: the position of the second in the channel. A free position: the next free one.
    link: u32,
    number: MessageId,
    depth: u32,
    kind: u32,
    words: [i64; K],
}

/// All channels, and the scheduler's candidates.
pub(super) struct Firsts<'a, const K: usize, W> {
    setting: Setting<'a, W>,
    /// The first message of each non-empty channel, in the order of the scheduler's candidates: all, or all except the last.
    firsts: Vec<Message<K>>,
    /// The first message of a channel that is no candidate: the one that no alternative accepted.
    open: Option<Message<K>>,
    /// Messages that are not the first of their channels.
    behind: Vec<Message<K>>,
    /// First free position among them.
    free: u32,
    /// By arrival: the position of the last message; [`ALONE`] if that is the first, NIL if there is none.
    last: Vec<u32>,
    /// A message passed to a function that is not inlined into the loop. It is never passed by reference: the compiler would keep
    /// it in memory, and reading back piece by piece what has just been written took a quarter of all time.
    on_its_way: Message<K>,
    /// Messages that the current step sends.
    outbox: Vec<Message<K>>,
    /// Their depth.
    depth: u32,
    /// The number of the next message.
    number: MessageId,
    counts: Counts,
}

impl<const K: usize, W: Wiring> Outgoing<K> for Firsts<'_, K, W> {
    #[inline(always)]
    fn send(&mut self, arrival: u32, kind: u8, words: [i64; K]) {
        let message = self.made(arrival, kind.into(), words);
        self.outbox.push(message);
        self.counts.add::<K>(kind, self.setting.wiring.is_self(arrival), &words);
    }
}

impl<'a, const K: usize, W: Wiring> Firsts<'a, K, W> {
    /// Take all messages from the configuration. None, without effect, unless the candidates are the non-empty channels, each
    /// once.
    pub fn new(
        setting: Setting<'a, W>,
        configuration: &mut Configuration,
        candidates: &[u32],
    ) -> Option<Self> {
        let layout = &setting.instance.layout;
        let mut full: Vec<bool> =
            setting.instance.channels().map(|channel| !configuration.is_empty(channel)).collect();
        let each_once = candidates.iter().all(|candidate| std::mem::take(&mut full[*candidate as usize]));
        if !each_once || full.contains(&true) {
            return None;
        }
        // Unused memory costs nothing, whereas growing means copying.
        let room = layout.channels.min(MAX_RESERVED_MESSAGES) as usize;
        let mut channels = Firsts {
            setting,
            firsts: Vec::with_capacity(room.max(candidates.len())),
            open: None,
            behind: Vec::new(),
            free: NIL,
            last: Vec::new(),
            on_its_way: Message { link: NIL, number: MessageId(0), depth: 0, kind: 0, words: [0; K] },
            outbox: Vec::new(),
            depth: 0,
            number: configuration.next_message(),
            counts: Counts::new(setting.fast),
        };
        let mut behind = Vec::new();
        for channel in candidates.iter().map(|candidate| ChannelId(*candidate)) {
            let arrival = setting.wiring.arrival(channel);
            let before = behind.len();
            while let Some(head) = configuration.head(channel) {
                let mut words = [0; K];
                copy_words(&mut words, configuration.pool.words(head.slot));
                let (number, depth, kind) = (head.id, head.depth, head.kind);
                behind.push(Message { link: arrival, number, depth, kind, words });
                configuration.remove_head(channel, &head);
            }
            channels.firsts.push(behind.remove(before));
        }
        channels.last = configuration.lend_channels();
        for first in &channels.firsts {
            channels.last[first.link as usize] = ALONE;
        }
        for message in behind {
            channels.on_its_way = message;
            channels.queue();
        }
        Some(channels)
    }

    /// Return all messages to the configuration, and restore the candidates.
    pub fn empty(mut self, configuration: &mut Configuration, candidates: &mut Vec<u32>) {
        let wiring = self.setting.wiring;
        let last = std::mem::take(&mut self.last);
        if self.firsts.is_empty() && self.open.is_none() {
            configuration.return_channels(last);
        } else {
            configuration.return_channels(vec![NIL; last.len()]);
            for first in self.firsts.iter().chain(&self.open) {
                let channel = wiring.channel(first.link);
                let mut put_back = |message: &Message<K>| {
                    let Message { number, depth, kind, words, .. } = message;
                    configuration.put_back(channel, *kind, *number, *depth, words);
                };
                put_back(first);
                let last = last[first.link as usize];
                let mut place = last;
                while place != ALONE {
                    place = self.behind[place as usize].link;
                    put_back(&self.behind[place as usize]);
                    if place == last {
                        break;
                    }
                }
            }
        }
        candidates.clear();
        candidates.extend(self.firsts.iter().map(|first| wiring.channel(first.link).0));
        configuration.forget_numbers(self.number);
    }

    /// Create a message sent now.
    #[inline(always)]
    fn made(&mut self, arrival: u32, kind: u32, words: [i64; K]) -> Message<K> {
        let message = Message { link: arrival, number: self.number, depth: self.depth, kind, words };
        self.number = self.number.plus(1);
        self.counts.time = self.counts.time.max(self.depth);
        message
    }

    /// Append the message on its way to its channel, which is not empty.
    #[inline(never)]
    fn queue(&mut self) {
        let mut message = self.on_its_way;
        let place = if self.free == NIL { self.behind.len() as u32 } else { self.free };
        let last = std::mem::replace(&mut self.last[message.link as usize], place);
        message.link = if last == ALONE {
            place
        } else {
            std::mem::replace(&mut self.behind[last as usize].link, place)
        };
        match self.behind.get_mut(place as usize) {
            Some(free) => {
                self.free = free.link;
                *free = message;
            }
            None => self.behind.push(message),
        }
    }

    /// Make the second message of a channel, whose last is not the first, the first.
    #[inline(never)]
    fn move_up(&mut self, arrival: u32) -> Message<K> {
        let last = self.last[arrival as usize];
        let place = self.behind[last as usize].link;
        let first = self.behind[place as usize];
        if place == last {
            self.last[arrival as usize] = ALONE;
        } else {
            self.behind[last as usize].link = first.link;
        }
        self.behind[place as usize].link = self.free;
        self.free = place;
        Message { link: arrival, ..first }
    }

    /// Return the next message of a channel whose first one has been taken.
    #[inline(always)]
    fn next(&mut self, arrival: u32) -> Option<Message<K>> {
        let last = &mut self.last[arrival as usize];
        if *last == ALONE {
            *last = NIL;
            return None;
        }
        Some(self.move_up(arrival))
    }

    /// Append a message to its channel. Return whether it is the first there.
    #[inline(always)]
    fn enter(&mut self, message: Message<K>) -> bool {
        let last = &mut self.last[message.link as usize];
        if *last == NIL {
            *last = ALONE;
            return true;
        }
        self.on_its_way = message;
        self.queue();
        false
    }

    /// Complete a step that takes the first message of a channel and sends none.
    #[inline(always)]
    fn swallow(&mut self, arrival: u32) {
        if let Some(next) = self.next(arrival) {
            self.firsts.push(next);
        }
    }

    /// Complete a step that takes the first message of a channel and sends one. Return it if it becomes the last of the
    /// candidates.
    #[inline(always)]
    fn answer(&mut self, arrival: u32, message: Message<K>) -> Option<Message<K>> {
        let last = &mut self.last[arrival as usize];
        if *last != ALONE {
            self.on_its_way = message;
            self.answer_before_others(arrival);
            return None;
        }
        *last = NIL;
        self.enter(message).then_some(message)
    }

    /// The same if the channel has further messages.
    #[inline(never)]
    fn answer_before_others(&mut self, arrival: u32) {
        let message = self.on_its_way;
        let next = self.move_up(arrival);
        if self.enter(message) {
            self.firsts.push(message);
        }
        self.firsts.push(next);
    }

    /// Append the messages of the step to their channels. `served`: the channel whose first message has been taken; it becomes a
    /// candidate again after the others.
    fn post(&mut self, served: Option<u32>) {
        let mut next = served.and_then(|arrival| self.next(arrival));
        let mut outbox = std::mem::take(&mut self.outbox);
        for message in outbox.drain(..) {
            if next.is_none() && served == Some(message.link) {
                self.last[message.link as usize] = ALONE;
                next = Some(message);
            } else {
                let is_first = self.enter(message);
                self.firsts.extend(is_first.then_some(message));
            }
        }
        self.firsts.extend(next);
        self.outbox = outbox;
    }

    /// Prefetch the data of steps with candidate messages. The candidates themselves were prefetched by the previous forecast.
    #[inline(always)]
    fn fetch(
        &self,
        (words, stride): (&[i64], usize),
        heads: &[Head],
        Forecast { soon, later }: Forecast<impl Iterator<Item = u32> + Clone>,
    ) {
        for candidate in soon.clone().chain(later) {
            prefetch_index(&self.firsts, candidate as usize);
        }
        for first in soon.filter_map(|candidate| self.firsts.get(candidate as usize)) {
            let process = self.setting.wiring.receiver(first.link);
            prefetch_index(heads, process.index());
            prefetch_index(&self.last, first.link as usize);
            // If forwarded, the message is appended after this one.
            prefetch_index(&self.last, self.setting.wiring.send_only(process, 0) as usize);
            let block = process.index() * stride;
            prefetch_index(words, block);
            prefetch_index(words, block + stride - 1);
        }
    }

    /// Offer the first message of a channel. `newest`: becomes the last of the candidates, unless the last is among the others.
    #[inline(always)]
    fn offer(
        &mut self,
        (words, stride): (&mut [i64], usize),
        heads: &mut [Head],
        registers: &mut Registers,
        first: Message<K>,
        newest: &mut Option<Message<K>>,
    ) -> FastResult {
        let setting = self.setting;
        let arrival = first.link;
        let process = setting.wiring.receiver(arrival);
        let head = &mut heads[process.index()];
        let role = setting.fast.role(setting.instance, process);
        let entry = role.entry(first.kind, head.cell);
        tell(registers, head.id, first.words);
        let depth = first.depth.max(head.depth);
        self.depth = depth.saturating_add(1);
        match entry.end(registers) {
            End::DROP => {
                head.depth = depth;
                self.swallow(arrival);
            }
            End::FORWARD => {
                head.depth = depth;
                let to = setting.wiring.onward(process, first.kind as u8);
                self.counts.add_same(first.kind, setting.wiring.is_self(to), &first.words);
                let message = self.made(to, first.kind, first.words);
                *newest = self.answer(arrival, message);
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
                        let end = self.step(registers, entry, process, arrival, state);
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
                    Some((to, kind, words)) => {
                        self.counts.add::<K>(kind, setting.wiring.is_self(to), &words);
                        let message = self.made(to, kind.into(), words);
                        *newest = self.answer(arrival, message);
                    }
                    None => self.swallow(arrival),
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
        arrival: u32,
        state: &mut [i64],
    ) -> FastResult {
        self.setting.fetch(registers, entry, state, arrival);
        let end = execute(self.setting, registers, entry.code, process, state, self);
        match end {
            FastResult::Taken => copy_words(state, registers.as_slice()),
            FastResult::Passed => {}
            FastResult::Nobody | FastResult::Left => {
                self.unsend();
                return end;
            }
        }
        self.post(Some(arrival));
        end
    }
}

impl<'a, const K: usize, W: Wiring> InTransit<'a, K, W> for Firsts<'a, K, W> {
    #[inline(always)]
    fn setting(&self) -> Setting<'a, W> {
        self.setting
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }

    fn room(&self) -> usize {
        self.firsts.capacity().max(self.firsts.len()) + self.behind.len()
    }

    #[inline(always)]
    fn begin(&mut self, depth: u32) {
        self.depth = depth;
    }

    #[inline(always)]
    fn post_first(&mut self) {
        self.post(None);
    }

    #[cold]
    fn unsend(&mut self) {
        while let Some(Message { link, kind, words, .. }) = self.outbox.pop() {
            self.counts.subtract(kind as u8, self.setting.wiring.is_self(link), &words);
            self.number = self.number.minus(1);
        }
    }
}

impl<'a, const K: usize, W: Wiring, L: RandomSource> Delivery<'a, K, W, L> for Firsts<'a, K, W> {
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
        // The last candidate is kept in registers between steps: it usually replaces the chosen one, and reading back what has
        // just been written takes time.
        let mut newest = None;
        let mut taken = *steps;
        let ended = loop {
            if taken == pause {
                break None;
            }
            let choices = self.firsts.len() as u32 + u32::from(newest.is_some());
            if choices == 0 {
                break Some(Ended::Quiet);
            }
            let chosen = lot.below(choices) as usize;
            let first = match newest.take() {
                Some(newest) => match self.firsts.get_mut(chosen) {
                    Some(first) => std::mem::replace(first, newest),
                    None => newest,
                },
                None => self.firsts.swap_remove(chosen),
            };
            if far {
                // The number of messages in transit usually remains the same after a step.
                self.fetch((words, stride), heads, lot.forecast(choices));
            }
            let offered = self.offer((words, stride), heads, registers, first, &mut newest);
            if matches!(offered, FastResult::Nobody | FastResult::Left) {
                self.open = Some(first);
                let channel = self.setting.wiring.channel(first.link);
                let tried = usize::from(offered == FastResult::Nobody);
                break Some(Ended::LeftAt { channel, first: 0, tried });
            }
            taken += 1;
        };
        self.firsts.extend(newest);
        *steps = taken;
        ended
    }
}
