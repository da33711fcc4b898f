//! Handling of Ctrl-C (SIGINT) and SIGTERM: the first one stops the work and shows the results so far, the second one ends the program.

use crate::stop::StopSignal;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

// A signal handler belongs to the process, and so does the flag that it sets. The rest of the program receives it as a value.
static INSTALLED: Once = Once::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Return the signal that an interrupt has arrived since a handler was installed. Installs no handler, so that Ctrl-C still ends commands
/// that do not handle it.
pub fn signal() -> StopSignal {
    StopSignal::when(|| INTERRUPTED.load(Ordering::Relaxed))
}

/// Exit code of a program that an interrupt has ended, as shells expect it: 128 + SIGINT.
const KILLED: i32 = 130;

/// Return the flag that Ctrl-C sets, for a session, which outlives every interrupt. The caller resets the flag.
pub fn session() -> &'static AtomicBool {
    INSTALLED.call_once(|| {
        let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    });
    &INTERRUPTED
}

/// Let Ctrl-C and SIGTERM set the signal from now on.
pub fn catch() {
    INSTALLED.call_once(|| {
        // Without a handler, Ctrl-C ends the program at once, which is acceptable.
        let _ = ctrlc::set_handler(interrupted);
        on_termination();
    });
}

/// Return the flag that Ctrl-C and SIGTERM set from now on.
pub fn flag() -> &'static AtomicBool {
    catch();
    &INTERRUPTED
}

fn interrupted() {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        std::process::exit(KILLED);
    }
}

#[cfg(unix)]
fn on_termination() {
    use signal_hook::{consts::SIGTERM, iterator::Signals};
    if let Ok(mut signals) = Signals::new([SIGTERM]) {
        std::thread::spawn(move || signals.forever().for_each(|_| interrupted()));
    }
}

#[cfg(not(unix))]
fn on_termination() {}
