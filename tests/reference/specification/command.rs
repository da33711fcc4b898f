//! *Step*: a command, from the waiting point at which its guard was chosen to the next one, and the upcalls that it makes.

use crate::specification::choices::Choices;
use crate::specification::configuration::{
    Code, Configuration, Frame, FrameKind, Part, Process, Statement, Task, Timer,
};
use crate::specification::eval::{Heard, Scope, eval};
use crate::specification::graph::Effect;
use crate::specification::messages;
use crate::specification::network::System;
use crate::specification::patterns::{self, Bindings};
use crate::specification::types::fit;
use crate::specification::value::{Failure, Name, Value, abort, unspecified};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem::take;
use synod::internals::syntax::ast::{ExprKind, MessageGuard, Stmt, Trigger};

/// *Aborts: a loop without end inside one command.*
const MAX_STATEMENTS: usize = 100_000;

/// The reason for which the execution of a thread stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The thread is at a waiting point, or at its end.
    Rests,
    /// A state change ends the command: *`become` in a handler abandons whatever the body was waiting for.*
    Becomes(usize, Name),
    Halts(usize),
    Crashes,
}

/// A command in execution.
pub struct Command<'a> {
    pub system: &'a System,
    pub now: Configuration,
    /// The configuration before the step, in which processes that move at the same time read the others' variables.
    pub before: &'a Configuration,
    pub choices: &'a RefCell<Choices>,
    pub process: usize,
    pub effects: Vec<Effect<Value>>,
    /// Pending upcalls: the component that makes the upcall, its name and its arguments.
    pub upcalls: VecDeque<(usize, Name, Vec<Value>)>,
    /// *Rounds*: the input of the round that has ended.
    pub heard: Heard,
    /// *What goes wrong in rounds*: the variables at the moment of a crash during sending, if any.
    pub crashing: Option<Vec<Part>>,
    pub statements: usize,
}

