//! The data of the page: columns of numbers, and tables of the texts that the numbers refer to.
//!
//! Names, values and texts are replaced by their indices in these tables, since the same ones recur. A run of 10⁵ events takes a
//! few megabytes, and the browser's own JSON parser reads it in a moment.

use crate::ids::{MessageId, ProcessId};
use crate::render::picture::chart::{Chart, Condition, kind};
use crate::render::picture::choice::{DrawSelection, filled_states};
use crate::render::picture::marks::Mark;
use crate::render::picture::spans::SpanKind;
use crate::render::picture::stage::NetworkLayout;
use crate::render::picture::style::{KINDS, STATES};
use crate::render::picture::topology::{ProgramFacts, label_legend, label_variables};
use crate::trace::End;
use crate::trace::histories::{Histories, why_no_cuts};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// A table of distinct texts.
#[derive(Default)]
struct Table<'a> {
    texts: Vec<&'a str>,
    places: FxHashMap<&'a str, u32>,
}

impl<'a> Table<'a> {
    fn place(&mut self, text: &'a str) -> u32 {
        *self.places.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u32 - 1
        })
    }
}

#[derive(Serialize)]
struct Data<'a> {
    algorithm: &'a str,
    network: &'a str,
    schedule: &'a str,
    seed: String,
    end: &'static str,
    /// For a run that repeats a cycle: the event at which the cycle begins.
    repeats_from: Option<u64>,
    /// For a counterexample: the verdict that it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a str>,
    /// The index of that event in the trace.
    round_from: Option<usize>,
    /// The event that violates the property of a counterexample, and the words `E1 violated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<(usize, String)>,
    names: Vec<String>,
    ids: &'a [i64],
    roles: &'a [String],
    anonymous: bool,
    states: &'a [&'a str],
    filled: Vec<bool>,
    outputs: &'a [String],
    /// The variables shown beside the vertices, as indices into `variables`.
    shown: Vec<u32>,
    /// Their description in words.
    beside: Vec<String>,
    variables: Vec<&'a str>,
    values: Vec<&'a str>,
    actions: Vec<&'a str>,
    texts: Vec<&'a str>,
    kinds: Vec<&'a str>,
    /// The kind of each text.
    text_kinds: Vec<u32>,
    /// By process: variable, value, variable, value, …
    initial: Vec<Vec<u32>>,
    events: Events,
    messages: Messages,
    /// Events that set initial states, and are not events of histories.
    initial_events: Vec<usize>,
    /// The event that had a run-time error.
    undone: Option<usize>,
    /// An event, and one that must come after it without a message between them, …
    after: Vec<usize>,
    /// The reason why there are no cuts.
    no_cuts: Option<String>,
    /// By process: event (-1: initially), state (-1: none), condition (0 up, 1 crashed, 2 halted), …
    lives: Vec<Vec<i64>>,
    /// By process: kind (0 operation, 1 critical section), name, from, to (-1: the end), …
    spans: Vec<Vec<i64>>,
    span_names: Vec<&'a str>,
    /// Event and name.
    bands: Vec<(usize, &'a str, &'a str)>,
    stage: Option<Plane<'a>>,
    palette: Palette,
}

#[derive(Default, Serialize)]
struct Events {
    process: Vec<ProcessId>,
    action: Vec<u32>,
    /// The positions of the events, in hundredths of a column.
    place: Vec<u64>,
    /// The times of the events; empty in models without time.
    at: Vec<u64>,
    mark: Vec<u8>,
    /// Event, process, variable, value, … in order.
    changes: Vec<u32>,
    /// Event and responder, …
    with: Vec<u32>,
    /// Event and text.
    seen: Vec<(usize, String)>,
}

#[derive(Default, Serialize)]
struct Messages {
    /// The message number; -1: a note.
    id: Vec<i64>,
    from: Vec<ProcessId>,
    to: Vec<ProcessId>,
    text: Vec<u32>,
    /// The sending event; -1: in transit initially.
    sent: Vec<i64>,
    /// The event that ends it, of its receiver, or the crash of its sender that loses it; -1: never.
    ended: Vec<i64>,
    /// Messages whose arrival woke a process: event, and index of the message.
    arrived: Vec<(usize, usize)>,
    /// The indices of lost messages.
    lost: Vec<usize>,
    /// The index of a copy, and the number of the original.
    copies: Vec<(usize, MessageId)>,
}

