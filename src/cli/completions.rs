//! `synod completions`: completion scripts for shells, which complete the names of the library too.

use super::exit::{ExitStatus, Outcome};
use super::output::Output;
use crate::library;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  synod completions bash > ~/.local/share/bash-completion/completions/synod
  synod completions fish > ~/.config/fish/completions/synod.fish
  synod completions zsh > ~/.zfunc/_synod     (with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc)")]
pub struct CompletionsOptions {
    shell: Shell,
}

pub fn run(options: &CompletionsOptions, command: &mut Command, out: &mut Output) -> Outcome {
    // In zsh, an argument with fixed values is completed with nothing else, but files are possible too.
    let mut completed = match options.shell {
        Shell::Bash => named(command.clone()),
        _ => command.clone(),
    };
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut completed, "synod", &mut script);
    let script = String::from_utf8_lossy(&script);
    out.text(match options.shell {
        Shell::Zsh => zsh(&script),
        Shell::Fish => format!("{script}{}", fish(command)),
        _ => script.into_owned(),
    })?;
    Ok(ExitStatus::Success)
}

/// Whether an argument takes a name of the library. The help text of the argument tells.
fn takes_names(arg: &Arg) -> bool {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.is_positional() && (help.contains("of the library") || help.contains("`synod list`"))
}

/// Return the names of the library that a verb takes: the algorithms, and for `show` the problems too.
fn names(verb: &str) -> Vec<&'static str> {
    let entries = library::entries().into_values();
    entries.filter(|entry| verb == "show" || !entry.is_problem()).map(|entry| entry.name).collect()
}

/// Return the verbs that take names of the library.
fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| verb.get_arguments().any(takes_names))
}

/// Return the command with the names of the library as the only possible values.
fn named(mut command: Command) -> Command {
    let verbs: Vec<String> = verbs(&command).map(|verb| verb.get_name().to_string()).collect();
    for verb in verbs {
        let names = names(&verb);
        command = command.mut_subcommand(verb, |verb| {
            verb.mut_args(|arg| match takes_names(&arg) {
                true => arg.value_parser(PossibleValuesParser::new(names.clone())),
                false => arg,
            })
        });
    }
    command
}

/// Add the names of the library to a script for zsh. clap completes positional arguments with `_default`: files.
fn zsh(script: &str) -> String {
    let (files, own) = (":_default' \\", ":_synod_programs' \\");
    let mut lines: Vec<String> = Vec::new();
    for line in script.lines() {
        let positional = line.starts_with("':") || line.starts_with("'*:");
        let named = line.contains("of the library") || line.contains("synod list");
        lines.push(match line.strip_suffix(files) {
            Some(start) if positional && named => format!("{start}{own}"),
            _ => line.to_string(),
        });
        // The definition precedes the last lines, which call it.
        if line.starts_with("autoload ") {
            lines.push(format!(
                "\n_synod_programs() {{\n    local -a names\n    names=({})\n    \
                 _alternative 'library:algorithm of the library:compadd -a names' 'files:file:_files'\n}}",
                names("show").join(" ")
            ));
        }
    }
    lines.join("\n") + "\n"
}

/// Return the lines for fish that complete the names of the library. clap does not complete positional arguments; fish adds files itself.
fn fish(command: &Command) -> String {
    let line = |verb: &Command| {
        let (verb, names) = (verb.get_name(), names(verb.get_name()).join(" "));
        format!("complete -c synod -n \"__fish_synod_using_subcommand {verb}\" -a \"{names}\"\n")
    };
    verbs(command).map(line).collect()
}
