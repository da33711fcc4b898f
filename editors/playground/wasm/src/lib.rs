//! The workbench for WebAssembly: a buffer for a request, and a buffer for its answer. Nothing is imported.
//!
//! The client writes a request to the address that [`reserve`] returns, calls [`answer`], and reads the answer at the address that
//! [`result`] returns. `docs/design/workbench.md` describes the requests.

use std::cell::RefCell;
use std::sync::Once;
use synod::internals::workbench::Workbench;

#[derive(Default)]
struct Session {
    bench: Workbench,
    request: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
    /// The message of a panic, after which the module is not called again except for this message.
    static PANIC: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Keep the message of a panic, which ends with a trap.
fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.to_string().into_bytes();
            PANIC.with(|kept| {
                if let Ok(mut kept) = kept.try_borrow_mut() {
                    *kept = message;
                }
            });
        }));
    });
}

/// Make room for a request of this many bytes; return its address.
#[allow(unsafe_code, reason = "an exported name is unique in the module")]
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    keep_panics();
    SESSION.with_borrow_mut(|session| {
        session.answer = Vec::new();
        session.request.clear();
        session.request.resize(len, 0);
        session.request.as_mut_ptr()
    })
}

/// Answer the request; return the length of the answer in bytes.
#[allow(unsafe_code, reason = "an exported name is unique in the module")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    SESSION.with_borrow_mut(|session| {
        let request = String::from_utf8_lossy(&session.request);
        session.answer = session.bench.answer(&request).into_bytes();
        session.answer.len()
    })
}

/// Return the address of the answer, or of the message of a panic.
#[allow(unsafe_code, reason = "an exported name is unique in the module")]
#[unsafe(no_mangle)]
pub extern "C" fn result() -> *const u8 {
    let panic = PANIC.with_borrow(|message| (!message.is_empty()).then_some(message.as_ptr()));
    // After a panic, the session may still be borrowed.
    panic.unwrap_or_else(|| SESSION.with_borrow(|session| session.answer.as_ptr()))
}

/// Return the length of the message of a panic; 0 if there was none.
#[allow(unsafe_code, reason = "an exported name is unique in the module")]
#[unsafe(no_mangle)]
pub extern "C" fn panic() -> usize {
    PANIC.with_borrow(Vec::len)
}
