//! The command line, one file for each verb. Input and output happen only here and in the language server.

pub mod exit;
mod atomic_file;
mod folders;
mod interrupt;
mod json;
mod options;
mod output;
mod check;
mod completions;
mod dap;
mod explain;
mod fmt;
mod list;
mod lsp;
mod man;
mod new;
mod show;
mod usage_hints;
mod instance;
mod run;
mod topology;
mod measure;
mod test;
mod trace;
mod draw;
mod verify;
mod mcp;
mod serve;
mod repl;
#[cfg(feature = "schemas")]
pub mod schemas;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use exit::{Failure, Outcome};
use options::{Common, Json};
use output::Output;
use std::process::ExitCode;

// Parts that are tested on their own.
pub use test::review;
pub use verify::memory;

/// A guarded-command language for distributed algorithms
///
/// An algorithm is written as in a paper; Synod runs, model-checks, tests and draws that text.
/// FILE is a path, `-` for the standard input, or the name of an algorithm of the library (see `synod list`).
#[derive(Parser)]
#[command(name = "synod", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    common: Common,

    #[command(subcommand)]
    verb: Verb,
}

const EXIT_CODES: &str = "\
Exit codes: 0 success · 1 a finding (a property or a test failed) · 2 an error in the usage or the source · \
3 a limit was reached, verdict unknown · 4 a counterexample could not be replayed · 101 a bug in Synod";

#[derive(Subcommand)]
enum Verb {
    Check(check::CheckOptions),
    Fmt(fmt::FmtOptions),
    Run(run::RunOptions),
    Repl(repl::ReplOptions),
    Verify(verify::VerifyOptions),
    Measure(measure::MeasureOptions),
    Test(test::TestOptions),
    Draw(draw::DrawOptions),
    Serve(serve::ServeOptions),
    Trace(trace::TraceOptions),
    List(list::ListOptions),
    Show(show::ShowOptions),
    New(new::NewOptions),
    Topology(topology::TopologyOptions),
    Explain(explain::ExplainOptions),
    Lsp(lsp::LspOptions),
    Dap(dap::DapOptions),
    Mcp(mcp::McpOptions),
    Completions(completions::CompletionsOptions),
    Man(man::ManOptions),
}

impl Verb {
    /// Return the name of the verb, and whether its result is written as JSON.
    fn result_form(&self) -> (&'static str, Json) {
        match self {
            Verb::Check(options) => ("check", options.json),
            Verb::Fmt(options) => ("fmt", options.json),
            Verb::Run(options) => ("run", options.json),
            Verb::Repl(_) => ("repl", Json::default()),
            Verb::Verify(options) => ("verify", options.json),
            Verb::Measure(options) => ("measure", options.json),
            Verb::Test(options) => ("test", options.json),
            Verb::Draw(options) => ("draw", options.json),
            Verb::Serve(_) => ("serve", Json::default()),
            Verb::Trace(options) => ("trace", options.json),
            Verb::List(options) => ("list", options.json),
            Verb::Show(options) => ("show", options.json),
            Verb::New(_) => ("new", Json::default()),
            Verb::Topology(options) => ("topology", options.json),
            Verb::Explain(options) => ("explain", options.json),
            Verb::Lsp(_) => ("lsp", Json::default()),
            Verb::Dap(_) => ("dap", Json::default()),
            Verb::Mcp(_) => ("mcp", Json::default()),
            Verb::Completions(_) => ("completions", Json::default()),
            Verb::Man(_) => ("man", Json::default()),
        }
    }

    /// Whether the command runs programs, which may take any amount of memory, and has no memory limit of its own.
    fn runs_programs(&self) -> bool {
        match self {
            Verb::Run(_) | Verb::Repl(_) | Verb::Measure(_) | Verb::Dap(_) => true,
            Verb::Test(_) | Verb::Draw(_) | Verb::Trace(_) => true,
            Verb::Verify(_) | Verb::Mcp(_) => false,
            Verb::Check(_) | Verb::Fmt(_) | Verb::List(_) | Verb::Show(_) | Verb::New(_) => false,
            Verb::Topology(_) | Verb::Explain(_) | Verb::Lsp(_) | Verb::Serve(_) => false,
            Verb::Completions(_) | Verb::Man(_) => false,
        }
    }

    fn run(&self, out: &mut Output) -> Outcome {
        if self.runs_programs() {
            verify::Memory::guard();
        }
        match self {
            Verb::Check(options) => check::run(options, out),
            Verb::Fmt(options) => fmt::run(options, out),
            Verb::Run(options) => run::run(options, out),
            Verb::Repl(options) => repl::run(options, out),
            Verb::Verify(options) => verify::run(options, out),
            Verb::Measure(options) => measure::run(options, out),
            Verb::Test(options) => test::run(options, out),
            Verb::Draw(options) => draw::run(options, out),
            Verb::Serve(options) => serve::run(options, out),
            Verb::Trace(options) => trace::run(options, out),
            Verb::List(options) => list::run(options, out),
            Verb::Show(options) => show::run(options, out),
            Verb::New(options) => new::run(options, out),
            Verb::Topology(options) => topology::run(options, out),
            Verb::Explain(options) => explain::run(options, out),
            Verb::Lsp(options) => lsp::run(options, out),
            Verb::Dap(options) => dap::run(options, out),
            Verb::Mcp(options) => mcp::run(options, out),
            Verb::Completions(options) => completions::run(options, &mut Cli::command(), out),
            Verb::Man(options) => man::run(options, Cli::command(), out),
        }
    }
}

/// Run the command line, and return its exit code.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| bug(&panic.to_string())));
    let outcome = match Cli::try_parse() {
        Ok(cli) => {
            let (verb, Json { json }) = cli.verb.result_form();
            let mut out = Output::new(&cli.common, verb, json);
            let outcome = cli.verb.run(&mut out);
            out.finish(outcome)
        }
        Err(error) => usage_error(&error),
    };
    ExitCode::from(exit::code(&outcome))
}

/// Report what clap rejects. Help and version are results; everything else is an error, which is rephrased.
fn usage_error(error: &clap::Error) -> Outcome {
    let is_result = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let given = |flag: &str| args.iter().take_while(|arg| *arg != "--").any(|arg| arg == flag);
    let color =
        if given("never") || given("--color=never") { options::Color::Never } else { options::Color::Auto };
    let common = Common { color, ascii: given("--ascii"), quiet: false, verbose: false };
    let mut out = Output::new(&common, "synod", given("--json") && !is_result);
    if is_result {
        let to_stderr = error.use_stderr();
        let colored = if to_stderr { out.notes.color } else { out.look.color };
        let text = error.render();
        let text = if colored { text.ansi().to_string() } else { text.to_string() };
        if to_stderr {
            out.note(text);
            return out.finish(Err(Failure::Reported));
        }
        let written = out.text(text).map(|()| exit::ExitStatus::Success);
        return out.finish(written);
    }
    let misuse = usage_hints::misuse(error, Cli::command(), &args);
    if given("--json") {
        out.json(&json::ErrorBody::new(&misuse.problem))?;
    } else {
        out.problem(&misuse.problem);
        out.note(format!("\n{}", misuse.usage));
    }
    out.finish(Err(Failure::Reported))
}

/// Report a panic: it is always a bug in Synod, with exit code 101.
fn bug(what: &str) {
    use std::io::Write;
    let _ = writeln!(
        std::io::stderr(),
        "{what}\n\nThis is a bug in Synod {}. Please report it with the command and the file that caused it.",
        env!("CARGO_PKG_VERSION")
    );
}
