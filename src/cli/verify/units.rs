//! Numbers, sizes and times as people write and read them, and the progress line.

use crate::explore::Progress;
use std::time::{Duration, Instant};

/// Since when the work goes on.
pub struct Clock(Instant);

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "limits of time are the business of the command line")]
    pub fn start() -> Clock {
        Clock(Instant::now())
    }

    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    pub fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }
}

/// The progress line.
pub fn line(progress: &Progress, seconds: f64) -> String {
    format!(
        "{} configurations, depth {}, {} waiting, {}/s, {} MB",
        progress.configurations,
        progress.depth,
        progress.waiting,
        (progress.configurations as f64 / seconds.max(0.001)) as u64,
        progress.bytes / 1_000_000,
    )
}

pub fn counted(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}

/// `500M`, `4G`.
pub fn bytes(text: &str) -> Result<usize, String> {
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    let number: usize = digits.parse().map_err(|_| "a number of bytes, such as 500M or 4G".to_string())?;
    number.checked_mul(factor).ok_or_else(|| "that is more than any machine has".into())
}

/// `30s`, `10m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 3600),
        _ => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| "a time such as 30s, 10m or 2h".to_string())?;
    number.checked_mul(factor).map(Duration::from_secs).ok_or_else(|| "that is too long".into())
}
