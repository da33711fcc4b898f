//! The part below the lifelines: the outcome, the messages in transit, the legend, and what was omitted.

use super::{Diagram, label};
use crate::ids::ProcessId;
use crate::render::canvas::{BOLD, DIM, Line, truncated, width};
use crate::trace::Undelivered;
use std::ops::Range;

/// Maximum number of messages that a note lists.
const LISTED_MESSAGES_MAX: usize = 8;

impl Diagram<'_> {
    pub(super) fn left_out(&self, count: usize, first: usize, last: usize, out: &mut String) {
        let mut line = Line::new(self.options.width);
        for p in self.visible.iter().filter(|p| !self.ended[p.index()]) {
            line.put(self.column[p], self.glyphs.gap, DIM);
        }
        let text = format!("{count} events omitted: {first}-{last}");
        line.write(self.notes_column(), &text, BOLD);
        line.finish(self.options.look.color, out);
    }

    /// Write the outcome, the messages in transit, the legend, and what was omitted.
    pub(super) fn footing(
        &self,
        range: &Range<usize>,
        elsewhere: usize,
        left_out: Option<(usize, usize)>,
        out: &mut String,
    ) {
        let g = self.glyphs;
        let complete = range.end == self.trace.events.len();
        if complete {
            let mut line = self.lifelines();
            // A run that was stopped or is still running has no outcome.
            let word = match (self.trace.header.repeats_from, self.trace.end) {
                (Some(from), _) => format!("repeats from event {from}"),
                (None, end) if end.is_unfinished() => "continues".into(),
                (None, end) => end.as_str().into(),
            };
            line.write(self.notes_column(), &word, BOLD);
            line.finish(self.options.look.color, out);
        }
        let mut notes = Vec::new();
        if self.states.len() > 1 {
            let states = self.states.iter().zip(g.lives).map(|(s, life)| format!("{} {s}", life.line));
            notes.push(states.collect::<Vec<_>>().join("   "));
        }
        // In rounds, unread messages are discarded; if the run was stopped, the rest may belong to the current round.
        let rounds = self.trace.has_rounds();
        if complete && (!rounds || !self.trace.end.is_unfinished()) {
            let undelivered = self.trace.undelivered().into_iter();
            let (lost, others): (Vec<_>, Vec<_>) = undelivered.partition(|m| m.lost_at.is_some());
            notes.extend(self.messages("lost with their senders, which are down", &lost));
            notes.extend(self.messages(if rounds { "never received" } else { "in transit" }, &others));
        }
        if let Some(first) = self.hidden.first() {
            let (n, name) = (self.trace.n(), |p: ProcessId| self.trace.header.name(p));
            let events = match elsewhere {
                0 => "and have no events in this part".into(),
                1 => "nor is their event in this part".into(),
                k => format!("nor are their {k} events in this part"),
            };
            let run = (1..).zip(&self.hidden).take_while(|(k, p)| p.0 + 1 == first.0 + k).map(|(_, p)| *p);
            let last = run.take(self.visible.len()).last().unwrap_or(*first);
            let how = match self.options.flags && self.options.processes.is_none() {
                true if last == *first => format!("; --process {} shows that one", name(last)),
                true => format!("; --process {}..{} shows these", name(*first), name(last)),
                false => String::new(),
            };
            notes.push(format!("{} of {n} processes are not drawn, {events}{how}", self.hidden.len()));
        }
        if let Some((first, most)) = left_out.filter(|_| self.options.flags) {
            let last = (first + most - 1).min(self.trace.events.len() - 1);
            notes.push(format!("--from {first} --until {last} shows the next omitted events; -v shows all"));
        }
        if range.start > 0 || !complete {
            let all = self.trace.events.len();
            notes.push(format!("events {} to {} of {all}", range.start, range.end.saturating_sub(1)));
        }
        if !notes.is_empty() {
            out.push('\n');
        }
        for note in notes {
            for line in wrapped(&note, self.options.width) {
                out.push_str(&truncated(&line, self.options.width, g.ellipsis));
                out.push('\n');
            }
        }
    }
}

impl Diagram<'_> {
    /// Return a note that lists messages; `None` if there are none.
    fn messages(&self, what: &str, all: &[Undelivered<'_>]) -> Option<String> {
        let name = |p: ProcessId| self.trace.header.name(p);
        let shown = all.iter().take(LISTED_MESSAGES_MAX);
        let shown = shown.map(|Undelivered { sender, message, .. }| {
            format!(
                "{} {} {} {}",
                label(&self.trace.header, message),
                name(*sender),
                self.glyphs.to,
                name(message.peer)
            )
        });
        let more = match all.len().saturating_sub(LISTED_MESSAGES_MAX) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        (!all.is_empty()).then(|| format!("{what}: {}{more}", shown.collect::<Vec<_>>().join(", ")))
    }
}

/// Break a note into lines between its words.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => *line = format!("{line} {word}"),
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
