//! Port labels: the networks that have them, and declarations that hide them.

use crate::check::Checker;
use crate::diagnostic::{Diagnostic, Hint, Label, Modelling, Need};
use crate::ir::{PortLabel, Shape};
use crate::source::Span;
use crate::syntax::ast;

pub fn port_label(name: &str) -> Option<PortLabel> {
    Some(match name {
        "next" => PortLabel::Next,
        "prev" => PortLabel::Prev,
        "left" => PortLabel::Left,
        "right" => PortLabel::Right,
        "north" => PortLabel::North,
        "east" => PortLabel::East,
        "south" => PortLabel::South,
        "west" => PortLabel::West,
        _ => return None,
    })
}

impl Checker<'_> {
    /// Return whether the assumed network has such a port.
    pub(in crate::check) fn has_label(&self, label: PortLabel) -> bool {
        self.find_label(label).0
    }

    /// Return whether the assumed network has such a port, and the assumption that would provide it.
    fn find_label(&self, label: PortLabel) -> (bool, &'static str) {
        let a = &self.assumptions;
        match label {
            PortLabel::Next | PortLabel::Prev => {
                let granted = a.unidirectional && a.topology == Some(Shape::Ring);
                match a.topology {
                    Some(Shape::Complete | Shape::Connected) => (granted, "virtual ring"),
                    _ => (granted, "unidirectional ring"),
                }
            }
            PortLabel::Left | PortLabel::Right => (
                !a.unidirectional && a.oriented && matches!(a.topology, Some(Shape::Ring | Shape::Line)),
                "bidirectional ring",
            ),
            PortLabel::Parent => (a.topology == Some(Shape::Tree) || a.spanning_tree, "tree"),
            _ => (
                a.oriented && matches!(a.topology, Some(Shape::Mesh | Shape::Torus)),
                if a.topology == Some(Shape::Torus) { "oriented torus" } else { "oriented mesh" },
            ),
        }
    }

    /// Require the assumption that provides this port.
    pub(in crate::check) fn require_label(&mut self, label: PortLabel, text: &str, span: Span) {
        let (granted, assumption) = self.find_label(label);
        let a = &self.assumptions;
        // The labels of the other kind of ring.
        let other = match label {
            PortLabel::Next | PortLabel::Prev => "`left` and `right`",
            _ => "`next` and `prev`",
        };
        if !granted
            && a.topology == Some(Shape::Ring)
            && assumption.contains("ring")
            && (a.unidirectional || a.oriented)
        {
            let direction = if a.unidirectional { "unidirectional" } else { "bidirectional" };
            self.error(Modelling::NoSuchPort(text.into(), direction).at(span).hint(Hint::PortsAre(other)));
            return;
        }
        if !granted {
            self.require(Need::Direction(text.into(), assumption), span);
        }
    }

    /// `opposite(p)`: require a network in which it is defined. With two ports it is the other one; with four, directions are
    /// needed.
    pub(in crate::check) fn require_opposite(&mut self, span: Span) {
        let a = &self.assumptions;
        let (granted, assumption) = match a.topology {
            _ if a.virtual_ring => (true, ""),
            Some(Shape::Ring) => (!a.unidirectional, "bidirectional ring"),
            Some(Shape::Line) => (true, ""),
            Some(Shape::Mesh) => (a.oriented, "oriented mesh"),
            Some(Shape::Torus) => (a.oriented, "oriented torus"),
            Some(Shape::Connected) => (false, "virtual ring"),
            _ => (false, "ring"),
        };
        if !granted {
            self.require(Need::Opposite(assumption), span);
        }
    }

    /// If a port is needed, and the program declares the name of a port as something else, add this as an explanation.
    pub(in crate::check) fn explain_hidden_port(&self, e: &ast::Expr, d: Diagnostic) -> Diagnostic {
        let ast::ExprKind::Name(name) = &e.kind else { return d };
        let text = name.text.as_str();
        let label = port_label(text).or((text == "parent").then_some(PortLabel::Parent));
        let ring = self.assumptions.virtual_ring && matches!(label, Some(PortLabel::Next | PortLabel::Prev));
        if !ring && !label.is_some_and(|label| self.has_label(label)) {
            return d;
        }
        let Some(local) = self.assignable(text) else { return d };
        d.related(self.cx.locals[local as usize].span, Label::Declared).hint(Hint::HidesPort(text.into()))
    }
}
