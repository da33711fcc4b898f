//! The output to the client, which both threads share.

use serde_json::Value;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The answers to a batch, which are sent together.
pub struct Batch {
    /// Number of messages of the batch that are not settled.
    open: usize,
    answers: Vec<Value>,
}

/// The destination of an answer.
#[derive(Clone)]
pub enum Destination {
    Line,
    Batch(Arc<Mutex<Batch>>),
}

impl Destination {
    /// Return the destination of each message of a batch.
    pub fn batch(messages: usize) -> Destination {
        Destination::Batch(Arc::new(Mutex::new(Batch { open: messages, answers: Vec::new() })))
    }
}

pub struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    gone: AtomicBool,
}

impl Output {
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Mutex::new(Box::new(writer)), gone: AtomicBool::new(false) }
    }

    /// Return whether the client no longer reads.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Settle a message, with its answer if it has one. Each message is settled once.
    pub fn settle(&self, to: &Destination, answer: Option<Value>) {
        match to {
            Destination::Line => {
                if let Some(answer) = answer {
                    self.write(&answer);
                }
            }
            Destination::Batch(batch) => {
                let mut batch = batch.lock().unwrap_or_else(PoisonError::into_inner);
                batch.open -= 1;
                batch.answers.extend(answer);
                if batch.open == 0 && !batch.answers.is_empty() {
                    self.write(&Value::Array(std::mem::take(&mut batch.answers)));
                }
            }
        }
    }

    fn write(&self, message: &Value) {
        let line = format!("{message}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.write_all(line.as_bytes()).and_then(|()| writer.flush()).is_err() {
            self.gone.store(true, Ordering::Relaxed);
        }
    }
}
