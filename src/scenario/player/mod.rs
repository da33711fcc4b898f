//! Execution of one scenario, line by line.

mod expected;
mod failure_lines;
mod steps;

use super::{LineMessage, ScenarioObserver, ScenarioResult, alternatives, has_already_woken};
use crate::explore::InfiniteRun;
use crate::ids::{MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::{Component, DEFAULT_SEED, Input, Scenario, ScenarioLine as Line, Value};
use crate::property::{RunMonitor, Verdict};
use crate::semantics::eval::{self, World};
use crate::semantics::event::{Cause, Effects, Event};
use crate::semantics::orders::OrderedChoice;
use crate::semantics::{Abort, Configuration, Machine, Metrics, StepError};
use crate::simulate::{AnyScheduler, Held, Hold, Observer, Outcome, Progress, Schedule, Simulation};
use crate::source::Span;
use expected::{aborted, reasons};
use std::collections::BTreeSet;

/// Maximum number of steps of a line: scenarios are small.
const MAX_STEPS: u64 = 2_000_000;

/// Passes every step to the monitor of properties and to the observer.
struct Both<'i, 'o> {
    watch: RunMonitor,
    /// The cycle that the scenario repeats.
    endless: Option<OpenCycle<'i>>,
    witness: &'o mut dyn ScenarioObserver,
}

struct OpenCycle<'i> {
    run: InfiniteRun<'i>,
    /// Number of steps before `cycle`, and since.
    begun: u64,
    round: Vec<Event>,
}

impl Observer for Both<'_, '_> {
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.watch.after(instance, event, effects, configuration, metrics);
        if let Some(endless) = &mut self.endless {
            endless.run.look(instance, configuration, metrics);
            endless.round.push(event.clone());
        }
        self.witness.after(instance, event, effects, configuration, metrics);
        // With held messages, the search for the next step may take long.
        !instance.stop.is_set()
    }

    fn aborted(
        &mut self,
        _: &Instance,
        event: &Event,
        effects: &Effects,
        abort: &Abort,
        configuration: &Configuration,
    ) {
        self.witness.aborted(event, effects, abort, configuration);
    }
}

pub struct Player<'i, 'o> {
    instance: &'i Instance,
    scenario: &'i Scenario,
    simulation: Simulation<AnyScheduler>,
    observer: Both<'i, 'o>,
    held: Held,
    /// The processes that have restarted.
    restarted: BTreeSet<ProcessId>,
    outcome: Outcome,
    /// In rounds, if the scenario has `at` lines: the round after which nothing runs.
    until: Option<u64>,
    /// With time, the number of `at` lines to come, if there are any: then time passes only at `at`.
    instants: Option<usize>,
    /// Whether the schedule is scripted: only the lines take steps.
    is_scripted: bool,
    /// Verdicts for a cycle that has been closed.
    endless_verdicts: Option<Vec<Verdict>>,
}

impl<'i, 'o> Player<'i, 'o> {
    pub fn new(
        instance: &'i Instance,
        scenario: &'i Scenario,
        witness: &'o mut dyn ScenarioObserver,
    ) -> Player<'i, 'o> {
        let named = |schedule: &Schedule| scenario.schedule.as_deref() == Some(schedule.as_str());
        let schedule = Schedule::ALL.into_iter().find(named).unwrap_or_default();
        let scheduler = AnyScheduler::new(instance, schedule, scenario.seed.unwrap_or(DEFAULT_SEED));
        let ats = scenario.lines.iter().filter(|(line, _)| matches!(line, Line::AdvanceTo(_))).count();
        let goes_round = scenario.lines.iter().any(|(line, _)| matches!(line, Line::Cycle));
        Player {
            instance,
            scenario,
            simulation: Simulation::new(instance, scheduler),
            observer: Both {
                watch: RunMonitor::new(instance, None).noting_premises(),
                endless: goes_round.then(|| OpenCycle {
                    run: InfiniteRun::new(instance),
                    begun: 0,
                    round: Vec::new(),
                }),
                witness,
            },
            held: Held::default(),
            restarted: BTreeSet::new(),
            outcome: Outcome::Quiescent,
            until: Some(0).filter(|_| ats > 0 && !instance.is_timed()),
            instants: Some(ats).filter(|_| ats > 0 && instance.is_timed()),
            is_scripted: scenario.is_scripted,
            endless_verdicts: None,
        }
    }

