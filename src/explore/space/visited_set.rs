//! The configurations met so far: exact, as short vectors, found by hash.

use super::equivalence::Equivalence;
use super::hash_index::{First, HashIndex};
use super::state_arena::{Kept, Width, are_equal, pack, unpack};

/// A part of the set: configurations are spread over several by hash, so that threads can work on different ones.
#[derive(Debug)]
pub struct VisitedShard {
    components: usize,
    keys: Kept,
    places: HashIndex,
    /// By index: the number of the configuration it was first reached from, in all shards; the initial ones name themselves.
    parents: Parents,
    scratch: Vec<u8>,
    /// Of vectors that count as one only the first is kept.
    sameness: Equivalence,
    /// Index of the first that was kept after all that are expanded now.
    level: u32,
    /// Has a step led to a configuration that is no farther from the beginning than the one it was taken in? Where none has, nothing
    /// goes round.
    pub goes_back: bool,
}

impl VisitedShard {
    pub fn new(components: usize, sameness: Equivalence) -> VisitedShard {
        VisitedShard {
            components,
            keys: Kept::new(components),
            places: HashIndex::new(),
            parents: Parents::default(),
            scratch: Vec::new(),
            sameness,
            level: 0,
            goes_back: false,
        }
    }

    /// From now on those are expanded that have been kept so far.
    pub fn begin_level(&mut self) {
        self.level = self.len() as u32;
    }

    /// Was it kept before those that are found now?
    #[inline]
    pub fn is_back(&self, index: u32) -> bool {
        index < self.level
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + self.places.bytes() + self.parents.bytes()
    }

