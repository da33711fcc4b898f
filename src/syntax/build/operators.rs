//! Operators and their precedence, by the shunting-yard method.
//!
//! pest's `PrattParser` recurses on prefix operators and on right-associative operators, so `not not not …` would exhaust the
//! stack before any limit is noticed. Two explicit stacks do not.

use pest::iterators::Pair;

use super::{Builder, Built, fail};
use crate::diagnostic::Grammar;
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::syntax::lexical::MIN_INT_MAGNITUDE;
use crate::syntax::rule::Rule;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Grouping {
    Left,
    Right,
    None,
}

#[derive(Clone, Copy)]
enum Operator {
    Prefix(UnaryOp, Span),
    Infix(BinaryOp),
}

/// Return the precedence and associativity, as in the table of the language reference, from low to high.
fn strength(op: Operator) -> (u8, Grouping) {
    use BinaryOp::*;
    match op {
        Operator::Infix(Iff) => (1, Grouping::Left),
        Operator::Infix(Implies) => (2, Grouping::Right),
        Operator::Infix(Or) => (3, Grouping::Left),
        Operator::Infix(And) => (4, Grouping::Left),
        Operator::Prefix(UnaryOp::Not, _) => (5, Grouping::Right),
        Operator::Infix(
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In | NotIn | HappenedBefore
            | Before,
        ) => (6, Grouping::None),
        Operator::Infix(Range) => (7, Grouping::None),
        Operator::Infix(Add | Subtract | Except) => (8, Grouping::Left),
        Operator::Infix(Multiply | Div | Mod | Intersect) => (9, Grouping::Left),
        Operator::Prefix(UnaryOp::Negate, _) => (10, Grouping::Right),
    }
}

pub fn infix(rule: Rule) -> Option<BinaryOp> {
    Some(match rule {
        Rule::op_iff => BinaryOp::Iff,
        Rule::op_implies => BinaryOp::Implies,
        Rule::op_or => BinaryOp::Or,
        Rule::op_and => BinaryOp::And,
        Rule::op_equal => BinaryOp::Equal,
        Rule::op_not_equal => BinaryOp::NotEqual,
        Rule::op_less => BinaryOp::Less,
        Rule::op_less_equal => BinaryOp::LessEqual,
        Rule::op_greater => BinaryOp::Greater,
        Rule::op_greater_equal => BinaryOp::GreaterEqual,
        Rule::op_in => BinaryOp::In,
        Rule::op_not_in => BinaryOp::NotIn,
        Rule::op_before => BinaryOp::Before,
        Rule::op_happened_before => BinaryOp::HappenedBefore,
        Rule::op_range => BinaryOp::Range,
        Rule::op_add => BinaryOp::Add,
        Rule::op_subtract => BinaryOp::Subtract,
        Rule::former_except => BinaryOp::Except,
        Rule::op_multiply => BinaryOp::Multiply,
        Rule::op_div => BinaryOp::Div,
        Rule::op_mod => BinaryOp::Mod,
        Rule::op_intersect => BinaryOp::Intersect,
        _ => return None,
    })
}

/// Return the precedence of a binary operator, for the formatter.
pub fn strength_of(rule: Rule) -> Option<u8> {
    infix(rule).map(|op| strength(Operator::Infix(op)).0)
}

impl Builder {
    /// `expr` and `bound`: operands with operators between and before them.
    pub(super) fn operators(&mut self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let mut yard = Yard { operands: Vec::new(), operators: Vec::new() };
        for part in pair.into_inner() {
            let span = self.span(&part);
            match part.as_rule() {
                // The least Int has no positive counterpart, so it is one number together with its sign.
                Rule::operand if is_least(&part) && yard.negates() => {
                    if let Some(Operator::Prefix(_, sign)) = yard.operators.pop() {
                        let least = self.make(ExprKind::Int(i64::MIN), sign.to(span))?;
                        yard.operands.push(least);
                    }
                }
                Rule::operand => {
                    let operand = self.operand(part)?;
                    yard.operands.push(operand);
                }
                Rule::op_not => yard.operators.push(Operator::Prefix(UnaryOp::Not, span)),
                Rule::op_negate => yard.operators.push(Operator::Prefix(UnaryOp::Negate, span)),
                rule => {
                    let Some(op) = infix(rule) else { continue };
                    yard.make_room(self, op, span)?;
                    yard.operators.push(Operator::Infix(op));
                }
            }
        }
        while let Some(op) = yard.operators.pop() {
            yard.apply(self, op)?;
        }
        Ok(yard.operand())
    }
}

fn is_least(operand: &Pair<'_, Rule>) -> bool {
    let mut inner = operand.clone().into_inner();
    let number = inner.next().filter(|head| head.as_rule() == Rule::int);
    inner.next().is_none() && number.is_some_and(|number| number.as_str().parse() == Ok(MIN_INT_MAGNITUDE))
}

struct Yard {
    operands: Vec<Expr>,
    operators: Vec<Operator>,
}

impl Yard {
    /// Return whether a minus precedes the next operand.
    fn negates(&self) -> bool {
        matches!(self.operators.last(), Some(Operator::Prefix(UnaryOp::Negate, _)))
    }

    fn operand(&mut self) -> Expr {
        self.operands.pop().expect("the grammar puts an operand on each side of an operator")
    }

    /// Apply the operators that bind more strongly than the next one.
    fn make_room(&mut self, builder: &mut Builder, op: BinaryOp, span: Span) -> Built<()> {
        let (coming, grouping) = strength(Operator::Infix(op));
        while let Some(top) = self.operators.last().copied() {
            let (waiting, _) = strength(top);
            if waiting == coming && grouping == Grouping::None {
                return chained(op, span);
            }
            if waiting < coming || (waiting == coming && grouping == Grouping::Right) {
                break;
            }
            self.operators.pop();
            self.apply(builder, top)?;
        }
        Ok(())
    }

    fn apply(&mut self, builder: &mut Builder, op: Operator) -> Built<()> {
        let right = self.operand();
        let made = match op {
            Operator::Prefix(op, span) => {
                let span = span.to(right.span);
                builder.make(ExprKind::Unary(op, Box::new(right)), span)?
            }
            Operator::Infix(op) => {
                let left = self.operand();
                let span = left.span.to(right.span);
                builder.make(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)?
            }
        };
        self.operands.push(made);
        Ok(())
    }
}

fn chained(op: BinaryOp, span: Span) -> Built<()> {
    fail(
        span,
        match op {
            BinaryOp::Range => Grammar::RangeOfThree,
            BinaryOp::Equal => Grammar::EqualsChained,
            _ => Grammar::ComparisonsChained,
        },
    )
}
