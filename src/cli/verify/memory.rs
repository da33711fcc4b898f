//! How much memory the process has, where the system tells, and whether that is too much.
//!
//! Who searches looks at limits now and then; what is found in between may take much memory at once. So a thread of its own looks at the
//! memory, all the time, and who searches asks it between two steps.

use crate::cli::exit;
use std::io::Write;
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
    if most < usize::MAX {
        LAST.store(most.saturating_add(TOLERATED), Ordering::Relaxed);
    }
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

/// Memory limit in bytes of a command that has no limit of its own: that of a search. A run that needs more usually keeps messages or
/// values that grow without bound.
const MOST_OF_A_RUN: usize = 4_000_000_000;

/// Bytes by which a search may exceed its own limit before it checks the limit again.
const TOLERATED: usize = 1_000_000_000;

/// Interval between two checks of the limit. The guard reads a clock, so the moment at which it ends a process is not deterministic.
const GUARDING: Duration = Duration::from_millis(20);

/// Limit of the process in bytes: it ends there.
static LAST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// From now on the process ends with a message, and the exit code of a limit, when it takes too much memory: before the system
/// ends it, or other processes, without one. It is the resident memory that counts, so whatever a command keeps is included:
/// messages, values, a recorded trace, a single configuration.
pub fn guard() {
    let machine = in_kilobytes("/proc/meminfo", "MemTotal:").map_or(usize::MAX, |total| total / 4 * 3);
    // A limit of the address space (`ulimit -v`) counts what the allocator has reserved, too.
    let space = address_space().map_or(usize::MAX, |most| most / 2);
    LAST.store(MOST_OF_A_RUN.min(machine).min(space), Ordering::Relaxed);
    let watch = || {
        while let Some(bytes) = of_process("VmRSS:") {
            let last = LAST.load(Ordering::Relaxed);
            if bytes >= last {
                end(last);
            }
            std::thread::sleep(GUARDING);
        }
    };
    // Without it the system's own limits remain.
    let _ = std::thread::Builder::new().name("memory guard".into()).spawn(watch);
}

fn end(last: usize) -> ! {
    let size = match last {
        0..1_000_000_000 => format!("{} MB", last / 1_000_000),
        _ => format!("{:.1} GB", last as f64 / 1e9),
    };
    // A failed write is ignored: the exit code reports the limit as well.
    let _ = writeln!(
        std::io::stderr(),
        "\nerror: memory limit reached: {size}\n  hint: messages in transit or values grow without bound; a limit of steps ends the run before"
    );
    std::process::exit(i32::from(exit::code(&Ok(exit::Ending::Limit))))
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

fn of_process(which: &str) -> Option<usize> {
    in_kilobytes("/proc/self/status", which)
}

fn in_kilobytes(file: &str, which: &str) -> Option<usize> {
    of_status(&answer(file)?, which)
}

/// The limit of the address space, if there is one: `Max address space  1500000000  unlimited  bytes`.
fn address_space() -> Option<usize> {
    let limits = answer("/proc/self/limits")?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the command line asks the system; the file is the system's answer"
)]
fn answer(file: &str) -> Option<String> {
    std::fs::read_to_string(file).ok()
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
