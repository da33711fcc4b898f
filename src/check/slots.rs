//! Slot assignment: turn an elaborated role into an `ir::Role`.

use super::context::*;
use super::finish::Finisher;
use super::names::EVENTS;
use super::ranges::default_within;
use super::{Checker, ElaboratedRole};
use crate::diagnostic::{Hint, Typing};
use crate::ir::{self, NONE_WORD, NOT_STARTED, Slot, Type, Value};
use crate::source::Span;

impl Checker<'_> {
    pub(in crate::check) fn assemble(
        &mut self,
        role: u16,
        span: Span,
        // From the initial values to the operation after them.
        start: std::ops::Range<ir::Pc>,
        client: Option<ir::Pc>,
        mut operations: Vec<Option<ir::Entry>>,
        mut components: Vec<ir::Component>,
    ) -> ir::Role {
        let mut cx = std::mem::replace(&mut self.cx, Cx::new(None, self.comps.len(), Mode::Global));
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
        let mut slots = vec![Slot::Word(0); cx.locals.len()];
        let (mut words, mut values) = (0u32, 0u32);
        let give = |ty: &Type, (words, values): (&mut u32, &mut u32)| {
            let next = if ty.is_word() { words } else { values };
            *next += 1;
            let place = (*next - 1) as u16;
            if ty.is_word() { Slot::Word(place) } else { Slot::Value(place) }
        };
        let types: Vec<Type> = cx
            .locals
            .iter()
            .map(|l| {
                let t = self.infer.full(&l.ty);
                // Of a value without a name, such as an ignored component `none`, nothing may determine the whole type.
                if self.infer.is_known(&t) || !l.named { t } else { Type::Int }
            })
            .collect();
        for (i, l) in cx.locals.iter().enumerate() {
            if l.class != Class::Temp {
                slots[i] = give(&types[i], (&mut words, &mut values));
            }
        }
        // Temporaries lie after the state of the largest role: otherwise they would be part of configurations.
        (words, values) = (words.max(self.min_state.0), values.max(self.min_state.1));
        let state_end = (words as usize, values as usize);
        for (i, l) in cx.locals.iter().enumerate() {
            if l.class == Class::Temp {
                slots[i] = give(&types[i], (&mut words, &mut values));
            }
        }
        let (frame_words, frame_values) = (words, values);
        if frame_words.max(frame_values) > u16::MAX as u32 - 8 || cx.code.len() > 4_000_000 {
            self.findings.push(Typing::TooManyVariables.at(span));
        }
        self.no_draws_while_waiting(&cx.waits, &components);
        let mut thread: Vec<Slot> = cx
            .locals
            .iter()
            .enumerate()
            .filter(|(_, l)| l.class == Class::Thread)
            .map(|(i, _)| slots[i])
            .collect();
        for op in &cx.code {
            if let ir::Op::Call { return_slot, .. } = op
                && !thread.contains(&slots[*return_slot as usize])
            {
                thread.push(slots[*return_slot as usize]);
            }
        }
        let finisher = Finisher { infer: &self.infer, slots: slots.clone(), thread: thread.clone() };
        cx.code.iter_mut().for_each(|op| finisher.op(op));
        for w in &mut cx.waits {
            w.alternatives.iter_mut().for_each(|a| finisher.alternative(a));
        }
        let mut done =
            ElaboratedRole { implied: std::mem::take(&mut cx.implied), ..ElaboratedRole::default() };
        done.implied.iter_mut().for_each(|(_, guard)| finisher.expr(guard));
        for c in &mut components {
            finisher.index(&mut c.state_slot);
            finisher.handlers(&mut c.always);
            c.states.iter_mut().for_each(|s| finisher.handlers(&mut s.handlers));
        }
        for entry in operations.iter_mut().flatten() {
            finisher.index(&mut entry.return_slot);
            for p in &mut entry.params {
                if let Slot::Word(l) = *p {
                    *p = slots[l as usize];
                }
            }
        }
        let mut initial_words = vec![0i64; state_end.0];
        let mut initial_values = vec![Value::None; state_end.1];
        initial_words[0] = NOT_STARTED;
        for (i, _) in cx.locals.iter().enumerate().filter(|(_, l)| l.class != Class::Temp) {
            match slots[i] {
                Slot::Word(s) if i > 0 => {
                    // A range without 0 starts with its least value.
                    let word = self.default_value(&types[i]).map_or(NONE_WORD, |v| v.word());
                    initial_words[s as usize] = match cx.locals[i].range {
                        Some((lo, hi)) if !(lo..=hi).contains(&word) => lo,
                        _ => word,
                    };
                }
                Slot::Value(s) => {
                    let value = self.default_value(&types[i]).unwrap_or(Value::None);
                    initial_values[s as usize] = default_within(value, &cx.locals[i].ranges);
                }
                Slot::Word(_) => {}
            }
        }
        for (comp, component) in components.iter().enumerate() {
            initial_words[component.state_slot as usize] = self.initial_states[comp];
        }
        self.initial_states.clear();
        let (mut vars, mut unnamed) = (Vec::new(), Vec::new());
        for (comp, scope) in cx.comps.iter().enumerate() {
            for (name, local) in &scope.vars {
                let i = *local as usize;
                done.vars.insert((comp, name.clone()), (slots[i], types[i].clone()));
                let mut ranges = cx.locals[i].every_range();
                if !ranges.is_any() {
                    ranges.each_bound(&mut |bound| finisher.expr(bound));
                    done.ranges.insert((comp, name.clone()), ranges);
                }
            }
            if let Some(end) = self.ended_state(comp, scope) {
                let place = components[comp].state_slot;
                done.states.entry((comp, super::layer_thread::HALTED.into())).or_insert((place, end));
            }
            for (name, index) in &scope.states {
                done.states.insert((comp, name.clone()), (components[comp].state_slot, *index as i64));
            }
        }
        for (i, l) in cx.locals.iter().enumerate() {
            if l.class == Class::Temp {
                continue;
            }
            if !l.named {
                unnamed.push((slots[i], types[i].clone()));
            } else {
                vars.push(ir::Variable {
                    name: l.name.clone(),
                    ty: types[i].clone(),
                    slot: slots[i],
                    component: l.component,
                    output: l.output,
                    persistent: l.persistent,
                    range: l.range,
                    span: l.span,
                    local: l.class == Class::Thread,
                });
            }
        }
        let arrived = self.arrived(&done);
        done.names =
            Cx { locals: cx.locals, comps: cx.comps, ..Cx::new(Some(role), self.comps.len(), Mode::Handler) };
        self.elaborated_roles.push(done);
        ir::Role {
            name: self.units[0]
                .roles
                .get(role as usize)
                .and_then(|r| r.name.as_ref())
                .map_or(String::new(), |n| n.text.clone()),
            vars,
            unnamed,
            words: state_end.0 as u16,
            values: state_end.1 as u16,
            frame_words: frame_words as u16,
            frame_values: frame_values as u16,
            initial_words,
            initial_values,
            thread,
            components,
            code: cx.code,
            guards: cx.guards,
            waits: cx.waits,
            start: start.start,
            after_init: start.end,
            client,
            operations,
            has_wakeup: self.cx_wakes,
            timers: cx.timers.iter().map(|(_, name)| name.clone()).collect(),
            received_slot: arrived,
            span,
        }
    }
}
