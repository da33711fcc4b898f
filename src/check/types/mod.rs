//! Types: their inference by unification, types as written, and their ranges.

pub mod infer;
pub mod written;
pub mod ranges;
pub mod places;
