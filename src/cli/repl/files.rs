//! Commands that read and write files.

use super::{CommandContext, CommandResult, Transition, paint};
use crate::cli::atomic_file;
use crate::cli::exit::Failure;
use crate::cli::interrupt;
use crate::cli::run::write_trace;
use crate::cli::verify::scenario_export;
use crate::input;
use crate::ir::show::Show;
use crate::property::Judgement;
use crate::session::scenario_export::ScenarioFinding;
use crate::simulate::Outcome;
use crate::source::Source;
use crate::syntax::format::line_end;
use std::path::Path;

/// Parse the path that a command takes: a word, or any text in quotes.
///
/// # Errors
/// If there is none, or several words without quotes.
pub(super) fn named<'t>(text: &'t str, example: &str) -> Result<&'t str, Failure> {
    let text = text.trim();
    if let Some(path) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
        && !path.is_empty()
        && !path.contains('"')
    {
        return Ok(path);
    }
    match text.split_whitespace().count() {
        0 => Err(Failure::usage("which file?").hint(format!("such as `{example}`"))),
        1 if !text.contains('"') => Ok(text),
        _ => Err(Failure::usage(format!("`{text}` is not one path"))
            .hint("a path with blanks is written in quotes: \"my run.trace\"")),
    }
}

pub fn load(room: &mut CommandContext, text: &str) -> CommandResult {
    let file = match text {
        "-" => return Err(Failure::usage("the standard input is for commands: name a file")),
        _ => named(text, ".load lelann")?,
    };
    let stage = room.stage.load(file, room.out)?;
    room.staged(stage, format!(".load {file}"))
}

pub fn reload(room: &mut CommandContext, _: &str) -> CommandResult {
    let Some(file) = room.stage.file.clone() else {
        return Err(Failure::usage("no file is loaded").hint(".load FILE"));
    };
    let text = input::read_program(&file)?;
    let stage = room.stage.with_text(text, Some(room.out))?;
    room.out.line(format!("reloaded {file}"))?;
    room.replayed(stage, ".reload".into())
}

pub fn replay(room: &mut CommandContext, text: &str) -> CommandResult {
    let file = named(text, ".replay counterexample.trace")?;
    room.out.flush()?;
    let (stage, kept) = room.stage.replayed(file, room.out)?;
    room.save_undo_point(format!(".replay {file}"));
    room.out.line(stage.heading())?;
    room.memory.last = kept.branch.at;
    room.recheck_breakpoints(&stage);
    Ok(Transition::Stage(stage, kept))
}

pub fn source(room: &mut CommandContext, text: &str) -> CommandResult {
    let source = &room.stage.text.text;
    if text.is_empty() {
        let shown = paint::program(source, room.out.look.color);
        room.out.line(shown.trim_end())?;
        return Ok(Transition::Stay);
    }
    // The lines that contain the word, with their numbers.
    let lines = Source::new("", source);
    let mut last = 0;
    let mut found = false;
    for (at, _) in source.match_indices(text) {
        let line = lines.line_column(at as u32).0;
        if line != last {
            let shown = source.lines().nth(line - 1).unwrap_or_default();
            room.out.line(format!("{line:>4}  {}", paint::program(shown, room.out.look.color)))?;
        }
        last = line;
        found = true;
    }
    match found {
        true => Ok(Transition::Stay),
        false => Err(Failure::usage(format!("the program does not contain {text}"))),
    }
}

pub fn write(room: &mut CommandContext, text: &str) -> CommandResult {
    let own = room.stage.text.path().map(|path| path.display().to_string());
    let file = match (text, own) {
        ("", Some(own)) => own,
        ("", None) => named("", ".write mine.syn")?.to_string(),
        (text, _) => named(text, ".write mine.syn")?.to_string(),
    };
    let source = room.stage.text.text.clone();
    room.write_program(&file, &source)
}

pub fn save(room: &mut CommandContext, text: &str) -> CommandResult {
    let file = named(text, ".save run.trace")?;
    if file.ends_with(".syn") {
        return scenario(room, text);
    }
    let trace = room.timeline.recorded();
    if file == "-" {
        room.out.text(trace.to_text())?;
        return Ok(Transition::Stay);
    }
    write_trace(file, &trace)?;
    let events = if trace.events.len() == 1 { "event" } else { "events" };
    room.out.line(format!("wrote {file}: {} {events}", trace.events.len()))?;
    Ok(Transition::Stay)
}

