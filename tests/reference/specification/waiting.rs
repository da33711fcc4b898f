//! *Waiting and choice*: the ways in which the thread of a process can proceed from its waiting point.

use crate::specification::configuration::{Frame, Statement, Task, Waiting};
use crate::specification::eval::{Scope, eval};
use crate::specification::patterns::names;
use crate::specification::value::{Failure, Value, unspecified};
use crate::specification::walk::mentions;
use synod::internals::syntax::ast::{Branch, Expr, Guard, Origin, Receive, Stmt, StmtKind};

/// The waiting point of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Point<'c> {
    pub frame: &'c Frame,
    pub stmt: &'static Stmt,
    /// The senders of each `receive … from each`, by branch.
    pub senders: &'c [Option<Vec<Value>>],
    /// The remaining rounds or time of each `after`, by branch.
    pub due: &'c [Option<u64>],
}

/// Return the waiting point of a thread; None if it is idle.
pub fn point(thread: &[Frame]) -> Option<Point<'_>> {
    let frame = thread.last()?;
    match frame.tasks.last()? {
        Task::Wait(Waiting { at: Statement(stmt), senders, due }) => {
            Some(Point { frame, stmt, senders, due })
        }
        _ => None,
    }
}

/// An input at a waiting point: its branch, if it has branches, and the condition after `when`.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub branch: usize,
    pub receive: &'static Receive,
    pub when: Option<&'static Expr>,
}

pub fn inputs(stmt: &'static Stmt) -> Vec<Input> {
    match &stmt.kind {
        StmtKind::Receive(receive) => vec![Input { branch: 0, receive, when: None }],
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            let input = |(branch, b): (usize, &'static Branch)| match &b.guard {
                Guard::Receive(receive, when) => Some(Input { branch, receive, when: when.as_ref() }),
                _ => None,
            };
            branches.iter().enumerate().filter_map(input).collect()
        }
        _ => Vec::new(),
    }
}

impl Input {
    pub fn takes_from_each(&self) -> bool {
        matches!(self.receive.from, Some(Origin::Each { .. }))
    }
}

/// A way in which a thread proceeds without a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alone {
    Await,
    Pause,
    /// A Boolean guard.
    Branch(usize),
    /// *`do` with inputs ends when none of its guards can hold whatever arrives.*
    End,
}

pub fn alone(stmt: &'static Stmt, scope: &Scope<'_>) -> Result<Vec<Alone>, Failure> {
    Ok(match &stmt.kind {
        // *Await is a step of its own.*
        StmtKind::Await(condition) => {
            if eval(condition, scope)?.truth()? {
                vec![Alone::Await]
            } else {
                Vec::new()
            }
        }
        // *`pause` waits until the scheduler lets it go on.*
        StmtKind::Pause => vec![Alone::Pause],
        StmtKind::If(branches) => open(branches, scope)?.into_iter().map(Alone::Branch).collect(),
        StmtKind::Do(branches) => {
            if !can_go_on(branches, scope)? {
                return Ok(vec![Alone::End]);
            }
            open(branches, scope)?.into_iter().map(Alone::Branch).collect()
        }
        _ => Vec::new(),
    })
}

/// Return the Boolean guards that hold.
fn open(branches: &'static [Branch], scope: &Scope<'_>) -> Result<Vec<usize>, Failure> {
    let mut open = Vec::new();
    for (k, branch) in branches.iter().enumerate() {
        match &branch.guard {
            Guard::Condition(_) if branch.after_earlier => return unspecified("`else` beside inputs"),
            Guard::Condition(guard) => {
                if eval(guard, scope)?.truth()? {
                    open.push(k);
                }
            }
            Guard::Otherwise(_) => return unspecified("`otherwise` beside inputs"),
            Guard::Receive(..) | Guard::After(_) => {}
        }
    }
    Ok(open)
}

/// *An input without a condition, or with one on what has come, may always hold.*
pub fn can_go_on(branches: &'static [Branch], scope: &Scope<'_>) -> Result<bool, Failure> {
    for branch in branches {
        let may_hold = match &branch.guard {
            Guard::Condition(guard) => eval(guard, scope)?.truth()?,
            Guard::Receive(_, None) => true,
            Guard::Receive(receive, Some(when)) => {
                let come = names(receive);
                mentions(when, &come) || eval(when, scope)?.truth()?
            }
            Guard::Otherwise(_) | Guard::After(_) => true,
        };
        if may_hold {
            return Ok(true);
        }
    }
    Ok(false)
}
