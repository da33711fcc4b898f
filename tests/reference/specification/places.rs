//! *Statements*: targets of assignments and patterns.

use crate::specification::command::Command;
use crate::specification::configuration::{Frame, FrameKind};
use crate::specification::eval::eval;
use crate::specification::patterns::{Bindings, Target};
use crate::specification::types::fit;
use crate::specification::value::{Failure, Value, abort, unspecified};
use std::collections::BTreeMap;
use synod::internals::syntax::ast::{Expr, ExprKind};

impl Command<'_> {
    /// Assign a variable or a local, or create a local for the rest of the block.
    pub fn set(&mut self, name: &'static str, value: Value, frame: &mut Frame) -> Result<(), Failure> {
        if let Some(at) = frame.local(name) {
            frame.locals[at].1 = value;
            return Ok(());
        }
        let family = [frame.component].into_iter().chain(self.system.component(frame.component).partner);
        for c in family {
            if let Some(variable) = self.system.component(c).variable(self.role(c), name)
                && !variable.output
            {
                return self.set_variable(self.process, c, name, value);
            }
        }
        frame.locals.push((name, value));
        Ok(())
    }

    fn set_variable(&mut self, p: usize, c: usize, name: &'static str, value: Value) -> Result<(), Failure> {
        let role = self.system.role(p, c);
        let variable = self.system.component(c).variable(role, name);
        let Some(variable) = variable else { return unspecified(format!("the variable {name} of p{p}")) };
        let scope = self.scope(&Frame::of(c, FrameKind::Handler));
        let value = match (variable.ty, variable.init) {
            (Some(ty), _) => fit(value, ty, &scope)?,
            // The type of a variable without an annotation is that of its initial value.
            (None, Some(init)) if !matches!(init.kind, ExprKind::None) => value.needed()?,
            _ => value,
        };
        self.now.processes[p].parts[c].variables.insert(name, value);
        Ok(())
    }

    pub fn assign(&mut self, place: &'static Expr, value: Value, frame: &mut Frame) -> Result<(), Failure> {
        match &place.kind {
            ExprKind::Name(name) => self.set(&name.text, value, frame),
            // *`(x, y) := e` assigns the components; `_` ignores one.*
            ExprKind::Tuple(places) => {
                let Value::Tuple(values) = value.needed()? else {
                    return unspecified("components of no tuple");
                };
                let is_place =
                    |place: &Expr| !matches!(&place.kind, ExprKind::Name(name) if name.text == "_");
                let assigned = places.iter().zip(values).filter(|(place, _)| is_place(place));
                assigned.into_iter().try_for_each(|(place, value)| self.assign(place, value, frame))
            }
            ExprKind::Index(of, index) => {
                let scope = self.scope(frame);
                let (held, index) = (eval(of, &scope)?.needed()?, eval(index, &scope)?);
                let held = match held {
                    Value::Map(mut map) => {
                        map.insert(index, value);
                        Value::Map(map)
                    }
                    empty if empty.is_empty_braces() => Value::Map(BTreeMap::from([(index, value)])),
                    Value::List(mut list) => {
                        let at = usize::try_from(index.number()?).ok();
                        match at.and_then(|at| list.get_mut(at)) {
                            Some(element) => *element = value,
                            None => return abort("an index that is not there"),
                        }
                        Value::List(list)
                    }
                    held => return unspecified(format!("an element of {held:?}")),
                };
                self.assign(of, held, frame)
            }
            ExprKind::Field(of, name) => {
                let held = match eval(of, &self.scope(frame))?.needed()? {
                    Value::Record(record, mut fields) => {
                        match fields.iter_mut().find(|(field, _)| *field == name.text) {
                            Some(field) => field.1 = value,
                            None => return unspecified(format!("the field {}", name.text)),
                        }
                        Value::Record(record, fields)
                    }
                    Value::Tuple(mut parts) => {
                        let at = name.text.parse::<usize>().ok().and_then(|k| k.checked_sub(1));
                        match at.and_then(|at| parts.get_mut(at)) {
                            Some(part) => *part = value,
                            None => return unspecified(format!("the part {}", name.text)),
                        }
                        Value::Tuple(parts)
                    }
                    // *Pairwise interactions*: the responder `v`, *whose variables are `v.x`, to be read and assigned*.
                    Value::Port(port) => {
                        let q = self.system.peer(self.process, port)?;
                        return self.set_variable(q, frame.component, &name.text, value);
                    }
                    held => return unspecified(format!("a field of {held:?}")),
                };
                self.assign(of, held, frame)
            }
            _ => unspecified("a place that cannot be assigned"),
        }
    }

    /// *Variables are assigned only if the alternative is taken.*
    pub fn take_bindings(&mut self, bindings: Bindings, frame: &mut Frame) -> Result<(), Failure> {
        for (target, value) in bindings.all {
            match target {
                Target::New(name) => frame.locals.push((name, value)),
                Target::Variable(name) => self.set(name, value, frame)?,
                // `v[p]` is evaluated with the names that the pattern binds.
                Target::Place(place, names) => {
                    let known = frame.locals.len();
                    frame.locals.extend(names);
                    self.assign(place, value, frame)?;
                    frame.locals.drain(known..);
                }
            }
        }
        Ok(())
    }
}
