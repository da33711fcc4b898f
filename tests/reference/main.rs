//! An executable specification of the language, written from its reference: it shares no code with Synod's own semantics.

mod chance;
mod fairness;
mod graph;
mod liveness;
