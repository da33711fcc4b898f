//! A cache for values computed from pairs of numbers, optimized for lookup.

use prefetch_index::prefetch_index;

/// A hash map from pairs of numbers to small values. A lookup is a multiplication and mostly one cache line.
#[derive(Debug)]
pub struct TransitionCache<V> {
    /// The length is a power of two; at most half of the slots are in use.
    slots: Vec<Slot<V>>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot<V> {
    /// `NOTHING` in an empty slot.
    key: u64,
    value: V,
}

/// No pair of ids, since these count from 0.
const NOTHING: u64 = u64::MAX;

/// Return two numbers as one.
#[inline]
pub fn pair(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

impl<V: Copy + Default> Default for TransitionCache<V> {
    fn default() -> TransitionCache<V> {
        TransitionCache { slots: vec![Slot { key: NOTHING, value: V::default() }], len: 0 }
    }
}

impl<V: Copy + Default> TransitionCache<V> {
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<V>>()
    }

    /// Return the slot where a lookup begins.
    #[inline]
    fn first(&self, key: u64) -> usize {
        // The upper half of the product depends on all of the key.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.slots.len() - 1)
    }

    /// Return the slot of the key, or the empty slot for it.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mut at = self.first(key);
        loop {
            let found = self.slots[at].key;
            if found == key || found == NOTHING {
                return at;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Prefetch the slot where a lookup begins.
    #[inline]
    pub fn fetch(&self, key: u64) {
        prefetch_index(&self.slots, self.first(key));
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<V> {
        let slot = &self.slots[self.place(key)];
        (slot.key == key).then_some(slot.value)
    }

    /// Insert a value for an absent key. The pair of the two greatest numbers is no valid key.
    pub fn insert(&mut self, key: u64, value: V) {
        if 2 * (self.len + 1) > self.slots.len() {
            let wider = vec![Slot { key: NOTHING, value: V::default() }; 2 * self.slots.len()];
            let before = std::mem::replace(&mut self.slots, wider);
            for slot in before.into_iter().filter(|slot| slot.key != NOTHING) {
                let place = self.place(slot.key);
                self.slots[place] = slot;
            }
        }
        let place = self.place(key);
        self.slots[place] = Slot { key, value };
        self.len += 1;
    }
}
