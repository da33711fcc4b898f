//! `synod repl`: an interactive session with an algorithm, its run and its text. An entry is a command, an expression, or a clause.

mod paint;
mod files;
mod moves;
mod observations;
mod questions;
mod stage;
mod names;
mod settings;
mod views;
mod entries;
mod commands;
mod terminal;
mod lines;

use super::exit::{self, ExitStatus, Failure, Problem};
use super::instance::InstanceArgs;
use super::interrupt;
use super::options::seed;
use super::output::Output;
use super::run::ScheduleName;
use crate::instance::Instance;
use crate::render::run as render;
use crate::semantics::StepError;
use crate::session;
use crate::session::timeline::{Breakpoints, SavedBranches, Timeline};
use crate::simulate::Outcome;
use crate::syntax::typed::{Typed, classify};
use crate::trace::End;
use clap::Args;
use lines::{Line, Lines};
use stage::Stage;
use std::io::{self, IsTerminal};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Step through an algorithm, inspect it, and change it interactively
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplOptions {
    /// A path, or the name of an algorithm of the library [default: an empty algorithm]
    pub file: Option<String>,

    #[command(flatten)]
    pub instance: InstanceArgs,

    /// Seed of all random choices: decimal or 0x… [default: 1]
    #[arg(long, value_name = "N", value_parser = seed, help_heading = "Run")]
    pub seed: Option<u64>,

    /// The scheduler, which chooses the next step [default: fifo; random with --faults]
    #[arg(long, value_enum, value_name = "SCHEDULE", help_heading = "Run")]
    pub schedule: Option<ScheduleName>,

    /// Open a trace, or a counterexample from `synod verify --save`, at its end
    #[arg(long, value_name = "FILE", help_heading = "Run", conflicts_with_all = ["seed", "ids", "initiators", "set", "faults", "daemon"])]
    pub replay: Option<String>,

    /// In a script, end at the first command that fails
    #[arg(long, help_heading = "Session")]
    pub strict: bool,

    /// In a script, print the entries too
    #[arg(long, help_heading = "Session")]
    pub echo: bool,
}

const EXAMPLES: &str = "\
Examples:
  synod repl hirschberg_sinclair --on 'ring(5)'
  synod repl mine.syn --replay counterexample.trace
  printf '.run\\n.why p0.elected\\n' | synod repl lelann --on 'ring(4)'
In the session: .help. A script ends with exit code 2 if a command has failed.";

/// The effect of a command on the session.
pub enum Transition {
    Stay,
    Leave,
    /// Continue with another program or instance, and its runs.
    Stage(Rc<Stage>, SavedBranches),
}

pub type CommandResult = Result<Transition, Failure>;

/// Words of other tools that evaluate an expression.
const EVALUATES: &[&str] = &["print", "p", "eval", "echo", "show", "display", "inspect", "puts"];

/// The greatest number of changes that can be undone.
const MOST_UNDONE: usize = 100;

/// The state of the session before a change.
struct UndoPoint {
    stage: Rc<Stage>,
    kept: SavedBranches,
    /// Description of the change.
    what: String,
}

/// The part of the session that does not depend on the instance.
struct SessionState {
    breakpoints: Breakpoints,
    undo: Vec<UndoPoint>,
    /// Position of the cursor before the last command that moved it.
    last: usize,
    /// Number of branches with generated names.
    forks: usize,
    /// The flag that Ctrl-C sets, in an interactive session.
    interrupt: Option<&'static AtomicBool>,
    /// The command that an empty line repeats.
    repeat: Option<String>,
}

/// The state of the session that a command accesses: the stage, and the run on it.
struct CommandContext<'r> {
    out: &'r mut Output,
    memory: &'r mut SessionState,
    stage: &'r Rc<Stage>,
    timeline: &'r mut Timeline,
}

