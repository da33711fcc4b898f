//! Commands that move the cursor in the run. They print only the events and changes.

use super::{CommandContext, CommandResult, Transition};
use crate::check::prose;
use crate::cli::exit::Failure;
use crate::render::{run as render, space_time};
use crate::semantics::{MOST_WAITS, SOME_WAITS, StepError};
use crate::session::timeline::{MOST_STEPS, Movement, Possibilities, Stop};
use crate::session::{self, end};
use crate::simulate::Outcome;
use crate::trace::{End, Trace, TraceEvent};

/// The greatest number of events that `.step` shows: of more events, the first and last ones.
const MOST_OF_STEPS: usize = 40;
/// The greatest number of events that `.run` shows.
const MOST_OF_RUNS: usize = 16;
/// Default limit of steps in a list.
const MOST_LISTED: usize = 60;

/// Parse a number; an empty text gives the default.
fn number(text: &str, usual: u64) -> Result<u64, Failure> {
    match text {
        "" => Ok(usual),
        _ => text
            .replace('_', "")
            .parse()
            .map_err(|_| Failure::usage(format!("expected a number, not '{text}'"))),
    }
}

pub fn step(room: &mut CommandContext, text: &str) -> CommandResult {
    let most = number(text, 1)?;
    room.go(most, MOST_OF_STEPS)
}

pub fn run(room: &mut CommandContext, text: &str) -> CommandResult {
    let most = number(text, MOST_STEPS)?;
    let done = room.go(most, MOST_OF_RUNS)?;
    if text.is_empty() && room.timeline.at() - room.memory.last >= MOST_STEPS as usize {
        room.out.line(format!("{MOST_STEPS} steps; .run continues"))?;
    }
    Ok(done)
}

pub fn back(room: &mut CommandContext, text: &str) -> CommandResult {
    let steps = number(text, 1)?;
    if room.timeline.at() == 0 {
        return Err(Failure::usage("this is the beginning of the run"));
    }
    let before = room.timeline.at();
    room.timeline.back(steps).map_err(|error| Failure::usage(error.to_string()))?;
    room.memory.last = before;
    room.show_difference(before)?;
    Ok(Transition::Stay)
}

pub fn goto(room: &mut CommandContext, text: &str) -> CommandResult {
    let wanted = match text {
        "end" | "" => room.timeline.events().len(),
        _ => number(text.trim_start_matches('@'), 0)? as usize,
    };
    let before = room.timeline.at();
    if wanted <= room.timeline.events().len() {
        room.to(wanted)?;
        room.memory.last = before;
        return Ok(Transition::Stay);
    }
    room.to(room.timeline.events().len())?;
    let mut stop = Stop::Done;
    while room.timeline.at() < wanted && matches!(stop, Stop::Done) {
        let most = (wanted - room.timeline.at()) as u64;
        stop = room.timeline.go(most, &mut room.memory.breakpoints).stop;
    }
    room.memory.last = before;
    if room.timeline.at() > wanted {
        // A joint step may consist of many events.
        room.to(wanted)?;
        return Ok(Transition::Stay);
    }
    room.say_stop(&stop)?;
    Ok(Transition::Stay)
}

pub fn enabled(room: &mut CommandContext, text: &str) -> CommandResult {
    let most = match text {
        "all" => usize::MAX,
        _ => number(text, MOST_LISTED as u64)? as usize,
    };
    let possible = room.timeline.possible(most);
    if possible.list.is_empty() {
        return room.ended(Some(Stop::End(room.timeline.outcome().unwrap_or(Outcome::Quiescent))));
    }
    let numbered = (1..).zip(&possible.list);
    let events = numbered.map(|(number, p)| TraceEvent { index: number, ..p.told.clone() }).collect();
    room.show_events(events, usize::MAX)?;
    if possible.cut {
        let what = match possible.steps {
            1 => "more choices in this step".into(),
            k => format!("{k} steps in all, with more choices"),
        };
        room.out.line(format!("… {what}; .enabled all lists them"))?;
    }
    if possible.some_waits {
        let line = format!(
            "some steps have more than {MOST_WAITS} possible delays: only the {SOME_WAITS} shortest and the {SOME_WAITS} longest are listed"
        );
        room.out.line(line)?;
    }
    Ok(Transition::Stay)
}

