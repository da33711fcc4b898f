//! Things met before get the number they had: each distinct one is kept once.

use boxcar::Vec as Listed;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::{RwLock, RwLockReadGuard};

/// Numbers from 0, in the order of first meeting. That order depends on the threads: numbers are compared for equality
/// only, and never decide what comes first.
#[derive(Debug)]
pub struct Interner<T: ?Sized> {
    /// By number. Whoever has a number looks at the thing without waiting for anybody.
    items: Listed<Box<T>>,
    numbers: RwLock<HashTable<u32>>,
}

/// So many are looked at for the size of all.
const SAMPLE: usize = 64;

/// What so many things measure together, by some of them, evenly apart.
fn by_sample(count: usize, measure: impl Fn(usize) -> usize) -> usize {
    let looked_at = count.min(SAMPLE);
    let sum: usize = (0..looked_at).map(|turn| measure(turn * count / looked_at)).sum();
    sum * count / looked_at.max(1)
}

/// Bytes that a list takes more for a while if so many come: if it has no room for them, it is copied to where there is.
pub fn to_grow<T>(list: &Vec<T>, more: usize) -> usize {
    if more > list.capacity() - list.len() { size_of_val(list.as_slice()) } else { 0 }
}

impl<T: Eq + Hash + ?Sized> Interner<T> {
    pub fn new() -> Interner<T> {
        Interner { items: Listed::new(), numbers: RwLock::new(HashTable::new()) }
    }

    /// The number of something; it is kept if it is new.
    pub fn number(&self, item: impl Borrow<T> + Into<Box<T>>) -> u32 {
        let hash = FxBuildHasher.hash_one(item.borrow());
        let is_same = |number: &u32| self.get(*number) == item.borrow();
        if let Some(number) = self.numbers().find(hash, is_same) {
            return *number;
        }
        let mut numbers = self.numbers.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(number) = numbers.find(hash, is_same) {
            return *number;
        }
        let number = self.items.push(item.into()) as u32;
        numbers.insert_unique(hash, number, |number| FxBuildHasher.hash_one(self.get(*number)));
        number
    }

    #[inline]
    pub fn get(&self, number: u32) -> &T {
        &self.items[number as usize]
    }

    /// Bytes of all of them, about; `heap` says what one holds outside of itself.
    pub fn bytes(&self, heap: impl Fn(&T) -> usize) -> usize {
        let own = |item: &T| size_of_val(item) + heap(item);
        // The list grows by parts, each as long as all before it, and says of each place whether something stands there.
        let places = self.len().next_power_of_two() * 2 * size_of::<Box<T>>();
        places + self.numbers().allocation_size() + by_sample(self.len(), |at| own(self.get(at as u32)))
    }

    /// Bytes more for a while if so many come: the list itself is never copied.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        let numbers = self.numbers();
        let fits = more <= numbers.capacity() - numbers.len();
        if fits { 0 } else { 2 * numbers.allocation_size() }
    }

    pub fn len(&self) -> usize {
        self.items.count()
    }

    fn numbers(&self) -> RwLockReadGuard<'_, HashTable<u32>> {
        self.numbers.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