    pub fn play(mut self, played: &mut ScenarioResult) {
        let scenario = self.scenario;
        // A process wakes up only at its line.
        let wakes = scenario.lines.iter().any(|(l, _)| matches!(l, Line::Wake(_)));
        if wakes {
            for p in self.instance.processes() {
                self.simulation.configuration.set_may_wake(p, false);
            }
        }
        let mut lines = scenario.lines.iter().peekable();
        // Holds apply before the first step; the instance contains the initial values.
        let at_first = |line: &Line| {
            matches!(
                line,
                Line::Initially { .. }
                    | Line::Hold { .. }
                    | Line::Delay { .. }
                    | Line::Choose { .. }
                    | Line::Crash { before: Some(_), .. }
            )
        };
        while let Some((line, span)) = lines.next_if(|(line, _)| at_first(line)) {
            let told = match line {
                Line::Initially { .. } => Ok(()),
                Line::Hold { .. } => self.hold(line),
                Line::Choose { process, value } => self.order_choice(*process, value, *span),
                other => self.fault(other, *span),
            };
            if let Err(message) = told {
                played.failures.push(LineMessage { span: *span, message });
                return;
            }
        }
        self.begin();
        let metrics = self.simulation.metrics().clone();
        self.observer.watch.begin(self.instance, &self.simulation.configuration, &metrics);
        self.settle();
        for (line, span) in lines {
            let done = self.line(line, *span).map_err(|message| LineMessage { span: *span, message });
            if let Err(failure) = done.and_then(|()| self.chose_as_ordered()) {
                played.failures.push(failure);
                break;
            }
        }
        if played.failures.is_empty() {
            played.failures.extend(self.chose_as_ordered().err());
        }
        if let Some(order) = self.simulation.ordered().waiting().filter(|_| played.failures.is_empty()) {
            let what = match order.wanted {
                OrderedChoice::Value(_) => "values",
                OrderedChoice::Number(_) => "possibilities",
            };
            let message = format!("{} never chose between several {what}", order.process);
            played.failures.push(LineMessage { span: order.span, message });
        }
        if let Some(order) = self.simulation.ordered_crashes().first().filter(|_| played.failures.is_empty())
        {
            let message = format!("{} has not crashed: it never sent such a message", order.process);
            played.failures.push(LineMessage { span: order.span, message });
        }
        if let Outcome::Aborted(abort) = &self.outcome
            && !scenario.lines.iter().any(|(l, _)| matches!(l, Line::ExpectOutcome(o) if o == "aborted"))
        {
            played.failures.push(aborted(abort));
        }
        let cut_off = matches!(self.outcome, Outcome::Limit | Outcome::Interrupted);
        if cut_off && !scenario.lines.iter().any(|(l, _)| matches!(l, Line::ExpectOutcome(_))) {
            played.failures.push(LineMessage {
                span: scenario.span,
                message: format!("a line took more than {MAX_STEPS} steps"),
            });
        }
        self.unexpected(played);
        played.violation = self.first_violation();
        if played.failures.is_empty() {
            played.notes = self.vacuous_lines();
        }
        played.outcome = Some(self.current_outcome());
        played.steps = self.simulation.steps;
        played.repeats_from = self.cycle_start();
        played.messages = self.simulation.metrics().messages();
    }

