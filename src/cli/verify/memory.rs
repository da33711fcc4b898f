//! How much memory the process has, where the system tells, and whether that is too much.
//!
//! Who searches looks at limits now and then; what is found in between may take much memory at once. So a thread of its own looks at the
//! memory, all the time, and who searches asks it between two steps.

use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How often the system is asked: some megabytes come meanwhile.
const ASKING: Duration = Duration::from_millis(5);

/// What it has said last. 0: nothing.
static RESIDENT: AtomicUsize = AtomicUsize::new(0);
/// So many bytes the process may have.
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);
/// The same of the time when it had more.
static EXCEEDED: AtomicUsize = AtomicUsize::new(0);

/// From now on the process may have so many bytes, until it is said otherwise.
pub fn allow(most: usize) {
    static WATCH: Once = Once::new();
    MOST.store(most, Ordering::Relaxed);
    EXCEEDED.store(0, Ordering::Relaxed);
    RESIDENT.store(of_process("VmRSS:").unwrap_or(0), Ordering::Relaxed);
    WATCH.call_once(|| {
        let watch = || {
            while let Some(bytes) = of_process("VmRSS:") {
                RESIDENT.store(bytes, Ordering::Relaxed);
                let most = MOST.load(Ordering::Relaxed);
                if bytes >= most {
                    EXCEEDED.store(most, Ordering::Relaxed);
                }
                std::thread::sleep(ASKING);
            }
        };
        // Without it the memory is what the search counts itself.
        let _ = std::thread::Builder::new().name("memory".into()).spawn(watch);
    });
}

/// Has it had more than it may?
pub fn is_exceeded() -> bool {
    EXCEEDED.load(Ordering::Relaxed) == MOST.load(Ordering::Relaxed)
}

/// Bytes that it has, a moment ago: also what the allocator has taken back and not yet returned, which no sum over what is kept
/// would show. 0: the system does not say.
pub fn resident() -> usize {
    RESIDENT.load(Ordering::Relaxed)
}

/// The most that it has had.
pub fn most_resident() -> Option<usize> {
    of_process("VmHWM:")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the command line asks the system; the file is the system's answer"
)]
fn of_process(which: &str) -> Option<usize> {
    of_status(&std::fs::read_to_string("/proc/self/status").ok()?, which)
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
