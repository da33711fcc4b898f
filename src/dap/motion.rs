//! Movements of the run: steps, continue, back.

use super::breakpoints::Purpose;
use super::capabilities::CRASH;
use super::connection::{Refusal, arguments};
use super::debug::{Debug, Reply};
use super::protocol::{FrameArguments, GotoArguments, Request, ThreadArguments};
use super::server::After;
use super::state::{Motion, Moving, Stopped};
use crate::ids::ProcessId;
use crate::prose;
use crate::semantics::StepError;
use crate::semantics::event::Event;
use crate::session::timeline::{MOST_STEPS, Movement, StepTrigger, Stop};
use crate::simulate::Outcome;
use std::io::Write;

/// Number of steps after which the debugger checks for requests.
const STEPS_AT_ONCE: u64 = 1024;

impl<W: Write> Debug<'_, '_, W> {
    /// Return the movement that a request means.
    pub(super) fn motion(&mut self, request: &Request) -> Result<Reply, Refusal> {
        let motion = match request.command.as_str() {
            "restartFrame" => {
                let frame: FrameArguments = arguments(request)?;
                let process = self.process_of_frame(frame.frame_id)?;
                if self.timeline.last_event_of(process).is_none() {
                    let name = self.debuggee.name(process);
                    return Err(Refusal::user(format!("{name} has not taken a step")));
                }
                Motion::Again(process)
            }
            "goto" => {
                let given: GotoArguments = arguments(request)?;
                let process = self.process(given.thread_id)?;
                let index = given.target_id.checked_sub(1).and_then(|index| usize::try_from(index).ok());
                let target = index.and_then(|index| self.goto_targets.get(index));
                let unknown = || Refusal::protocol(format!("there is no target {}", given.target_id));
                Motion::Goto(*target.ok_or_else(unknown)?, process)
            }
            command => {
                let given: ThreadArguments = arguments(request)?;
                let process = self.process(given.thread_id)?;
                match (command, given.target_id) {
                    ("stepIn", Some(target)) => {
                        let index = target.checked_sub(1).and_then(|index| usize::try_from(index).ok());
                        let event = index.and_then(|index| self.step_targets.get(index));
                        let unknown = || Refusal::protocol(format!("there is no target {target}"));
                        Motion::Fire(Box::new(event.ok_or_else(unknown)?.clone()))
                    }
                    ("stepIn", None) => Motion::Step,
                    ("next", _) => Motion::Process(process),
                    ("stepOut", _) => Motion::Leave(process),
                    ("stepBack", _) => Motion::Back,
                    ("reverseContinue", _) => Motion::ReverseContinue,
                    _ => Motion::Continue,
                }
            }
        };
        let is_backward = matches!(motion, Motion::Back | Motion::ReverseContinue);
        if is_backward && self.timeline.at() == 0 {
            return Err(Refusal::user("this is the beginning of the run"));
        }
        // A run that has ended cannot move forward: `continue` ends the session.
        let is_at_end = self.stopped.is_end && self.timeline.at() == self.timeline.events().len();
        Ok(Reply::Move(match motion {
            Motion::Continue if is_at_end => Motion::Finish,
            Motion::Step | Motion::Process(_) | Motion::Leave(_) if is_at_end => {
                return Err(Refusal::user("the run has ended").hint("step back, or restart"));
            }
            // A process that cannot move again would let the whole run pass.
            Motion::Process(process) | Motion::Leave(process) if self.is_over(process) => Motion::Step,
            other => other,
        }))
    }

    /// Begin a movement.
    pub(super) fn start(&mut self, motion: Motion) {
        let on = match &motion {
            Motion::Process(process) => Some(StepTrigger::Process(*process)),
            Motion::Leave(process) => Some(StepTrigger::Leaves(*process, self.timeline.control(*process))),
            _ => None,
        };
        let ends_at = on.map(|on| self.breakpoints.looks.add_on_step(on, None, None));
        let left = if matches!(motion, Motion::Step) { 1 } else { MOST_STEPS };
        self.moving = Some(Moving { motion, from: self.timeline.at(), left, ends_at });
    }

