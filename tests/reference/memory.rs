//! Memory limit for each random program, so that one program cannot end a long run. Only Linux reports the memory in use; there is no
//! limit elsewhere.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The interval between two measurements.
const INTERVAL: Duration = Duration::from_millis(20);

/// Whether a program has reached its limit.
static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// The memory in use when the last program began, in bytes; memory that earlier programs have not released is not counted.
static BEFORE: AtomicU64 = AtomicU64::new(0);

/// Test whether the limit has been reached. Explorations and products stop then.
pub fn is_exhausted() -> bool {
    EXHAUSTED.load(Ordering::Relaxed)
}

/// Start measuring another program.
pub fn begin() {
    BEFORE.store(in_use(), Ordering::Relaxed);
    EXHAUSTED.store(false, Ordering::Relaxed);
}

/// Measure the memory until `is_over`; each program may use at most `most` bytes.
pub fn watch(most: u64, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        if in_use() > BEFORE.load(Ordering::Relaxed).saturating_add(most) {
            EXHAUSTED.store(true, Ordering::Relaxed);
        }
        std::thread::sleep(INTERVAL);
    }
}

/// Return the memory in use, in bytes; 0 if it is unknown.
fn in_use() -> u64 {
    const PAGE: u64 = 4096;
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let resident = pages.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    resident.unwrap_or(0) * PAGE
}
