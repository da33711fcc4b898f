//! Hash index: hash → candidate indices. It stores no keys; the caller compares.

use prefetch_index::prefetch_index;

/// Buckets of one cache line each; what does not fit continues in the next bucket. All entries of a bucket are compared at
/// once, so that its fill level costs no unpredictable branch.
#[derive(Debug)]
pub struct HashIndex {
    buckets: Vec<Bucket>,
    len: usize,
}

/// Upper halves of hashes with indices + 1, filled from the front; index 0 marks an empty entry.
///
/// Both the first bucket of a lookup and the filter that makes most misses cheap depend on the upper half only. So the table
/// can grow without access to the keys.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    tags: [u32; WAYS],
    indices: [u32; WAYS],
}

const WAYS: usize = 8;

/// The result of the lookup in the first bucket.
#[derive(Clone, Copy, Debug)]
pub enum First {
    /// The first candidate index in it.
    Meant(u32),
    /// No candidate, and an empty entry in this bucket: the key is absent.
    Room(usize),
    /// No candidate, and no empty entry.
    Full,
}

/// Initial number of buckets; always a power of two.
const FIRST: usize = 128;

/// Maximum load factor, as a fraction: three quarters.
const FULL: (usize, usize) = (3, 4);

/// Return the upper half of a hash.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Default for HashIndex {
    fn default() -> HashIndex {
        HashIndex { buckets: vec![Bucket::default(); FIRST], len: 0 }
    }
}

impl HashIndex {
    pub fn bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    /// Return the bytes needed temporarily if `more` entries are added: the new table beside the old one.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        if self.fits(self.len.saturating_add(more)) { 0 } else { 2 * self.bytes() }
    }

    /// Return whether the current buckets suffice for `len` entries.
    #[inline]
    fn fits(&self, len: usize) -> bool {
        len.saturating_mul(FULL.1) <= self.buckets.len() * WAYS * FULL.0
    }

    /// Return the number of the bucket where a lookup begins.
    #[inline]
    fn first(&self, hash: u64) -> usize {
        tag(hash) as usize & (self.buckets.len() - 1)
    }

    /// Prefetch the first bucket for this hash.
    #[inline]
    pub fn fetch(&self, hash: u64) {
        prefetch_index(&self.buckets, self.first(hash));
    }

    /// Return a candidate index for this hash from the first bucket. If that is full without one, prefetch the next bucket.
    #[inline]
    pub fn glance(&self, hash: u64) -> Option<u32> {
        match self.first_for(hash) {
            First::Meant(index) => return Some(index),
            First::Room(_) => {}
            First::Full => {
                let next = (self.first(hash) + 1) & (self.buckets.len() - 1);
                prefetch_index(&self.buckets, next);
            }
        }
        None
    }

    /// Look up a hash in its first bucket only.
    #[inline]
    pub fn first_for(&self, hash: u64) -> First {
        let at = self.first(hash);
        let bucket = &self.buckets[at];
        let way = bucket.alike(tag(hash)).trailing_zeros() as usize;
        match bucket.indices.get(way).and_then(|index| index.checked_sub(1)) {
            Some(index) => First::Meant(index),
            None if bucket.is_full() => First::Full,
            None => First::Room(at),
        }
    }

    /// Return the index with this hash that satisfies `holds`, or the bucket for a new entry.
    #[inline]
    pub fn find(&self, hash: u64, holds: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut at = self.first(hash);
        loop {
            let bucket = &self.buckets[at];
            let mut alike = bucket.alike(tag(hash));
            while let Some(index) = bucket.indices.get(alike.trailing_zeros() as usize) {
                // The tag of an empty entry may match, too.
                if *index != 0 && holds(index - 1) {
                    return Ok(index - 1);
                }
                alike &= alike - 1;
            }
            if !bucket.is_full() {
                return Err(at);
            }
            at = (at + 1) & (self.buckets.len() - 1);
        }
    }

    /// Insert an index into a bucket that has an empty entry.
    #[inline]
    pub fn put(&mut self, bucket: usize, hash: u64, index: u32) {
        self.buckets[bucket].put(tag(hash), index + 1);
        self.len += 1;
        if !self.fits(self.len) {
            self.grow();
        }
    }

    /// Double the number of buckets.
    #[cold]
    fn grow(&mut self) {
        let mut buckets = vec![Bucket::default(); self.buckets.len() * 2];
        let mask = buckets.len() - 1;
        for old in &self.buckets {
            for (tag, index) in old.tags.into_iter().zip(old.indices).take_while(|(_, index)| *index != 0) {
                let mut at = tag as usize & mask;
                while buckets[at].is_full() {
                    at = (at + 1) & mask;
                }
                buckets[at].put(tag, index);
            }
        }
        self.buckets = buckets;
    }
}

impl Bucket {
    #[inline]
    fn is_full(&self) -> bool {
        self.indices[WAYS - 1] != 0
    }

    /// Return the entries with this tag as a bit set.
    #[inline]
    fn alike(&self, tag: u32) -> u32 {
        same(&self.tags, tag)
    }

    /// `index`: the index + 1.
    #[inline]
    fn put(&mut self, tag: u32, index: u32) {
        let way = same(&self.indices, 0).trailing_zeros() as usize;
        (self.tags[way], self.indices[way]) = (tag, index);
    }
}

/// Return the positions of this number as a bit set. Written as two halves of four lanes, for SIMD comparison.
#[inline]
fn same(numbers: &[u32; WAYS], number: u32) -> u32 {
    const HALF: usize = WAYS / 2;
    let same: [u32; HALF] = std::array::from_fn(|way| {
        let lower = if numbers[way] == number { 1 << way } else { 0 };
        let upper = if numbers[way + HALF] == number { 1 << (way + HALF) } else { 0 };
        lower | upper
    });
    same.iter().fold(0, |all, some| all | some)
}

/// Hash a vector as a sum over its components, so that it can be updated incrementally.
pub fn hash(key: &[u32]) -> u64 {
    (0u32..).zip(key).fold(0, |sum: u64, (at, number)| sum.wrapping_add(share(at, *number)))
}

/// Return the contribution of one component to the hash.
#[inline]
pub fn share(at: u32, number: u32) -> u64 {
    let mixed = (u64::from(at) << 32 | u64::from(number)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
