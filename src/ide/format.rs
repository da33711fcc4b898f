//! Formatting. It is advertised once there is a formatter.

/// The text as it should look, or None where it cannot be formatted, or there is no formatter yet.
pub fn formatted(_text: &str) -> Option<String> {
    None
}

/// Is there a formatter?
pub const AVAILABLE: bool = false;
