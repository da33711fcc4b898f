//! The `assumes` clause: the assumptions that it grants, and their conflicts.

mod words;
mod layers;
pub mod ports;
mod needs;
mod faults;

use super::{Checker, prose};
use crate::check::load::unit::is_synchronizer;
use crate::diagnostic::{Hint, Label, Modelling, Naming, Need, Noun};
use crate::ir::Shape;
use crate::prose::foreign_assumption;
use crate::source::Span;
use crate::syntax::ast;
pub use faults::comparison_of;
use words::{CONFLICTS, REFINES, SYNCHRONIZER_CONFLICTS, WITH_NAME, is_joint, joint_conflict};
pub use words::{VOCABULARY, word};

impl Checker<'_> {
    pub fn assume(&mut self) {
        let unit = self.units[0].clone();
        self.cx.comp = 0;
        if let Some(span) = unit.assumes_span {
            self.assumptions.span = span;
        }
        for a in &unit.assumes {
            self.assumption(a);
        }
        self.conflicts();
        for lane in &mut self.lanes {
            lane.fifo = !self.assumptions.unordered;
        }
        // The algorithm must also assume what its layers assume.
        for comp in 1..self.component_count() {
            if !self.comps[comp].is_problem {
                self.layer_assumptions(comp);
            }
        }
    }

    pub(super) fn assumption(&mut self, a: &ast::Assumption) {
        let text: Vec<&str> = a.words.iter().map(|w| w.text.as_str()).collect();
        let text = text.join(" ");
        let mut written = text.clone();
        if a.bound.is_some() {
            written = self.sources.slice(a.span).split_whitespace().collect::<Vec<_>>().join(" ");
        }
        self.assumptions.written.push((written, a.span));
        if self.model_assumption(a, &text) {
            return;
        }
        if let Some((_, bound)) = &a.bound
            && VOCABULARY.contains(&text.as_str())
        {
            self.error(Modelling::NoBound(text.clone()).at(bound.span));
        }
        if let Some(row) = word(&text) {
            (row.grant)(&mut self.assumptions);
            if row.is_model {
                self.assumptions.models.push((text.clone(), a.span));
            }
            match (row.shape, self.assumptions.topology) {
                (Some(shape), Some(other)) if shape != other => {
                    self.error(Modelling::SecondTopology(text).at(a.span));
                }
                (Some(shape), _) => self.assumptions.topology = Some(shape),
                (None, _) => {}
            }
            return;
        }
        match text.as_str() {
            other if other.starts_with("synchronous by ") => {
                self.assumptions.models.push((other.to_string(), a.span));
            }
            other if other.starts_with("oracle ") && a.words.len() == 2 => {
                self.assume_oracle(&a.words[1]);
            }
            other
                if other.starts_with("one ")
                    && a.words.len() == 2
                    && (foreign_assumption(other).is_none()
                        || self.role_named(&a.words[1].text).is_some()) =>
            {
                let name = a.words[1].clone();
                match self.role_named(&name.text) {
                    Some(role) => self.assumptions.single_roles.push(role.index),
                    None => {
                        let known: Vec<String> = self.units[0]
                            .roles
                            .iter()
                            .filter_map(|r| r.name.as_ref())
                            .map(|n| n.text.clone())
                            .collect();
                        let d = Naming::Unknown(Noun::Role, name.text.clone()).at(name.span);
                        if let Some(meant) =
                            prose::nearest(&name.text, &known).and_then(|k| self.role_named(k))
                        {
                            self.assumptions.single_roles.push(meant.index);
                        }
                        let declare = Hint::DeclareRole(name.text.clone());
                        let otherwise = Hint::are("the roles", &known).unwrap_or(declare);
                        self.error(d.nearest(&name.text, &known, otherwise));
                    }
                }
            }
            other => {
                let known: Vec<String> =
                    VOCABULARY.iter().filter(|w| !WITH_NAME.contains(w)).map(|s| s.to_string()).collect();
                let d = Modelling::UnknownAssumption(other.to_string()).at(a.span);
                if let Some(hint) = foreign_assumption(other) {
                    self.error(d.hint(Hint::Word(hint)));
                    return;
                }
                if let Some(hint) = self.hint_on_knowledge(&a.words) {
                    self.error(d.hint(hint));
                    return;
                }
                let d = match prose::nearest(other, &known) {
                    Some(k) => {
                        let words = a.words.iter().map(|w| w.span).reduce(Span::to).unwrap_or(a.span);
                        d.suggest_at(words, k)
                    }
                    None if other.split(' ').any(|word| ["or", "and"].contains(&word)) => {
                        d.hint(Hint::OneByOne)
                    }
                    None => d.hint(Hint::ListAssumptions),
                };
                self.error(d);
                // Continue with the assumption that was probably meant, so that its uses are not reported too.
                if let Some(meant) = prose::nearest(other, &known) {
                    let words =
                        meant.split(' ').map(|w| ast::Name { text: w.to_string(), span: a.span }).collect();
                    self.assumption(&ast::Assumption { words, ..a.clone() });
                }
            }
        }
    }

    /// Return what to write for `knows f`: every process knows parameters and constants.
    fn hint_on_knowledge(&self, words: &[ast::Name]) -> Option<Hint> {
        let [knows, name] = words else { return None };
        let unit = &self.units[0];
        let mut known = unit.params.iter().map(|p| &p.0).chain(unit.consts.iter().map(|c| &c.0));
        let is_known = known.any(|known| known.text == name.text);
        let is_letter = name.text.chars().count() == 1 && !name.text.eq_ignore_ascii_case("n");
        let hint = if is_known { Hint::IsKnown } else { Hint::DeclareKnown };
        (knows.text == "knows" && (is_known || is_letter)).then(|| hint(name.text.clone()))
    }

    /// Report assumptions that exclude each other, or need others.
    fn conflicts(&mut self) {
        let a = self.assumptions.clone();
        let place = |word: &str| a.written.iter().find(|(w, _)| w == word).map(|(_, s)| *s);
        for (x, y) in CONFLICTS {
            let (Some(p), Some(q)) = (place(x), place(y)) else { continue };
            let (first, second) = if p < q { (p, q) } else { (q, p) };
            let d = Modelling::Exclude((*x).into(), (*y).into()).at(second).related(first, Label::Assumed);
            let daemon = (*x, *y) == ("synchronous", "reads neighbours");
            self.error(d.hint(daemon.then_some(Hint::SynchronousDaemon)));
        }
        for (word, base) in REFINES {
            if let (Some(span), None) = (place(word), place(base)) {
                self.require(Need::Refined(word, base), span);
            }
        }
        let survive = "messages survive crashes";
        if let (Some(span), false) = (place(survive), a.crashes) {
            self.require(Need::Refined(survive, "crashes"), span);
        }
        self.oracles_need_pairs();
        if let Some((joint, span)) = a.written.iter().find(|(w, _)| is_joint(w)) {
            for (words, place) in &a.written {
                let Some(why) = joint_conflict(joint, words) else { continue };
                self.error(
                    Modelling::Exclude(joint.clone(), words.clone())
                        .at(*place)
                        .related(*span, Label::Assumed)
                        .hint(Hint::Word(why)),
                );
            }
        }
        if let Some(wanted) = self.units[0].uses.iter().find(|used| is_synchronizer(used)) {
            let (name, span) = (wanted.algorithm.text.clone(), wanted.algorithm.span);
            let excluded =
                SYNCHRONIZER_CONFLICTS.iter().find_map(|(words, why)| Some((words, why, place(words)?)));
            if let Some((words, why, place)) = excluded {
                let d = Modelling::SynchronizerExcludes(name, words, why).at(place);
                self.error(d.related(span, Label::Assumed));
            }
        }
        if a.virtual_ring
            && let Some(shape) = a.topology
            && !matches!(shape, Shape::Complete | Shape::Connected)
            && let Some(span) = place("virtual ring")
        {
            self.error(Modelling::VirtualRingNeedsGraph.at(span));
        }
        if a.identifies_by_id() && !a.unique_ids && !self.units[0].is_problem {
            let span = place("knows peers").or(place("addressable ids")).unwrap_or(a.span);
            let (hint, fix) = self.hint_to_assume("unique ids");
            self.error(Modelling::IdsNotUnique.at(span).hint(hint).fix(fix));
        }
    }

    pub fn has_assumption(&self, words: &str) -> bool {
        self.assumptions.has(words)
    }
}
