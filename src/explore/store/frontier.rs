//! The search frontier: configurations that have not been expanded, in the order in which they were found.

use crate::explore::store::interner::to_grow;
use crate::explore::store::state_arena::{StateArena, Width};
use crate::ids::StateId;
use std::ops::{Range, RangeInclusive};

/// A worker takes 1/`SHARES` of its equal share of the remaining work.
const SHARES: usize = 4;

/// A configuration that has not been expanded.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    pub state: StateId,
    pub depth: u32,
    pub hash: u64,
}

/// A frontier with its vectors, so that workers can expand it while others insert into the visited set.
#[derive(Debug)]
pub struct Frontier {
    list: Vec<Waiting>,
    keys: StateArena,
}

impl Frontier {
    /// Return an empty frontier. `components`: length of the vectors.
    pub fn new(components: usize) -> Frontier {
        Frontier { list: Vec::new(), keys: StateArena::new(components) }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.keys.clear();
    }

    /// Add a configuration whose vector is packed with this width.
    #[inline]
    pub fn push(&mut self, waiting: Waiting, width: Width, key: &[u8]) {
        self.list.push(waiting);
        self.keys.push_of(width, key);
    }

    /// Add a configuration with an unpacked vector.
    pub fn push_key(&mut self, waiting: Waiting, key: &[u32]) {
        self.list.push(waiting);
        self.keys.push(key);
    }

    /// Move the last configuration into `one`, which then contains nothing else.
    pub fn pop_into(&mut self, one: &mut Frontier) {
        self.take_into(self.len().saturating_sub(1), one);
    }

    /// Move this configuration into `one`, which then contains nothing else. The last one takes its place.
    pub fn take_into(&mut self, place: usize, one: &mut Frontier) {
        one.clear();
        if place < self.len() {
            let taken = self.list.swap_remove(place);
            one.push(taken, self.keys.width(), self.keys.packed(place));
            self.keys.copy_within(self.list.len(), place);
            self.keys.pop();
        }
    }

    /// Append all configurations of another frontier.
    pub fn append(&mut self, others: &mut Frontier) {
        for (place, waiting) in others.list.iter().enumerate() {
            self.push(*waiting, others.keys.width(), others.keys.packed(place));
        }
        others.clear();
    }

    /// Append all configurations of another frontier in reverse order.
    pub fn push_reversed(&mut self, others: &mut Frontier) {
        for (place, waiting) in others.list.iter().enumerate().rev() {
            self.push(*waiting, others.keys.width(), others.keys.packed(place));
        }
        others.clear();
    }

    pub fn all(&self) -> Part<'_> {
        Part { frontier: self, first: 0, len: self.len() }
    }

    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Waiting>() + self.keys.bytes()
    }

    /// Return the bytes needed temporarily if `more` configurations are added.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        to_grow(&self.list, more) + self.keys.bytes_to_grow(more)
    }
}

/// A contiguous slice of a frontier.
#[derive(Clone, Copy, Debug)]
pub struct Part<'f> {
    frontier: &'f Frontier,
    first: usize,
    len: usize,
}

impl<'f> Part<'f> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn waiting(&self) -> &'f [Waiting] {
        &self.frontier.list[self.first..][..self.len]
    }

    /// Return the width of the components, in bytes.
    pub fn width(&self) -> Width {
        self.frontier.keys.width()
    }

    /// Return a vector as stored.
    pub fn packed(&self, place: usize) -> &'f [u8] {
        self.frontier.keys.packed(self.first + place)
    }

    pub fn key(&self, place: usize, key: &mut Vec<u32>) {
        self.frontier.keys.get(self.first + place, key);
    }

    /// Return a subslice, clipped to the available configurations.
    pub fn slice(&self, range: Range<usize>) -> Part<'f> {
        let (start, end) = (range.start.min(self.len), range.end.min(self.len));
        Part { first: self.first + start, len: end.saturating_sub(start), ..*self }
    }

    /// Split into shares for `takers` workers. Large shares come first, since they contain more duplicates; later ones are
    /// smaller, so that all workers finish at about the same time.
    pub fn shares(self, takers: usize, sizes: RangeInclusive<usize>) -> impl Iterator<Item = Part<'f>> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let left = self.len - start;
            let size = (left / (SHARES * takers)).clamp(*sizes.start(), *sizes.end());
            let part = self.slice(start..start + size);
            start += part.len;
            (!part.is_empty()).then_some(part)
        })
    }

    /// Split into slices of `size` configurations; the last may be shorter.
    pub fn chunks(self, size: usize) -> impl Iterator<Item = Part<'f>> {
        (0..self.len).step_by(size).map(move |start| self.slice(start..start + size))
    }
}
