//! `synod trace history`, `before`, `cut`, `cuts`, `reach`, `order`: a run as a partial order of events.

use super::super::exit::{ExitStatus, Failure, Outcome};
use super::super::output::Output;
use super::super::run::replay;
use super::bodies::{
    BeforeBody, ChannelBody, CountingBody, CrossingBody, CutBody, EventBody, HistoryBody, LocalBody,
    OrderBody, ProcessBody, ReachBody, StateBody,
};
use super::drawing;
use crate::ids::{MessageId, ProcessId};
use crate::render::cuts::CutReport;
use crate::trace::Trace;
use crate::trace::causality::Causality;
use crate::trace::cut::{Cut, read_process};
use crate::trace::histories::{Histories, why_no_happened_before};
use crate::trace::lattice::Lattice;
use crate::trace::order::{Order, Unreachable};
use clap::Args;

/// Default number of cuts for `--list`.
const LISTED: &str = "1000";

/// Default number of linearizations for `--linearizations`.
const ORDERS: &str = "100";

#[derive(Args)]
pub struct History {
    /// A trace of either form, or `-`
    file: String,

    /// Show only this process: a name or position
    process: Option<String>,
}

#[derive(Args)]
pub struct Before {
    /// A trace of either form, or `-`
    file: String,

    /// An event: its number in the run (`12`), or at its process (`p0:3`)
    e: String,

    /// The other event
    f: String,
}

#[derive(Args)]
pub struct OneCut {
    /// A trace of either form, or `-`
    file: String,

    /// The cut: its number of events of each process (`3,2`, or `p0:3,p1:2`), its last events (`e12,e9`), `none` or `all`
    frontier: String,

    /// Leave out the space-time diagram
    #[arg(long)]
    no_diagram: bool,
}

#[derive(Args)]
pub struct Counting {
    /// A trace of either form, or `-`
    file: String,

    /// List up to N consistent cuts, level by level
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = LISTED)]
    list: Option<usize>,

    /// List up to N linearizations
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = ORDERS)]
    linearizations: Option<usize>,

    /// Visit at most N consistent cuts [default: a million]
    #[arg(long, value_name = "N")]
    max_cuts: Option<u64>,
}

#[derive(Args)]
pub struct Reaching {
    /// A trace of either form, or `-`
    file: String,

    /// A cut, as for `cut`
    from: String,

    /// The other cut
    to: String,

    /// Visit at most N consistent cuts to count the ways [default: a million]
    #[arg(long, value_name = "N")]
    max_cuts: Option<u64>,
}

#[derive(Args)]
pub struct Ordering {
    /// A trace of either form, or `-`
    file: String,

    /// All events of the histories, as for `before`, separated by commas or blanks
    #[arg(required = true, value_name = "EVENT")]
    events: Vec<String>,
}

/// A trace with its local histories.
struct Read {
    trace: Trace,
    histories: Histories,
}

/// Read a trace whose model has cuts.
///
/// # Errors
/// If its model has none.
fn read(file: &str, out: &Output) -> Result<Read, Failure> {
    let trace = replay::read_any(file, out)?;
    let histories = Histories::of(&trace).map_err(Failure::usage)?;
    Ok(Read { trace, histories })
}

/// Read a trace of any model, for its local histories only.
fn read_any(file: &str, out: &Output) -> Result<Read, Failure> {
    let trace = replay::read_any(file, out)?;
    let histories = Histories::of_any_model(&trace);
    Ok(Read { trace, histories })
}

impl Read {
    fn cut(&self, text: &str) -> Result<Cut, Failure> {
        self.histories.read_cut(&self.trace.header, text).map_err(Failure::usage)
    }

    fn event(&self, text: &str) -> Result<usize, Failure> {
        event(&self.trace, &self.histories, text)
    }

