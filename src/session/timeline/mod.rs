//! Navigation in a run: forward, back, to any event; branches, comparison, and checking of properties. No input, no
//! output.
//!
//! A timeline stores the events, which are small, and configurations at checkpoints; everything else is recomputed on
//! demand. Recorded events after the cursor are replayed before new ones are chosen, so that back and step undo each
//! other.

mod places;
mod step_breakpoints;
mod breakpoints;
mod checkpoints;
mod cursor;
mod narration;
mod branches;
mod possible;
mod backward;

pub use backward::LastStep;
pub use branches::{Branch, Comparison, SavedBranches};
pub use breakpoints::{Breakpoint, Breakpoints, WatchChange};
pub use narration::{NarratedStep, differences};
pub use places::executable_places;
pub use possible::{Possibilities, Possibility};
pub use step_breakpoints::{Hit, HitCondition, StepBreakpoint, StepTrigger};

use crate::instance::{ExecutionModel, Instance};
use crate::ir::{Question, Value};
use crate::property::{Ended, Reads, RunMonitor, Verdict};
use crate::prose;
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Eval, Machine, Metrics, StepError, World, eval, is_end};
use crate::simulate::{AnyScheduler, Held, Observer, Outcome, Progress, Schedule, Simulation, classify};
use checkpoints::Checkpoints;
use cursor::Cursor;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Default number of steps of a run without a limit: an infinite run must not fill the memory.
pub const MOST_STEPS: u64 = 100_000;

/// A run with a cursor.
pub struct Timeline {
    instance: Arc<Instance>,
    schedule: Schedule,
    seed: u64,
    /// The configuration at the cursor.
    cursor: Cursor,
    /// Events of the current branch, including those after the cursor.
    events: Vec<Event>,
    checkpoints: Checkpoints,
    /// The simulation that chooses the step after the last event; `None`: created on demand.
    simulation: Option<Box<Simulation<AnyScheduler>>>,
    /// The aborted step after the last event.
    aborted: Option<Box<Abort>>,
    /// Kinds of the messages that the last step took, if a breakpoint depends on them.
    taken: Vec<u32>,
    /// Monitor of the properties, with the number of events it has seen; `None`: it must restart.
    watch: RunMonitor,
    watched: Option<usize>,
    branch: String,
    others: BTreeMap<String, Branch>,
}

/// Distance covered, and the reason for stopping.
#[derive(Clone, Debug)]
pub struct Movement {
    /// Positions of the cursor.
    pub from: usize,
    pub to: usize,
    pub stop: Stop,
    /// Changes of watched expressions on the way.
    pub noticed: Vec<WatchChange>,
    /// Number of further changes of watched expressions.
    pub unnoticed: usize,
    /// Breakpoints on steps that the last step has hit.
    pub hits: Vec<Hit>,
}

#[derive(Clone, Debug)]
pub enum Stop {
    /// All requested steps were taken.
    Done,
    /// The run has ended.
    End(Outcome),
    /// The step aborted; the configuration is unchanged.
    Aborted(Box<Abort>),
    /// A breakpoint, by its number.
    Break(usize),
    /// Properties that the last step violates.
    Violated(Vec<Verdict>),
    Interrupted,
    /// A recorded event that is disabled here.
    Impossible(String),
}

/// Observer that keeps the event of a step.
#[derive(Default)]
struct Catch(Option<Event>);

impl Observer for Catch {
    fn after(&mut self, _: &Instance, event: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        self.0 = Some(event.clone());
        true
    }
}

impl Timeline {
    /// Create a timeline before the first event.
    pub fn new(instance: Arc<Instance>, schedule: Schedule, seed: u64) -> Timeline {
        let head = Cursor::new(&instance);
        let watch = watch(&instance, &head);
        Timeline {
            instance,
            schedule,
            seed,
            cursor: head,
            events: Vec::new(),
            checkpoints: Checkpoints::default(),
            simulation: None,
            aborted: None,
            taken: Vec::new(),
            watch,
            watched: Some(0),
            branch: "main".into(),
            others: BTreeMap::new(),
        }
    }

    pub fn instance(&self) -> &Arc<Instance> {
        &self.instance
    }

    pub fn schedule(&self) -> Schedule {
        self.schedule
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Return the number of events before the cursor.
    pub fn at(&self) -> usize {
        self.cursor.at
    }

    /// Return all events of this branch, including those after the cursor.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn configuration(&self) -> &Configuration {
        &self.cursor.configuration
    }

