//! What follows a configuration: what each process can do there, and what becomes of the vector.

pub mod choices;
pub mod fairness;
pub mod successors;
pub mod transition_cache;
pub mod daemon_steps;
pub mod footprint;
pub mod local;
pub mod rounds;
pub mod transitions;
pub mod apply;
pub mod worker;