    /// Start every process.
    fn begin(&mut self) {
        self.observer.witness.begins(&self.simulation.configuration);
        while self.simulation.configuration.next_to_start().is_some() {
            if let Err(abort) = self.simulation.advance(self.instance, &mut self.observer) {
                self.outcome = Outcome::Aborted(abort);
                break;
            }
        }
    }

    /// Whether every choice that a line orders was made.
    fn chose_as_ordered(&mut self) -> Result<(), LineMessage> {
        match self.simulation.ordered().failed_order() {
            Some((span, message)) => Err(LineMessage { span: *span, message: message.clone() }),
            None => Ok(()),
        }
    }

    fn hold(&mut self, line: &Line) -> Result<(), String> {
        if let Line::Hold { from, to, kinds } = line {
            if let (Some(a), Some(b)) = (from, to)
                && self.instance.network.link_to(*a, *b).is_none()
                && (kinds.is_some() || !self.is_noted(*a, *b))
            {
                return Err(format!("no link from {a} to {b} to hold messages on"));
            }
            self.held.holds.push(Hold { from: *from, to: *to, kinds: kinds.clone() });
            self.simulation.set_held(self.held.clone());
        }
        Ok(())
    }

    /// Whether the application sends notes from one process to the other. Notes need no link.
    fn is_noted(&self, a: ProcessId, b: ProcessId) -> bool {
        let note = |line: &Line| matches!(line, Line::Note { from, to, .. } if (*from, *to) == (a, b));
        self.scenario.lines.iter().any(|(line, _)| note(line))
    }

    /// Whether the program of the process has an `on wakeup`.
    fn waits_for_wakeup(&self, process: ProcessId) -> bool {
        let role = &self.instance.program.roles[self.instance.role_of(process)];
        let handlers = |c: &Component| {
            let all = c.states.iter().map(|state| &state.handlers).chain([&c.always]);
            all.flat_map(|handlers| &handlers.alternatives).any(|a| matches!(a.input, Input::Wakeup))
        };
        role.components.iter().any(handlers)
    }

    /// Run everything that is not held until no step is enabled; if the scenario states times, until none is enabled at
    /// the current time.
    fn settle(&mut self) {
        if self.is_scripted {
            return;
        }
        self.settle_at(self.instants.map(|_| self.simulation.configuration.now()));
    }

    /// Run everything that is not held up to this time; `None`: to the end.
    fn settle_at(&mut self, horizon: Option<u64>) {
        self.simulation.set_horizon(horizon);
        if matches!(self.outcome, Outcome::Aborted(_)) {
            return;
        }
        let limit = self.simulation.steps + MAX_STEPS;
        if let Some(round) = self.until {
            self.outcome = self.simulation.run_rounds(self.instance, round, limit, &mut self.observer);
        } else {
            self.outcome = self.simulation.run(self.instance, limit, &mut self.observer);
        }
        if self.instance.stop.is_set() && matches!(self.outcome, Outcome::Stopped) {
            self.outcome = Outcome::Interrupted;
        }
    }

    /// Run until this many rounds have ended.
    fn run_to(&mut self, round: &crate::ir::Expr) -> Result<(), String> {
        let number = eval::with_global_frame(self.instance, None, |env| eval::word(round, env))
            .map_err(|a| a.to_string())?;
        let ended = self.simulation.configuration.rounds().unwrap_or(0);
        let Some(number) = u64::try_from(number).ok().filter(|number| *number >= ended) else {
            return Err(format!("round {number} is over: {ended} rounds have ended"));
        };
        self.until = Some(number);
        self.settle();
        Ok(())
    }