pub fn run(options: &ReplOptions, out: &mut Output) -> exit::Outcome {
    if options.file.as_deref() == Some("-") {
        return Err(Failure::usage("the standard input is for commands, not for the program")
            .hint("name a file: `synod repl FILE < commands`"));
    }
    let (stage, kept) = Stage::open(options, out)?;
    let interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut lines = match interactive {
        true => Lines::terminal(out)?,
        false => Lines::script(options.echo),
    };
    let mut memory = SessionState {
        breakpoints: Breakpoints::default(),
        undo: Vec::new(),
        last: 0,
        forks: 0,
        interrupt: interactive.then(interrupt::session),
        repeat: None,
    };
    out.notices(&stage.instance.network);
    if interactive {
        out.note(greeting(&stage));
    }
    let mut session = Session { options, wrong: false, lines: &mut lines, memory: &mut memory };
    session.stages(stage, kept, out)?;
    match session.wrong {
        true => Err(Failure::Reported),
        false => Ok(ExitStatus::Success),
    }
}

fn greeting(stage: &Stage) -> String {
    let what = match stage.is_scratch() {
        true => "no algorithm is loaded; .load NAME, or type clauses".to_string(),
        false => format!("{} on {}", stage.program.name, stage.instance.network.topology()),
    };
    format!(
        "Synod {}: {what}. Enter takes a step, .run runs, .help lists the commands.",
        env!("CARGO_PKG_VERSION")
    )
}

struct Session<'s> {
    options: &'s ReplOptions,
    /// Whether a command of a script has failed.
    wrong: bool,
    lines: &'s mut Lines,
    memory: &'s mut SessionState,
}

impl Session<'_> {
    /// Run the session, one instance after the other.
    fn stages(
        &mut self,
        mut stage: Rc<Stage>,
        mut kept: SavedBranches,
        out: &mut Output,
    ) -> Result<(), Failure> {
        loop {
            let instance = stage.instance.clone();
            let mut timeline = Timeline::new(instance.clone(), stage.schedule.schedule(), stage.seed);
            match timeline.restore(kept) {
                Ok(()) => {}
                Err(StepError::Aborted(abort)) => {
                    // The recorded run ends with a run-time error.
                    let why = session::explanation(&instance, &Outcome::Aborted(abort));
                    let steps = timeline.at() as u64;
                    out.text(render::outcome_text(End::Aborted, steps, &why, out.list_width(), out.look))?;
                }
                Err(StepError::Impossible(why)) => {
                    let why = format!("the run ends at @{}: {why}", timeline.at());
                    self.complain(Failure::usage(why), 0, out)?;
                }
            }
            self.lines.learn(names::of(&stage, &timeline));
            match self.play(&stage, &mut timeline, out)? {
                Transition::Stage(next, with) => (stage, kept) = (next, with),
                _ => return Ok(()),
            }
        }
    }

    /// Process entries on one instance, up to one that changes it.
    fn play(
        &mut self,
        stage: &Rc<Stage>,
        timeline: &mut Timeline,
        out: &mut Output,
    ) -> Result<Transition, Failure> {
        loop {
            let prompt = prompt(stage, timeline);
            let Line { number, text } = match self.lines.next(&prompt, out)? {
                Some(Ok(line)) => line,
                Some(Err((number, problem))) => {
                    if self.complain(Failure::Usage(problem), number, out)? {
                        return Ok(Transition::Leave);
                    }
                    continue;
                }
                None => return Ok(Transition::Leave),
            };
            if let Some(flag) = self.memory.interrupt {
                flag.store(false, Ordering::Relaxed);
            }
            let mut room = CommandContext { out, memory: self.memory, stage, timeline };
            match room.process_entry(&text) {
                Ok(Transition::Stay) => {}
                Ok(next) => {
                    out.flush()?;
                    return Ok(next);
                }
                Err(Failure::OutputClosed) => return Err(Failure::OutputClosed),
                Err(failure) => {
                    if self.complain(failure, number, out)? {
                        return Ok(Transition::Leave);
                    }
                }
            }
            out.flush()?;
            self.lines.learn_branches(timeline);
        }
    }

    /// Report a failure. Return whether the script ends here.
    fn complain(&mut self, failure: Failure, line: usize, out: &mut Output) -> Result<bool, Failure> {
        out.flush()?;
        let failure = match failure {
            Failure::Usage(problem) if line > 0 => {
                Failure::Usage(Problem { message: format!("line {line}: {}", problem.message), ..problem })
            }
            other => other,
        };
        out.failure(&failure)?;
        if self.lines.is_script() {
            self.wrong = true;
        }
        Ok(self.lines.is_script() && self.options.strict)
    }
}

