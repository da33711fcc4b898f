//! The memory of the process, where the system reports it, and its limits.
//!
//! A search checks its limits only now and then, and may allocate much memory in between. So a separate thread polls the memory all the
//! time, and the search reads its result between two steps.

use crate::cli::exit;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

/// Polling interval. The process may allocate some megabytes in it.
const ASKING: Duration = Duration::from_millis(5);

/// Memory limit in bytes of a command that has no limit of its own: that of a search. A run that needs more usually keeps messages or
/// values that grow without bound.
const MOST_OF_A_RUN: usize = 4_000_000_000;

/// Bytes by which a search may exceed its own limit before it checks the limit again.
const TOLERATED: usize = 1_000_000_000;

/// Interval between two checks of the limit. The guard reads a clock, so the moment at which it ends a process is not deterministic.
const GUARDING: Duration = Duration::from_millis(20);

/// The memory of the process, and the limits on it.
pub struct Memory {
    /// Resident memory in bytes at the last poll. 0: unknown.
    resident: AtomicUsize,
    /// Limit of the search in bytes.
    search_limit: AtomicUsize,
    /// The limit that was in force when it was exceeded last.
    exceeded: AtomicUsize,
    /// Limit of the process in bytes: it ends there.
    process_limit: AtomicUsize,
    watch: Once,
}

impl Memory {
    /// Start the guard, which ends the process with a message and the exit code of a limit if it takes too much memory: before the system
    /// kills it, or other processes, without a message. The resident memory counts, which includes everything that a command keeps:
    /// messages, values, a recorded trace, a single configuration.
    pub fn guard() -> Arc<Memory> {
        let machine = in_kilobytes("/proc/meminfo", "MemTotal:").map_or(usize::MAX, |total| total / 4 * 3);
        // A limit of the address space (`ulimit -v`) also counts memory that the allocator has reserved.
        let space = address_space().map_or(usize::MAX, |most| most / 2);
        let memory = Arc::new(Memory {
            resident: AtomicUsize::new(0),
            search_limit: AtomicUsize::new(usize::MAX),
            exceeded: AtomicUsize::new(0),
            process_limit: AtomicUsize::new(MOST_OF_A_RUN.min(machine).min(space)),
            watch: Once::new(),
        });
        let watched = memory.clone();
        let watch = move || {
            while let Some(bytes) = of_process("VmRSS:") {
                let last = watched.process_limit.load(Ordering::Relaxed);
                if bytes >= last {
                    end(last);
                }
                std::thread::sleep(GUARDING);
            }
        };
        // Without this thread, only the limits of the system remain.
        let _ = std::thread::Builder::new().name("memory guard".into()).spawn(watch);
        memory
    }

    /// Set the limit of the search in bytes.
    pub fn set_limit(self: &Arc<Memory>, most: usize) {
        self.search_limit.store(most, Ordering::Relaxed);
        if most < usize::MAX {
            self.process_limit.store(most.saturating_add(TOLERATED), Ordering::Relaxed);
        }
        self.exceeded.store(0, Ordering::Relaxed);
        self.resident.store(of_process("VmRSS:").unwrap_or(0), Ordering::Relaxed);
        self.watch.call_once(|| {
            let memory = self.clone();
            let watch = move || {
                while let Some(bytes) = of_process("VmRSS:") {
                    memory.resident.store(bytes, Ordering::Relaxed);
                    let most = memory.search_limit.load(Ordering::Relaxed);
                    if bytes >= most {
                        memory.exceeded.store(most, Ordering::Relaxed);
                    }
                    std::thread::sleep(ASKING);
                }
            };
            // Without this thread, the search uses its own count.
            let _ = std::thread::Builder::new().name("memory".into()).spawn(watch);
        });
    }

    /// Whether the search has exceeded its limit.
    pub fn is_exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed) == self.search_limit.load(Ordering::Relaxed)
    }

    /// Return the resident memory in bytes at the last poll; 0: unknown. It includes memory that is freed but not returned to the system,
    /// which no sum over live data would show.
    pub fn resident(&self) -> usize {
        self.resident.load(Ordering::Relaxed)
    }
}

fn end(last: usize) -> ! {
    let size = match last {
        0..1_000_000_000 => format!("{} MB", last / 1_000_000),
        _ => format!("{:.1} GB", last as f64 / 1e9),
    };
    // A failed write is ignored: the exit code reports the limit as well.
    let _ = writeln!(
        std::io::stderr(),
        "\nerror: memory limit reached: {size}\n  hint: messages in transit or values grow without bound; a limit of steps ends the run earlier"
    );
    std::process::exit(i32::from(exit::code(&Ok(exit::ExitStatus::Limit))))
}

/// Return the greatest resident memory so far, in bytes.
pub fn most_resident() -> Option<usize> {
    of_process("VmHWM:")
}

fn of_process(which: &str) -> Option<usize> {
    in_kilobytes("/proc/self/status", which)
}

fn in_kilobytes(file: &str, which: &str) -> Option<usize> {
    of_status(&answer(file)?, which)
}

/// Return the limit of the address space in bytes, if there is one: `Max address space  1500000000  unlimited  bytes`.
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

/// Parse a line of the status of a process on Linux, in bytes: `VmRSS: 19000 kB`, and for the greatest value `VmHWM: 21000 kB`.
pub fn of_status(status: &str, which: &str) -> Option<usize> {
    let line = status.lines().find_map(|line| line.strip_prefix(which))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
