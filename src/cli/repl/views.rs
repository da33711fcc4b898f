//! Commands that show the current state: processes, channels, events, differences, diagrams.

use super::files::named;
use super::{CommandContext, CommandResult, Transition};
use crate::cli::exit::Failure;
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::ir::show::Show;
use crate::prose;
use crate::render::{run as render, space_time};
use crate::semantics::Configuration;
use crate::session::questions::{awaited, locals};
use crate::session::timeline::differences;
use crate::session::{self, asked};
use crate::trace::TraceEvent;
use std::collections::BTreeMap;
use std::ops::Range;

/// The greatest number of lines of a list.
const MOST_LINES: usize = 40;
/// Default limit of events in a list or diagram.
const MOST_EVENTS: usize = 60;

pub fn state(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        let watched = room.timeline.watched();
        let instance = room.instance();
        let report = session::report(instance, &watched, room.timeline.schedule_word(), room.stage.seed);
        let shown = render::processes(&report, true, room.out.list_width(), room.out.look);
        room.out.line(shown.trim_end())?;
        return Ok(Transition::Stay);
    }
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let p = room.process(word)?;
        room.show_process(p)?;
    }
    Ok(Transition::Stay)
}

pub fn channels(room: &mut CommandContext, text: &str) -> CommandResult {
    let only = match text {
        "" => None,
        text => Some(room.process(text)?),
    };
    let (instance, arrow) = (room.instance(), room.arrow());
    let configuration = room.timeline.configuration();
    let mut lines = Vec::new();
    for channel in configuration.busy_channels() {
        let (from, to) = (instance.sender(channel), instance.receiver(channel));
        if only.is_some_and(|p| p != from && p != to) {
            continue;
        }
        let messages: Vec<String> = messages(room, channel).into_values().collect();
        lines.push(vec![format!("{from} {arrow} {to}"), messages.join("  ")]);
    }
    let notes = configuration.notes().iter();
    lines.extend(notes.map(|note| vec![format!("{} {arrow} {}", note.from, note.to), "note".into()]));
    if lines.is_empty() {
        room.out.line("no messages in transit")?;
    }
    for line in room.named_table(lines) {
        room.out.line(line)?;
    }
    Ok(Transition::Stay)
}

/// Return the messages of a channel in the current configuration, by number.
fn messages(room: &CommandContext, channel: ChannelId) -> BTreeMap<MessageId, String> {
    described(room, room.timeline.configuration(), channel)
}

/// Return the messages of a channel in a configuration, by number.
fn described(
    room: &CommandContext,
    configuration: &Configuration,
    channel: ChannelId,
) -> BTreeMap<MessageId, String> {
    let instance = room.instance();
    let show = Show::new(&instance.program).at(&instance.network, instance.sender(channel));
    let all = configuration.channel(channel);
    all.map(|m| (m.id, format!("{} {}", m.id, show.message(m.kind, m.words, m.values)))).collect()
}

pub fn diff(room: &mut CommandContext, text: &str) -> CommandResult {
    let from = match text {
        "" => room.memory.last,
        _ => room.position(text)?,
    };
    if from == room.timeline.at() {
        room.out.line(format!("the current position is @{from}"))?;
        return Ok(Transition::Stay);
    }
    room.out.line(room.out.bold(&format!("from @{from} to @{}", room.timeline.at())))?;
    room.show_difference(from)?;
    Ok(Transition::Stay)
}

pub fn trace(room: &mut CommandContext, text: &str) -> CommandResult {
    let at = room.timeline.at();
    let range = room.range(text, 0..at)?;
    let all = text.is_empty() && range.len() > MOST_EVENTS && !room.out.verbose;
    match (range.is_empty(), all) {
        (true, _) => room.out.line("no events yet")?,
        (_, true) => room.show_between(range.start, range.end, MOST_EVENTS)?,
        _ => room.show_between(range.start, range.end, usize::MAX)?,
    }
    Ok(Transition::Stay)
}

