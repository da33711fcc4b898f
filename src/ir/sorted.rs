//! Sorted sets and maps that share their parts: the representation of the language's sets and maps.
//!
//! A run keeps earlier states (undo of a step, traces, checkpoints), so a collection that grows is almost always shared with an older
//! version. Entries are in ascending order in chunks of bounded length. A small collection is one chunk. A large one is a
//! sequence of shared chunks: a change copies one chunk and the list of chunks, not the collection.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Maximum number of entries in a chunk.
const MOST: usize = 64;
/// A chunk with fewer entries than this is joined with a neighbour if both together have at most half the maximum.
const FEW: usize = 16;

type Chunk<K, V> = Vec<(K, V)>;

/// A map with its entries in ascending order of keys. A clone shares all chunks, unless there is only one.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    entries: Entries<K, V>,
}

#[derive(Clone)]
enum Entries<K, V> {
    One(Chunk<K, V>),
    /// Two or more chunks, none of them empty, and the number of entries in all.
    Many(Vec<Arc<Chunk<K, V>>>, usize),
}

/// A set with its elements in ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T>(SortedMap<T, ()>);

impl<K: Ord + Clone, V: Clone> SortedMap<K, V> {
    pub const fn new() -> Self {
        SortedMap { entries: Entries::One(Vec::new()) }
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let chunk = match &self.entries {
            Entries::One(chunk) => chunk,
            Entries::Many(chunks, _) => &chunks[chunk_of(chunks, key)],
        };
        position_in(chunk, key).ok().map(|at| &chunk[at].1)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Insert an entry, or replace the value of the key. Return the replaced value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            (chunk, Ok(at)) => Some(std::mem::replace(&mut self.chunk_mut(chunk)[at].1, value)),
            (chunk, Err(at)) => {
                self.insert_at(chunk, at, key, value);
                None
            }
        }
    }

    /// Return the value of a key, after inserting `default` if the key is absent.
    pub fn get_or_insert(&mut self, key: K, default: V) -> &mut V {
        let (chunk, at) = match self.find(&key) {
            (chunk, Ok(at)) => (chunk, at),
            (chunk, Err(at)) => self.insert_at(chunk, at, key, default),
        };
        &mut self.chunk_mut(chunk)[at].1
    }

    /// Remove an entry. Return its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (chunk, at) = self.find(key);
        let at = at.ok()?;
        let (_, value) = self.chunk_mut(chunk).remove(at);
        if let Entries::Many(chunks, len) = &mut self.entries {
            *len -= 1;
            join(chunks, chunk);
            if let [_] = chunks.as_slice() {
                let last = chunks.pop().map(Arc::unwrap_or_clone);
                self.entries = Entries::One(last.unwrap_or_default());
            }
        }
        Some(value)
    }

    /// Keep the entries for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        if let Entries::One(chunk) = &mut self.entries {
            chunk.retain(|(key, value)| keep(key, value));
            return;
        }
        *self = self
            .iter()
            .filter(|(key, value)| keep(key, value))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
    }

    /// Return the index of the chunk for a key, and the index in the chunk: of its entry, or where to insert it.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> (usize, Result<usize, usize>)
    where
        K: Borrow<Q>,
    {
        match &self.entries {
            Entries::One(chunk) => (0, position_in(chunk, key)),
            Entries::Many(chunks, _) => {
                let chunk = chunk_of(chunks, key);
                (chunk, position_in(&chunks[chunk], key))
            }
        }
    }

    fn chunk_mut(&mut self, chunk: usize) -> &mut Chunk<K, V> {
        match &mut self.entries {
            Entries::One(only) => only,
            Entries::Many(chunks, _) => Arc::make_mut(&mut chunks[chunk]),
        }
    }

    /// Insert an entry at its place. Return the place, which a split of the chunk may have moved.
    fn insert_at(&mut self, chunk: usize, at: usize, key: K, value: V) -> (usize, usize) {
        let place = self.chunk_mut(chunk);
        place.insert(at, (key, value));
        let rest = (place.len() > MOST).then(|| split(place, at));
        let moved = |kept: usize| if at < kept { (chunk, at) } else { (chunk + 1, at - kept) };
        match (&mut self.entries, rest) {
            (Entries::One(_), None) => (0, at),
            (Entries::One(first), Some(rest)) => {
                let (kept, len) = (first.len(), first.len() + rest.len());
                let chunks = vec![Arc::new(std::mem::take(first)), Arc::new(rest)];
                self.entries = Entries::Many(chunks, len);
                moved(kept)
            }
            (Entries::Many(chunks, len), rest) => {
                *len += 1;
                let kept = chunks[chunk].len();
                if let Some(rest) = rest {
                    chunks.insert(chunk + 1, Arc::new(rest));
                }
                moved(kept)
            }
        }
    }
}

/// Return the index of the chunk that a key belongs to.
fn chunk_of<K: Borrow<Q>, V, Q: Ord + ?Sized>(chunks: &[Arc<Chunk<K, V>>], key: &Q) -> usize {
    let is_before =
        |chunk: &Arc<Chunk<K, V>>| chunk.first().is_some_and(|(first, _)| first.borrow().cmp(key).is_le());
    chunks.partition_point(is_before).saturating_sub(1)
}

