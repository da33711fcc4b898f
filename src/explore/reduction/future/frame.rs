//! The slots of a process, each with its abstract value.

use crate::explore::reduction::future::known::{ANY_WORD, Known, LARGE};
use crate::explore::store::components::Local;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Compare, Expr, ExprKind as K, Fact, PC, Role, Slot, Type, Value};
use crate::semantics::Env;
use crate::semantics::eval::{value, word};

/// A bound of a word that has grown this often is given up.
const GROWTHS: u8 = 4;

/// Limit of elements visited by one evaluation of a constant expression.
const VISITS: u64 = 1 << 16;

/// The abstract values of the slots of a process.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    instance: &'a Instance,
    process: ProcessId,
    pub role: &'a Role,
    words: Vec<Known>,
    values: Vec<Known>,
    /// The contents of the slots that are known exactly.
    exact_words: Vec<i64>,
    exact_values: Vec<Value>,
    /// By word: how often it has grown.
    growths: Vec<u8>,
    /// Words that stay within few values: the control states.
    few: Vec<u16>,
}

impl<'a> Frame<'a> {
    /// Return the frame of a local state. Nothing is known of temporaries.
    pub fn new(instance: &'a Instance, process: ProcessId, local: &Local) -> Frame<'a> {
        let role = &instance.program.roles[instance.role_of(process)];
        let (all_words, all_values) = (usize::from(role.frame_words), usize::from(role.frame_values));
        let mut words: Vec<Known> = local.words.iter().map(|word| Known::Word(*word, *word)).collect();
        words.resize(all_words.max(words.len()), ANY_WORD);
        let mut values: Vec<Known> = local.values.iter().map(|value| Known::Value(value.clone())).collect();
        values.resize(all_values.max(values.len()), Known::Any);
        let mut exact_words = local.words.to_vec();
        exact_words.resize(words.len(), 0);
        let mut exact_values = local.values.to_vec();
        exact_values.resize(values.len(), Value::None);
        Frame {
            instance,
            process,
            role,
            growths: vec![0; words.len()],
            words,
            values,
            exact_words,
            exact_values,
            few: role.components.iter().map(|component| component.state_slot).chain([PC]).collect(),
        }
    }

    pub fn known(&self, slot: Slot) -> &Known {
        match slot {
            Slot::Word(at) => &self.words[usize::from(at)],
            Slot::Value(at) => &self.values[usize::from(at)],
        }
    }

    /// Return whether the slot outlives a step.
    pub fn is_kept(&self, slot: Slot) -> bool {
        match slot {
            Slot::Word(at) => at < self.role.words,
            Slot::Value(at) => at < self.role.values,
        }
    }

    /// Set the abstract value of a slot, and return the previous one.
    pub fn set(&mut self, slot: Slot, known: Known) -> Known {
        match (slot, &known) {
            (Slot::Word(at), Known::Word(least, _)) => self.exact_words[usize::from(at)] = *least,
            (Slot::Value(at), Known::Value(value)) => self.exact_values[usize::from(at)] = value.clone(),
            _ => {}
        }
        let own = match slot {
            Slot::Word(at) => &mut self.words[usize::from(at)],
            Slot::Value(at) => &mut self.values[usize::from(at)],
        };
        std::mem::replace(own, known)
    }

    /// Let a slot also have the value of an expression of this type, with this abstract value. Return whether that is new.
    pub fn add(&mut self, slot: Slot, known: &Known, ty: &Type) -> bool {
        let own = self.known(slot);
        // An Int may be stored as an `Int?`, which fits no word.
        let mut joined = match (slot, known) {
            (Slot::Word(_), Known::Word(..)) => own.join(known),
            (Slot::Word(_), Known::Value(value)) => own.join(&Known::Word(value.word(), value.word())),
            (Slot::Word(_), _) => ANY_WORD,
            (Slot::Value(_), Known::Word(least, greatest)) if least == greatest => {
                own.join(&Known::Value(Value::from_word(ty, *least)))
            }
            (Slot::Value(_), Known::Word(..)) => Known::Any,
            (Slot::Value(_), _) => own.join(known),
        };
        if joined == *own {
            return false;
        }
        if let (Slot::Word(at), Known::Word(least, greatest), Known::Word(before_least, before_greatest)) =
            (slot, &mut joined, own)
            && !self.few.contains(&at)
        {
            if self.growths[usize::from(at)] >= GROWTHS {
                if *least < *before_least {
                    *least = if *least >= -LARGE { -LARGE } else { i64::MIN };
                }
                if *greatest > *before_greatest {
                    *greatest = if *greatest <= LARGE { LARGE } else { i64::MAX };
                }
            }
            self.growths[usize::from(at)] = self.growths[usize::from(at)].saturating_add(1);
        }
        self.set(slot, joined);
        true
    }

    /// Let a slot have any value. Return whether that is new.
    pub fn forget(&mut self, slot: Slot) -> bool {
        let nothing = match slot {
            Slot::Word(_) => ANY_WORD,
            Slot::Value(_) => Known::Any,
        };
        if *self.known(slot) == nothing {
            return false;
        }
        self.set(slot, nothing);
        true
    }

    /// Return the abstract values of these temporaries, to be restored.
    pub fn clone_names(&self, names: &[Slot]) -> Vec<(Slot, Known)> {
        let names = names.iter().filter(|slot| !self.is_kept(**slot));
        names.map(|slot| (*slot, self.known(*slot).clone())).collect()
    }

    /// The same for the temporaries that a condition mentions.
    pub fn clone_temporaries(&self, condition: &Expr) -> Vec<(Slot, Known)> {
        let mut mentioned = Vec::new();
        slots(condition, &mut mentioned);
        self.clone_names(&mentioned)
    }

    pub fn restore_names(&mut self, names: Vec<(Slot, Known)>) {
        for (slot, known) in names.into_iter().rev() {
            self.set(slot, known);
        }
    }

    /// Restrict the abstract values of temporaries to the case that a condition has this truth. Return whether that is possible.
    pub fn assume(&mut self, condition: &Expr, truth: bool) -> bool {
        match (&condition.kind, truth) {
            (K::Not(x), _) => self.assume(x, !truth),
            (K::And(x, y), true) | (K::Or(x, y), false) => self.assume(x, truth) && self.assume(y, truth),
            (K::Compare(how, x, y), _) => {
                let how = if truth { *how } else { negated(*how) };
                self.assume_comparison(x, how, y) && self.assume_comparison(y, how.mirrored(), x)
            }
            _ => true,
        }
    }

    fn assume_comparison(&mut self, x: &Expr, how: Compare, y: &Expr) -> bool {
        let K::Slot(slot @ Slot::Word(_)) = x.kind else { return true };
        if self.is_kept(slot) {
            return true;
        }
        let (Known::Word(a, b), Known::Word(c, d)) = (self.known(slot).clone(), self.evaluate(y).0) else {
            return true;
        };
        let (least, greatest) = match how {
            Compare::Equal => (a.max(c), b.min(d)),
            Compare::NotEqual => (a, b),
            Compare::Less => (a, b.min(d.saturating_sub(1))),
            Compare::LessEqual => (a, b.min(d)),
            Compare::Greater => (a.max(c.saturating_add(1)), b),
            Compare::GreaterEqual => (a.max(c), b),
        };
        if least > greatest {
            return false;
        }
        self.set(slot, Known::Word(least, greatest));
        true
    }

    /// Return the approximate number of bytes.
    pub fn bytes(&self) -> usize {
        self.words.len() * (size_of::<Known>() + size_of::<i64>())
            + self.values.len() * (size_of::<Known>() + size_of::<Value>())
    }

    /// Evaluate an expression whose value never changes. `None`: it may change; otherwise its abstract value, and whether the evaluation
    /// fails.
    pub fn constant(&mut self, e: &Expr) -> Option<(Known, bool)> {
        if !is_pure(e) || !e.is_closed(&|slot| self.known(slot).is_exact()) {
            return None;
        }
        let mut budget = VISITS;
        let env = &mut Env {
            words: &mut self.exact_words,
            values: &mut self.exact_values,
            instance: self.instance,
            process: self.process,
            world: None,
            neighbourhood: None,
            chance: None,
            budget: &mut budget,
        };
        let found = match e.ty.is_word() {
            true => word(e, env).map(|word| Known::Word(word, word)),
            false => value(e, env).map(Known::Value),
        };
        Some(found.map_or_else(|_| (Known::of_type(&e.ty), true), |known| (known, false)))
    }
}

fn negated(how: Compare) -> Compare {
    match how {
        Compare::Equal => Compare::NotEqual,
        Compare::NotEqual => Compare::Equal,
        Compare::Less => Compare::GreaterEqual,
        Compare::LessEqual => Compare::Greater,
        Compare::Greater => Compare::LessEqual,
        Compare::GreaterEqual => Compare::Less,
    }
}

/// Add all slots that an expression mentions.
pub fn slots(e: &Expr, to: &mut Vec<Slot>) {
    if let K::Slot(slot) = &e.kind {
        to.push(*slot);
    }
    e.parts(&mut |part| slots(part, to));
}

/// Return whether the value of an expression depends on slots and constants of the instance only.
fn is_pure(e: &Expr) -> bool {
    let own = match &e.kind {
        // Its cache is a slot.
        K::Once { .. } => false,
        // The initiators differ between initial configurations.
        K::ProcessFact(..) | K::Fact(Fact::IsInitiator | Fact::Initiators) => false,
        _ => !e.depends_on_run(),
    };
    own && {
        let mut all = true;
        e.parts(&mut |part| all = all && is_pure(part));
        all
    }
}
