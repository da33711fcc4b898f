//! A counterexample with its explanation, as data.

use crate::explore::{Counterexample, Explanation, Exploration, NotShortened, ViolationKind, chosen};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::show::Show;
use crate::ir::{Budget, Fault, Program};
use crate::report::CrashedWithin;
use crate::semantics::event::Event;
use crate::semantics::orders::MadeChoice;
use crate::session::RuntimeError;
use crate::trace::{Change, Trace};
use crate::verification::faults::{self, Faults};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FlipBody {
    pub event: u64,
    pub process: ProcessId,
    pub action: String,
    /// The events of the joint step that it ends, itself included.
    pub together: Vec<u64>,
}

/// The choices in an event: outcomes of random choices, and options of nondeterministic ones.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ChosenBody {
    pub event: u64,
    pub process: ProcessId,
    /// The choices in order: the value, or `option 2`.
    pub chosen: Vec<String>,
}

impl ChosenBody {
    fn all(instance: &Instance, events: &[Event]) -> Vec<ChosenBody> {
        let show = Show::new(&instance.program);
        let text = |made: &MadeChoice| match &made.value {
            Some(value) => show.value(value),
            None => format!("option {}", made.number + 1),
        };
        let of = |(event, made): (usize, Vec<MadeChoice>)| ChosenBody {
            event: event as u64,
            process: events[event].process,
            chosen: made.iter().map(text).collect(),
        };
        chosen(instance, events).into_iter().map(of).collect()
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LeftOutBody {
    /// Number of events that were omitted from the run, since they are irrelevant.
    pub events: u64,
    /// Why no event can be omitted. None: the remaining events are needed.
    pub needs: Option<&'static str>,
    #[serde(skip)]
    pub why: Option<NotShortened>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FaultsBody {
    /// Number of faults of each kind in the run.
    #[cfg_attr(feature = "schemas", schemars(extend("additionalProperties" = {"type": "integer", "minimum": 1})))]
    pub used: BTreeMap<&'static str, u32>,
    /// Whether all runs were explored that have fewer faults of one of these kinds and no more of the others.
    pub needed: bool,
    #[serde(skip)]
    pub text: String,
}

impl FaultsBody {
    fn new(faults: &Faults) -> FaultsBody {
        FaultsBody { used: by_kind(faults.used), needed: faults.needed, text: faults.to_string() }
    }
}

fn by_kind(used: Budget) -> BTreeMap<&'static str, u32> {
    let some = Fault::ALL.into_iter().map(|fault| (fault.as_str(), used.of(fault)));
    some.filter(|(_, count)| *count > 0).collect()
}

/// The counterexample on a smaller or simpler network.
pub struct OnSmaller {
    pub topology: String,
    pub ids: Vec<i64>,
    /// The faults in the run. None: the instance has no faults.
    pub faults: Option<Budget>,
    pub trace: Trace,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SmallerBody {
    pub topology: String,
    pub ids: Vec<i64>,
    pub events: u64,
    /// Number of faults of each kind in the run.
    #[cfg_attr(feature = "schemas", schemars(extend("additionalProperties" = {"type": "integer", "minimum": 1})))]
    pub faults: BTreeMap<&'static str, u32>,
    /// The faults in words, if they differ from those of the larger counterexample.
    #[serde(skip)]
    pub other_faults: Option<String>,
    #[cfg_attr(feature = "schemas", schemars(extend("items" = {"type": "object"})))]
    pub trace: Vec<serde_json::Value>,
}

/// A counterexample with its explanation.
pub struct ExplainedCounterexample {
    pub counterexample: Counterexample,
    /// The instance of the run: the given one, or with `--smallest` one on a smaller network.
    pub instance: Arc<Instance>,
    /// With `--smallest`: number of events of the counterexample on the given network.
    pub instead: Option<usize>,
    /// Number of omitted events, or why none can be omitted.
    pub left_out: Result<usize, NotShortened>,
    pub trace: Trace,
    /// Reason for the violation, if the run is not the one found first.
    pub why: Option<String>,
    pub explanation: Option<Explanation>,
    pub faults: Option<Faults>,
    /// Details of a run-time error.
    pub went_wrong: Option<RuntimeError>,
    /// The counterexample on a smaller network.
    pub smaller: Option<OnSmaller>,
}

/// The kind of violation that a counterexample shows.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ViolationName {
    Property,
    Stuck,
    Blocked,
    Aborted,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CounterexampleBody {
    /// The property, or `stuck`, or `blocked`, or `aborted`.
    pub shows: String,
    /// The kind of violation: a property may have any name.
    pub what: ViolationName,
    pub why: String,
    /// Place in the program: `mine.syn:12:3`. For a deadlock, `why` contains it.
    pub place: Option<String>,
    /// For a run-time error: the message that the process received, and its variables.
    pub message: Option<String>,
    pub variables: Vec<Change>,
    /// The network of the run.
    pub topology: String,
    pub ids: Vec<i64>,
    pub events: u64,
    /// With `--smallest`: number of events of the counterexample on the given network.
    pub instead: Option<u64>,
    /// First event of the cycle that the run repeats (a lasso).
    pub repeats_from: Option<u64>,
    /// For a lasso: the outcomes of random choices are an example, and the schedule can continue for all others.
    pub whatever_the_coins: bool,
    /// The choices, by event.
    pub chosen: Vec<ChosenBody>,
    /// The events that were omitted from the run.
    pub left_out: LeftOutBody,
    /// The event after which the condition is false, or whose command has the run-time error. None: the end of the run, or the
    /// run as a whole.
    pub flipped_by: Option<FlipBody>,
    /// If the property is violated in the state after a process crashed within a command: this command. It may precede the first
    /// configuration that is checked.
    pub crashed_within: Option<CrashedWithin>,
    /// For a bound with a constant limit: the event at which it is first exceeded.
    pub exceeded_by: Option<u64>,
    /// The causal past of the event `flipped_by`, including this event.
    pub past: Vec<u64>,
    /// Events of other processes outside the causal past that last changed variables that the condition reads.
    pub beside: Vec<u64>,
    /// If an event of the causal past depends on the absence of messages, such as a timeout: the events that caused the absence. None: no
    /// such event.
    pub silence: Option<Vec<u64>>,
    /// The faults that the violation requires. None: the instance has no faults.
    pub faults: Option<FaultsBody>,
    /// The counterexample on a smaller or simpler network.
    pub smaller: Option<SmallerBody>,
    /// The process of each event.
    #[serde(skip)]
    pub processes: Vec<String>,
    /// Other claimed properties that the run violates.
    #[serde(skip)]
    pub violated: Vec<String>,
    /// The trace, line by line, as in a file of JSON Lines.
    #[cfg_attr(feature = "schemas", schemars(extend("items" = {"type": "object"})))]
    pub trace: Vec<serde_json::Value>,
}

/// Writes the violated property, the reason, and the place in the text.
impl fmt::Display for CounterexampleBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.shows, self.why)?;
        self.place.as_ref().map_or(Ok(()), |place| write!(f, "  ({place})"))
    }
}