    /// Advance the current movement by some steps.
    pub(super) fn advance(&mut self) -> Option<After> {
        let moving = self.moving.as_ref()?;
        match moving.motion.clone() {
            Motion::Step | Motion::Process(_) | Motion::Leave(_) | Motion::Continue => return self.forward(),
            Motion::Finish => {
                self.moving = None;
                return self.finish();
            }
            Motion::Fire(event) => self.fire(&event),
            Motion::Back => {
                let moved = self.timeline.back(1);
                self.arrived(moved, None, "step", "Step back");
            }
            Motion::Goto(position, process) => {
                let moved = self.timeline.goto(position);
                self.arrived(moved, Some(process), "goto", "Jump");
            }
            Motion::Again(process) => {
                let position = self.timeline.last_event_of(process).unwrap_or(0);
                let moved = self.timeline.goto(position);
                self.arrived(moved, Some(process), "goto", "Frame restarted");
            }
            Motion::ReverseContinue => self.backward(),
        }
        None
    }

    fn forward(&mut self) -> Option<After> {
        let moving = self.moving.as_ref()?;
        let (at, recorded) = (self.timeline.at(), self.recorded_end());
        // A recorded run stops where it was recorded to.
        let ahead = recorded.filter(|end| *end > at).map_or(u64::MAX, |end| (end - at) as u64);
        let most = STEPS_AT_ONCE.min(moving.left).min(ahead);
        let went = self.timeline.go(most, &mut self.breakpoints.looks);
        let is_step = matches!(moving.motion, Motion::Step);
        if let Some(moving) = &mut self.moving {
            moving.left = moving.left.saturating_sub(most);
        }
        if !matches!(went.stop, Stop::Done) {
            return self.stopped_by(went);
        }
        if is_step {
            self.stop_here(Stopped::at("step", "Step"));
        } else if recorded.is_some_and(|end| self.timeline.at() >= end && at < end) {
            self.stop_here(Stopped::at("pause", "The recorded run ends here"));
        } else if self.moving.as_ref().is_some_and(|moving| moving.left == 0) {
            let text = format!("Stopped after {MOST_STEPS} steps; continue goes on");
            if self.arguments.no_debug {
                self.print("console", &text);
                return self.finish();
            }
            self.stop_here(Stopped::at("pause", &text));
        }
        None
    }

    /// Return the number of recorded events, if this is a recorded run that another choice has not cut.
    fn recorded_end(&self) -> Option<usize> {
        let recorded = self.debuggee.recorded.as_ref()?.events.len();
        Some(recorded).filter(|end| *end <= self.timeline.events().len())
    }

    /// Handle a stop that the timeline reports.
    fn stopped_by(&mut self, went: Movement) -> Option<After> {
        match went.stop {
            // The request that has interrupted the run follows.
            Stop::Done | Stop::Interrupted => {}
            Stop::End(ref outcome) => {
                self.ended(outcome);
                return self.finish_without_debugging();
            }
            Stop::Aborted(ref abort) => {
                self.ended(&Outcome::Aborted(abort.clone()));
                return self.finish_without_debugging();
            }
            Stop::Impossible(why) => {
                self.print("stderr", &format!("the run cannot be repeated: {why}"));
                self.stop_here(Stopped::at("pause", "The recorded run cannot be repeated further"));
            }
            Stop::Break(_) | Stop::Violated(_) => self.hit(went),
        }
        None
    }

    /// End the debugging of a run that has ended.
    fn finish(&mut self) -> Option<After> {
        let code = self.exit_code();
        self.server.terminated(Some(code));
        Some(After::Ended)
    }

    /// End the debugging at once if the client wants a run without breakpoints: it does not stop at the end.
    fn finish_without_debugging(&mut self) -> Option<After> {
        if self.arguments.no_debug { self.finish() } else { None }
    }

