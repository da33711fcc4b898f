//! Name resolution: every declaration of a program, and every use.
//!
//! It works on the syntax tree, not on the checked program, so that half-typed texts have names too. Where `check` needs types to
//! resolve a name (`e.key`: a field, or another process's variable), the declared types are used.

mod scope;
mod resolve;
mod broken;
mod expr;
mod stmt;
mod declare;

use crate::check::load::Loaded;
use crate::source::Span;
pub use expr::binds;
use std::collections::{BTreeMap, BTreeSet};

/// The events of the environment that `on` may name besides messages.
pub const EVENTS: [&str; 7] = ["wakeup", "arrival", "interaction", "restart", "suspect", "trust", "timeout"];

/// The index of a declaration.
pub type DeclId = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Algorithm,
    Problem,
    Message,
    /// A field of a message.
    Field,
    Enum,
    Case,
    Record,
    RecordField,
    Const,
    Param,
    Variable,
    Output,
    Function,
    Procedure,
    Operation,
    /// The alias of an operation, in costs.
    Alias,
    Upcall,
    Role,
    State,
    Timer,
    Layer,
    Property,
    Scenario,
    /// A named process of a scenario.
    Process,
    /// An option of a problem.
    Option,
    Choice,
    /// A parameter of a function, procedure or operation.
    Parameter,
    Local,
}

impl Kind {
    /// Return the noun for it in prose.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Algorithm => "algorithm",
            Kind::Problem => "problem",
            Kind::Message => "message",
            Kind::Field | Kind::RecordField => "field",
            Kind::Enum => "enumeration",
            Kind::Case => "case",
            Kind::Record => "record",
            Kind::Const => "constant",
            Kind::Param => "parameter of the instance",
            Kind::Variable => "variable",
            Kind::Output => "output",
            Kind::Function => "function",
            Kind::Procedure => "procedure",
            Kind::Operation => "operation",
            Kind::Alias => "name of an operation",
            Kind::Upcall => "upcall",
            Kind::Role => "role",
            Kind::State => "state",
            Kind::Timer => "timer",
            Kind::Layer => "layer",
            Kind::Property => "property",
            Kind::Scenario => "scenario",
            Kind::Process => "process",
            Kind::Option => "option",
            Kind::Choice => "choice",
            Kind::Parameter => "parameter",
            Kind::Local => "local",
        }
    }

    /// Return whether it is a variable of processes.
    pub fn is_of_processes(self) -> bool {
        matches!(self, Kind::Variable | Kind::Output)
    }

    /// Return whether it belongs to the types that a problem declares.
    pub fn is_of_types(self) -> bool {
        matches!(self, Kind::Enum | Kind::Case | Kind::Record | Kind::Option)
    }

    /// Return whether it can be assigned, and received into.
    pub fn is_variable(self) -> bool {
        matches!(self, Kind::Variable | Kind::Output | Kind::Local | Kind::Parameter)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    pub kind: Kind,
    pub name: String,
    /// The span of the name in its declaration.
    pub place: Span,
    /// The algorithm or problem that declares it.
    pub unit: usize,
    /// The declaration that it is a part of: the message of a field, the enumeration of a case.
    pub parent: Option<DeclId>,
    /// The role that it belongs to, if any.
    pub role: Option<String>,
    /// The clause that contains it.
    pub clause: Span,
    /// The scope of a local name.
    pub visible: Option<Span>,
    /// Whether a command binds it in order to read it later. Other locals may only document a pattern.
    pub must_be_read: bool,
    /// The type, if it is written.
    pub written: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    Declare,
    Read,
    /// A case of an enumeration is an operand of a comparison, or an element of the set in `x in {…}`.
    Compare,
    Write,
    /// A message is constructed, to be sent.
    Send,
    /// A message is received, handled, or ignored.
    Take,
    Call,
}

/// A use of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    pub place: Span,
    pub decl: DeclId,
    pub access: Access,
    /// The clause that contains it.
    pub clause: Span,
    /// For a received message: the command that follows.
    pub extent: Span,
}

