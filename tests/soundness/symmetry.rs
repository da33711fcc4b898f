//! Programs and properties that can tell processes or ports apart.
