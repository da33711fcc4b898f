//! Commands that choose the instance: `.on`, `.ids`, `.seed` and so on. They restart the run; `.undo` takes them back.

use super::stage::{Stage, empty_run};
use super::{CommandContext, CommandResult, Transition};
use crate::check::prose;
use crate::cli::exit::Failure;
use crate::cli::instance::{DaemonName, InstanceArgs};
use crate::cli::options;
use crate::cli::run::ScheduleName;
use crate::instance::FaultBudget;
use crate::ir::FaultTexts;
use crate::ir::show::show;
use clap::ValueEnum;
use std::rc::Rc;

impl CommandContext<'_> {
    /// Build another instance of the program.
    fn rebuilt(&mut self, what: String, change: impl FnOnce(&mut InstanceArgs)) -> CommandResult {
        let mut options = self.stage.options();
        change(&mut options);
        let stage = self.stage.with_options(options, self.stage.seed)?;
        self.staged(stage, what)
    }

    /// Continue on a new stage, with an empty run.
    pub(super) fn staged(&mut self, stage: Stage, what: String) -> CommandResult {
        self.save_undo_point(what);
        self.out.line(stage.heading())?;
        self.memory.last = 0;
        self.recheck_breakpoints(&stage);
        Ok(Transition::Stage(Rc::new(stage), empty_run()))
    }

    fn print(&mut self, text: String) -> CommandResult {
        self.out.line(text)?;
        Ok(Transition::Stay)
    }
}

pub fn on(room: &mut CommandContext, text: &str) -> CommandResult {
    match text {
        "" => room.print(room.stage.instance.network.describe().trim_end().to_string()),
        _ => room.rebuilt(format!(".on {text}"), |options| {
            options.on = Some(text.into());
            // Lists of ids and initiators refer to the processes of the old network.
            (options.ids, options.initiators) =
                (options.ids.take().filter(|ids| !ids.contains(|c: char| c.is_ascii_digit())), None);
        }),
    }
}

pub fn ids(room: &mut CommandContext, text: &str) -> CommandResult {
    match text {
        "" => {
            let ids: Vec<String> = room.stage.instance.network.ids().iter().map(i64::to_string).collect();
            room.print(ids.join(", "))
        }
        _ => room.rebuilt(format!(".ids {text}"), |options| options.ids = Some(text.into())),
    }
}

pub fn initiators(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        let instance = &room.stage.instance;
        let all = instance.processes().filter(|p| instance.initiators[p.index()]);
        let names: Vec<String> = all.map(|p| instance.process_name(p)).collect();
        return room.print(if names.is_empty() { "none".into() } else { names.join(", ") });
    }
    room.rebuilt(format!(".initiators {text}"), |options| options.initiators = Some(text.into()))
}

pub fn daemon(room: &mut CommandContext, text: &str) -> CommandResult {
    let known = DaemonName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = known.map(|value| value.get_name().to_string()).collect();
    match DaemonName::from_str(text, true) {
        Ok(daemon) => room.rebuilt(format!(".daemon {text}"), |options| options.daemon = Some(daemon)),
        Err(_) => Err(Failure::usage(format!("there is no daemon '{text}'")).hint(prose::available(&names))),
    }
}

pub fn faults(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        let hazards = room.stage.instance.fault_budget.as_ref().map(FaultBudget::show).unwrap_or_default();
        return room.print(if hazards.is_empty() { "none".into() } else { hazards });
    }
    if text == "none" {
        return room.rebuilt(".faults none".into(), |options| options.faults = None);
    }
    FaultTexts::parse(text).map_err(Failure::usage)?;
    room.rebuilt(format!(".faults {text}"), |options| options.faults = Some(text.into()))
}

pub fn set(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        let program = &room.stage.program;
        let values = program.params.iter().zip(&room.stage.instance.params);
        let lines: Vec<String> =
            values.map(|(param, value)| format!("{} = {}", param.name, show(program, value))).collect();
        let none = format!("{} has no parameters", program.name);
        return room.print(if lines.is_empty() { none } else { lines.join("\n") });
    }
    let (name, value) = match text.split_once('=').or_else(|| text.split_once(char::is_whitespace)) {
        Some((name, value)) => (name.trim(), value.trim()),
        None => {
            return Err(Failure::usage(format!("no value for {text}")).hint("such as `.set entries=2`"));
        }
    };
    room.rebuilt(format!(".set {name}={value}"), |options| {
        options.set.retain(|old| old.split('=').next().map(str::trim) != Some(name));
        options.set.push(format!("{name}={value}"));
    })
}

pub fn seed(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        return room.print(room.stage.seed.to_string());
    }
    let seed = options::seed(text).map_err(Failure::usage)?;
    let stage = room.stage.with_options(room.stage.options(), seed)?;
    room.staged(stage, format!(".seed {text}"))
}

/// Set the scheduler. This setting does not restart the run.
pub fn schedule(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        return room.print(room.stage.schedule.as_str().into());
    }
    let Ok(schedule) = ScheduleName::from_str(text, true) else {
        let names: Vec<&str> = ScheduleName::value_variants().iter().map(|s| s.as_str()).collect();
        return Err(Failure::usage(format!("there is no schedule '{text}'")).hint(prose::available(&names)));
    };
    room.save_undo_point(format!(".schedule {text}"));
    let mut stage = Stage::clone(room.stage);
    stage.schedule = schedule;
    Ok(Transition::Stage(Rc::new(stage), room.timeline.save()))
}
