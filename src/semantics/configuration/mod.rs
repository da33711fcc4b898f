//! A configuration (global state): local states of all processes, and the messages in transit.

use super::environment::Environment;
use super::pool::{MessageRef, NIL, Pool};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::{CRASHED, HALTED, NOT_STARTED, PC, Slot, Value};
use crate::semantics::pool::copy_words;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

mod joint;
mod meaning;
mod parts;
pub mod surroundings;

/// Bit of a process's last word: no message has reached it yet, so it may still wake up spontaneously.
const ASLEEP: i64 = 1 << 32;
/// Bit of a process's last word: it has woken up spontaneously.
const WOKE: i64 = 1 << 33;

/// Return a process's last word after a message with this causal depth has reached it.
#[inline]
pub(super) fn reached(own: i64, depth: u32) -> i64 {
    i64::from(depth.max(own as u32)) | (own & WOKE)
}

/// A message between two processes outside the algorithm, as scenarios send it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    pub from: ProcessId,
    pub to: ProcessId,
    /// The sender's clock, if the program stamps notes.
    pub stamp: Option<i64>,
}

/// A configuration, with value semantics: it can be cloned, compared, and hashed. Two configurations are equal if they have the
/// same meaning, independent of the order in which messages are stored. Message numbers and causal depths, which runs also
/// record, do not count for equality.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// The words of each process, then one internal word: the causal depth in the low half, `ASLEEP` and `WOKE` above it. They
    /// are contiguous, so that a step accesses one cache line.
    words: Vec<i64>,
    values: Vec<Value>,
    word_stride: u32,
    value_stride: u32,
    processes: u32,
    /// By channel: the last message, NIL if it is empty. The messages of a channel form a circular list, so that four bytes give
    /// both ends.
    last: Vec<u32>,
    pub(super) pool: Pool,
    /// Number of messages in all channels.
    in_flight: u64,
    next_message: MessageId,
    /// Processes below this position have started: they start in the order of positions.
    pub(super) started: u32,
    pub(super) notes: Vec<Note>,
    pub(super) environment: Environment,
}

impl Configuration {
    /// Return the initial configuration: no process has started, no messages are in transit.
    pub fn initial(instance: &Instance) -> Configuration {
        let layout = &instance.layout;
        let n = instance.n() as usize;
        let woken = instance.script.as_ref().map(|script| &script.woken).filter(|woken| !woken.is_empty());
        let is_initiator = |p: usize| match woken {
            Some(woken) => woken.contains(&ProcessId(p as u32)),
            None => instance.initiators[p],
        };
        let mut words = Vec::with_capacity(n * layout.word_stride);
        let mut values = Vec::with_capacity(n * layout.values);
        // Words that all processes of a role have initially.
        let blocks: Vec<Vec<i64>> = (instance.program.roles.iter())
            .map(|role| {
                let mut block = role.initial_words[..role.words as usize].to_vec();
                block.resize(layout.word_stride, 0);
                block[PC as usize] = NOT_STARTED;
                block
            })
            .collect();
        for p in 0..n {
            let role = instance.role_of(ProcessId(p as u32));
            words.extend_from_slice(&blocks[role]);
            if instance.tables[role].wakes
                && is_initiator(p)
                && let Some(own) = words.last_mut()
            {
                *own = ASLEEP;
            }
            let role = &instance.program.roles[role];
            values.extend_from_slice(&role.initial_values[..role.values as usize]);
            values.resize((p + 1) * layout.values, Value::None);
        }
        let mut initial = Configuration {
            words,
            values,
            word_stride: layout.word_stride as u32,
            value_stride: layout.values as u32,
            processes: instance.n(),
            last: vec![NIL; layout.channels as usize],
            pool: Pool::new(layout.message_words, layout.message_values),
            in_flight: 0,
            next_message: MessageId(0),
            started: 0,
            notes: Vec::new(),
            environment: Environment::new(instance),
        };
        for (process, slot, value) in &instance.initially {
            initial.set(*process, *slot, value);
        }
        initial
    }

    /// Set a variable from outside: scenarios' `initially`.
    pub fn set(&mut self, process: ProcessId, slot: Slot, value: &Value) {
        match slot {
            Slot::Word(s) => self.words_mut(process)[s as usize] = value.word(),
            Slot::Value(s) => self.values_mut(process)[s as usize] = value.clone(),
        }
    }