    /// Stop at breakpoints or violations, unless none of them is wanted.
    fn hit(&mut self, went: Movement) {
        if let Stop::Violated(verdicts) = &went.stop {
            let violation = self.violation(verdicts);
            if self.stops_at_violations() {
                let stopped = Stopped { hits: went.hits, ..violation };
                return self.stop_here(stopped);
            }
            self.print("console", &violation.description);
        }
        let ends_at = self.moving.as_ref().and_then(|moving| moving.ends_at);
        let mut hits = went.hits;
        self.log(&mut hits);
        let is_own = hits.iter().any(|hit| Some(hit.number) == ends_at);
        hits.retain(|hit| Some(hit.number) != ends_at);
        let purpose = hits.first().and_then(|hit| self.breakpoints.purpose(hit.number));
        let stopped = match purpose {
            Some(Purpose::Crash) => {
                let name = self.debuggee.name(hits[0].process);
                self.exception(CRASH, format!("{name} crashes"))
            }
            Some(Purpose::Function) => {
                Stopped::at("function breakpoint", "Breakpoint on a message or action")
            }
            Some(Purpose::Data) => Stopped::at("data breakpoint", "Value changed"),
            Some(_) => Stopped::at("breakpoint", "Breakpoint"),
            None if is_own => Stopped::at("step", "Step"),
            None if matches!(self.moving.as_ref().map(|m| &m.motion), Some(Motion::Step)) => {
                Stopped::at("step", "Step")
            }
            // Nothing that the user wants.
            None => return,
        };
        let process = hits.first().map(|hit| hit.process).or(self.focus());
        self.stop_here(Stopped { hits, process, ..stopped });
    }

    /// Return the process for which the movement is made.
    pub(super) fn focus(&self) -> Option<ProcessId> {
        match self.moving.as_ref()?.motion {
            Motion::Process(process) | Motion::Leave(process) => Some(process),
            _ => None,
        }
    }

    fn fire(&mut self, event: &Event) {
        match self.timeline.fire(event) {
            Ok(gone) => {
                // A step that is part of a joint step is followed by the others.
                if self.timeline.configuration().in_joint_step() {
                    let went = self.timeline.go(0, &mut self.breakpoints.looks);
                    if let Stop::Aborted(abort) = went.stop {
                        return self.ended(&Outcome::Aborted(abort));
                    }
                }
                if gone > 0 {
                    let events = prose::count(gone, "event");
                    self.print("console", &format!("{events} ahead discarded"));
                }
                let violated = self.timeline.violated();
                let stopped = match violated.is_empty() || !self.stops_at_violations() {
                    true => Stopped::at("step", "Chosen step"),
                    false => self.violation(&violated),
                };
                self.stop_here(Stopped { process: Some(event.process), ..stopped });
            }
            Err(StepError::Aborted(abort)) => self.ended(&Outcome::Aborted(abort)),
            Err(StepError::Impossible(why)) => {
                self.print("stderr", &why);
                self.stop_here(Stopped::at("step", "The step is not enabled"));
            }
        }
    }

    fn backward(&mut self) {
        let wants_violations = self.stops_at_violations();
        // A step may violate a property and hit a breakpoint.
        let wanted = |went: &Movement| match went.stop {
            Stop::Violated(_) => wants_violations || !went.hits.is_empty(),
            _ => true,
        };
        let mut looks = self.breakpoints.stopping();
        match self.timeline.go_back(&mut looks, wanted) {
            Ok(went) => {
                self.breakpoints.looks.count_as(&looks);
                self.arrived_backward(went);
            }
            Err(error) => self.arrived(Err(error), None, "step", "Reverse"),
        }
    }

    fn arrived_backward(&mut self, went: Movement) {
        match &went.stop {
            Stop::Break(_) | Stop::Violated(_) => {
                self.hit(went);
                if self.moving.is_some() {
                    self.stop_here(Stopped::at("breakpoint", "Breakpoint"));
                }
            }
            // The request that has interrupted the movement follows.
            Stop::Interrupted => {}
            _ => self.stop_here(Stopped::at("entry", "The beginning of the run")),
        }
    }

    /// Stop after a movement to a known position.
    fn arrived(
        &mut self,
        moved: Result<(), StepError>,
        process: Option<ProcessId>,
        reason: &'static str,
        text: &str,
    ) {
        if let Err(error) = moved {
            self.print("stderr", &format!("the run cannot be repeated: {error}"));
        }
        self.stop_here(Stopped { process, ..Stopped::at(reason, text) });
    }

    /// Stop because the client asks for it.
    pub(super) fn paused(&mut self) {
        if self.moving.is_some() {
            self.stop_here(Stopped::at("pause", "Paused"));
        }
    }
}
