//! Compiler of expressions to fast code.

use super::compile::Compiler;
use super::decide::Known;
use super::{FastOp, ID};
use crate::ir::{Arith, Builtin, Expr, ExprKind, Fact, NONE_WORD, PortFact, PortLabel, Slot, Type};
use crate::network::{Kind, Label};

impl<'a> Compiler<'a> {
    /// Return the register that holds the value of an expression, outside decisions.
    pub fn value(&mut self, e: &'a Expr) -> Option<u8> {
        self.operand(e, &mut Known::default())
    }

    /// Return the register that holds the value of an expression whose type fits a word. `None`: there is no code for it.
    pub fn operand(&mut self, e: &'a Expr, known: &mut Known<'a>) -> Option<u8> {
        if !e.ty.is_word() {
            return None;
        }
        match &e.kind {
            ExprKind::Slot(Slot::Word(slot)) => return Some(self.names.of(*slot)),
            ExprKind::Word(w) => return self.constant(*w),
            ExprKind::Param(i) => return self.constant(self.instance.param_words[*i as usize]),
            ExprKind::Fact(fact) => return self.fact(fact),
            _ => {}
        }
        if let Some(register) = known.value(e) {
            return Some(register);
        }
        let register = match &e.kind {
            ExprKind::Arith(op, x, y) => {
                let a = self.operand(x, known)?;
                let b = self.operand(y, known)?;
                let to = self.temporary()?;
                self.code.push(FastOp::Arith { op: *op, to, a, b });
                to
            }
            ExprKind::Negate(x) => {
                let b = self.operand(x, known)?;
                let (a, to) = (self.constant(0)?, self.temporary()?);
                self.code.push(FastOp::Arith { op: Arith::Subtract, to, a, b });
                to
            }
            ExprKind::Not(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::Compare(..) => {
                let (to, join) = (self.temporary()?, self.label());
                let (one, zero) = (self.constant(1)?, self.constant(0)?);
                let result = |c: &mut Self, from| {
                    c.code.push(FastOp::Move { to, from });
                    c.go(join)
                };
                self.decide(e, known, &|c, _| result(c, one), &|c, _| result(c, zero))?;
                self.place(join);
                known.forget();
                to
            }
            ExprKind::If(condition, x, y) => {
                let (to, join) = (self.temporary()?, self.label());
                let result = |c: &mut Self, e: &'a Expr, known: &Known<'a>| {
                    let from = c.operand(e, &mut known.clone())?;
                    c.code.push(FastOp::Move { to, from });
                    c.go(join)
                };
                self.decide(condition, known, &|c, k| result(c, x, k), &|c, k| result(c, y, k))?;
                self.place(join);
                known.forget();
                to
            }
            ExprKind::Let(stores, body) => {
                // All values are evaluated before any is stored.
                let mut values = Vec::new();
                for (slot, e) in stores {
                    let Slot::Word(slot) = slot else { return None };
                    let from = self.operand(e, known)?;
                    values.push((*slot as u8, self.apart(from)?));
                }
                for (to, from) in values {
                    self.code.push(FastOp::Move { to, from });
                }
                known.forget();
                let result = self.operand(body, known)?;
                let result = self.apart(result)?;
                known.forget();
                return Some(result);
            }
            ExprKind::Unwrap(x) => {
                let a = self.operand(x, known)?;
                let (b, some) = (self.constant(NONE_WORD)?, self.label());
                let equal = self.leave;
                self.code.push(FastOp::Test { a, b, less: some, equal, greater: some });
                self.place(some);
                return Some(a);
            }
            ExprKind::Call(f, args) => self.call(*f, args, known)?,
            ExprKind::PortFact(fact, of) if of.ty == Type::Port => {
                if matches!(fact, PortFact::Weight | PortFact::FarEnd | PortFact::Dimension | PortFact::Chord)
                {
                    return None;
                }
                let a = self.operand(of, known)?;
                let to = self.temporary()?;
                let line = matches!(self.instance.network.kind(), Kind::Ring | Kind::Line);
                self.code.push(match fact {
                    PortFact::Opposite if line && self.same_degree() == Some(2) => FastOp::Opposite { to, a },
                    _ => FastOp::PortFact { fact: *fact, to, a },
                });
                to
            }
            _ => return None,
        };
        known.computed.push((e, register));
        Some(register)
    }

    /// Copy the value of a variable, which may change before its use.
    fn apart(&mut self, from: u8) -> Option<u8> {
        if !self.is_slot(from) {
            return Some(from);
        }
        let to = self.temporary()?;
        self.code.push(FastOp::Move { to, from });
        Some(to)
    }

    fn call(&mut self, f: Builtin, args: &'a [Expr], known: &mut Known<'a>) -> Option<u8> {
        let first = self.operand(args.first()?, known)?;
        match f {
            Builtin::IdNumber => Some(first),
            Builtin::Abs | Builtin::Log2Floor | Builtin::Log2Ceil => {
                let to = self.temporary()?;
                self.code.push(FastOp::Call { f, to, a: first, b: first });
                Some(to)
            }
            Builtin::Max | Builtin::Min | Builtin::Pow => {
                let mut a = first;
                for arg in &args[1..] {
                    let b = self.operand(arg, known)?;
                    let to = self.temporary()?;
                    self.code.push(FastOp::Call { f, to, a, b });
                    a = to;
                }
                Some(a)
            }
            _ => None,
        }
    }

    fn fact(&mut self, fact: &Fact) -> Option<u8> {
        let network = &self.instance.network;
        let value = match fact {
            Fact::Id => return Some(ID as u8),
            Fact::N => i64::from(network.n()),
            Fact::Edges => i64::from(network.edges()),
            Fact::Degree => i64::from(self.same_degree()?),
            Fact::Port(label) => i64::from(self.same_port(direction(*label)?)?),
            _ => return None,
        };
        self.constant(value)
    }
}

/// Labels that are not optional.
fn direction(label: PortLabel) -> Option<Label> {
    Some(match label {
        PortLabel::Next => Label::Next,
        PortLabel::Prev => Label::Prev,
        PortLabel::Left => Label::Left,
        PortLabel::Right => Label::Right,
        PortLabel::North => Label::North,
        PortLabel::East => Label::East,
        PortLabel::South => Label::South,
        PortLabel::West => Label::West,
        PortLabel::Parent => return None,
    })
}
