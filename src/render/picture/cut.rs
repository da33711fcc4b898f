//! A cut: of each process its first so many events. It is consistent if it holds the causes of all it holds.
//!
//! Mattern, «Virtual time and global states of distributed systems», 1988.

use super::chart::{Chart, Fate, Flight};
use crate::semantics::event::Cause;
use crate::trace::causality::Causality;
use crate::trace::histories::is_event;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Events inside, by process, as [`histories`](crate::trace::histories) count them: a start that sends nothing is none.
    pub counts: Vec<u32>,
    /// The same of all that was recorded, such starts included.
    pub recorded: Vec<u32>,
    pub consistent: bool,
    /// Messages received inside and sent outside, as indices into the chart's flights.
    pub backwards: Vec<usize>,
    /// Messages sent inside and not received there: the state of the channels.
    pub across: Vec<usize>,
}

impl Cut {
    /// # Errors
    /// When there is not one number for each process, or a process has fewer events; says so.
    pub fn new(chart: &Chart, counts: &[u32]) -> Result<Cut, String> {
        let trace = chart.trace;
        let n = trace.n();
        if counts.len() != n {
            return Err(format!(
                "a cut of {n} processes has {n} numbers, one for each by position, and this has {}",
                counts.len()
            ));
        }
        let mut events: Vec<u32> = vec![0; n];
        let mut recorded: Vec<u32> = vec![0; n];
        let mut inside = Vec::with_capacity(trace.events.len());
        let mut last = vec![None; n];
        let mut torn = false;
        for (e, event) in trace.events.iter().enumerate() {
            let p = event.process as usize;
            let lies_inside = match is_event(trace, e) {
                true => {
                    let mut at = |p: usize| {
                        events[p] += 1;
                        events[p] <= counts[p]
                    };
                    let own = at(p);
                    // A meeting lies inside for both or for none, or there is no such state.
                    torn |= event.with.as_ref().is_some_and(|with| at(with.process as usize) != own);
                    own
                }
                // The initial state is there in any case; what has been undone is not.
                false => event.choice.cause == Cause::Start,
            };
            inside.push(lies_inside);
            if lies_inside {
                recorded[p] += 1;
                last[p] = Some(e);
            }
        }
        if let Some(p) = (0..n).find(|p| counts[*p] > events[*p]) {
            let name = trace.header.name(p as u32);
            return Err(format!("{name} has {} events, and the cut wants {} of them", events[p], counts[p]));
        }
        let causality = Causality::of(trace);
        let holds_its_causes =
            |e: usize| causality.vector(e).iter().zip(&recorded).all(|(needed, count)| needed <= count);
        let consistent = !torn && last.into_iter().flatten().all(holds_its_causes);
        let (mut backwards, mut across) = (Vec::new(), Vec::new());
        let originals: FxHashMap<u32, &Flight> =
            chart.flights.iter().filter_map(|f| f.id.map(|id| (id, f))).collect();
        for (f, flight) in chart.flights.iter().enumerate() {
            // Of a copy nobody knew but who sent the original.
            let mut teller = flight;
            while let Some(original) =
                teller.copy_of.and_then(|id| originals.get(&id)).filter(|o| o.id < teller.id)
            {
                teller = original;
            }
            let sent = teller.sent.is_none_or(|e| inside[e]);
            let received = match flight.fate {
                Fate::Received(e) | Fate::Lost(e) => inside[e],
                Fate::UnderWay => false,
            };
            match (sent, received) {
                // A lost message tells nobody anything.
                (false, true) if matches!(flight.fate, Fate::Received(_)) => backwards.push(f),
                (true, false) => across.push(f),
                _ => {}
            }
        }
        Ok(Cut { counts: counts.to_vec(), recorded, consistent, backwards, across })
    }

    /// In words: `cut (3, 2): consistent; under way across it: m3, m5`.
    pub fn verdict(&self, chart: &Chart) -> String {
        let counts: Vec<String> = self.counts.iter().map(u32::to_string).collect();
        let name = |p: u32| chart.trace.header.name(p);
        let shown = |list: &[usize]| {
            let each = list.iter().take(4).map(|f| {
                let f = &chart.flights[*f];
                let id = f.id.map_or(String::new(), |id| format!("m{id} "));
                format!("{id}{} from {} to {}", f.text, name(f.from), name(f.to))
            });
            let more = list.len().saturating_sub(4);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            each.collect::<Vec<_>>().join(", ") + &more
        };
        let what = match (self.consistent, self.backwards.is_empty(), self.across.is_empty()) {
            (true, _, true) => "consistent; no message is under way across it".into(),
            (true, _, false) => format!("consistent; under way across it: {}", shown(&self.across)),
            (false, false, _) => {
                format!("not consistent; received inside, but sent outside: {}", shown(&self.backwards))
            }
            (false, true, _) => "not consistent; what happened inside depends on a meeting outside".into(),
        };
        format!("cut ({}): {what}", counts.join(", "))
    }
}
