//! Where the elaboration stands: which process, which component, which names are in scope.

use crate::ir::{self, Op, Ranges, Slot, Type, Wait};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a name of a component means, besides variables and states.
#[derive(Clone, Debug)]
pub enum Def {
    Const(usize),
    Param(u16),
    Function(usize),
    Message(u32),
    Case(u32, u32),
    Record(u32),
    Role(u16),
    Output(usize),
}

/// A layer instance, the algorithm itself (component 0), or the problem above it.
#[derive(Clone, Debug, Default)]
pub struct Comp {
    pub unit: usize,
    pub lane: u16,
    /// Empty for the algorithm; the path of layers `Order.Data`; `algorithm`'s user is called `problem`.
    pub name: String,
    /// The component that takes its upcalls.
    pub upper: Option<usize>,
    /// Layers below, by the name they are used under.
    pub layers: Vec<(String, usize)>,
    pub names: BTreeMap<String, (Def, Span)>,
    /// Enumerations and records by their names.
    pub types: BTreeMap<String, Type>,
    pub is_problem: bool,
    /// The problem that it solves: of the algorithm the one above it, of a layer one that says what its outputs are, and no more.
    pub problem: Option<usize>,
    /// Such a problem: the layer whose outputs it tells. It is no part of any process.
    pub told_of: Option<usize>,
    /// Message kind of bare values, once one is sent or received.
    pub bare: Option<u32>,
}

/// A variable, a local, or a hidden slot of a role (or of the global frame).
#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Type,
    pub span: Span,
    pub class: Class,
    pub component: u16,
    pub output: bool,
    pub stable: bool,
    pub range: Option<(i64, i64)>,
    /// Ranges that `range` does not say: of parts and elements, and those that depend on the instance.
    pub ranges: Ranges,
    /// For the warning about names never read.
    pub read: bool,
    /// Waiting points passed when it was bound.
    pub born: usize,
    /// Written by the user (not a hidden slot).
    pub named: bool,
    /// It begins without a value: reading it before something has been assigned to it aborts.
    pub unset: bool,
}

impl Local {
    /// All ranges of its type, the one of a number included.
    pub fn every_range(&self) -> Ranges {
        let bound =
            |number| Box::new(ir::Expr { kind: ir::ExprKind::Word(number), ty: Type::Int, span: self.span });
        match self.range {
            Some((least, greatest)) => Ranges::Int(bound(least), bound(greatest)),
            None => self.ranges.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Part of the process's state for good.
    State,
    /// A local of the thread that lives across a waiting point: state while in scope.
    Thread,
    Temp,
}

pub type LocalId = u16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Properties, scenarios, parameter defaults.
    Global,
    /// Initial values of variables.
    Start,
    /// Body of a state, or client.
    Thread,
    Operation,
    Handler,
    Procedure,
}

#[derive(Clone, Debug)]
pub struct Routine {
    pub pc: ir::Pc,
    pub params: Vec<(LocalId, Option<crate::syntax::ast::Expr>)>,
    pub return_local: Option<LocalId>,
    pub waits: bool,
    pub becomes: bool,
    /// Does it come back to its caller, or does every path end in `become` or `halt`?
    pub falls: bool,
    pub span: Span,
}

/// Names of one component inside one role.
#[derive(Clone, Debug, Default)]
pub struct CompScope {
    pub vars: BTreeMap<String, LocalId>,
    pub states: BTreeMap<String, u32>,
    pub state_local: LocalId,
    pub has_bodies: bool,
    /// Entry of each state's body, once emitted; calls to patch otherwise.
    pub routines: BTreeMap<String, Routine>,
    pub entered: Vec<bool>,
}

/// The processes of a scenario by name.
#[derive(Clone, Debug, Default)]
pub struct Processes {
    /// As `names` says, by position.
    pub named: BTreeMap<String, i64>,
    /// How many there are: they are called p0, p1, … too. 0: they are not, since these names mean others.
    pub n: i64,
}

impl Processes {
    pub fn get(&self, name: &str) -> Option<i64> {
        let by_default = || default_position(name).filter(|p| *p < self.n);
        self.named.get(name).copied().or_else(by_default)
    }

    /// Names to compare a misspelt one with: of the default ones only so many as a person would write.
    pub fn known(&self) -> Vec<String> {
        let by_default = (0..self.n.min(64)).map(|p| format!("p{p}"));
        self.named.keys().cloned().chain(by_default).collect()
    }
}

/// The names of the processes, as a clause of a hint.
impl fmt::Display for Processes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own: Vec<String> = self.named.keys().cloned().collect();
        let by_default = match self.n {
            0 | 1 => "p0".into(),
            2 => "p0 and p1".into(),
            i64::MAX => "p0, p1, …".into(),
            n => format!("p0 to p{}", n - 1),
        };
        match own.is_empty() {
            false if self.n == 0 => write!(f, "its processes are {}", super::prose::list(&own)),
            true => write!(f, "its processes are {by_default}, or what `with names […]` calls them"),
            false => write!(f, "its processes are {}, or {by_default} by position", super::prose::list(&own)),
        }
    }
}

