//! Read sets of properties: the parts of a configuration that a property depends on. It is checked again only when
//! these change.

use crate::instance::Instance;
use crate::ir::{Binder, Expr, ExprKind as K, Fact, Metric, ProcessFact, Program, Property, Slot};
use crate::semantics::eval;
use std::collections::BTreeSet;

/// The slots that an expression reads, by role, and the other parts of a configuration that it depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    pub slots: Vec<BTreeSet<(bool, u16)>>,
    /// Channels, metrics, history: anything besides the variables of a process that its step may change.
    pub other: bool,
    /// Counts of messages, bits or completed operations.
    pub counts: bool,
    /// Number of rounds that have ended.
    pub rounds: bool,
    /// Length of causal chains.
    pub time: bool,
    /// The set of processes that have woken up spontaneously.
    pub wakes: bool,
    /// Calls, returns and upcalls.
    pub history: bool,
    /// `happened before`: messages of the application matter.
    pub precedence: bool,
    /// Processes may crash; otherwise `up` never changes.
    crashes: bool,
}

impl Reads {
    /// Whether costs or the history matter, which are no part of a configuration.
    pub fn depends_on_run(&self) -> bool {
        self.counts || self.rounds || self.time || self.history
    }

    pub fn of(e: &Expr, program: &Program) -> Reads {
        let mut reads = Reads::none(program);
        reads.add(e);
        reads
    }

    /// Return the reads of both sides of a property, and of its binders.
    pub fn of_property(property: &Property, program: &Program) -> Reads {
        let mut reads = Reads::of(&property.body, program);
        property.consequent.iter().for_each(|then| reads.add(then));
        reads.add_binders(&property.binders);
        reads
    }

    /// Return the reads of a constant.
    pub fn none(program: &Program) -> Reads {
        Reads {
            slots: vec![BTreeSet::new(); program.roles.len()],
            crashes: program.assumptions.crashes,
            ..Reads::default()
        }
    }

    /// Whether no step can change the value.
    pub fn is_empty(&self) -> bool {
        !self.wakes && self.depends_only_on_wakes()
    }

    /// Whether no step except a spontaneous wake-up can change the value.
    pub fn depends_only_on_wakes(&self) -> bool {
        self.slots.iter().all(BTreeSet::is_empty) && !self.other && !self.depends_on_run()
    }

    pub fn add_binders(&mut self, binders: &[Binder]) {
        binders.iter().for_each(|b| self.add(&b.set));
    }

    fn slot(&mut self, role: usize, slot: Slot) {
        self.slots[role].insert(match slot {
            Slot::Word(s) => (true, s),
            Slot::Value(s) => (false, s),
        });
    }

    fn add(&mut self, e: &Expr) {
        match &e.kind {
            K::Remote(p, slots) => {
                for (role, slot) in slots.iter().enumerate() {
                    if let Some(slot) = slot {
                        self.slot(role, *slot);
                    }
                }
                self.add(p);
            }
            K::RemoteState(p, by_role) => {
                for (role, state) in by_role.iter().enumerate() {
                    if let Some((slot, _)) = state {
                        self.slot(role, Slot::Word(*slot));
                    }
                }
                self.add(p);
            }
            K::ProcessFact(fact, p) => {
                self.process_fact(*fact);
                self.add(p);
            }
            K::Fact(Fact::Initiators) => self.wakes = true,
            K::Fact(Fact::Script(_)) => self.other = true,
            K::Metric { metric, per, .. } => {
                self.other = true;
                self.time |= *metric == Metric::Time;
                self.rounds |= *metric == Metric::Rounds;
                self.counts |= metric.is_of_messages() || per.is_some();
            }
            K::HappenedBefore(..) => {
                self.other = true;
                self.history = true;
                self.precedence = true;
            }
            K::History(..) | K::Before(..) | K::MulticastBefore(..) | K::EventFact(..) => {
                self.other = true;
                self.history = true;
            }
            K::Word(_)
            | K::Const(_)
            | K::Slot(_)
            | K::Param(_)
            | K::Fact(_)
            | K::Received
            | K::ReceivedKind(_)
            | K::ReceivedMessage(_) => {}
            // The bounds of a range do not change during a run.
            K::Ranged { of, .. } => self.add(of),
            K::Not(x)
            | K::Negate(x)
            | K::Unwrap(x)
            | K::Part(x, _)
            | K::PortFact(_, x)
            | K::NeighbourVariable(x, _) => self.add(x),
            K::And(x, y)
            | K::Or(x, y)
            | K::Implies(x, y)
            | K::Arith(_, x, y)
            | K::Compare(_, x, y)
            | K::CompareValues(_, x, y)
            | K::Index(x, y)
            | K::In(x, y)
            | K::Collection(_, x, y)
            | K::Range(x, y) => {
                self.add(x);
                self.add(y);
            }
            K::If(c, x, y) => [c, x, y].into_iter().for_each(|e| self.add(e)),
            K::Tuple(l) | K::Record(_, l) | K::Message(_, l) | K::List(l) | K::Set(l) | K::Call(_, l) => {
                l.iter().for_each(|e| self.add(e));
            }
            K::Map(pairs) => pairs.iter().for_each(|(a, b)| {
                self.add(a);
                self.add(b);
            }),
            K::Let(lets, body) => {
                lets.iter().for_each(|(_, e)| self.add(e));
                self.add(body);
            }
            K::Once { value, .. } => self.add(value),
            K::Quantified { binders, with, body, .. } => {
                self.add_binders(binders);
                with.iter().for_each(|e| self.add(e));
                self.add(body);
            }
            K::Comprehension { binders, condition, element, .. } => {
                self.add_binders(binders);
                condition.iter().for_each(|e| self.add(e));
                element.iter().for_each(|e| self.add(e));
            }
            K::Best { binder, with, by, .. } => {
                self.add(&binder.set);
                with.iter().for_each(|e| self.add(e));
                by.iter().for_each(|e| self.add(e));
            }
        }
    }

    fn process_fact(&mut self, fact: ProcessFact) {
        match fact {
            ProcessFact::Up if !self.crashes => {}
            ProcessFact::Halted | ProcessFact::Up => {
                (0..self.slots.len()).for_each(|role| self.slot(role, Slot::Word(crate::ir::PC)));
            }
            ProcessFact::Enabled => self.other = true,
            ProcessFact::IsInitiator => self.wakes = true,
            ProcessFact::Id | ProcessFact::Index | ProcessFact::Degree | ProcessFact::Neighbours => {}
        }
    }
}

/// Return the value of an expression that reads no configuration and fits a word.
pub fn constant_word(instance: &Instance, e: &Expr) -> Option<i64> {
    if !Reads::of(e, &instance.program).is_empty() || !e.is_closed(&|_| false) {
        return None;
    }
    eval::with_global_frame(instance, None, |env| eval::word(e, env)).ok()
}
