//! A run that one moves about in: forward, back, to any event; forked, compared, judged on the way. No input, no output.
//!
//! Kept are the events, which are small, and configurations at checkpoints; everything else is computed again when somebody
//! asks. Recorded events that lie ahead are taken again before new ones are chosen, so that back and step undo each other.

mod breakpoints;
mod checkpoints;
mod cursor;
mod narration;
mod branches;
mod possible;

pub use branches::{Branch, Comparison, Kept};
pub use breakpoints::{Breakpoint, Breakpoints, Noticed};
pub use narration::{NarratedStep, differences};
pub use possible::{Possibilities, Possibility};

use crate::check::Question;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::Value;
use crate::property::{Ended, Reads, Verdict, Watch};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Eval, Machine, Metrics, StepError, World, eval};
use crate::simulate::{Any, Held, Observer, Outcome, Progress, Schedule, Simulation, classify};
use checkpoints::Checkpoints;
use cursor::Cursor;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A run, and a place in it.
pub struct Timeline<'i> {
    instance: &'i Instance,
    schedule: Schedule,
    seed: u64,
    /// The configuration at the cursor.
    head: Cursor,
    /// Of the branch at hand, those ahead of the cursor included.
    events: Vec<Event>,
    checkpoints: Checkpoints,
    /// Chooses what comes after the last event. None: made when needed.
    simulation: Option<Box<Simulation<Any>>>,
    /// The step after the last event that could not be completed.
    aborted: Option<Box<Abort>>,
    /// The properties, and after how many events they stand; None: they have to begin again.
    watch: Watch<'i>,
    watched: Option<usize>,
    branch: String,
    others: BTreeMap<String, Branch>,
}

/// How far somebody went, and why no further.
#[derive(Clone, Debug)]
pub struct Went {
    /// Positions of the cursor.
    pub from: usize,
    pub to: usize,
    pub stop: Stop,
    /// What watched expressions came to on the way.
    pub noticed: Vec<Noticed>,
    /// So many more changes of watched expressions are left out.
    pub unnoticed: usize,
}

#[derive(Clone, Debug)]
pub enum Stop {
    /// As many steps as were asked for.
    Done,
    /// Nothing is possible any more.
    End(Outcome),
    /// The step could not be completed; nothing has changed.
    Aborted(Box<Abort>),
    /// A breakpoint, by its number.
    Break(usize),
    /// Properties that the last step has violated.
    Violated(Vec<Verdict>),
    Interrupted,
    /// A recorded event that is not possible here.
    Impossible(String),
}

/// Keeps the event of a step.
#[derive(Default)]
struct Catch(Option<Event>);

impl Observer for Catch {
    fn after(&mut self, _: &Instance, event: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        self.0 = Some(event.clone());
        true
    }
}

impl<'i> Timeline<'i> {
    /// Before the first event.
    pub fn new(instance: &'i Instance, schedule: Schedule, seed: u64) -> Timeline<'i> {
        let head = Cursor::new(instance);
        let watch = watch(instance, &head);
        Timeline {
            instance,
            schedule,
            seed,
            head,
            events: Vec::new(),
            checkpoints: Checkpoints::default(),
            simulation: None,
            aborted: None,
            watch,
            watched: Some(0),
            branch: "main".into(),
            others: BTreeMap::new(),
        }
    }

    pub fn instance(&self) -> &'i Instance {
        self.instance
    }

    pub fn schedule(&self) -> Schedule {
        self.schedule
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many events lie behind the cursor.
    pub fn at(&self) -> usize {
        self.head.at
    }

    /// All events of this branch, those ahead included.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn configuration(&self) -> &Configuration {
        &self.head.configuration
    }

    pub fn metrics(&self) -> &Metrics {
        &self.head.machine.metrics
    }

    /// Who chooses the steps that are not recorded yet, from here on.
    pub fn choose_by(&mut self, schedule: Schedule, seed: u64) {
        (self.schedule, self.seed) = (schedule, seed);
        self.simulation = None;
    }

    /// Moves to a recorded position; beyond the last event, to the last.
    ///
    /// # Errors
    /// When a recorded event is not possible: the events were made with another program.
    pub fn goto(&mut self, position: usize) -> Result<(), StepError> {
        let position = position.min(self.events.len());
        while self.head.at < position && self.head.at + self.checkpoints.every() > position {
            self.apply()?;
        }
        self.head.to(position, self.instance, &self.events, &self.checkpoints)
    }

