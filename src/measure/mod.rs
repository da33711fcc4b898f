//! What an algorithm costs as its network grows: which runs are made, what each of them costs, what they show together.
//!
//! Nothing here reads or writes, and nothing depends on how many threads make the runs: a run is a number of the
//! [`Plan`], and a [`Table`] is made of samples in the order of these numbers.

pub mod adversary;
pub mod fit;
pub mod sample;
pub mod statistics;
pub mod template;
pub mod plan;
pub mod journal;
pub mod table;

pub use adversary::{Goal, Search, Worst};
pub use fit::{Fit, Shape};
pub use journal::{Header, Journal, Shard};
pub use plan::{MeasurePlan, Task};
pub use sample::{Judged, Sample};
pub use statistics::Statistics;
pub use table::{Row, Table};
