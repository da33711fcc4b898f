//! What a configuration holds besides processes and channels, in models that have more: rounds, clocks, faults.

/// One part for each model; None where the program does not assume it, so that others pay nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Environment {}