pub fn scenario(room: &mut CommandContext, text: &str) -> CommandResult {
    let shows = room.shows();
    let trace = room.timeline.trace();
    interrupt::catch();
    let played = scenario_export::played(&room.stage.text, room.instance(), "session", &shows, &trace);
    let scenario = played.map_err(|failure| match failure {
        Failure::Usage(problem) => Failure::usage(problem.message)
            .hint(".save FILE writes the run itself, for .replay and `synod run --replay`"),
        other => other,
    })?;
    match text {
        "" | "-" => {
            let shown = paint::program(&scenario, room.out.look.color);
            room.out.line(shown.trim_end())?;
            Ok(Transition::Stay)
        }
        // The file gets the program and the scenario, so that `synod test` can play it.
        file => {
            let file = named(file, ".scenario mine.syn")?;
            let program = format!("{}\n\n{}", room.stage.text.text.trim_end(), scenario.trim());
            room.write_program(file, &program)?;
            room.out.line(format!("`synod test {file}` plays it"))?;
            Ok(Transition::Stay)
        }
    }
}

impl CommandContext<'_> {
    /// Write the program of the session, which may replace the file from which it was loaded.
    fn write_program(&mut self, file: &str, program: &str) -> CommandResult {
        // Clauses of the session end with `\n`.
        let program = ended(program);
        let program = &program.replace("\r\n", "\n").replace('\n', line_end(&program));
        let is_own = self.stage.text.path().is_some_and(|own| atomic_file::is_same(own, Path::new(file)));
        if !is_own {
            return self.write(file, program);
        }
        atomic_file::replace(Path::new(file), program)?;
        self.out.line(format!("wrote {file}"))?;
        Ok(Transition::Stay)
    }

    /// Write a text to a file, and report it.
    pub(super) fn write(&mut self, file: &str, text: &str) -> CommandResult {
        atomic_file::write_result(Path::new(file), &ended(text))?;
        self.out.line(format!("wrote {file}"))?;
        Ok(Transition::Stay)
    }

    /// Return what a scenario of the run expects: its violations, otherwise the values of the variables.
    fn shows(&mut self) -> ScenarioFinding {
        match self.timeline.outcome() {
            Some(Outcome::Aborted(_)) => return ScenarioFinding::Aborted,
            Some(Outcome::Stuck(_)) => return ScenarioFinding::Stuck,
            _ => {}
        }
        let violated: Vec<String> = self
            .timeline
            .verdicts()
            .into_iter()
            .filter(|verdict| verdict.judgement == Judgement::Violated && verdict.promised)
            .map(|verdict| verdict.name)
            .collect();
        if !violated.is_empty() {
            return ScenarioFinding::Violated(violated);
        }
        let instance = self.instance();
        let configuration = self.timeline.configuration();
        let show = Show::new(&instance.program);
        let mut expected = Vec::new();
        for p in instance.processes() {
            let role = instance.role_of(p);
            let variables = role_variables(&instance.program.roles[role]);
            for (name, value) in show.process(role, configuration.words(p), configuration.values(p)) {
                if !variables.contains(&name) {
                    continue;
                }
                match value.as_str() {
                    "true" => expected.push(format!("{p}.{name}")),
                    "false" => expected.push(format!("not {p}.{name}")),
                    number if number.parse::<i64>().is_ok() => {
                        expected.push(format!("{p}.{name} = {number}"))
                    }
                    _ => {}
                }
            }
        }
        if expected.is_empty() {
            // A scenario without an expectation would test nothing.
            expected.push(format!("messages = {}", self.timeline.metrics().messages()));
        }
        ScenarioFinding::Expected(expected)
    }
}

/// Return the text with a newline at its end.
fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_string() } else { format!("{text}\n") }
}

/// Return the outputs of a role; without outputs, all its variables.
fn role_variables(role: &crate::ir::Role) -> Vec<String> {
    let own = role.vars.iter().filter(|v| !v.local && v.component == 0);
    let outputs: Vec<String> = own.clone().filter(|v| v.output).map(|v| v.name.clone()).collect();
    if outputs.is_empty() { own.map(|v| v.name.clone()).collect() } else { outputs }
}
