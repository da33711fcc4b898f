//! The successor relation: the steps enabled in a configuration, and the vectors that they lead to.

pub mod successors;
pub mod transition_cache;
pub mod local;
pub mod joint;
pub mod apply;
pub mod worker;
