//! Counterexamples that could not be replayed, as text.

use super::VerifyOptions;
use crate::session::search_report::DisagreementBody;
use crate::trace::Trace;

/// Return the command line: the program and its arguments.
pub fn command_line() -> Vec<String> {
    std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect()
}

impl VerifyOptions {
    /// The report on counterexamples that could not be replayed.
    pub(super) fn disagreements(
        &self,
        all: &[DisagreementBody],
        events: impl Fn(&Trace) -> String,
    ) -> String {
        let mut text = String::new();
        for body in all {
            text += &format!("\n{}\n", body.message());
            text += &format!("  command   {}\n", body.command.join(" "));
            text += &format!("  seed      {}\n", body.seed);
            let ids: Vec<String> = body.ids.iter().map(i64::to_string).collect();
            text += &format!("  network   {}, ids {}\n", body.topology, ids.join(","));
            let files: Vec<&str> = body.program.iter().map(|text| text.name.as_str()).collect();
            text += &format!("  program   {}\n", files.join(", "));
            text += &format!("\n{}", events(&body.steps));
            if !body.remaining.is_empty() {
                text += "\nnot replayed\n";
                body.remaining.iter().for_each(|event| text += &format!("  {event}\n"));
            }
        }
        if !all.is_empty() {
            text += "\nThis is a bug in Synod, and no verdict depends on it. Please report it with the program; --json prints all details.\n";
        }
        text
    }
}
