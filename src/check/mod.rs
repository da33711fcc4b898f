//! The checker: resolve names, infer types, enforce the assumptions, link layers and problem, and lower everything to code over
//! numbered slots (`ir::Program`).
//!
//! Order of the work: `load` loads base, layers and problem, and sorts their clauses into sections. `names` finds the
//! declaration of each name. `model` grants the assumptions, and `link` makes components of a process. For each role, `process`
//! elaborates expressions (`expr`) and statements (`stmt`) with types still unknown. Then follow properties and scenarios, which
//! see the roles from outside (`observer`). Once inference is complete, the result is [`Typed`]: `rules` reports errors in it,
//! `lint` doubts, and `code` assigns slots.

mod vocabulary;
pub mod load;
pub mod names;
mod context;
mod model;
mod types;
mod typed;
mod fixes;
mod expr;
mod link;
mod stmt;
mod process;
mod observer;
mod rules;
mod lint;
mod code;
mod dedup;
mod question;

pub use crate::library::snake;
pub(crate) use crate::prose;
pub use model::VOCABULARY;
pub use question::{QuestionError, QuestionInput};
pub use typed::Typed;
pub use types::infer::type_name;
pub use types::places::{Types, check_parsed, check_typed};
pub use vocabulary::{FUNCTIONS, PREDEFINED};

use crate::diagnostic::{Diagnostic, Hint, Typing};
use crate::ir::{self, Type};
use crate::source::{Sources, Span};
use crate::syntax::Parsed;
use context::{Comp, Cx, Mode};
use load::Loaded;
use load::unit::Unit;
use names::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use typed::Role;
use types::infer::Infer;

/// Look up the text of a problem or algorithm by name: a file beside the user's, or the library. Return the name under which the
/// file is shown, and its text. A name with a dot, such as `nets/four.dot`, is the path of a network, relative to the user's file
/// unless it is absolute.
pub type Find<'f> = &'f dyn Fn(&str) -> Option<(String, String)>;

/// The result of checking a file.
pub struct Checked {
    /// Absent if there are errors. A problem file yields a program without behaviour.
    pub program: Option<ir::Program>,
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
    /// The header of the file, even if the file has errors.
    pub header: Option<Header>,
    /// The typed program, for questions about it. Absent if there are errors.
    pub typed: Option<Arc<Typed>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    pub is_problem: bool,
    pub doc: Option<String>,
}

/// Check a text. `name` is the name of the file in messages.
pub fn check(name: &str, text: &str, find: Find) -> Checked {
    examine(load::load(name, Arc::new(Parsed::new(0, text)), find), find, None)
}

/// Check a loaded program.
fn examine(loaded: Loaded, find: Find, types: Option<&mut Types>) -> Checked {
    let names = Arc::new(names::resolve(&loaded));
    let Loaded { sources, units, mut diagnostics, is_complete } = loaded;
    let parsed = units[0].parsed[0].1.clone();
    let header = units[0].has_header.then(|| Header {
        name: units[0].name.text.clone(),
        is_problem: units[0].is_problem,
        doc: units[0].doc.clone(),
    });
    if !is_complete {
        if header.is_some() {
            dedup::remove_consequences(&mut diagnostics, &sources, BTreeSet::new(), &names, &parsed);
        }
        return Checked { program: None, diagnostics, sources, header, typed: None };
    }
    let mut checker = Checker {
        sources: &sources,
        names: names.clone(),
        find: Some(find),
        units,
        findings: diagnostics,
        actions: vec![ir::Action { name: "start".into(), layer: String::new(), span: Span::default() }],
        cx: Cx::new(None, 0, Mode::Global),
        types: types.is_some().then(BTreeMap::new),
        ..Checker::default()
    };
    let typed = checker.infer();
    if let Some(types) = types {
        *types = std::mem::take(&mut checker.named_types);
    }
    let mut diagnostics = checker.findings;
    diagnostics.extend(rules::check(&typed));
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    if !failed {
        diagnostics.extend(checker.deferred_findings);
        diagnostics.extend(lint::lint(&typed));
    }
    dedup::remove_consequences(&mut diagnostics, &sources, checker.misdeclared_names, &names, &parsed);
    let failed = failed || diagnostics.iter().any(Diagnostic::is_error);
    let typed = (!failed).then(|| Arc::new(typed));
    let program = typed.as_deref().map(code::lower);
    Checked { program, diagnostics, sources, header, typed }
}