pub fn draw(room: &mut CommandContext, text: &str) -> CommandResult {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_range =
        first.split("..").all(|end| end.is_empty() || end.trim_start_matches('@').parse::<u64>().is_ok());
    let (range, file) = if is_range && !first.is_empty() { (first, rest.trim()) } else { ("", text) };
    let at = room.timeline.at();
    let range = room.range(range, 0..at)?;
    if range.is_empty() {
        return Err(Failure::usage("no events yet"));
    }
    let trace = room.timeline.recorded();
    let mut options = room.drawing(MOST_EVENTS);
    options.events = Some(range);
    if file.is_empty() {
        room.out.text(space_time::space_time(&trace, &options))?;
        return Ok(Transition::Stay);
    }
    let file = named(file, ".draw run.svg")?;
    if let Some(picture) = room.picture(file, &trace, options.events.clone().unwrap_or(0..at)) {
        return room.write(file, &picture);
    }
    options.look.color = false;
    options.max_events = usize::MAX;
    room.write(file, &space_time::space_time(&trace, &options))
}

pub fn properties(room: &mut CommandContext, _: &str) -> CommandResult {
    if room.stage.program.properties.is_empty() {
        room.out.line(format!("{} has no properties", room.stage.program.name))?;
        return Ok(Transition::Stay);
    }
    room.show_verdicts()?;
    Ok(Transition::Stay)
}

