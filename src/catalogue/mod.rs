//! The catalogue of the library: the description of each file, and the measured costs of its runs.
//!
//! Nothing here is written by hand: entries are read from the files, figures are measured. `render::catalogue` makes pages of it.

mod entry;
mod figures;
mod verified;

pub use entry::{Card, PropertyCard, brief, cards, is_about, model, names_match, summary};
pub use figures::{Figure, RUNS, figures};
pub use verified::{Verified, verified};
