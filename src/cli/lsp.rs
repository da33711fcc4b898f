//! `synod lsp`: the language server, for editors.

use super::exit::{Ending, Failure, Outcome, plain};
use super::output::Output;
use crate::lsp::{self, Ended};
use clap::Args;
use std::io::{self, IsTerminal};

/// Serve an editor: the language server, on standard input and output
///
/// Editors start it by themselves; how to set them up stands in editors/README.md. It ends when the editor asks for
/// it (exit code 0) or is gone (exit code 1).
#[derive(Args)]
pub struct LspOptions {
    /// What the server does anyway; some editors say it
    #[arg(long, hide = true)]
    stdio: bool,

    /// The process that started it, as some editors say
    #[arg(long = "clientProcessId", value_name = "ID", hide = true)]
    client: Option<u64>,
}

pub fn run(_options: &LspOptions, out: &Output) -> Outcome {
    if io::stdin().is_terminal() {
        out.note("waiting for an editor that speaks the language server protocol; Ctrl-C ends it");
    }
    match lsp::serve(io::stdin(), io::stdout()) {
        Ok(Ended::Asked) => Ok(Ending::Fine),
        Ok(Ended::Abandoned) => Ok(Ending::Finding),
        Err(error) => Err(Failure::usage(format!("cannot start the language server: {}", plain(&error)))),
    }
}
