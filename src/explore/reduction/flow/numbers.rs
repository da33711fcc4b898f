//! Numbers in properties that the state space need not contain: comparisons with constants, and sums in the limits of bounds.
//!
//! A property may read more of such numbers than their differences and order, and still not distinguish a shift:
//!
//! * `p.turn = 1` is false wherever all numbers of the view are at least 2. If no step assigns a number less than all before, this remains
//!   so, and shifts of numbers that are at least this *floor* are unobservable.
//! * `messages <= 4 * (sum p: p.turn)` is a bound whose limit is an affine function of the numbers. A shift of all numbers of the view by 1
//!   increases it by a constant, its *slope*. So the graph of configurations up to shift determines how far a run is from the limit. The
//!   same holds for `size(initiators)`, which each spontaneous wake-up increases by 1.

use crate::explore::monitor::additive_bound::AdditiveBound;
use crate::explore::reduction::flow::{Flow, Shape};
use crate::ir::{Arith, Binder, Builtin, Expr, ExprKind as K, Fact, Quantifier};
use crate::property::{Reads, constant_word};
use crate::semantics::eval;
use Shape::{Nothing, Plain, Shifted};

/// Greatest absolute value of a slope, also of the terms of a sum. With steps that add small constants, a limit overflows only after
/// more than 2^30 steps.
const STEEPEST: i64 = 1 << 10;

/// Greatest absolute value of a constant with which numbers up to shift may be compared.
const HIGHEST: u64 = 1 << 20;

