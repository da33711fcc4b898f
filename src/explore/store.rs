//! The configurations met so far: exact, as short vectors in one piece of memory, found by hash.

use super::sameness::Sameness;

/// Bytes of one component: as many as the greatest number met needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    One = 1,
    Two = 2,
    Four = 4,
}

/// A part of the set: configurations are spread over several by hash, so that threads can work on different ones.
#[derive(Debug)]
pub(super) struct Shard {
    components: usize,
    width: Width,
    keys: Vec<u8>,
    /// Open addressing; the upper half of the hash beside the index + 1, so that most misses need no second look.
    slots: Vec<(u32, u32)>,
    /// By index: the configuration it was first reached from, in all shards; the initial ones name themselves.
    pub parents: Vec<u32>,
    scratch: Vec<u8>,
    /// Of vectors that count as one only the first is kept.
    sameness: Sameness,
}

/// A share of three quarters of the slots in use, at most.
const FULL: (usize, usize) = (3, 4);

impl Shard {
    pub fn new(components: usize, sameness: Sameness) -> Shard {
        Shard {
            components,
            width: Width::One,
            keys: Vec::new(),
            slots: vec![(0, 0); 1024],
            parents: Vec::new(),
            scratch: Vec::new(),
            sameness,
        }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn bytes(&self) -> usize {
        self.keys.capacity() + self.slots.capacity() * 8 + self.parents.capacity() * 4
    }

    /// The index of a configuration, and whether it is new.
    pub fn insert(&mut self, hash: u64, key: &[u32], parent: u32) -> (u32, bool) {
        self.widen(key);
        let mut bytes = std::mem::take(&mut self.scratch);
        pack(self.width, key, &mut bytes);
        let found = self.find(hash, &bytes);
        let result = match found {
            Ok(index) => (index, false),
            Err(slot) => {
                let index = self.parents.len() as u32;
                self.slots[slot] = ((hash >> 32) as u32, index + 1);
                self.keys.extend_from_slice(&bytes);
                self.parents.push(parent);
                if self.parents.len() * FULL.1 > self.slots.len() * FULL.0 {
                    self.grow();
                }
                (index, true)
            }
        };
        self.scratch = bytes;
        result
    }

    /// The same, where there is room for a new one only if `room` says so. None: it is new, and there is no room.
    pub fn insert_if(&mut self, room: bool, hash: u64, key: &[u32], parent: u32) -> Option<(u32, bool)> {
        let fits = room || self.contains(hash, key, &mut Vec::new());
        fits.then(|| self.insert(hash, key, parent))
    }

    /// Is it there? For looking from several threads at once.
    pub fn contains(&self, hash: u64, key: &[u32], bytes: &mut Vec<u8>) -> bool {
        if self.sameness.view.is_some() {
            // What counts as the same may be made of other numbers, and smaller ones.
            let size = self.components * self.width as usize;
            let same = |stored: &[u8]| {
                let mut other = Vec::with_capacity(self.components);
                unpack(self.width, stored, &mut other);
                self.sameness.same(&other, key)
            };
            return self.find_where(hash, size, same).is_ok();
        }
        if width_of(key) as usize > self.width as usize {
            return false;
        }
        pack(self.width, key, bytes);
        self.find(hash, bytes).is_ok()
    }

    pub fn key(&self, index: u32, key: &mut Vec<u32>) {
        let size = self.components * self.width as usize;
        let bytes = &self.keys[index as usize * size..(index as usize + 1) * size];
        unpack(self.width, bytes, key);
    }

    /// The index, or the slot where it would stand.
    #[inline]
    fn find(&self, hash: u64, bytes: &[u8]) -> Result<u32, usize> {
        self.find_where(hash, bytes.len(), |stored| self.same(stored, bytes))
    }

    #[inline]
    fn find_where(&self, hash: u64, size: usize, same: impl Fn(&[u8]) -> bool) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let high = (hash >> 32) as u32;
        let mut slot = hash as usize & mask;
        loop {
            let (tag, index) = self.slots[slot];
            if index == 0 {
                return Err(slot);
            }
            let start = (index - 1) as usize * size;
            if tag == high && same(&self.keys[start..start + size]) {
                return Ok(index - 1);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn same(&self, a: &[u8], b: &[u8]) -> bool {
        match &self.sameness {
            Sameness { symmetry: None, view: None } => a == b,
            Sameness { symmetry: Some(symmetry), view: None } => symmetry.same(a, b, self.width as usize),
            _ => {
                let (mut own, mut other) = (Vec::new(), Vec::new());
                unpack(self.width, a, &mut own);
                unpack(self.width, b, &mut other);
                self.sameness.same(&own, &other)
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![(0, 0); self.slots.len() * 2];
        let mut key = Vec::new();
        for index in 0..self.parents.len() as u32 {
            self.key(index, &mut key);
            let hash = self.sameness.hash(&key);
            let mut slot = hash as usize & mask;
            while slots[slot].1 != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = ((hash >> 32) as u32, index + 1);
        }
        self.slots = slots;
    }

    /// Makes room for greater numbers.
    fn widen(&mut self, key: &[u32]) {
        let needed = width_of(key);
        if needed as usize <= self.width as usize {
            return;
        }
        let mut keys = Vec::with_capacity(self.len() * self.components * needed as usize);
        let (mut key, mut bytes) = (Vec::new(), Vec::new());
        for index in 0..self.parents.len() as u32 {
            self.key(index, &mut key);
            pack(needed, &key, &mut bytes);
            keys.extend_from_slice(&bytes);
        }
        self.keys = keys;
        self.width = needed;
    }
}

/// What the greatest number needs: the bits of all of them together tell.
fn width_of(key: &[u32]) -> Width {
    match key.iter().fold(0, |bits, number| bits | number) {
        0..=0xff => Width::One,
        0x100..=0xffff => Width::Two,
        _ => Width::Four,
    }
}

fn pack(width: Width, key: &[u32], bytes: &mut Vec<u8>) {
    bytes.clear();
    match width {
        Width::One => bytes.extend(key.iter().map(|number| *number as u8)),
        Width::Two => key.iter().for_each(|number| bytes.extend_from_slice(&(*number as u16).to_le_bytes())),
        Width::Four => key.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes())),
    }
}

fn unpack(width: Width, bytes: &[u8], key: &mut Vec<u32>) {
    key.clear();
    match width {
        Width::One => key.extend(bytes.iter().map(|b| u32::from(*b))),
        Width::Two => {
            key.extend(bytes.as_chunks::<2>().0.iter().map(|b| u32::from(u16::from_le_bytes(*b))));
        }
        Width::Four => key.extend(bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b))),
    }
}

/// A sum over the components, so that it can be brought up to date where few change.
pub(super) fn hash(key: &[u32]) -> u64 {
    (0u32..).zip(key).fold(0, |sum: u64, (at, number)| sum.wrapping_add(share(at, *number)))
}

/// What one component contributes to the hash.
#[inline]
pub(super) fn share(at: u32, number: u32) -> u64 {
    let mixed = (u64::from(at) << 32 | u64::from(number)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
