//! `synod mcp`: the server for assistants.

use super::exit::{ExitStatus, Failure, Outcome, os_message};
use super::output::Output;
use super::verify::Memory;
use crate::mcp::{self, MemoryLimit};
use clap::Args;
use std::io::{self, IsTerminal};

/// Run the server for assistants with the Model Context Protocol, on standard input and output
///
/// An assistant checks, runs, verifies, measures and explains programs with its tools, and steps through their runs. The
/// server reads and writes no files. Assistants start it; editors/README.md describes their setup. It ends when its input
/// ends.
#[derive(Args)]
pub struct McpOptions {
    /// The only transport; some assistants pass this option
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Memory limit of the process in bytes during a call.
const MAX_MEMORY: usize = 2_500_000_000;

pub fn run(_options: &McpOptions, out: &Output) -> Outcome {
    if io::stdin().is_terminal() {
        out.note("waiting for a client with the Model Context Protocol; Ctrl-C ends the server");
    }
    let memory = Memory::guard();
    let watched = memory.clone();
    let limit = MemoryLimit::new(move || watched.is_exceeded(), move || memory.set_limit(MAX_MEMORY));
    match mcp::serve(io::stdin(), io::stdout(), limit) {
        Ok(()) => Ok(ExitStatus::Success),
        Err(error) => Err(Failure::usage(format!("cannot start the server: {}", os_message(&error)))),
    }
}
