//! *Rounds that a synchronizer makes*: the layer gets all messages that are sent. Its operation ends rounds for `round`, `await` and `after
//! k`, and it provides `received`. Each process goes through the rounds at its own pace.

use crate::specification::command::Command;
use crate::specification::configuration::{Frame, Statement, Task, Waiting};
use crate::specification::eval::{Heard, condition, eval};
use crate::specification::graph::Effect;
use crate::specification::statements::{message, open};
use crate::specification::value::{Content, Failure, Name, Value, unspecified};
use synod::internals::syntax::ast::{Guard, Stmt, StmtKind};

/// Test whether a statement has another meaning where a synchronizer makes the rounds.
pub fn serves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Send { .. } | StmtKind::Round | StmtKind::Await(_) | StmtKind::Halt => true,
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            branches.iter().any(|branch| matches!(branch.guard, Guard::After(_)))
        }
        _ => false,
    }
}

impl Command<'_> {
    fn operation(&mut self, name: &str, args: Vec<Value>) -> Result<Option<Frame>, Failure> {
        let Some(layer) = self.system.program.synchronizer else { return Ok(None) };
        let role = self.role(layer);
        match self.system.component(layer).routine(role, name) {
            Some(routine) => self.activate(layer, routine, args).map(Some),
            None => Ok(None),
        }
    }

    /// Execute such a statement; return the frame of the operation that it calls, if any.
    pub fn by_rounds(&mut self, stmt: &'static Stmt, frame: &mut Frame) -> Result<Option<Frame>, Failure> {
        let at = Statement(stmt);
        match &stmt.kind {
            StmtKind::Send { what, to } => {
                let scope = self.scope(frame);
                let content = message(what, &scope)?;
                let ports = match to {
                    None => Value::set(self.system.neighbours(self.process).into_iter().map(Value::Port)),
                    Some(to) => match eval(to, &scope)?.needed()? {
                        port @ Value::Port(_) => Value::set([port]),
                        ports => Value::set(ports.elements()?),
                    },
                };
                self.operation("put", vec![Value::Message(content), ports])
            }
            // *Who has halted takes part in the rounds of the others, if the synchronizer has an operation `leave`.*
            StmtKind::Halt => {
                frame.tasks.push(Task::Done);
                self.operation("leave", Vec::new())
            }
            StmtKind::Round | StmtKind::Await(_) => {
                frame.tasks.push(Task::Round(Waiting { at, senders: Vec::new(), due: Vec::new() }));
                self.operation("end_round", Vec::new())
            }
            StmtKind::If(branches) | StmtKind::Do(branches) => {
                let mut due = Vec::new();
                for branch in branches {
                    due.push(match &branch.guard {
                        Guard::After(after) => {
                            Some(u64::try_from(eval(after, &self.scope(frame))?.number()?).unwrap_or(0))
                        }
                        _ => None,
                    });
                }
                // *With `k <= 0` the process takes this branch on arrival, whatever the other guards say.*
                if let Some(branch) = due.iter().position(|due| *due == Some(0)) {
                    if matches!(stmt.kind, StmtKind::Do(_)) {
                        frame.tasks.push(Task::Again(at));
                    }
                    frame.enter(&branches[branch].body);
                    return Ok(None);
                }
                let waiting = Waiting { at, senders: Vec::new(), due };
                frame.tasks.push(Task::Round(waiting));
                self.operation("end_round", Vec::new())
            }
            _ => unspecified("this statement in a round"),
        }
    }

    /// Continue after the end of a round at the process.
    pub fn round_ended(&mut self, mut waiting: Waiting, frame: &mut Frame) -> Result<Option<Frame>, Failure> {
        self.effects.push(Effect::RoundEnded);
        self.heard = self.arrived()?;
        waiting.due.iter_mut().flatten().for_each(|due| *due = due.saturating_sub(1));
        self.go_on(waiting, frame)
    }

    /// Leave the statement if it is complete; otherwise end another round.
    fn go_on(&mut self, waiting: Waiting, frame: &mut Frame) -> Result<Option<Frame>, Failure> {
        let Statement(stmt) = waiting.at;
        let mut scope = self.scope(frame);
        let known = scope.locals.len();
        match &stmt.kind {
            StmtKind::Round => return Ok(None),
            StmtKind::Await(awaited) => {
                if condition(awaited, &mut scope)? {
                    let names: Vec<(Name, Value)> = scope.locals[known..].to_vec();
                    frame.locals.extend(names);
                    return Ok(None);
                }
            }
            StmtKind::If(branches) | StmtKind::Do(branches) => {
                let mut all = open(branches, &scope)?;
                if all.is_empty() {
                    let over = |k: &usize| waiting.due[*k] == Some(0);
                    all.extend((0..branches.len()).filter(over).map(|k| (k, Vec::new())));
                }
                if !all.is_empty() {
                    let (branch, names) = all.swap_remove(self.choose(all.len()));
                    if matches!(stmt.kind, StmtKind::Do(_)) {
                        frame.tasks.push(Task::Again(waiting.at));
                    }
                    frame.enter(&branches[branch].body);
                    frame.locals.extend(names);
                    return Ok(None);
                }
            }
            _ => return unspecified("this statement in a round"),
        }
        frame.tasks.push(Task::Round(waiting));
        self.operation("end_round", Vec::new())
    }

    /// Return the messages that have arrived according to the layer.
    fn arrived(&self) -> Result<Heard, Failure> {
        let Some(layer) = self.system.program.synchronizer else { return Ok(Heard::default()) };
        let scope = crate::specification::messages::scope(self.system, &self.now, self.process, layer);
        let mut heard = Heard::default();
        for pair in crate::specification::builtins::name("arrived", &scope)?.elements()? {
            match pair {
                Value::Tuple(parts) => match <[Value; 2]>::try_from(parts) {
                    Ok([port, Value::Message(content)]) => heard.received.push((port, content)),
                    Ok([port, value]) => {
                        let content = Content { component: 0, name: "", fields: vec![value] };
                        heard.received.push((port, content));
                    }
                    Err(_) => return unspecified("the value of `arrived`"),
                },
                _ => return unspecified("the value of `arrived`"),
            }
        }
        Ok(heard)
    }
}
