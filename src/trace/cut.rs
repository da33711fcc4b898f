//! Cuts of a history: a prefix of each local history.
//!
//! A cut is *consistent* if it contains, with every event, all events that happened before it (Babaoglu and Marzullo
//! 1993; Mattern 1989). Then it is a possible global state of the system.

use super::Header;
use super::histories::{Histories, Transit};
use crate::ids::ProcessId;
use std::fmt;

/// The number of events of each process inside the cut. Cuts are ordered componentwise by inclusion; the derived order
/// is lexicographic, for listing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cut(pub Vec<u32>);

/// An inconsistency of a cut: an event inside depends directly on one outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    pub outside: usize,
    pub inside: usize,
    /// The message that crosses the cut backwards: received inside, sent outside. `None`: a dependency on the
    /// environment, or an interaction of which only one side is inside.
    pub message: Option<u64>,
}

impl Cut {
    /// Whether it contains the other cut.
    pub fn includes(&self, other: &Cut) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine >= theirs)
    }
}

/// With more processes, only those with events inside are displayed.
const MOST_COUNTS: usize = 24;

/// `(2, 1)`; with many processes `(p3:2, p17:1)`. `read_cut` accepts both.
impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.len() > MOST_COUNTS {
            let some = self.0.iter().enumerate().filter(|(_, count)| **count > 0);
            let some: Vec<String> = some.map(|(p, count)| format!("p{p}:{count}")).collect();
            return write!(f, "({})", if some.is_empty() { "none".into() } else { some.join(", ") });
        }
        let counts: Vec<String> = self.0.iter().map(u32::to_string).collect();
        write!(f, "({})", counts.join(", "))
    }
}

impl Histories {
    /// Return the empty cut.
    pub fn bottom(&self) -> Cut {
        Cut(vec![0; self.n()])
    }

    /// Return the cut with all events.
    pub fn top(&self) -> Cut {
        Cut((0..self.n()).map(|p| self.of_process(p).len() as u32).collect())
    }

    /// Whether the cut contains the event, at each of its processes.
    pub fn contains(&self, cut: &Cut, event: usize) -> bool {
        let places = self.places(event);
        !places.is_empty() && places.iter().all(|(p, nth)| cut.0[p.index()] >= *nth)
    }

    /// Return the last event of each process inside the cut, if any.
    pub fn frontier(&self, cut: &Cut) -> Vec<Option<usize>> {
        let last = |(p, count): (usize, &u32)| {
            (*count as usize).checked_sub(1).and_then(|at| self.of_process(p).get(at).copied())
        };
        cut.0.iter().enumerate().map(last).collect()
    }

    /// Whether the cut contains the direct causes of all its events, and therefore their causal pasts.
    pub fn is_consistent(&self, cut: &Cut) -> bool {
        let has = |(p, nth): &(ProcessId, u32)| cut.0[p.index()] >= *nth;
        let inside = |(p, count): (usize, &u32)| &self.of_process(p)[..*count as usize];
        let mut events = cut.0.iter().enumerate().flat_map(inside);
        events.all(|event| self.places(*event).iter().chain(self.causes(*event)).all(has))
    }

    /// Return all inconsistencies, in the order of the events inside; empty for a consistent cut.
    pub fn crossings(&self, cut: &Cut) -> Vec<Crossing> {
        let touches = |event: usize| self.places(event).iter().any(|(p, nth)| cut.0[p.index()] >= *nth);
        let across = |outside: usize, inside: usize, message: Option<u64>| {
            let crosses = touches(inside) && !self.contains(cut, outside);
            crosses.then_some(Crossing { outside, inside, message })
        };
        let mut found: Vec<Crossing> = Vec::new();
        found.extend(self.transits().iter().filter_map(|t| across(t.sent, t.ended?, Some(t.message))));
        found.extend(self.after().iter().filter_map(|(cause, effect)| across(*cause, *effect, None)));
        let joint = self.events().filter(|event| self.places(*event).len() > 1);
        found.extend(joint.filter_map(|event| across(event, event, None)));
        found.sort_by_key(|crossing| (crossing.inside, crossing.message));
        found
    }

