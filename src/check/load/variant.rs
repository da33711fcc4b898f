//! `algorithm X variant of Y`: Y's clauses, some replaced by those of X.
//!
//! A handler replaces that of the same role, state and message; any other clause replaces that of the same name. Scenarios are
//! not inherited: they belong to the algorithm that they were written for.

use super::unit::{HandlerSection, RoleSection, Routine, Unit};
use crate::syntax::ast::{Clause, ClauseKind, Name, Pattern, Trigger};
use std::sync::Arc;

/// Return the base with the variant's clauses in place of its own.
pub fn apply(base: &Unit, variant: &Unit) -> Unit {
    let mut unit = base.clone();
    unit.file = variant.file;
    unit.parsed = variant.parsed.iter().chain(&base.parsed).cloned().collect();
    unit.has_header = variant.has_header;
    unit.is_problem = variant.is_problem;
    unit.name = variant.name.clone();
    unit.doc = variant.doc.clone();
    unit.variant_of = variant.variant_of.clone();
    unit.scenarios = variant.scenarios.clone();
    if variant.solves.is_some() {
        unit.solves = variant.solves.clone();
    }
    if variant.assumes_span.is_some() {
        unit.assumes = variant.assumes.clone();
        unit.assumes_span = variant.assumes_span;
    }
    if !variant.uses.is_empty() {
        unit.uses = variant.uses.clone();
    }
    if variant.stamps.is_some() {
        unit.stamps = variant.stamps.clone();
    }
    if !variant.views.is_empty() {
        unit.views = variant.views.clone();
    }
    replace(&mut unit.messages, &variant.messages, |m| &m.name);
    replace(&mut unit.enums, &variant.enums, |e| &e.0);
    replace(&mut unit.records, &variant.records, |r| &r.0);
    replace(&mut unit.consts, &variant.consts, |c| &c.0);
    replace(&mut unit.params, &variant.params, |p| &p.0);
    replace(&mut unit.functions, &variant.functions, |f| &f.name);
    replace(&mut unit.properties, &variant.properties, |p| &p.0.name);
    role(Arc::make_mut(&mut unit.common), &variant.common);
    for section in &variant.roles {
        let same =
            |r: &RoleSection| r.name.as_ref().map(|n| &n.text) == section.name.as_ref().map(|n| &n.text);
        match unit.roles.iter_mut().find(|r| same(r)) {
            Some(own) => role(Arc::make_mut(own), section),
            None => unit.roles.push(section.clone()),
        }
    }
    unit
}

/// Return whether the variant has no clauses besides its header.
pub fn is_empty(variant: &Unit) -> bool {
    let adds_nothing = |clause: &Clause| {
        matches!(clause.kind, ClauseKind::Algorithm { solves: None, .. } | ClauseKind::Always)
    };
    variant.own_clauses().iter().all(adds_nothing)
}

fn replace<T: Clone>(base: &mut Vec<T>, variant: &[T], name: impl Fn(&T) -> &Name) {
    for new in variant {
        match base.iter_mut().find(|old| name(old).text == name(new).text) {
            Some(old) => *old = new.clone(),
            None => base.push(new.clone()),
        }
    }
}

fn role(base: &mut RoleSection, variant: &RoleSection) {
    for section in &variant.vars {
        for name in &section.names {
            for old in &mut base.vars {
                old.names.retain(|n| n.text != name.text);
            }
        }
        base.vars.push(section.clone());
    }
    base.vars.retain(|v| !v.names.is_empty());
    let name: fn(&Arc<Routine>) -> &Name = |r| &r.name;
    replace(&mut base.procedures, &variant.procedures, name);
    replace(&mut base.operations, &variant.operations, name);
    if variant.client.is_some() {
        base.client = variant.client.clone();
    }
    for state in &variant.states {
        match base.states.iter_mut().find(|s| s.name.text == state.name.text) {
            Some(own) => {
                let own = Arc::make_mut(own);
                if !state.body.is_empty() {
                    own.body = state.body.clone();
                }
                handlers(&mut own.handlers, &state.handlers);
            }
            None => base.states.push(state.clone()),
        }
    }
    if variant.states.iter().any(|s| s.initial) {
        for state in &mut base.states {
            Arc::make_mut(state).initial =
                variant.states.iter().any(|s| s.initial && s.name.text == state.name.text);
        }
    }
    handlers(&mut base.always, &variant.always);
}

/// Replace all handlers of a section for the messages of the new ones.
fn handlers(base: &mut Vec<HandlerSection>, variant: &[HandlerSection]) {
    let keys: Vec<String> = variant.iter().filter_map(key).collect();
    base.retain(|h| key(h).is_none_or(|k| !keys.contains(&k)));
    base.extend(variant.iter().cloned());
}

/// Return the key of a handler: layer and message.
fn key(handler: &HandlerSection) -> Option<String> {
    let guard = match handler {
        HandlerSection::Handler(h) => match &h.trigger {
            Trigger::On(guard) => guard,
            Trigger::After(_) => return Some("after".into()),
            Trigger::When(_) | Trigger::WhenSome { .. } => return None,
        },
        HandlerSection::Defer(guard) | HandlerSection::Ignore(guard) => guard,
    };
    let layer = guard.layer.as_ref().map_or("", |l| l.text.as_str());
    let Some((Name { text: name, .. }, args)) = guard.pattern.named() else {
        return Some(format!("{layer}."));
    };
    // Upcalls with one name are distinguished by the message they carry.
    let carried = match args.first() {
        Some(Pattern::Message(n, _, _)) if !layer.is_empty() => n.text.as_str(),
        // Timeouts are distinguished by their timers.
        Some(Pattern::Name(n)) if layer.is_empty() && name == "timeout" => n.text.as_str(),
        _ => "",
    };
    Some(format!("{layer}.{name}.{carried}"))
}
