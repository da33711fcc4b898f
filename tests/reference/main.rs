//! An executable specification of the language, written from its reference: it shares no code with Synod's own semantics.

mod by_hand;
mod chance;
mod costs;
mod fairness;
mod graph;
mod liveness;
mod observer;
mod verdicts;
