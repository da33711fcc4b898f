//! *Statements*: what a command does from one waiting point to the next.

use crate::builtins;
use crate::choices::Choices;
use crate::configuration::{Code, Configuration, Frame, FrameKind, Lane, Part, Process, Sent, Statement, Task, Timer, Waiting};
use crate::eval::{Heard, Scope, condition, eval};
use crate::graph::Effect;
use crate::module::Routine;
use crate::network::System;
use crate::patterns::{Bindings, Target};
use crate::types::fit;
use crate::value::{Content, Failure, Name, Value, abort, unspecified};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::mem::take;
use synod::syntax::ast::{
    Branch, Expr, ExprKind, Guard, Origin, Param, Receive, Stmt, StmtKind, Trigger,
};

/// *Aborts: a loop without end inside one command.*
const MAX_STATEMENTS: usize = 100_000;

/// How a run of a thread ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// At a waiting point, or at its end.
    Rests,
    /// *`become` ends the command, and abandons whatever the body was waiting for.*
    Becomes(usize, Name),
    Halts(usize),
    Crashes,
}

/// A command under way.
pub struct Command<'a> {
    pub system: &'a System,
    pub now: Configuration,
    /// What was there before, which is what others show while several move at the same time.
    pub before: &'a Configuration,
    pub choices: &'a RefCell<Choices>,
    pub process: usize,
    pub effects: Vec<Effect<Value>>,
    /// The component that makes the upcall, its name and its arguments.
    upcalls: VecDeque<(usize, Name, Vec<Value>)>,
    /// *Rounds*: what the round that has ended has brought.
    pub heard: Heard,
    /// *What goes wrong in rounds*: the variables when the process crashed while it was sending.
    crashing: Option<Vec<Part>>,
    statements: usize,
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

    fn role(&self, component: usize) -> Option<Name> {
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
        let may_wake = crate::step::may_wake(self.system, self.process);
        self.own().sleeps = may_wake;
        self.begin()
    }

    /// The initial values of all variables, but of stable ones where the process comes back.
    pub fn set_variables(&mut self, again: bool) -> Result<(), Failure> {
        for c in self.order_of_beginning() {
            let role = self.role(c);
            let component = self.system.component(c);
            self.own().parts[c].state = component.initial_state(role).map(|state| state.name);
            for variable in &component.variables {
                if variable.output && component.is_problem
                    || !crate::module::fits(variable.role, role)
                    || again && variable.stable
                {
                    continue;
                }
                let frame = Frame::of(c, FrameKind::Handler);
                let value = match variable.init.map(|e| (&e.kind, e)) {
                    Some((ExprKind::Any, _)) => {
                        let Some(ty) = variable.ty else { return unspecified("any of no type") };
                        let all = crate::types::all_of(ty, &self.scope(&frame))?;
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
                    None => crate::eval::initial(variable.ty, &self.scope(&frame))?,
                };
                self.own().parts[c].variables.insert(variable.name, value);
            }
        }
        Ok(())
    }

    /// The thread begins, with the client if there is one, and runs to its first waiting point.
    pub fn begin(&mut self) -> Result<(), Failure> {
        // The timers of the initial states are armed.
        for c in 0..self.system.program.components.len() {
            if let Some(state) = self.own().parts[c].state {
                self.enter(c, state)?;
            }
        }
        let mut thread = Vec::new();
        let problem = self.system.component(0).partner;
        let client = problem.and_then(|c| Some((c, self.system.component(c).client?)));
        match client.filter(|_| !self.system.settings.idle_clients && self.system.participates(self.process)) {
            Some((c, body)) => thread.push(Frame::running(c, FrameKind::Client, body)),
            None => {
                for c in 0..self.system.program.components.len() {
                    thread.extend(self.body(c));
                }
            }
        }
        self.run_thread(thread)
    }

    /// Problems give their algorithms what these read; layers come before those that stand on them.
    fn order_of_beginning(&self) -> Vec<usize> {
        (0..self.system.program.components.len()).rev().collect()
    }

    /// The body of the state of a component that has a thread.
    fn body(&self, component: usize) -> Option<Frame> {
        let role = self.role(component);
        let here = self.system.component(component);
        let state = self.now.processes[self.process].parts[component].state?;
        let body = here.state(role, state)?.body;
        (!body.is_empty()).then(|| Frame::running(component, FrameKind::Body, body))
    }

    // ---- Running

    /// Runs the thread of the process, then the upcalls that were made.
    pub fn run_thread(&mut self, mut thread: Vec<Frame>) -> Result<(), Failure> {
        let flow = match self.run(&mut thread) {
            Err(Failure::Abort(_)) if self.crashing.is_some() => Flow::Crashes,
            flow => flow?,
        };
        self.own().thread = thread;
        self.finish(flow)
    }

    /// Runs a handler beside the thread of the process, then the upcalls that were made.
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

    /// *Layers: an upcall runs the handler of the algorithm above, after the current command and in the same step.*
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
            if here && crate::module::fits(rule.role, role) {
                let after = eval(after, &self.scope(&Frame::of(component, FrameKind::Handler)))?;
                let after = crate::time::duration(after, self.system)?;
                self.own().parts[component].timers.insert(Timer::State(k), after);
            }
        }
        Ok(())
    }

    fn upcall(&mut self, from: usize, name: Name, args: Vec<Value>) -> Result<(), Failure> {
        let Some(to) = self.system.component(from).above else {
            return abort(format!("nobody takes the upcall {name}"));
        };
        if self.system.component(to).is_problem {
            self.effects.push(Effect::Upcall { name: name.to_string(), arguments: args.clone() });
        }
        // *A halted process takes nothing.*
        let halted = |c: usize| self.now.processes[self.process].parts[c].halted;
        if halted(to) || halted(0) {
            return abort(format!("nobody takes the upcall {name}"));
        }
        let above = self.system.component(to);
        let layer = match above.layers.iter().find(|(_, layer)| *layer == from) {
            Some((alias, _)) => alias,
            None => "algorithm",
        };
        let mut open = Vec::new();
        for rule in &above.handlers {
            let Trigger::On(guard) = &rule.what.trigger else { continue };
            let here = rule.state.is_none() || rule.state == self.now.processes[self.process].parts[to].state;
            let named = guard.layer.as_ref().is_some_and(|l| l.text == layer)
                && crate::module::head(&guard.pattern) == Some(name);
            if !here || !named || !crate::module::fits(rule.role, self.role(to)) {
                continue;
            }
            let frame = Frame::of(to, FrameKind::Handler);
            if let Some(bindings) = crate::patterns::upcall(guard, &args, &self.scope(&frame))? {
                open.push((&rule.what.body, bindings));
            }
        }
        if open.is_empty() {
            return abort(format!("nobody takes the upcall {name}"));
        }
        let (body, bindings) = open.swap_remove(self.choose(open.len()));
        self.run_handler(to, body, bindings)
    }

    /// *`halt` in a layer ends the layer; `halt` in the algorithm ends the process, layers and all.*
    fn halt(&mut self, component: usize) {
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
            self.upcalls.clear();
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
        process.sleeps = false;
        // Who is down has not halted.
        process.parts[0].halted = false;
        process.parts.iter_mut().for_each(|part| part.timers.clear());
        process.thread.clear();
    }

    /// Runs the innermost frame until it rests.
    fn run(&mut self, thread: &mut Vec<Frame>) -> Result<Flow, Failure> {
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
            };
            thread.push(frame);
            thread.extend(called);
            if let Some(flow) = flow {
                return Ok(flow);
            }
        }
    }

    /// What one statement does. A flow: the command ends here.
    fn statement(
        &mut self,
        stmt: &'static Stmt,
        frame: &mut Frame,
        called: &mut Option<Frame>,
    ) -> Result<Option<Flow>, Failure> {
        match &stmt.kind {
            StmtKind::Skip => {}
            // *All right sides first.*
            StmtKind::Assign { targets, values } => {
                let scope = self.scope(frame);
                let values =
                    values.iter().map(|value| eval(value, &scope)).collect::<Result<Vec<_>, _>>()?;
                for (target, value) in targets.iter().zip(values) {
                    self.assign(target, value, frame)?;
                }
            }
            StmtKind::Send { what, to } => {
                if self.send(what, to.as_ref(), frame)? {
                    return Ok(Some(Flow::Crashes));
                }
            }
            StmtKind::If(branches) if branches.iter().all(|b| is_immediate(&b.guard)) => {
                let Some((branch, names)) = self.branch(branches, frame)? else {
                    return abort("no guard of an `if` holds");
                };
                frame.enter(&branches[branch].body);
                frame.locals.extend(names);
            }
            StmtKind::Do(branches) if branches.iter().all(|b| is_immediate(&b.guard)) => {
                if let Some((branch, names)) = self.branch(branches, frame)? {
                    frame.tasks.push(Task::Again(Statement(stmt)));
                    frame.enter(&branches[branch].body);
                    frame.locals.extend(names);
                }
            }
            StmtKind::For { set, .. } => {
                let elements = eval(set, &self.scope(frame))?.elements()?;
                frame.tasks.push(Task::For(Statement(stmt), elements));
            }
            StmtKind::Become(state) => {
                let role = self.role(frame.component);
                // *`become` in an operation or handler of an algorithm without bodies just sets the state.*
                if self.system.component(frame.component).has_thread(role) {
                    return Ok(Some(Flow::Becomes(frame.component, &state.text)));
                }
                self.enter(frame.component, &state.text)?;
            }
            StmtKind::Halt => return Ok(Some(Flow::Halts(frame.component))),
            StmtKind::Call { layer, name, args } => {
                *called = self.call(layer.as_ref().map(|l| l.text.as_str()), &name.text, args, frame)?;
            }
            StmtKind::Remove { what, from } => {
                let scope = self.scope(frame);
                let (what, of) = (eval(what, &scope)?, eval(from, &scope)?.needed()?);
                let rest = match of {
                    Value::Set(mut set) => {
                        set.remove(&what);
                        Value::Set(set)
                    }
                    Value::Map(mut map) => {
                        map.remove(&what);
                        Value::Map(map)
                    }
                    Value::List(mut list) => {
                        if let Some(at) = list.iter().position(|element| *element == what) {
                            list.remove(at);
                        }
                        Value::List(list)
                    }
                    of => return unspecified(format!("remove from {of:?}")),
                };
                self.assign(from, rest, frame)?;
            }
            // *Any element, the scheduler decides; of nothing: abort.*
            StmtKind::Choose { name, set } => {
                let elements = eval(set, &self.scope(frame))?.elements()?;
                if elements.is_empty() {
                    return abort("nothing to choose from");
                }
                let chosen = elements[self.choose(elements.len())].clone();
                self.set(&name.text, chosen, frame)?;
            }
            StmtKind::Receive(_)
            | StmtKind::Await(_)
            | StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Pause
            | StmtKind::Round => return self.wait(stmt, frame),
            // *`transmit M(x)` goes to everybody in reach. Two in one slot abort the run.*
            StmtKind::Transmit(what) => {
                let content = match &what.kind {
                    ExprKind::Name(name) if name.text == "beep" => {
                        Content { component: frame.component, name: "beep", fields: Vec::new() }
                    }
                    _ => message(what, &self.scope(frame))?,
                };
                if self.own().transmits.is_some() {
                    return abort("two transmissions in one slot");
                }
                if self.now.faults.crash > 0 && self.choose(2) == 1 {
                    return Ok(Some(Flow::Crashes));
                }
                crate::radio::transmitted(self, &content);
                self.own().transmits = Some(content);
            }
            // *Who does nothing listens, too.*
            StmtKind::Listen => {}
            // *Setting it again replaces the old time.*
            StmtKind::SetTimer { name, after } => {
                let after = crate::time::duration(eval(after, &self.scope(frame))?, self.system)?;
                let component = frame.component;
                self.own().parts[component].timers.insert(Timer::Named(&name.text), after);
            }
            StmtKind::CancelTimer(name) => {
                let component = frame.component;
                self.own().parts[component].timers.remove(&Timer::Named(&name.text));
            }
        }
        Ok(None)
    }

    /// *One of the branches whose guard holds, freely chosen. `otherwise` is taken when no other can be. `[] else g ->` means: no earlier
    /// guard, and `g`.*
    fn branch(&mut self, branches: &'static [Branch], frame: &Frame) -> Result<Option<Open>, Failure> {
        let mut open = open(branches, &self.scope(frame))?;
        if open.is_empty() {
            let rest = |b: &Branch| matches!(b.guard, Guard::Otherwise(_));
            open.extend(branches.iter().position(rest).map(|k| (k, Vec::new())));
        }
        Ok(if open.is_empty() { None } else { Some(open.swap_remove(self.choose(open.len()))) })
    }

    /// One turn of a loop. *For each element, ascending; the set is taken once, at the beginning.*
    fn turn(
        &mut self,
        stmt: &'static Stmt,
        mut elements: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<(), Failure> {
        let StmtKind::For { pattern, body, .. } = &stmt.kind else { return unspecified("a loop") };
        if elements.is_empty() {
            return Ok(());
        }
        let element = elements.remove(0);
        let inner = crate::eval::bound(pattern, &element, &self.scope(frame))?;
        let bound = inner.map(|inner| inner.locals[frame.locals.len()..].to_vec());
        frame.tasks.push(Task::For(Statement(stmt), elements));
        if let Some(bound) = bound {
            frame.tasks.push(Task::Leave(frame.locals.len()));
            frame.locals.extend(bound);
            if !body.is_empty() {
                frame.tasks.push(Task::Block(Code(body)));
            }
        }
        Ok(())
    }

    /// Arrival at a waiting point.
    fn wait(&mut self, stmt: &'static Stmt, frame: &mut Frame) -> Result<Option<Flow>, Failure> {
        let receives: Vec<Option<&'static Receive>> = match &stmt.kind {
            StmtKind::Receive(receive) => vec![Some(receive)],
            StmtKind::If(branches) | StmtKind::Do(branches) => {
                let receive = |b: &'static Branch| match &b.guard {
                    Guard::Receive(receive, _) => Some(receive),
                    _ => None,
                };
                branches.iter().map(receive).collect()
            }
            _ => Vec::new(),
        };
        // *`S` is taken on arrival; if it is empty nothing is waited for.* Going on is a step even then.
        let mut senders = Vec::new();
        for receive in receives {
            senders.push(match receive.and_then(|r| r.from.as_ref()) {
                Some(Origin::Each { set, .. }) => Some(eval(set, &self.scope(frame))?.elements()?),
                _ => None,
            });
        }
        let mut due = Vec::new();
        if let StmtKind::If(branches) | StmtKind::Do(branches) = &stmt.kind {
            for branch in branches {
                due.push(match &branch.guard {
                    // *Computed on arrival.*
                    Guard::After(after) if self.system.has_rounds() => {
                        let after = eval(after, &self.scope(frame))?.number()?;
                        Some(u64::try_from(after).unwrap_or(0))
                    }
                    Guard::After(after) => {
                        let after = eval(after, &self.scope(frame))?;
                        Some(crate::time::duration(after, self.system)?)
                    }
                    _ => None,
                });
            }
            // *With `k <= 0` no round is waited for.*
            if self.system.has_rounds() && due.contains(&Some(0)) {
                let (branch, names) = match self.branch(branches, frame)? {
                    Some(open) => open,
                    None => (due.iter().position(|due| *due == Some(0)).unwrap_or(0), Vec::new()),
                };
                if matches!(stmt.kind, StmtKind::Do(_)) {
                    frame.tasks.push(Task::Again(Statement(stmt)));
                }
                frame.enter(&branches[branch].body);
                frame.locals.extend(names);
                return Ok(None);
            }
        }
        // *`do` with inputs ends when none of its guards can hold whatever arrives.*
        if let StmtKind::Do(branches) = &stmt.kind
            && !crate::waiting::can_go_on(branches, &self.scope(frame))?
        {
            return Ok(None);
        }
        frame.tasks.push(Task::Wait(Waiting { at: Statement(stmt), senders, due }));
        Ok(Some(Flow::Rests))
    }

    // ---- Calls

    /// *Calls a procedure or operation, an operation of a layer, or makes an upcall.*
    fn call(
        &mut self,
        layer: Option<&str>,
        name: &'static str,
        args: &'static [Expr],
        frame: &Frame,
    ) -> Result<Option<Frame>, Failure> {
        let scope = self.scope(frame);
        let values = args.iter().map(|arg| eval(arg, &scope)).collect::<Result<Vec<_>, _>>()?;
        let here = self.system.component(frame.component);
        let component = match layer {
            None => Some(frame.component),
            Some("algorithm") => here.partner,
            Some(layer) => here.layers.iter().find(|(alias, _)| *alias == layer).map(|(_, c)| *c),
        };
        let Some(component) = component else { return unspecified(format!("the layer {layer:?}")) };
        let target = self.system.component(component);
        match target.routine(self.role(component), name) {
            Some(routine) => self.activate(component, routine, values).map(Some),
            None if layer.is_none() => {
                self.upcalls.push_back((frame.component, name, values));
                Ok(None)
            }
            None => abort(format!("there is no operation {name}")),
        }
    }

    fn activate(&mut self, component: usize, routine: &Routine, values: Vec<Value>) -> Result<Frame, Failure> {
        let mut values = values.into_iter();
        let mut frame = Frame::of(component, FrameKind::Procedure);
        for param in routine.params {
            let value = match (values.next(), &param.default) {
                (Some(value), _) => value,
                // *Parameters of operations may have defaults.*
                (None, Some(default)) => eval(default, &self.scope(&frame))?,
                (None, None) => return unspecified("an argument that is missing"),
            };
            let value = self.argument(param, value, &frame)?;
            frame.locals.push((&param.name.text, value));
        }
        if routine.operation {
            let arguments: Vec<Value> = frame.locals.iter().map(|(_, value)| value.clone()).collect();
            let remembered = self.system.component(component).is_problem.then(|| (routine.name, arguments.clone()));
            if remembered.is_some() {
                self.effects.push(Effect::Call { operation: routine.name.to_string(), arguments });
            }
            frame.kind = FrameKind::Operation(remembered);
        }
        if !routine.body.is_empty() {
            frame.tasks.push(Task::Block(Code(routine.body)));
        }
        Ok(frame)
    }

    fn argument(&self, param: &'static Param, value: Value, frame: &Frame) -> Result<Value, Failure> {
        match &param.ty {
            Some(ty) => fit(value, ty, &self.scope(&Frame::of(frame.component, FrameKind::Handler))),
            None => Ok(value),
        }
    }

    // ---- Sending

    /// *`send M(e) to d`: puts the message into the channel to `d`: a port, an id, a set or list of these, a role. To an empty set:
    /// nothing.* True: the process crashes before it has sent everything.
    fn send(&mut self, what: &'static Expr, to: Option<&'static Expr>, frame: &Frame) -> Result<bool, Failure> {
        let scope = self.scope(frame);
        let content = message(what, &scope)?;
        let links = match to {
            None => vec![self.system.only_way_out(self.process)?],
            Some(to) => {
                let destinations = match eval(to, &scope)?.needed()? {
                    one @ (Value::Port(_) | Value::Id(_)) => vec![one],
                    several => several.elements()?,
                };
                let link = |to: &Value| self.system.link(self.process, to);
                destinations.iter().map(link).collect::<Result<_, _>>()?
            }
        };
        for link in links {
            // *What goes wrong in rounds: from the first message that is missing on, each of the command's messages goes out or not, and
            // its variables stay as they were at the first.*
            if self.crashing.is_some() {
                if self.choose(2) == 1 {
                    continue;
                }
            } else if self.now.faults.crash > 0 && self.choose(2) == 1 {
                // *A crash may come within a command, before any of its sends.*
                if !self.system.has_rounds() {
                    return Ok(true);
                }
                self.crashing = Some(self.own().parts.clone());
                continue;
            }
            self.put(Lane { component: frame.component, link }, content.clone());
        }
        Ok(false)
    }

    fn put(&mut self, lane: Lane, content: Content) {
        let (channel, message) = (self.system.channel(lane), shown(self.system, &content));
        let counted = !self.system.is_self_link(lane.link);
        self.effects.push(Effect::Sent { channel, message, bits: 0, counted });
        let (first, last) = self.system.delay;
        let messages = self.now.channels.entry(lane).or_default();
        messages.push(Sent { content, first, last });
        if self.system.is_unordered(lane) {
            messages.sort();
        }
    }

    // ---- Assigning

    /// A variable, a local, or a new local of the rest of the block.
    pub fn set(&mut self, name: &'static str, value: Value, frame: &mut Frame) -> Result<(), Failure> {
        if let Some(at) = frame.local(name) {
            frame.locals[at].1 = value;
            return Ok(());
        }
        let family = [frame.component].into_iter().chain(self.system.component(frame.component).partner);
        for c in family {
            if let Some(variable) = self.system.component(c).variable(self.role(c), name)
                && !variable.output
            {
                return self.set_variable(self.process, c, name, value);
            }
        }
        frame.locals.push((name, value));
        Ok(())
    }

    fn set_variable(&mut self, p: usize, c: usize, name: &'static str, value: Value) -> Result<(), Failure> {
        let role = self.system.role(p, c);
        let variable = self.system.component(c).variable(role, name);
        let Some(variable) = variable else { return unspecified(format!("the variable {name} of p{p}")) };
        let scope = self.scope(&Frame::of(c, FrameKind::Handler));
        let value = match (variable.ty, variable.init) {
            (Some(ty), _) => fit(value, ty, &scope)?,
            // The type of a variable without an annotation is that of its initial value.
            (None, Some(init)) if !matches!(init.kind, ExprKind::None) => value.needed()?,
            _ => value,
        };
        self.now.processes[p].parts[c].variables.insert(name, value);
        Ok(())
    }

    pub fn assign(&mut self, place: &'static Expr, value: Value, frame: &mut Frame) -> Result<(), Failure> {
        match &place.kind {
            ExprKind::Name(name) => self.set(&name.text, value, frame),
            ExprKind::Index(of, index) => {
                let scope = self.scope(frame);
                let (held, index) = (eval(of, &scope)?.needed()?, eval(index, &scope)?);
                let held = match held {
                    Value::Map(mut map) => {
                        map.insert(index, value);
                        Value::Map(map)
                    }
                    empty if empty.is_empty_braces() => Value::Map(BTreeMap::from([(index, value)])),
                    Value::List(mut list) => {
                        let at = usize::try_from(index.number()?).ok();
                        match at.and_then(|at| list.get_mut(at)) {
                            Some(element) => *element = value,
                            None => return abort("an index that is not there"),
                        }
                        Value::List(list)
                    }
                    held => return unspecified(format!("an element of {held:?}")),
                };
                self.assign(of, held, frame)
            }
            ExprKind::Field(of, name) => {
                let held = match eval(of, &self.scope(frame))?.needed()? {
                    Value::Record(record, mut fields) => {
                        match fields.iter_mut().find(|(field, _)| *field == name.text) {
                            Some(field) => field.1 = value,
                            None => return unspecified(format!("the field {}", name.text)),
                        }
                        Value::Record(record, fields)
                    }
                    Value::Tuple(mut parts) => {
                        let at = name.text.parse::<usize>().ok().and_then(|k| k.checked_sub(1));
                        match at.and_then(|at| parts.get_mut(at)) {
                            Some(part) => *part = value,
                            None => return unspecified(format!("the part {}", name.text)),
                        }
                        Value::Tuple(parts)
                    }
                    // *Pairwise interactions: the responder's variables are `v.x`, to be read and assigned.*
                    Value::Port(port) => {
                        let q = self.system.peer(self.process, port)?;
                        return self.set_variable(q, frame.component, &name.text, value);
                    }
                    held => return unspecified(format!("a field of {held:?}")),
                };
                self.assign(of, held, frame)
            }
            _ => unspecified("a place that cannot be assigned"),
        }
    }

    /// *Variables are assigned only if the alternative is taken.*
    pub fn take_bindings(&mut self, bindings: Bindings, frame: &mut Frame) -> Result<(), Failure> {
        for (target, value) in bindings.all {
            match target {
                Target::New(name) => frame.locals.push((name, value)),
                Target::Variable(name) => self.set(name, value, frame)?,
                // `v[p]` means the element at the names that the pattern binds.
                Target::Place(place, names) => {
                    let known = frame.locals.len();
                    frame.locals.extend(names);
                    self.assign(place, value, frame)?;
                    frame.locals.drain(known..);
                }
            }
        }
        Ok(())
    }

    /// The process's thread, to go on from its waiting point.
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

    /// A block with locals of its own comes next.
    pub fn enter(&mut self, block: &'static [Stmt]) {
        self.tasks.push(Task::Leave(self.locals.len()));
        if !block.is_empty() {
            self.tasks.push(Task::Block(Code(block)));
        }
    }
}

