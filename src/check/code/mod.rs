//! Code: locals get slots. It reads nothing but the typed program.
//!
//! Every process has the same room in a configuration. Temporaries of a smaller role would lie in the unused part of its state and
//! remain there, so they come after the state of the largest role.

mod layout;

use super::typed::{Role, Typed};
use crate::check::context::Class;
use crate::check::types::ranges::default_within;
use crate::check::types::written::default_value;
use crate::ir::{self, Change, NONE_WORD, NOT_STARTED, Slot, Type, Value};
use layout::{Layout, place_fields};

/// Return the code of a program without errors.
pub fn lower(typed: &Typed) -> ir::Program {
    let layout = Layout::new(&typed.roles, &typed.frames);
    let roles = (0..typed.roles.len()).map(|role| lower_role(typed, role, &layout)).collect();
    let mut typed = typed.clone();
    typed.change_observers(&layout.observers());
    place_fields(&mut typed.kinds);
    let unit = &typed.units[0];
    ir::Program {
        name: unit.name.text.clone(),
        doc: unit.doc.clone(),
        problem: unit.solves.as_ref().map(|s| {
            let args: Vec<String> = s.args.iter().map(|(k, v)| format!("{}: {}", k.text, v.text)).collect();
            if args.is_empty() {
                s.name.text.clone()
            } else {
                format!("{}({})", s.name.text, args.join(", "))
            }
        }),
        sources: typed.sources,
        assumptions: typed.assumptions,
        enums: typed.enums,
        records: typed.records,
        params: typed.params,
        kinds: typed.kinds,
        lanes: typed.lanes,
        roles,
        actions: typed.actions,
        guards: typed.guards,
        operations: typed.operations,
        upcalls: typed.upcalls,
        outputs: typed.outputs,
        properties: typed.properties,
        scenarios: typed.scenarios,
        worst_id: typed.worst_id,
        note_clock: typed.note_clock,
        reads_initiator: typed.reads_initiator,
        outcomes: Vec::new(),
        views: typed.views,
        shared: typed.shared,
        oracles: typed.oracles,
        global_frame: (layout.global_frame.words, layout.global_frame.values),
    }
}

/// Return the code of an expression about the program, whose locals have these types.
pub fn lower_question(typed: &Typed, text: &str, mut expr: ir::Expr, frames: &[Vec<Type>]) -> ir::Question {
    let layout = Layout::new(&typed.roles, frames);
    layout.observers().expr(&mut expr);
    let frame = (layout.global_frame.words, layout.global_frame.values);
    ir::Question { text: text.to_string(), expr, frame }
}

fn lower_role(typed: &Typed, number: usize, layout: &Layout) -> ir::Role {
    let mut role = Role::clone(&typed.roles[number]);
    role.change(&layout.role(number));
    let (state, frame, slots) = (layout.state, layout.frames[number], layout.of_role(number));
    let mut initial_words = vec![0i64; state.words as usize];
    let mut initial_values = vec![Value::None; state.values as usize];
    let (mut vars, mut unnamed) = (Vec::new(), Vec::new());
    for (l, slot) in role.locals.iter().zip(slots).filter(|(l, _)| Role::is_state(l)) {
        let default = default_value(&l.ty, &typed.records, &Type::clone);
        match *slot {
            Slot::Word(s) => {
                // A range without 0 starts with its least value.
                let word = default.map_or(NONE_WORD, |v| v.word());
                initial_words[s as usize] = match l.range {
                    Some((lo, hi)) if !(lo..=hi).contains(&word) => lo,
                    _ => word,
                };
            }
            Slot::Value(s) => {
                initial_values[s as usize] = default_within(default.unwrap_or(Value::None), &l.ranges);
            }
        }
        if !l.named {
            unnamed.push((*slot, l.ty.clone()));
        } else {
            vars.push(ir::Variable {
                name: l.name.clone(),
                ty: l.ty.clone(),
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
    initial_words[ir::PC as usize] = NOT_STARTED;
    for (component, initial) in role.components.iter().zip(&role.initial_states) {
        initial_words[component.state_slot as usize] = *initial;
    }
    let named = typed.units[0].roles.get(number).and_then(|r| r.name.as_ref());
    let received = role.received.map(|local| slots[local as usize]);
    ir::Role {
        name: named.map_or(String::new(), |n| n.text.clone()),
        vars,
        unnamed,
        words: state.words,
        values: state.values,
        frame_words: frame.words,
        frame_values: frame.values,
        initial_words,
        initial_values,
        thread: role.thread,
        components: role.components,
        code: role.code,
        statements: role.statements,
        guards: role.guards,
        waits: role.waits,
        start: role.start.start,
        after_init: role.start.end,
        client: role.client,
        operations: role.operations,
        has_wakeup: role.has_wakeup,
        timers: role.timers,
        received_slot: received.and_then(|slot| match slot {
            Slot::Value(slot) => Some(slot),
            Slot::Word(_) => None,
        }),
        span: role.span,
    }
}
