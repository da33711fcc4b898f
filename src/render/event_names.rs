//! The names of events, cuts and states of a trace in text.

use super::Look;
use super::canvas::truncated;
use super::run::describe_event;
use super::table::table;
use crate::ids::{MessageId, ProcessId};
use crate::trace::causality::Causality;
use crate::trace::cut::Cut;
use crate::trace::histories::Histories;
use crate::trace::{Change, Trace};
use num_bigint::BigUint;

/// Numbers with more digits are rounded.
const MOST_DIGITS: usize = 30;
/// Vector times of more processes are omitted from lists.
pub(super) const MOST_COMPONENTS: usize = 12;

/// The naming of the parts of a trace.
#[derive(Clone, Copy)]
pub struct EventNames<'t> {
    pub trace: &'t Trace,
    pub histories: &'t Histories,
    pub look: Look,
    /// The width at which rows of lists are truncated.
    pub list_width: usize,
}

impl EventNames<'_> {
    pub fn name(&self, process: usize) -> String {
        self.trace.header.name(ProcessId(process as u32))
    }

    /// Return `p0:3`; an event outside the histories is shown by its number alone.
    pub fn event(&self, event: usize) -> String {
        let places = self.histories.places(event).iter();
        let places: Vec<String> = places.map(|(p, nth)| format!("{}:{nth}", self.name(p.index()))).collect();
        match places.is_empty() {
            true => format!("e{event}"),
            false => places.join("="),
        }
    }

    /// Return an event with number and place: `e7 (p0:3)`.
    pub fn event_with_number(&self, event: usize) -> String {
        match self.histories.places(event) {
            [] => format!("e{event}"),
            _ => format!("e{event} ({})", self.event(event)),
        }
    }

    /// Return a message with its number: `m3 Request(1)`. A note of a scenario has no number.
    pub fn message(&self, message: u64) -> String {
        let number = u32::try_from(message).ok().map(MessageId);
        let all = self.trace.events.iter().flat_map(|event| &event.sent);
        match number.and_then(|number| all.into_iter().find(|m| m.id == number)) {
            Some(m) => format!("{} {}", m.id, self.trace.header.shown(&m.text)),
            None => "a note".into(),
        }
    }

    /// Return a row for each event: number, place, Lamport and vector time, action.
    pub fn events(&self, events: &[usize], times: Option<&Causality>) -> String {
        let row = |event: &usize| {
            let (lamport, vector) = match times {
                Some(order) if self.trace.n() <= MOST_COMPONENTS => {
                    (format!("L{}", order.lamport(*event)), vector(&order.vector(*event)))
                }
                Some(order) => (format!("L{}", order.lamport(*event)), String::new()),
                None => (String::new(), String::new()),
            };
            let mut row = vec![format!("e{event}"), self.place(*event), lamport, vector];
            row.extend(describe_event(self.trace, *event, self.look));
            row
        };
        let rows: Vec<Vec<String>> = events.iter().map(row).collect();
        self.rows(&rows)
    }

    /// Return the place of an event; silent starts belong to the initial state of their process.
    fn place(&self, event: usize) -> String {
        match self.histories.places(event) {
            [] => self.trace.header.name(self.trace.events[event].process),
            _ => self.event(event),
        }
    }

    pub fn rows(&self, rows: &[Vec<String>]) -> String {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let lines = table(&vec![""; columns], rows, 2);
        lines.iter().map(|line| truncated(line, self.list_width, self.ellipsis()) + "\n").collect()
    }

    /// Return variables with their values: `state=relay  d=4`.
    pub fn values(&self, variables: &[Change]) -> String {
        let value = |c: &Change| format!("{}={}", c.name, self.trace.header.shown(&c.value));
        variables.iter().map(value).collect::<Vec<_>>().join("  ")
    }

    pub fn ellipsis(&self) -> &'static str {
        if self.look.ascii { "..." } else { "…" }
    }

    pub fn arrow(&self) -> &'static str {
        if self.look.ascii { "->" } else { "→" }
    }

    /// Return the global state of a consistent cut: a row for each process, and for each channel that is not empty.
    pub fn global_state(&self, cut: &Cut) -> String {
        let states = self.histories.local_states(self.trace, cut);
        let state = |(p, variables): (usize, &Vec<Change>)| vec![self.name(p), self.values(variables)];
        let mut out = self.rows(&states.iter().enumerate().map(state).collect::<Vec<_>>());
        let channels = self.histories.channels(self.trace, cut);
        out += match channels.is_empty() {
            true => "  all channels are empty\n",
            false => "",
        };
        let rows: Vec<Vec<String>> = channels
            .into_iter()
            .map(|((from, to), messages)| {
                let ends = format!("{} {} {}", self.name(from), self.arrow(), self.name(to));
                vec![ends, self.trace.header.shown(&messages.join(", ")).into_owned()]
            })
            .collect();
        out + &self.rows(&rows)
    }
}

/// Return a vector: `(2, 0, 1)`.
pub fn vector(counts: &[u32]) -> String {
    let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
    format!("({})", counts.join(", "))
}

/// Return a count in full, or rounded if it has too many digits: `about 1.27e57`.
pub fn number(count: &BigUint) -> String {
    let digits = count.to_string();
    match digits.len() {
        0..=MOST_DIGITS => digits,
        length => format!("about {}.{}e{}", &digits[..1], &digits[1..3], length - 1),
    }
}
