//! Histories, cuts and their lattice, as text.

use super::event_names::{EventNames, MOST_COMPONENTS, number, vector};
use super::space_time::{DiagramMark, SpaceTimeOptions, space_time};
use crate::prose::{count, padded, right_aligned};
use crate::trace::Trace;
use crate::trace::causality::Causality;
use crate::trace::cut::Cut;
use crate::trace::histories::{Histories, why_no_happened_before};
use crate::trace::lattice::Lattice;
use crate::trace::order::{Order, Unreachable};

/// The number of events of the diagram above and below a cut.
const AROUND: usize = 15;
/// A chain with more messages lists them only with their events.
const MOST_NAMED: usize = 6;
/// The maximum number of level sizes listed.
const MOST_LEVELS: usize = 40;

/// A trace with its histories, and the drawing options.
pub struct CutReport<'t> {
    pub trace: &'t Trace,
    pub histories: &'t Histories,
    pub options: &'t SpaceTimeOptions,
}

impl<'t> CutReport<'t> {
    pub(super) fn event_names(&self) -> EventNames<'t> {
        EventNames {
            trace: self.trace,
            histories: self.histories,
            look: self.options.look,
            list_width: self.options.list_width,
        }
    }

    /// Return the local history of a process, or the global history.
    pub fn history(&self, process: Option<usize>) -> String {
        let tell = self.event_names();
        // If processes read each other's variables, messages do not determine the happened-before order.
        let order = why_no_happened_before(self.trace).is_none().then(|| Causality::of_histories(self.trace));
        let processes: Vec<usize> = match process {
            Some(p) => vec![p],
            None => (0..self.trace.n()).collect(),
        };
        let initial = self.histories.local_states(self.trace, &self.histories.bottom());
        let mut out = String::new();
        for p in processes {
            let own = self.histories.of_process(p);
            let id = self.trace.header.ids.get(p).map_or(String::new(), |id| format!(", id {id}"));
            if !out.is_empty() {
                out.push('\n');
            }
            out += &format!("history of {}{id}: {}\n", tell.name(p), count(own.len(), "event"));
            if !initial[p].is_empty() {
                out += &tell.rows(&[vec!["initially".into(), tell.values(&initial[p])]]);
            }
            out += &tell.events(own, order.as_ref());
        }
        out
    }

    /// Return how two events are related, with the chain of events that shows it.
    pub fn happened_before(&self, a: usize, b: usize) -> String {
        let (tell, order) = (self.event_names(), Causality::of_histories(self.trace));
        let (x, y) = (tell.event_with_number(a), tell.event_with_number(b));
        let mut out = if a == b {
            format!("{x} is one event: no event happened before itself\n")
        } else if let Some(chain) = order.chain(a, b) {
            self.chain(&format!("{x} happened before {y}"), &order, &chain)
        } else if let Some(chain) = order.chain(b, a) {
            self.chain(&format!("{x} did not happen before {y}, but {y} before {x}"), &order, &chain)
        } else {
            let both = tell.events(&[a, b], None);
            format!("{x} and {y} are concurrent: neither could have influenced the other\n\n{both}")
        };
        if a != b {
            let (la, lb) = (order.lamport(a), order.lamport(b));
            let leq = if self.options.look.ascii { "<=" } else { "≤" };
            let (p, q) = (order.process(a).index(), order.process(b).index());
            let shown = |event: usize| {
                let times = order.vector(event);
                // Two vector times are compared by the components of their own processes.
                match self.trace.n() <= MOST_COMPONENTS {
                    true => vector(&times),
                    false => format!(
                        "({}:{}, {}:{}, {})",
                        tell.name(p),
                        times[p],
                        tell.name(q),
                        times[q],
                        tell.ellipsis()
                    ),
                }
            };
            let compared = match (order.happened_before(a, b), order.happened_before(b, a)) {
                (true, _) => format!("{} {leq} {}", shown(a), shown(b)),
                (_, true) => format!("{} {leq} {}", shown(b), shown(a)),
                _ => format!("{} and {}, of which neither is {leq} the other", shown(a), shown(b)),
            };
            out += &format!("\nvector time   {compared}\nLamport time  {la} and {lb}\n");
        }
        out
    }

    fn chain(&self, said: &str, order: &Causality, chain: &[usize]) -> String {
        let tell = self.event_names();
        let steps = chain.windows(2).filter_map(|pair| order.message(pair[0], pair[1]));
        let messages: Vec<String> = steps.map(|message| tell.message(message)).collect();
        let how = match messages.len() {
            0 => "at one process".to_string(),
            n if n > MOST_NAMED => format!("by {}", count(n, "message")),
            n => format!("by {}: {}", count(n, "message"), messages.join(", ")),
        };
        format!("{said}, {how}\n\n{}", tell.events(chain, None))
    }

    /// Return a cut: its frontier, whether and why it is inconsistent, its global state, a diagram.
    pub fn cut(&self, cut: &Cut, diagram: bool) -> String {
        let (tell, histories) = (self.event_names(), self.histories);
        let crossings = histories.crossings(cut);
        let mut out = String::new();
        if crossings.is_empty() {
            out += &format!("the cut {cut} is consistent\n");
        } else {
            out += &format!("the cut {cut} is not consistent\n");
            for crossing in &crossings {
                let (inside, outside) =
                    (tell.event_with_number(crossing.inside), tell.event_with_number(crossing.outside));
                out += &match crossing.message {
                    Some(message) => format!(
                        "  {} crosses it backwards: received inside, at {inside}, but sent outside, at {outside}\n",
                        tell.message(message)
                    ),
                    None if crossing.inside == crossing.outside => {
                        format!(
                            "  {inside} is an event of two processes, and only one side of it is inside\n"
                        )
                    }
                    None => format!("  {inside} is inside, but depends on {outside}, which is outside\n"),
                };
            }
            out +=
                &format!("  the least consistent cut that contains it    {}\n", histories.least_around(cut));
            out += &format!(
                "  the greatest consistent cut that it contains {}\n",
                histories.greatest_within(cut)
            );
        }
        let mut frontier: Vec<usize> = Vec::new();
        for event in histories.frontier(cut).into_iter().flatten() {
            // A joint step of two processes is one event.
            if !frontier.contains(&event) {
                frontier.push(event);
            }
        }
        out += match frontier.is_empty() {
            true => "\nfrontier: no events\n",
            false => "\nfrontier\n",
        };
        out += &tell.events(&frontier, None);
        if crossings.is_empty() {
            out += &format!("\nglobal state\n{}", tell.global_state(cut));
        }
        if diagram {
            out += &format!("\n{}", self.diagram(cut));
        }
        out
    }

    /// Return the space-time diagram with the cut as a line. For a consistent cut, all events inside are above the line: this is
    /// another linearization. The events of other processes keep their places.
    pub fn diagram(&self, cut: &Cut) -> String {
        let histories = self.histories;
        let inside = |event: usize| histories.is_initial(event) || histories.contains(cut, event);
        let all = 0..self.trace.events.len();
        let (trace, marks, middle) = if histories.is_consistent(cut) {
            let (above, below): (Vec<usize>, Vec<usize>) = all.partition(|event| inside(*event));
            let line = above.len();
            let all = self.trace.processes().collect();
            let mark = DiagramMark { below: line, processes: all, text: format!("the cut {cut}") };
            (self.reordered(above.into_iter().chain(below)), vec![mark], line..line)
        } else {
            let mut marks: Vec<DiagramMark> = Vec::new();
            for (p, last) in self.trace.processes().zip(histories.frontier(cut)) {
                let below = last.map_or_else(|| self.started(), |event| event + 1);
                match marks.iter_mut().find(|mark| mark.below == below) {
                    Some(mark) => mark.processes.push(p),
                    None => marks.push(DiagramMark { below, processes: vec![p], text: "the cut".into() }),
                }
            }
            let low = marks.iter().map(|mark| mark.below).min().unwrap_or(0);
            let high = marks.iter().map(|mark| mark.below).max().unwrap_or(0);
            (self.trace.clone(), marks, low..high)
        };
        let window = middle.start.saturating_sub(AROUND)..(middle.end + AROUND).min(trace.events.len());
        let whole = trace.events.len() <= self.options.max_events;
        let events = if whole { None } else { Some(window) };
        // Every crossing of the cut with a lifeline is shown.
        let max_events = self.options.max_events.max(middle.len() + 2 * AROUND);
        space_time(&trace, &SpaceTimeOptions { marks, events, max_events, ..self.options.clone() })
    }

    /// Return the number of events that no cut can exclude: the silent starts.
    fn started(&self) -> usize {
        let all = self.trace.events.len();
        (0..all).find(|event| !self.histories.is_initial(*event)).unwrap_or(all)
    }

    /// Return the same events in another order. They keep their numbers.
    pub(super) fn reordered(&self, order: impl Iterator<Item = usize>) -> Trace {
        Trace { events: order.map(|event| self.trace.events[event].clone()).collect(), ..self.trace.clone() }
    }

    /// Return the properties of the lattice.
    pub fn lattice(&self, lattice: &Lattice) -> String {
        let histories = self.histories;
        let lengths: Vec<String> = histories.top().0.iter().map(u32::to_string).collect();
        let mut rows: Vec<(&str, String)> = vec![
            (
                "events",
                match lengths.len() {
                    0 | 1 => lengths.concat(),
                    _ => format!("{} = {}", histories.len(), lengths.join(" + ")),
                },
            ),
            ("cuts", number(&histories.all_cuts())),
            ("consistent cuts", number(&lattice.cuts)),
        ];
        if let Some(levels) = &lattice.levels {
            let shown: Vec<String> = levels.iter().take(MOST_LEVELS).map(number).collect();
            let more = match levels.len().saturating_sub(MOST_LEVELS) {
                0 => String::new(),
                more => format!(" {} ({more} more levels)", self.event_names().ellipsis()),
            };
            rows.push(("  by level", shown.join(" ") + &more));
        }
        if let Some(runs) = histories.runs() {
            rows.push(("runs", number(&runs)));
        }
        rows.push(("linearizations", number(&lattice.linearizations)));
        let width = match lattice.width {
            0 => "no events".into(),
            1 => "1: the events are in one chain".into(),
            k => format!("{k}: the largest set of pairwise concurrent events"),
        };
        rows.push(("width", width));
        let widest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        rows.iter().map(|(name, value)| format!("{}  {value}\n", padded(name, widest))).collect()
    }

    /// Return some consistent cuts, a line for each level.
    pub fn list(&self, levels: &[Vec<Cut>]) -> String {
        let widest = levels.len().saturating_sub(1).to_string().len();
        let line = |(level, cuts): (usize, &Vec<Cut>)| {
            let cuts: Vec<String> = cuts.iter().map(Cut::to_string).collect();
            format!("  level {}  {}\n", right_aligned(level, widest), cuts.join("  "))
        };
        levels.iter().enumerate().map(line).collect()
    }

    /// Return some linearizations, a line for each.
    pub fn linearizations(&self, orders: &[Vec<usize>]) -> String {
        let tell = self.event_names();
        let row = |(i, order): (usize, &Vec<usize>)| {
            let events: Vec<String> = order.iter().map(|event| tell.event(*event)).collect();
            vec![format!("{}", i + 1), events.join(" ")]
        };
        tell.rows(&orders.iter().enumerate().map(row).collect::<Vec<_>>())
    }

    /// Return whether one global state is reachable from another.
    pub fn reachability(
        &self,
        from: &Cut,
        to: &Cut,
        way: &Result<Vec<usize>, Unreachable>,
        lattice: Option<&Lattice>,
    ) -> String {
        let tell = self.event_names();
        match way {
            Err(Unreachable::From) => {
                format!("the cut {from} is not consistent: it is not a global state to start from\n")
            }
            Err(Unreachable::To) => {
                format!("the cut {to} is not consistent: it is not a reachable global state\n")
            }
            Err(Unreachable::Backwards(p)) => format!(
                "{to} is not reachable from {from}: {} has {} in the first and {} in the second\n",
                tell.name(*p),
                count(from.0[*p] as usize, "event"),
                to.0[*p]
            ),
            Ok(events) => {
                let ways = match lattice {
                    Some(lattice) if lattice.linearizations == 1u32.into() => ", in one way".to_string(),
                    Some(lattice) => format!(", in {} ways", number(&lattice.linearizations)),
                    None => String::new(),
                };
                format!(
                    "{to} is reachable from {from} by {}{ways}\n{}",
                    count(events.len(), "event"),
                    tell.events(events, None)
                )
            }
        }
    }

    /// Return the classification of an order of the events.
    pub fn order(&self, order: &Order) -> String {
        let tell = self.event_names();
        match order {
            Order::Linearization => {
                "a linearization: a consistent run, all of whose cuts are consistent\n".into()
            }
            Order::Foreign(event) => {
                format!(
                    "not a run: {} occurs twice, or is not an event of a history\n",
                    tell.event_with_number(*event)
                )
            }
            Order::Missing(event) => format!("not a run: {} is missing\n", tell.event_with_number(*event)),
            Order::AgainstProcess(early, late) => format!(
                "not a run: {} precedes {}, but follows it in the history of their process\n",
                tell.event_with_number(*early),
                tell.event_with_number(*late)
            ),
            Order::Inconsistent(early, late) => format!(
                "a run, but not a linearization: {} precedes {}, which happened before it; the cut after it is not consistent\n",
                tell.event_with_number(*early),
                tell.event_with_number(*late)
            ),
        }
    }
}