impl CounterexampleBody {
    /// Whether two counterexamples are the same run. The first line of a trace is ignored: for a lasso, it names the violated property.
    pub fn is_same_run(&self, other: &CounterexampleBody) -> bool {
        let (own, others) = (self.trace.iter().skip(1), other.trace.iter().skip(1));
        let about = |of: &CounterexampleBody| {
            (of.topology.clone(), of.ids.clone(), of.repeats_from, of.whatever_the_coins)
        };
        about(self) == about(other) && own.eq(others)
    }

    /// Return the name of an event: `event 5 (p0)`.
    pub fn event(&self, number: u64) -> String {
        match self.processes.get(number as usize) {
            Some(process) => format!("event {number} ({process})"),
            None => format!("event {number}"),
        }
    }

    /// For a run-time error: return lines with the received message and the variables of the process.
    pub fn local_state_lines(&self) -> Vec<String> {
        let taken = self.message.iter().map(|message| format!("message: {message}"));
        taken.chain(RuntimeError::variable_lines(&self.variables)).collect()
    }

    pub fn new(
        program: &Program,
        exploration: &Exploration,
        found: &ExplainedCounterexample,
    ) -> CounterexampleBody {
        let ExplainedCounterexample { counterexample, trace, .. } = found;
        let mut place = None;
        let (what, shows, why) = match &counterexample.kind {
            ViolationKind::Property(property) => {
                let property = &program.properties[*property];
                let name = &property.name;
                let verdict = exploration.verdicts.iter().find(|v| v.name == *name);
                let first = || verdict.map_or(String::new(), |v| v.why.to_string());
                place = Some(program.sources.place(verdict.map_or(property.span, |v| v.span)));
                (ViolationName::Property, name.clone(), found.why.clone().unwrap_or_else(first))
            }
            ViolationKind::Stuck(why) => (ViolationName::Stuck, "stuck".into(), why.clone()),
            ViolationKind::Blocked(why) => (ViolationName::Blocked, "blocked".into(), why.clone()),
            ViolationKind::Aborted(why) => {
                let what = found.went_wrong.as_ref().map_or(why, |wrong| &wrong.what);
                place = found.went_wrong.as_ref().map(|wrong| wrong.place.clone());
                (ViolationName::Aborted, "aborted".into(), what.clone())
            }
        };
        let explanation = found.explanation.as_ref();
        let flip = explanation.and_then(|e| e.flipped_by).and_then(|event| {
            let step = trace.events.get(event)?;
            let (process, action) = (step.process, step.action.clone());
            let together = explanation.into_iter().flat_map(|e| &e.together).map(|e| *e as u64).collect();
            Some(FlipBody { event: event as u64, process, action, together })
        });
        CounterexampleBody {
            shows,
            what,
            why: trace.header.shown(&why).into_owned(),
            place,
            message: found.went_wrong.as_ref().and_then(|wrong| wrong.message.clone()),
            variables: found.went_wrong.as_ref().map_or_else(Vec::new, |wrong| wrong.variables.clone()),
            topology: found.instance.network.topology().into(),
            ids: found.instance.network.ids().to_vec(),
            events: counterexample.events.len() as u64,
            instead: found.instead.map(|events| events as u64),
            chosen: ChosenBody::all(&found.instance, &counterexample.events),
            left_out: LeftOutBody {
                events: found.left_out.unwrap_or(0) as u64,
                needs: found.left_out.err().map(NotShortened::as_str),
                why: found.left_out.err(),
            },
            flipped_by: flip,
            crashed_within: explanation
                .and_then(|e| e.crashed_within)
                .map(|command| CrashedWithin::new(&command, &found.instance.program.sources)),
            exceeded_by: explanation.and_then(|e| e.exceeded_by).map(|event| event as u64),
            past: explanation.map_or_else(Vec::new, |e| numbers(&e.past)),
            beside: explanation.map_or_else(Vec::new, |e| numbers(&e.contributing)),
            silence: explanation.and_then(|e| e.preventing.as_deref()).map(numbers),
            violated: explanation.map_or_else(Vec::new, |e| e.violated.clone()),
            smaller: found.smaller.as_ref().map(|smaller| {
                let (here, there) = (found.faults.as_ref().map(|f| f.used), smaller.faults);
                SmallerBody {
                    topology: smaller.topology.clone(),
                    ids: smaller.ids.clone(),
                    events: smaller.trace.events.len() as u64,
                    faults: by_kind(there.unwrap_or_default()),
                    other_faults: there.filter(|there| here != Some(*there)).map(faults::named),
                    trace: lines(&smaller.trace),
                }
            }),
            faults: found.faults.as_ref().map(FaultsBody::new),
            repeats_from: counterexample.repeats_from.map(|position| position as u64),
            whatever_the_coins: counterexample.for_every_outcome,
            processes: trace.events.iter().map(|event| trace.header.name(event.process)).collect(),
            trace: lines(trace),
        }
    }
}

fn numbers(events: &[usize]) -> Vec<u64> {
    events.iter().map(|event| *event as u64).collect()
}

fn lines(trace: &Trace) -> Vec<serde_json::Value> {
    trace.to_lines().lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