    /// Bytes more for a while if so many come. What is not in its table stays where it is.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        self.places.bytes_to_grow(more)
    }

    /// How many bytes each component takes here.
    pub fn width(&self) -> Width {
        self.keys.width()
    }

    /// The index of a configuration, and whether it is new.
    pub fn insert(&mut self, hash: u64, key: &[u32], parent: u32) -> (u32, bool) {
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let width = Width::of(key);
        pack(width, key, &mut bytes);
        let result = self.insert_packed(hash, width, &bytes, parent);
        self.scratch = bytes;
        result
    }

    /// The same for a vector whose components take so many bytes each.
    #[inline]
    pub fn insert_packed(&mut self, hash: u64, width: Width, bytes: &[u8], parent: u32) -> (u32, bool) {
        if width != self.keys.width() {
            return self.insert_otherwise(hash, width, bytes, parent);
        }
        match self.find(hash, bytes) {
            Ok(index) => (index, false),
            Err(bucket) => {
                self.places.put(bucket, hash, self.len() as u32);
                (self.push(bytes, parent), true)
            }
        }
    }

    /// Keeps a new one, and gives its index.
    #[inline]
    fn push(&mut self, bytes: &[u8], parent: u32) -> u32 {
        let index = self.len() as u32;
        self.keys.push_packed(bytes);
        self.parents.push(parent);
        index
    }

    /// The configuration it was first reached from.
    pub fn parent(&self, index: u32) -> u32 {
        self.parents.0[index as usize / PIECE][index as usize % PIECE]
    }

    /// The same where it is packed otherwise than those that are here.
    #[cold]
    fn insert_otherwise(&mut self, hash: u64, width: Width, bytes: &[u8], parent: u32) -> (u32, bool) {
        let mut key = Vec::with_capacity(self.components);
        unpack(width, bytes, &mut key);
        let needed = Width::of(&key);
        if needed > self.keys.width() {
            self.keys.widen(needed);
        }
        let mut bytes = Vec::new();
        pack(self.keys.width(), &key, &mut bytes);
        self.insert_packed(hash, self.keys.width(), &bytes, parent)
    }

    /// Fetches the place where a vector with this hash would be, so that it is at hand soon afterwards.
    #[inline]
    pub fn fetch(&self, hash: u64) {
        self.places.fetch(hash);
    }

    /// What a vector with this hash may be, which is fetched.
    #[inline]
    pub fn glance(&self, hash: u64) -> Option<u32> {
        let seen = self.places.glance(hash);
        if let Some(index) = seen {
            self.keys.fetch(index as usize);
        }
        seen
    }

    /// Inserts what has been glanced at: mostly it is what it seemed to be, or as new as it seemed, or has been put there since.
    #[inline]
    pub fn insert_seen(
        &mut self,
        (hash, seen): (u64, Option<u32>),
        width: Width,
        bytes: &[u8],
        parent: u32,
    ) -> (u32, bool) {
        if width == self.keys.width() {
            let is_it = |index: u32| self.same(self.keys.packed(index as usize), bytes);
            match seen {
                Some(index) if is_it(index) => return (index, false),
                Some(_) => {}
                None => match self.places.first_for(hash) {
                    First::Meant(index) if is_it(index) => return (index, false),
                    First::Room(bucket) => {
                        self.places.put(bucket, hash, self.len() as u32);
                        return (self.push(bytes, parent), true);
                    }
                    _ => {}
                },
            }
        }
        self.insert_packed(hash, width, bytes, parent)
    }

    /// The same, where there is room for a new one only if `room` says so. None: it is new, and there is no room.
    pub fn insert_if(&mut self, room: bool, hash: u64, key: &[u32], parent: u32) -> Option<(u32, bool)> {
        let fits = room || self.contains(hash, key, &mut Vec::new());
        fits.then(|| self.insert(hash, key, parent))
            .inspect(|(index, _)| self.goes_back |= self.is_back(*index))
    }

    /// Is it there? For looking from several threads at once.
    pub fn contains(&self, hash: u64, key: &[u32], bytes: &mut Vec<u8>) -> bool {
        let width = self.keys.width();
        if self.sameness.view.is_some() {
            // What counts as the same may be made of other numbers, and smaller ones.
            let same = |stored: &[u8]| {
                let mut other = Vec::with_capacity(self.components);
                unpack(width, stored, &mut other);
                self.sameness.same(&other, key)
            };
            return self.find_where(hash, same).is_ok();
        }
        if Width::of(key) > width {
            return false;
        }
        bytes.clear();
        pack(width, key, bytes);
        self.find(hash, bytes).is_ok()
    }

    pub fn key(&self, index: u32, key: &mut Vec<u32>) {
        self.keys.get(index as usize, key);
    }

    /// The index, or the bucket where it would stand.
    #[inline]
    fn find(&self, hash: u64, bytes: &[u8]) -> Result<u32, usize> {
        self.find_where(hash, |stored| self.same(stored, bytes))
    }

    #[inline]
    fn find_where(&self, hash: u64, same: impl Fn(&[u8]) -> bool) -> Result<u32, usize> {
        self.places.find(hash, |index| same(self.keys.packed(index as usize)))
    }

    #[inline]
    fn same(&self, a: &[u8], b: &[u8]) -> bool {
        if self.sameness.is_exact() { are_equal(a, b) } else { self.alike(a, b) }
    }

    fn alike(&self, a: &[u8], b: &[u8]) -> bool {
        let width = self.keys.width();
        match &self.sameness {
            Equivalence { symmetry: Some(symmetry), view: None } => symmetry.same(a, b, width as usize),
            sameness => {
                let (mut own, mut other) = (Vec::new(), Vec::new());
                unpack(width, a, &mut own);
                unpack(width, b, &mut other);
                sameness.same(&own, &other)
            }
        }
    }
}

/// Numbers of configurations, by index; in pieces that stay where they are.
#[derive(Debug, Default)]
struct Parents(Vec<Vec<u32>>);

/// So many lie behind one another.
const PIECE: usize = 1 << 12;

impl Parents {
    #[inline]
    fn push(&mut self, parent: u32) {
        match self.0.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(parent),
            _ => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push(parent);
                self.0.push(piece);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.0.len() * PIECE * size_of::<u32>()
    }
}

/// A sum over the components, so that it can be brought up to date where few change.
pub fn hash(key: &[u32]) -> u64 {
    (0u32..).zip(key).fold(0, |sum: u64, (at, number)| sum.wrapping_add(share(at, *number)))
}

/// What one component contributes to the hash.
#[inline]
pub fn share(at: u32, number: u32) -> u64 {
    let mixed = (u64::from(at) << 32 | u64::from(number)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