    /// Takes the recorded event at the cursor.
    fn apply(&mut self) -> Result<(), StepError> {
        let event = &self.events[self.head.at];
        self.head.take(self.instance, event)?;
        let Cursor { at, configuration, machine } = &self.head;
        self.checkpoints.offer(*at, configuration, &machine.metrics);
        if self.watched == Some(at - 1) {
            self.watch.after(event, &machine.effects, configuration, &machine.metrics);
            self.watched = Some(*at);
        }
        Ok(())
    }

    /// Forgets what lies ahead of the cursor. Answers how many events that were.
    fn cut(&mut self) -> usize {
        let ahead = self.events.len() - self.head.at;
        if ahead > 0 {
            self.events.truncate(self.head.at);
            self.changed_from(self.head.at);
        }
        ahead
    }

    /// The events from here on are others than before.
    fn changed_from(&mut self, position: usize) {
        self.simulation = None;
        self.aborted = None;
        self.checkpoints.cut(position);
        self.watched = self.watched.filter(|watched| *watched <= position);
    }

    /// Appends events that were recorded elsewhere, as far as they are possible, and moves behind them.
    ///
    /// # Errors
    /// At the first event that is not possible: then the cursor stands before it, and the rest is not there.
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

    /// Takes so many steps, recorded ones first. Where several processes step together, that is one step.
    pub fn go(&mut self, most: u64, looks: &mut Breakpoints, interrupt: Option<&AtomicBool>) -> Went {
        let from = self.head.at;
        self.judge();
        let (mut broken, mut taken) = (self.watch.broken(), 0);
        let mut went = Went { from, to: from, stop: Stop::Done, noticed: Vec::new(), unnoticed: 0 };
        looks.begin(self);
        while taken < most || self.configuration().in_joint_step() {
            if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                went.stop = Stop::Interrupted;
                break;
            }
            if let Err(stop) = self.step() {
                went.stop = stop;
                break;
            }
            if self.configuration().in_joint_step() {
                continue;
            }
            taken += 1;
            if let Some(stop) = looks.look(self, &mut went) {
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
        went.to = self.head.at;
        went
    }

    /// The properties whose violation the last event has shown.
    fn violated_here(&self) -> Vec<Verdict> {
        let index = (self.head.at as u64).checked_sub(1);
        let all = self.watch.verdicts(Ended::CutOff, self.configuration(), self.metrics());
        let broken = |v: &Verdict| v.judgement == crate::property::Judgement::Violated;
        let (now, before): (Vec<Verdict>, Vec<Verdict>) =
            all.into_iter().filter(broken).partition(|v| v.at_event == index);
        // The first configuration that is judged belongs to no event.
        if now.is_empty() { before.into_iter().filter(|v| v.at_event.is_none()).collect() } else { now }
    }

    /// One event: the recorded one, else a new one.
    fn step(&mut self) -> Result<(), Stop> {
        if self.head.at == self.events.len() {
            let event = self.invent()?;
            self.aborted = None;
            self.events.push(event);
        }
        self.apply().map_err(|error| {
            // Nothing that is recorded later can be true.
            self.events.truncate(self.head.at);
            self.changed_from(self.head.at);
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

    /// What the schedule chooses at the end of the branch.
    fn invent(&mut self) -> Result<Event, Stop> {
        let mut simulation = self.simulation.take().unwrap_or_else(|| self.resumed());
        let mut catch = Catch::default();
        let progress = simulation.advance(self.instance, &mut catch);
        match (progress, catch.0) {
            (Err(abort), _) => Err(self.abort(abort)),
            (Ok(Progress::Quiet), _) | (Ok(_), None) => {
                self.simulation = Some(simulation);
                Err(Stop::End(classify(self.instance, self.configuration(), &Held::default())))
            }
            (Ok(_), Some(event)) => {
                self.simulation = Some(simulation);
                Ok(event)
            }
        }
    }

    /// The schedule, taken up at the cursor.
    fn resumed(&self) -> Box<Simulation<Any>> {
        let mut simulation = Simulation::resume(self.instance, self.configuration().clone(), self.chooser());
        simulation.set_metrics(self.metrics().clone());
        Box::new(simulation)
    }

    /// Takes a step that somebody has chosen; where it records no choices, the schedule makes them. What was recorded ahead is
    /// forgotten, unless this is it: answers how many events that were.
    ///
    /// # Errors
    /// When it is not possible, or the program goes wrong: then nothing has changed.
    pub fn fire(&mut self, event: &Event) -> Result<usize, StepError> {
        if self.events.get(self.head.at) == Some(event) {
            self.judge();
            self.apply()?;
            return Ok(0);
        }
        let event = &self.completed(event)?;
        let at_end = self.head.at == self.events.len();
        let kept = if at_end { self.simulation.take() } else { None };
        self.judge();
        let ahead = self.cut();
        self.aborted = None;
        self.events.push(event.clone());
        if let Err(error) = self.apply() {
            self.events.pop();
            return Err(error);
        }
        // A scheduler that has made plans would be surprised; one that only keeps lists is not.
        let plans = self.instance.model.pace != ExecutionModel::Single || self.instance.is_special();
        self.simulation = kept.filter(|_| !plans).and_then(|mut simulation| {
            simulation.take(self.instance, event, &mut Catch::default()).ok()?;
            Some(simulation)
        });
        Ok(ahead)
    }

    /// The step with its choices, which the schedule makes where none are recorded.
    fn completed(&mut self, event: &Event) -> Result<Event, StepError> {
        let mut machine = Machine::new(self.instance);
        machine.recording = true;
        let mut configuration = self.configuration().clone();
        if !event.choices.is_empty() {
            return match machine.replay(self.instance, &mut configuration, event) {
                Ok(()) => Ok(event.clone()),
                Err(error) => Err(self.refused(event, error)),
            };
        }
        let mut chooser = self.chooser();
        match machine.perform(self.instance, &mut configuration, event, &mut chooser) {
            Ok(true) => Ok(Event { choices: machine.choices, ..event.clone() }),
            // It says why.
            Ok(false) => machine.replay(self.instance, &mut configuration, event).map(|()| event.clone()),
            Err(error) => {
                let tried = Event { choices: machine.choices, ..event.clone() };
                Err(self.refused(&tried, error))
            }
        }
    }

    /// Keeps an abort, with its step, where the run could end with it.
    fn refused(&mut self, event: &Event, error: StepError) -> StepError {
        let StepError::Aborted(mut abort) = error else { return error };
        abort.step = Some(self.head.at as u64);
        abort.event = Some(event.clone());
        if self.head.at == self.events.len() {
            self.aborted = Some(abort.clone());
        }
        StepError::Aborted(abort)
    }

    /// Who makes choices from the cursor on. From the beginning it is the run of `synod run`; later it must not roll the
    /// same dice again.
    fn chooser(&self) -> Any {
        let seed = self.seed ^ (self.head.at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Any::new(self.instance, self.schedule, seed)
    }

    /// Brings the properties to the cursor.
    fn judge(&mut self) {
        let at = self.head.at;
        let start = match self.watched {
            Some(watched) if watched <= at => watched,
            _ => {
                self.watch = watch(self.instance, &Cursor::new(self.instance));
                0
            }
        };
        if start < at {
            let mut head = Cursor::new(self.instance);
            let mut done = head.to(start, self.instance, &self.events, &self.checkpoints).is_ok();
            for event in &self.events[start..at] {
                done = done && head.take(self.instance, event).is_ok();
                if !done {
                    break;
                }
                let Cursor { configuration, machine, .. } = &head;
                self.watch.after(event, &machine.effects, configuration, &machine.metrics);
            }
        }
        self.watched = Some(at);
    }

    /// The properties as they stand at the cursor.
    pub fn verdicts(&mut self) -> Vec<Verdict> {
        self.judge();
        let ended = match self.outcome() {
            Some(Outcome::Aborted(_)) => Ended::Aborted,
            Some(_) => Ended::Finished,
            None => Ended::CutOff,
        };
        self.watch.verdicts(ended, self.configuration(), self.metrics())
    }

    /// How the run has ended, if it has at the cursor.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(abort) = self.aborted.as_ref().filter(|_| self.head.at == self.events.len()) {
            return Some(Outcome::Aborted(abort.clone()));
        }
        let configuration = self.configuration();
        let mut machine = Machine::new(self.instance);
        let enabled = machine.enabled(self.instance, configuration);
        let end = enabled.iter().all(|event| configuration.is_fault(event));
        end.then(|| classify(self.instance, configuration, &Held::default()))
    }

    /// What an expression comes to at the cursor.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    pub fn answer(&mut self, question: &Question) -> Eval<Value> {
        if Reads::of(&question.expr, &self.instance.program).history {
            self.judge();
        }
        self.answer_now(question)
    }

    /// The same with the history as far as it has been followed.
    fn answer_now(&self, question: &Question) -> Eval<Value> {
        let (configuration, metrics) = (self.configuration(), self.metrics());
        let world = World { configuration, metrics, history: &self.watch.history };
        eval::answer(question, self.instance, world)
    }
}

fn watch<'i>(instance: &'i Instance, head: &Cursor) -> Watch<'i> {
    let mut watch = Watch::new(instance, None);
    watch.begin(&head.configuration, &head.machine.metrics);
    watch
}