/// A branch whose guard holds, and the names that its `received` gives a meaning to.
pub type Open = (usize, Vec<(Name, Value)>);

/// The branches whose Boolean guards hold.
pub fn open(branches: &'static [Branch], scope: &Scope<'_>) -> Result<Vec<Open>, Failure> {
    let mut open: Vec<Open> = Vec::new();
    for (k, branch) in branches.iter().enumerate() {
        let Guard::Condition(guard) = &branch.guard else { continue };
        let mut inner = scope.clone();
        if (open.is_empty() || !branch.after_earlier) && condition(guard, &mut inner)? {
            open.push((k, inner.locals[scope.locals.len()..].to_vec()));
        }
    }
    Ok(open)
}

fn is_immediate(guard: &Guard) -> bool {
    matches!(guard, Guard::Condition(_) | Guard::Otherwise(_))
}

/// *A message, or a bare value.*
pub fn message(what: &'static Expr, scope: &Scope<'_>) -> Result<Content, Failure> {
    let declared = match &what.kind {
        ExprKind::Name(name) => builtins::message_of(&name.text, scope),
        ExprKind::Call { layer: None, name, .. } => builtins::message_of(&name.text, scope),
        _ => None,
    };
    match eval(what, scope)? {
        Value::Message(content) if declared.is_some() => Ok(content),
        value => Ok(Content { component: scope.component, name: "", fields: vec![value.needed()?] }),
    }
}

pub fn shown(system: &System, content: &Content) -> crate::graph::Message<Value> {
    crate::graph::Message {
        layer: system.component(content.component).path.clone(),
        name: content.name.to_string(),
        fields: content.fields.clone(),
    }
}
