//! Slot assignment: turn elaborated roles into `ir::Role`s.
//!
//! Every process has the same room in a configuration. Temporaries of a smaller role would lie in the unused part of its state and
//! remain there, so they come after the state of the largest role. Hence two steps: `settle` gives a role's state its slots, and
//! `place_roles`, once all roles are settled, its temporaries.

use crate::check::context::*;
use crate::check::names::EVENTS;
use crate::check::place::finish::Finisher;
use crate::check::process::layer_thread::HALTED;
use crate::check::types::ranges::default_within;
use crate::check::{Checker, ElaboratedRole};
use crate::diagnostic::{Hint, Typing};
use crate::ir::{self, NONE_WORD, NOT_STARTED, Slot, Type, Value};
use crate::source::Span;
use std::collections::BTreeMap;

/// A role whose types are settled: code over its locals.
pub struct Draft {
    cx: Cx,
    /// Types of the locals.
    types: Vec<Type>,
    /// Slots of the locals; only those of the state are known.
    slots: Vec<Slot>,
    /// Words and values of its state.
    state: (u32, u32),
    code: Elaborated,
}

/// The parts of an elaborated role, beside those in the context.
pub struct Elaborated {
    pub span: Span,
    /// From the initial values to the operation after them.
    pub start: std::ops::Range<ir::Pc>,
    pub client: Option<ir::Pc>,
    pub operations: Vec<Option<ir::Entry>>,
    pub components: Vec<ir::Component>,
    /// The initial state of each component.
    pub initial_states: Vec<i64>,
    pub has_wakeup: bool,
}

/// Give slots to the locals that `chosen` selects, after those that are taken.
fn give(
    (words, values): (&mut u32, &mut u32),
    locals: &[Local],
    types: &[Type],
    slots: &mut [Slot],
    chosen: impl Fn(&Local) -> bool,
) {
    for (i, _) in locals.iter().enumerate().filter(|(_, l)| chosen(l)) {
        let is_word = types[i].is_word();
        let next = if is_word { &mut *words } else { &mut *values };
        slots[i] = if is_word { Slot::Word(*next as u16) } else { Slot::Value(*next as u16) };
        *next += 1;
    }
}

/// Return the slots that belong to the thread alone: of its locals, and of return addresses.
fn slots_of_thread(cx: &Cx, slots: &[Slot]) -> Vec<Slot> {
    let of_thread = cx.locals.iter().zip(slots).filter(|(l, _)| l.class == Class::Thread);
    let mut thread: Vec<Slot> = of_thread.map(|(_, slot)| *slot).collect();
    for op in &cx.code {
        if let ir::Op::Call { return_slot, .. } = op
            && !thread.contains(&slots[*return_slot as usize])
        {
            thread.push(slots[*return_slot as usize]);
        }
    }
    thread
}

