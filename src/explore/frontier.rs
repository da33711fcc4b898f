//! Configurations that wait for their successors, in the order in which they were met.

use super::table::to_grow;
use super::vectors::{Vectors, Width};
use std::ops::Range;

/// A configuration that waits for its successors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub state: u32,
    pub depth: u32,
    pub hash: u64,
}

/// Those that wait, with their vectors: so that their successors can be found while others put new ones into the set.
#[derive(Debug)]
pub(super) struct Frontier {
    list: Vec<Waiting>,
    keys: Vectors,
}

impl Frontier {
    /// `components`: length of the vectors.
    pub fn new(components: usize) -> Frontier {
        Frontier { list: Vec::new(), keys: Vectors::new(components) }
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

    /// Adds one whose vector has its components in so many bytes each.
    #[inline]
    pub fn push(&mut self, waiting: Waiting, width: Width, key: &[u8]) {
        self.list.push(waiting);
        self.keys.push_of(width, key);
    }

    /// The same with its numbers.
    pub fn push_key(&mut self, waiting: Waiting, key: &[u32]) {
        self.list.push(waiting);
        self.keys.push(key);
    }

    /// Takes away the last, and puts it where it is the only one.
    pub fn pop_into(&mut self, one: &mut Frontier) {
        one.clear();
        if let Some(last) = self.list.pop() {
            one.push(last, self.keys.width(), self.keys.packed(self.list.len()));
            self.keys.pop();
        }
    }

    /// Takes all of another, the last first.
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

    /// Bytes more for a while if so many come.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        to_grow(&self.list, more) + self.keys.bytes_to_grow(more)
    }
}

/// Some of them behind one another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'f> {
    frontier: &'f Frontier,
    first: usize,
    len: usize,
}

impl<'f> Part<'f> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn waiting(&self) -> &'f [Waiting] {
        &self.frontier.list[self.first..][..self.len]
    }

    /// Bytes of each component of the vectors.
    pub fn width(&self) -> Width {
        self.frontier.keys.width()
    }

    /// A vector in the form in which it is kept.
    pub fn packed(&self, place: usize) -> &'f [u8] {
        self.frontier.keys.packed(self.first + place)
    }

    pub fn key(&self, place: usize, key: &mut Vec<u32>) {
        self.frontier.keys.get(self.first + place, key);
    }

    /// So many of them, from this one on, as far as there are any.
    pub fn slice(&self, range: Range<usize>) -> Part<'f> {
        let (start, end) = (range.start.min(self.len), range.end.min(self.len));
        Part { first: self.first + start, len: end.saturating_sub(start), ..*self }
    }

    /// Always so many, but for the last.
    pub fn chunks(self, size: usize) -> impl Iterator<Item = Part<'f>> {
        (0..self.len).step_by(size).map(move |start| self.slice(start..start + size))
    }
}
