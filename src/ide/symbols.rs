//! Document symbols: the outline of a text.

use super::Analysis;
use super::names::{Kind, clause_label};
use crate::ir::PropertyKind;
use crate::property::kind_word;
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Name, Param};

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

impl Analysis {
    /// Return the clauses in order: handlers under their state, everything of a role under that role.
    pub fn symbols(&self) -> Vec<Symbol> {
        let file = self.user_file();
        let mut roots: Vec<Symbol> = Vec::new();
        // The open sections, outermost first: role, then state.
        let mut role: Option<Symbol> = None;
        let mut state: Option<Symbol> = None;
        let close = |section: Option<Symbol>, outer: Option<&mut Symbol>, roots: &mut Vec<Symbol>| {
            let Some(symbol) = section else { return };
            match outer {
                Some(outer) => {
                    outer.whole = outer.whole.to(symbol.whole);
                    outer.children.push(symbol);
                }
                None => roots.push(symbol),
            }
        };
        for clause in &file.module.clauses {
            let whole = clause.span;
            let named =
                |kind: Kind, name: &Name| Symbol::new(SymbolKind::Decl(kind), &name.text, name.span, whole);
            let is_handler =
                matches!(clause.kind, ClauseKind::Handler(_) | ClauseKind::Defer(_) | ClauseKind::Ignore(_));
            if !is_handler {
                close(state.take(), role.as_mut(), &mut roots);
            }
            let ends_role = matches!(
                clause.kind,
                ClauseKind::Process { .. } | ClauseKind::Property(_) | ClauseKind::Scenario(_)
            );
            if ends_role {
                close(role.take(), None, &mut roots);
            }
            let parts = |kind: Kind, params: &[Param]| -> Vec<Symbol> {
                params
                    .iter()
                    .map(|p| {
                        let end = p.ty.as_ref().map_or(p.name.span, |t| p.name.span.to(t.span));
                        let detail = p.ty.as_ref().map_or("", |t| file.slice(t.span));
                        Symbol {
                            detail: detail.into(),
                            ..Symbol::new(SymbolKind::Decl(kind), &p.name.text, p.name.span, end)
                        }
                    })
                    .collect()
            };
            let mut found: Vec<Symbol> = Vec::new();
            match &clause.kind {
                ClauseKind::Algorithm { name, solves, .. } => {
                    let solved =
                        solves.as_ref().map(|s| format!("solves {}", s.name.text)).unwrap_or_default();
                    found.push(Symbol { detail: solved, ..named(Kind::Algorithm, name) });
                }
                ClauseKind::Problem { name, .. } => found.push(named(Kind::Problem, name)),
                ClauseKind::Message(list) => {
                    for message in list {
                        let children = parts(Kind::Field, &message.fields);
                        let end =
                            children.last().map_or(message.name.span, |c| message.name.span.to(c.whole));
                        found.push(Symbol { whole: end, children, ..named(Kind::Message, &message.name) });
                    }
                }
                ClauseKind::Enum { name, cases } => {
                    let children = cases
                        .iter()
                        .map(|c| Symbol::new(SymbolKind::Decl(Kind::Case), &c.text, c.span, c.span));
                    found.push(Symbol { children: children.collect(), ..named(Kind::Enum, name) });
                }
                ClauseKind::Record { name, fields } => {
                    let children = parts(Kind::RecordField, fields);
                    found.push(Symbol { children, ..named(Kind::Record, name) });
                }
                ClauseKind::Const { name, ty, .. } | ClauseKind::Param { name, ty, .. } => {
                    let kind = if matches!(clause.kind, ClauseKind::Const { .. }) {
                        Kind::Const
                    } else {
                        Kind::Param
                    };
                    let detail = ty.as_ref().map_or("", |t| file.slice(t.span)).to_string();
                    found.push(Symbol { detail, ..named(kind, name) });
                }
                ClauseKind::Var { output, names, ty, .. } => {
                    let kind = if *output { Kind::Output } else { Kind::Variable };
                    for name in names {
                        let id = self.names.declaration_at(name.span);
                        let inferred = || id.and_then(|id| self.inferred(id)).unwrap_or_default();
                        let detail = ty.as_ref().map_or_else(inferred, |t| file.slice(t.span).to_string());
                        let whole = if names.len() == 1 { whole } else { name.span };
                        found.push(Symbol { detail, whole, ..named(kind, name) });
                    }
                }
                ClauseKind::Function { name, .. } => found.push(named(Kind::Function, name)),
                ClauseKind::Procedure { name, .. } => found.push(named(Kind::Procedure, name)),
                ClauseKind::Operation { name, .. } => found.push(named(Kind::Operation, name)),
                ClauseKind::Client { .. } => {
                    let word = Span { end: whole.start + "client".len() as u32, ..whole };
                    found.push(Symbol::new(SymbolKind::Client, "client", word, whole));
                }
                ClauseKind::Uses(list) => {
                    for used in list {
                        let alias = used.alias.as_ref().unwrap_or(&used.algorithm);
                        let whole = used.algorithm.span.to(alias.span);
                        found.push(Symbol {
                            whole,
                            detail: used.algorithm.text.clone(),
                            ..named(Kind::Layer, alias)
                        });
                    }
                }
                ClauseKind::Process { name } => {
                    role = Some(named(Kind::Role, name));
                    continue;
                }
                ClauseKind::State { names, .. } => {
                    let Some(name) = names.first() else { continue };
                    let all: Vec<&str> = names.iter().map(|n| n.text.as_str()).collect();
                    state = Some(Symbol { name: all.join(", "), ..named(Kind::State, name) });
                    continue;
                }
                ClauseKind::Handler(_) | ClauseKind::Defer(_) | ClauseKind::Ignore(_) => {
                    let label = clause_label(&clause.kind);
                    let head = Span {
                        end: whole.start + label.split(' ').next().map_or(0, str::len) as u32,
                        ..whole
                    };
                    let handler = Symbol::new(SymbolKind::Handler, &label, head, whole);
                    if let Some(state) = &mut state {
                        state.whole = state.whole.to(whole);
                        state.children.push(handler);
                        continue;
                    }
                    found.push(handler);
                }
                ClauseKind::Property(property) => {
                    let detail = property_word(property.kind).into();
                    found.push(Symbol { detail, ..named(Kind::Property, &property.name) });
                }
                ClauseKind::Scenario(scenario) => {
                    let detail = scenario.on.as_ref().map_or("", |on| file.slice(on.span)).to_string();
                    found.push(Symbol { detail, ..named(Kind::Scenario, &scenario.name) });
                }
                ClauseKind::Assumes(_)
                | ClauseKind::Always
                | ClauseKind::Stamps { .. }
                | ClauseKind::View(_) => {}
            }
            for symbol in found {
                close(Some(symbol), role.as_mut(), &mut roots);
            }
        }
        close(state.take(), role.as_mut(), &mut roots);
        close(role.take(), None, &mut roots);
        roots.sort_by_key(|s| s.whole);
        roots
    }
}

/// Return the keyword of the clause.
pub fn property_word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::LeadsTo => "leads",
        kind => kind_word(kind),
    }
}