impl CommandContext<'_> {
    fn arrow(&self) -> &'static str {
        if self.out.look.ascii { "->" } else { "→" }
    }

    pub(super) fn show_verdicts(&mut self) -> Result<(), Failure> {
        let watched = self.timeline.watched();
        let instance = self.instance();
        let report = session::report(instance, &watched, self.timeline.schedule_word(), self.stage.seed);
        let text = render::verdicts(&report, self.out.look);
        self.out.text(text.trim_start())
    }

    /// Parse the position of a process: `p3`.
    pub(super) fn process(&self, text: &str) -> Result<ProcessId, Failure> {
        Ok(asked::process(self.instance(), text)?)
    }

    /// Parse a position in the run: `12` or `@12`.
    pub(super) fn position(&self, text: &str) -> Result<usize, Failure> {
        let len = self.timeline.events().len();
        let number: Option<usize> = text.trim_start_matches('@').parse().ok();
        number.filter(|at| *at <= len).ok_or_else(|| {
            Failure::usage(format!("there is no position {text}")).hint(format!("positions are @0 to @{len}"))
        })
    }

    /// Parse a range of events: `3..9`, `3..`, `..9`, or `3` for one event.
    fn range(&self, text: &str, all: Range<usize>) -> Result<Range<usize>, Failure> {
        if text.is_empty() {
            return Ok(all);
        }
        let Some((from, to)) = text.split_once("..") else {
            let at = self.position(text)?;
            return Ok(at..(at + 1).min(self.timeline.events().len()));
        };
        let from = if from.trim().is_empty() { all.start } else { self.position(from.trim())? };
        let to = if to.trim().is_empty() { all.end } else { self.position(to.trim())? };
        if from > to {
            return Err(Failure::usage(format!("{text} is empty: {from} comes after {to}")));
        }
        Ok(from..to)
    }

    /// Print everything about one process.
    fn show_process(&mut self, p: ProcessId) -> Result<(), Failure> {
        let instance = self.instance();
        let program = &instance.program;
        let configuration = self.timeline.configuration();
        let role = &program.roles[instance.role_of(p)];
        let show = Show::new(program).at(&instance.network, p);
        let mut rows: Vec<Vec<String>> = show
            .process(instance.role_of(p), configuration.words(p), configuration.values(p))
            .into_iter()
            .map(|(name, value)| vec![name, value])
            .collect();
        let locals = locals(instance, configuration, p);
        rows.extend(locals.into_iter().map(|(name, value)| vec![format!("({name})"), value]));
        let waits = awaited(instance, configuration, p).map(|(text, place)| match place {
            Some(place) => format!("{text} ({})", program.sources.near(place)),
            None => text,
        });
        rows.extend(waits.map(|text| vec!["waits for".into(), text]));
        let arrow = self.arrow();
        let near: Vec<String> = instance
            .network
            .ports(p)
            .iter()
            .enumerate()
            .map(|(i, port)| {
                let label = port.label.map_or_else(|| format!("port {i}"), |label| label.to_string());
                format!("{label} {arrow} {}", port.peer)
            })
            .collect();
        if !near.is_empty() {
            let more = near.len().saturating_sub(MOST_LINES);
            let dots = if more > 0 { format!(" and {more} more") } else { String::new() };
            rows.push(vec!["ports".into(), near[..near.len() - more].join(", ") + &dots]);
        }
        let coming: Vec<String> = instance
            .incoming(p)
            .flat_map(|channel| {
                let from = instance.sender(channel);
                messages(self, channel).into_values().map(move |text| format!("{text} from {from}"))
            })
            .collect();
        if !coming.is_empty() {
            rows.push(vec!["incoming".into(), coming.join(", ")]);
        }
        let role = if role.name.is_empty() { String::new() } else { format!(", {}", role.name) };
        let name = p.to_string();
        let name = prose::with_names(&name, instance.names());
        self.out.line(self.out.bold(&format!("{name}: id {}{role}", instance.network.id(p))))?;
        for line in self.named_table(rows) {
            self.out.line(format!("  {line}"))?;
        }
        Ok(())
    }

    /// Return the lines of a table in which processes are called by their names.
    fn named_table(&self, mut rows: Vec<Vec<String>>) -> Vec<String> {
        let names = self.instance().names();
        rows.iter_mut().flatten().for_each(|cell| *cell = prose::with_names(cell, names).into_owned());
        crate::cli::output::table(&rows)
    }

    /// Print the differences from the configuration at another position.
    pub(super) fn show_difference(&mut self, from: usize) -> Result<(), Failure> {
        let there = self.timeline.configuration_at(from);
        let there = there.map_err(|error| Failure::usage(error.to_string()))?;
        self.show_differences(&there, false)
    }

    /// Print the variables and messages that differ in another configuration. With `beside`, the values are printed side by side, the
    /// current one first; otherwise as changes to the current one.
    pub(super) fn show_differences(&mut self, there: &Configuration, beside: bool) -> Result<(), Failure> {
        let instance = self.instance();
        let sign = if beside { "|" } else { self.arrow() };
        let variables = differences(instance, self.timeline.configuration(), there);
        let mut rows: Vec<Vec<String>> = variables
            .into_iter()
            .map(|(p, name, here, other)| {
                let (first, second) = if beside { (here, other) } else { (other, here) };
                vec![format!("{p}.{name}"), first, sign.into(), second]
            })
            .collect();
        let all = |configuration: &Configuration| -> BTreeMap<MessageId, String> {
            let text = |channel: ChannelId| {
                let ends =
                    format!("{} {} {}", instance.sender(channel), self.arrow(), instance.receiver(channel));
                described(self, configuration, channel)
                    .into_iter()
                    .map(move |(id, text)| (id, format!("{text}  {ends}")))
            };
            configuration.busy_channels().flat_map(text).collect()
        };
        let (here, there) = (all(self.timeline.configuration()), all(there));
        let (gone, new) = if beside { ("only there", "only here") } else { ("removed", "new") };
        let only = |a: &BTreeMap<MessageId, String>, b: &BTreeMap<MessageId, String>, word: &str| {
            let missing = a.iter().filter(|(id, text)| b.get(id) != Some(text));
            missing.map(|(_, text)| vec![word.to_string(), text.clone()]).collect::<Vec<_>>()
        };
        let mut messages = only(&there, &here, gone);
        messages.extend(only(&here, &there, new));
        if rows.is_empty() && messages.is_empty() {
            return self.out.line("no differences");
        }
        let more = rows.len().saturating_sub(MOST_LINES) + messages.len().saturating_sub(MOST_LINES);
        rows.truncate(MOST_LINES);
        messages.truncate(MOST_LINES);
        for line in self.named_table(rows).into_iter().chain(self.named_table(messages)) {
            self.out.line(line)?;
        }
        if more > 0 {
            self.out.line(format!("and {more} more"))?;
        }
        Ok(())
    }

    /// Print events that need not be consecutive.
    pub(super) fn show_chain(&mut self, events: Vec<TraceEvent>) -> Result<(), Failure> {
        let trace = crate::trace::Trace {
            header: self.timeline.header_with_verdict(),
            events,
            end: crate::trace::End::Limit,
        };
        let text = render::events(&trace, &self.drawing(MOST_EVENTS));
        self.out.text(text)
    }
}
