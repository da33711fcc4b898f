//! Document symbols: the outline of a text.

use super::Analysis;
use crate::check::names::Kind;
use crate::ir::PropertyKind;
use crate::property::kind_word;
use crate::source::Span;
use crate::syntax::ast::{
    Clause, ClauseKind, MessageDecl, MessageGuard, Name, Param, Pattern, Trigger, TypeExpr, Use,
};

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    /// Additional text: a type, a topology.
    pub detail: String,
    pub kind: SymbolKind,
    pub whole: Span,
    pub place: Span,
    pub children: Vec<Symbol>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    Decl(Kind),
    Handler,
    Client,
}

impl Symbol {
    fn new(kind: SymbolKind, name: &str, place: Span, whole: Span) -> Symbol {
        Symbol { name: name.into(), detail: String::new(), kind, whole, place, children: Vec::new() }
    }
}

/// An outline under construction, with the open sections.
#[derive(Default)]
struct Outline {
    roots: Vec<Symbol>,
    role: Option<Symbol>,
    /// The open state of the role, or of the algorithm.
    state: Option<Symbol>,
}

impl Outline {
    /// Add a symbol to the open role.
    fn add(&mut self, symbol: Symbol) {
        match &mut self.role {
            Some(role) => {
                role.whole = role.whole.to(symbol.whole);
                role.children.push(symbol);
            }
            None => self.roots.push(symbol),
        }
    }

    fn add_handler(&mut self, handler: Symbol) {
        match &mut self.state {
            Some(state) => {
                state.whole = state.whole.to(handler.whole);
                state.children.push(handler);
            }
            None => self.add(handler),
        }
    }

    fn end_state(&mut self) {
        if let Some(state) = self.state.take() {
            self.add(state);
        }
    }

    fn end_role(&mut self) {
        self.roots.extend(self.role.take());
    }
}

impl Analysis {
    /// Return the clauses in order: handlers under their state, everything of a role under that role.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut outline = Outline::default();
        for clause in &self.user_file().module.clauses {
            let is_handler =
                matches!(clause.kind, ClauseKind::Handler(_) | ClauseKind::Defer(_) | ClauseKind::Ignore(_));
            if is_handler {
                outline.add_handler(handler_symbol(clause));
                continue;
            }
            outline.end_state();
            let ends_role = matches!(
                clause.kind,
                ClauseKind::Role { .. } | ClauseKind::Property(_) | ClauseKind::Scenario(_)
            );
            if ends_role {
                outline.end_role();
            }
            match &clause.kind {
                ClauseKind::Role { name } => outline.role = Some(named(Kind::Role, name, clause)),
                ClauseKind::State { names, .. } => {
                    let Some(name) = names.first() else { continue };
                    let all: Vec<&str> = names.iter().map(|n| n.text.as_str()).collect();
                    outline.state = Some(Symbol { name: all.join(", "), ..named(Kind::State, name, clause) });
                }
                _ => self.clause_symbols(clause).into_iter().for_each(|symbol| outline.add(symbol)),
            }
        }
        outline.end_state();
        outline.end_role();
        outline.roots.sort_by_key(|s| s.whole);
        outline.roots
    }

    /// Return what a clause declares that is not a section.
    fn clause_symbols(&self, clause: &Clause) -> Vec<Symbol> {
        let named = |kind: Kind, name: &Name| named(kind, name, clause);
        let text = |span: Option<Span>| span.map_or("", |span| self.user_file().slice(span)).to_string();
        let type_text = |ty: &Option<TypeExpr>| text(ty.as_ref().map(|t| t.span));
        vec![match &clause.kind {
            ClauseKind::Algorithm { name, solves, .. } => {
                let solved = solves.as_ref().map(|s| format!("solves {}", s.name.text)).unwrap_or_default();
                Symbol { detail: solved, ..named(Kind::Algorithm, name) }
            }
            ClauseKind::Problem { name, .. } => named(Kind::Problem, name),
            ClauseKind::Message(list) => {
                let message = |message: &MessageDecl| {
                    let children = self.part_symbols(Kind::Field, &message.fields);
                    let end = children.last().map_or(message.name.span, |c| message.name.span.to(c.whole));
                    Symbol { whole: end, children, ..named(Kind::Message, &message.name) }
                };
                return list.iter().map(message).collect();
            }
            ClauseKind::Enum { name, cases } => {
                let case = |c: &Name| Symbol::new(SymbolKind::Decl(Kind::Case), &c.text, c.span, c.span);
                Symbol { children: cases.iter().map(case).collect(), ..named(Kind::Enum, name) }
            }
            ClauseKind::Record { name, fields } => {
                Symbol { children: self.part_symbols(Kind::RecordField, fields), ..named(Kind::Record, name) }
            }
            ClauseKind::Const { name, ty, .. } => {
                Symbol { detail: type_text(ty), ..named(Kind::Const, name) }
            }
            ClauseKind::Param { name, ty, .. } => {
                Symbol { detail: type_text(ty), ..named(Kind::Param, name) }
            }
            ClauseKind::Var { output, names, ty, .. } => {
                let kind = if *output { Kind::Output } else { Kind::Variable };
                let variable = |name: &Name| {
                    let id = self.names.declaration_at(name.span);
                    let inferred = || id.and_then(|id| self.inferred(id)).unwrap_or_default();
                    let detail = ty.as_ref().map_or_else(inferred, |t| text(Some(t.span)));
                    let whole = if names.len() == 1 { clause.span } else { name.span };
                    Symbol { detail, whole, ..named(kind, name) }
                };
                return names.iter().map(variable).collect();
            }
            ClauseKind::Function { name, .. } => named(Kind::Function, name),
            ClauseKind::Procedure { name, .. } => named(Kind::Procedure, name),
            ClauseKind::Operation { name, .. } => named(Kind::Operation, name),
            ClauseKind::Client { .. } => {
                Symbol::new(SymbolKind::Client, "client", beginning(clause, "client"), clause.span)
            }
            ClauseKind::Uses(list) => {
                let layer = |used: &Use| {
                    let alias = used.name();
                    let whole = used.algorithm.span.to(alias.span);
                    Symbol { whole, detail: used.algorithm.text.clone(), ..named(Kind::Layer, alias) }
                };
                return list.iter().map(layer).collect();
            }
            ClauseKind::Property(property) => {
                let detail = property_word(property.kind).into();
                Symbol { detail, ..named(Kind::Property, &property.name) }
            }
            ClauseKind::Scenario(scenario) => {
                let on = scenario.on.as_ref().map(|on| on.span);
                Symbol { detail: text(on), ..named(Kind::Scenario, &scenario.name) }
            }
            ClauseKind::Assumes(_)
            | ClauseKind::Always
            | ClauseKind::Stamps { .. }
            | ClauseKind::View(_)
            | ClauseKind::Role { .. }
            | ClauseKind::State { .. }
            | ClauseKind::Handler(_)
            | ClauseKind::Defer(_)
            | ClauseKind::Ignore(_) => return Vec::new(),
        }]
    }

    fn part_symbols(&self, kind: Kind, params: &[Param]) -> Vec<Symbol> {
        let part = |p: &Param| {
            let end = p.ty.as_ref().map_or(p.name.span, |t| p.name.span.to(t.span));
            let detail = p.ty.as_ref().map_or("", |t| self.user_file().slice(t.span));
            let symbol = Symbol::new(SymbolKind::Decl(kind), &p.name.text, p.name.span, end);
            Symbol { detail: detail.into(), ..symbol }
        };
        params.iter().map(part).collect()
    }
}

