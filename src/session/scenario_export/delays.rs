//! Message delays as lines of a scenario. A message that arrives at its time by itself precedes the timers that expire
//! then; holding and releasing it cannot express that.

use super::lines::kind;
use crate::ids::{MessageId, ProcessId};
use crate::trace::{Trace, TraceEvent};
use std::collections::BTreeMap;

/// Return, by time, the lines needed before that time: the delays of the messages sent then.
///
/// # Errors
/// If messages of one kind that are sent at the same time have different delays.
pub(super) fn delays(trace: &Trace) -> Result<BTreeMap<u64, String>, String> {
    let at = |event: &TraceEvent| event.at.unwrap_or(0);
    let end = trace.events.iter().map(at).max().unwrap_or(0);
    let mut arrivals: BTreeMap<MessageId, u64> = BTreeMap::new();
    for event in &trace.events {
        for message in event.received.iter().chain(&event.arrived) {
            arrivals.entry(message.id).or_insert(at(event));
        }
    }
    let mut lines: BTreeMap<u64, String> = BTreeMap::new();
    // The last delay stated for a kind on a link, and the last time of sending there.
    let mut said: BTreeMap<(ProcessId, ProcessId, &str), (u64, u64)> = BTreeMap::new();
    for event in trace.events.iter().filter(|event| event.copied.is_none()) {
        let now = at(event);
        for message in &event.sent {
            // Messages still in transit at the end have a longer delay.
            let arrives = arrivals.get(&message.id).copied().unwrap_or(end + 1);
            let (from, to, name) = (event.process, message.peer, kind(message));
            let takes = arrives.saturating_sub(now);
            match said.get_mut(&(from, to, name)) {
                Some((before, sent)) if *before == takes => {
                    *sent = now;
                    continue;
                }
                Some((_, sent)) if *sent == now => {
                    return Err(format!("messages sent by {from} at the same time have different delays"));
                }
                _ => {}
            }
            said.insert((from, to, name), (takes, now));
            let of = if name.is_empty() { String::new() } else { format!(" for {name}") };
            *lines.entry(now).or_default() += &format!("  delay {from} -> {to}{of} := {takes}\n");
        }
    }
    Ok(lines)
}