    pub fn metrics(&self) -> &Metrics {
        &self.cursor.machine.metrics
    }

    /// Set the scheduler of all steps from here on that are not recorded.
    pub fn choose_by(&mut self, schedule: Schedule, seed: u64) {
        (self.schedule, self.seed) = (schedule, seed);
        self.simulation = None;
    }

    /// Move to a recorded position; beyond the last event, to the last.
    ///
    /// # Errors
    /// If a recorded event is disabled: the events belong to another program.
    pub fn goto(&mut self, position: usize) -> Result<(), StepError> {
        let position = position.min(self.events.len());
        while self.cursor.at < position && self.cursor.at + self.checkpoints.every() > position {
            self.apply()?;
        }
        self.cursor.to(position, &self.instance, &self.events, &self.checkpoints)
    }

    /// Replay the recorded event at the cursor.
    fn apply(&mut self) -> Result<(), StepError> {
        let event = &self.events[self.cursor.at];
        self.cursor.take(&self.instance, event)?;
        let Cursor { at, configuration, machine } = &self.cursor;
        self.checkpoints.offer(*at, configuration, &machine.metrics);
        if self.watched == Some(at - 1) {
            self.watch.after(&self.instance, event, &machine.effects, configuration, &machine.metrics);
            self.watched = Some(*at);
        }
        Ok(())
    }

    /// Remove the events after the cursor; return their number.
    fn cut(&mut self) -> usize {
        let ahead = self.events.len() - self.cursor.at;
        if ahead > 0 {
            self.events.truncate(self.cursor.at);
            self.changed_from(self.cursor.at);
        }
        ahead
    }

    /// Invalidate what depends on the events from this position on.
    fn changed_from(&mut self, position: usize) {
        self.simulation = None;
        self.aborted = None;
        self.checkpoints.cut(position);
        self.watched = self.watched.filter(|watched| *watched <= position);
    }