fn named(kind: Kind, name: &Name, clause: &Clause) -> Symbol {
    Symbol::new(SymbolKind::Decl(kind), &name.text, name.span, clause.span)
}

fn handler_symbol(clause: &Clause) -> Symbol {
    let label = clause_label(&clause.kind);
    let head = beginning(clause, label.split(' ').next().unwrap_or_default());
    Symbol::new(SymbolKind::Handler, &label, head, clause.span)
}

/// Return the span of the word with which a clause begins.
fn beginning(clause: &Clause, word: &str) -> Span {
    Span { end: clause.span.start + word.len() as u32, ..clause.span }
}

/// Return the keyword of the clause.
pub fn property_word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::LeadsTo => "leads",
        kind => kind_word(kind),
    }
}

/// Return the label of a clause in prose: `state candidate`, `on Probe`, `operation enter`.
pub fn clause_label(kind: &ClauseKind) -> String {
    use ClauseKind as C;
    let joined = |names: &[Name]| names.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(", ");
    let guard = |g: &MessageGuard| {
        let of = match &g.pattern {
            Pattern::Message(name, args, _) if name.text == "timeout" => match args.first() {
                Some(Pattern::Name(timer)) => format!("timeout({})", timer.text),
                _ => name.text.clone(),
            },
            Pattern::Name(name) | Pattern::Message(name, ..) => name.text.clone(),
            _ => "a value".into(),
        };
        match &g.layer {
            Some(layer) => format!("{}.{of}", layer.text),
            None => of,
        }
    };
    match kind {
        C::Algorithm { name, .. } => format!("algorithm {}", name.text),
        C::Problem { name, .. } => format!("problem {}", name.text),
        C::Assumes(_) => "assumes".into(),
        C::Uses(_) => "uses".into(),
        C::Message(_) => "message".into(),
        C::Enum { name, .. } => format!("enum {}", name.text),
        C::Record { name, .. } => format!("record {}", name.text),
        C::Const { name, .. } => format!("const {}", name.text),
        C::Param { name, .. } => format!("param {}", name.text),
        C::Var { names, .. } => format!("var {}", joined(names)),
        C::Function { name, .. } => format!("function {}", name.text),
        C::Procedure { name, .. } => format!("procedure {}", name.text),
        C::Operation { name, .. } => format!("operation {}", name.text),
        C::Client { .. } => "client".into(),
        C::Role { name } => format!("role {}", name.text),
        C::State { names, .. } => format!("state {}", joined(names)),
        C::Always => "always".into(),
        C::Handler(handler) => match &handler.trigger {
            Trigger::On(g) => format!("on {}", guard(g)),
            Trigger::When(_) | Trigger::WhenSome { .. } => "when".into(),
            Trigger::After(_) => "after".into(),
        },
        C::Defer(list) => format!("defer {}", list.iter().map(guard).collect::<Vec<_>>().join(", ")),
        C::Ignore(list) => format!("ignore {}", list.iter().map(guard).collect::<Vec<_>>().join(", ")),
        C::Stamps { .. } => "stamps".into(),
        C::View(_) => "view".into(),
        C::Property(p) => p.name.text.clone(),
        C::Scenario(s) => format!("scenario {}", s.name.text),
    }
}
