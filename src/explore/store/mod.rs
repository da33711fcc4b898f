//! Storage: components of configurations interned as numbers, and vectors of them packed in arenas with hash indices.

pub mod interner;
pub mod inbox;
pub mod components;
pub mod hash_index;
pub mod state_arena;
pub mod frontier;