    /// Append events recorded elsewhere, as far as they are enabled, and move after them.
    ///
    /// # Errors
    /// At the first event that is disabled: the cursor is before it, and the remaining events are dropped.
    pub fn follow(&mut self, events: impl IntoIterator<Item = Event>) -> Result<(), StepError> {
        self.cut();
        self.simulation = None;
        self.aborted = None;
        for event in events {
            self.events.push(event);
            if let Err(error) = self.apply() {
                self.events.pop();
                if let StepError::Aborted(abort) = &error {
                    self.aborted = Some(abort.clone());
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Take at most this many steps, recorded ones first. A joint step of several processes counts as one.
    pub fn go(&mut self, most: u64, looks: &mut Breakpoints) -> Movement {
        self.go_up_to(usize::MAX, most, looks)
    }

    /// Take at most this many steps, up to a position at the furthest.
    fn go_up_to(&mut self, position: usize, most: u64, looks: &mut Breakpoints) -> Movement {
        let from = self.cursor.at;
        self.advance_monitor();
        let (mut broken, mut taken) = (self.watch.broken(), 0);
        let (noticed, hits) = (Vec::new(), Vec::new());
        let mut went = Movement { from, to: from, stop: Stop::Done, noticed, unnoticed: 0, hits };
        looks.begin(self);
        let notes_messages = looks.is_about_messages();
        while (taken < most || self.configuration().in_joint_step()) && self.cursor.at < position {
            if self.instance.stop.is_set() {
                went.stop = Stop::Interrupted;
                break;
            }
            if let Err(stop) = self.step(notes_messages) {
                went.stop = stop;
                break;
            }
            looks.note(self, &self.events[self.cursor.at - 1]);
            if self.configuration().in_joint_step() {
                continue;
            }
            taken += 1;
            if let Some(stop) = looks.evaluate(self, &mut went) {
                went.stop = stop;
            }
            if self.watch.broken() > broken {
                broken = self.watch.broken();
                went.stop = Stop::Violated(self.violated_here());
            }
            if !matches!(went.stop, Stop::Done) {
                break;
            }
        }
        went.to = self.cursor.at;
        went
    }

    /// Return the number of violated properties up to the cursor.
    pub fn broken(&mut self) -> usize {
        self.advance_monitor();
        self.watch.broken()
    }

    /// Return the properties that the last event violates; at the beginning, those that the initial configuration violates.
    pub fn violated(&mut self) -> Vec<Verdict> {
        self.advance_monitor();
        self.violated_here()
    }

    /// Return the properties that the last event violates, according to the monitor.
    fn violated_here(&self) -> Vec<Verdict> {
        let index = (self.cursor.at as u64).checked_sub(1);
        let all = self.watch.verdicts(&self.instance, Ended::CutOff, self.configuration(), self.metrics());
        let broken = |v: &Verdict| v.judgement == crate::property::Judgement::Violated;
        let (now, before): (Vec<Verdict>, Vec<Verdict>) =
            all.into_iter().filter(broken).partition(|v| v.at_event == index);
        // The first configuration that is checked belongs to no event.
        if now.is_empty() { before.into_iter().filter(|v| v.at_event.is_none()).collect() } else { now }
    }

    /// Take one event: the recorded one, else a new one.
    fn step(&mut self, notes_messages: bool) -> Result<(), Stop> {
        if self.cursor.at == self.events.len() {
            let event = self.choose_next()?;
            self.aborted = None;
            self.events.push(event);
        }
        let inbox = if notes_messages { self.inbox() } else { Vec::new() };
        self.apply().map(|()| self.note_taken(&inbox)).map_err(|error| {
            // Recorded events after an aborted step are invalid.
            self.events.truncate(self.cursor.at);
            self.changed_from(self.cursor.at);
            match error {
                StepError::Aborted(abort) => self.abort(abort),
                StepError::Impossible(why) => Stop::Impossible(why),
            }
        })
    }

    fn abort(&mut self, abort: Box<Abort>) -> Stop {
        self.aborted = Some(abort.clone());
        Stop::Aborted(abort)
    }

    /// Return the event that the scheduler chooses at the end of the branch.
    fn choose_next(&mut self) -> Result<Event, Stop> {
        let mut simulation = self.simulation.take().unwrap_or_else(|| self.resumed());
        let mut catch = Catch::default();
        let progress = simulation.advance(&self.instance, &mut catch);
        match (progress, catch.0) {
            (Err(abort), _) => Err(self.abort(abort)),
            (Ok(Progress::Quiet), _) | (Ok(_), None) => {
                self.simulation = Some(simulation);
                Err(Stop::End(classify(&self.instance, self.configuration(), &Held::default())))
            }
            (Ok(_), Some(event)) => {
                self.simulation = Some(simulation);
                Ok(event)
            }
        }
    }

    /// Return the simulation, resumed at the cursor.
    fn resumed(&self) -> Box<Simulation<AnyScheduler>> {
        let mut simulation = Simulation::resume(&self.instance, self.configuration().clone(), self.chooser());
        simulation.set_metrics(self.metrics().clone());
        Box::new(simulation)
    }

    /// Take a given step; the scheduler makes the choices that it does not record. Remove the recorded events after the
    /// cursor, unless the next one equals the step; return the number removed.
    ///
    /// # Errors
    /// If the step is disabled or aborts: nothing changes.
    pub fn fire(&mut self, event: &Event) -> Result<usize, StepError> {
        if self.events.get(self.cursor.at) == Some(event) {
            self.advance_monitor();
            self.apply()?;
            return Ok(0);
        }
        let event = &self.completed(event)?;
        let at_end = self.cursor.at == self.events.len();
        let kept = if at_end { self.simulation.take() } else { None };
        self.advance_monitor();
        let ahead = self.cut();
        self.aborted = None;
        self.events.push(event.clone());
        if let Err(error) = self.apply() {
            self.events.pop();
            return Err(error);
        }
        // A scheduler with plans cannot follow a step that it did not choose; one that only keeps lists can.
        let plans =
            self.instance.model.execution != ExecutionModel::Single || self.instance.has_faults_or_time();
        self.simulation = kept.filter(|_| !plans).and_then(|mut simulation| {
            simulation.take(&self.instance, event, &mut Catch::default()).ok()?;
            Some(simulation)
        });
        Ok(ahead)
    }

    /// Return the step with all choices; the scheduler makes those that are not recorded.
    fn completed(&mut self, event: &Event) -> Result<Event, StepError> {
        let mut machine = Machine::new(&self.instance);
        machine.recording = true;
        let mut configuration = self.configuration().clone();
        if !event.choices.is_empty() {
            return match machine.replay(&self.instance, &mut configuration, event) {
                Ok(()) => Ok(event.clone()),
                Err(error) => Err(self.refused(event, error)),
            };
        }
        let mut chooser = self.chooser();
        match machine.perform(&self.instance, &mut configuration, event, &mut chooser) {
            Ok(true) => Ok(Event { choices: machine.choices, ..event.clone() }),
            // Replaying yields the reason.
            Ok(false) => machine.replay(&self.instance, &mut configuration, event).map(|()| event.clone()),
            Err(error) => {
                let tried = Event { choices: machine.choices, ..event.clone() };
                Err(self.refused(&tried, error))
            }
        }
    }

    /// Keep an abort with its step if the run could end with it.
    fn refused(&mut self, event: &Event, error: StepError) -> StepError {
        let StepError::Aborted(mut abort) = error else { return error };
        abort.step = Some(self.cursor.at as u64);
        abort.event = Some(event.clone());
        if self.cursor.at == self.events.len() {
            self.aborted = Some(abort.clone());
        }
        StepError::Aborted(abort)
    }

    /// Return the chooser from the cursor on. From the beginning, it reproduces `synod run`; later, it must not repeat
    /// the same random numbers.
    fn chooser(&self) -> AnyScheduler {
        let seed = self.seed ^ (self.cursor.at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        AnyScheduler::new(&self.instance, self.schedule, seed)
    }

    /// Advance the monitor to the cursor.
    fn advance_monitor(&mut self) {
        let at = self.cursor.at;
        let start = match self.watched {
            Some(watched) if watched <= at => watched,
            _ => {
                self.watch = watch(&self.instance, &Cursor::new(&self.instance));
                0
            }
        };
        if start < at {
            let mut head = Cursor::new(&self.instance);
            let mut done = head.to(start, &self.instance, &self.events, &self.checkpoints).is_ok();
            for event in &self.events[start..at] {
                done = done && head.take(&self.instance, event).is_ok();
                if !done {
                    break;
                }
                let Cursor { configuration, machine, .. } = &head;
                self.watch.after(&self.instance, event, &machine.effects, configuration, &machine.metrics);
            }
        }
        self.watched = Some(at);
    }

    /// Return the verdicts at the cursor.
    pub fn verdicts(&mut self) -> Vec<Verdict> {
        self.advance_monitor();
        let ended = match self.outcome() {
            Some(Outcome::Aborted(_)) => Ended::Aborted,
            Some(_) => Ended::Finished,
            None => Ended::CutOff,
        };
        self.watch.verdicts(&self.instance, ended, self.configuration(), self.metrics())
    }

    /// Return the outcome, if the run has ended at the cursor.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(abort) = self.aborted.as_ref().filter(|_| self.cursor.at == self.events.len()) {
            return Some(Outcome::Aborted(abort.clone()));
        }
        let configuration = self.configuration();
        is_end(&self.instance, configuration)
            .then(|| classify(&self.instance, configuration, &Held::default()))
    }

    /// Evaluate an expression at the cursor.
    ///
    /// # Errors
    /// If it cannot be evaluated.
    pub fn answer(&mut self, question: &Question) -> Eval<String> {
        if Reads::of(&question.expr, &self.instance.program).history {
            self.advance_monitor();
        }
        self.answer_now(question)
    }

    /// Evaluate an expression at the cursor, as a value.
    ///
    /// # Errors
    /// If it cannot be evaluated.
    pub fn value(&mut self, question: &Question) -> Eval<Value> {
        if Reads::of(&question.expr, &self.instance.program).history {
            self.advance_monitor();
        }
        let (configuration, metrics) = (self.configuration(), self.metrics());
        let world = World { configuration, metrics, history: &self.watch.history };
        eval::evaluate(question, &self.instance, world)
    }

    /// Return the displayed value of an expression, or the reason why there is none.
    fn shown(&self, question: &Question) -> String {
        self.answer_now(question).unwrap_or_else(|abort| format!("({abort})"))
    }

    /// Evaluate an expression with the history recorded so far.
    fn answer_now(&self, question: &Question) -> Eval<String> {
        let (configuration, metrics) = (self.configuration(), self.metrics());
        let world = World { configuration, metrics, history: &self.watch.history };
        let answer = eval::answer(question, &self.instance, world)?;
        Ok(prose::with_names(&answer, self.instance.names()).into_owned())
    }
}

fn watch(instance: &Instance, head: &Cursor) -> RunMonitor {
    let mut watch = RunMonitor::new(instance, None).noting_premises();
    watch.begin(instance, &head.configuration, &head.machine.metrics);
    watch
}
