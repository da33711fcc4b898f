//! Pictures of runs: space-time diagrams and networks as SVG, and what all pictures of one run share.
//!
//! A [`Chart`] is a trace laid out, before anybody draws: which messages there were, in which column each event
//! stands, what state each process is in from when to when. A [`Stage`] is a network laid out in the plane.
//! Drawing is then only a matter of lines and text. The same input gives the same bytes on every machine:
//! nothing here takes a sine from the system, and numbers are rounded before they are written.

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
mod xml;
pub mod marks;

pub mod space_time;
pub mod stage;
pub mod topology;
pub mod film;
mod animation;

pub use animation::animation;
pub use chart::Chart;
pub use choice::{Choice, filled_states};
pub use cut::DrawnCut;
pub use stage::Stage;
pub use xml::escape;
