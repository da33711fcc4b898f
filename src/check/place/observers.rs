//! Frames of expressions outside of roles.

use super::finish::Finisher;
use crate::check::Checker;
use crate::check::context::*;
use crate::ir;

impl Checker<'_> {
    /// Begin the frame of an expression that sees processes from outside, with the names of a component.
    pub fn observe(&mut self, comp: usize) {
        self.cx = Cx { comp, ..Cx::new(None, self.comps.len(), Mode::Global) };
    }

    /// Assign the slots of an expression in the current frame.
    pub fn finished(&mut self, mut e: ir::Expr) -> ir::Expr {
        self.finish_global(|f| f.expr(&mut e));
        e
    }

    /// Assign the slots of what has been elaborated in the current frame, which `work` visits. Return those of its locals.
    pub fn finish_global(&mut self, work: impl FnOnce(&Finisher)) -> Vec<ir::Slot> {
        if self.types.is_some() {
            for local in self.cx.locals.clone().iter().filter(|l| l.named) {
                self.note_type(local.span, &local.ty);
            }
        }
        let (mut words, mut values) = (0u16, 0u16);
        let slots: Vec<ir::Slot> = self
            .cx
            .locals
            .iter()
            .map(|l| {
                let ty = self.infer.full(&l.ty);
                if ty.is_word() || !self.infer.is_known(&ty) {
                    words += 1;
                    ir::Slot::Word(words - 1)
                } else {
                    values += 1;
                    ir::Slot::Value(values - 1)
                }
            })
            .collect();
        self.global_frame.0 = self.global_frame.0.max(words);
        self.global_frame.1 = self.global_frame.1.max(values);
        let finisher = Finisher { infer: &self.infer, slots: slots.clone(), thread: Vec::new() };
        work(&finisher);
        slots
    }
}