    fn line(&mut self, line: &Line, span: Span) -> Result<(), String> {
        match line {
            Line::Initially { .. } => return Err("`initially` must precede every step".into()),
            Line::Hold { .. } => self.hold(line)?,
            Line::Release { link } => self.release(*link)?,
            Line::Deliver { from, to, kinds } => self.deliver(*from, *to, kinds.as_deref())?,
            Line::Act { process, operation, args } => self.act(*process, *operation, args)?,
            Line::Note { from, to, .. } => {
                let event = plain(*from, Cause::SendNote { to: *to });
                self.take(&event)?;
            }
            Line::Wake(list) => list.iter().try_for_each(|p| self.wake(*p))?,
            Line::Expect(e) => return self.expect(e),
            Line::ExpectVerdict { property, violated } => return self.expect_verdict(*property, *violated),
            Line::ExpectOutcome(word) => return self.expect_outcome(word),
            Line::Choose { process, value } => self.order_choice(*process, value, span)?,
            Line::Step(_) | Line::Expire(_) => self.told_step(line)?,
            Line::Cycle => self.begin_cycle()?,
            Line::ExpectCycleClosed => return self.close_cycle(),
            Line::AdvanceTo(_) if self.until.is_some() && self.is_scripted => {
                return Err(
                    "with `schedule told`, processes step only by `step` lines, in every round".into()
                );
            }
            Line::AdvanceTo(round) if self.until.is_some() => return self.run_to(round),
            Line::AdvanceTo(time) => return self.advance_to(time),
            other => self.fault(other, span)?,
        }
        self.settle();
        Ok(())
    }

    /// Release a link, or let all processes run spontaneously from here on.
    fn release(&mut self, link: Option<(ProcessId, ProcessId)>) -> Result<(), String> {
        match link {
            None => {
                self.is_scripted = false;
                self.held.holds.clear();
            }
            Some((from, to)) => {
                let before = self.held.holds.len();
                let link = (Some(from), Some(to));
                self.held.holds.retain(|h| (h.from, h.to) != link);
                if self.held.holds.len() == before {
                    return Err(format!(
                        "no `hold {from} -> {to}` precedes: `release` needs the link as in `hold`"
                    ));
                }
            }
        }
        self.simulation.set_held(self.held.clone());
        Ok(())
    }

    fn wake(&mut self, p: ProcessId) -> Result<(), String> {
        if !self.waits_for_wakeup(p) {
            return Err(format!("{p} has no `on wakeup`: it starts without one"));
        }
        let configuration = &mut self.simulation.configuration;
        if configuration.has_woken(p) {
            return Err(has_already_woken(p));
        }
        if configuration.crashed(p) {
            return Err(format!("{p} cannot wake up: it is down"));
        }
        if self.restarted.contains(&p) {
            return Err(format!("{p} cannot wake up: it has restarted, and does so only at the beginning"));
        }
        if configuration.depth(p) > 0 {
            return Err(format!("{p} cannot wake up spontaneously: a message came first"));
        }
        configuration.set_may_wake(p, true);
        let ways = alternatives::wakeups(self.instance, configuration, p);
        self.take_one_of(p, ways, || {
            format!("{p} cannot wake up: a message woke it, or it has no enabled `on wakeup`")
        })
    }

    fn expect_outcome(&mut self, word: &str) -> Result<(), String> {
        if self.is_scripted
            && !matches!(self.outcome, Outcome::Aborted(_))
            && self.outcome_if_disabled().is_none()
        {
            return Err(
                "the run has not ended: some step is enabled; `release` lets all processes run".into()
            );
        }
        if matches!(self.outcome, Outcome::Stopped) {
            let rounds = self.simulation.configuration.rounds().unwrap_or(0);
            return Err(format!("the run has not ended: it stops at the last `at`, after {rounds} rounds"));
        }
        if self.instants.is_some_and(|left| left > 0) {
            return Err("`expect outcome` must follow the last `at`".into());
        }
        if self.instants.is_some() && !self.is_scripted {
            self.settle_at(None);
        }
        let outcome = self.current_outcome();
        match outcome.as_str() == word {
            true => Ok(()),
            false => Err(format!("the outcome is `{}`, not `{word}`{}", outcome.as_str(), reasons(&outcome))),
        }
    }

