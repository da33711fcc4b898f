//! Symbols in pictures: events on a line, arrow heads, crosses.

use super::svg::{self, num};
use crate::ids::ProcessId;
use crate::semantics::event::Cause;
use crate::trace::{Trace, TraceEvent};

/// The kind of symbol for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Start,
    Event,
    Timeout,
    Halt,
    Crash,
    Restart,
    /// No process acts: a message is lost or duplicated, or a link fails.
    Environment,
}

impl Mark {
    pub fn of(event: &TraceEvent) -> Mark {
        match (&event.choice.cause, event.change("halted"), event.change("up")) {
            (Cause::Crash, ..) | (_, _, Some("false")) => Mark::Crash,
            (Cause::Restart, ..) => Mark::Restart,
            (_, Some("true"), _) => Mark::Halt,
            (Cause::Start, ..) => Mark::Start,
            (Cause::Timeout, ..) => Mark::Timeout,
            (Cause::Lose { .. } | Cause::Duplicate { .. } | Cause::Cut { .. }, ..) => Mark::Environment,
            (Cause::Deliver { .. }, ..) if !event.lost.is_empty() => Mark::Environment,
            _ => Mark::Event,
        }
    }

    /// Return the meaning for the legend; empty if it needs no explanation.
    pub fn meaning(self) -> &'static str {
        match self {
            Mark::Event => "",
            Mark::Start => "start",
            Mark::Timeout => "a timer expires",
            Mark::Halt => "halts",
            Mark::Crash => "crashes",
            Mark::Restart => "restarts",
            Mark::Environment => "the environment acts",
        }
    }

    pub fn draw(self, x: f64, y: f64) -> String {
        let (cx, cy) = (num(x), num(y));
        let open = |r: f64| svg::circle("open", x, y, r);
        match self {
            Mark::Event => svg::circle("dot", x, y, 4.5).to_string(),
            Mark::Start => open(4.2).to_string(),
            Mark::Environment => open(2.6).to_string(),
            Mark::Halt => svg::rect("dot", (x - 5.0, y - 5.0), (10.0, 10.0)).to_string(),
            Mark::Crash => cross(x, y, 6.0, "bad"),
            Mark::Restart => {
                let plus = format!("M{} {cy}h6M{cx} {}v6", num(x - 3.0), num(y - 3.0));
                format!("{}{}", open(5.5), svg::path("good", plus))
            }
            Mark::Timeout => {
                let hands = format!("M{cx} {cy}v-3.6M{cx} {cy}h2.8");
                format!("{}{}", open(5.5), svg::path("line", hands))
            }
        }
    }
}

/// Draw a cross: ✗
pub fn cross(x: f64, y: f64, r: f64, class: &str) -> String {
    let (l, t, d) = (num(x - r), num(y - r), num(2.0 * r));
    svg::path(class, format_args!("M{l} {t}l{d} {d}m0 -{d}l-{d} {d}")).to_string()
}

/// Draw an arrow head: a triangle with its tip at a point, in this direction (of length 1).
pub fn head(x: f64, y: f64, (ux, uy): (f64, f64), class: &str) -> String {
    let (length, half) = (8.5, 3.3);
    let (bx, by) = (x - ux * length, y - uy * length);
    let corner = |s: f64| format!("{} {}", num(bx - uy * half * s), num(by + ux * half * s));
    let triangle = format!("M{} {}L{}L{}Z", num(x), num(y), corner(1.0), corner(-1.0));
    svg::path(&format!("h {class}"), triangle).to_string()
}

/// Describe an event in one line, for a tooltip.
pub fn event_tooltip(trace: &Trace, event: &TraceEvent) -> String {
    let name = |p: ProcessId| trace.header.name(p);
    let mut words = vec![format!("event {} · {} · {}", event.index, name(event.process), event.action)];
    words.extend(event.at.map(|at| format!("at {at}")));
    words.extend(event.received.iter().map(|m| format!("← {} {} from {}", m.id, m.text, name(m.peer))));
    words.extend(event.arrived.iter().map(|m| format!("woken by {} {} from {}", m.id, m.text, name(m.peer))));
    words.extend(event.lost.iter().map(|m| format!("lost: {} {} from {}", m.id, m.text, name(m.peer))));
    words.extend(event.sent.iter().map(|m| format!("→ {} {} to {}", m.id, m.text, name(m.peer))));
    words.extend(event.changes.iter().map(|c| format!("{} = {}", c.name, c.value)));
    if let Some(with) = &event.with {
        words.push(format!("with {}", name(with.process)));
        words.extend(with.changes.iter().map(|c| format!("{}.{} = {}", name(with.process), c.name, c.value)));
    }
    words.extend(event.observations.iter().cloned());
    words.join(" · ")
}
