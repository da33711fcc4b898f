//! The transition relation: what is enabled, and what a step does. Nothing else in the system knows how to
//! advance a configuration.

pub mod event;

pub mod abort;
pub mod metrics;
pub mod show;
