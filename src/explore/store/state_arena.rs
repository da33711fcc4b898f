//! Arena of vectors of small numbers, contiguous in memory, with the same number of bytes for every component.

use crate::explore::store::interner::to_grow;
use prefetch_index::prefetch_index;

/// The number of bytes of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    One = 1,
    Two = 2,
    Four = 4,
}

impl Width {
    /// Return the width that the numbers of a vector need.
    #[inline]
    pub fn of(key: &[u32]) -> Width {
        // The highest bit of all numbers decides.
        match key.iter().fold(0, |bits, number| bits | number) {
            0..=0xff => Width::One,
            0x100..=0xffff => Width::Two,
            _ => Width::Four,
        }
    }
}

/// Contiguous vectors of the same length.
#[derive(Clone, Debug)]
pub struct StateArena {
    width: Width,
    /// Bytes of one vector.
    size: usize,
    bytes: Vec<u8>,
}

impl StateArena {
    pub fn new(components: usize) -> StateArena {
        StateArena { width: Width::One, size: components, bytes: Vec::new() }
    }

    /// Return an empty arena with capacity for `vectors` vectors.
    fn with_room(components: usize, width: Width, vectors: usize) -> StateArena {
        let size = components * width as usize;
        StateArena { width, size, bytes: Vec::with_capacity(vectors * size) }
    }

    pub fn width(&self) -> Width {
        self.width
    }

    /// Remove all vectors; keep the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    #[inline]
    pub fn push(&mut self, key: &[u32]) {
        let needed = Width::of(key);
        if needed > self.width {
            self.widen(needed);
        }
        pack(self.width, key, &mut self.bytes);
    }

    /// Add a vector as stored.
    #[inline]
    pub fn push_packed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Add a packed vector of any width; the arena becomes at least as wide.
    #[inline]
    pub fn push_of(&mut self, width: Width, bytes: &[u8]) {
        if width > self.width {
            self.widen(width);
        }
        if width == self.width {
            return self.push_packed(bytes);
        }
        let mut key = Vec::new();
        unpack(width, bytes, &mut key);
        self.push(&key);
    }

    pub fn bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Return the bytes needed temporarily if `more` vectors are added.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        to_grow(&self.bytes, more.saturating_mul(self.size))
    }

    /// Add a copy of a stored vector, and return it for modification.
    #[inline]
    pub fn push_copy<const N: usize>(&mut self, cells: &[[u8; N]]) -> &mut [[u8; N]] {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(cells.as_flattened());
        self.bytes[start..].as_chunks_mut().0
    }

    /// Remove the last vector.
    pub fn pop(&mut self) {
        self.bytes.truncate(self.bytes.len() - self.size);
    }

    /// Return a vector as stored.
    #[inline]
    pub fn packed(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.size..][..self.size]
    }

    /// Prefetch the beginning of a vector.
    #[inline]
    pub fn fetch(&self, index: usize) {
        prefetch_index(&self.bytes, index * self.size);
    }

    /// Overwrite a vector with another one.
    pub fn copy_within(&mut self, from: usize, to: usize) {
        let size = self.size;
        self.bytes.copy_within(from * size..(from + 1) * size, to * size);
    }

    /// Keep the first `len` vectors.
    pub fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len * self.size);
    }

    pub fn get(&self, index: usize, key: &mut Vec<u32>) {
        unpack(self.width, self.packed(index), key);
    }

    /// Increase the width of all components.
    #[cold]
    pub fn widen(&mut self, width: Width) {
        let mut bytes = Vec::with_capacity(self.bytes.capacity() / self.width as usize * width as usize);
        let mut key = Vec::new();
        // The vectors are contiguous, so they are converted as one long vector.
        unpack(self.width, &self.bytes, &mut key);
        pack(width, &key, &mut bytes);
        self.size = self.size / self.width as usize * width as usize;
        (self.bytes, self.width) = (bytes, width);
    }
}

/// Vectors in each piece, as a power of two.
const TOGETHER: u32 = 12;

/// A growing store of vectors, in pieces of constant address: nothing is copied, and no memory is touched twice.
#[derive(Debug)]
pub struct Kept {
    components: usize,
    pieces: Vec<StateArena>,
    width: Width,
    len: usize,
}

