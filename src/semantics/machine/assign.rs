//! Assignment to variables and to parts of them.

use super::{Chooser, Eval, Machine};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::show::show;
use crate::ir::{CollectionOp, Expr, ExprKind, Slot, Target, TargetStep, Value};
use crate::semantics::abort::Abort;
use crate::semantics::eval::{
    combine, effort, insert_key, limited, limited_in_all, position_in, value, word,
};
use crate::source::Span;
use smallvec::SmallVec;
use std::sync::Arc;

/// An evaluated step of a target.
enum Step {
    Index(Value, Span),
    Part(usize),
}

impl Machine {
    #[inline]
    pub(super) fn set(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        slot: Slot,
        e: &Expr,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let mut env = self.command_env(instance, process, chooser);
        match slot {
            Slot::Word(slot) => {
                let w = word(e, &mut env)?;
                self.frame.words[slot as usize] = w;
            }
            Slot::Value(slot) => {
                // `S := S + {x}`: with the old set removed from its slot, the value is not shared, and grows in place.
                let v = match grows(slot, e) {
                    Some((op, by)) => {
                        let by = value(by, &mut env)?;
                        env.count_visits(effort(op, &env.values[slot as usize], &by), e.span)?;
                        combine(op, std::mem::replace(&mut env.values[slot as usize], Value::None), by)
                    }
                    None => value(e, &mut env)?,
                };
                self.frame.values[slot as usize] = v;
                limited_in_all(&instance.program, &self.frame.values[slot as usize], &e.ty, e.span)?;
            }
        }
        Ok(())
    }

    pub(super) fn assign(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        place: &Target,
        e: &Expr,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        if let (Slot::Word(slot), []) = (place.root, place.path.as_slice()) {
            let w = word(e, &mut self.command_env(instance, process, chooser))?;
            if let Some((least, greatest)) = place.range
                && !(least..=greatest).contains(&w)
            {
                let name = self.variable(instance, process, place.root);
                return Err(Abort::new(
                    place.span,
                    format!("{name} := {w} is outside its range {least}..{greatest}"),
                ));
            }
            self.frame.words[slot as usize] = w;
            return Ok(());
        }
        let v = value(e, &mut self.command_env(instance, process, chooser))?;
        let steps = self.steps(instance, process, place, chooser)?;
        if let Some((least, greatest)) = place.range
            && matches!(v, Value::Int(_))
            && !(least..=greatest).contains(&v.word())
        {
            let name = self.variable(instance, process, place.root);
            return Err(Abort::new(
                place.span,
                format!("{} in {name} is outside its range {least}..{greatest}", v.word()),
            ));
        }
        limited_in_all(&instance.program, &v, &e.ty, e.span)?;
        *self.part(instance, place, &steps, true)? = v;
        match place.root {
            // An inserted key makes the whole larger.
            Slot::Value(slot) if !steps.is_empty() => limited(&self.frame.values[slot as usize], place.span),
            _ => Ok(()),
        }
    }

    pub(super) fn remove(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        place: &Target,
        e: &Expr,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let gone = value(e, &mut self.command_env(instance, process, chooser))?;
        let steps = self.steps(instance, process, place, chooser)?;
        match self.part(instance, place, &steps, false)? {
            // Without this check, a shared set would be copied unnecessarily.
            Value::Set(items) if items.contains(&gone) => {
                Arc::make_mut(items).remove(&gone);
            }
            Value::Map(items) if items.contains_key(&gone) => {
                Arc::make_mut(items).remove(&gone);
            }
            Value::Set(_) | Value::Map(_) => {}
            Value::List(items) => {
                if let Some(i) = items.iter().position(|item| *item == gone) {
                    Arc::make_mut(items).remove(i);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn steps(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        place: &Target,
        chooser: &mut dyn Chooser,
    ) -> Eval<SmallVec<[Step; 2]>> {
        let env = &mut self.command_env(instance, process, chooser);
        let step = |step: &TargetStep| match step {
            TargetStep::Index(at) => Ok(Step::Index(value(at, env)?, at.span)),
            TargetStep::Part(i) => Ok(Step::Part(*i)),
        };
        place.path.iter().map(step).collect()
    }

    /// Return the part of a variable to change, unshared along the path. Absent keys are inserted only by the last step, or as
    /// empty maps if more indices follow.
    fn part(&mut self, instance: &Instance, place: &Target, steps: &[Step], make: bool) -> Eval<&mut Value> {
        let Slot::Value(slot) = place.root else {
            return Err(Abort::new(place.span, "this variable has no parts"));
        };
        let mut at = &mut self.frame.values[slot as usize];
        for (number, step) in steps.iter().enumerate() {
            // Only the key that is assigned itself may be new: on the path, a missing key has no part to change.
            let make = make && number + 1 == steps.len();
            at = match (at, step) {
                (Value::Map(items), Step::Index(key, span)) => {
                    if !make && !items.contains_key(key) {
                        let key = show(&instance.program, key);
                        return Err(Abort::new(*span, format!("key {key} is not in this map")));
                    }
                    insert_key(Arc::make_mut(items), key)
                }
                (Value::List(items), Step::Index(i, span)) => {
                    let i = position_in(items.len(), i, *span)?;
                    &mut Arc::make_mut(items)[i]
                }
                (Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts), Step::Part(i))
                    if *i < parts.len() =>
                {
                    &mut Arc::make_mut(parts)[*i]
                }
                _ => return Err(Abort::new(place.span, "this value has no such part")),
            };
        }
        Ok(at)
    }

    fn variable(&self, instance: &Instance, process: ProcessId, slot: Slot) -> String {
        if let Some(of_responder) = self.responders_name(instance, process, slot) {
            return of_responder;
        }
        let role = &instance.program.roles[instance.role_of(process)];
        let named = role.vars.iter().find(|v| v.slot == slot);
        named.map_or_else(|| "this variable".into(), |v| v.name.clone())
    }
}

/// Return the operation if the expression is the slot's own collection combined with something that does not depend on it.
fn grows(slot: u16, e: &Expr) -> Option<(CollectionOp, &Expr)> {
    let ExprKind::Collection(op, whole, by) = &e.kind else {
        return None;
    };
    matches!(whole.kind, ExprKind::Slot(Slot::Value(s)) if s == slot).then_some((*op, &**by))
}
