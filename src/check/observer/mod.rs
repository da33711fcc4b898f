//! Clauses of an observer, who sees all processes: properties, scenarios, views.

mod hoist;
mod property;
mod settings;
mod scenario;
mod view;
mod unused;

use crate::check::Checker;
use crate::check::context::*;
use crate::ir::Type;

impl Checker<'_> {
    /// Begin the frame of an expression that sees processes from outside, with the names of a component.
    pub fn observe(&mut self, comp: usize) {
        let locals = std::mem::take(&mut self.cx.locals);
        self.frames.push(locals.len());
        self.cx = Cx { comp, locals, ..Cx::new(None, self.comps.len(), Mode::Global) };
    }

    /// Return the types of the observers' locals, by frame. A local that nothing determines holds no value.
    pub(in crate::check) fn observers_locals(&self) -> Vec<Vec<Type>> {
        let ends = self.frames.iter().skip(1).copied().chain([self.cx.locals.len()]);
        let frames = self.frames.iter().zip(ends).map(|(start, end)| &self.cx.locals[*start..end]);
        let settled = |local: &Local| match self.infer.is_known(&local.ty) {
            true => self.infer.full(&local.ty),
            false => Type::Int,
        };
        frames.map(|frame| frame.iter().map(settled).collect()).collect()
    }
}
