//! The catalogue: what each file of the library says about itself, and what it costs when it is run.
//!
//! Nothing here is written by hand: entries are read from the files, figures are measured. `render::catalogue` makes pages of it.

mod entry;
mod figures;
mod verified;

pub use entry::{Card, Promise, cards, same};
pub use figures::{Figure, RUNS, figures};
pub use verified::{Verified, verified};
