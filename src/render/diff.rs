//! The comparison of two runs, as text.

use super::Look;
use super::canvas::truncated;
use super::run::describe_event;
use super::table::table;
use crate::ids::ProcessId;
use crate::prose::count;
use crate::trace::Trace;
use crate::trace::causality::Causality;
use crate::trace::diff::{Diff, Divergence};

/// The number of events of the process shown before the first difference.
const BEFORE: usize = 3;

/// A comparison to be shown, with the names of the runs, `a` and `b`.
pub struct Comparison<'t> {
    pub diff: &'t Diff,
    pub a: (&'t str, &'t Trace),
    pub b: (&'t str, &'t Trace),
    pub look: Look,
    /// The width at which rows of lists are truncated.
    pub list_width: usize,
}

impl Comparison<'_> {
    /// Return the verdict, the instances, and the first causal difference with the events before it.
    pub fn text(&self, exact: bool) -> String {
        let (diff, (a, left), b) = (self.diff, self.a, self.b.0);
        let events = |n: usize| count(n, "event");
        let mut out = match (diff.is_equal(exact), diff.order) {
            (true, None) => {
                format!("{a} and {b} are the same run: {} in the same order\n", events(left.events.len()))
            }
            (true, Some(_)) => format!(
                "{a} and {b} are the same partial order of {}: they differ only in the order of concurrent events\n",
                events(left.events.len())
            ),
            (false, Some(at)) if diff.header.is_empty() && diff.ends.is_none() => format!(
                "{a} and {b} are the same partial order of {}, in another order from event {at} on\n",
                events(left.events.len())
            ),
            _ => format!("{a} and {b} are different runs\n"),
        };
        for (title, aspects) in [("instance", &diff.header), ("other circumstances", &diff.circumstances)] {
            if aspects.is_empty() {
                continue;
            }
            out += &format!("\n{title}\n");
            let rows = aspects.iter().map(|x| vec![x.what.clone(), x.a.clone(), x.b.clone()]);
            out += &self.rows(&["", a, b], rows.collect());
        }
        if !diff.comparable {
            return out + "\nno further comparison is possible\n";
        }
        if let Some((mine, theirs)) = diff.ends {
            out += &format!("\n{a} ends {}, {b} {}\n", mine.as_str(), theirs.as_str());
        }
        if let Some(divergence) = &diff.divergence {
            out += &self.divergence(divergence);
        }
        out
    }

    fn divergence(&self, d: &Divergence) -> String {
        let ((a, left), (b, right)) = (self.a, self.b);
        let name = left.header.name(d.process);
        let its = |nth: u32| if nth == 0 { "its start".to_string() } else { format!("its event {nth}") };
        let mut out = format!("\nfirst difference in causal order: {name}, {}\n", its(d.nth));
        if let Some(aspect) = &d.aspect {
            out +=
                &format!("  {a}: it {} {}\n  {b}: it {} {}\n", aspect.what, aspect.a, aspect.what, aspect.b);
        }
        for (side, trace, event) in [(a, left, d.a), (b, right, d.b)] {
            let Some(event) = event else {
                out += &format!("\n{side}: the history of {name} ends, {}\n", trace.end.as_str());
                continue;
            };
            out += &format!("\n{side}: after {}\n", past(trace, event));
            let own = |e: &usize| {
                let event = &trace.events[*e];
                event.process == d.process || event.with.as_ref().is_some_and(|w| w.process == d.process)
            };
            let mut shown: Vec<usize> = (0..event).rev().filter(own).take(BEFORE).collect();
            shown.reverse();
            shown.push(event);
            let row = |e: &usize| {
                let mark = if *e != event {
                    ""
                } else if self.look.ascii {
                    ">"
                } else {
                    "▶"
                };
                let mut row = vec![mark.to_string(), format!("e{e}")];
                row.extend(describe_event(trace, *e, self.look));
                row
            };
            out += &self.rows(&[""; 6], shown.iter().map(row).collect());
        }
        let others: Vec<String> = (self.diff.processes.iter().filter(|(p, _)| *p != d.process))
            .map(|(p, nth)| format!("{} from {}", left.header.name(*p), its(*nth)))
            .collect();
        if !others.is_empty() {
            out += &format!("\nother histories that differ: {}\n", others.join(", "));
        }
        out
    }

    fn rows(&self, heading: &[&str], rows: Vec<Vec<String>>) -> String {
        let ellipsis = if self.look.ascii { "..." } else { "…" };
        let lines = table(heading, &rows, 2);
        lines.iter().map(|line| truncated(line, self.list_width, ellipsis) + "\n").collect()
    }
}

/// Return the events that happened before an event, by process: `3 events of p0, 2 of p1`.
fn past(trace: &Trace, event: usize) -> String {
    let order = Causality::of_histories(trace);
    let mut counts = vec![0; trace.n()];
    for cause in order.past(event).into_iter().filter(|cause| *cause != event) {
        counts[order.process(cause).index()] += 1;
    }
    let parts = counts.iter().enumerate().filter(|(_, n)| **n > 0);
    let parts: Vec<String> =
        parts.map(|(p, n)| format!("{n} of {}", trace.header.name(ProcessId(p as u32)))).collect();
    match parts.is_empty() {
        true => "no events before it".into(),
        false => {
            format!("{} that happened before it: {}", count(counts.iter().sum(), "event"), parts.join(", "))
        }
    }
}
