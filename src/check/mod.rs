//! The checker: resolve names, infer types, enforce the assumptions, link layers and problem, and lower everything to code over
//! numbered slots (`ir::Program`).
//!
//! Order of the work: `load` loads base, layers and problem, and sorts their clauses into sections. `names` finds the
//! declaration of each name. `model` grants the assumptions, and `link` makes components of a process. For each role, `process`
//! elaborates expressions (`expr`) and statements (`stmt`) with types still unknown; `place` assigns slots once inference is
//! complete. Then follow properties and scenarios, which see the roles from outside (`observer`). The result is [`Typed`], the
//! parts of the program that have types: `rules` reports errors in them, `lint` doubts.

mod vocabulary;
pub mod load;
pub mod names;
mod context;
mod model;
mod fixes;
mod types;
mod place;
mod expr;
mod link;
mod stmt;
mod process;
mod observer;
mod question;
mod typed;
mod rules;
mod lint;
mod dedup;

pub use crate::library::snake;
pub(crate) use crate::prose;
pub use model::VOCABULARY;
pub use question::{QuestionError, QuestionInput, check_question};
pub use typed::{Types, check_parsed, check_typed};
pub use types::infer::type_name;
pub use vocabulary::{FUNCTIONS, PREDEFINED};

use crate::diagnostic::{Diagnostic, Hint, Typing};
use crate::ir::{self, Question, Type};
use crate::source::{Sources, Span};
use crate::syntax::Parsed;
use context::{Comp, Cx, Mode};
use load::Loaded;
use load::unit::Unit;
use names::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

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
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    pub is_problem: bool,
    pub doc: Option<String>,
}

/// Check a text. `name` is the name of the file in messages.
pub fn check(name: &str, text: &str, find: Find) -> Checked {
    examine(load::load(name, Arc::new(Parsed::new(0, text)), find), find, None, None).0
}

/// Check a loaded program, and optionally an expression about it.
fn examine(
    loaded: Loaded,
    find: Find,
    asked: Option<&QuestionInput>,
    types: Option<&mut Types>,
) -> (Checked, Option<Question>) {
    let names = Rc::new(names::resolve(&loaded));
    let Loaded { mut sources, units, mut diagnostics, is_complete } = loaded;
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
        return (Checked { program: None, diagnostics, sources, header }, None);
    }
    let asked = asked.map(|asked| (sources.add("the expression", asked.text), asked));
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
    let (program, question) = checker.program(asked);
    if let Some(types) = types {
        *types = std::mem::take(&mut checker.named_types);
    }
    let missing = std::mem::take(&mut checker.misdeclared_names);
    let mut diagnostics = checker.findings;
    dedup::remove_consequences(&mut diagnostics, &sources, missing, &names, &parsed);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    (Checked { program: program.filter(|_| !failed), diagnostics, sources, header }, question)
}

/// Variables and states of a role after slot assignment, for code that sees roles from outside.
#[derive(Clone, Debug, Default)]
pub struct ElaboratedRole {
    pub vars: BTreeMap<(usize, String), (ir::Slot, Type)>,
    /// The ranges of the variables that have any.
    pub ranges: BTreeMap<(usize, String), ir::Ranges>,
    /// The slot of the control state, and the value of each state.
    pub states: BTreeMap<(usize, String), (u16, i64)>,
    /// Guards that the code does not test: see `Cx::implied`.
    pub implied: Vec<(ir::Pc, ir::Expr)>,
    /// The scope of the role's commands.
    pub names: Cx,
}

/// The parts of a program whose expressions have types.
pub struct Typed {
    roles: Vec<ir::Role>,
    outputs: Vec<ir::Output>,
    oracles: Vec<ir::Oracle>,
    properties: Vec<ir::Property>,
    scenarios: Vec<ir::Scenario>,
    worst_id: Option<(ir::Slot, ir::Expr)>,
    /// The slot of the clock that notes carry, in each role.
    note_clock: Option<Vec<Option<u16>>>,
    views: Vec<ir::View>,
    shared: Vec<ir::Shared>,
    /// The expression that was asked.
    question: Option<Question>,
}

/// Arguments that a `uses` clause passes to the parameters of a layer.
type LayerArgs = Vec<(crate::syntax::ast::Name, crate::syntax::ast::Expr)>;

