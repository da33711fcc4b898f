//! Vectors of small numbers in one piece of memory, each component in as many bytes as the greatest number met needs.

/// Bytes of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Width {
    One = 1,
    Two = 2,
    Four = 4,
}

impl Width {
    /// What the numbers of a vector need.
    #[inline]
    pub fn of(key: &[u32]) -> Width {
        // The highest bit of all decides.
        match key.iter().fold(0, |bits, number| bits | number) {
            0..=0xff => Width::One,
            0x100..=0xffff => Width::Two,
            _ => Width::Four,
        }
    }
}

/// Vectors of the same length behind one another.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    components: usize,
    width: Width,
    bytes: Vec<u8>,
}

impl Vectors {
    pub fn new(components: usize) -> Vectors {
        Vectors { components, width: Width::One, bytes: Vec::new() }
    }

    pub fn width(&self) -> Width {
        self.width
    }

    /// Bytes of one vector.
    #[inline]
    pub fn size(&self) -> usize {
        self.components * self.width as usize
    }

    /// Bytes in use.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// All of them are gone; what they took is kept for the next.
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

    /// Adds one in the form in which it is kept.
    #[inline]
    pub fn push_packed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A component of the vector added last.
    #[inline]
    pub fn last(&self, at: usize) -> u32 {
        let vector = &self.bytes[self.bytes.len() - self.size()..];
        match self.width {
            Width::One => vector[at].into(),
            Width::Two => u16::from_le_bytes(vector.as_chunks().0[at]).into(),
            Width::Four => u32::from_le_bytes(vector.as_chunks().0[at]),
        }
    }

    /// Changes a component of the vector added last.
    #[inline]
    pub fn set_last(&mut self, at: usize, number: u32) {
        let needed = Width::of(&[number]);
        if needed > self.width {
            self.widen(needed);
        }
        let start = self.bytes.len() - self.size();
        let vector = &mut self.bytes[start..];
        match self.width {
            Width::One => vector[at] = number as u8,
            Width::Two => vector.as_chunks_mut().0[at] = (number as u16).to_le_bytes(),
            Width::Four => vector.as_chunks_mut().0[at] = number.to_le_bytes(),
        }
    }

    /// A vector in the form in which it is kept.
    #[inline]
    pub fn packed(&self, index: usize) -> &[u8] {
        let size = self.size();
        &self.bytes[index * size..(index + 1) * size]
    }

    /// Puts one in the place of another.
    pub fn copy_within(&mut self, from: usize, to: usize) {
        let size = self.size();
        self.bytes.copy_within(from * size..(from + 1) * size, to * size);
    }

    /// Keeps so many of the first.
    pub fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len * self.size());
    }

    pub fn get(&self, index: usize, key: &mut Vec<u32>) {
        unpack(self.width, self.packed(index), key);
    }

    /// Makes room for greater numbers.
    #[cold]
    pub fn widen(&mut self, width: Width) {
        let mut bytes = Vec::with_capacity(self.bytes.len() / self.width as usize * width as usize);
        let mut key = Vec::new();
        // All of them have their components behind one another: they are one long vector.
        unpack(self.width, &self.bytes, &mut key);
        pack(width, &key, &mut bytes);
        (self.bytes, self.width) = (bytes, width);
    }
}

/// Adds the components in so many bytes each, which must do for them.
#[inline]
pub(super) fn pack(width: Width, key: &[u32], bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.resize(start + key.len() * width as usize, 0);
    let new = &mut bytes[start..];
    match width {
        Width::One => new.iter_mut().zip(key).for_each(|(to, number)| *to = *number as u8),
        Width::Two => {
            let (pairs, _) = new.as_chunks_mut();
            pairs.iter_mut().zip(key).for_each(|(to, number)| *to = (*number as u16).to_le_bytes());
        }
        Width::Four => {
            let (fours, _) = new.as_chunks_mut();
            fours.iter_mut().zip(key).for_each(|(to, number)| *to = number.to_le_bytes());
        }
    }
}

pub(super) fn unpack(width: Width, bytes: &[u8], key: &mut Vec<u32>) {
    key.clear();
    match width {
        Width::One => key.extend(bytes.iter().map(|b| u32::from(*b))),
        Width::Two => {
            key.extend(bytes.as_chunks::<2>().0.iter().map(|b| u32::from(u16::from_le_bytes(*b))));
        }
        Width::Four => key.extend(bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b))),
    }
}
