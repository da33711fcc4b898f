//! The calls that are waiting or being answered, by the ids of their requests.

use super::limits::CallLimits;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of bytes of waiting calls.
const MAX_WAITING: usize = 64 << 20;

struct Waiting {
    id: Value,
    bytes: usize,
}

#[derive(Default)]
struct Calls {
    waiting: Vec<Waiting>,
    running: Option<Value>,
}

pub struct CallRegister {
    calls: Mutex<Calls>,
    limits: Arc<CallLimits>,
}

/// The reason why a call is not accepted.
pub enum Rejection {
    /// Another call has this id.
    Duplicate,
    Overload,
}

impl CallRegister {
    pub fn new(limits: Arc<CallLimits>) -> CallRegister {
        CallRegister { calls: Mutex::default(), limits }
    }

    /// Register a call that will wait.
    ///
    /// # Errors
    /// If its id is that of another call, or too many calls wait.
    pub fn register(&self, id: &Value, bytes: usize) -> Result<(), Rejection> {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.running.as_ref() == Some(id) || calls.waiting.iter().any(|waiting| waiting.id == *id) {
            return Err(Rejection::Duplicate);
        }
        let held: usize = calls.waiting.iter().map(|waiting| waiting.bytes).sum();
        if !calls.waiting.is_empty() && held + bytes > MAX_WAITING {
            return Err(Rejection::Overload);
        }
        calls.waiting.push(Waiting { id: id.clone(), bytes });
        Ok(())
    }

    /// Begin a call. Return false if it has been cancelled while it was waiting.
    pub fn begin(&self, id: &Value, seconds: u64) -> bool {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = calls.waiting.iter().position(|waiting| waiting.id == *id) else { return false };
        calls.waiting.remove(at);
        calls.running = Some(id.clone());
        self.limits.begin(seconds);
        true
    }

    /// End the present call.
    pub fn finish(&self) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).running = None;
    }

    /// Cancel a call; one that is unknown or answered is ignored, as the protocol requires.
    pub fn cancel(&self, id: &Value) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.running.as_ref() == Some(id) {
            self.limits.cancel();
        }
        calls.waiting.retain(|waiting| waiting.id != *id);
    }

    /// Limit the time of the calls that were received, as the input has ended.
    pub fn end(&self) {
        self.limits.end();
    }
}