    fn say(&self, out: &mut Output, text: impl FnOnce(&CutReport<'_>) -> String) -> Result<(), Failure> {
        let options = drawing(out);
        let text = text(&CutReport { trace: &self.trace, histories: &self.histories, options: &options });
        out.text(text)
    }

    fn event_body(&self, order: &Causality, event: usize, vector: Vec<u32>) -> EventBody {
        EventBody {
            event,
            nth: self.histories.places(event).first().map(|(_, nth)| *nth),
            process: self.trace.events[event].process,
            action: self.trace.events[event].action.clone(),
            lamport: order.lamport(event),
            vector,
        }
    }
}

/// Find an event of the local histories by its name: `12` or `p0:3`.
///
/// # Errors
/// If there is no such event, or it is not part of a history.
pub fn event(trace: &Trace, histories: &Histories, text: &str) -> Result<usize, Failure> {
    let event = histories.read_event(&trace.header, text).map_err(Failure::usage)?;
    if !histories.places(event).is_empty() {
        return Ok(event);
    }
    let name = trace.header.name(trace.events[event].process);
    Err(Failure::usage(match histories.is_initial(event) {
        true => {
            format!(
                "event {event} produces the initial state of {name} and sends nothing: it is not part of the history"
            )
        }
        false => {
            format!("event {event} was aborted and undone: it is not part of the history of {name}")
        }
    }))
}

pub fn history(options: &History, out: &mut Output) -> Outcome {
    let read = read_any(&options.file, out)?;
    let process = options.process.as_deref().map(|text| read_process(&read.trace.header, text));
    let process = process.transpose().map_err(Failure::usage)?;
    if !out.is_json() {
        read.say(out, |drawn| drawn.history(process))?;
        return Ok(ExitStatus::Success);
    }
    let order = Causality::of_histories(&read.trace);
    let processes = process.map_or(0..read.trace.n(), |p| p..p + 1);
    let mut initial = read.histories.local_states(&read.trace, &read.histories.bottom());
    let events = |p: usize| {
        let own = read.histories.of_process(p);
        let both = own.iter().zip(order.vectors(own));
        both.map(|(event, vector)| read.event_body(&order, *event, vector)).collect()
    };
    let processes = processes.map(|p| ProcessBody {
        process: p,
        name: read.trace.header.name(ProcessId(p as u32)),
        initial: std::mem::take(&mut initial[p]),
        events: events(p),
    });
    out.json(&HistoryBody { verb: "history", processes: processes.collect() })?;
    Ok(ExitStatus::Success)
}

pub fn before(options: &Before, out: &mut Output) -> Outcome {
    let read = read_any(&options.file, out)?;
    if let Some(why) = why_no_happened_before(&read.trace) {
        return Err(Failure::usage(why));
    }
    let (a, b) = (read.event(&options.e)?, read.event(&options.f)?);
    if !out.is_json() {
        read.say(out, |drawn| drawn.happened_before(a, b))?;
        return Ok(ExitStatus::Success);
    }
    let order = Causality::of_histories(&read.trace);
    let (relation, chain) = match (order.happened_before(a, b), order.happened_before(b, a)) {
        _ if a == b => ("same", None),
        (true, _) => ("before", order.chain(a, b)),
        (_, true) => ("after", order.chain(b, a)),
        _ => ("concurrent", None),
    };
    let chain = chain.unwrap_or_default();
    let messages = chain.windows(2).filter_map(|pair| order.message(pair[0], pair[1]));
    let messages = messages.map(|message| u32::try_from(message).ok().map(MessageId)).collect();
    let body = |event: usize| read.event_body(&order, event, order.vector(event));
    let (first, second) = (body(a), body(b));
    out.json(&BeforeBody { verb: "before", first, second, relation, chain, messages })?;
    Ok(ExitStatus::Success)
}

pub fn cut(options: &OneCut, out: &mut Output) -> Outcome {
    let read = read(&options.file, out)?;
    let cut = read.cut(&options.frontier)?;
    if !out.is_json() {
        read.say(out, |drawn| drawn.cut(&cut, !options.no_diagram))?;
        return Ok(ExitStatus::Success);
    }
    let histories = &read.histories;
    let crossings = histories.crossings(&cut).into_iter().map(|crossing| CrossingBody {
        message: crossing.message.and_then(|message| u32::try_from(message).ok().map(MessageId)),
        inside: crossing.inside,
        outside: crossing.outside,
    });
    let consistent = histories.is_consistent(&cut);
    let state = consistent.then(|| StateBody {
        processes: histories
            .local_states(&read.trace, &cut)
            .into_iter()
            .enumerate()
            .map(|(process, variables)| LocalBody {
                process,
                name: read.trace.header.name(ProcessId(process as u32)),
                variables,
            })
            .collect(),
        channels: histories
            .channels(&read.trace, &cut)
            .into_iter()
            .map(|((from, to), messages)| ChannelBody { from, to, messages })
            .collect(),
    });
    out.json(&CutBody {
        verb: "cut",
        consistent,
        frontier: histories.frontier(&cut),
        crossings: crossings.collect(),
        least_around: histories.least_around(&cut).0,
        greatest_within: histories.greatest_within(&cut).0,
        state,
        cut: cut.0,
    })?;
    Ok(ExitStatus::Success)
}

pub fn cuts(options: &Counting, out: &mut Output) -> Outcome {
    let read = read(&options.file, out)?;
    let max_cuts = options.max_cuts.unwrap_or_else(|| read.histories.usual_limit());
    let counted = read.histories.lattice(max_cuts);
    let (list, more) = match options.list {
        Some(most) => {
            let (list, more) = listed(&read.histories, most);
            (Some(list), more)
        }
        None => (None, false),
    };
    let (orders, more_orders) = match options.linearizations {
        Some(most) => {
            let (orders, more) = orders(&read.histories, most);
            (Some(orders), more)
        }
        None => (None, false),
    };
    if out.is_json() {
        let lattice = counted.as_ref().ok();
        let text = |count: &dyn ToString| count.to_string();
        let levels = lattice.and_then(|lattice| lattice.levels.as_ref());
        out.json(&CountingBody {
            verb: "cuts",
            events: read.histories.len(),
            cuts: text(&read.histories.all_cuts()),
            consistent: lattice.map(|lattice| text(&lattice.cuts)),
            levels: levels.map(|levels| levels.iter().map(|size| text(size)).collect()),
            runs: read.histories.runs().map(|runs| text(&runs)),
            linearizations: lattice.map(|lattice| text(&lattice.linearizations)),
            width: lattice.map(|lattice| lattice.width),
            looked_at: lattice.map_or(max_cuts, |lattice| lattice.visited),
            max_cuts,
            list: list.map(|levels| {
                levels.into_iter().map(|level| level.into_iter().map(|cut| cut.0).collect()).collect()
            }),
            more,
            orders,
            more_orders,
        })?;
        return Ok(ending(&counted));
    }
    match &counted {
        Ok(lattice) => read.say(out, |drawn| drawn.lattice(lattice))?,
        Err(limit) => out.line(format!("{limit}; --max-cuts N allows more"))?,
    }
    if let Some(list) = list {
        out.line("")?;
        read.say(out, |drawn| drawn.list(&list))?;
        if more {
            out.line("  … (--list N shows up to N)")?;
        }
    }
    if let Some(orders) = orders {
        out.line("")?;
        read.say(out, |drawn| drawn.linearizations(&orders))?;
        if more_orders {
            out.line("  … (--linearizations N shows up to N)")?;
        }
    }
    Ok(ending(&counted))
}

fn ending<E>(counted: &Result<Lattice, E>) -> ExitStatus {
    if counted.is_ok() { ExitStatus::Success } else { ExitStatus::Limit }
}

/// Return the first linearizations, and whether there are more.
pub fn orders(histories: &Histories, most: usize) -> (Vec<Vec<usize>>, bool) {
    let mut all = histories.linearizations();
    let listed = all.by_ref().take(most).collect();
    (listed, all.next().is_some())
}

/// Return the first consistent cuts by level, and whether there are more.
pub fn listed(histories: &Histories, most: usize) -> (Vec<Vec<Cut>>, bool) {
    let mut left = most;
    let mut list = Vec::new();
    let mut levels = histories.levels_within(histories.usual_limit().max(most as u64));
    for level in levels.by_ref() {
        let more = level.len() > left;
        let level: Vec<Cut> = level.into_iter().take(left).collect();
        left -= level.len();
        list.push(level);
        if more {
            list.retain(|level| !level.is_empty());
            return (list, true);
        }
    }
    (list, levels.is_too_large)
}

pub fn reach(options: &Reaching, out: &mut Output) -> Outcome {
    let read = read(&options.file, out)?;
    let (from, to) = (read.cut(&options.from)?, read.cut(&options.to)?);
    let way = read.histories.path(&from, &to);
    let max_cuts = options.max_cuts.unwrap_or_else(|| read.histories.usual_limit());
    let lattice = match &way {
        // The cut is reachable, even if its ways are too many to count.
        Ok(_) => read.histories.lattice_between(&from, &to, max_cuts).ok(),
        Err(_) => None,
    };
    if !out.is_json() {
        read.say(out, |drawn| drawn.reachability(&from, &to, &way, lattice.as_ref()))?;
        return Ok(ExitStatus::Success);
    }
    let obstacle = way.as_ref().err().map(|why| match why {
        Unreachable::From => "from",
        Unreachable::To => "to",
        Unreachable::Backwards(_) => "backwards",
    });
    out.json(&ReachBody {
        verb: "reach",
        from: from.0,
        to: to.0,
        reachable: way.is_ok(),
        obstacle,
        events: way.unwrap_or_default(),
        ways: lattice.map(|lattice| lattice.linearizations.to_string()),
    })?;
    Ok(ExitStatus::Success)
}

pub fn order(options: &Ordering, out: &mut Output) -> Outcome {
    let read = read(&options.file, out)?;
    let words = options.events.iter().flat_map(|text| text.split([',', ' ']));
    let events = words.filter(|word| !word.is_empty()).map(|word| read.event(word));
    let order = read.histories.classify(&events.collect::<Result<Vec<_>, _>>()?);
    if !out.is_json() {
        read.say(out, |drawn| drawn.order(&order))?;
        return Ok(ExitStatus::Success);
    }
    let (word, early, late) = match order {
        Order::Linearization => ("linearization", None, None),
        Order::Inconsistent(early, late) => ("run", Some(early), Some(late)),
        Order::AgainstProcess(early, late) => ("none", Some(early), Some(late)),
        Order::Foreign(event) => ("none", Some(event), None),
        Order::Missing(event) => ("none", None, Some(event)),
    };
    out.json(&OrderBody { verb: "order", order: word, early, late })?;
    Ok(ExitStatus::Success)
}