pub fn fire(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        return Err(Failure::usage("which step?").hint(".enabled lists them, .fire N takes one"));
    }
    let wanted: Option<usize> = text.parse().ok();
    let possible = room.timeline.possible(wanted.unwrap_or(MOST_LISTED).max(MOST_LISTED));
    let chosen = match wanted {
        Some(number) => number.checked_sub(1).filter(|i| *i < possible.list.len()),
        None => Some(room.of_process(text, &possible)?),
    };
    let Some(chosen) = chosen.map(|i| possible.list[i].event.clone()) else {
        let count = possible.list.len();
        return Err(Failure::usage(match count {
            0 => "no step is enabled here".into(),
            1 => format!("there is no step {text}: only step 1"),
            _ => format!("there is no step {text}: only 1 to {count}"),
        })
        .hint(".enabled lists them"));
    };
    let before = room.timeline.at();
    let ahead = room.timeline.events().len() - before;
    if ahead > 0 && room.timeline.events().get(before) != Some(&chosen) {
        room.save_undo_point(".fire");
    }
    match room.timeline.fire(&chosen) {
        Ok(gone) => {
            room.memory.last = before;
            room.show_between(before, room.timeline.at(), MOST_OF_STEPS)?;
            if gone > 0 {
                let events = if gone == 1 { "1 event".into() } else { format!("{gone} events") };
                room.note(&format!("{events} ahead discarded; .undo restores them"))?;
            }
            Ok(Transition::Stay)
        }
        Err(StepError::Aborted(abort)) => room.ended(Some(Stop::Aborted(abort))),
        Err(StepError::Impossible(why)) => Err(Failure::usage(why)),
    }
}

pub fn fork(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.contains(char::is_whitespace) {
        return Err(Failure::usage("the name of a branch is one word"));
    }
    if !text.is_empty() && room.timeline.has_branch(text) {
        if text == room.timeline.branch() {
            return Err(Failure::usage(format!("{text} is the current branch")));
        }
        if let Err(error) = room.timeline.switch(text) {
            return Err(Failure::usage(format!("{text} ends at @{}: {error}", room.timeline.at())));
        }
        room.memory.last = room.timeline.at();
        room.out.line(format!("back on {text}, at @{}", room.timeline.at()))?;
        return Ok(Transition::Stay);
    }
    let mut name = text.to_string();
    while name.is_empty() || room.timeline.has_branch(&name) {
        room.memory.forks += 1;
        name = format!("fork{}", room.memory.forks);
    }
    let from = room.timeline.branch().to_string();
    room.timeline.fork(&name);
    let at = room.timeline.at();
    room.out.line(format!(
        "{name} branches off {from} at @{at}; .fork {from} goes back, .compare {from} compares"
    ))?;
    Ok(Transition::Stay)
}

