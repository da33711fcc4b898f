//! Measurement of costs over network sizes: the runs to make, the cost of each, and their aggregate.
//!
//! Nothing here reads or writes files, and no result depends on the number of threads: a run is a number of the
//! [`MeasurePlan`](plan::MeasurePlan), and a [`Table`](table::Table) aggregates samples in the order of these numbers.

pub mod adversary;
pub mod fit;
pub mod sample;
pub mod worst_case;
pub mod statistics;
pub mod template;
pub mod plan;
pub mod journal;
pub mod table;

pub use adversary::{Goal, Search, Worst};
pub use fit::{Fit, Shape};
pub use journal::{Header, Journal, Shard};
pub use plan::{MeasurePlan, Task};
pub use sample::{CheckedProperties, Sample};
pub use statistics::Statistics;
pub use table::{Row, Table};
