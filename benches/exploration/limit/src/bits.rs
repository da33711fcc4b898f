//! Bit strings: fields of a few bits each, one after the other in the words of a state.

/// Appends fields to a state whose words are 0 from its position on.
pub struct BitWriter<'a, const W: usize> {
    w: &'a mut [u64; W],
    at: usize,
}

impl<'a, const W: usize> BitWriter<'a, W> {
    pub fn new(w: &'a mut [u64; W]) -> Self {
        BitWriter { w, at: 0 }
    }

    /// Append the number `v`, which is less than 2^bits.
    #[inline(always)]
    pub fn put(&mut self, v: u64, bits: usize) {
        let (i, o) = (self.at >> 6, self.at & 63);
        self.w[i] |= v << o;
        if o + bits > 64 {
            self.w[i + 1] |= v >> (64 - o);
        }
        self.at += bits;
    }
}

/// Reads the fields of a state in their order.
pub struct BitReader<'a, const W: usize> {
    w: &'a [u64; W],
    at: usize,
}

impl<'a, const W: usize> BitReader<'a, W> {
    pub fn new(w: &'a [u64; W]) -> Self {
        BitReader { w, at: 0 }
    }

    /// Return the next number of so many bits, less than 64.
    #[inline(always)]
    pub fn get(&mut self, bits: usize) -> u64 {
        let (i, o) = (self.at >> 6, self.at & 63);
        let mut v = self.w[i] >> o;
        if o + bits > 64 {
            v |= self.w[i + 1] << (64 - o);
        }
        self.at += bits;
        v & ((1 << bits) - 1)
    }
}
