//! Properties by definition, on the graph of configurations. The modules are in reading order; each imports only from those above it.

// Costs and histories of runs.
pub mod observer;

// Infinite runs.
pub mod fairness;

pub mod chance;

pub mod liveness;

// Verdicts.
pub mod verdicts;

pub mod costs;

pub mod bounds;

pub mod evaluation;
