//! Notations for numbers, sizes and times, and the progress line.

use crate::explore::Progress;
use std::time::Duration;

/// Format the progress line.
pub fn line(progress: &Progress, seconds: f64) -> String {
    format!(
        "{} configurations, depth {}, frontier {}, {}/s, {} MB",
        progress.configurations,
        progress.depth,
        progress.waiting,
        (progress.configurations as f64 / seconds.max(0.001)) as u64,
        progress.bytes / 1_000_000,
    )
}

/// Parse a number of bytes: `500M`, `4G`.
pub fn bytes(text: &str) -> Result<usize, String> {
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    let number: usize =
        digits.parse().map_err(|_| "expected a number of bytes, such as 500M or 4G".to_string())?;
    number.checked_mul(factor).ok_or_else(|| "the number is too large".into())
}

/// Parse a time: `30s`, `10m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 3600),
        _ => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a time such as 30s, 10m or 2h".to_string())?;
    number.checked_mul(factor).map(Duration::from_secs).ok_or_else(|| "the time is too long".into())
}
