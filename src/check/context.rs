//! The elaboration context: the current process, component and scopes.

use crate::diagnostic::Hint;
use crate::ir::{self, Op, Ranges, Slot, Type, Wait};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Meaning of a component's name, other than a variable or state.
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

/// Something with a written type that all components share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Written {
    /// A field of a message, by its position.
    Field(u32, usize),
    /// A field of a record.
    Part(u32, usize),
    /// A parameter of the instance.
    Param(usize),
    /// A variable, by the place of its declaration.
    Variable(Span),
}

/// A component: a layer instance, the algorithm itself (component 0), or the problem above it.
#[derive(Clone, Debug, Default)]
pub struct Comp {
    pub unit: usize,
    pub lane: u16,
    /// Empty for the algorithm; a path of layers such as `Order.Data`; `problem` for the problem.
    pub name: String,
    /// The component that handles its upcalls.
    pub upper: Option<usize>,
    /// Layers below, by alias.
    pub layers: Vec<(String, usize)>,
    pub names: BTreeMap<String, (Def, Span)>,
    /// Enumerations and records by name.
    pub types: BTreeMap<String, Type>,
    pub is_problem: bool,
    /// The problem that it solves: for the algorithm, the component above it; for a layer, a component that only defines the
    /// layer's outputs.
    pub problem: Option<usize>,
    /// For the problem of a layer: the layer whose outputs it defines. It is not part of any process.
    pub defines_outputs_of: Option<usize>,
    /// Message kind of the bare values, once one is sent or received.
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
    pub persistent: bool,
    pub range: Option<(i64, i64)>,
    /// Ranges that `range` does not express: of components and elements, and ranges that depend on the instance.
    pub ranges: Ranges,
    /// Number of waiting points emitted when it was bound.
    pub bound_at_wait: usize,
    /// Whether the user wrote it (otherwise it is a hidden slot).
    pub named: bool,
    /// Whether it starts without a value: reading it before an assignment aborts.
    pub starts_unset: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Permanent part of the process's state.
    State,
    /// A local of the thread that lives across a waiting point: state while it is in scope.
    Thread,
    Temp,
}

pub type LocalId = u16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Properties, scenarios, parameter defaults.
    #[default]
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
    /// Whether it returns to its caller; otherwise every path ends in `become` or `halt`.
    pub returns: bool,
    pub span: Span,
}

/// Names of one component within one role.
#[derive(Clone, Debug, Default)]
pub struct CompScope {
    pub vars: BTreeMap<String, LocalId>,
    pub states: BTreeMap<String, u32>,
    pub state_local: LocalId,
    pub has_bodies: bool,
    /// Entry of each routine, once emitted; until then, the calls to patch.
    pub routines: BTreeMap<String, Routine>,
}

/// The processes of a scenario by name.
#[derive(Clone, Debug, Default)]
pub struct Processes {
    /// Position of each name that `names` assigns.
    pub named: BTreeMap<String, i64>,
    /// Number of processes, which are also called p0, p1, … 0: these default names are not valid, because `names` uses them.
    pub n: i64,
}

impl Processes {
    /// Return the names of the first of `n` processes. Default names are not valid if one of them is the name of another process.
    pub fn new(names: &[String], n: i64) -> Processes {
        let named: BTreeMap<String, i64> = (0..).zip(names).map(|(p, name)| (name.clone(), p)).collect();
        let clashes = named.iter().any(|(name, p)| default_position(name).is_some_and(|q| q != *p && q < n));
        Processes { named, n: if clashes { 0 } else { n } }
    }

    pub fn get(&self, name: &str) -> Option<i64> {
        let by_default = || default_position(name).filter(|p| *p < self.n);
        self.named.get(name).copied().or_else(by_default)
    }

    /// Return the names for spelling suggestions; of the default names, only as many as a user would write.
    pub fn known(&self) -> Vec<String> {
        let by_default = (0..self.n.min(64)).map(|p| format!("p{p}"));
        self.named.keys().cloned().chain(by_default).collect()
    }

    /// Return the hint that names them.
    pub fn hint(&self) -> Hint {
        let own: Vec<String> = self.named.keys().cloned().collect();
        match own.is_empty() {
            true => Hint::ProcessesByPosition(self.n),
            false if self.n == 0 => Hint::Are("its processes", own),
            false => Hint::ProcessesByNameOrPosition(own, self.n),
        }
    }
}

/// Return the position of a default name such as `p3`.
pub fn default_position(name: &str) -> Option<i64> {
    let position: i64 = name.strip_prefix('p')?.parse().ok()?;
    (format!("p{position}") == name).then_some(position)
}