/// Arguments that a `uses` clause passes to the parameters of a layer.
type LayerArgs = Vec<(crate::syntax::ast::Name, crate::syntax::ast::Expr)>;

#[derive(Default)]
pub struct Checker<'s> {
    pub sources: &'s Sources,
    pub names: Arc<Names>,
    pub find: Option<Find<'s>>,
    pub findings: Vec<Diagnostic>,
    /// Findings that are reported only if there are no errors.
    pub deferred_findings: Vec<Diagnostic>,
    /// Comparisons by order, and the types of their left sides.
    pub orderings: Vec<(Span, Type)>,
    /// Names that would be declared if their declarations had no errors.
    pub misdeclared_names: BTreeSet<String>,
    pub infer: Infer,
    /// Shared, so that a unit can be traversed while the checker is modified.
    pub units: Vec<Arc<Unit>>,
    pub comps: Vec<Comp>,
    pub assumptions: ir::Assumptions,
    pub enums: Vec<ir::EnumType>,
    pub records: Vec<ir::RecordType>,
    pub params: Vec<ir::Param>,
    pub kinds: Vec<ir::MessageKind>,
    pub lanes: Vec<ir::Lane>,
    pub actions: Vec<ir::Action>,
    pub guards: Vec<ir::Guard>,
    pub operations: Vec<ir::Operation>,
    pub upcalls: Vec<String>,
    /// Outputs that the algorithm or a layer leaves to the definition in its problem, by index.
    pub derived: BTreeMap<(usize, String), usize>,
    /// The roles that have been elaborated.
    pub roles: Vec<Arc<Role>>,
    pub cx: Cx,
    pub unfolding: Vec<String>,
    pub in_property: bool,
    /// In a property: values of functions without arguments, computed once.
    pub hoisted: Vec<(usize, String, ir::Expr)>,
    pub nodes: usize,
    /// Number of expressions that enclose the current one, and whether it has exceeded the limit.
    pub depth: usize,
    pub is_too_deep: bool,
    /// Types of `+` and `-`, to be checked once inference is complete.
    pub additive_types: Vec<(Type, Span, bool)>,
    /// Types as written, and their component.
    pub written_types: BTreeMap<context::Written, (usize, crate::syntax::ast::TypeExpr)>,
    /// Range types whose bounds have already been reported as wrong.
    pub wrong_bounds: BTreeSet<Span>,
    pub upcall_args: BTreeMap<(usize, String), Vec<Type>>,
    /// The places of these upcalls.
    pub upcall_sites: BTreeMap<(usize, String), Vec<context::Upcall>>,
    /// Argument types that a handler of an upcall is tried with, in place of those that the call passes.
    pub trial_argument_types: Option<Vec<Type>>,
    /// Some process reads `initiator`.
    pub reads_initiator: bool,
    /// The statement after a `pause`.
    pub after_pause: Option<String>,
    /// Arguments of `uses`: layer, user, values.
    pub layer_args: Vec<(usize, usize, LayerArgs)>,
    /// The first local of each frame of the observers.
    pub frames: Vec<usize>,
    /// Variables that neighbours read.
    pub shared: Vec<String>,
    /// The functions that oracles answer, in the order of their assumptions.
    pub oracles: Vec<crate::syntax::ast::Name>,
    /// The component whose assumptions are being checked.
    pub assuming_component: usize,
    /// The layer that simulates the rounds, if they are not part of the system model.
    pub synchronizer: Option<usize>,
    /// Types by place in the text, if requested.
    pub types: Option<BTreeMap<Span, Type>>,
    pub named_types: Types,
}

