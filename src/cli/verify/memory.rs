//! How much memory the process has been given, where the system tells.

use std::sync::OnceLock;

/// What it had before the first search.
static BEFORE: OnceLock<usize> = OnceLock::new();

/// Bytes that have come since this was first asked: also what the allocator has taken back and not yet returned, which no sum
/// over what is kept would show. None: the system does not say.
pub fn taken() -> Option<usize> {
    since("VmRSS:")
}

/// The most of it that there has been.
pub fn most_taken() -> Option<usize> {
    since("VmHWM:")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the command line asks the system; the file is the system's answer"
)]
fn since(which: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let resident = of_status(&status, which)?;
    Some(resident.saturating_sub(*BEFORE.get_or_init(|| resident)))
}

/// Linux says `VmRSS: 19000 kB`, and the most there has been: `VmHWM: 21000 kB`.
fn of_status(status: &str, which: &str) -> Option<usize> {
    let line = status.lines().find_map(|line| line.strip_prefix(which))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::of_status;

    #[test]
    fn a_line_of_the_status_tells() {
        let status = "VmPeak:\t  300 kB\nVmHWM:\t   21000 kB\nVmRSS:\t   19000 kB\nThreads:\t1\n";
        assert_eq!(of_status(status, "VmRSS:"), Some(19_456_000));
        assert_eq!(of_status(status, "VmHWM:"), Some(21_504_000));
        assert_eq!(of_status("Threads:\t1\n", "VmRSS:"), None);
    }
}
