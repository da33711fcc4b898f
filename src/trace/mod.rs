//! Executions as values.
