//! Sort the flat list of clauses into sections: each handler into its state and role.
//!
//! Sections, states and routines are reference-counted: the checker is modified while it traverses them, many times.

use crate::diagnostic::{Diagnostic, Fix, Label, Naming};
use crate::library::snake;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::{Parsed, TokenKind};
use std::sync::Arc;

/// An algorithm or a problem, sorted into sections.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub file: u32,
    /// The files of the unit with their numbers: a variant, then its base, then the base of that.
    pub parsed: Vec<(u32, Arc<Parsed>)>,
    /// Whether the text begins with `algorithm` or `problem`, and this clause has a tree.
    pub has_header: bool,
    /// The unit of the problem that it solves.
    pub problem: Option<usize>,
    /// The units of the layers that it uses, in the order of `uses`.
    pub layers: Vec<Option<usize>>,
    pub name: Name,
    pub doc: Option<String>,
    pub is_problem: bool,
    pub options: Vec<ProblemParam>,
    pub solves: Option<ProblemUse>,
    pub variant_of: Option<Name>,
    pub assumes: Vec<Assumption>,
    pub assumes_span: Option<Span>,
    pub uses: Vec<Use>,
    pub messages: Vec<MessageDecl>,
    pub enums: Vec<(Name, Vec<Name>)>,
    pub records: Vec<(Name, Vec<crate::syntax::ast::Param>)>,
    pub consts: Vec<(Name, Option<TypeExpr>, Expr)>,
    pub params: Vec<(Name, Option<TypeExpr>, Option<Expr>)>,
    pub functions: Vec<Function>,
    /// Outputs of a problem: name, type, definition.
    pub outputs: Vec<(Name, Option<TypeExpr>, Option<Expr>)>,
    /// `output x : T initially e`
    pub initial_outputs: Vec<(String, Expr)>,
    /// The part before any `role` clause; every role contains it.
    pub common: Arc<RoleSection>,
    pub roles: Vec<Arc<RoleSection>>,
    pub properties: Vec<(Property, Option<String>, Span)>,
    pub scenarios: Vec<(Scenario, Option<String>, Span)>,
    pub stamps: Option<Name>,
    pub views: Vec<View>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub params: Vec<crate::syntax::ast::Param>,
    pub result: Option<TypeExpr>,
    pub body: Expr,
}

#[derive(Clone, Debug, Default)]
pub struct RoleSection {
    pub name: Option<Name>,
    pub span: Span,
    pub vars: Vec<VarSection>,
    pub procedures: Vec<Arc<Routine>>,
    pub operations: Vec<Arc<Routine>>,
    pub states: Vec<Arc<StateSection>>,
    pub always: Vec<HandlerSection>,
    pub client: Option<(Block, Span)>,
}

#[derive(Clone, Debug)]
pub struct VarSection {
    pub names: Vec<Name>,
    pub ty: Option<TypeExpr>,
    pub init: Option<Expr>,
    pub persistent: bool,
}

/// A procedure or an operation.
#[derive(Clone, Debug)]
pub struct Routine {
    pub name: Name,
    pub params: Vec<crate::syntax::ast::Param>,
    pub alias: Option<Name>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct StateSection {
    pub name: Name,
    pub initial: bool,
    pub body: Block,
    pub handlers: Vec<HandlerSection>,
}

#[derive(Clone, Debug)]
pub enum HandlerSection {
    Handler(Handler),
    Defer(MessageGuard),
    Ignore(MessageGuard),
}

/// The section that the next handler belongs to.
enum Section {
    /// States by index, all of one clause.
    States(Vec<usize>),
    Always,
}

impl RoleSection {
    /// Return the handlers that apply in every state, and those of each state.
    pub fn handlers(&self) -> impl Iterator<Item = &HandlerSection> {
        self.always.iter().chain(self.states.iter().flat_map(|state| &state.handlers))
    }

    /// Return the messages, upcalls and events that these handlers take.
    pub fn guards(&self) -> impl Iterator<Item = &MessageGuard> {
        self.handlers().filter_map(|handler| match handler {
            HandlerSection::Handler(Handler { trigger: Trigger::On(guard), .. }) => Some(guard),
            _ => None,
        })
    }
}

impl Unit {
    /// Sort the clauses of one file. If it has no header, report this, and nothing else.
    pub fn new(file: u32, parsed: Arc<Parsed>, found: &mut Vec<Diagnostic>) -> Unit {
        let clauses = &parsed.module.clauses;
        let mut unit = Unit { file, parsed: vec![(file, parsed.clone())], ..Unit::default() };
        let said = found.len();
        unit.has_header = clauses.first().is_some_and(|first| unit.header(first));
        let mut role: Option<usize> = None;
        let mut section = Section::Always;
        for clause in &clauses[usize::from(unit.has_header)..] {
            unit.place(clause, &mut role, &mut section, found);
        }
        if !unit.has_header {
            found.truncate(said);
            unit.half_typed_header(&parsed);
            found.extend(missing_header(file, clauses.first(), found));
        }
        unit
    }

