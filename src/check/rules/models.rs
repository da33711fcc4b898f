//! Constructs of an algorithm that its model of execution excludes: in rounds and radio, whatever waits for messages or calls; in
//! pairwise interactions, everything but interactions.

use crate::check::load::unit::{HandlerSection, is_synchronizer};
use crate::check::typed::Typed;
use crate::diagnostic::{Diagnostic, Hint, Modelling};
use crate::ir;
use crate::source::Span;
use crate::syntax::ast::Trigger;

#[derive(Clone, Copy)]
enum Construct {
    /// An operation; `true`: the first of its section.
    Operation(bool),
    /// A state with a body.
    Body,
    /// `when` as a handler.
    When,
    /// `after` as a handler.
    After,
    Defer,
    Ignore,
    /// The first layer; `true`: it is the synchronizer.
    Layer(bool),
}

/// Return the finding about a construct in a component that runs in rounds, if they exclude it.
fn in_rounds(construct: Construct) -> Option<(Modelling, Option<Hint>)> {
    Some(match construct {
        Construct::Operation(true) => (Modelling::OperationInRounds, None),
        Construct::When => (Modelling::HandlerInRounds("when"), Some(Hint::WaitInBody)),
        Construct::After => (Modelling::HandlerInRounds("after"), Some(Hint::WaitInBody)),
        Construct::Defer => (Modelling::HandlerInRounds("defer"), Some(Hint::LostMessage)),
        Construct::Ignore => (Modelling::HandlerInRounds("ignore"), Some(Hint::LostMessage)),
        Construct::Layer(false) => (Modelling::LayersInRounds, None),
        Construct::Body | Construct::Operation(false) | Construct::Layer(true) => return None,
    })
}

/// Return the finding about a construct, if pairwise interactions exclude it.
fn in_interactions(construct: Construct) -> Option<(Modelling, Option<Hint>)> {
    let finding = match construct {
        Construct::Operation(_) => Modelling::OnlyInteractions("an operation"),
        Construct::Body => Modelling::OnlyInteractions("a state with a body"),
        Construct::When => Modelling::OnlyInteractions("`when` as a handler"),
        Construct::Layer(_) => Modelling::LayersInInteractions,
        Construct::After | Construct::Defer | Construct::Ignore => return None,
    };
    Some((finding, None))
}

impl Typed {
    pub(super) fn exclusions(&self) -> Vec<Diagnostic> {
        // Components that read neighbours have been rejected along with rounds.
        let rounds = self.in_rounds() && !self.has_assumption("reads neighbours");
        let pairs = self.has_assumption(ir::PAIRS);
        let excluded = |(construct, place): (Construct, Span)| {
            let found =
                [in_rounds(construct).filter(|_| rounds), in_interactions(construct).filter(|_| pairs)];
            found.into_iter().flatten().map(move |(finding, hint)| finding.at(place).hint(hint))
        };
        self.constructs().into_iter().flat_map(excluded).collect()
    }

    /// Return the constructs of the algorithm that some model excludes, with their places.
    fn constructs(&self) -> Vec<(Construct, Span)> {
        let unit = &self.units[0];
        let mut found = Vec::new();
        for section in unit.sections() {
            let operations = section.operations.iter().enumerate();
            found.extend(operations.map(|(i, o)| (Construct::Operation(i == 0), o.name.span)));
            let bodies = section.states.iter().filter(|state| !state.body.is_empty());
            found.extend(bodies.map(|state| (Construct::Body, state.name.span)));
            found.extend(section.handlers().filter_map(|handler| match handler {
                HandlerSection::Defer(guard) => Some((Construct::Defer, guard.span)),
                HandlerSection::Ignore(guard) => Some((Construct::Ignore, guard.span)),
                HandlerSection::Handler(handler) => match handler.trigger {
                    Trigger::When(_) | Trigger::WhenSome { .. } => Some((Construct::When, handler.span)),
                    Trigger::After(_) => Some((Construct::After, handler.span)),
                    // Rejected where it is elaborated.
                    Trigger::On(_) => None,
                },
            }));
        }
        found.extend(unit.uses.first().map(|u| (Construct::Layer(is_synchronizer(u)), u.algorithm.span)));
        found
    }

    /// Report if more than one role is not assumed to have exactly one process.
    pub(super) fn roles_not_assigned(&self) -> Option<Diagnostic> {
        let (one, roles) = (&self.assumptions.single_roles, self.roles.len() as u16);
        let rest: Vec<u16> = (0..roles).filter(|r| !one.contains(r)).collect();
        if roles < 2 || rest.len() < 2 {
            return None;
        }
        let units = &self.units[0].roles;
        let names = rest.iter().filter_map(|role| units[*role as usize].name.as_ref());
        let names = names.map(|name| name.text.clone()).collect();
        Some(Modelling::RolesNotAssigned(names).at(units[0].span))
    }
}