/// State that changes while a role or a property is elaborated.
#[derive(Clone, Debug, Default)]
pub struct Cx {
    pub role: Option<u16>,
    pub comp: usize,
    pub mode: Mode,
    pub locals: Vec<Local>,
    pub scopes: Vec<Vec<(String, LocalId)>>,
    pub comps: Vec<CompScope>,
    pub code: Vec<Op>,
    /// By operation: the statement that it belongs to.
    pub statements: Vec<Span>,
    /// The statement that is being elaborated; the default span outside statements.
    pub statement: Span,
    pub guards: Vec<(ir::GuardId, ir::GuardTaken)>,
    pub waits: Vec<Wait>,
    /// Conditions that the literals of the current pattern set.
    pub literals: Vec<ir::Expr>,
    /// Named timers: component and name.
    pub timers: Vec<(usize, String)>,
    /// In definitions of outputs: the process whose variables plain names denote.
    pub subject: Option<ir::Expr>,
    /// The processes of the current scenario.
    pub processes: Processes,
    /// Number of waiting points emitted so far; determines whether a local lives across one.
    pub wait_count: usize,
    /// Whether some handler takes wakeups.
    pub wakes: bool,
    /// Whether the current routine has emitted `become`.
    pub becomes: bool,
    /// Whether the current expression reads the messages of a round.
    pub reads_received: bool,
    /// Whether the current expression is a default or bound: no process computes its value, but all receive it. So it may use
    /// only facts that processes know.
    pub is_external_value: bool,
    /// The interaction whose handler is being elaborated.
    pub interaction: Option<Interaction>,
    /// Variables that earlier statements of the same body certainly assign, and those at the end of the block elaborated last.
    /// Only variables that start without a value matter.
    pub definitely_assigned: BTreeSet<LocalId>,
    pub assigned_at_block_end: BTreeSet<LocalId>,
    /// Guards that hold whenever no earlier guard does, so the code does not test them: each with the start of its command.
    pub implied: Vec<(ir::Pc, ir::Expr)>,
}

/// The interaction whose handler is being elaborated.
#[derive(Clone, Debug, Default)]
pub struct Interaction {
    /// The port that leads to the responder.
    pub responder: LocalId,
    /// The mentioned variables of the responder, by their numbers among the shared variables.
    pub mirrored_variables: Vec<(u16, LocalId)>,
}

impl Cx {
    pub fn new(role: Option<u16>, comps: usize, mode: Mode) -> Cx {
        Cx { role, mode, scopes: vec![Vec::new()], comps: vec![CompScope::default(); comps], ..Cx::default() }
    }

    /// Return whether the value of the current expression becomes known to a process.
    pub fn is_visible_to_process(&self) -> bool {
        self.is_external_value || !self.is_global()
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
            persistent: false,
            range: None,
            ranges: crate::ir::Ranges::Any,
            bound_at_wait: self.wait_count,
            named: !name.is_empty(),
            starts_unset: false,
        });
        (self.locals.len() - 1) as LocalId
    }

    /// Bind a local that the following statements of the block see under its name.
    pub fn bind(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        // Locals of the thread start as temporaries and become state when a waiting point follows in their scope.
        let local = self.new_local(name, ty, span, Class::Temp);
        self.scopes.last_mut().unwrap().push((name.into(), local));
        local
    }

    /// Record that a whole variable has been assigned.
    pub fn assigned(&mut self, local: LocalId) {
        if self.locals[local as usize].starts_unset {
            self.definitely_assigned.insert(local);
        }
    }

    pub fn scoped(&self, name: &str) -> Option<LocalId> {
        self.scopes.iter().rev().flat_map(|s| s.iter().rev()).find(|(n, _)| n == name).map(|(_, l)| *l)
    }
}

/// Return the slot that stands for a local in the typed program.
pub fn slot(local: LocalId) -> Slot {
    Slot::Word(local)
}

/// The ways in which a piece of code may be left.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// Whether its end is reachable.
    pub reaches_end: bool,
    /// Whether its end is reachable without passing a waiting point.
    pub reaches_end_without_wait: bool,
}

/// Represents [all slots of the thread](ir::Role::thread) until a role is complete.
pub const THREAD: ir::Slot = ir::Slot::Value(u16::MAX);

impl Flow {
    pub const NO_WAIT: Flow = Flow { reaches_end: true, reaches_end_without_wait: true };
    pub const WAITS: Flow = Flow { reaches_end: true, reaches_end_without_wait: false };
    pub const ENDS: Flow = Flow { reaches_end: false, reaches_end_without_wait: false };

    pub fn then(self, next: Flow) -> Flow {
        Flow {
            reaches_end: self.reaches_end && next.reaches_end,
            reaches_end_without_wait: self.reaches_end_without_wait && next.reaches_end_without_wait,
        }
    }

    pub fn or(self, other: Flow) -> Flow {
        Flow {
            reaches_end: self.reaches_end || other.reaches_end,
            reaches_end_without_wait: self.reaches_end_without_wait || other.reaches_end_without_wait,
        }
    }
}

/// A call to the component above: its place, and the places and types of its arguments.
#[derive(Clone, Debug)]
pub struct Upcall {
    pub span: Span,
    pub values: Vec<(Span, Type)>,
}