    /// Take a clause as the header. Return whether it is one.
    fn header(&mut self, clause: &Clause) -> bool {
        match &clause.kind {
            ClauseKind::Algorithm { name, variant_of, solves } => {
                self.name = name.clone();
                self.variant_of = variant_of.clone();
                self.solves = solves.clone();
            }
            ClauseKind::Problem { name, params } => {
                self.name = name.clone();
                self.is_problem = true;
                self.options = params.clone();
            }
            _ => return false,
        }
        self.doc = clause.doc.clone();
        true
    }

    /// Take the names from a header that cannot be parsed yet: `algorithm a solves Election(winner: `.
    fn half_typed_header(&mut self, parsed: &Parsed) {
        let words = parsed.tokens.iter().filter(|t| t.kind == TokenKind::Word).take(8);
        let words: Vec<Name> = words
            .map(|t| Name {
                text: t.text(&parsed.text).to_string(),
                span: Span::new(self.file, t.start, t.end),
            })
            .collect();
        if words.first().is_none_or(|first| first.text != "algorithm") {
            return;
        }
        let after = |word: &str| words.iter().skip_while(|w| w.text != word).nth(1).cloned();
        match after("solves") {
            Some(name) => self.solves = Some(ProblemUse { name, args: Vec::new(), without: Vec::new() }),
            None => self.variant_of = after("of"),
        }
    }

