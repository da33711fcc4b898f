//! Decomposition of conjunctive conditions into local conditions of the processes.
//!
//! A condition φ = φ₀ ∧ … ∧ φₙ₋₁ with each φₚ on the local state of one process is *conjunctive*. Questions about all
//! observations of a run are answered for such conditions without its lattice (Garg and Waldecker 1994, 1996).
//! Conditions are recognized by their meaning, not their form: `forall p: …`, `not some p: …`, and equivalent functions
//! are conjunctions, too.

use crate::instance::Instance;
use crate::ir::{Expr, ExprKind as K, Fact, Pattern, ProcessFact, Quantifier, Question, Slot, Type, Value};
use crate::property::Reads;
use crate::semantics::eval::{self, World};
use crate::semantics::{Configuration, History, Metrics};

/// For each process, the conditions on its local state.
pub type Conjuncts = Vec<Vec<Question>>;

/// Decompose a conjunctive condition by process; conditions without a process belong to process 0. Return `None` if it
/// is not conjunctive.
pub fn conjuncts(question: &Question, instance: &Instance) -> Option<Conjuncts> {
    let mut split = Split {
        question,
        instance,
        configuration: Configuration::initial(instance),
        known: Vec::new(),
        stores: Vec::new(),
        by_process: vec![Vec::new(); instance.n() as usize],
    };
    split.conjunction(&question.expr, false)?;
    Some(split.by_process)
}

/// The owner of the variables that an expression reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    One(i64),
}

struct Split<'a> {
    question: &'a Question,
    instance: &'a Instance,
    /// A configuration for evaluating what is the same in all configurations.
    configuration: Configuration,
    /// Names bound to a process.
    known: Vec<(Slot, i64)>,
    /// Bindings around the current part.
    stores: Vec<(Slot, Expr)>,
    by_process: Conjuncts,
}