impl Checker<'_> {
    /// Settle the types of the role that has just been elaborated.
    pub(in crate::check) fn settle(&mut self, code: Elaborated) -> Draft {
        let cx = std::mem::replace(&mut self.cx, Cx::new(None, self.comps.len(), Mode::Global));
        for l in cx.locals.iter().filter(|l| l.named) {
            self.note_type(l.span, &l.ty);
        }
        for l in &cx.locals {
            if !self.infer.is_known(&l.ty) && l.named && !self.infer.is_error_type(&l.ty) {
                let d = Typing::NotInferred(l.name.clone()).at(l.span);
                // A variable can be annotated; the type of a local may be unknown because of another mistake.
                match l.class {
                    Class::State => self.findings.push(d.hint(Hint::Annotate(l.name.clone()))),
                    // `on wakup` takes a bare value, and binds it to this name.
                    _ => {
                        let events = EVENTS.map(String::from);
                        self.deferred_findings.push(d.nearest(&l.name, &events, Hint::DeclareTyped));
                    }
                }
            }
        }
        let types = cx.locals.iter().map(|l| {
            let t = self.infer.full(&l.ty);
            // Of a value without a name, such as an ignored component `none`, nothing may determine the whole type.
            if self.infer.is_known(&t) || !l.named { t } else { Type::Int }
        });
        let types: Vec<Type> = types.collect();
        let mut slots = vec![Slot::Word(0); cx.locals.len()];
        let (mut words, mut values) = (0u32, 0u32);
        give((&mut words, &mut values), &cx.locals, &types, &mut slots, |l| l.class != Class::Temp);
        let mut done = ElaboratedRole::default();
        for (comp, scope) in cx.comps.iter().enumerate() {
            for (name, local) in &scope.vars {
                let i = *local as usize;
                done.vars.insert((comp, name.clone()), (slots[i], types[i].clone()));
            }
            let (Slot::Word(control) | Slot::Value(control)) = slots[scope.state_local as usize];
            if let Some(end) = self.ended_state(comp, scope) {
                done.states.entry((comp, HALTED.into())).or_insert((control, end));
            }
            for (name, index) in &scope.states {
                done.states.insert((comp, name.clone()), (control, *index as i64));
            }
        }
        let (locals, comps) = (cx.locals.clone(), cx.comps.clone());
        done.names = Cx { locals, comps, ..Cx::new(cx.role, self.comps.len(), Mode::Handler) };
        self.elaborated_roles.push(done);
        Draft { cx, types, slots, state: (words, values), code }
    }

    /// Assign all remaining slots, once all roles are settled.
    pub(in crate::check) fn place_roles(&mut self, drafts: Vec<Draft>) -> Vec<ir::Role> {
        let largest =
            drafts.iter().fold((0, 0), |most, draft| (most.0.max(draft.state.0), most.1.max(draft.state.1)));
        drafts.into_iter().enumerate().map(|(role, draft)| self.place_role(role, draft, largest)).collect()
    }

    fn place_role(&mut self, role: usize, draft: Draft, state: (u32, u32)) -> ir::Role {
        let Draft { mut cx, types, mut slots, mut code, .. } = draft;
        let (mut words, mut values) = state;
        give((&mut words, &mut values), &cx.locals, &types, &mut slots, |l| l.class == Class::Temp);
        if words.max(values) > u16::MAX as u32 - 8 || cx.code.len() > 4_000_000 {
            self.findings.push(Typing::TooManyVariables.at(code.span));
        }
        let thread = slots_of_thread(&cx, &slots);
        let finisher = Finisher { infer: &self.infer, slots: slots.clone(), thread: thread.clone() };
        cx.code.iter_mut().for_each(|op| finisher.op(op));
        for w in &mut cx.waits {
            w.alternatives.iter_mut().for_each(|a| finisher.alternative(a));
        }
        cx.implied.iter_mut().for_each(|(_, guard)| finisher.expr(guard));
        for c in &mut code.components {
            finisher.index(&mut c.state_slot);
            finisher.handlers(&mut c.always);
            c.states.iter_mut().for_each(|s| finisher.handlers(&mut s.handlers));
        }
        for entry in code.operations.iter_mut().flatten() {
            finisher.index(&mut entry.return_slot);
            entry.params.iter_mut().for_each(|param| finisher.slot(param));
        }
        let mut ranges_of_variables = BTreeMap::new();
        for (comp, scope) in cx.comps.iter().enumerate() {
            for (name, local) in &scope.vars {
                let mut ranges = cx.locals[*local as usize].every_range();
                if !ranges.is_any() {
                    ranges.each_bound(&mut |bound| finisher.expr(bound));
                    ranges_of_variables.insert((comp, name.clone()), ranges);
                }
            }
        }
        let mut initial_words = vec![0i64; state.0 as usize];
        let mut initial_values = vec![Value::None; state.1 as usize];
        initial_words[0] = NOT_STARTED;
        let (mut vars, mut unnamed) = (Vec::new(), Vec::new());
        let state_locals =
            cx.locals.iter().zip(&types).zip(&slots).filter(|((l, _), _)| l.class != Class::Temp);
        for (i, ((l, ty), slot)) in state_locals.enumerate() {
            match *slot {
                Slot::Word(s) if i > 0 => {
                    // A range without 0 starts with its least value.
                    let word = self.default_value(ty).map_or(NONE_WORD, |v| v.word());
                    initial_words[s as usize] = match l.range {
                        Some((lo, hi)) if !(lo..=hi).contains(&word) => lo,
                        _ => word,
                    };
                }
                Slot::Value(s) => {
                    let value = self.default_value(ty).unwrap_or(Value::None);
                    initial_values[s as usize] = default_within(value, &l.ranges);
                }
                Slot::Word(_) => {}
            }
            if !l.named {
                unnamed.push((*slot, ty.clone()));
            } else {
                vars.push(ir::Variable {
                    name: l.name.clone(),
                    ty: ty.clone(),
                    slot: *slot,
                    component: l.component,
                    output: l.output,
                    persistent: l.persistent,
                    range: l.range,
                    span: l.span,
                    local: l.class == Class::Thread,
                });
            }
        }
        for (component, initial) in code.components.iter().zip(code.initial_states) {
            initial_words[component.state_slot as usize] = initial;
        }
        let done = &mut self.elaborated_roles[role];
        done.ranges = ranges_of_variables;
        done.implied = cx.implied;
        let named = self.units[0].roles.get(role).and_then(|r| r.name.as_ref());
        ir::Role {
            name: named.map_or(String::new(), |n| n.text.clone()),
            vars,
            unnamed,
            words: state.0 as u16,
            values: state.1 as u16,
            frame_words: words as u16,
            frame_values: values as u16,
            initial_words,
            initial_values,
            thread,
            components: code.components,
            code: cx.code,
            guards: cx.guards,
            waits: cx.waits,
            start: code.start.start,
            after_init: code.start.end,
            client: code.client,
            operations: code.operations,
            has_wakeup: code.has_wakeup,
            timers: cx.timers.into_iter().map(|(_, name)| name).collect(),
            received_slot: self.arrived(&self.elaborated_roles[role]),
            span: code.span,
        }
    }
}
