//! Properties of configurations, ends, costs and the history of runs.

use crate::check::Checker;
use crate::check::context::*;
use crate::diagnostic::{Hint, Label, Naming, Noun, Requirement, Typing};
use crate::ir::{self, Compare, ExprKind as K, PropertyKind, Type};
use crate::syntax::ast;

impl Checker<'_> {
    /// Elaborate the outputs of the problem, as expressions over a process.
    pub fn outputs(&mut self) -> Vec<ir::Output> {
        let mut outputs = Vec::new();
        for (name, _, _) in self.outputs_of(0) {
            self.observe(self.problem().unwrap_or(0));
            let process = self.cx.new_local("", Type::Process, name.span, Class::Temp);
            let subject = self.make(K::Slot(slot(process)), Type::Process, name.span);
            let value = self.process_field(subject, &name, name.span);
            outputs.push(ir::Output { name: name.text.clone(), process, value });
        }
        outputs
    }

    pub fn properties(&mut self) -> Vec<ir::Property> {
        let mut properties: Vec<ir::Property> = Vec::new();
        let problem = self.problem();
        let without = self.units[0].solves.as_ref().map(|s| s.without.clone()).unwrap_or_default();
        let order: Vec<usize> = problem.into_iter().chain((problem != Some(0)).then_some(0)).collect();
        for comp in order {
            let unit = self.units[self.comps[comp].unit].clone();
            for (p, doc, span) in &unit.properties {
                if comp == 0 && self.counts_rounds_given(p) {
                    continue;
                }
                let from_problem = self.comps[comp].is_problem && comp != 0;
                if let Some(first) = properties.iter().position(|q| q.name == p.name.text) {
                    let place = properties[first].span;
                    let d = Naming::TwoCalled("properties", p.name.text.clone()).at(p.name.span);
                    self.error(if properties[first].from_problem && !from_problem {
                        d.related(place, Label::PropertyOfProblem).hint(Hint::RenameProperty)
                    } else {
                        d.related(place, Label::FirstOne)
                    });
                    continue;
                }
                self.observe(comp);
                if let Some(mut property) = self.property(p) {
                    property.doc = doc.clone();
                    property.span = *span;
                    property.from_problem = from_problem;
                    let given_up = without.iter().any(|n| n.text == property.name);
                    property.is_claimed = !given_up;
                    properties.push(property);
                }
            }
        }
        for name in &without {
            if !properties.iter().any(|p| p.name == name.text) {
                let known: Vec<String> = properties.iter().map(|p| p.name.clone()).collect();
                let d = Naming::Unknown(Noun::Property, name.text.clone()).at(name.span);
                let hint = Hint::are("the properties", &known).unwrap_or(Hint::DeclareProperty);
                self.error(d.nearest(&name.text, &known, hint));
            }
        }
        properties
    }

    fn property(&mut self, p: &ast::Property) -> Option<ir::Property> {
        self.cx.scopes.push(Vec::new());
        let mut each = self.binders(&p.each, p.name.span);
        let is_bound = matches!(p.kind, PropertyKind::Bound | PropertyKind::Exactly);
        self.hoisted.clear();
        let mut body = self.expr_as(&p.body, &Type::Bool, "a property");
        let mut then = p.then.as_ref().map(|t| self.expr_as(t, &Type::Bool, "the right side of `leads to`"));
        self.cx.scopes.pop();
        let repeated = !each.is_empty();
        self.hoist_binders(&mut each, false);
        self.hoist(&mut body, repeated);
        then.iter_mut().for_each(|t| self.hoist(t, repeated));
        let bound = match is_bound {
            true => self.bound(p, &body),
            false => None,
        };
        Some(ir::Property {
            kind: p.kind,
            name: p.name.text.clone(),
            doc: None,
            binders: each,
            body,
            consequent: then,
            bound,
            from_problem: false,
            is_claimed: true,
            span: p.name.span,
        })
    }

    fn bound(&mut self, p: &ast::Property, body: &ir::Expr) -> Option<ir::Bound> {
        if let K::Compare(compare, left, right) = &body.kind
            && let K::Metric { metric, of, per } = &left.kind
            && self.infer.full(&right.ty).is_word()
        {
            if p.kind == PropertyKind::Exactly && *compare != Compare::Equal {
                self.error(Requirement::ExactlyWithoutEquals.at(body.span));
                return None;
            }
            return Some(ir::Bound {
                metric: *metric,
                of: of.clone(),
                per: *per,
                compare: *compare,
                limit: (**right).clone(),
            });
        }
        if mentions_metric(body) {
            // A property of costs in another form: it is checked at the end as written.
            return None;
        }
        let word = if p.kind == PropertyKind::Exactly { "exactly" } else { "bound" };
        self.error(Requirement::NoMeasure(word).at(p.body.span));
        None
    }

    /// Elaborate `function worst_id(i)`: the identifiers of a worst case.
    pub fn worst_id(&mut self) -> Option<(ir::Slot, ir::Expr)> {
        let function = self.units[0].functions.iter().find(|f| f.name.text == "worst_id")?.clone();
        if function.params.len() != 1 {
            self.error(Typing::WorstIdTakesOne(function.params.len()).at(function.name.span));
            return None;
        }
        self.observe(0);
        let i = self.cx.bind(&function.params[0].name.text, Type::Int, function.params[0].name.span);
        let value = self.expr_as(&function.body, &Type::Int, "an identifier given by `worst_id`");
        Some((slot(i), value))
    }
}

fn mentions_metric(e: &ir::Expr) -> bool {
    match &e.kind {
        K::Metric { .. } => true,
        K::Not(x) | K::Negate(x) => mentions_metric(x),
        K::And(x, y)
        | K::Or(x, y)
        | K::Implies(x, y)
        | K::Arith(_, x, y)
        | K::Compare(_, x, y)
        | K::CompareValues(_, x, y)
        | K::In(x, y)
        | K::Range(x, y) => mentions_metric(x) || mentions_metric(y),
        K::If(c, x, y) => [c, x, y].into_iter().any(|e| mentions_metric(e)),
        K::Let(lets, body) => lets.iter().any(|(_, x)| mentions_metric(x)) || mentions_metric(body),
        K::Call(_, args) => args.iter().any(mentions_metric),
        K::Once { value, .. } => mentions_metric(value),
        _ => false,
    }
}
