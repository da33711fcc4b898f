//! What follows a configuration: what each process can do there, and what becomes of the vector.

pub mod apply;
pub mod choices;
pub mod daemon_steps;
pub mod fairness;
pub mod footprint;
pub mod local;
pub mod rounds;
pub mod successors;
pub mod transition_cache;
pub mod transitions;
pub mod worker;