impl Split<'_> {
    /// Decompose `e`, or its negation. Return `None` if it is not conjunctive.
    fn conjunction(&mut self, e: &Expr, negated: bool) -> Option<()> {
        match (&e.kind, negated) {
            (K::Not(x), _) => self.conjunction(x, !negated),
            (K::And(x, y), false) | (K::Or(x, y), true) => {
                self.conjunction(x, negated)?;
                self.conjunction(y, negated)
            }
            (K::Implies(x, y), true) => {
                self.conjunction(x, false)?;
                self.conjunction(y, true)
            }
            (K::Once { value, .. }, _) => self.conjunction(value, negated),
            (K::Let(stores, body), _) => {
                let (known, stored) = (self.known.len(), self.stores.len());
                for (slot, value) in stores {
                    self.bind(*slot, value);
                    self.stores.push((*slot, value.clone()));
                }
                self.conjunction(body, negated)?;
                self.known.truncate(known);
                self.stores.truncate(stored);
                Some(())
            }
            (K::Quantified { quantifier, binders, with, body }, _) => {
                let all = match quantifier {
                    Quantifier::Forall => !negated,
                    Quantifier::Some => negated,
                    Quantifier::Count | Quantifier::Sum => false,
                };
                // With fewer than two processes, every condition is local.
                let ([binder], true) = (binders.as_slice(), all) else { return self.leaf(e, negated) };
                let Pattern::Slot(slot) = binder.pattern else { return self.leaf(e, negated) };
                let Some(processes) = self.processes(&binder.set) else { return self.leaf(e, negated) };
                for p in processes {
                    self.known.push((slot, p));
                    let value = Expr { kind: K::Word(p), ty: Type::Process, span: binder.set.span };
                    self.stores.push((slot, value));
                    match with {
                        None => self.conjunction(body, negated)?,
                        // `forall p with g: b` means that g implies b; `no p with g: b` means that g implies not b.
                        Some(with) => {
                            let mut body = body.as_ref().clone();
                            if negated {
                                body = Expr { kind: K::Not(Box::new(body)), ..e.clone() };
                            }
                            let implied = K::Implies(with.clone(), Box::new(body));
                            self.leaf(&Expr { kind: implied, ..e.clone() }, false)?;
                        }
                    }
                    self.known.pop();
                    self.stores.pop();
                }
                Some(())
            }
            _ => self.leaf(e, negated),
        }
    }

    /// Add a local condition of one process.
    fn leaf(&mut self, e: &Expr, negated: bool) -> Option<()> {
        let process = match self.owner(e)? {
            Owner::Nobody => 0,
            Owner::One(p) => usize::try_from(p).ok()?,
        };
        let mut expr = match negated {
            false => e.clone(),
            true => Expr { kind: K::Not(Box::new(e.clone())), ..e.clone() },
        };
        for (slot, value) in self.stores.iter().rev() {
            let body = Box::new(expr);
            expr = Expr { kind: K::Let(vec![(*slot, value.clone())], body), ..e.clone() };
        }
        self.by_process.get_mut(process)?.push(Question { expr, ..self.question.clone() });
        Some(())
    }

    /// Record the process to which a name is bound.
    fn bind(&mut self, slot: Slot, value: &Expr) {
        if value.ty == Type::Process
            && let Some(p) = self.process(value)
        {
            self.known.push((slot, p));
        }
    }

    /// Return the owner of the variables read; `None`: several processes, or data that no local state determines.
    fn owner(&mut self, e: &Expr) -> Option<Owner> {
        match &e.kind {
            K::Metric { .. }
            | K::History(..)
            | K::HappenedBefore(..)
            | K::Before(..)
            | K::MulticastBefore(..)
            | K::EventFact(..)
            | K::Fact(Fact::Initiators | Fact::Oracle(_) | Fact::Script(_))
            | K::ProcessFact(ProcessFact::Enabled, _) => None,
            K::Remote(x, _)
            | K::RemoteState(x, _)
            | K::ProcessFact(ProcessFact::Halted | ProcessFact::Up | ProcessFact::IsInitiator, x) => {
                Some(Owner::One(self.process(x)?))
            }
            K::Let(stores, body) => {
                let known = self.known.len();
                let mut owner = Owner::Nobody;
                for (slot, value) in stores {
                    owner = both(owner, self.owner(value)?)?;
                    self.bind(*slot, value);
                }
                owner = both(owner, self.owner(body)?)?;
                self.known.truncate(known);
                Some(owner)
            }
            _ => {
                let mut owner = Some(Owner::Nobody);
                e.parts(&mut |part| {
                    owner = owner.and_then(|so_far| both(so_far, self.owner(part)?));
                });
                owner
            }
        }
    }

    /// Return the process that an expression denotes in every configuration.
    fn process(&self, e: &Expr) -> Option<i64> {
        match &e.kind {
            K::Word(p) => Some(*p),
            K::Slot(slot) => self.known.iter().rev().find(|(known, _)| known == slot).map(|(_, p)| *p),
            _ => match self.constant(e)? {
                Value::Process(p) => Some(p),
                _ => None,
            },
        }
    }

    /// Return the processes of a set that is the same in every configuration.
    fn processes(&self, set: &Expr) -> Option<Vec<i64>> {
        let set = self.constant(set)?;
        let process = |value: &Value| match value {
            Value::Process(p) => Some(*p),
            _ => None,
        };
        eval::elements(&set).map(process).collect()
    }

    /// Return the value of an expression that reads no configuration.
    fn constant(&self, e: &Expr) -> Option<Value> {
        let known = |slot: Slot| self.known.iter().any(|(known, _)| *known == slot);
        if !Reads::of(e, &self.instance.program).is_empty() || !e.is_closed(&known) {
            return None;
        }
        let mut expr = e.clone();
        for (slot, p) in &self.known {
            let value = Expr { kind: K::Word(*p), ty: Type::Process, span: e.span };
            expr = Expr { kind: K::Let(vec![(*slot, value)], Box::new(expr)), ..e.clone() };
        }
        let question = Question { expr, ..self.question.clone() };
        let program = &self.instance.program;
        let world = World {
            configuration: &self.configuration,
            metrics: &Metrics::new(program.kinds.len(), program.operations.len()),
            history: &History::new(self.instance.n()),
        };
        eval::evaluate(&question, self.instance, world).ok()
    }
}

fn both(a: Owner, b: Owner) -> Option<Owner> {
    match (a, b) {
        (Owner::Nobody, other) | (other, Owner::Nobody) => Some(other),
        (a, b) => (a == b).then_some(a),
    }
}
