//! How long messages took, as lines of a scenario: what arrives at the right instant by itself comes before the timers that run out
//! there, which nothing that is held and let go can do.

use super::lines::kind;
use crate::trace::{Trace, TraceEvent};
use std::collections::BTreeMap;

/// By instant, the lines that have to stand before it is reached: what is sent at it takes so long.
///
/// # Errors
/// When messages of one kind that are sent together take different times.
pub(super) fn delays(trace: &Trace) -> Result<BTreeMap<u64, String>, String> {
    let at = |event: &TraceEvent| event.at.unwrap_or(0);
    let end = trace.events.iter().map(at).max().unwrap_or(0);
    let mut arrivals: BTreeMap<u32, u64> = BTreeMap::new();
    for event in &trace.events {
        for message in event.received.iter().chain(&event.arrived) {
            arrivals.entry(message.id).or_insert(at(event));
        }
    }
    let mut lines: BTreeMap<u64, String> = BTreeMap::new();
    // What was said last of messages of a kind on a link, and when one was sent there.
    let mut said: BTreeMap<(u32, u32, &str), (u64, u64)> = BTreeMap::new();
    for event in trace.events.iter().filter(|event| event.copied.is_none()) {
        let now = at(event);
        for message in &event.sent {
            // What is still under way in the end takes longer.
            let arrives = arrivals.get(&message.id).copied().unwrap_or(end + 1);
            let (from, to, name) = (event.process, message.peer, kind(message));
            let takes = arrives.saturating_sub(now);
            match said.get_mut(&(from, to, name)) {
                Some((before, sent)) if *before == takes => {
                    *sent = now;
                    continue;
                }
                Some((_, sent)) if *sent == now => {
                    return Err(format!("messages of p{from} that are sent together take different times"));
                }
                _ => {}
            }
            said.insert((from, to, name), (takes, now));
            let of = if name.is_empty() { String::new() } else { format!(" for {name}") };
            *lines.entry(now).or_default() += &format!("  delay p{from} -> p{to}{of} := {takes}\n");
        }
    }
    Ok(lines)
}
