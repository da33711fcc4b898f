//! Interning: each distinct item is stored once and has a number.

use boxcar::Vec as Listed;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::{RwLock, RwLockReadGuard};

/// Numbers from 0, in the order of first insertion. That order depends on the threads, so numbers may be compared for equality
/// only and must never decide an order.
#[derive(Debug)]
pub struct Interner<T: ?Sized> {
    /// By number. Lock-free for readers.
    items: Listed<Box<T>>,
    numbers: RwLock<HashTable<u32>>,
}

/// Number of items sampled to estimate the size of all.
const SAMPLE: usize = 64;

/// Estimate the total of `measure` over `count` items from an evenly spaced sample.
fn by_sample(count: usize, measure: impl Fn(usize) -> usize) -> usize {
    let looked_at = count.min(SAMPLE);
    let sum: usize = (0..looked_at).map(|turn| measure(turn * count / looked_at)).sum();
    sum * count / looked_at.max(1)
}

/// Return the bytes needed temporarily if `more` items are added: a list without capacity for them is copied.
pub fn to_grow<T>(list: &Vec<T>, more: usize) -> usize {
    if more > list.capacity() - list.len() { size_of_val(list.as_slice()) } else { 0 }
}

impl<T: ?Sized> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner { items: Listed::new(), numbers: RwLock::new(HashTable::new()) }
    }
}

impl<T: Eq + Hash + ?Sized> Interner<T> {
    /// Return the number of an item; add it if it is new.
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

    /// Return the approximate number of bytes. `heap`: the bytes that an item owns outside itself.
    pub fn bytes(&self, heap: impl Fn(&T) -> usize) -> usize {
        let own = |item: &T| size_of_val(item) + heap(item);
        // The list grows by blocks, each as long as all before it, with an occupancy flag for each slot.
        let places = self.len().next_power_of_two() * 2 * size_of::<Box<T>>();
        places + self.numbers().allocation_size() + by_sample(self.len(), |at| own(self.get(at as u32)))
    }

    pub fn len(&self) -> usize {
        self.items.count()
    }

    fn numbers(&self) -> RwLockReadGuard<'_, HashTable<u32>> {
        self.numbers.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