pub fn forks(room: &mut CommandContext, _: &str) -> CommandResult {
    let here = (room.timeline.branch().to_string(), room.timeline.at(), room.timeline.events().len());
    let others = room.timeline.branches();
    let mut all: Vec<(String, usize, usize)> =
        others.map(|(name, branch)| (name.to_string(), branch.at, branch.events.len())).collect();
    all.push(here.clone());
    all.sort();
    let row = |(name, at, len): &(String, usize, usize)| {
        let mark = if *name == here.0 { "*" } else { " " };
        vec![format!("{mark} {name}"), format!("@{at}"), format!("of {len} events")]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    for line in crate::cli::output::table(&rows) {
        room.out.line(line)?;
    }
    Ok(Transition::Stay)
}

pub fn compare(room: &mut CommandContext, text: &str) -> CommandResult {
    let known: Vec<String> = room.timeline.branches().map(|(name, _)| name.to_string()).collect();
    let name = match (text, known.as_slice()) {
        ("", [only]) => only.clone(),
        ("", _) => {
            return Err(Failure::usage("with which branch?").hint(".forks lists them; .fork makes one"));
        }
        (name, _) => name.to_string(),
    };
    let Some(compared) = room.timeline.compare(&name) else {
        let hint = prose::nearest(&name, &known).map(|near| format!("did you mean {near}?"));
        return Err(Failure::usage(format!("there is no other branch {name}"))
            .hint(hint.unwrap_or(".forks lists them".into())));
    };
    let compared = compared.map_err(|error| Failure::usage(error.to_string()))?;
    let here = room.timeline.branch().to_string();
    let common = compared.common.min(compared.here).min(compared.there);
    room.out.line(match common {
        0 if compared.here == 0 && compared.there == 0 => "both are at the beginning".to_string(),
        0 if compared.here == 0 => format!("{here} is at the beginning"),
        0 if compared.there == 0 => format!("{name} is at the beginning"),
        0 => "they differ from the first event on".to_string(),
        1 => "the first event is the same".to_string(),
        _ => format!("the first {common} events are the same"),
    })?;
    for (branch, end) in [(here.clone(), compared.here), (name.clone(), compared.there)] {
        let more = end - common;
        if end == 0 {
            continue;
        }
        let then = match more {
            0 => "ends there".into(),
            1 => "then has 1 event".into(),
            _ => format!("then has {more} events"),
        };
        room.out.line(format!("{} {then}", room.out.bold(&branch)))?;
        let told = room.timeline.narrate_branch(&branch, common..end.min(common + 5)).unwrap_or_default();
        room.show_events(told.into_iter().map(|told| told.event).collect(), usize::MAX)?;
        if more > 5 {
            room.out.line("…")?;
        }
    }
    room.out.line(room.out.bold(&format!("variables: {here} | {name}")))?;
    room.show_differences(&compared.configuration, true)?;
    Ok(Transition::Stay)
}

impl CommandContext<'_> {
    /// Return the index of the only enabled step of a process.
    fn of_process(&self, text: &str, possible: &Possibilities) -> Result<usize, Failure> {
        let p = self.process(text).map_err(|_| {
            Failure::usage(format!("'{text}' is neither the number of a step nor a process"))
                .hint(".enabled lists the steps")
        })?;
        let all = possible.list.iter().enumerate().filter(|(_, possible)| possible.event.process == p);
        let numbers: Vec<usize> = all.map(|(i, _)| i).collect();
        let process = self.instance().process_name(p);
        match numbers.as_slice() {
            [] => Err(Failure::usage(format!("no step of {process} is enabled"))
                .hint(".enabled lists the enabled steps")),
            [only] => Ok(*only),
            several => {
                let list: Vec<String> = several.iter().map(|i| (i + 1).to_string()).collect();
                Err(Failure::usage(format!("{process} can take several steps: {}", list.join(", ")))
                    .hint("choose one: .fire N"))
            }
        }
    }

    /// Move to a recorded position.
    pub(super) fn to(&mut self, position: usize) -> Result<(), Failure> {
        self.timeline.goto(position).map_err(|error| Failure::usage(error.to_string()))
    }

    fn go(&mut self, most: u64, shown: usize) -> CommandResult {
        let went = self.timeline.go(most, &mut self.memory.breakpoints);
        self.memory.last = went.from;
        self.show_between(went.from, went.to, shown)?;
        self.show_noticed(&went)?;
        self.say_stop(&went.stop)?;
        if let (Stop::End(_), true) = (&went.stop, went.to > went.from) {
            self.show_verdicts()?;
        }
        Ok(Transition::Stay)
    }

    fn show_noticed(&mut self, went: &Movement) -> Result<(), Failure> {
        let ascii = self.out.look.ascii;
        let arrow = if ascii { "->" } else { "→" };
        for noticed in &went.noticed {
            let line =
                format!("@{}  {}: {} {arrow} {}", noticed.at, noticed.text, noticed.before, noticed.now);
            self.out.line(line)?;
        }
        if went.unnoticed > 0 {
            self.out.line(format!("and {} more changes of watched expressions", went.unnoticed))?;
        }
        Ok(())
    }

    fn ended(&mut self, stop: Option<Stop>) -> CommandResult {
        if let Some(stop) = stop {
            self.say_stop(&stop)?;
        }
        Ok(Transition::Stay)
    }

    /// Print why the run stopped, unless all steps were taken.
    pub(super) fn say_stop(&mut self, stop: &Stop) -> Result<(), Failure> {
        let instance = self.instance();
        match stop {
            Stop::Done => Ok(()),
            Stop::End(outcome) => {
                let why = session::why_stopped(instance, outcome, self.timeline.configuration());
                let steps = self.timeline.at() as u64;
                self.out.text(render::outcome_text(
                    end(outcome),
                    steps,
                    &why,
                    self.out.list_width(),
                    self.out.look,
                ))
            }
            Stop::Aborted(abort) => {
                let why = session::explanation(instance, &Outcome::Aborted(abort.clone()));
                let steps = self.timeline.at() as u64;
                self.out.text(render::outcome_text(
                    End::Aborted,
                    steps,
                    &why,
                    self.out.list_width(),
                    self.out.look,
                ))
            }
            Stop::Break(number) => {
                let look = self.memory.breakpoints.breaks.iter().find(|look| look.number == *number);
                let text = look.map_or(String::new(), |look| look.question.text.clone());
                self.out.line(format!("break {number}: {text}"))
            }
            Stop::Violated(verdicts) => {
                for verdict in verdicts {
                    let place = instance.program.sources.near(verdict.span);
                    let word = super::paint::red("violated", self.out.look);
                    let why = verdict.why.to_string();
                    let why = crate::prose::with_names(&why, self.instance().names());
                    self.out.line(format!("{word}  {}: {why}  ({place})", verdict.name))?;
                    if let Some(command) = verdict.crashed_within {
                        self.out.line(format!("  {}", command.remark(&instance.program.sources)))?;
                    }
                }
                Ok(())
            }
            Stop::Interrupted => self.out.line("interrupted; .run continues"),
            Stop::Impossible(why) => Err(Failure::usage(why.clone())),
        }
    }

    /// Print the events from one position to another; of many, the first and last ones.
    pub(super) fn show_between(&mut self, from: usize, to: usize, most: usize) -> Result<(), Failure> {
        let told = self.timeline.narrate_ends(from, to, most);
        self.show_events(told.into_iter().map(|told| told.event).collect(), usize::MAX)
    }

    /// Print some events, one on each line.
    pub(super) fn show_events(&mut self, events: Vec<TraceEvent>, most: usize) -> Result<(), Failure> {
        if events.is_empty() {
            return Ok(());
        }
        let trace = Trace { header: self.timeline.header_with_verdict(), events, end: End::Limit };
        let options = self.drawing(most);
        self.out.text(render::events_with_gaps(&trace, &options))
    }

    /// Return the options of lists and diagrams.
    pub(super) fn drawing(&self, most: usize) -> space_time::SpaceTimeOptions {
        let outputs = self.stage.program.outputs.iter().map(|output| output.name.clone());
        space_time::SpaceTimeOptions {
            width: self.out.width(),
            list_width: self.out.list_width(),
            outputs: outputs.collect(),
            look: self.out.look,
            max_events: most,
            ..space_time::SpaceTimeOptions::default()
        }
    }
}
