//! The pairs that are measured, and the allocator of all benchmarks of runs.

mod pairs;

pub use pairs::*;

/// As in the command.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;