fn position_in<K: Borrow<Q>, V, Q: Ord + ?Sized>(chunk: &[(K, V)], key: &Q) -> Result<usize, usize> {
    chunk.binary_search_by(|(known, _)| known.borrow().cmp(key))
}

/// Split off the second half of a chunk that is too long. If the last entry is the new one, split off only that entry, so that keys
/// inserted in ascending order fill their chunks.
fn split<K, V>(chunk: &mut Chunk<K, V>, new: usize) -> Chunk<K, V> {
    let is_last = new + 1 == chunk.len();
    let rest = chunk.split_off(if is_last { new } else { chunk.len() / 2 });
    chunk.shrink_to_fit();
    rest
}

/// Join a chunk that has become small with a neighbour.
fn join<K: Clone, V: Clone>(chunks: &mut Vec<Arc<Chunk<K, V>>>, chunk: usize) {
    let len = chunks[chunk].len();
    let fits = |other: &usize| len + chunks[*other].len() <= MOST / 2 || len == 0;
    let beside = [chunk.checked_sub(1), (chunk + 1 < chunks.len()).then_some(chunk + 1)];
    let Some(other) = beside.into_iter().flatten().find(fits).filter(|_| len < FEW) else { return };
    let (first, second) = (chunk.min(other), chunk.max(other));
    let rest = chunks.remove(second);
    Arc::make_mut(&mut chunks[first]).extend(rest.iter().cloned());
}

impl<K, V> SortedMap<K, V> {
    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::One(chunk) => chunk.len(),
            Entries::Many(_, len) => *len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> Iter<'_, K, V> {
        match &self.entries {
            Entries::One(chunk) => Iter { chunk: chunk.iter(), rest: [].iter(), left: chunk.len() },
            Entries::Many(chunks, len) => Iter { chunk: [].iter(), rest: chunks.iter(), left: *len },
        }
    }

    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }
}

/// Iterator over the entries of a map.
pub struct Iter<'a, K, V> {
    chunk: std::slice::Iter<'a, (K, V)>,
    rest: std::slice::Iter<'a, Arc<Chunk<K, V>>>,
    left: usize,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Iter { chunk: self.chunk.clone(), rest: self.rest.clone(), left: self.left }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.chunk.next() {
                self.left -= 1;
                return Some((key, value));
            }
            self.chunk = self.rest.next()?.iter();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap { entries: Entries::One(Vec::new()) }
    }
}

/// The last of several entries with one key counts.
impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        SortedMap::of(entries.into_iter().collect())
    }
}

impl<K: Ord + Clone, V: Clone> SortedMap<K, V> {
    /// Return a map of these entries, in any order. (A part of `from_iter` would be compiled for each iterator.)
    fn of(mut all: Chunk<K, V>) -> Self {
        if !all.is_sorted_by(|(a, _), (b, _)| a.cmp(b).is_lt()) {
            all.sort_by(|(a, _), (b, _)| a.cmp(b));
            all.dedup_by(|later, earlier| {
                let is_same = later.0 == earlier.0;
                if is_same {
                    std::mem::swap(later, earlier);
                }
                is_same
            });
        }
        if all.len() <= MOST {
            all.shrink_to_fit();
            return SortedMap { entries: Entries::One(all) };
        }
        let len = all.len();
        let chunks = all.chunks(MOST * 3 / 4).map(|chunk| Arc::new(chunk.to_vec())).collect();
        SortedMap { entries: Entries::Many(chunks, len) }
    }
}

impl<K: Ord + Clone, V: Clone> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

// Equal maps may be divided into chunks differently.
impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other)
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for SortedMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other)
    }
}

impl<K: Ord, V: Ord> Ord for SortedMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other)
    }
}

impl<K: Hash, V: Hash> Hash for SortedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|entry| entry.hash(state));
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T: Ord + Clone> SortedSet<T> {
    pub fn contains<Q: Ord + ?Sized>(&self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(element)
    }

    /// Insert an element. Return whether it was absent.
    pub fn insert(&mut self, element: T) -> bool {
        // A known element must not copy a shared chunk.
        match self.0.find(&element) {
            (_, Ok(_)) => false,
            (chunk, Err(at)) => {
                self.0.insert_at(chunk, at, element, ());
                true
            }
        }
    }

    /// Remove an element. Return whether it was present.
    pub fn remove<Q: Ord + ?Sized>(&mut self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.remove(element).is_some()
    }

    /// Keep the elements for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|element, ()| keep(element));
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        self.len() <= other.len() && self.iter().all(|element| other.contains(element))
    }
}

impl<T> SortedSet<T> {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Return the elements in ascending order.
    pub fn iter(&self) -> Elements<'_, T> {
        Elements(self.0.iter())
    }
}

/// Iterator over the elements of a set.
pub struct Elements<'a, T>(Iter<'a, T, ()>);

impl<T> Clone for Elements<'_, T> {
    fn clone(&self) -> Self {
        Elements(self.0.clone())
    }
}

impl<'a, T> Iterator for Elements<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        self.0.next().map(|(element, ())| element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> ExactSizeIterator for Elements<'_, T> {}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet(SortedMap::default())
    }
}

impl<T: Ord + Clone> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        SortedSet(elements.into_iter().map(|element| (element, ())).collect())
    }
}

impl<T: Ord + Clone> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        self.0.extend(elements.into_iter().map(|element| (element, ())));
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T>;

    fn into_iter(self) -> Elements<'a, T> {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}