impl Events {
    fn of<'a>(
        chart: &Chart<'a>,
        actions: &mut Table<'a>,
        variables: &mut Table<'a>,
        values: &mut Table<'a>,
    ) -> Events {
        let mut events = Events::default();
        for (e, event) in chart.trace.events.iter().enumerate() {
            events.process.push(event.process);
            events.action.push(actions.place(&event.action));
            events.place.push((chart.place(e) * 100.0).round() as u64);
            events.at.extend(event.at.filter(|_| chart.is_timed()));
            events.mark.push(match Mark::of(event) {
                Mark::Event => 0,
                Mark::Start => 1,
                Mark::Timeout => 2,
                Mark::Halt => 3,
                Mark::Crash => 4,
                Mark::Restart => 5,
                Mark::Environment => 6,
            });
            let own = event.changes.iter().map(|c| (event.process, c));
            let other = event.with.iter().flat_map(|w| w.changes.iter().map(|c| (w.process, c)));
            for (p, c) in own.chain(other) {
                events.changes.extend([e as u32, p.0, variables.place(&c.name), values.place(&c.value)]);
            }
            if let Some(with) = &event.with {
                events.with.extend([e as u32, with.process.0]);
            }
            if !event.observations.is_empty() {
                events.seen.push((e, event.observations.join("; ")));
            }
        }
        events
    }
}

impl Messages {
    fn of<'a>(chart: &Chart<'a>, texts: &mut Table<'a>) -> Messages {
        let mut messages = Messages::default();
        for (i, flight) in chart.flights.iter().enumerate() {
            messages.id.push(flight.id.map_or(-1, |id| id.0.into()));
            messages.from.push(flight.from);
            messages.to.push(flight.to);
            messages.text.push(texts.place(flight.text));
            messages.sent.push(number(flight.sent));
            messages.ended.push(number(flight.end().or(flight.fate.crash())));
            if flight.fate.is_lost() {
                messages.lost.push(i);
            }
            messages.copies.extend(flight.copy_of.map(|original| (i, original)));
        }
        let places: FxHashMap<MessageId, usize> =
            chart.flights.iter().enumerate().filter_map(|(i, flight)| Some((flight.id?, i))).collect();
        messages.arrived = (chart.trace.events.iter().enumerate())
            .filter_map(|(e, event)| Some((e, *places.get(&event.arrived.as_ref()?.id)?)))
            .collect();
        messages
    }
}

/// Return the number of an event or state; -1 for none.
fn number(index: Option<usize>) -> i64 {
    index.map_or(-1, |i| i as i64)
}

/// Return the states and conditions of each process.
fn lives(chart: &Chart) -> Vec<Vec<i64>> {
    let condition = |c| match c {
        Condition::Up => 0,
        Condition::Crashed => 1,
        Condition::Halted => 2,
    };
    let lives = chart.lives.iter().map(|lives| {
        lives.iter().flat_map(|l| [number(l.from), number(l.state), condition(l.condition)]).collect()
    });
    lives.collect()
}

/// Return the operations and critical sections of each process.
fn spans<'a>(chart: &Chart<'a>, names: &mut Table<'a>) -> Vec<Vec<i64>> {
    let spans = chart.spans.iter().map(|spans| {
        let mut own = Vec::new();
        for s in spans {
            let what = i64::from(s.what == SpanKind::Critical);
            own.extend([what, i64::from(names.place(s.name)), s.from as i64, number(s.to)]);
        }
        own
    });
    spans.collect()
}

#[derive(Serialize)]
struct Plane<'a> {
    radius: f64,
    /// x, y, and the direction of the free space.
    places: Vec<[f64; 4]>,
    edges: Vec<(&'a str, Option<usize>)>,
    ways: Vec<WayBody<'a>>,
}

/// From, to, path, end (x, y), direction (x, y), label (x, y), side (x, y).
type WayBody<'a> = (ProcessId, ProcessId, &'a str, [f64; 8]);

#[derive(Serialize)]
struct Palette {
    kinds: [(&'static str, &'static str); 8],
    states: [(&'static str, &'static str); 8],
}

