//! Systems with time and faults: small programs whose every run is known.

mod common;

mod models {
    mod budgets;
    mod crashes;
    mod detectors;
    mod time;
    mod traces;
}