    /// Return the program's words of a process (index: word slot).
    #[inline]
    pub fn words(&self, process: ProcessId) -> &[i64] {
        let start = process.index() * self.word_stride as usize;
        &self.words[start..start + self.word_stride as usize - 1]
    }

    /// Return the words for changes from outside: scenarios' `initially`.
    #[inline]
    pub fn words_mut(&mut self, process: ProcessId) -> &mut [i64] {
        let start = process.index() * self.word_stride as usize;
        &mut self.words[start..start + self.word_stride as usize - 1]
    }

    /// Return the compound values of a process (index: value slot).
    #[inline]
    pub fn values(&self, process: ProcessId) -> &[Value] {
        let start = process.index() * self.value_stride as usize;
        &self.values[start..start + self.value_stride as usize]
    }

    #[inline]
    pub fn values_mut(&mut self, process: ProcessId) -> &mut [Value] {
        let start = process.index() * self.value_stride as usize;
        &mut self.values[start..start + self.value_stride as usize]
    }

    #[inline]
    fn own(&self, process: ProcessId) -> i64 {
        self.words[(process.index() + 1) * self.word_stride as usize - 1]
    }

    #[inline]
    fn own_mut(&mut self, process: ProcessId) -> &mut i64 {
        &mut self.words[(process.index() + 1) * self.word_stride as usize - 1]
    }

    /// Return the waiting point of a process (index into `Role::waits`), HALTED, NOT_STARTED or CRASHED.
    #[inline]
    pub fn pc(&self, process: ProcessId) -> i64 {
        self.words[process.index() * self.word_stride as usize + PC as usize]
    }

    pub fn halted(&self, process: ProcessId) -> bool {
        self.pc(process) == HALTED
    }

    /// Return whether the process has crashed and not restarted.
    #[inline]
    pub fn crashed(&self, process: ProcessId) -> bool {
        self.pc(process) == CRASHED
    }

    pub fn started(&self, process: ProcessId) -> bool {
        self.pc(process) != NOT_STARTED
    }

    /// Return the process that starts next, if not all have started.
    pub fn next_to_start(&self) -> Option<ProcessId> {
        (self.started < self.processes).then_some(ProcessId(self.started))
    }

    /// Return whether the process may still wake up spontaneously.
    #[inline]
    pub fn may_wake(&self, process: ProcessId) -> bool {
        self.own(process) & ASLEEP != 0
    }

    pub(super) fn set_asleep(&mut self, process: ProcessId, asleep: bool) {
        let own = self.own_mut(process);
        *own = if asleep { *own | ASLEEP } else { *own & !ASLEEP };
    }

    /// Return whether the process has woken up spontaneously in this run.
    #[inline]
    pub fn has_woken(&self, process: ProcessId) -> bool {
        self.own(process) & WOKE != 0
    }

    pub(super) fn wake(&mut self, process: ProcessId) {
        let own = self.own_mut(process);
        *own = (*own & !ASLEEP) | WOKE;
    }

    /// Set whether a process may still wake up, without executing a step: scenarios decide when processes wake up.
    pub fn set_may_wake(&mut self, process: ProcessId, asleep: bool) {
        self.set_asleep(process, asleep);
    }

    /// Return the length of the longest causal chain of messages received by the process.
    #[inline]
    pub fn depth(&self, process: ProcessId) -> u32 {
        self.own(process) as u32
    }

    /// Record that a message has reached the process: update its causal depth; it can no longer wake up spontaneously.
    #[inline]
    pub(super) fn reached(&mut self, process: ProcessId, depth: u32) {
        let own = self.own_mut(process);
        *own = self::reached(*own, depth);
    }