/// The uses of nameless messages in a unit (values that are sent as such), and whether the unit reads all messages at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct BareValues {
    pub sent: bool,
    pub taken: bool,
    /// `received` as a whole.
    pub all_taken: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Names {
    pub decls: Vec<Decl>,
    /// All uses, ordered by file and offset.
    pub uses: Vec<Use>,
    /// The indices of uses, grouped by declaration, each group in order.
    by_decl: Vec<u32>,
    /// The start of each declaration's group.
    starts: Vec<u32>,
    /// By unit: the uses of nameless messages.
    pub bare_values: Vec<BareValues>,
    /// The places of predefined names in expressions, in order.
    pub predefined: Vec<Span>,
    /// The words on the first line of each clause of the user's file that has no tree and begins a line.
    pub unread: Vec<Vec<String>>,
    /// The unit of each file.
    units: Vec<usize>,
}

/// Resolve the names of a program.
pub fn resolve(loaded: &Loaded) -> Names {
    let mut resolver = resolve::Resolver::new(loaded);
    resolver.declare_all();
    resolver.resolve_all();
    let mut names = resolver.names;
    names.uses.sort_by_key(|u| (u.place, u.decl, u.access));
    // A timer or an upcall is declared by a use of it.
    names.uses.dedup_by_key(|u| (u.place, u.decl, u.access));
    names.predefined.sort();
    names.index();
    names
}

impl Names {
    fn index(&mut self) {
        self.by_decl = (0..self.uses.len() as u32).collect();
        self.by_decl.sort_by_key(|number| self.uses[*number as usize].decl);
        let decl_of = |number: &u32| self.uses[*number as usize].decl;
        self.starts = (0..=self.decls.len())
            .map(|id| self.by_decl.partition_point(|number| decl_of(number) < id) as u32)
            .collect();
    }

    /// Return the uses of a declaration, ordered by file and offset.
    pub fn uses_of(&self, id: DeclId) -> impl DoubleEndedIterator<Item = &Use> {
        let range = self.starts[id] as usize..self.starts[id + 1] as usize;
        self.by_decl[range].iter().map(|number| &self.uses[*number as usize])
    }

    /// Return the uses at an offset. There are several if `p.x` may be a variable of several roles.
    pub fn at(&self, file: usize, offset: usize) -> Vec<&Use> {
        let offset = offset as u32;
        let from = self.uses.partition_point(|u| (u.place.file as usize, u.place.end) < (file, offset));
        let here =
            |u: &&Use| u.place.file as usize == file && u.place.start <= offset && offset <= u.place.end;
        let found: Vec<&Use> = self.uses[from..].iter().take(8).filter(here).collect();
        // Between two adjacent names, the second counts.
        let start = found.iter().map(|u| u.place.start).max();
        found.into_iter().filter(|u| Some(u.place.start) == start).collect()
    }

    pub fn decl(&self, id: DeclId) -> &Decl {
        &self.decls[id]
    }

    /// Return all declarations that must have the same name: those at the offset, and those that their uses may also refer to.
    pub fn same(&self, file: usize, offset: usize) -> Vec<DeclId> {
        let mut same: Vec<DeclId> = self.at(file, offset).iter().map(|u| u.decl).collect();
        loop {
            let places: Vec<Span> =
                self.uses.iter().filter(|u| same.contains(&u.decl)).map(|u| u.place).collect();
            let shared = |u: &&Use| !same.contains(&u.decl) && places.binary_search(&u.place).is_ok();
            let more: Vec<DeclId> = self.uses.iter().filter(shared).map(|u| u.decl).collect();
            if more.is_empty() {
                same.sort_unstable();
                same.dedup();
                return same;
            }
            same.extend(more);
        }
    }

    /// Return the uses of these declarations, each once, in order.
    pub fn places_of(&self, decls: &[DeclId]) -> Vec<&Use> {
        let mut found: Vec<&Use> = self.uses.iter().filter(|u| decls.contains(&u.decl)).collect();
        found.dedup_by_key(|u| u.place);
        found
    }

    pub fn parts_of(&self, parent: DeclId) -> impl Iterator<Item = (DeclId, &Decl)> {
        self.decls.iter().enumerate().filter(move |(_, d)| d.parent == Some(parent))
    }

    /// Return the uses within a span, in order.
    pub fn uses_in(&self, span: Span) -> &[Use] {
        let from = self.uses.partition_point(|u| u.place < Span { end: span.start, ..span });
        let to = self.uses.partition_point(|u| u.place < Span { start: span.end, ..span });
        &self.uses[from..to.max(from)]
    }

