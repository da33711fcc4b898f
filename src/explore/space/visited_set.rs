//! The visited set: exact, with hash lookup, over short vectors.

use crate::explore::reduction::equivalence::Equivalence;
use crate::explore::store::hash_index::{First, HashIndex};
use crate::explore::store::state_arena::{Kept, Width, are_equal, pack, unpack};
use crate::ids::StateId;

/// A shard of the visited set. Configurations are distributed over shards by hash, so that threads can work on different ones.
#[derive(Debug)]
pub struct VisitedShard {
    components: usize,
    keys: Kept,
    places: HashIndex,
    /// By index: the number of the predecessor that first reached the configuration, across all shards; initial ones refer to
    /// themselves.
    parents: Parents,
    scratch: Vec<u8>,
    /// The equivalence of vectors; only the first of each class is stored.
    equivalence: Equivalence,
    /// Index of the first configuration stored after all those being expanded.
    level: u32,
    /// Whether a step led to a configuration no farther from the beginning than its source. If none did, the graph is acyclic.
    pub has_back_edge: bool,
}

impl VisitedShard {
    pub fn new(components: usize, equivalence: Equivalence) -> VisitedShard {
        VisitedShard {
            components,
            keys: Kept::new(components),
            places: HashIndex::default(),
            parents: Parents::default(),
            scratch: Vec::new(),
            equivalence,
            level: 0,
            has_back_edge: false,
        }
    }

    /// Begin a level: the configurations stored so far are expanded in it.
    pub fn begin_level(&mut self) {
        self.level = self.len() as u32;
    }

    /// Return whether the configuration was stored before the current level began.
    #[inline]
    pub fn is_before_level(&self, index: u32) -> bool {
        index < self.level
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + self.places.bytes() + self.parents.bytes()
    }

    /// Return the bytes needed temporarily if `more` configurations are added. Only the hash index is copied.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        self.places.bytes_to_grow(more)
    }

    /// Return the width of the components, in bytes.
    pub fn width(&self) -> Width {
        self.keys.width()
    }

    /// Insert a configuration; return its index and whether it is new.
    pub fn insert(&mut self, hash: u64, key: &[u32], parent: StateId) -> (u32, bool) {
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let width = Width::of(key);
        pack(width, key, &mut bytes);
        let result = self.insert_packed(hash, width, &bytes, parent);
        self.scratch = bytes;
        result
    }

    /// Insert a packed vector of this width; return its index and whether it is new.
    #[inline]
    pub fn insert_packed(&mut self, hash: u64, width: Width, bytes: &[u8], parent: StateId) -> (u32, bool) {
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

    /// Store a new vector, and return its index.
    #[inline]
    fn push(&mut self, bytes: &[u8], parent: StateId) -> u32 {
        let index = self.len() as u32;
        self.keys.push_packed(bytes);
        self.parents.push(parent);
        index
    }

    /// Return the predecessor that first reached the configuration.
    pub fn parent(&self, index: u32) -> StateId {
        self.parents.0[index as usize / PIECE][index as usize % PIECE]
    }

    /// Insert a packed vector whose width differs from that of the shard.
    #[cold]
    fn insert_otherwise(&mut self, hash: u64, width: Width, bytes: &[u8], parent: StateId) -> (u32, bool) {
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

    /// Prefetch the bucket for this hash.
    #[inline]
    pub fn fetch(&self, hash: u64) {
        self.places.fetch(hash);
    }

    /// Return a candidate index for this hash, and prefetch its vector.
    #[inline]
    pub fn glance(&self, hash: u64) -> Option<u32> {
        let seen = self.places.glance(hash);
        if let Some(index) = seen {
            self.keys.fetch(index as usize);
        }
        seen
    }

    /// Insert a vector after a `glance`. Mostly the guess was right: the candidate is equal, or the vector is new.
    #[inline]
    pub fn insert_seen(
        &mut self,
        (hash, seen): (u64, Option<u32>),
        width: Width,
        bytes: &[u8],
        parent: StateId,
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

    /// Insert a configuration, a new one only if `room`. `None`: it is new, and there is no room.
    pub fn insert_if(&mut self, room: bool, hash: u64, key: &[u32], parent: StateId) -> Option<(u32, bool)> {
        let fits = room || self.contains(hash, key, &mut Vec::new());
        fits.then(|| self.insert(hash, key, parent))
            .inspect(|(index, _)| self.has_back_edge |= self.is_before_level(*index))
    }

    /// Return whether the configuration is stored. Safe to call from several threads at once.
    pub fn contains(&self, hash: u64, key: &[u32], bytes: &mut Vec<u8>) -> bool {
        let width = self.keys.width();
        if self.equivalence.view.is_some() {
            // An equivalent vector may consist of other, and smaller, numbers.
            let same = |stored: &[u8]| {
                let mut other = Vec::with_capacity(self.components);
                unpack(width, stored, &mut other);
                self.equivalence.same(&other, key)
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

    /// Return the index, or the bucket for a new entry.
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
        if self.equivalence.is_exact() { are_equal(a, b) } else { self.alike(a, b) }
    }

    fn alike(&self, a: &[u8], b: &[u8]) -> bool {
        let width = self.keys.width();
        match &self.equivalence {
            Equivalence { symmetry: Some(symmetry), view: None } => symmetry.same(a, b, width as usize),
            equivalence => {
                let (mut own, mut other) = (Vec::new(), Vec::new());
                unpack(width, a, &mut own);
                unpack(width, b, &mut other);
                equivalence.same(&own, &other)
            }
        }
    }
}

impl StateId {
    /// Return the configuration with this index in a shard. `count`: the number of shards.
    pub fn in_shard(index: u32, shard: usize, count: usize) -> StateId {
        StateId(index * count as u32 + shard as u32)
    }

    /// Return the shard of the configuration, and its index there. `count`: the number of shards.
    pub fn place(self, count: usize) -> (usize, u32) {
        (self.index() % count, self.0 / count as u32)
    }
}

/// Predecessors by index, in pieces of constant address.
#[derive(Debug, Default)]
struct Parents(Vec<Vec<StateId>>);

/// Numbers in each piece.
const PIECE: usize = 1 << 12;

impl Parents {
    #[inline]
    fn push(&mut self, parent: StateId) {
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
        self.0.len() * PIECE * size_of::<StateId>()
    }
}