impl<'a> Command<'a> {
    pub fn new(
        system: &'a System,
        before: &'a Configuration,
        now: Configuration,
        process: usize,
        choices: &'a RefCell<Choices>,
    ) -> Command<'a> {
        Command {
            system,
            now,
            before,
            choices,
            process,
            effects: Vec::new(),
            upcalls: VecDeque::new(),
            heard: Heard::default(),
            crashing: None,
            statements: 0,
        }
    }

    pub fn own(&mut self) -> &mut Process {
        &mut self.now.processes[self.process]
    }

    pub fn scope(&self, frame: &Frame) -> Scope<'_> {
        Scope {
            system: self.system,
            configuration: &self.now,
            others: self.before,
            process: Some(self.process),
            component: frame.component,
            locals: frame.locals.clone(),
            choices: Some(self.choices),
            observed: None,
            heard: Some(&self.heard),
        }
    }

    pub fn role(&self, component: usize) -> Option<Name> {
        self.system.role(self.process, component)
    }

    pub fn choose(&self, options: usize) -> usize {
        self.choices.borrow_mut().choose(options, false)
    }

    // ---- The first commands

    /// *Start first: every process runs from its beginning to its first waiting point.*
    pub fn start(&mut self) -> Result<(), Failure> {
        self.set_variables(false)?;
        self.own().started = true;
        let may_wake = crate::specification::step::may_wake(self.system, self.process);
        self.own().sleeps = may_wake;
        self.begin()
    }

    /// Set all variables to their initial values, except persistent ones after a restart (`again`).
    pub fn set_variables(&mut self, again: bool) -> Result<(), Failure> {
        for c in self.start_order() {
            let role = self.role(c);
            let component = self.system.component(c);
            self.own().parts[c].state = component.initial_state(role).map(|state| state.name);
            for variable in &component.variables {
                if variable.output && component.is_problem
                    || !crate::specification::module::fits(variable.role, role)
                    || again && variable.persistent
                {
                    continue;
                }
                let frame = Frame::of(c, FrameKind::Handler);
                let value = match variable.init.map(|e| (&e.kind, e)) {
                    Some((ExprKind::Any, _)) => {
                        let Some(ty) = variable.ty else { return unspecified("any of no type") };
                        let all = crate::specification::types::all_of(ty, &self.scope(&frame))?;
                        if all.is_empty() {
                            return abort("nothing to choose from");
                        }
                        all[self.choose(all.len())].clone()
                    }
                    Some((_, init)) => {
                        let scope = self.scope(&frame);
                        let value = eval(init, &scope)?;
                        variable.ty.map_or(Ok(value.clone()), |ty| fit(value, ty, &scope))?
                    }
                    None => crate::specification::eval::initial(variable.ty, &self.scope(&frame))?,
                };
                self.own().parts[c].variables.insert(variable.name, value);
            }
        }
        Ok(())
    }

    /// Start the thread, with the client if there is one, and run it to its first waiting point.
    pub fn begin(&mut self) -> Result<(), Failure> {
        // Arm the timers of the initial states.
        for c in 0..self.system.program.components.len() {
            if let Some(state) = self.own().parts[c].state {
                self.enter(c, state)?;
            }
        }
        let mut thread = Vec::new();
        let problem = self.system.component(0).partner;
        let client = problem.and_then(|c| Some((c, self.system.component(c).client?)));
        match client.filter(|_| !self.system.settings.idle_clients && self.system.participates(self.process))
        {
            Some((c, body)) => thread.push(Frame::running(c, FrameKind::Client, body)),
            None => {
                for c in 0..self.system.program.components.len() {
                    thread.extend(self.body(c));
                }
            }
        }
        self.run_thread(thread)
    }

    /// Return the components in the order of their start: problems before algorithms, which read their variables, and layers before their
    /// users.
    fn start_order(&self) -> Vec<usize> {
        (0..self.system.program.components.len()).rev().collect()
    }

    /// Return the body of the current state of a component, if it has one.
    pub fn body(&self, component: usize) -> Option<Frame> {
        let role = self.role(component);
        let here = self.system.component(component);
        let state = self.now.processes[self.process].parts[component].state?;
        let body = here.state(role, state)?.body;
        (!body.is_empty()).then(|| Frame::running(component, FrameKind::Body, body))
    }

    // ---- Running

    /// Run the thread of the process, then the upcalls that it made.
    pub fn run_thread(&mut self, mut thread: Vec<Frame>) -> Result<(), Failure> {
        let flow = match self.run(&mut thread) {
            Err(Failure::Abort(_)) if self.crashing.is_some() => Flow::Crashes,
            flow => flow?,
        };
        self.own().thread = thread;
        self.finish(flow)
    }

    /// Run a handler outside the thread of the process, then the upcalls that it made.
    pub fn run_handler(
        &mut self,
        component: usize,
        body: &'static [Stmt],
        bindings: Bindings,
    ) -> Result<(), Failure> {
        let mut frame = Frame::running(component, FrameKind::Handler, body);
        self.take_bindings(bindings, &mut frame)?;
        let mut frames = vec![frame];
        let flow = match self.run(&mut frames) {
            Err(Failure::Abort(_)) if self.crashing.is_some() => Flow::Crashes,
            flow => flow?,
        };
        if flow == Flow::Rests && !frames.is_empty() {
            return unspecified("a handler that waits");
        }
        self.finish(flow)
    }

    /// *Layers*: an upcall runs a handler *of the algorithm above, after the current command and in the same step*.
    fn finish(&mut self, flow: Flow) -> Result<(), Failure> {
        match flow {
            Flow::Rests if self.crashing.is_some() => {
                self.crash();
                return Ok(());
            }
            Flow::Rests => {}
            Flow::Becomes(component, state) => {
                self.enter(component, state)?;
                let thread = self.body(component).into_iter().collect();
                return self.run_thread(thread);
            }
            Flow::Halts(_) if self.crashing.is_some() => {
                self.crash();
                return Ok(());
            }
            Flow::Halts(component) => self.halt(component),
            Flow::Crashes => {
                self.crash();
                return Ok(());
            }
        }
        let Some((from, name, args)) = self.upcalls.pop_front() else { return Ok(()) };
        self.upcall(from, name, args)
    }

    /// *`after e -> …` as a clause of a state: armed when the state is entered, also by `become` from itself. It runs out once.*
    pub fn enter(&mut self, component: usize, state: Name) -> Result<(), Failure> {
        self.own().parts[component].state = Some(state);
        self.own().parts[component].timers.retain(|timer, _| matches!(timer, Timer::Named(_)));
        let role = self.role(component);
        for (k, rule) in self.system.component(component).handlers.iter().enumerate() {
            let Trigger::After(after) = &rule.what.trigger else { continue };
            let here = rule.state.is_none() || rule.state == Some(state);
            if here && crate::specification::module::fits(rule.role, role) {
                let after = eval(after, &self.scope(&Frame::of(component, FrameKind::Handler)))?;
                let after = crate::specification::time::duration(after, self.system)?;
                self.own().parts[component].timers.insert(Timer::State(k), after);
            }
        }
        Ok(())
    }

    fn upcall(&mut self, from: usize, name: Name, args: Vec<Value>) -> Result<(), Failure> {
        let Some(to) = self.system.component(from).above else {
            return abort(format!("nothing takes the upcall {name}"));
        };
        if self.system.component(to).is_problem {
            self.effects.push(Effect::Upcall { name: name.to_string(), arguments: args.clone() });
        }
        let above = self.system.component(to);
        let layer = match above.layers.iter().find(|(_, layer)| *layer == from) {
            Some((alias, _)) => alias,
            None => "algorithm",
        };
        let scope = self.scope(&Frame::of(to, FrameKind::Handler));
        let is_meant = |guard: &MessageGuard| {
            guard.layer.as_ref().is_some_and(|l| l.text == layer)
                && crate::specification::module::head(&guard.pattern) == Some(name)
        };
        // *A halted process takes nothing*, except messages that an `ignore` in `always` accepts.
        let halted = |c: usize| self.now.processes[self.process].parts[c].halted;
        let halted = halted(to) || halted(0);
        // The precedence is that of messages: handlers of the state, handlers of `always`, `ignore`.
        let mut open = Vec::new();
        for state in [true, false] {
            for rule in
                above.handlers.iter().filter(|rule| !halted && messages::holds_in(rule, &scope, state))
            {
                if let Trigger::On(guard) = &rule.what.trigger
                    && is_meant(guard)
                    && let Some(bindings) = patterns::upcall(guard, &args, &scope)?
                {
                    open.push((&rule.what.body, bindings));
                }
            }
            if !open.is_empty() {
                break;
            }
        }
        if open.is_empty() {
            for rule in above.ignores.iter().filter(|rule| is_meant(rule.what)) {
                let here = !halted && messages::holds_in(rule, &scope, true)
                    || messages::holds_in(rule, &scope, false);
                if here && patterns::upcall(rule.what, &args, &scope)?.is_some() {
                    return self.finish(Flow::Rests);
                }
            }
            return abort(format!("nothing takes the upcall {name}"));
        }
        let (body, bindings) = open.swap_remove(self.choose(open.len()));
        self.run_handler(to, body, bindings)
    }

    /// *`halt` in a layer ends the layer; `halt` in the algorithm ends the process, layers and all.*
    pub fn halt(&mut self, component: usize) {
        let whole = component == 0 || self.system.component(component).is_problem;
        let process = self.own();
        process.parts[if whole { 0 } else { component }].halted = true;
        if whole || process.thread.first().is_some_and(|frame| frame.component == component) {
            process.thread.clear();
        }
        // *Its timers are off, and so are those of the layers that it stands on.*
        for c in self.system.with_layers(if whole { 0 } else { component }) {
            self.own().parts[c].timers.clear();
        }
        if whole {
            self.leave_slot();
        }
    }

    /// *A crash ends a process. Its variables stay as they were.*
    pub fn crash(&mut self) {
        self.now.faults.crash -= 1;
        self.upcalls.clear();
        if let Some(parts) = self.crashing.take() {
            self.own().parts = parts;
        }
        let process = self.own();
        process.up = false;
        process.done = false;
        process.sleeps = false;
        // A process that is down has not halted.
        process.parts[0].halted = false;
        process.parts.iter_mut().for_each(|part| part.timers.clear());
        process.thread.clear();
        self.leave_slot();
    }

    /// *Radio*: the process takes no further part in this slot.
    fn leave_slot(&mut self) {
        let may_restart = self.now.faults.restart > 0;
        crate::specification::radio::leave(self.own(), may_restart);
    }

    /// Run the innermost frame until the thread stops.
    pub fn run(&mut self, thread: &mut Vec<Frame>) -> Result<Flow, Failure> {
        loop {
            self.statements += 1;
            if self.statements > MAX_STATEMENTS {
                return abort("a loop without end inside one command");
            }
            let Some(mut frame) = thread.pop() else { return Ok(Flow::Rests) };
            let Some(task) = frame.tasks.pop() else {
                match frame.kind {
                    // *The body of a state is repeated until `become` or `halt`.*
                    FrameKind::Body => thread.extend(self.body(frame.component)),
                    FrameKind::Operation(Some((name, arguments))) => {
                        self.effects.push(Effect::Return { operation: name.to_string(), arguments });
                    }
                    _ => {}
                }
                continue;
            };
            let mut called = None;
            let flow = match task {
                Task::Leave(locals) => {
                    frame.locals.truncate(locals);
                    None
                }
                Task::Block(Code(code)) => match code.split_first() {
                    Some((stmt, rest)) => {
                        if !rest.is_empty() {
                            frame.tasks.push(Task::Block(Code(rest)));
                        }
                        self.statement(stmt, &mut frame, &mut called)?
                    }
                    None => None,
                },
                Task::Again(Statement(stmt)) => self.statement(stmt, &mut frame, &mut called)?,
                Task::For(statement, elements) => {
                    self.turn(statement.0, elements, &mut frame)?;
                    None
                }
                wait @ Task::Wait(..) => {
                    frame.tasks.push(wait);
                    Some(Flow::Rests)
                }
                Task::Round(waiting) => {
                    called = self.round_ended(waiting, &mut frame)?;
                    None
                }
                Task::Done => {
                    self.own().done = true;
                    thread.clear();
                    return Ok(Flow::Rests);
                }
            };
            thread.push(frame);
            thread.extend(called);
            if let Some(flow) = flow {
                return Ok(flow);
            }
        }
    }

    /// Take the thread of the process, to resume it at its waiting point.
    pub fn take_thread(&mut self) -> Vec<Frame> {
        take(&mut self.own().thread)
    }
}

impl Frame {
    pub fn of(component: usize, kind: FrameKind) -> Frame {
        Frame { component, kind, locals: Vec::new(), tasks: Vec::new() }
    }

    pub fn running(component: usize, kind: FrameKind, body: &'static [Stmt]) -> Frame {
        let tasks = if body.is_empty() { Vec::new() } else { vec![Task::Block(Code(body))] };
        Frame { tasks, ..Frame::of(component, kind) }
    }

    /// Make a block with its own locals the next task.
    pub fn enter(&mut self, block: &'static [Stmt]) {
        self.tasks.push(Task::Leave(self.locals.len()));
        if !block.is_empty() {
            self.tasks.push(Task::Block(Code(block)));
        }
    }
}
