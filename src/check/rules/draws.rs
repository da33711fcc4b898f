//! Random draws in guards that wait. Such guards are evaluated repeatedly, so a draw would have no meaning.

use crate::check::typed::Role;
use crate::diagnostic::{Behaviour, Diagnostic};
use crate::ir::{self, Input, Sender};
use crate::source::Span;

/// Return a finding for each guard of the role that draws.
pub fn draws(role: &Role) -> impl Iterator<Item = Diagnostic> {
    let own = role.waits.iter().flat_map(|w| &w.alternatives);
    let components = role.components.iter();
    let handlers = components.flat_map(|c| c.states.iter().map(|s| &s.handlers).chain([&c.always]));
    let theirs = handlers.flat_map(|h| h.alternatives.iter().chain(&h.defer).chain(&h.ignore));
    own.chain(theirs).filter_map(first_draw).map(|place| Behaviour::DrawInGuard.at(place))
}

fn first_draw(alternative: &ir::Alternative) -> Option<Span> {
    let of = |e: &ir::Expr| e.first_draw();
    let input = match &alternative.input {
        Input::Condition { some } => some.as_ref().and_then(|b| of(&b.set)),
        Input::Message { from: Sender::Is(e) | Sender::Member(e), .. } | Input::After(e) => of(e),
        Input::Each { store, .. } => store.iter().find_map(|(place, e)| {
            let index = |step: &ir::TargetStep| match step {
                ir::TargetStep::Index(e) => of(e),
                ir::TargetStep::Part(_) => None,
            };
            place.path.iter().find_map(index).or_else(|| of(e))
        }),
        _ => None,
    };
    input.or_else(|| alternative.guard.as_ref().and_then(of))
}
