//! A cut of the drawn run, checked by `trace::cut`, with the messages that cross it, by their indices in the chart.

use super::chart::{Chart, MessageFlight};
use crate::ids::{MessageId, ProcessId};
use crate::trace::cut::Cut as Counts;
use crate::trace::histories::Histories;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnCut {
    /// The number of events inside, by process, as [`histories`](crate::trace::histories) count them: a start that sends nothing
    /// is not counted.
    pub counts: Vec<u32>,
    /// The last event inside, by process; such a silent start if there is no other.
    pub last: Vec<Option<usize>>,
    pub consistent: bool,
    /// Messages received inside but sent outside, as indices into the chart's flights.
    pub backwards: Vec<usize>,
    /// Messages sent inside and not received there: the state of the channels.
    pub across: Vec<usize>,
    /// An event inside and the event outside that it depends on without a message; or an event of two processes of which only one
    /// is inside.
    pub dependency_violation: Option<(usize, usize)>,
}

impl DrawnCut {
    /// Create a cut from the number of events of each process.
    ///
    /// # Errors
    /// The problem, if there is not one number for each process, or a process has fewer events.
    pub fn new(chart: &Chart, counts: &[u32]) -> Result<DrawnCut, String> {
        let trace = chart.trace;
        let n = trace.n();
        if counts.len() != n {
            return Err(format!(
                "a cut needs one number per process, that is {n}, but this one has {}",
                counts.len()
            ));
        }
        let histories = Histories::of_any_model(trace);
        let few = |p: &usize| counts[*p] as usize > histories.of_process(*p).len();
        if let Some(p) = (0..n).find(few) {
            let name = trace.header.name(ProcessId(p as u32));
            let events = crate::prose::count(histories.of_process(p).len(), "event");
            return Err(format!("{name} has {events}, but the cut contains {} of them", counts[p]));
        }
        let cut = Counts(counts.to_vec());
        let mut last = histories.frontier(&cut);
        for event in (0..trace.events.len()).filter(|event| histories.is_initial(*event)) {
            last[trace.events[event].process.index()].get_or_insert(event);
        }
        let flights: FxHashMap<(usize, Option<MessageId>), usize> = (0..)
            .zip(&chart.flights)
            .filter_map(|(i, f): (usize, &MessageFlight)| Some(((f.sent?, f.id), i)))
            .collect();
        let flight = |sent: usize, message: u64| {
            flights.get(&(sent, u32::try_from(message).ok().map(MessageId))).copied()
        };
        let crossings = histories.crossings(&cut);
        let backwards = crossings.iter().filter_map(|c| flight(c.outside, c.message?)).collect();
        let torn = crossings.iter().find(|c| c.message.is_none()).map(|c| (c.inside, c.outside));
        let mut across: Vec<usize> =
            histories.in_transit(&cut).filter_map(|t| flight(t.sent, t.message)).collect();
        // Messages that were in transit initially count as sent inside any cut.
        let there =
            |f: &MessageFlight| f.sent.is_none() && !f.end().is_some_and(|e| histories.contains(&cut, e));
        across.extend((0..).zip(&chart.flights).filter(|(_, f)| there(f)).map(|(i, _): (usize, _)| i));
        across.sort_unstable();
        let consistent = crossings.is_empty();
        Ok(DrawnCut {
            counts: counts.to_vec(),
            last,
            consistent,
            backwards,
            across,
            dependency_violation: torn,
        })
    }

    /// Return the verdict in words: `cut (3, 2): consistent; in transit across it: m3, m5`.
    pub fn verdict(&self, chart: &Chart) -> String {
        let counts: Vec<String> = self.counts.iter().map(u32::to_string).collect();
        let name = |p: ProcessId| chart.trace.header.name(p);
        let shown = |list: &[usize]| {
            let each = list.iter().take(4).map(|f| {
                let f = &chart.flights[*f];
                let id = f.id.map_or(String::new(), |id| format!("{id} "));
                format!("{id}{} from {} to {}", f.text, name(f.from), name(f.to))
            });
            let more = list.len().saturating_sub(4);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            each.collect::<Vec<_>>().join(", ") + &more
        };
        let what = match (self.consistent, self.backwards.is_empty(), self.across.is_empty()) {
            (true, _, true) => "consistent; no messages in transit".into(),
            (true, _, false) => format!("consistent; in transit across it: {}", shown(&self.across)),
            (false, false, _) => {
                format!("not consistent; received inside, but sent outside: {}", shown(&self.backwards))
            }
            (false, true, _) => match self.dependency_violation {
                Some((inside, outside)) if inside == outside => {
                    format!(
                        "not consistent; event {inside} is an event of two processes, and only one side of it is inside"
                    )
                }
                Some((inside, outside)) => {
                    format!(
                        "not consistent; event {inside} is inside, but depends on event {outside}, which is outside"
                    )
                }
                None => "not consistent".into(),
            },
        };
        format!("cut ({}): {what}", counts.join(", "))
    }
}
