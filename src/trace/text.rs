//! The text format of a trace: a header, then one event per line.
//!
//! ```text
//!      3  p1  active: receive e  <- m0 (3) from p0  -> m4 (3) to p2  e=3  @1  [deliver 0]
//! ```
//! Columns are separated by two or more spaces and contain none in a row, so that `grep`, `awk -F '  +'` and readers
//! find them. They are: index; with time, the time (`at 4`); process; action; messages received (`<-`), arrived without
//! being received yet (`|-`), vanished (`x-`), and sent (`->`, with `copy m4` for a duplicate); variables with new
//! values; observations (`!`); the length of the longest causal chain of messages up to here (`@`); and the data for a
//! replay (in brackets, see [`super::step`]). Alignment has no meaning.

use super::chain::Chain;
use super::hash;
use super::header::header_lines;
use super::{Change, End, Message, Trace, TraceEvent};
use crate::prose::padded;

/// The names of the columns, as a comment.
const LEGEND: &str =
    "# event  process  action  <- received  -> sent  variable=value  !observation  @depth  [step]";

/// Maximum width for alignment: wider columns shift only their own line.
const WIDEST_COLUMN: usize = 44;

impl Trace {
    /// Return the canonical text. [`Trace::read`] restores the same trace, whose text is identical byte for byte.
    pub fn to_text(&self) -> String {
        let mut out = format!("synod trace {}\n", self.header.format);
        for (key, value) in header_lines(&self.header) {
            out += format!("{key:<12}{value}").trim_end();
            out.push('\n');
        }
        out += &format!("\n{LEGEND}\n");
        let groups: Vec<[String; 6]> = self.events.iter().map(groups).collect();
        let mut widths = [0; 6];
        for row in &groups {
            for (width, text) in widths.iter_mut().zip(row) {
                let needed = text.chars().count();
                *width = (*width).max(if needed > WIDEST_COLUMN { 0 } else { needed });
            }
        }
        for (event, row) in self.events.iter().zip(&groups) {
            let mut line = format!("{:>6}", event.index);
            for (width, text) in widths.iter().zip(row) {
                if *width > 0 || !text.is_empty() {
                    line += "  ";
                    line += &padded(text, *width);
                }
            }
            out += line.trim_end();
            out.push('\n');
        }
        out + &self.footer()
    }

    fn footer(&self) -> String {
        format!("\nend         {}\nhash        {}\n", self.end.as_str(), hash::show(self.hash()))
    }

    /// Return the end of the hash chain over instance, events and outcome.
    pub fn hash(&self) -> u64 {
        let chain =
            self.events.iter().fold(Chain::new(&self.header), |chain, event| chain.then(&canonical(event)));
        chain.then(self.end.as_str()).value()
    }
}

/// Return an event without alignment, for the hash.
pub fn canonical(event: &TraceEvent) -> String {
    let groups = groups(event);
    let filled: Vec<&str> = groups.iter().map(String::as_str).filter(|g| !g.is_empty()).collect();
    format!("{}  {}", event.index, filled.join("  "))
}

/// Return process, action, received, sent, changes and observations, depth and step.
fn groups(event: &TraceEvent) -> [String; 6] {
    let join = |parts: Vec<String>| parts.join("  ");
    let mut seen: Vec<String> = event.changes.iter().map(Change::to_string).collect();
    if let Some(with) = &event.with {
        seen.push(format!("with {}", with.process));
        seen.extend(with.changes.iter().map(|c| format!("{}.{}", with.process, c)));
    }
    seen.extend(event.observations.iter().map(|o| format!("!{o}")));
    [
        match event.at {
            Some(at) => format!("at {at}  {}", event.process),
            None => event.process.to_string(),
        },
        event.action.clone(),
        join(
            (event.received.iter().map(|m| message("<-", m, "from")))
                .chain(event.arrived.iter().map(|m| message("|-", m, "from")))
                .chain(event.lost.iter().map(|m| message("x-", m, "from")))
                .collect(),
        ),
        join(
            (event.sent.iter().map(|m| message("->", m, "to")))
                .chain(event.copied.iter().map(|original| format!("copy {original}")))
                .collect(),
        ),
        join(seen),
        format!("@{}  [{}]", event.depth, event.choice.show()),
    ]
}

fn message(arrow: &str, message: &Message, end: &str) -> String {
    format!("{arrow} {} {} {end} {}", message.id, message.text, message.peer)
}

pub(super) fn end_of(word: &str) -> Option<End> {
    End::ALL.into_iter().find(|end| end.as_str() == word)
}
