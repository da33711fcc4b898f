//! Exploration, compared with a naive explorer, with independent models of rounds and radio, with counts of other tools, and with
//! and without reductions.

mod apart;
mod by_definition;
mod by_hand;
mod chance;
mod claims;
mod dead_messages;
mod endings;
mod fairness;
mod joint;
mod lassos;
mod library;
mod moves;
mod naive;
mod pairs;
mod relevant_counts;
mod relevant_history;
mod runs;
mod shortened;
mod surroundings;
mod symmetry;
mod threads;
mod time;
mod together;
mod twins;
mod view;
mod whole_library;

/// A sequence of pseudo-random numbers (G. Marsaglia, Xorshift RNGs, 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}