impl Kept {
    pub fn new(components: usize) -> Kept {
        Kept { components, pieces: Vec::new(), width: Width::One, len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn width(&self) -> Width {
        self.width
    }

    /// Return the bytes in use.
    pub fn bytes(&self) -> usize {
        self.len * self.components * self.width as usize
    }

    /// Add a vector as stored.
    #[inline]
    pub fn push_packed(&mut self, bytes: &[u8]) {
        if self.len.is_multiple_of(1 << TOGETHER) {
            self.pieces.push(StateArena::with_room(self.components, self.width, 1 << TOGETHER));
        }
        self.pieces[self.len >> TOGETHER].push_packed(bytes);
        self.len += 1;
    }

    /// Return a vector as stored.
    #[inline]
    pub fn packed(&self, index: usize) -> &[u8] {
        self.pieces[index >> TOGETHER].packed(index & ((1 << TOGETHER) - 1))
    }

    /// Prefetch a vector.
    #[inline]
    pub fn fetch(&self, index: usize) {
        self.pieces[index >> TOGETHER].fetch(index & ((1 << TOGETHER) - 1));
    }

    pub fn get(&self, index: usize, key: &mut Vec<u32>) {
        unpack(self.width, self.packed(index), key);
    }

    /// Increase the width of all components.
    #[cold]
    pub fn widen(&mut self, width: Width) {
        self.pieces.iter_mut().for_each(|piece| piece.widen(width));
        self.width = width;
    }
}

/// Unpack a component of `N` bytes.
#[inline]
pub fn number<const N: usize>(cell: [u8; N]) -> u32 {
    let mut bytes = [0; 4];
    bytes[..N].copy_from_slice(&cell);
    u32::from_le_bytes(bytes)
}

/// Pack a component into `N` bytes, without loss if it [`fits`].
#[inline]
pub fn cell<const N: usize>(number: u32) -> [u8; N] {
    let mut cell = [0; N];
    cell.copy_from_slice(&number.to_le_bytes()[..N]);
    cell
}

#[inline]
pub fn fits<const N: usize>(number: u32) -> bool {
    u64::from(number) >> (8 * N) == 0
}

/// Append the components with this width, which must suffice.
#[inline]
pub fn pack(width: Width, key: &[u32], bytes: &mut Vec<u8>) {
    fn put<const N: usize>(key: &[u32], bytes: &mut [u8]) {
        let cells = bytes.as_chunks_mut().0;
        cells.iter_mut().zip(key).for_each(|(to, number)| *to = cell::<N>(*number));
    }
    let start = bytes.len();
    bytes.resize(start + key.len() * width as usize, 0);
    let new = &mut bytes[start..];
    match width {
        Width::One => put::<1>(key, new),
        Width::Two => put::<2>(key, new),
        Width::Four => put::<4>(key, new),
    }
}

pub fn unpack(width: Width, bytes: &[u8], key: &mut Vec<u32>) {
    key.clear();
    match width {
        Width::One => key.extend(bytes.as_chunks::<1>().0.iter().copied().map(number)),
        Width::Two => key.extend(bytes.as_chunks::<2>().0.iter().copied().map(number)),
        Width::Four => key.extend(bytes.as_chunks::<4>().0.iter().copied().map(number)),
    }
}

/// Return whether the vectors are equal. They are short and mostly equal, so a call of `memcmp` would take longer.
#[inline]
pub fn are_equal(a: &[u8], b: &[u8]) -> bool {
    fn chunks<const N: usize>(a: &[[u8; N]], b: &[[u8; N]]) -> bool {
        a.iter().zip(b).all(|(a, b)| a == b)
    }
    let ((a, end_a), (b, end_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let same_length = a.len() == b.len() && end_a.len() == end_b.len();
    let ((a4, end_a), (b4, end_b)) = (end_a.as_chunks::<4>(), end_b.as_chunks::<4>());
    same_length && chunks(a, b) && chunks(a4, b4) && end_a.iter().zip(end_b).all(|(a, b)| a == b)
}