/// Return the data as JSON that can be embedded in a `script` element.
pub fn json(
    chart: &Chart,
    stage: Option<&NetworkLayout>,
    choice: &DrawSelection,
    facts: &ProgramFacts,
) -> String {
    let trace = chart.trace;
    let header = &trace.header;
    let (mut variables, mut values, mut actions) = (Table::default(), Table::default(), Table::default());
    let (mut texts, mut span_names) = (Table::default(), Table::default());
    let initial: Vec<Vec<u32>> = (header.initial.iter())
        .map(|all| {
            let mut own = Vec::with_capacity(2 * all.len());
            for c in all {
                own.extend([variables.place(&c.name), values.place(&c.value)]);
            }
            own
        })
        .collect();
    let events = Events::of(chart, &mut actions, &mut variables, &mut values);
    let messages = Messages::of(chart, &mut texts);
    let mut kinds = Table::default();
    let text_kinds: Vec<u32> = texts.texts.iter().map(|text| kinds.place(kind(text))).collect();
    let spans = spans(chart, &mut span_names);
    let shown = label_variables(trace, choice, &facts.outputs);
    let beside = label_legend(trace, &shown);
    let shown: Vec<u32> = shown.into_iter().map(|name| variables.place(name)).collect();
    let histories = Histories::of_any_model(trace);
    let data = Data {
        algorithm: &header.algorithm,
        network: &header.network,
        schedule: &header.schedule,
        seed: header.seed.to_string(),
        end: trace.end.as_str(),
        repeats_from: header.repeats_from,
        verdict: header.verdict.as_deref(),
        round_from: (0..trace.events.len()).find(|event| trace.is_cycle_start(*event)),
        violation: trace
            .violating_event()
            .and_then(|e| Some((e, header.violation_at(trace.events[e].index)?))),
        names: if header.names.is_empty() { Vec::new() } else { header.names.clone() },
        ids: &header.ids,
        roles: &header.roles,
        anonymous: facts.anonymous,
        states: &chart.states,
        filled: filled_states(&chart.states, choice.filled.as_deref()),
        outputs: &facts.outputs,
        shown,
        beside,
        variables: variables.texts,
        values: values.texts,
        actions: actions.texts,
        kinds: kinds.texts,
        text_kinds,
        texts: texts.texts,
        initial,
        events,
        messages,
        initial_events: (0..trace.events.len()).filter(|e| histories.is_initial(*e)).collect(),
        undone: (trace.end == End::Aborted).then(|| trace.events.len().saturating_sub(1)),
        after: histories.after().iter().flat_map(|(cause, effect)| [*cause, *effect]).collect(),
        no_cuts: why_no_cuts(trace),
        lives: lives(chart),
        spans,
        span_names: span_names.texts,
        bands: chart.bands.iter().map(|b| (b.from, b.name.as_str(), b.short.as_str())).collect(),
        stage: stage.map(plane),
        palette: Palette { kinds: KINDS, states: STATES },
    };
    let text = serde_json::to_string(&data);
    // Texts and numbers can always be serialized. No `<` may end the script element early.
    text.unwrap_or_default().replace('<', "\\u003c")
}

fn plane(stage: &NetworkLayout) -> Plane<'_> {
    let tenth = |v: f64| (v * 10.0).round() / 10.0;
    let fine = |v: f64| (v * 1000.0).round() / 1000.0;
    let places = stage.places.iter().zip(&stage.room);
    Plane {
        radius: stage.radius,
        places: places.map(|((x, y), (rx, ry))| [tenth(*x), tenth(*y), fine(*rx), fine(*ry)]).collect(),
        edges: stage.edges.iter().map(|e| (e.path.as_str(), e.one_way)).collect(),
        ways: (stage.ways.iter())
            .map(|w| {
                let (tip, label) = ((tenth(w.tip.0), tenth(w.tip.1)), (tenth(w.label.0), tenth(w.label.1)));
                let (d, s) = ((fine(w.direction.0), fine(w.direction.1)), (fine(w.side.0), fine(w.side.1)));
                (w.from, w.to, w.path.as_str(), [tip.0, tip.1, d.0, d.1, label.0, label.1, s.0, s.1])
            })
            .collect(),
    }
}
