//! Ctrl-C: the first ends the work and shows what there is, the second ends the program. Being told to end from outside (SIGTERM) is
//! the same.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INSTALLED: Once = Once::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Was there a Ctrl-C that somebody waits for? Waits for none itself.
pub fn is_set() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// What the shell expects of a program that an interrupt has ended: 128 + SIGINT.
const KILLED: i32 = 130;

/// The same for a session, which outlives every interrupt: whoever looks at the flag takes it back.
pub fn session() -> &'static AtomicBool {
    INSTALLED.call_once(|| {
        let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    });
    &INTERRUPTED
}

/// The flag that Ctrl-C sets from now on.
pub fn flag() -> &'static AtomicBool {
    INSTALLED.call_once(|| {
        // Without a handler Ctrl-C ends the program at once, which is no harm.
        let _ = ctrlc::set_handler(interrupted);
        on_termination();
    });
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
