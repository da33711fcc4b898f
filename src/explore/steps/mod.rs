//! The successor relation: the steps enabled in a configuration, and the vectors that they lead to.

pub mod choices;
pub mod fairness;
pub mod successors;
pub mod transition_cache;
pub mod transitions;
pub mod daemon_steps;
pub mod footprint;
pub mod local;
pub mod rounds;
pub mod apply;
pub mod worker;
