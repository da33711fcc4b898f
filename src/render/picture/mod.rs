//! Pictures of runs: space-time diagrams and networks as SVG, and their common parts.
//!
//! A [`Chart`] is the layout of a trace: the messages, the column of each event, and the state of each process over time. A
//! [`NetworkLayout`] is the layout of a network in the plane. Drawing then only produces lines and text. The same input gives the same
//! bytes on every machine: sines are not taken from the system, and numbers are rounded before they are written.

pub mod moment;
pub mod spans;
pub mod chart;
pub mod choice;
pub mod cut;
pub mod style;
mod boxes;
mod geometry;
mod force;
mod layout;
mod svg;
pub mod marks;

pub mod space_time;
pub mod stage;
pub mod topology;
pub mod film;
mod animation;

pub use animation::animation;
pub use chart::Chart;
pub use choice::{DrawSelection, filled_states};
pub use cut::DrawnCut;
pub use stage::NetworkLayout;
