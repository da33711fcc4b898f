//! A run as a short text: the index of each event among the enabled steps, and its choices.

use super::failure::Failure;
use super::limits;
use super::run::follow as follow_events;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::semantics::event::Event;
use crate::semantics::{Configuration, Machine, StepError};
use crate::session::timeline::Timeline;
use crate::simulate::Outcome;
use crate::trace::step::Choice;
use std::fmt::Write;

/// The replay of a run that is written or read.
struct Replay<'i> {
    instance: &'i Instance,
    configuration: Configuration,
    machine: Machine,
}

impl<'i> Replay<'i> {
    fn new(instance: &'i Instance) -> Replay<'i> {
        Replay { instance, configuration: Configuration::initial(instance), machine: Machine::new(instance) }
    }

    fn enabled(&mut self) -> Vec<Event> {
        self.machine.enabled(self.instance, &self.configuration)
    }

    fn take(&mut self, event: &Event) -> Result<(), StepError> {
        self.machine.replay(self.instance, &mut self.configuration, event)
    }

    /// Return the item of an event.
    fn item(&mut self, event: &Event) -> String {
        let bare = Event { choices: smallvec::SmallVec::new(), ..event.clone() };
        let Some(index) = self.enabled().iter().position(|enabled| *enabled == bare) else {
            return format!("@{}", escaped(&format!("{} {}", event.process.0, Choice::of(event).show())));
        };
        let mut item = index.to_string();
        for choice in &event.choices {
            let _ = write!(item, ":{choice}");
        }
        item
    }

    /// Return the event of an item.
    fn event(&mut self, item: &str) -> Result<Event, String> {
        if let Some(text) = item.strip_prefix('@') {
            let text = unescaped(text).ok_or("it has an invalid escape")?;
            let (process, choice) = text.split_once(' ').ok_or("expected a process and a step")?;
            let process: u32 = process.parse().map_err(|_| "expected the number of a process")?;
            if process >= self.instance.n() {
                return Err(format!("there is no process {process}"));
            }
            return Ok(Choice::parse(choice)?.at(ProcessId(process)));
        }
        let mut numbers = item.split(':').map(str::parse::<u32>);
        let index = numbers.next().and_then(Result::ok).ok_or("expected a number")?;
        let choices: Result<_, _> = numbers.collect();
        let choices = choices.map_err(|_| "expected numbers of choices after `:`")?;
        let enabled = self.enabled();
        let count = enabled.len();
        let event = enabled.into_iter().nth(index as usize);
        let event = event.ok_or_else(|| format!("step {index} is not enabled: there are {count}"))?;
        Ok(Event { choices, ..event })
    }
}

/// Write every byte that is not harmless in a URL as `%` and two digits.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('_'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.' => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

fn unescaped(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'_' => bytes.push(b' '),
            b'%' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = &rest[2..];
            }
            byte => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).ok()
}

/// Return the script of the run up to the cursor.
pub fn written(timeline: &Timeline) -> Result<String, Failure> {
    let mut replay = Replay::new(timeline.instance());
    let mut items: Vec<(String, usize)> = Vec::new();
    let aborted = match timeline.outcome() {
        Some(Outcome::Aborted(abort)) => abort.event,
        _ => None,
    };
    let events = timeline.events()[..timeline.at()].iter().map(|event| (event, false));
    for (event, is_aborted) in events.chain(aborted.iter().map(|event| (event, true))) {
        let item = replay.item(event);
        match items.last_mut() {
            Some((last, count)) if *last == item => *count += 1,
            _ => items.push((item, 1)),
        }
        if !is_aborted {
            replay.take(event)?;
        }
    }
    let text = |(item, count): &(String, usize)| match count {
        1 => item.clone(),
        count => format!("{item}*{count}"),
    };
    Ok(items.iter().map(text).collect::<Vec<_>>().join(","))
}

/// Follow a script from the cursor on, which is at the beginning.
///
/// # Errors
/// At the first item that is malformed, or not enabled.
pub fn follow(timeline: &mut Timeline, text: &str) -> Result<(), Failure> {
    let instance = timeline.instance().clone();
    let mut replay = Replay::new(&instance);
    let mut events = Vec::new();
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    for (number, written) in items.enumerate() {
        let wrong = |why: String| Failure::new(format!("item {number} of the script, `{written}`: {why}"));
        let (item, count) = match written.split_once('*') {
            Some((item, count)) => (item, count.parse::<u64>().ok()),
            None => (written, Some(1)),
        };
        let count = count.ok_or_else(|| wrong("expected a number after `*`".into()))?;
        for _ in 0..count {
            limits::EVENTS.check(events.len() as u64 + 1)?;
            let event = replay.event(item).map_err(wrong)?;
            match replay.take(&event) {
                Ok(()) => events.push(event),
                // The last event of a run that ends with a run-time error.
                Err(StepError::Aborted(_)) => {
                    events.push(event);
                    return follow_events(timeline, events);
                }
                Err(error) => return Err(wrong(error.to_string())),
            }
        }
    }
    follow_events(timeline, events)
}
