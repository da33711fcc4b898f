//! Normal form of properties of the history: `forall x1, …, xk with C: M`, where M is a formula in which all further quantifiers
//! over events are `some`, none of them negated. More events can make M true, but never false.

use crate::explore::monitor::history::formula::{EventKind, EventVariable, Formula, Quantified, Term};
use crate::ir::{
    Binder, Compare, EventFact, Expr, ExprKind as K, HistoryKind, Pattern, ProcessFact, Program, Quantifier,
    Slot,
};
use crate::property::Reads;
use std::collections::BTreeSet;

/// The attributes and relations of events that sentences read, by kind of event.
#[derive(Clone, Debug, Default)]
pub struct EventReads {
    /// Kinds over which some variable ranges, without repetition.
    pub kinds: Vec<EventKind>,
    pub values: BTreeSet<EventKind>,
    pub numbers: BTreeSet<EventKind>,
    /// Whether numbers are read otherwise than by comparison with the number of another event of the same process.
    pub absolute_numbers: bool,
    /// Kinds on the left and on the right of `happened before`.
    pub causes: BTreeSet<EventKind>,
    pub effects: BTreeSet<EventKind>,
    /// Pairs of kinds for which the order of events at different processes matters.
    pub ordered: BTreeSet<(EventKind, EventKind)>,
    pub multicasts: bool,
}

#[derive(Clone, Debug)]
pub struct Sentence {
    /// The variable at index i has depth i.
    pub universals: Vec<Quantified>,
    /// For each number of universals, from none to all: the conditions that can be evaluated once these are bound.
    pub conditions: Vec<Formula>,
    pub matrix: Formula,
    /// The variables of the matrix.
    pub witnesses: Vec<Quantified>,
}

/// Return sentences whose conjunction is the property, and add what they read. `None`: the property has another form, reads more
/// than the history, or may fail.
pub fn sentences<'r>(
    property: &Expr,
    program: &'r Program,
    reads: &'r mut EventReads,
) -> Option<Vec<Sentence>> {
    let mut found = Vec::new();
    let mut builder = Builder { program, variables: Vec::new(), same_process: Vec::new(), reads };
    builder.split(property, &[], &[Formula::And(Vec::new())], &mut found)?;
    Some(found)
}

struct Builder<'r> {
    program: &'r Program,
    /// Slots of the event variables in scope, and of parameters of functions that stand for them; innermost last.
    variables: Vec<(u16, EventVariable)>,
    /// Depths of variables that, where the present formula matters, are events of one process.
    same_process: Vec<(usize, usize)>,
    reads: &'r mut EventReads,
}