    /// Return the slots of the messages of a channel, first to last.
    #[inline]
    pub(super) fn slots(&self, channel: ChannelId) -> Slots<'_> {
        let last = self.last[channel.index()];
        Slots { pool: &self.pool, last, next: if last == NIL { NIL } else { self.pool.next(last) } }
    }

    /// Return the slot at the head of a non-empty channel.
    #[inline]
    pub(super) fn first_slot(&self, channel: ChannelId) -> u32 {
        self.pool.next(self.last[channel.index()])
    }

    /// Return the messages of a channel, first to last.
    pub fn channel(&self, channel: ChannelId) -> impl Iterator<Item = MessageRef<'_>> {
        self.slots(channel).map(|slot| self.pool.message(slot))
    }

    #[inline]
    pub fn is_empty(&self, channel: ChannelId) -> bool {
        self.last[channel.index()] == NIL
    }

    /// Return the number of messages in a channel.
    #[inline]
    pub(crate) fn messages_in(&self, channel: ChannelId) -> usize {
        self.slots(channel).count()
    }

    /// Return whether the maximum number of messages is in transit.
    pub fn is_full(&self) -> bool {
        self.pool.is_full()
    }

    /// Return all non-empty channels, ascending.
    pub fn busy_channels(&self) -> impl Iterator<Item = ChannelId> + '_ {
        (0..).map(ChannelId).zip(&self.last).filter(|(_, last)| **last != NIL).map(|(c, _)| c)
    }

    /// Return the number of messages in transit, without notes.
    #[inline]
    pub fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Reset the next message number, after messages have been discarded before sending.
    pub(super) fn forget_numbers(&mut self, next: MessageId) {
        self.next_message = next;
    }

    /// Return the number that the next message will have.
    pub fn next_message(&self) -> MessageId {
        self.next_message
    }

    /// Return the state of the environment: rounds, clock, faults.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Return the current instant; 0 if the model has no time.
    pub fn now(&self) -> u64 {
        self.environment.clock.as_ref().map_or(0, |clock| clock.now())
    }

    /// Set the current instant, without a change of timers and messages.
    pub fn set_now(&mut self, now: u64) {
        if let Some(clock) = &mut self.environment.clock {
            clock.set_now(now);
        }
    }

    /// Let time pass before a step.
    pub fn advance_time(&mut self, time: u64) {
        self.set_now(self.now().saturating_add(time));
    }

    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Return a fresh message number.
    #[inline]
    pub(super) fn number_message(&mut self) -> MessageId {
        let id = self.next_message;
        self.next_message = id.plus(1);
        id
    }

    /// Append the message in a slot to a channel.
    #[inline(always)]
    pub(super) fn append(&mut self, channel: ChannelId, slot: u32) {
        self.in_flight += 1;
        let last = &mut self.last[channel.index()];
        if *last == NIL {
            self.pool.set_next(slot, slot);
        } else {
            let first = self.pool.next(*last);
            self.pool.set_next(slot, first);
            self.pool.set_next(*last, slot);
        }
        *last = slot;
    }

    /// Take the table of last messages, in which all channels must be empty, for a component that stores channels elsewhere for a
    /// while.
    pub(super) fn lend_channels(&mut self) -> Vec<u32> {
        debug_assert!(self.last.iter().all(|last| *last == NIL));
        std::mem::take(&mut self.last)
    }

    /// Return the table, with all channels empty.
    pub(super) fn return_channels(&mut self, last: Vec<u32>) {
        self.last = last;
    }

    /// Return the last message of a channel and the header of its first: slot, kind, number, depth.
    #[inline]
    pub(super) fn head(&self, channel: ChannelId) -> Option<Head> {
        let last = self.last[channel.index()];
        if last == NIL {
            return None;
        }
        let slot = self.pool.next(last);
        let (next, kind, id, depth) = self.pool.header(slot);
        Some(Head { last, slot, next, kind, id, depth })
    }

    /// Remove the first message, given its header.
    #[inline]
    pub(super) fn remove_head(&mut self, channel: ChannelId, head: &Head) {
        self.in_flight -= 1;
        if head.slot == head.last {
            self.last[channel.index()] = NIL;
        } else {
            self.pool.set_next(head.last, head.next);
        }
        self.pool.release(head.slot);
    }

    /// The same for the message at a position: `last` is then the previous one.
    #[inline]
    pub(super) fn at(&self, channel: ChannelId, position: u32) -> Option<Head> {
        let mut last = self.last[channel.index()];
        if last == NIL {
            return None;
        }
        for _ in 0..position {
            last = self.pool.next(last);
        }
        let slot = self.pool.next(last);
        let (next, kind, id, depth) = self.pool.header(slot);
        Some(Head { last, slot, next, kind, id, depth })
    }

    /// Remove the message at a position, given its header.
    #[inline]
    pub(super) fn remove_at(&mut self, channel: ChannelId, position: u32, head: &Head) {
        if position == 0 {
            self.remove_head(channel, head);
        } else {
            self.remove(channel, position);
        }
    }

    /// Append a message that was taken out before, with its number.
    pub(super) fn put_back(
        &mut self,
        channel: ChannelId,
        kind: u32,
        id: MessageId,
        depth: u32,
        words: &[i64],
    ) {
        let slot = self.pool.take(kind, id, depth);
        copy_words(self.pool.words_mut(slot), words);
        self.append(channel, slot);
    }

    /// Return whether these messages, in FIFO order within each channel, are numbered consecutively from `first`.
    pub(super) fn numbered_in(&self, order: &VecDeque<u32>, first: MessageId) -> bool {
        let mut heads: FxHashMap<u32, u32> = FxHashMap::default();
        (0u32..).zip(order).all(|(i, channel)| {
            let last = self.last[*channel as usize];
            if last == NIL {
                return false;
            }
            let slot = *heads.get(channel).unwrap_or(&self.pool.next(last));
            heads.insert(*channel, self.pool.next(slot));
            self.pool.id(slot) == first.plus(i)
        })
    }

    /// Return the words of all processes, each with its internal word, and the distance between two processes.
    #[inline]
    pub(super) fn blocks(&mut self) -> (&mut [i64], usize) {
        (&mut self.words, self.word_stride as usize)
    }

    /// Return the words of a process with its internal word.
    #[inline]
    pub(super) fn block(&self, process: ProcessId) -> &[i64] {
        let start = process.index() * self.word_stride as usize;
        &self.words[start..start + self.word_stride as usize]
    }

    /// Store the words of a process that a message has reached; combines `words_mut` and `reached`.
    #[inline]
    pub(super) fn store_reached(&mut self, process: ProcessId, words: &[i64], depth: u32) {
        let start = process.index() * self.word_stride as usize;
        let block = &mut self.words[start..start + self.word_stride as usize];
        if let Some((own, block)) = block.split_last_mut() {
            copy_words(block, words);
            *own = reached(*own, depth);
        }
    }

    /// Remove the message at a position of a channel, and free its slot.
    #[inline]
    pub(super) fn remove(&mut self, channel: ChannelId, position: u32) {
        self.in_flight -= 1;
        let last = self.last[channel.index()];
        let mut before = last;
        for _ in 0..position {
            before = self.pool.next(before);
        }
        let slot = self.pool.next(before);
        if slot == before {
            self.last[channel.index()] = NIL;
        } else {
            self.pool.set_next(before, self.pool.next(slot));
            if slot == last {
                self.last[channel.index()] = before;
            }
        }
        self.pool.release(slot);
    }

    /// Insert the message in a slot at the front of a channel.
    pub(super) fn insert_first(&mut self, channel: ChannelId, slot: u32) {
        let last = self.last[channel.index()];
        self.append(channel, slot);
        // Channels are circular lists: the first message follows the last one.
        if last != NIL {
            self.last[channel.index()] = last;
        }
    }

    /// Insert a message directly after the one at a position of its channel.
    pub(super) fn insert_behind(&mut self, channel: ChannelId, position: u32, slot: u32) {
        self.in_flight += 1;
        let last = self.last[channel.index()];
        let mut before = self.pool.next(last);
        for _ in 0..position {
            before = self.pool.next(before);
        }
        let next = self.pool.next(before);
        self.pool.set_next(slot, next);
        self.pool.set_next(before, slot);
        if before == last {
            self.last[channel.index()] = slot;
        }
    }

    /// Return the number of bytes that this configuration owns, spare capacity included.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<i64>()
            + self.values.capacity() * size_of::<Value>()
            + self.last.capacity() * size_of::<u32>()
            + self.notes.capacity() * size_of::<Note>()
            + self.pool.bytes()
            + self.environment.bytes()
    }
}

/// The first message of a channel, and the last, which closes the circular list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub last: u32,
    pub slot: u32,
    pub next: u32,
    pub kind: u32,
    pub id: MessageId,
    pub depth: u32,
}

pub(super) struct Slots<'a> {
    pool: &'a Pool,
    last: u32,
    next: u32,
}

impl Iterator for Slots<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let slot = self.next;
        if slot == NIL {
            return None;
        }
        self.next = if slot == self.last { NIL } else { self.pool.next(slot) };
        Some(slot)
    }
}