/// Return the prompt: `ring(5) @12> `.
fn prompt(stage: &Stage, timeline: &Timeline) -> String {
    let network = stage.instance.network.topology();
    let branch = match timeline.branch() {
        "main" => String::new(),
        name => format!("{name} "),
    };
    format!("{network} {branch}@{}> ", timeline.at())
}

impl<'r> CommandContext<'r> {
    /// Return the instance of the run.
    fn instance(&self) -> &'r Instance {
        let stage: &'r Rc<Stage> = self.stage;
        &stage.instance
    }

    /// Process one entry.
    fn process_entry(&mut self, text: &str) -> CommandResult {
        let text = text.trim();
        if text.is_empty() {
            let again = self.memory.repeat.clone().unwrap_or_else(|| ".step".into());
            return self.command(&again[1..]);
        }
        match text.strip_prefix(['.', ':']) {
            Some(command) => {
                let done = self.command(command);
                let steps = commands::find(command.split_whitespace().next().unwrap_or_default());
                let repeats = steps.ok().filter(|c| matches!(c.name, "step" | "back"));
                self.memory.repeat = repeats.filter(|_| done.is_ok()).map(|_| format!(".{command}"));
                done
            }
            None => match self.command_without_dot(text)? {
                Some(command) => self.command(command),
                None => self.entry(text),
            },
        }
    }

    /// Return the command that a text without a dot means, if the text has no meaning in the program: `help`, `quit`, `?`.
    ///
    /// # Errors
    /// For other commands without the dot, which may change the run.
    fn command_without_dot<'t>(&self, text: &'t str) -> Result<Option<&'t str>, Failure> {
        let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        let meant = match word {
            "?" | "h" => "help",
            "exit" | "q" | "bye" => "quit",
            word => word,
        };
        let is_command = commands::all().any(|command| command.name == meant);
        if EVALUATES.contains(&word) && !rest.trim().is_empty() && !self.is_question(text) {
            let hint = format!("an expression alone is evaluated: `{}`", rest.trim());
            return Err(Failure::usage(format!("`{word}` is no command of the session")).hint(hint));
        }
        // A clause has more words than its keyword.
        let is_clause = matches!(classify(text), Typed::Clause { .. }) && !rest.trim().is_empty();
        if !is_command || is_clause || self.is_question(text) {
            return Ok(None);
        }
        match meant {
            "help" if word == "?" || word == "h" => Ok(Some("help")),
            "help" => Ok(Some(text)),
            "quit" if rest.trim().is_empty() => Ok(Some("quit")),
            _ => Err(Failure::usage(format!("commands of the session begin with a dot, `{word}` does not"))
                .hint(format!(".{meant}{rest}"))),
        }
    }

    fn command(&mut self, text: &str) -> CommandResult {
        let (name, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        let command = commands::find(name)?;
        (command.run)(self, rest.trim())
    }

    /// Write a note to stderr.
    fn note(&mut self, text: &str) -> Result<(), Failure> {
        self.out.flush()?;
        self.out.note(text);
        Ok(())
    }

    /// Save the state of the session, for `.undo`.
    fn save_undo_point(&mut self, what: impl Into<String>) {
        let before = UndoPoint { stage: self.stage.clone(), kept: self.timeline.save(), what: what.into() };
        self.memory.undo.push(before);
        if self.memory.undo.len() > MOST_UNDONE {
            self.memory.undo.remove(0);
        }
    }
}
