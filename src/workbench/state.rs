//! The state of a run, its events and verdicts.

use super::failure::Failure;
use super::limits::{self, cut};
use super::place::Place;
use super::run::{OpenRun, Position};
use super::{Answer, answer, events};
use crate::ids::{MessageId, ProcessId};
use crate::ir::show::Show;
use crate::prose;
use crate::report::{Counts, ProcessReport, PropertyReport};
use crate::semantics::History;
use crate::semantics::eval::World;
use crate::session::questions::{awaited, locals};
use crate::session::{end, run_report, why_stopped};
use crate::trace::{Change, Header};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateRequest {
    processes: Option<Vec<u64>>,
    at: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRange {
    from: Option<u64>,
    to: Option<u64>,
}

#[derive(Serialize)]
struct State {
    position: Position,
    processes: Vec<ProcessBody>,
    channels: Vec<ChannelBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    /// Notes of the application in transit: sender and receiver.
    notes: Vec<(ProcessId, ProcessId)>,
    clock: Clock,
    metrics: MetricsBody,
    outcome: Option<&'static str>,
    explanation: Vec<String>,
}

#[derive(Serialize)]
struct ProcessBody {
    #[serde(flatten)]
    report: ProcessReport,
    condition: &'static str,
    texts: Vec<Change>,
    locals: Vec<Change>,
    waits_for: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
}

#[derive(Serialize)]
struct ChannelBody {
    from: ProcessId,
    to: ProcessId,
    messages: Vec<MessageBody>,
}

#[derive(Serialize)]
struct MessageBody {
    id: MessageId,
    kind: String,
    text: String,
}

#[derive(Serialize)]
struct Clock {
    /// The time; `None` without time.
    now: Option<u64>,
    rounds: Option<u64>,
}

#[derive(Serialize)]
struct MetricsBody {
    messages: u64,
    to_self: u64,
    sent: Counts,
    bits: u64,
    time: u32,
    moves: Option<u64>,
    rounds: Option<u64>,
    steps: usize,
}

/// Describe the configuration at the cursor, or at another position.
pub fn state(run: &mut OpenRun, StateRequest { processes, at }: StateRequest) -> Answer {
    let processes: Vec<ProcessId> = match processes {
        Some(all) => all.into_iter().map(|p| run.process(p)).collect::<Result<_, _>>()?,
        None => run.timeline.instance().processes().collect(),
    };
    limits::PROCESSES.check(processes.len() as u64)?;
    let cursor = run.timeline.at();
    if let Some(at) = at {
        run.goto(at)?;
    }
    let answered = here(run, &processes);
    run.timeline.goto(cursor)?;
    answered
}

fn here(run: &mut OpenRun, processes: &[ProcessId]) -> Answer {
    let position = run.position();
    let timeline = &run.timeline;
    let instance = timeline.instance();
    let (configuration, metrics) = (timeline.configuration(), timeline.metrics());
    let history = History::default();
    let world = World { configuration, metrics, history: &history };
    let outcome = timeline.outcome();
    let counts = run_report::messages(instance, metrics);
    let rounds = instance.model.has_rounds().then_some(metrics.rounds);
    let mut channels = Vec::new();
    let (mut listed, mut all) = (0, 0);
    for channel in configuration.busy_channels() {
        let (from, to) = (instance.sender(channel), instance.receiver(channel));
        let show = Show::new(&instance.program).at(&instance.network, from);
        let mut messages = Vec::new();
        for message in configuration.channel(channel) {
            all += 1;
            if listed == limits::LISTED_MESSAGES.max as usize {
                continue;
            }
            listed += 1;
            let text = show.message(message.kind, message.words, message.values);
            messages.push(MessageBody {
                id: message.id,
                kind: show.kind(&instance.program.kinds[message.kind as usize]),
                text: prose::with_names(&text, instance.names()).into_owned(),
            });
        }
        if !messages.is_empty() {
            channels.push(ChannelBody { from, to, messages });
        }
    }
    answer(&State {
        position,
        processes: processes.iter().map(|p| process(run, world, *p)).collect(),
        channels,
        cut: cut(listed, all, "first"),
        notes: configuration.notes().iter().map(|note| (note.from, note.to)).collect(),
        clock: Clock { now: instance.is_timed().then(|| configuration.now()), rounds },
        metrics: MetricsBody {
            messages: counts.total,
            to_self: counts.to_self,
            sent: counts.sent,
            bits: metrics.total_bits(),
            time: metrics.time,
            moves: instance.model.has_state_reading().then_some(metrics.moves),
            rounds,
            steps: timeline.at(),
        },
        outcome: outcome.as_ref().map(|outcome| end(outcome).as_str()),
        explanation: outcome
            .as_ref()
            .map_or_else(Vec::new, |outcome| why_stopped(instance, outcome, configuration)),
    })
}

fn process(run: &OpenRun, world: World<'_>, p: ProcessId) -> ProcessBody {
    let instance = run.timeline.instance();
    let configuration = world.configuration;
    let report = run_report::process(instance, world, p);
    let named = |(name, value): (String, String)| Change {
        name,
        value: prose::with_names(&value, instance.names()).into_owned(),
    };
    let texts = report.vars.0.iter().map(|v| Change { name: v.name.clone(), value: v.text.clone() });
    let waits = awaited(instance, configuration, p);
    let place = waits.as_ref().and_then(|(_, span)| run.texts.place((*span)?));
    ProcessBody {
        condition: match (report.up, report.halted) {
            (false, _) => "crashed",
            (true, true) => "halted",
            (true, false) => "up",
        },
        texts: texts.collect(),
        locals: locals(instance, configuration, p).into_iter().map(named).collect(),
        waits_for: waits.map(|(text, _)| text),
        place,
        report,
    }
}

#[derive(Serialize)]
struct Events {
    events: Vec<events::EventBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
}

/// Describe recorded events.
pub fn recorded(run: &mut OpenRun, EventRange { from, to }: EventRange) -> Answer {
    let length = run.timeline.events().len();
    let within = |position: Option<u64>, otherwise: usize| match position {
        None => Ok(otherwise),
        Some(position) => {
            usize::try_from(position).ok().filter(|position| *position <= length).ok_or_else(|| {
                Failure::new(format!("there is no position {position}"))
                    .hint(format!("positions are 0 to {length}"))
            })
        }
    };
    let from = within(from, 0)?;
    let is_whole = to.is_none();
    let to = within(to, length)?;
    if from > to {
        return Err(Failure::new(format!("{from} comes after {to}")));
    }
    let most = match is_whole {
        true => limits::LISTED_EVENTS.default,
        false => limits::LISTED_EVENTS.max,
    };
    let shown = to.min(from + most as usize);
    answer(&Events { events: listed(run, from..shown), cut: cut(shown - from, to - from, "first") })
}

/// Return descriptions of recorded events.
pub fn listed(run: &OpenRun, range: std::ops::Range<usize>) -> Vec<events::EventBody> {
    let instance = run.timeline.instance();
    // A heading depends on the two events before.
    let begin = range.start.saturating_sub(2);
    let steps = run.timeline.narrate(begin..range.end);
    let skipped = (range.start - begin).min(steps.len());
    events::described(instance, &run.texts, &header(run), steps, skipped)
}

/// Return the header of the run, for descriptions.
pub fn header(run: &OpenRun) -> Header {
    let timeline = &run.timeline;
    Header::of(timeline.instance(), &[], timeline.schedule_word(), timeline.seed())
}

#[derive(Serialize)]
struct Verdicts {
    properties: Vec<VerdictBody>,
}

#[derive(Serialize)]
pub struct VerdictBody {
    #[serde(flatten)]
    report: PropertyReport,
    span: Option<Place>,
}

impl VerdictBody {
    pub fn new(run: &OpenRun, verdict: &crate::property::Verdict) -> VerdictBody {
        VerdictBody {
            report: run_report::property(run.timeline.instance(), verdict),
            span: run.texts.place(verdict.span),
        }
    }
}

/// Return the verdicts of the run up to the cursor.
pub fn verdicts(run: &mut OpenRun) -> Answer {
    let verdicts = run.timeline.verdicts();
    answer(&Verdicts { properties: verdicts.iter().map(|verdict| VerdictBody::new(run, verdict)).collect() })
}
