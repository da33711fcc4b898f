//! What sees processes from outside: properties, scenarios, views.

mod property;
mod settings;
mod scenario;
mod view;