    /// Advance the time of the run to an instant.
    fn advance_to(&mut self, time: &crate::ir::Expr) -> Result<(), String> {
        let instant = self.number(time, "a time")?;
        let now = self.simulation.configuration.now();
        if instant < now {
            return Err(format!("it is already {now}"));
        }
        match self.is_scripted {
            true => self.pass_to(instant)?,
            false => {
                self.settle_at(Some(instant));
                self.simulation.pass_until(instant);
            }
        }
        self.instants = self.instants.map(|left| left - 1);
        Ok(())
    }

    fn take(&mut self, event: &Event) -> Result<(), String> {
        self.endless_verdicts = None;
        match self.simulation.take(self.instance, event, &mut self.observer) {
            Ok(Progress::Stepped | Progress::Quiet | Progress::Stopped) => Ok(()),
            Err(StepError::Impossible(why)) => Err(why),
            Err(StepError::Aborted(abort)) => {
                // `expect outcome` decides whether an abort is a failure.
                self.outcome = Outcome::Aborted(abort);
                Ok(())
            }
        }
    }

    fn act(&mut self, process: ProcessId, operation: u16, args: &[crate::ir::Expr]) -> Result<(), String> {
        let metrics = self.simulation.metrics().clone();
        let world = World {
            configuration: &self.simulation.configuration,
            metrics: &metrics,
            history: &self.observer.watch.history,
        };
        let values: Result<Vec<Value>, _> = args
            .iter()
            .map(|e| eval::with_global_frame(self.instance, Some(world), |env| eval::value(e, env)))
            .collect();
        let values = values.map_err(|abort| abort.to_string())?;
        let args = values;
        self.take(&plain(process, Cause::Call { operation, args }))
    }

    /// Deliver the first such message that the receiver can take, or another one if it was selected.
    fn deliver(&mut self, from: ProcessId, to: ProcessId, kinds: Option<&[u32]>) -> Result<(), String> {
        // Held messages are delivered now, regardless of delay bounds.
        let ways = alternatives::deliveries(
            self.instance,
            &self.simulation.configuration,
            (from, to),
            kinds,
            !self.is_scripted,
        );
        if !ways.is_empty() {
            return self.take_one_of(to, ways, String::new);
        }
        if let Some(note) = self.note(from, to).filter(|_| kinds.is_none()) {
            return self.take(&note);
        }
        if let Some(id) = self.awaited(from, to, kinds).filter(|_| !self.is_scripted) {
            self.held.let_through.push(id);
            self.simulation.set_held(self.held.clone());
            return Ok(());
        }
        let configuration = &self.simulation.configuration;
        let mut channels = self.instance.incoming(to).filter(|c| self.instance.sender(*c) == from);
        let waiting = channels.any(|channel| {
            configuration.channel(channel).any(|message| kinds.is_none_or(|k| k.contains(&message.kind)))
        });
        Err(if waiting {
            format!("{to} cannot take a message from {from} now")
        } else {
            format!("no such message is in transit from {from} to {to}")
        })
    }

    /// Return the number of the first held message that a `receive … from each` waits for.
    fn awaited(&self, from: ProcessId, to: ProcessId, kinds: Option<&[u32]>) -> Option<MessageId> {
        let configuration = &self.simulation.configuration;
        let mut machine = Machine::new(self.instance);
        for channel in self.instance.incoming(to).filter(|c| self.instance.sender(*c) == from) {
            for (position, message) in (0u32..).zip(configuration.channel(channel)) {
                if kinds.is_none_or(|k| k.contains(&message.kind))
                    && self.held.holds(self.instance, channel, &message)
                    && machine.awaits(self.instance, configuration, channel, position)
                {
                    return Some(message.id);
                }
            }
        }
        None
    }
}

fn plain(process: ProcessId, cause: Cause) -> Event {
    Event::new(process, cause)
}