/// The position that a default name such as `p3` means.
pub fn default_position(name: &str) -> Option<i64> {
    let position: i64 = name.strip_prefix('p')?.parse().ok()?;
    (format!("p{position}") == name).then_some(position)
}

/// Everything that changes while a role (or a property) is elaborated.
#[derive(Clone, Debug)]
pub struct Cx {
    pub role: Option<u16>,
    pub comp: usize,
    pub mode: Mode,
    pub locals: Vec<Local>,
    pub scopes: Vec<Vec<(String, LocalId)>>,
    pub comps: Vec<CompScope>,
    pub code: Vec<Op>,
    pub guards: Vec<(ir::GuardId, ir::Taken)>,
    pub waits: Vec<Wait>,
    /// Named timers: component and name.
    pub timers: Vec<(usize, String)>,
    /// In outputs: the process whose variables plain names mean.
    pub subject: Option<ir::Expr>,
    /// In scenarios.
    pub processes: Processes,
    /// How many waiting points have been emitted; tells whether a local lives across one.
    pub wait_count: usize,
    /// Did the routine at hand emit `become`?
    pub becomes: bool,
    /// Has what is elaborated looked at what a round has brought?
    pub listens: bool,
    /// A value that processes are given though no process computes it: a default, a bound. They know what it says.
    pub handed: bool,
    /// In the handler of an interaction.
    pub interaction: Option<Interaction>,
    /// Variables that have certainly been assigned by what stands before in the same body, and those at the end of the block
    /// elaborated last. Only those that begin without a value are of interest.
    pub given: BTreeSet<LocalId>,
    pub given_at_end: BTreeSet<LocalId>,
    /// Guards that hold where no earlier one does, and so are not looked at: what they say, by where their command begins.
    pub implied: Vec<(ir::Pc, ir::Expr)>,
}

/// The interaction whose handler is elaborated.
#[derive(Clone, Debug, Default)]
pub struct Interaction {
    /// The port that leads to the responder.
    pub responder: LocalId,
    /// The variables of the responder that have been mentioned, by their numbers among the shared ones.
    pub mirrors: Vec<(u16, LocalId)>,
}

impl Default for Cx {
    fn default() -> Cx {
        Cx::new(None, 0, Mode::Global)
    }
}

impl Cx {
    pub fn new(role: Option<u16>, comps: usize, mode: Mode) -> Cx {
        Cx {
            role,
            comp: 0,
            mode,
            locals: Vec::new(),
            scopes: vec![Vec::new()],
            comps: vec![CompScope::default(); comps],
            code: Vec::new(),
            guards: Vec::new(),
            waits: Vec::new(),
            timers: Vec::new(),
            subject: None,
            processes: Processes::default(),
            wait_count: 0,
            becomes: false,
            listens: false,
            handed: false,
            interaction: None,
            given: BTreeSet::new(),
            given_at_end: BTreeSet::new(),
            implied: Vec::new(),
        }
    }

    /// Does what stands here tell a process something?
    pub fn is_known(&self) -> bool {
        self.handed || !self.is_global()
    }

    pub fn is_global(&self) -> bool {
        self.mode == Mode::Global
    }

    pub fn new_local(&mut self, name: &str, ty: Type, span: Span, class: Class) -> LocalId {
        self.locals.push(Local {
            name: name.into(),
            ty,
            span,
            class,
            component: self.comp as u16,
            output: false,
            stable: false,
            range: None,
            ranges: crate::ir::Ranges::Any,
            read: false,
            born: self.wait_count,
            named: !name.is_empty(),
            unset: false,
        });
        (self.locals.len() - 1) as LocalId
    }

    /// A local that the following statements of the block see under its name.
    pub fn bind(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        // Locals of the thread start as temporaries and become state when a waiting point follows in their scope.
        let local = self.new_local(name, ty, span, Class::Temp);
        self.scopes.last_mut().unwrap().push((name.into(), local));
        local
    }

    /// Something has been assigned to the whole of a variable.
    pub fn assigned(&mut self, local: LocalId) {
        if self.locals[local as usize].unset {
            self.given.insert(local);
        }
    }

    pub fn scoped(&self, name: &str) -> Option<LocalId> {
        self.scopes.iter().rev().flat_map(|s| s.iter().rev()).find(|(n, _)| n == name).map(|(_, l)| *l)
    }
}

/// A local's slot before slots are given out.
pub fn slot(local: LocalId) -> Slot {
    Slot::Word(local)
}
