//! The server for assistants, `synod mcp`: requests to the workbench over the Model Context Protocol.
//!
//! One thread reads and answers what needs no run; one thread, the worker, calls the tools. See `docs/design/mcp.md`.

#![allow(clippy::disallowed_methods, reason = "a call has a time limit, as those of the command line do")]

mod lines;
mod message;
mod output;
mod limits;
mod register;
mod tools;
mod report;
mod composite;
mod resources;
mod worker;
mod reader;

pub use limits::MemoryLimit;

use limits::CallLimits;
use output::Output;
use reader::Reader;
use register::CallRegister;
use std::io::{BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::channel;

/// The stack size of each thread, in bytes: a program of maximum nesting must fit, in a debug build too.
const STACK: usize = 64 << 20;

/// Serve until the input has ended, or the client no longer reads. The reader must be one that may be abandoned with its thread.
///
/// # Errors
/// If threads cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    memory: MemoryLimit,
) -> std::io::Result<()> {
    let limits = Arc::new(CallLimits::new(memory));
    let register = Arc::new(CallRegister::new(limits.clone()));
    let output = Arc::new(Output::new(output));
    let (sender, queue) = channel();
    let thread = |name: &str| std::thread::Builder::new().name(name.into()).stack_size(STACK);
    let reader = Reader::new(output.clone(), register.clone(), sender);
    thread("reader").spawn(move || reader.run(&mut BufReader::new(input)))?;
    let worker = thread("worker").spawn(move || worker::work(&queue, &output, &register, &limits))?;
    // The worker catches panics of calls; it ends when the reader has ended, or the client has gone.
    let _ = worker.join();
    Ok(())
}
