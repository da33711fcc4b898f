//! Places: the shapes of variables and locals, and the rules for assigning to them.

use crate::explore::reduction::flow::Flow;
use crate::explore::reduction::flow::rules::{fits, reason};
use crate::explore::reduction::shape::Shape;
use crate::ir::{Slot, Target, TargetStep, Type};
use crate::source::Span;
use Shape::{Disregarded, Nothing, Plain, Shifted};

impl Flow<'_> {
    pub(super) fn frame(&mut self, slot: Slot) -> &mut Shape {
        let frame = &mut self.marks.roles[self.at];
        match slot {
            Slot::Word(at) => &mut frame.words[usize::from(at)],
            Slot::Value(at) => &mut frame.values[usize::from(at)],
        }
    }

    pub(super) fn slot(&mut self, slot: Slot) -> Shape {
        self.frame(slot).clone()
    }

    pub(super) fn is_declared(&self, slot: Slot) -> bool {
        self.declared.get(self.at).is_some_and(|(words, values)| match slot {
            Slot::Word(at) => words[usize::from(at)],
            Slot::Value(at) => values[usize::from(at)],
        })
    }

    pub(super) fn name_of(&self, slot: Slot) -> String {
        let variables = self.program.roles.get(self.at).map_or(&[][..], |role| &role.vars);
        let found = variables.iter().find(|v| v.slot == slot);
        found.map_or_else(|| "a local variable".into(), |v| format!("`{}`", v.name))
    }

    pub(super) fn span_of(&self, slot: Slot) -> Span {
        let role = self.program.roles.get(self.at);
        let found = role.and_then(|role| role.vars.iter().find(|v| v.slot == slot));
        found.map_or(Span::default(), |v| v.span)
    }

    pub(super) fn store(&mut self, slot: Slot, shape: Shape, span: Span) {
        let known = self.slot(slot);
        if self.is_declared(slot) {
            if !fits(&known, &shape) {
                let why = reason(&known, &shape, &self.name_of(slot));
                self.object(span, why);
            }
            return;
        }
        // The initial value of a local becomes a number of the view if its later values are.
        let now = match (self.starting, self.filling) {
            (false, _) => known.join(&shape),
            (true, false) => return,
            (true, true) => known.filled(&shape),
        };
        if now != known {
            self.changed = true;
            *self.frame(slot) = now.clone();
        }
        if now.is_mixed() {
            let why = reason(&known, &shape, &self.name_of(slot));
            self.object(span, why);
        }
    }

    /// Return the shape of the target, after checking the path that leads there.
    pub(super) fn target(&mut self, place: &Target) -> Shape {
        let mut shape = self.slot(place.root);
        if shape == Disregarded && !place.path.is_empty() {
            let ty = self.program.roles[self.at].vars.iter().find(|v| v.slot == place.root).map(|v| &v.ty);
            if !(matches!(ty, Some(Type::Map(..))) && place.path.len() == 1) {
                self.object(
                    place.span,
                    "whether this part exists depends on a value that the view disregards",
                );
            }
        }
        for step in &place.path {
            shape = match step {
                TargetStep::Part(at) => shape.part(*at),
                TargetStep::Index(e) => {
                    let at = self.shape(e);
                    if at.has_disregarded() && shape != Disregarded {
                        self.object(
                            e.span,
                            "the target of an assignment depends on a value that the view disregards",
                        );
                    }
                    match &shape {
                        Shape::Map(keys, values) => {
                            self.same(keys, &at, e.span, "are compared");
                            (**values).clone()
                        }
                        Disregarded => Disregarded,
                        other => {
                            self.must_be_plain(&at, e.span, "the target of an assignment");
                            other.element()
                        }
                    }
                }
            };
        }
        shape
    }

    pub(super) fn assign(&mut self, place: &Target, shape: Shape, span: Span) {
        if place.path.is_empty() {
            if place.range.is_some() && shape.is_marked() {
                self.object(
                    span,
                    "the variable has a range, so whether the command aborts depends on the view",
                );
            }
            return self.store(place.root, shape, span);
        }
        let target = self.target(place);
        let name = self.name_of(place.root);
        if self.is_declared(place.root) {
            if !fits(&target, &shape) {
                let why = reason(&target, &shape, &name);
                self.object(span, why);
            }
            return;
        }
        let known = self.slot(place.root);
        let whole = self.with_part(&known, &place.path, shape);
        self.store(place.root, whole, span);
    }

    /// Return the shape of a local after an assignment to a part of it.
    fn with_part(&mut self, whole: &Shape, path: &[TargetStep], part: Shape) -> Shape {
        let Some((step, path)) = path.split_first() else { return whole.join(&part) };
        match (step, whole) {
            (_, Disregarded) => Disregarded,
            (TargetStep::Part(at), Shape::Parts(parts)) => {
                let mut parts = parts.clone();
                if let Some(known) = parts.get_mut(*at) {
                    *known = self.with_part(known, path, part);
                }
                Shape::Parts(parts)
            }
            (TargetStep::Index(e), Shape::Map(keys, values)) => {
                let keys = keys.join(&self.shape(e));
                Shape::Map(Box::new(keys), Box::new(self.with_part(values, path, part)))
            }
            (TargetStep::Index(_), Shape::Elements(inner)) => {
                Shape::Elements(Box::new(self.with_part(inner, path, part)))
            }
            // Nothing is known of its parts, so all of them are ordinary.
            (_, Nothing | Plain) => {
                let is_marked = match step {
                    TargetStep::Part(_) => false,
                    TargetStep::Index(e) => self.shape(e).is_marked(),
                };
                let inner = self.with_part(&Plain, path, part);
                if is_marked || inner.is_marked() { Shape::Mixed } else { Plain }
            }
            (_, Shifted(_) | Shape::Mixed | Shape::Parts(_) | Shape::Elements(_) | Shape::Map(..)) => {
                Shape::Mixed
            }
        }
    }
}