    pub fn is_mentioned(&self, decl: DeclId, within: Span) -> bool {
        self.uses_in(within).iter().any(|u| u.decl == decl)
    }

    /// Return whether a command assigns the variable, or a part of it, or receives into it.
    pub fn is_written(&self, decl: DeclId, within: Span) -> bool {
        self.uses_in(within).iter().any(|u| u.decl == decl && u.access == Access::Write)
    }

    /// Return the accesses of a kind to a declaration.
    pub fn accesses(&self, decl: DeclId, access: Access) -> impl Iterator<Item = &Use> {
        self.uses_of(decl).filter(move |used| used.access == access)
    }

    pub fn has(&self, decl: DeclId, access: Access) -> bool {
        self.accesses(decl, access).next().is_some()
    }

    /// Return the declarations of a kind in the user's file.
    pub fn own_decls(&self, kind: Kind) -> impl Iterator<Item = DeclId> {
        let decls = self.decls.iter().enumerate();
        decls.filter(move |(_, decl)| decl.place.file == 0 && decl.kind == kind).map(|(id, _)| id)
    }

    /// Return whether any command of a unit does.
    pub fn is_assigned(&self, decl: DeclId, by: usize) -> bool {
        self.uses_of(decl).any(|u| u.access == Access::Write && self.unit_of(u) == by)
    }

    /// Return the calls of routines and upcalls in the text of a unit.
    pub fn calls_in(&self, unit: usize) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |u| u.access == Access::Call && self.unit_of(u) == unit)
    }

    fn unit_of(&self, used: &Use) -> usize {
        self.units[used.place.file as usize]
    }

    /// Return whether names are bound within a span.
    pub fn binds(&self, within: Span) -> bool {
        self.uses_in(within).iter().any(|u| u.access == Access::Declare)
    }

    /// Return the functions and constants by their clauses.
    pub fn unfolded(&self) -> BTreeMap<Span, DeclId> {
        let decls = self.decls.iter().enumerate();
        let unfolded = decls.filter(|(_, decl)| matches!(decl.kind, Kind::Function | Kind::Const));
        unfolded.map(|(id, decl)| (decl.clause, id)).collect()
    }

    /// Return the declarations that a chain of uses leads to, from a clause other than those of functions and constants.
    pub fn used(&self) -> BTreeSet<DeclId> {
        let unfolded = self.unfolded();
        self.reached(|used| !unfolded.contains_key(&used.clause))
    }

    /// Return the declarations to which a chain of uses leads, through functions and constants.
    pub fn reached(&self, begins: impl Fn(&Use) -> bool) -> BTreeSet<DeclId> {
        let unfolded = self.unfolded();
        let reads = || self.uses.iter().filter(|u| !matches!(u.access, Access::Declare | Access::Write));
        let mut by_user: BTreeMap<DeclId, Vec<DeclId>> = BTreeMap::new();
        for used in reads() {
            if let Some(user) = unfolded.get(&used.clause) {
                by_user.entry(*user).or_default().push(used.decl);
            }
        }
        let mut reached = BTreeSet::new();
        let mut open: Vec<DeclId> = reads().filter(|u| begins(u)).map(|u| u.decl).collect();
        while let Some(decl) = open.pop() {
            if reached.insert(decl) {
                open.extend(by_user.get(&decl).into_iter().flatten());
            }
        }
        reached
    }

    /// Return the uses at exactly this span.
    pub fn uses_at(&self, place: Span) -> &[Use] {
        let from = self.uses.partition_point(|u| u.place < place);
        let to = self.uses.partition_point(|u| u.place <= place);
        &self.uses[from..to]
    }

    /// Return the declaration at exactly this span, once everything is resolved.
    pub fn declaration_at(&self, place: Span) -> Option<DeclId> {
        self.uses_at(place).iter().filter(|u| self.decls[u.decl].place == place).map(|u| u.decl).min()
    }

    /// Return the declaration at this span while names are still being resolved.
    fn declared_at(&self, place: Span) -> Option<DeclId> {
        self.decls.iter().position(|d| d.place == place)
    }
}
