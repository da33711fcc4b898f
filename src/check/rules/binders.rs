//! Binders of temporal properties whose set may change during a run: then the earlier truth values would be those of other
//! processes or values.

use crate::diagnostic::{Diagnostic, Requirement};
use crate::ir::{self, ExprKind as K, Fact, ProcessFact, PropertyKind};
use crate::source::Span;

/// Return the finding about such a binder of the property; with `crashes`, processes may crash.
pub fn changing_binder(property: &ir::Property, crashes: bool) -> Option<Diagnostic> {
    let word = match property.kind {
        PropertyKind::Stable => "stable",
        PropertyKind::Eventually => "eventually",
        PropertyKind::Settles => "settles",
        PropertyKind::LeadsTo => "leads",
        PropertyKind::Invariant
        | PropertyKind::Finally
        | PropertyKind::Bound
        | PropertyKind::Exactly
        | PropertyKind::Order => return None,
    };
    let mut binders = property.binders.iter();
    let (binder, place) = binders.find_map(|binder| Some((binder, changing(&binder.set, crashes)?)))?;
    Some(Requirement::ChangingBinder(binder.name.clone(), word).at(place))
}

/// Return the place where an expression reads something that may change during a run; with `crashes`, processes may.
fn changing(e: &ir::Expr, crashes: bool) -> Option<Span> {
    match &e.kind {
        K::ProcessFact(ProcessFact::Up, _) if !crashes => {}
        K::Remote(..)
        | K::RemoteState(..)
        | K::NeighbourVariable(..)
        | K::ProcessFact(
            ProcessFact::Up | ProcessFact::Halted | ProcessFact::Enabled | ProcessFact::IsInitiator,
            _,
        )
        | K::Fact(Fact::Initiators)
        | K::Metric { .. }
        | K::History(..)
        | K::HappenedBefore(..)
        | K::Before(..)
        | K::MulticastBefore(..)
        | K::EventFact(..) => return Some(e.span),
        _ => {}
    }
    let mut found = None;
    e.parts(&mut |part| found = found.or_else(|| changing(part, crashes)));
    found
}