impl Builder<'_> {
    /// Bring an event variable into scope. `depth`: the number of those around it.
    fn bind(&mut self, binder: &Binder, depth: usize) -> Option<EventVariable> {
        match (&binder.pattern, &binder.set.kind) {
            (Pattern::Slot(Slot::Word(slot)), K::History(what, of)) => {
                let kind = EventKind { what: *what, of: *of };
                let variable = EventVariable { depth, kind, range: self.range(kind) };
                self.variables.push((*slot, variable));
                Some(variable)
            }
            _ => None,
        }
    }

    /// Return the index of a kind among those over which variables range.
    fn range(&mut self, kind: EventKind) -> usize {
        let kinds = &mut self.reads.kinds;
        kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            kinds.push(kind);
            kinds.len() - 1
        })
    }

    /// Note the equalities of processes that hold where this condition holds.
    fn assume(&mut self, condition: &Expr) {
        match &condition.kind {
            K::And(x, y) => {
                self.assume(x);
                self.assume(y);
            }
            K::Compare(Compare::Equal, x, y) | K::CompareValues(Compare::Equal, x, y) => {
                if let (Some(Term::Process(x)), Some(Term::Process(y))) = (self.term(x), self.term(y)) {
                    self.same_process.push((x.depth, y.depth));
                }
            }
            _ => {}
        }
    }

    /// Return whether these are events of one process by the conditions around.
    fn is_one_process(&self, x: EventVariable, y: EventVariable) -> bool {
        let mut reached = vec![x.depth];
        let mut next = 0;
        while let Some(from) = reached.get(next).copied() {
            next += 1;
            for (a, b) in &self.same_process {
                for (a, b) in [(*a, *b), (*b, *a)] {
                    if a == from && !reached.contains(&b) {
                        reached.push(b);
                    }
                }
            }
        }
        reached.contains(&y.depth)
    }

    fn note_order(&mut self, x: EventVariable, y: EventVariable) {
        if !self.is_one_process(x, y) {
            self.reads.ordered.extend([(x.kind, y.kind), (y.kind, x.kind)]);
        }
    }

    /// Split a property into sentences, below these universals and conditions.
    fn split(
        &mut self,
        e: &Expr,
        universals: &[EventVariable],
        conditions: &[Formula],
        to: &mut Vec<Sentence>,
    ) -> Option<()> {
        let (bound, assumed) = (self.variables.len(), self.same_process.len());
        match &e.kind {
            K::And(x, y) => {
                self.split(x, universals, conditions, to)?;
                self.split(y, universals, conditions, to)?;
            }
            K::Implies(x, y) if !quantifies_events(x) => {
                let mut conditions = conditions.to_vec();
                self.assume(x);
                add(conditions.last_mut()?, self.formula(x)?);
                self.split(y, universals, &conditions, to)?;
            }
            K::Quantified { quantifier: Quantifier::Forall, binders, with, body } if quantifies_events(e) => {
                let (mut universals, mut conditions) = (universals.to_vec(), conditions.to_vec());
                for binder in binders {
                    universals.push(self.bind(binder, universals.len())?);
                    conditions.push(Formula::And(Vec::new()));
                }
                if let Some(with) = with {
                    self.assume(with);
                    add(conditions.last_mut()?, self.formula(with)?);
                }
                self.split(body, &universals, &conditions, to)?;
            }
            _ => {
                let matrix = self.formula(e)?;
                let universals = universals.iter().map(|x| Quantified::over(*x, conditions)).collect();
                let mut witnesses = Vec::new();
                matrix.quantified(&mut |own| witnesses.push(*own));
                to.push(Sentence { universals, conditions: conditions.to_vec(), matrix, witnesses });
            }
        }
        self.variables.truncate(bound);
        self.same_process.truncate(assumed);
        Some(())
    }

    /// Compile a formula; quantifiers over events must be `some`, and occur positively.
    fn formula(&mut self, e: &Expr) -> Option<Formula> {
        let (bound, assumed) = (self.variables.len(), self.same_process.len());
        let compiled = match &e.kind {
            K::And(x, y) => {
                self.assume(e);
                Formula::And(vec![self.formula(x)?, self.formula(y)?])
            }
            K::Or(x, y) => Formula::Or(vec![self.formula(x)?, self.formula(y)?]),
            K::Implies(x, y) if !quantifies_events(x) => {
                Formula::Or(vec![Formula::Not(Box::new(self.formula(x)?)), self.formula(y)?])
            }
            K::Not(x) if !quantifies_events(x) => Formula::Not(Box::new(self.formula(x)?)),
            K::Quantified { quantifier: Quantifier::Some, binders, with, body } if quantifies_events(e) => {
                let around = self.depth();
                let own: Option<Vec<EventVariable>> =
                    (around..).zip(binders).map(|(depth, binder)| self.bind(binder, depth)).collect();
                with.iter().for_each(|with| self.assume(with));
                self.assume(body);
                let mut parts = Vec::new();
                for part in with.iter().chain([body]) {
                    parts.push(self.formula(part)?);
                }
                let inner = Formula::And(parts);
                own?.into_iter().rev().fold(inner, |body, variable| {
                    Formula::Some(Quantified::over(variable, [&body]), Box::new(body))
                })
            }
            // The parameters of a function stand for events.
            K::Let(lets, body) if lets.iter().all(|(_, x)| self.event(x).is_some()) => {
                for (slot, x) in lets {
                    let (Slot::Word(slot), Some(event)) = (slot, self.event(x)) else { return None };
                    self.variables.push((*slot, event));
                }
                self.formula(body)?
            }
            K::Before(x, y) => {
                let (x, y) = (self.event(x)?, self.event(y)?);
                self.note_order(x, y);
                Formula::Before(x, y)
            }
            K::HappenedBefore(x, y) => {
                let (x, y) = (self.event(x)?, self.event(y)?);
                self.reads.causes.insert(x.kind);
                self.reads.effects.insert(y.kind);
                Formula::HappenedBefore(x, y)
            }
            K::MulticastBefore(x, y) => {
                let (x, y) = (self.event(x)?, self.event(y)?);
                // Only calls have a place in the order of multicasts.
                if x.kind.what != HistoryKind::Calls || y.kind.what != HistoryKind::Calls {
                    return None;
                }
                self.reads.multicasts = true;
                Formula::MulticastBefore(x, y)
            }
            K::Compare(compare, x, y) | K::CompareValues(compare, x, y) => {
                self.comparison(*compare, x, y).map_or_else(|| self.leaf(e), Some)?
            }
            _ => self.leaf(e)?,
        };
        self.variables.truncate(bound);
        self.same_process.truncate(assumed);
        Some(compiled)
    }

    /// Return the number of event variables in scope.
    fn depth(&self) -> usize {
        self.variables.iter().map(|(_, variable)| variable.depth + 1).max().unwrap_or(0)
    }

    /// Compile a comparison of events, of their processes or of their numbers.
    fn comparison(&mut self, compare: Compare, x: &Expr, y: &Expr) -> Option<Formula> {
        if let (Some(x), Some(y)) = (self.event(x), self.event(y)) {
            return match compare {
                Compare::Equal => Some(Formula::Same(x, y)),
                Compare::NotEqual => Some(Formula::Not(Box::new(Formula::Same(x, y)))),
                _ => None,
            };
        }
        if let (Compare::Equal, Some(x), Some(y)) = (compare, self.value_of(x), self.value_of(y)) {
            self.reads.values.extend([x.kind, y.kind]);
            return Some(Formula::SameValue(x, y));
        }
        let (x, y) = (self.term(x)?, self.term(y)?);
        if matches!(x, Term::Process(_)) != matches!(y, Term::Process(_)) {
            return None;
        }
        let numbered = |term: &Term| match term {
            Term::Nth(event) => Some(*event),
            Term::Process(_) | Term::Number(_) => None,
        };
        let numbered = [numbered(&x), numbered(&y)];
        self.reads.numbers.extend(numbered.iter().flatten().map(|event| event.kind));
        self.reads.absolute_numbers |= match numbered {
            [Some(x), Some(y)] => !self.is_one_process(x, y),
            [one, other] => one.or(other).is_some(),
        };
        Some(Formula::Compare(compare, x, y))
    }

    /// Return an event variable in scope.
    fn event(&self, e: &Expr) -> Option<EventVariable> {
        match &e.kind {
            K::Slot(Slot::Word(slot)) => {
                self.variables.iter().rev().find(|(own, _)| own == slot).map(|(_, variable)| *variable)
            }
            _ => None,
        }
    }

    /// Return the event variable whose value this is.
    fn value_of(&self, e: &Expr) -> Option<EventVariable> {
        match &e.kind {
            K::EventFact(EventFact::Value, of) => self.event(of),
            _ => None,
        }
    }

    fn term(&self, e: &Expr) -> Option<Term> {
        match &e.kind {
            K::EventFact(EventFact::Process, of) => Some(Term::Process(self.event(of)?)),
            K::EventFact(EventFact::Nth, of) => Some(Term::Nth(self.event(of)?)),
            K::Word(number) => Some(Term::Number(*number)),
            _ => None,
        }
    }

    /// Compile an expression that is evaluated once all its events have occurred.
    fn leaf(&mut self, e: &Expr) -> Option<Formula> {
        if self.can_fail(e) || !self.reads_attributes_only(e) {
            return None;
        }
        let mut events = Vec::new();
        self.note_leaf(e, &mut events);
        Some(Formula::Leaf(Box::new(e.clone()), events))
    }

    /// Return whether the value depends on nothing but the instance, and the attributes of the events bound to variables.
    fn reads_attributes_only(&self, e: &Expr) -> bool {
        let reads = Reads::of(e, self.program);
        let reads_run = reads.counts || reads.rounds || reads.time || reads.wakes;
        reads.slots.iter().all(BTreeSet::is_empty) && !reads_run && !reads_more_than_attributes(e)
    }

    /// Note the events that an expression mentions, and what it reads of them.
    fn note_leaf(&mut self, e: &Expr, to: &mut Vec<(u16, EventVariable)>) {
        match &e.kind {
            K::Slot(Slot::Word(slot)) => {
                if let Some(event) = self.event(e)
                    && !to.contains(&(*slot, event))
                {
                    to.push((*slot, event));
                }
            }
            K::EventFact(fact, of) => {
                self.reads.absolute_numbers |= *fact == EventFact::Nth;
                let kinds = match fact {
                    EventFact::Process => None,
                    EventFact::Nth => Some(&mut self.reads.numbers),
                    EventFact::Value => Some(&mut self.reads.values),
                };
                if let (Some(kinds), K::Slot(Slot::Word(slot))) = (kinds, &of.kind) {
                    let bound = self.variables.iter().rev().find(|(own, _)| own == slot);
                    kinds.extend(bound.map(|(_, event)| event.kind));
                }
            }
            _ => {}
        }
        e.parts(&mut |part| self.note_leaf(part, to));
    }

    /// Return whether an expression can fail, like [`Expr::can_fail`]. Facts about events that are not variables in scope count as failing.
    fn can_fail(&self, e: &Expr) -> bool {
        let fails_here = match &e.kind {
            K::EventFact(_, of) => self.event(of).is_none(),
            _ => e.fails_here(),
        };
        fails_here || {
            let mut any = false;
            e.parts(&mut |part| any = any || self.can_fail(part));
            any
        }
    }
}

fn add(to: &mut Formula, more: Formula) {
    if let Formula::And(parts) = to {
        parts.push(more);
    }
}

/// Return whether the expression contains a list of events.
fn quantifies_events(e: &Expr) -> bool {
    matches!(e.kind, K::History(..)) || {
        let mut any = false;
        e.parts(&mut |part| any = any || quantifies_events(part));
        any
    }
}

/// Return whether the expression relates events, or reads which processes are enabled.
fn reads_more_than_attributes(e: &Expr) -> bool {
    let here = matches!(
        e.kind,
        K::History(..)
            | K::HappenedBefore(..)
            | K::Before(..)
            | K::MulticastBefore(..)
            | K::ProcessFact(ProcessFact::Enabled, _)
    );
    here || {
        let mut any = false;
        e.parts(&mut |part| any = any || reads_more_than_attributes(part));
        any
    }
}