#[derive(Default)]
pub struct Checker<'s> {
    pub sources: &'s Sources,
    pub names: Rc<Names>,
    pub find: Option<Find<'s>>,
    pub findings: Vec<Diagnostic>,
    /// Findings that are reported only if there are no errors.
    pub deferred_findings: Vec<Diagnostic>,
    /// Comparisons by order, and the types of their left sides.
    pub orderings: Vec<(Span, Type)>,
    /// Names that would be declared if their declarations had no errors.
    pub misdeclared_names: BTreeSet<String>,
    pub infer: types::infer::Infer,
    /// Shared, so that a unit can be traversed while the checker is modified.
    pub units: Vec<Rc<Unit>>,
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
    pub elaborated_roles: Vec<ElaboratedRole>,
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
    pub global_frame: (u16, u16),
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
    fn program(&mut self, asked: Option<(u32, &QuestionInput)>) -> (Option<ir::Program>, Option<Question>) {
        self.link();
        self.assume();
        let mut typed = self.typed(asked);
        self.orderings();
        let wrong = self.rules(&typed);
        self.findings.extend(wrong);
        self.check_unused();
        self.name_types();
        if self.findings.iter().any(Diagnostic::is_error) {
            return (None, None);
        }
        self.findings.append(&mut self.deferred_findings);
        let doubts = self.lint(&typed);
        self.findings.extend(doubts);
        let question = typed.question.take();
        (Some(self.assemble(typed)), question)
    }

    /// Report comparisons by order between values without an order.
    fn orderings(&mut self) {
        for (span, ty) in std::mem::take(&mut self.orderings) {
            if let Type::List(_) = self.infer.full(&ty) {
                self.error(Typing::ListsHaveNoOrder.at(span));
            }
        }
    }

    /// Elaborate all parts of the program that have types.
    fn typed(&mut self, asked: Option<(u32, &QuestionInput)>) -> Typed {
        let role_count = self.units[0].roles.len().max(1) as u16;
        let drafts = (0..role_count).map(|r| self.role(r)).collect();
        let roles = self.place_roles(drafts);
        let outputs = self.outputs();
        let oracles = self.oracles();
        self.in_property = true;
        let properties = self.properties();
        self.in_property = false;
        let worst_id = self.worst_id();
        let scenarios = self.scenarios(&properties, worst_id.is_some());
        let note_clock = self.note_clock();
        let question = asked.and_then(|(file, asked)| self.question(file, asked));
        self.settle_params();
        self.assign_field_places();
        self.check_additive_types();
        let views = self.views();
        let shared = self.shared_variables();
        self.observe(0);
        Typed {
            roles,
            outputs,
            oracles,
            properties,
            scenarios,
            worst_id,
            note_clock,
            views,
            shared,
            question,
        }
    }

    fn assemble(&mut self, typed: Typed) -> ir::Program {
        // Later uses may have determined the types of variables.
        let mut roles = typed.roles;
        for v in roles.iter_mut().flat_map(|role| &mut role.vars) {
            v.ty = self.infer.full(&v.ty);
        }
        let unit = &self.units[0];
        ir::Program {
            name: unit.name.text.clone(),
            doc: unit.doc.clone(),
            sources: self.sources.clone(),
            problem: unit.solves.as_ref().map(|s| {
                let args: Vec<String> =
                    s.args.iter().map(|(k, v)| format!("{}: {}", k.text, v.text)).collect();
                if args.is_empty() {
                    s.name.text.clone()
                } else {
                    format!("{}({})", s.name.text, args.join(", "))
                }
            }),
            assumptions: self.assumptions.clone(),
            enums: std::mem::take(&mut self.enums),
            records: std::mem::take(&mut self.records),
            params: std::mem::take(&mut self.params),
            kinds: std::mem::take(&mut self.kinds),
            lanes: std::mem::take(&mut self.lanes),
            roles,
            actions: std::mem::take(&mut self.actions),
            guards: std::mem::take(&mut self.guards),
            operations: std::mem::take(&mut self.operations),
            upcalls: std::mem::take(&mut self.upcalls),
            outputs: typed.outputs,
            properties: typed.properties,
            scenarios: typed.scenarios,
            worst_id: typed.worst_id,
            note_clock: typed.note_clock,
            reads_initiator: self.reads_initiator,
            outcomes: Vec::new(),
            views: typed.views,
            shared: typed.shared,
            oracles: typed.oracles,
            global_frame: self.global_frame,
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

    /// Assign each field its place among the words or values of its message.
    fn assign_field_places(&mut self) {
        for kind in &mut self.kinds {
            (kind.words, kind.values) = (0, 0);
            for field in &mut kind.fields {
                let ty = self.infer.full(&field.ty);
                field.ty = if self.infer.is_known(&ty) { ty } else { Type::Int };
                field.place = if field.ty.is_word() {
                    kind.words += 1;
                    ir::Slot::Word(kind.words - 1)
                } else {
                    kind.values += 1;
                    ir::Slot::Value(kind.values - 1)
                };
            }
        }
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
