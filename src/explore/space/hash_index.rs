//! Where things stand, by hash: a table that says of a hash which indices may be meant. What stands there is somebody else's.

use prefetch_index::prefetch_index;

/// Buckets of a cache line; what does not fit into one goes to the next. All of a bucket is compared at once, so that how full it
/// is costs no branch that the processor could not foresee.
#[derive(Debug)]
pub struct HashIndex {
    buckets: Vec<Bucket>,
    len: usize,
}

/// The upper halves of hashes beside indices + 1, from the front; 0: no more.
///
/// Where a search begins, and that most misses need no second look, both follow from the upper half, so that the table can grow
/// without what it is about.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    tags: [u32; WAYS],
    indices: [u32; WAYS],
}

const WAYS: usize = 8;

/// What is found where a search begins.
#[derive(Clone, Copy, Debug)]
pub enum First {
    /// The first index there that may be meant.
    Meant(u32),
    /// There is none, but room in this bucket: what is meant stands nowhere.
    Room(usize),
    /// Neither.
    Full,
}

/// Buckets at first, a power of two as always.
const FIRST: usize = 128;

/// A share of three quarters of the ways in use, at most.
const FULL: (usize, usize) = (3, 4);

/// The upper half.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl HashIndex {
    pub fn new() -> HashIndex {
        HashIndex { buckets: vec![Bucket::default(); FIRST], len: 0 }
    }

    pub fn bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    /// Bytes more for a while if so many come: the new table beside the old one.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        if self.fits(self.len.saturating_add(more)) { 0 } else { 2 * self.bytes() }
    }

    /// Do so many have room in as many buckets as there are?
    #[inline]
    fn fits(&self, len: usize) -> bool {
        len.saturating_mul(FULL.1) <= self.buckets.len() * WAYS * FULL.0
    }

    /// Number of the bucket where a search begins.
    #[inline]
    fn first(&self, hash: u64) -> usize {
        tag(hash) as usize & (self.buckets.len() - 1)
    }

    /// Fetches the first place for this hash.
    #[inline]
    pub fn fetch(&self, hash: u64) {
        prefetch_index(&self.buckets, self.first(hash));
    }

    /// An index that may be meant by this hash, if there is one at the first place. If that is full, the next is fetched.
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

    /// What is found at the first place for a hash.
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

    /// The index with this hash for which this holds, or the bucket where a new one would stand.
    #[inline]
    pub fn find(&self, hash: u64, holds: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut at = self.first(hash);
        loop {
            let bucket = &self.buckets[at];
            let mut alike = bucket.alike(tag(hash));
            while let Some(index) = bucket.indices.get(alike.trailing_zeros() as usize) {
                // Where nothing stands, the tag may be alike, too.
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

    /// Adds an index to a bucket that has room for it.
    #[inline]
    pub fn put(&mut self, bucket: usize, hash: u64, index: u32) {
        self.buckets[bucket].put(tag(hash), index + 1);
        self.len += 1;
        if !self.fits(self.len) {
            self.grow();
        }
    }

    /// Twice as many buckets.
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

    /// The ways with this tag, one bit each.
    #[inline]
    fn alike(&self, tag: u32) -> u32 {
        same(&self.tags, tag)
    }

    /// `index`: 1 more than what is meant.
    #[inline]
    fn put(&mut self, tag: u32, index: u32) {
        let way = same(&self.indices, 0).trailing_zeros() as usize;
        (self.tags[way], self.indices[way]) = (tag, index);
    }
}

/// Where this number stands, one bit for each place. Written for four at once, as processors like to compare.
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

#[cfg(test)]
mod tests {
    use super::{HashIndex, WAYS};

    /// Hashes with few upper halves, zero among them, so that buckets run over and tags are alike.
    #[test]
    fn everything_is_found_again() {
        let hashes: Vec<u64> = (0..5_000).map(|i: u64| (i * i % 97) << 32 | i).collect();
        let mut places = HashIndex::new();
        for (index, hash) in (0u32..).zip(&hashes) {
            let is_it = |other: u32| hashes[other as usize] == *hash;
            let Err(bucket) = places.find(*hash, is_it) else { panic!("{hash:x} is not there yet") };
            places.put(bucket, *hash, index);
            assert_eq!(places.find(*hash, is_it), Ok(index));
        }
        for (index, hash) in (0u32..).zip(&hashes) {
            assert_eq!(places.find(*hash, |other| hashes[other as usize] == *hash), Ok(index));
            assert!(places.find(*hash, |_| false).is_err());
        }
        assert!(places.len * 4 <= places.buckets.len() * WAYS * 3);
    }
}