impl Checker<'_> {
    /// Report comparisons by order between values without an order.
    fn orderings(&mut self) {
        for (span, ty) in std::mem::take(&mut self.orderings) {
            if let Type::List(_) = self.infer.full(&ty) {
                self.error(Typing::ListsHaveNoOrder.at(span));
            }
        }
    }

    /// Link the program, and infer the types of all its parts.
    fn infer(&mut self) -> Typed {
        self.link();
        self.assume();
        for role in 0..self.units[0].roles.len().max(1) as u16 {
            let role = self.role(role);
            self.roles.push(Arc::new(role));
        }
        self.report_unknown_types();
        let outputs = self.outputs();
        let oracles = self.oracles();
        self.in_property = true;
        let properties = self.properties();
        self.in_property = false;
        let worst_id = self.worst_id();
        let (scenarios, processes) = self.scenarios(&properties, worst_id.is_some()).into_iter().unzip();
        let note_clock = self.note_clock();
        self.settle_params();
        self.settle_fields();
        self.check_additive_types();
        let views = self.views();
        let shared = self.shared_variables();
        self.orderings();
        self.report_too_many_locals();
        let frames = self.observers_locals();
        self.note_types_of_locals();
        self.check_unused();
        self.name_types();
        let mut typed = Typed {
            sources: self.sources.clone(),
            names: self.names.clone(),
            units: std::mem::take(&mut self.units),
            comps: std::mem::take(&mut self.comps),
            synchronizer: self.synchronizer,
            assumptions: std::mem::take(&mut self.assumptions),
            enums: std::mem::take(&mut self.enums),
            records: std::mem::take(&mut self.records),
            params: std::mem::take(&mut self.params),
            kinds: std::mem::take(&mut self.kinds),
            lanes: std::mem::take(&mut self.lanes),
            actions: std::mem::take(&mut self.actions),
            guards: std::mem::take(&mut self.guards),
            operations: std::mem::take(&mut self.operations),
            upcalls: std::mem::take(&mut self.upcalls),
            made_upcalls: self.upcall_args.keys().cloned().collect(),
            derived: std::mem::take(&mut self.derived),
            reads_initiator: self.reads_initiator,
            written_types: std::mem::take(&mut self.written_types),
            roles: std::mem::take(&mut self.roles),
            outputs,
            oracles,
            properties,
            scenarios,
            processes,
            worst_id,
            note_clock,
            views,
            shared,
            frames,
            infer: Infer::default(),
        };
        self.settle(&mut typed);
        typed.infer = std::mem::take(&mut self.infer);
        typed
    }

    /// Return a checker for further expressions of observers.
    fn resume<'s>(typed: &Typed, sources: &'s Sources) -> Checker<'s> {
        Checker {
            sources,
            names: typed.names.clone(),
            units: typed.units.clone(),
            comps: typed.comps.clone(),
            synchronizer: typed.synchronizer,
            assumptions: typed.assumptions.clone(),
            enums: typed.enums.clone(),
            records: typed.records.clone(),
            params: typed.params.clone(),
            kinds: typed.kinds.clone(),
            operations: typed.operations.clone(),
            upcalls: typed.upcalls.clone(),
            derived: typed.derived.clone(),
            written_types: typed.written_types.clone(),
            roles: typed.roles.clone(),
            infer: typed.infer.clone(),
            cx: Cx::new(None, typed.comps.len(), Mode::Global),
            ..Checker::default()
        }
    }

    /// Return the message kind of the bare values of the current component; create it when first needed.
    pub fn bare_kind(&mut self, span: Span) -> u32 {
        let comp = self.cx.comp;
        if let Some(kind) = self.comps[comp].bare {
            return kind;
        }
        let ty = self.infer.fresh();
        self.kinds.push(ir::MessageKind {
            name: String::new(),
            lane: self.comps[comp].lane,
            fields: vec![ir::Field { name: "value".into(), ty, place: ir::Slot::Word(0) }],
            words: 0,
            values: 0,
            span,
        });
        let kind = self.kinds.len() as u32 - 1;
        self.comps[comp].bare = Some(kind);
        kind
    }

    fn check_additive_types(&mut self) {
        for (ty, span, plus) in std::mem::take(&mut self.additive_types) {
            let fine = match self.infer.head(&ty) {
                Type::Int | Type::Set(_) | Type::Unknown(_) => true,
                Type::List(_) | Type::Map(_, _) => plus,
                _ => false,
            };
            if !fine {
                let have = self.type_words(&ty);
                let word = if plus { "+" } else { "-" };
                let hint = (have == "Id").then_some(Hint::IdsAreNoNumbers);
                self.error(Typing::NotAdditive(word, have).at(span).hint(hint));
            }
        }
    }
}
