//! Assumptions of layers, which the algorithm that uses them must also make.

use crate::check::Checker;
use crate::diagnostic::{Hint, Label, Modelling};
use crate::ir::{Compare, Delay, Expr, ExprKind as K, LayerBound, LayerLimit, Size, SizeBound};
use crate::source::Span;
use crate::syntax::ast;

/// Whether the algorithm makes an assumption of its layer.
enum Granted {
    Yes,
    No,
    /// Depends on numbers that only an instance knows.
    Conditionally(LayerLimit),
}

impl Checker<'_> {
    pub(in crate::check) fn layer_assumptions(&mut self, comp: usize) {
        let unit = self.units[self.comps[comp].unit].clone();
        let name = unit.name.text.clone();
        let span = self.use_of(comp);
        for a in &unit.assumes {
            // Include the bound, if there is one.
            let text = self.sources.slice(a.span).split_whitespace().collect::<Vec<_>>().join(" ");
            let granted = match text.as_str() {
                _ if a.bound.is_some() => match self.layer_bound(comp, a, &text) {
                    Granted::Yes => true,
                    Granted::No => false,
                    Granted::Conditionally(limit) => {
                        let layer = self.comps[comp].name.clone();
                        self.assumptions.of_layers.push(LayerBound { layer, words: text.clone(), limit });
                        true
                    }
                },
                // A layer that allows any order also works with this one.
                "unordered" | "reliable" => true,
                "fifo" => !self.assumptions.unordered,
                "connected graph" => true,
                other => self.has_assumption(other),
            };
            if !granted {
                self.not_granted(&name, a, &text, span);
            }
        }
    }

    fn not_granted(&mut self, layer: &str, a: &ast::Assumption, text: &str, span: Span) {
        let d =
            Modelling::LayerAssumes(layer.into(), text.into()).at(span).related(a.span, Label::LayerAssumes);
        let Some((_, bound)) = &a.bound else {
            let (hint, fix) = self.hint_to_assume(text);
            self.error(d.hint(hint).fix(fix));
            self.assumption(a);
            return;
        };
        // The names of the layer have no meaning in the algorithm.
        self.error(match &bound.kind {
            ast::ExprKind::Int(_) => d.hint(Hint::Assume(text.into())).fix(self.fix_assume(text)),
            _ => d.hint(Hint::AssumeBound),
        });
        // Continue as if it were assumed, so that its uses are not reported too.
        let one = Expr { kind: K::Word(1), ty: crate::ir::Type::Int, span: bound.span };
        let assumptions = &mut self.assumptions;
        match a.words.first().map(|word| word.text.as_str()) {
            Some("delay") if assumptions.delay.is_none() => {
                assumptions.delay = Some(Delay { min: None, max: one });
            }
            Some("crashes") => assumptions.crashes = true,
            _ => {}
        }
    }

    /// Check an assumption with a bound, which may contain the layer's own parameters.
    fn layer_bound(&mut self, comp: usize, a: &ast::Assumption, text: &str) -> Granted {
        let words: Vec<&str> = a.words.iter().map(|w| w.text.as_str()).collect();
        let words = words.join(" ");
        let before = std::mem::replace(&mut self.assuming_component, comp);
        let granted = match words.as_str() {
            "delay" => self.layer_delay(a),
            "crashes" => self.layer_crashes(a),
            _ => self.layer_size(comp, a, &words, text),
        };
        self.assuming_component = before;
        granted
    }

    fn layer_delay(&mut self, a: &ast::Assumption) -> Granted {
        let own = self.assumptions.delay.clone();
        let (Some(wanted), Some(own)) = (self.delay_bounds(a), own) else { return Granted::No };
        let least = match (&wanted.min, &own.min) {
            (None, _) => Some(true),
            (Some(wanted), Some(own)) => at_most(wanted, own),
            (Some(_), None) => None,
        };
        match (at_most(&own.max, &wanted.max), least) {
            (Some(true), Some(true)) => Granted::Yes,
            (Some(false), _) | (_, Some(false)) => Granted::No,
            _ => Granted::Conditionally(LayerLimit::Delay(wanted)),
        }
    }

    fn layer_crashes(&mut self, a: &ast::Assumption) -> Granted {
        let own = self.assumptions.max_crashes.clone();
        let wanted = self.assumed_bound(a, "crashes <= 1", &[ast::BinaryOp::LessEqual]);
        let (Some((_, wanted)), Some(own)) = (wanted, own) else { return Granted::No };
        match at_most(&own, &wanted) {
            Some(true) => Granted::Yes,
            Some(false) => Granted::No,
            None => Granted::Conditionally(LayerLimit::Crashes(wanted)),
        }
    }

    fn layer_size(&mut self, comp: usize, a: &ast::Assumption, words: &str, text: &str) -> Granted {
        if self.implied_size(a) {
            return Granted::Yes;
        }
        let (Some(size), Some((op, e))) = (Size::of(words), &a.bound) else { return Granted::No };
        let Some(rule) = self.size_rule(Some((size, *op)), e) else { return Granted::No };
        if rule.is_constant() {
            return if self.has_assumption(text) { Granted::Yes } else { Granted::No };
        }
        // A bound that contains parameters must hold in every instance.
        let words = format!("{text}, for its layer {}", self.comps[comp].name);
        self.assumptions.sizes.push(SizeBound { rule, words });
        Granted::Yes
    }

    /// Return whether the network is large enough for a layer because its user assumes at least that size.
    fn implied_size(&self, a: &ast::Assumption) -> bool {
        let words: Vec<&str> = a.words.iter().map(|w| w.text.as_str()).collect();
        let least = |greater: bool, k: i64| if greater { k.checked_add(1) } else { Some(k) };
        let (Some(size), Some((op, e))) = (Size::of(&words.join(" ")), &a.bound) else {
            return false;
        };
        let asked = match (op, &e.kind) {
            (ast::BinaryOp::GreaterEqual, ast::ExprKind::Int(k)) => least(false, *k),
            (ast::BinaryOp::Greater, ast::ExprKind::Int(k)) => least(true, *k),
            _ => None,
        };
        let own = self.assumptions.sizes.iter().flat_map(|own| own.rule.conjuncts());
        let own = own.filter(|(of, ..)| *of == size);
        let mut own = own.filter_map(|(_, compare, limit)| match (compare, &limit.kind) {
            (Compare::GreaterEqual | Compare::Equal, K::Word(k)) => least(false, *k),
            (Compare::Greater, K::Word(k)) => least(true, *k),
            _ => None,
        });
        asked.is_some_and(|asked| own.any(|own| own >= asked))
    }
}

/// Return whether one number is at most the other. None: not known here.
fn at_most(a: &Expr, b: &Expr) -> Option<bool> {
    match (&a.kind, &b.kind) {
        (K::Word(a), K::Word(b)) => Some(a <= b),
        _ => None,
    }
}
