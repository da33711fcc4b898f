//! Hashes of contents. They decide which configuration represents its equivalents, so they are the same on every machine.

use std::hash::{Hash, Hasher};

/// Return a hash that does not depend on the machine, since it decides which configuration is the representative.
pub fn hashed(of: &impl Hash) -> u64 {
    let mut hasher = Mixing(14);
    of.hash(&mut hasher);
    hasher.0
}

struct Mixing(u64);

impl Hasher for Mixing {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = mix(self.0, (*byte).into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = mix(self.0, number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0, number);
    }

    fn write_usize(&mut self, number: usize) {
        self.0 = mix(self.0, number as u64);
    }

    fn write_i64(&mut self, number: i64) {
        self.0 = mix(self.0, number as u64);
    }
}

/// Mix two numbers. Steele, Lea and Flood's finalizer, as in `space::hash_index::share`.
pub fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(23) ^ b).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
