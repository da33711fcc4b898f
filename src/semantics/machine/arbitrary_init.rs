//! Arbitrary initialization, `var x : T := any`: enumeration of the values of a finite type.

use super::{Chooser, Eval, Machine};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Domain, DomainKind, Slot, Value};
use crate::semantics::abort::Abort;
use crate::semantics::eval::{Env, word};

/// A domain whose bounds have been evaluated.
enum Finite {
    Bool,
    Ints {
        least: i64,
        count: u64,
    },
    Cases {
        of: u32,
        count: u64,
    },
    Ports(u64),
    /// In ascending order.
    Ids(Vec<i64>),
    Option(Box<Finite>),
    Tuple(Vec<Finite>),
    Record(u32, Vec<Finite>),
    Set(Box<Finite>),
}

impl Machine {
    pub(super) fn begin_anywhere(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        slot: Slot,
        domain: &Domain,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let finite = resolve(domain, &mut self.env(instance, process))?;
        let count = finite.count().and_then(|c| u32::try_from(c).ok());
        let index = match count {
            Some(0) => {
                return Err(Abort::new(domain.span, "there is no initial value: the type is empty"));
            }
            Some(1) => 0,
            Some(count) => {
                // Drawn in any case, so that the initial values of other variables do not depend on this one.
                let drawn = chooser.choose_initial(count) as u64;
                let choice = self.number_given(instance, process, slot, &finite).unwrap_or(drawn);
                self.choices.push(choice as u32);
                choice
            }
            None => {
                let most = u32::MAX;
                return Err(Abort::new(
                    domain.span,
                    format!("this type has more than {most} values, too many for `any`"),
                ));
            }
        };
        let value = finite.nth(index);
        match slot {
            Slot::Word(slot) => self.frame.words[slot as usize] = value.word(),
            Slot::Value(slot) => self.frame.values[slot as usize] = value,
        }
        Ok(())
    }

    /// Return the index of the value that the instance gives to the variable, if that is a possible initial value. The
    /// recorded choice is then that value.
    fn number_given(
        &self,
        instance: &Instance,
        process: ProcessId,
        slot: Slot,
        finite: &Finite,
    ) -> Option<u64> {
        if self.special.restarting {
            return None;
        }
        let mut given = instance.initially.iter().rev();
        let (_, _, value) = given.find(|(p, s, _)| (*p, *s) == (process, slot))?;
        finite.number(value)
    }
}

fn resolve(domain: &Domain, env: &mut Env<'_>) -> Eval<Finite> {
    let all = |parts: &[Domain], env: &mut Env<'_>| -> Eval<Vec<Finite>> {
        parts.iter().map(|p| resolve(p, env)).collect()
    };
    Ok(match &domain.kind {
        DomainKind::Bool => Finite::Bool,
        DomainKind::Range(lo, hi) => {
            let (least, greatest) = (word(lo, env)?, word(hi, env)?);
            let count = if least > greatest { 0 } else { greatest.abs_diff(least).saturating_add(1) };
            Finite::Ints { least, count }
        }
        DomainKind::Enum(of) => {
            let count = env.instance.program.enums[*of as usize].cases.len() as u64;
            Finite::Cases { of: *of, count }
        }
        DomainKind::Port => Finite::Ports(env.instance.network.ports(env.process).len() as u64),
        DomainKind::Id => {
            let network = &env.instance.network;
            let mut ids: Vec<i64> = network.processes().map(|p| network.id(p)).collect();
            ids.sort_unstable();
            ids.dedup();
            Finite::Ids(ids)
        }
        DomainKind::Option(inner) => Finite::Option(Box::new(resolve(inner, env)?)),
        DomainKind::Tuple(parts) => Finite::Tuple(all(parts, env)?),
        DomainKind::Record(of, parts) => Finite::Record(*of, all(parts, env)?),
        DomainKind::Set(of) => Finite::Set(Box::new(resolve(of, env)?)),
    })
}

impl Finite {
    /// Return the number of values; None: more than 64 bits can count.
    fn count(&self) -> Option<u64> {
        match self {
            Finite::Bool => Some(2),
            Finite::Ints { count, .. } | Finite::Cases { count, .. } | Finite::Ports(count) => Some(*count),
            Finite::Ids(ids) => Some(ids.len() as u64),
            Finite::Option(inner) => inner.count()?.checked_add(1),
            Finite::Tuple(parts) | Finite::Record(_, parts) => {
                parts.iter().try_fold(1u64, |product, part| product.checked_mul(part.count()?))
            }
            Finite::Set(of) => 1u64.checked_shl(u32::try_from(of.count()?).ok()?),
        }
    }

    /// Return the inverse of [`Finite::nth`]; None: the value is not of this type.
    fn number(&self, value: &Value) -> Option<u64> {
        let all = |parts: &[Finite], values: &[Value]| {
            let digits = parts.iter().zip(values);
            digits.into_iter().try_fold(0u64, |number, (part, value)| {
                number.checked_mul(part.count()?)?.checked_add(part.number(value)?)
            })
        };
        let number = match (self, value) {
            (Finite::Bool, Value::Bool(b)) => u64::from(*b),
            (Finite::Ints { least, .. }, Value::Int(i)) if i >= least => i.abs_diff(*least),
            (Finite::Cases { of, .. }, Value::Case(same, case)) if of == same => u64::from(*case),
            (Finite::Ports(_), Value::Port(port)) => u64::try_from(*port).ok()?,
            (Finite::Ids(ids), Value::Id(id)) => ids.binary_search(id).ok()? as u64,
            (Finite::Option(_), Value::None) => 0,
            (Finite::Option(inner), value) => inner.number(value)?.checked_add(1)?,
            (Finite::Tuple(parts), Value::Tuple(values)) => all(parts, values)?,
            (Finite::Record(of, parts), Value::Record(same, values)) if of == same => all(parts, values)?,
            (Finite::Set(of), Value::Set(members)) => members.iter().try_fold(0u64, |set, member| {
                let bit = u32::try_from(of.number(member)?).ok()?;
                Some(set | 1u64.checked_shl(bit)?)
            })?,
            _ => return None,
        };
        (number < self.count()?).then_some(number)
    }

    /// Return the value with this index, in the language's order of numbers, cases and tuples.
    fn nth(&self, index: u64) -> Value {
        match self {
            Finite::Bool => Value::Bool(index != 0),
            Finite::Ints { least, .. } => Value::Int(least.wrapping_add_unsigned(index)),
            Finite::Cases { of, .. } => Value::Case(*of, index as u32),
            Finite::Ports(_) => Value::Port(index as i64),
            Finite::Ids(ids) => Value::Id(ids[index as usize]),
            Finite::Option(_) if index == 0 => Value::None,
            Finite::Option(inner) => inner.nth(index - 1),
            Finite::Tuple(parts) => Value::tuple(digits(parts, index)),
            Finite::Record(of, parts) => Value::Record(*of, digits(parts, index).into()),
            // Bit k says whether value k is a member.
            Finite::Set(of) => {
                let members = (0..64).filter(|k| index >> k & 1 == 1);
                Value::set(members.map(|k| of.nth(k)))
            }
        }
    }
}

/// Return the digits of a number, the last part varying fastest.
fn digits(parts: &[Finite], mut index: u64) -> Vec<Value> {
    let mut values: Vec<Value> = parts
        .iter()
        .rev()
        .map(|part| {
            let base = part.count().unwrap_or(1).max(1);
            let digit = index % base;
            index /= base;
            part.nth(digit)
        })
        .collect();
    values.reverse();
    values
}
