//! Message pool: reusable slots of one size, linked by their owners.

use crate::ids::MessageId;
use crate::ir::Value;

/// No slot.
pub(super) const NIL: u32 = u32::MAX;

/// Maximum number of messages in transit, up to those of one command: one for each of 20 million links. They take half a gigabyte
/// if they contain one word, and two if they contain values.
pub(super) const MAX_IN_TRANSIT: u32 = 20_000_000;

/// Words before those of the message: `next` and kind, number and depth.
const HEADER: usize = 2;

/// A pool of messages. Every slot has room for the largest message of the program. Unused words are zero, unused values `none`,
/// so that slots can be compared as a whole.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    words: Vec<i64>,
    values: Vec<Value>,
    stride: u32,
    value_stride: u32,
    /// First free slot.
    free: u32,
    slots: u32,
}

impl Pool {
    pub fn new(message_words: usize, message_values: usize) -> Pool {
        Pool {
            words: Vec::new(),
            values: Vec::new(),
            stride: (HEADER + message_words) as u32,
            value_stride: message_values as u32,
            free: NIL,
            slots: 0,
        }
    }

    /// Remove all messages, and keep the capacity.
    pub fn clear(&mut self) {
        self.words.clear();
        self.values.clear();
        (self.free, self.slots) = (NIL, 0);
    }

    /// Return whether the maximum number of messages is in transit.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.slots >= MAX_IN_TRANSIT && self.free == NIL
    }

    /// Allocate a slot with this header.
    #[inline(always)]
    pub fn take(&mut self, kind: u32, id: MessageId, depth: u32) -> u32 {
        let slot = self.free;
        let slot = if slot != NIL {
            self.free = self.next(slot);
            slot
        } else {
            self.grow()
        };
        let start = slot as usize * self.stride as usize;
        let words = &mut self.words[start..start + self.stride as usize];
        words[0] = i64::from(kind) << 32 | i64::from(NIL);
        words[1] = i64::from(depth) << 32 | i64::from(id.0);
        slot
    }

    /// The same for a message of one word, in a program whose messages all fit one word.
    #[inline]
    pub fn take_word(&mut self, kind: u32, id: MessageId, depth: u32, word: i64) -> u32 {
        let slot = if self.free != NIL { self.free } else { self.grow() };
        let start = slot as usize * (HEADER + 1);
        let words = &mut self.words[start..start + HEADER + 1];
        if slot == self.free {
            self.free = words[0] as u32;
        }
        words[0] = i64::from(kind) << 32 | i64::from(NIL);
        words[1] = i64::from(depth) << 32 | i64::from(id.0);
        words[2] = word;
        slot
    }

    /// Return the header of a message: next, kind, number, depth.
    #[inline]
    pub fn header(&self, slot: u32) -> (u32, u32, MessageId, u32) {
        let start = slot as usize * self.stride as usize;
        let words = &self.words[start..start + HEADER];
        (words[0] as u32, (words[0] >> 32) as u32, MessageId(words[1] as u32), (words[1] >> 32) as u32)
    }

    #[inline]
    pub fn word(&self, slot: u32, place: u16) -> i64 {
        self.words[slot as usize * self.stride as usize + HEADER + place as usize]
    }

    #[cold]
    fn grow(&mut self) -> u32 {
        assert!(self.slots < NIL - 1, "more than 2^32 messages in transit");
        self.words.extend(std::iter::repeat_n(0, self.stride as usize));
        self.values.extend(std::iter::repeat_n(Value::None, self.value_stride as usize));
        self.slots += 1;
        self.slots - 1
    }

    #[inline(always)]
    pub fn release(&mut self, slot: u32) {
        self.set_next(slot, self.free);
        self.free = slot;
        if self.value_stride > 0 {
            self.values_mut(slot).fill(Value::None);
        }
    }

    #[inline]
    pub fn next(&self, slot: u32) -> u32 {
        self.words[slot as usize * self.stride as usize] as u32
    }

    #[inline]
    pub fn set_next(&mut self, slot: u32, next: u32) {
        let word = &mut self.words[slot as usize * self.stride as usize];
        *word = *word & !0xffff_ffff | i64::from(next);
    }

    #[inline]
    pub fn kind(&self, slot: u32) -> u32 {
        (self.words[slot as usize * self.stride as usize] >> 32) as u32
    }

    #[inline]
    pub fn depth(&self, slot: u32) -> u32 {
        (self.words[slot as usize * self.stride as usize + 1] >> 32) as u32
    }

    #[inline]
    pub fn id(&self, slot: u32) -> MessageId {
        MessageId(self.words[slot as usize * self.stride as usize + 1] as u32)
    }

    #[inline]
    pub fn words(&self, slot: u32) -> &[i64] {
        let start = slot as usize * self.stride as usize;
        &self.words[start + HEADER..start + self.stride as usize]
    }

    #[inline]
    pub fn words_mut(&mut self, slot: u32) -> &mut [i64] {
        let start = slot as usize * self.stride as usize;
        &mut self.words[start + HEADER..start + self.stride as usize]
    }

    #[inline]
    pub fn values(&self, slot: u32) -> &[Value] {
        let start = slot as usize * self.value_stride as usize;
        &self.values[start..start + self.value_stride as usize]
    }

    #[inline]
    pub fn values_mut(&mut self, slot: u32) -> &mut [Value] {
        let start = slot as usize * self.value_stride as usize;
        &mut self.values[start..start + self.value_stride as usize]
    }

    pub fn message(&self, slot: u32) -> MessageRef<'_> {
        MessageRef {
            id: self.id(slot),
            kind: self.kind(slot),
            depth: self.depth(slot),
            words: self.words(slot),
            values: self.values(slot),
        }
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<i64>() + self.values.capacity() * size_of::<Value>()
    }
}

/// A message in a channel.
#[derive(Clone, Copy, Debug)]
pub struct MessageRef<'a> {
    /// Its number in the order of sending.
    pub id: MessageId,
    pub kind: u32,
    /// Length of the longest causal chain of messages that ends with it.
    pub depth: u32,
    pub words: &'a [i64],
    pub values: &'a [Value],
}

/// Copy as many words as the shorter slice has. Processes have few: the usual numbers need no call and no loop.
#[inline(always)]
pub(super) fn copy_words(to: &mut [i64], from: &[i64]) {
    let len = to.len().min(from.len());
    match len {
        1 => to[0] = from[0],
        2 => to[..2].copy_from_slice(&from[..2]),
        3 => to[..3].copy_from_slice(&from[..3]),
        4 => to[..4].copy_from_slice(&from[..4]),
        5 => to[..5].copy_from_slice(&from[..5]),
        6 => to[..6].copy_from_slice(&from[..6]),
        len => to[..len].copy_from_slice(&from[..len]),
    }
}
