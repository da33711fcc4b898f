//! What follows a configuration: what each process can do there, and what becomes of the vector.

pub mod apply;
pub mod choices;
pub mod local;
pub mod memo;
pub mod moves;
pub mod rounds;
pub mod sources;
pub mod successors;
pub mod surroundings;
pub mod ways;
pub mod worker;
