//! The capabilities of the adapter.

use serde_json::{Value, json};

/// The exception breakpoints: filter, label, description, whether it is set by default.
pub const FILTERS: &[(&str, &str, &str, bool)] = &[
    (VIOLATION, "Property violated", "Stop after the event that violates a property", true),
    (DEADLOCK, "Deadlock", "Stop where processes are blocked forever", true),
    (ERROR, "Run-time error", "Stop at a command that aborts", true),
    (CRASH, "Process crashes", "Stop after the event in which a process crashes", false),
];

pub const VIOLATION: &str = "violation";
pub const DEADLOCK: &str = "deadlock";
pub const ERROR: &str = "error";
pub const CRASH: &str = "crash";

pub fn capabilities() -> Value {
    let filters = FILTERS.iter().map(|(filter, label, description, default)| {
        json!({"filter": filter, "label": label, "description": description, "default": default})
    });
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "exceptionBreakpointFilters": filters.collect::<Vec<_>>(),
        "supportsStepBack": true,
        "supportsRestartFrame": true,
        "supportsGotoTargetsRequest": true,
        "supportsStepInTargetsRequest": true,
        "supportsRestartRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsLogPoints": true,
        "supportsTerminateRequest": true,
        "supportsDataBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
    })
}