    /// Return the messages in transit: sent inside the cut, but not received inside. Also defined for inconsistent
    /// cuts.
    pub fn in_transit<'h>(&'h self, cut: &'h Cut) -> impl Iterator<Item = &'h Transit> + 'h {
        self.transits()
            .iter()
            .filter(|t| self.contains(cut, t.sent) && !t.ended.is_some_and(|event| self.contains(cut, event)))
    }

    /// Return the least consistent cut that contains this one.
    pub fn least_around(&self, cut: &Cut) -> Cut {
        let mut least = self.bottom();
        self.fill(&mut least.0, (0..).map(ProcessId).zip(cut.0.iter().copied()).collect());
        least
    }

    /// Return the greatest consistent cut inside this one: add events, one by one, whose causes are inside.
    pub fn greatest_within(&self, cut: &Cut) -> Cut {
        let mut greatest = self.bottom();
        for event in self.events() {
            if self.contains(cut, event) && self.may_follow(event, |p| greatest.0[p.index()]) {
                self.places(event).iter().for_each(|(p, nth)| greatest.0[p.index()] = *nth);
            }
        }
        greatest
    }

    /// Return the next event of a process if it is enabled: all its causes are inside the (consistent) cut.
    pub fn next_at(&self, cut: &Cut, process: usize) -> Option<usize> {
        let event = *self.of_process(process).get(cut.0[process] as usize)?;
        // An interaction is listed for its initiator.
        let begins = self.places(event).first().is_some_and(|(p, _)| p.index() == process);
        (begins && self.may_follow(event, |p| cut.0[p.index()])).then_some(event)
    }

    /// Return the cut with one more event.
    pub fn with(&self, cut: &Cut, event: usize) -> Cut {
        let mut more = cut.clone();
        for (p, nth) in self.places(event) {
            more.0[p.index()] = *nth;
        }
        more
    }

    /// Return the events that are enabled after a consistent cut.
    pub fn enabled<'h>(&'h self, cut: &'h Cut) -> impl Iterator<Item = usize> + 'h {
        (0..self.n()).filter_map(|p| self.next_at(cut, p))
    }

    /// Parse an event: its index in the run, `12` or `e12`, or its number at its process, `p0:3`.
    ///
    /// # Errors
    /// A sentence that names the mistake.
    pub fn read_event(&self, header: &Header, text: &str) -> Result<usize, String> {
        let text = text.trim();
        if let Some((name, nth)) = text.rsplit_once(':') {
            let p = read_process(header, name)?;
            let own = self.of_process(p);
            let nth = number(nth, "the number of an event at its process")? as usize;
            return nth.checked_sub(1).and_then(|at| own.get(at).copied()).ok_or_else(|| {
                format!(
                    "{name} has no event {nth}: its history has {}",
                    crate::prose::count(own.len(), "event")
                )
            });
        }
        let digits = text.strip_prefix('e').unwrap_or(text);
        let event = number(digits, "an event, `12` or `p0:3`,").map(|event| event as usize)?;
        match self.recorded() {
            0 => Err(format!("no event {event}: the run has no events")),
            all if event >= all => Err(format!("no event {event}: the last event of the run is {}", all - 1)),
            _ => Ok(event),
        }
    }

    /// Parse a cut: counts in the order of processes (`3,2`); counts by process (`p0:3,p1:2`, otherwise 0); last events
    /// (`e12,e9`); or `none`, `all`.
    ///
    /// # Errors
    /// A sentence that names the mistake.
    pub fn read_cut(&self, header: &Header, text: &str) -> Result<Cut, String> {
        let inner = text.trim().trim_start_matches('(').trim_end_matches(')').trim();
        match inner {
            "none" | "" => return Ok(self.bottom()),
            "all" => return Ok(self.top()),
            _ => {}
        }
        let items: Vec<&str> = inner.split(',').map(str::trim).collect();
        let mut cut = self.bottom();
        let plain = items.iter().all(|item| item.bytes().all(|b| b.is_ascii_digit()));
        if plain && items.len() != self.n() {
            return Err(format!(
                "`{text}` has {} for {} processes: give a count for each, or name them as in `p0:3`",
                crate::prose::count(items.len(), "count"),
                self.n()
            ));
        }
        for (place, item) in items.iter().enumerate() {
            let (p, count) = match item.rsplit_once(':') {
                _ if plain => (place, number(item, "the number of events of a process")?),
                Some((name, count)) => {
                    (read_process(header, name)?, number(count, "the number of events of a process")?)
                }
                None => {
                    let event = self.read_event(header, item)?;
                    let Some((p, nth)) = self.places(event).first() else {
                        return Err(format!("event {event} belongs to no history: no cut ends with it"));
                    };
                    (p.index(), *nth)
                }
            };
            let most = self.of_process(p).len() as u32;
            if count > most {
                let has = crate::prose::count(most as usize, "event");
                return Err(format!("{} has {has}, not {count}", header.name(ProcessId(p as u32))));
            }
            cut.0[p] = cut.0[p].max(count);
        }
        Ok(cut)
    }
}

/// Parse a process, by its name or position.
///
/// # Errors
/// A sentence that lists the processes.
pub fn read_process(header: &Header, text: &str) -> Result<usize, String> {
    let n = header.ids.len();
    let text = text.trim();
    let by_name = (0..n).find(|p| header.name(ProcessId(*p as u32)) == text);
    let digits = text.strip_prefix('p').unwrap_or(text);
    let by_position = || digits.parse::<usize>().ok().filter(|p| *p < n);
    by_name.or_else(by_position).ok_or_else(|| match n {
        0 => "there are no processes".into(),
        1 => format!("no process {text}: there is only {}", header.name(ProcessId(0))),
        n => format!(
            "no process {text}: the processes are {} to {}",
            header.name(ProcessId(0)),
            header.name(ProcessId(n as u32 - 1))
        ),
    })
}

fn number(text: &str, what: &str) -> Result<u32, String> {
    let text = text.trim();
    text.parse().map_err(|_| match text {
        "" => format!("{what} is missing"),
        text => format!("expected {what}, not `{text}`"),
    })
}