    fn role(&mut self, role: Option<usize>) -> &mut RoleSection {
        match role {
            Some(r) => Arc::make_mut(&mut self.roles[r]),
            None => Arc::make_mut(&mut self.common),
        }
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm for each clause")]
    fn place(
        &mut self,
        clause: &Clause,
        role: &mut Option<usize>,
        section: &mut Section,
        found: &mut Vec<Diagnostic>,
    ) {
        // A declaration ends the section of a state; handlers after it apply in every state.
        if !matches!(clause.kind, ClauseKind::Handler(_) | ClauseKind::Defer(_) | ClauseKind::Ignore(_)) {
            *section = Section::Always;
        }
        match clause.kind.clone() {
            ClauseKind::Algorithm { name, .. } | ClauseKind::Problem { name, .. } => found.push(
                Naming::SecondHeader(name.text).at(clause.span).related(self.name.span, Label::FirstHeader),
            ),
            ClauseKind::Assumes(list) => {
                self.assumes.extend(list);
                self.assumes_span.get_or_insert(clause.span);
            }
            ClauseKind::Uses(list) => self.uses.extend(list),
            ClauseKind::Message(list) => self.messages.extend(list),
            ClauseKind::Enum { name, cases } => self.enums.push((name, cases)),
            ClauseKind::Record { name, fields } => self.records.push((name, fields)),
            ClauseKind::Const { name, ty, value } => self.consts.push((name, ty, value)),
            ClauseKind::Param { name, ty, default } => self.params.push((name, ty, default)),
            ClauseKind::Var { output, persistent, initially, names, ty, init } => {
                if output && !self.is_problem {
                    found.push(Naming::OutputInAlgorithm.at(clause.span).fix(Fix::replace(
                        Span { end: clause.span.start + "output".len() as u32, ..clause.span },
                        "var",
                    )));
                }
                if output && self.is_problem {
                    for name in names {
                        let defined = init.clone().filter(|_| !initially);
                        self.outputs.push((name.clone(), ty.clone(), defined));
                        if let Some(init) = init.clone().filter(|_| initially) {
                            self.initial_outputs.push((name.text, init));
                        }
                    }
                } else {
                    self.role(*role).vars.push(VarSection { names, ty, init, persistent });
                }
            }
            ClauseKind::Function { name, params, result, body } => {
                self.functions.push(Function { name, params, result, body });
            }
            ClauseKind::Procedure { name, params, body } => {
                self.role(*role).procedures.push(Arc::new(Routine { name, params, alias: None, body }));
            }
            ClauseKind::Operation { name, params, alias, body } => {
                self.role(*role).operations.push(Arc::new(Routine { name, params, alias, body }));
            }
            ClauseKind::Client { body } => {
                if !self.is_problem {
                    found.push(Naming::ClientInAlgorithm.at(clause.span));
                }
                self.role(*role).client = Some((body, clause.span));
            }
            ClauseKind::Role { name } => {
                let known =
                    self.roles.iter().position(|r| r.name.as_ref().is_some_and(|n| n.text == name.text));
                *role = Some(known.unwrap_or_else(|| {
                    let (name, span) = (Some(name), clause.span);
                    self.roles.push(Arc::new(RoleSection { name, span, ..RoleSection::default() }));
                    self.roles.len() - 1
                }));
            }
            ClauseKind::State { initial, names, body } => {
                let states = &mut self.role(*role).states;
                let mut indices = Vec::new();
                for name in names {
                    match states.iter().position(|s| s.name.text == name.text) {
                        // A section may be reopened to add handlers.
                        Some(i) if body.is_empty() || states[i].body.is_empty() => {
                            let state = Arc::make_mut(&mut states[i]);
                            if !body.is_empty() {
                                state.body = body.clone();
                            }
                            state.initial |= initial;
                            indices.push(i);
                        }
                        Some(i) => {
                            found.push(
                                Naming::TwoBodies(name.text)
                                    .at(name.span)
                                    .related(states[i].name.span, Label::FirstOne),
                            );
                            indices.push(i);
                        }
                        None => {
                            states.push(Arc::new(StateSection {
                                name,
                                initial,
                                body: body.clone(),
                                handlers: Vec::new(),
                            }));
                            indices.push(states.len() - 1);
                        }
                    }
                }
                *section = Section::States(indices);
            }
            ClauseKind::Always => *section = Section::Always,
            ClauseKind::Handler(handler) => {
                self.add_handler(*role, section, HandlerSection::Handler(handler))
            }
            ClauseKind::Defer(guards) => {
                guards.into_iter().for_each(|g| self.add_handler(*role, section, HandlerSection::Defer(g)));
            }
            ClauseKind::Ignore(guards) => {
                guards.into_iter().for_each(|g| self.add_handler(*role, section, HandlerSection::Ignore(g)));
            }
            ClauseKind::View(view) => self.views.push(view),
            ClauseKind::Stamps { variable } => self.stamps = Some(variable),
            ClauseKind::Property(property) => {
                self.properties.push((property, clause.doc.clone(), clause.span));
            }
            ClauseKind::Scenario(scenario) => {
                self.scenarios.push((scenario, clause.doc.clone(), clause.span));
            }
        }
    }

    fn add_handler(&mut self, role: Option<usize>, section: &Section, handler: HandlerSection) {
        let role = self.role(role);
        match section {
            Section::States(indices) => {
                for i in indices {
                    Arc::make_mut(&mut role.states[*i]).handlers.push(handler.clone());
                }
            }
            Section::Always => role.always.push(handler),
        }
    }

    /// Return the clauses of the unit's own file, without those of a base.
    pub fn own_clauses(&self) -> &[Clause] {
        self.parsed.first().map_or(&[], |(_, parsed)| &parsed.module.clauses)
    }

    /// Return the sections of all roles together, and of each.
    pub fn sections(&self) -> impl Iterator<Item = &Arc<RoleSection>> {
        std::iter::once(&self.common).chain(&self.roles)
    }

    /// Return the sections of a role, including those that all roles share.
    pub fn role_sections(&self, role: usize) -> Vec<Arc<RoleSection>> {
        std::iter::once(&self.common).chain(self.roles.get(role)).cloned().collect()
    }
}

/// Report that a text has no header, unless its header failed to parse, which has been reported.
fn missing_header(file: u32, first: Option<&Clause>, found: &[Diagnostic]) -> Option<Diagnostic> {
    let end = first.map_or(u32::MAX, |clause| clause.span.start);
    let has_error_before =
        |d: &Diagnostic| d.span.file == file && (d.span.start < end || d.is_error() && d.span.start == end);
    if found.iter().any(has_error_before) {
        return None;
    }
    let span = first.map_or(Span::new(file, 0, 0), |clause| clause.span);
    Some(if first.is_none() { Naming::NoClauses } else { Naming::NoHeader }.at(span))
}

/// Return whether this layer comes from the assumption: its alias is not written, so it has the place of the name.
pub fn is_synchronizer(layer: &Use) -> bool {
    layer.alias.as_ref().is_some_and(|alias| alias.span == layer.algorithm.span)
}

/// Make the synchronizer that the algorithm assumes a layer of it.
pub fn add_synchronizer_layer(unit: &mut Unit) {
    let named = |a: &Assumption| match a.words.as_slice() {
        [synchronous, by, name] if synchronous.text == "synchronous" && by.text == "by" => Some(name.clone()),
        _ => None,
    };
    if let Some(algorithm) = unit.assumes.iter().find_map(named) {
        let alias = Name { text: snake(&algorithm.text), span: algorithm.span };
        unit.uses.push(Use { algorithm, args: Vec::new(), alias: Some(alias) });
    }
}
