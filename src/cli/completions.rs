//! `synod completions`: what a shell needs to complete our command lines.

use super::exit::{Ending, Outcome};
use super::output::Output;
use clap::Args;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "Example: synod completions bash > ~/.local/share/bash-completion/completions/synod")]
pub struct Options {
    shell: Shell,
}

pub fn run(options: &Options, command: &mut clap::Command, out: &mut Output) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, command, "synod", &mut script);
    out.text(String::from_utf8_lossy(&script))?;
    Ok(Ending::Fine)
}
