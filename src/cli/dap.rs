//! `synod dap`: the debugger.

use super::exit::{ExitStatus, Failure, Outcome, os_message};
use super::output::Output;
use crate::dap::{self, SessionEnd};
use clap::Args;
use std::io::{self, IsTerminal};

/// Run the debugger for an editor, on standard input and output
///
/// Editors start it and speak the debug adapter protocol; editors/README.md describes their setup. The launch configuration
/// names the program, the network, a scenario or a trace. It ends when the editor disconnects (exit code 0) or has gone
/// (exit code 1).
#[derive(Args)]
pub struct DapOptions {
    /// The only transport; some editors pass this option
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn run(_options: &DapOptions, out: &Output) -> Outcome {
    if io::stdin().is_terminal() {
        out.note("waiting for an editor with the debug adapter protocol; Ctrl-C ends the debugger");
    }
    match dap::serve(io::stdin(), io::stdout()) {
        Ok(SessionEnd::Disconnect) => Ok(ExitStatus::Success),
        Ok(SessionEnd::Gone) => Ok(ExitStatus::Finding),
        Err(error) => Err(Failure::usage(format!("cannot start the debugger: {}", os_message(&error)))),
    }
}
