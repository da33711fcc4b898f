//! Clauses of an observer, who sees all processes: properties, scenarios, views.

mod property;
mod settings;
mod scenario;
mod view;
