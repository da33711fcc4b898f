//! Things met before get the number they had: each distinct one is kept once.

use rustc_hash::FxHashMap;
use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Arc, RwLock, RwLockReadGuard};

/// Numbers from 0, in the order of first meeting. That order depends on the threads: numbers are compared for equality
/// only, and never decide what comes first.
#[derive(Debug)]
pub(super) struct Table<T: ?Sized> {
    inner: RwLock<Inner<T>>,
}

#[derive(Debug)]
struct Inner<T: ?Sized> {
    numbers: FxHashMap<Arc<T>, u32>,
    items: Vec<Arc<T>>,
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
pub(super) fn to_grow<T>(list: &Vec<T>, more: usize) -> usize {
    if more > list.capacity() - list.len() { size_of_val(list.as_slice()) } else { 0 }
}

impl<T: Eq + Hash + ?Sized> Table<T> {
    pub fn new() -> Table<T> {
        Table { inner: RwLock::new(Inner { numbers: FxHashMap::default(), items: Vec::new() }) }
    }

    /// The number of something; it is kept if it is new.
    pub fn number(&self, item: impl Borrow<T> + Into<Arc<T>>) -> u32 {
        if let Some(number) = self.read().numbers.get(item.borrow()) {
            return *number;
        }
        let mut inner = self.inner.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(number) = inner.numbers.get(item.borrow()) {
            return *number;
        }
        let number = inner.items.len() as u32;
        let item: Arc<T> = item.into();
        inner.items.push(item.clone());
        inner.numbers.insert(item, number);
        number
    }

    pub fn get(&self, number: u32) -> Arc<T> {
        self.read().items[number as usize].clone()
    }

    /// Bytes of all of them, about; `heap` says what one holds outside of itself.
    pub fn bytes(&self, heap: impl Fn(&T) -> usize) -> usize {
        let inner = self.read();
        // Each stands once in memory, with two counts, and is pointed at from both sides.
        let own = |item: &T| size_of_val(item) + 2 * size_of::<usize>() + heap(item);
        let pointers = inner.bytes_of_map() + inner.items.capacity() * size_of::<Arc<T>>();
        pointers + by_sample(inner.items.len(), |at| own(&inner.items[at]))
    }

    /// Bytes more for a while if so many come.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        let inner = self.read();
        let fits = more <= inner.numbers.capacity() - inner.numbers.len();
        to_grow(&inner.items, more) + if fits { 0 } else { 2 * inner.bytes_of_map() }
    }

    pub fn len(&self) -> usize {
        self.read().items.len()
    }

    fn read(&self) -> RwLockReadGuard<'_, Inner<T>> {
        self.inner.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<T: ?Sized> Inner<T> {
    /// A map has eight places for seven entries, with a byte each that says what is there.
    fn bytes_of_map(&self) -> usize {
        self.numbers.capacity() * 8 / 7 * (size_of::<(Arc<T>, u32)>() + 1)
    }
}