impl Flow<'_> {
    /// Note whether a command assigns less than the least number of a view: `x op y` is such a number plus or minus another.
    pub(super) fn note_decrease(&mut self, op: Arith, x: &Expr, y: &Expr, view: usize) {
        let increases = |e: &Expr| matches!(e.kind, K::Word(number) if number >= 0);
        let rises = op == Arith::Add && (increases(x) || increases(y));
        if !rises && !self.is_global() {
            self.falls[view] = true;
        }
    }

    /// Return whether `x`, of shape `shape`, is compared with a constant, and steps never assign lesser numbers to the view. Then the
    /// comparison has the same result for all numbers above the constant.
    pub(super) fn is_above(&mut self, x: &Expr, shape: &Shape, constant: &Expr) -> bool {
        let Shifted(view) = *shape else { return false };
        if !self.is_global() || self.falls[view] {
            return false;
        }
        let (Some(distance), Some(constant)) = (distance(x), constant_word(self.instance, constant)) else {
            return false;
        };
        if constant.unsigned_abs() > HIGHEST || distance.unsigned_abs() > HIGHEST {
            return false;
        }
        self.floors[view] = self.floors[view].max(constant - distance + 1);
        true
    }

    /// Analyse the limit of a bound, and return its slopes. Object if the search cannot measure the distance from it.
    pub(super) fn limit(&mut self, bound: &AdditiveBound<'_>) -> Vec<i64> {
        let mut all = vec![0; self.falls.len() + 1];
        for (factor, e) in &bound.limit {
            if bound.per.is_some() {
                // The limit is multiplied by a count.
                self.plain(e, "the limit");
                continue;
            }
            let slopes = self.slopes(e);
            if let Some(more) = slopes.and_then(|slopes| sum(all.clone(), &slopes, *factor))
                && more.iter().all(|slope| slope.abs() <= STEEPEST)
            {
                all = more;
                continue;
            }
            self.wakes |= Reads::of(e, self.program).wakes;
            self.object(e.span, "the limit is no affine function of the numbers of the view");
        }
        all
    }

    /// Return the slope of an expression in each view, and in the number of processes that have woken up spontaneously. `None`: it is no
    /// affine function of these numbers.
    fn slopes(&mut self, e: &Expr) -> Option<Vec<i64>> {
        let slopes = match &e.kind {
            K::Arith(Arith::Add, x, y) => sum(self.slopes(x)?, &self.slopes(y)?, 1)?,
            K::Arith(Arith::Subtract, x, y) => sum(self.slopes(x)?, &self.slopes(y)?, -1)?,
            K::Negate(x) => times(self.slopes(x)?, -1)?,
            K::Arith(Arith::Multiply, x, y) => {
                let (a, b) = (self.slopes(x)?, self.slopes(y)?);
                match (is_flat(&a), is_flat(&b)) {
                    (true, true) => a,
                    (true, false) => times(b, constant_word(self.instance, x)?)?,
                    (false, true) => times(a, constant_word(self.instance, y)?)?,
                    (false, false) => return None,
                }
            }
            K::Quantified { quantifier: Quantifier::Sum, binders, with, body } => {
                self.slopes_of_sum(binders, with.as_deref(), body)?
            }
            K::Once { value, .. } => self.slopes(value)?,
            K::If(condition, x, y) => {
                self.plain(condition, "the limit");
                let (a, b) = (self.slopes(x)?, self.slopes(y)?);
                if a != b {
                    return None;
                }
                a
            }
            K::Call(Builtin::Size, of)
                if matches!(of[..], [Expr { kind: K::Fact(Fact::Initiators), .. }]) =>
            {
                let mut slopes = vec![0; self.falls.len()];
                slopes.push(1);
                slopes
            }
            _ => {
                let mut slopes = vec![0; self.falls.len() + 1];
                match self.shape(e) {
                    Shifted(view) => slopes[view] = 1,
                    Plain | Nothing => {}
                    _ => return None,
                }
                slopes
            }
        };
        slopes.iter().all(|slope| slope.abs() <= STEEPEST).then_some(slopes)
    }

    fn slopes_of_sum(&mut self, binders: &[Binder], with: Option<&Expr>, body: &Expr) -> Option<Vec<i64>> {
        for binder in binders {
            if self.binder(binder).is_marked() {
                return None;
            }
        }
        with.iter().for_each(|with| self.plain(with, "the limit"));
        let slopes = self.slopes(body)?;
        if is_flat(&slopes) {
            return Some(slopes);
        }
        // The number of terms must be known.
        if with.is_some() {
            return None;
        }
        let mut terms = 1i64;
        for binder in binders {
            terms = terms.checked_mul(self.constant_size(&binder.set)?)?;
        }
        times(slopes, terms)
    }

    /// Return the size of a set that is the same in all configurations.
    fn constant_size(&self, set: &Expr) -> Option<i64> {
        if !Reads::of(set, self.program).is_empty() || !set.is_closed(&|_| false) {
            return None;
        }
        let value = eval::with_global_frame(self.instance, None, |env| eval::value(set, env)).ok()?;
        i64::try_from(eval::elements(&value).count()).ok()
    }
}

/// Return the constant that an expression adds to a number of the configuration. `None`: it is computed in another way.
fn distance(e: &Expr) -> Option<i64> {
    match &e.kind {
        K::Arith(Arith::Add, x, y) => match (&x.kind, &y.kind) {
            (_, K::Word(number)) => distance(x)?.checked_add(*number),
            (K::Word(number), _) => distance(y)?.checked_add(*number),
            _ => None,
        },
        K::Arith(Arith::Subtract, x, y) => match y.kind {
            K::Word(number) => distance(x)?.checked_sub(number),
            _ => None,
        },
        K::Remote(..) => Some(0),
        K::Unwrap(x) | K::Part(x, _) | K::Index(x, _) => distance(x),
        // Others may be computed: a name may stand for a sum.
        _ => None,
    }
}

fn is_flat(slopes: &[i64]) -> bool {
    slopes.iter().all(|slope| *slope == 0)
}

fn sum(a: Vec<i64>, b: &[i64], times: i64) -> Option<Vec<i64>> {
    a.into_iter().zip(b).map(|(a, b)| a.checked_add(b.checked_mul(times)?)).collect()
}

fn times(slopes: Vec<i64>, by: i64) -> Option<Vec<i64>> {
    slopes.into_iter().map(|slope| slope.checked_mul(by)).collect()
}
