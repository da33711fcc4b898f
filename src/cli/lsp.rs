//! `synod lsp`: the language server.

use super::exit::{ExitStatus, Failure, Outcome, os_message};
use super::output::Output;
use crate::lsp::{self, SessionEnd};
use clap::Args;
use std::io::{self, IsTerminal};

/// Run the language server for an editor, on standard input and output
///
/// Editors start it; editors/README.md describes their setup. It ends when the editor requests it (exit code 0) or
/// has gone (exit code 1).
#[derive(Args)]
pub struct LspOptions {
    /// The only transport; some editors pass this option
    #[arg(long, hide = true)]
    stdio: bool,

    /// The process that started the server; some editors pass this option
    #[arg(long = "clientProcessId", value_name = "ID", hide = true)]
    client: Option<u64>,
}

pub fn run(_options: &LspOptions, out: &Output) -> Outcome {
    if io::stdin().is_terminal() {
        out.note("waiting for an editor with the language server protocol; Ctrl-C ends the server");
    }
    match lsp::serve(io::stdin(), io::stdout()) {
        Ok(SessionEnd::Shutdown) => Ok(ExitStatus::Success),
        Ok(SessionEnd::Disconnected) => Ok(ExitStatus::Finding),
        Err(error) => {
            Err(Failure::usage(format!("cannot start the language server: {}", os_message(&error))))
        }
    }
}
