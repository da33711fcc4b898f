//! *Statements*: execution of each kind.

use crate::specification::builtins;
use crate::specification::command::{Command, Flow};
use crate::specification::configuration::{
    Air, Code, Frame, FrameKind, Lane, Sent, Statement, Task, Timer, Waiting,
};
use crate::specification::eval::{Scope, condition, eval};
use crate::specification::graph::Effect;
use crate::specification::module::Routine;
use crate::specification::network::System;
use crate::specification::radio;
use crate::specification::types::fit;
use crate::specification::value::{Content, Failure, Name, Value, abort, unspecified};
use synod::internals::syntax::ast::{Branch, Expr, ExprKind, Guard, Origin, Param, Receive, Stmt, StmtKind};

impl Command<'_> {
    /// Execute one statement; return a flow if the command ends here.
    pub fn statement(
        &mut self,
        stmt: &'static Stmt,
        frame: &mut Frame,
        called: &mut Option<Frame>,
    ) -> Result<Option<Flow>, Failure> {
        if self.system.program.synchronizer.is_some()
            && frame.component == 0
            && crate::specification::synchronizer::serves(stmt)
        {
            *called = self.by_rounds(stmt, frame)?;
            return Ok(None);
        }
        match &stmt.kind {
            StmtKind::Skip => {}
            // *All right sides first.*
            StmtKind::Assign { targets, values } => {
                let scope = self.scope(frame);
                let values = values.iter().map(|value| eval(value, &scope)).collect::<Result<Vec<_>, _>>()?;
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
                // *Beside operations, states have handlers only, and `become` in an operation or handler just sets the state.*
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
            StmtKind::Transmit(what) => {
                let content = match &what.kind {
                    ExprKind::Name(name) if name.text == "beep" => {
                        let beep = builtins::sound("beep");
                        Content { component: frame.component, name: "", fields: vec![beep] }
                    }
                    _ => message(what, &self.scope(frame))?,
                };
                // *With `radio`, a crash comes before a transmission.*
                if self.now.faults.crash > 0 && self.choose(2) == 1 {
                    return Ok(Some(Flow::Crashes));
                }
                radio::decide(self.own(), Air::Transmits)?;
                radio::transmit(self, content);
            }
            StmtKind::Listen => radio::decide(self.own(), Air::Listens)?,
            // *Setting it again replaces the old time.*
            StmtKind::SetTimer { name, after } => {
                let after =
                    crate::specification::time::duration(eval(after, &self.scope(frame))?, self.system)?;
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

    /// *One of the branches whose guard holds, freely chosen. `otherwise` is taken when no other can be. `[] otherwise g ->` means: no earlier
    /// guard, and `g`.*
    pub fn branch(&mut self, branches: &'static [Branch], frame: &Frame) -> Result<Option<Open>, Failure> {
        let mut open = open(branches, &self.scope(frame))?;
        if open.is_empty() {
            let rest = |b: &Branch| matches!(b.guard, Guard::Otherwise(_));
            open.extend(branches.iter().position(rest).map(|k| (k, Vec::new())));
        }
        Ok(if open.is_empty() { None } else { Some(open.swap_remove(self.choose(open.len()))) })
    }

    /// Execute one iteration of a loop: *for each element, ascending; `S` is taken once, at the beginning*.
    pub fn turn(
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
        let inner = crate::specification::eval::bound(pattern, &element, &self.scope(frame))?;
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

    /// Wait at a waiting point, unless the statement ends at once.
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
        // *`S` is taken on arrival; if it is empty nothing is waited for.* Leaving the waiting point is a step even then.
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
                        Some(crate::specification::time::duration(after, self.system)?)
                    }
                    _ => None,
                });
            }
            // *With `k <= 0` the process takes this branch on arrival, whatever the other guards say.*
            let at_once = due.iter().position(|due| *due == Some(0)).filter(|_| self.system.has_rounds());
            if let Some(branch) = at_once {
                if matches!(stmt.kind, StmtKind::Do(_)) {
                    frame.tasks.push(Task::Again(Statement(stmt)));
                }
                frame.enter(&branches[branch].body);
                return Ok(None);
            }
        }
        // *`do` with inputs ends when none of its guards can hold whatever arrives.*
        if let StmtKind::Do(branches) = &stmt.kind
            && !crate::specification::waiting::can_go_on(branches, &self.scope(frame))?
        {
            return Ok(None);
        }
        frame.tasks.push(Task::Wait(Waiting { at: Statement(stmt), senders, due }));
        Ok(Some(Flow::Rests))
    }

    // ---- Calls

    /// *Calls a procedure or operation, an operation of a layer, or makes an upcall.*
    pub fn call(
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

    pub fn activate(
        &mut self,
        component: usize,
        routine: &Routine,
        values: Vec<Value>,
    ) -> Result<Frame, Failure> {
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
            let remembered =
                self.system.component(component).is_problem.then(|| (routine.name, arguments.clone()));
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
    /// nothing.* Return true if the process crashes before it has sent everything.
    fn send(
        &mut self,
        what: &'static Expr,
        to: Option<&'static Expr>,
        frame: &Frame,
    ) -> Result<bool, Failure> {
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
                // A crash *may come between any two steps, and also within a command, before any of its sends*.
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
        let bits = crate::specification::bits::of_message(self.system, &content);
        self.effects.push(Effect::Sent { channel, message, bits, counted });
        let (first, last) = self.system.delay;
        let sent = Sent { content, first, last };
        let messages = self.now.channels.entry(lane).or_default();
        if self.system.has_rounds() && self.system.is_unordered(lane) {
            let places = places(messages, &sent);
            let at = places[self.choose(places.len())];
            self.now.channels.entry(lane).or_default().insert(at, sent);
            return;
        }
        messages.push(sent);
        if self.system.is_unordered(lane) {
            messages.sort();
        }
    }
}

/// Return the distinguishable positions for a new message. *Several messages of one sender are in the order in which they were sent; under
/// `unordered` the scheduler chooses their order when they are sent.*
pub fn places(messages: &[Sent], sent: &Sent) -> Vec<usize> {
    (0..=messages.len()).filter(|at| *at == 0 || messages[*at - 1] != *sent).collect()
}

/// A branch whose guard holds, and the names that its `arrived` binds.
pub type Open = (usize, Vec<(Name, Value)>);

/// Return the branches whose Boolean guards hold.
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

/// Evaluate a message, or a bare value.
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

pub fn shown(system: &System, content: &Content) -> crate::specification::graph::Message<Value> {
    crate::specification::graph::Message {
        layer: system.component(content.component).path.clone(),
        name: content.name.to_string(),
        fields: content.fields.clone(),
    }
}
