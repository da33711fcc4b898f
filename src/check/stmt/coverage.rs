//! Guard coverage: whether the guards of an `if` are exhaustive, and whether they exclude one another.
//!
//! Guards are treated as Boolean formulas. Comparisons of the same two operands are dependent: exactly one of `<`, `=` and `>`
//! holds; likewise of `x = c` for the cases c of an enumeration. Everything else is an independent proposition, so «may all be
//! false» is a warning, not an error.

use crate::check::types::infer::Infer;
use crate::ir::{Compare, EnumType, Expr, ExprKind as K, Type};
use crate::source::Sources;

/// Maximum number of assignments that are tried.
const MAX_CASES: u64 = 4096;

#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Whether all assignments were tried.
    pub decided: bool,
    /// Whether at most one guard holds in every case.
    pub exclusive: bool,
    /// Whether some guard holds in every case.
    pub complete: bool,
    /// A description of a case in which no guard holds, if it is worth a warning.
    pub missing: Option<String>,
}

enum Formula {
    True,
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    /// Pair of operands; which of less, equal, greater make it true.
    Order(usize, [bool; 3]),
    Atom(usize),
    /// A subject of an enumeration type, and the case that it is compared with.
    Case(usize, u64),
}

struct Atoms<'i> {
    infer: &'i Infer,
    enums: &'i [EnumType],
    /// Compared operands; whether they are ordered (or can only be equal or not).
    pairs: Vec<(String, String, bool)>,
    plain: Vec<String>,
    /// Subjects that are compared with cases of their enumeration.
    choices: Vec<(String, u32)>,
}

pub fn analyse(guards: &[&Expr], sources: &Sources, infer: &Infer, enums: &[EnumType]) -> Verdict {
    let mut atoms = Atoms { infer, enums, pairs: Vec::new(), plain: Vec::new(), choices: Vec::new() };
    let formulas: Vec<Formula> = guards.iter().map(|g| atoms.formula(g, sources)).collect();
    let mut sizes: Vec<u64> =
        atoms.pairs.iter().map(|(_, _, ordered)| if *ordered { 3 } else { 2 }).collect();
    sizes.extend(atoms.plain.iter().map(|_| 2));
    sizes.extend(atoms.choices.iter().map(|(_, of)| enums[*of as usize].cases.len() as u64));
    let kinds = [atoms.pairs.len(), atoms.pairs.len() + atoms.plain.len()];
    let Some(cases) = sizes.iter().try_fold(1u64, |a, s| a.checked_mul(*s)).filter(|c| *c <= MAX_CASES)
    else {
        return Verdict::default();
    };
    let mut verdict = Verdict { decided: true, exclusive: true, complete: true, missing: None };
    for case in 0..cases {
        let mut rest = case;
        let digits: Vec<u64> = sizes
            .iter()
            .map(|s| {
                let d = rest % s;
                rest /= s;
                d
            })
            .collect();
        let holding = formulas.iter().filter(|f| f.holds(&digits, kinds)).count();
        if holding > 1 {
            verdict.exclusive = false;
        }
        if holding == 0 && verdict.missing.is_none() {
            verdict.complete = false;
            if atoms.is_worth_reporting() {
                verdict.missing = Some(atoms.words(&digits));
            }
        }
    }
    verdict
}

impl Atoms<'_> {
    fn formula(&mut self, e: &Expr, sources: &Sources) -> Formula {
        match &e.kind {
            K::Call(..) | K::Compare(..) | K::CompareValues(..) | K::In(..) | K::If(..)
                if e.first_draw().is_some() =>
            {
                self.draw(e, sources)
            }
            K::Word(1) => Formula::True,
            K::Word(0) => Formula::Not(Box::new(Formula::True)),
            K::Not(x) => Formula::Not(Box::new(self.formula(x, sources))),
            K::And(x, y) => {
                Formula::And(Box::new(self.formula(x, sources)), Box::new(self.formula(y, sources)))
            }
            K::Or(x, y) => {
                Formula::Or(Box::new(self.formula(x, sources)), Box::new(self.formula(y, sources)))
            }
            K::Implies(x, y) => Formula::Or(
                Box::new(Formula::Not(Box::new(self.formula(x, sources)))),
                Box::new(self.formula(y, sources)),
            ),
            K::Compare(op @ (Compare::Equal | Compare::NotEqual), x, y)
                if let Some((subject, of, case)) = self.is_case(x, y) =>
            {
                let formula = self.case(sources.slice(subject.span), of, case);
                if *op == Compare::Equal { formula } else { Formula::Not(Box::new(formula)) }
            }
            K::Compare(op, x, y) | K::CompareValues(op, x, y) if x.span != y.span => {
                let text = |e: &Expr| sources.slice(e.span).split_whitespace().collect::<Vec<_>>().join(" ");
                // Inclusion of sets is only a partial order.
                let total =
                    !matches!(self.infer.head(&x.ty), Type::Set(_) | Type::Unknown(_) | Type::Map(..));
                let (a, b) = (text(x), text(y));
                let (key, swap) = if a <= b { ((a, b), false) } else { ((b, a), true) };
                if !total && !matches!(op, Compare::Equal | Compare::NotEqual) {
                    return self.atom(sources.slice(e.span));
                }
                let index = match self.pairs.iter().position(|(a, b, _)| (a, b) == (&key.0, &key.1)) {
                    Some(i) => i,
                    None => {
                        self.pairs.push((key.0, key.1, total));
                        self.pairs.len() - 1
                    }
                };
                // In the order equal, less, greater, so that unordered pairs use the first two.
                let (equal, mut less, mut greater) = match op {
                    Compare::Equal => (true, false, false),
                    Compare::NotEqual => (false, true, true),
                    Compare::Less => (false, true, false),
                    Compare::LessEqual => (true, true, false),
                    Compare::Greater => (false, false, true),
                    Compare::GreaterEqual => (true, false, true),
                };
                if swap {
                    std::mem::swap(&mut less, &mut greater);
                }
                Formula::Order(index, [equal, less, greater])
            }
            K::In(x, y) => {
                let text = format!("{} in {}", sources.slice(x.span), sources.slice(y.span));
                self.atom(&text)
            }
            _ => self.atom(sources.slice(e.span)),
        }
    }

    /// Return the subject, enumeration and case if something is compared with a case of its enumeration.
    fn is_case<'e>(&self, x: &'e Expr, y: &'e Expr) -> Option<(&'e Expr, u32, u64)> {
        let case = |e: &Expr| match (&e.kind, self.infer.head(&e.ty)) {
            (K::Word(case), Type::Enum(of)) => Some((of, u64::try_from(*case).ok()?)),
            _ => None,
        };
        match (case(x), case(y)) {
            (None, Some((of, case))) => Some((x, of, case)),
            (Some((of, case)), None) => Some((y, of, case)),
            _ => None,
        }
    }

    fn case(&mut self, text: &str, of: u32, case: u64) -> Formula {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = self.choices.iter().position(|(subject, _)| *subject == text);
        let index = known.unwrap_or_else(|| {
            self.choices.push((text, of));
            self.choices.len() - 1
        });
        Formula::Case(index, case)
    }

    /// Two draws of the same coin are two propositions.
    fn draw(&mut self, e: &Expr, sources: &Sources) -> Formula {
        self.plain.push(sources.slice(e.span).split_whitespace().collect::<Vec<_>>().join(" "));
        Formula::Atom(self.plain.len() - 1)
    }

    /// Return whether the case is worth a warning. Guards over many propositions, or that single out several constants, rely on
    /// facts that the algorithm ensures and this analysis does not know.
    fn is_worth_reporting(&self) -> bool {
        let number = |t: &str| t.parse::<i64>().is_ok();
        let mut compared: Vec<&str> = Vec::new();
        for (a, b, _) in &self.pairs {
            let (left, right) = (number(a), number(b));
            let subject = if left { b } else { a };
            if (left || right) && compared.contains(&subject.as_str()) {
                return false;
            }
            compared.push(subject);
        }
        self.pairs.len() + self.plain.len() + self.choices.len() <= 2
    }

    fn atom(&mut self, text: &str) -> Formula {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let index = match self.plain.iter().position(|a| *a == text) {
            Some(i) => i,
            None => {
                self.plain.push(text);
                self.plain.len() - 1
            }
        };
        Formula::Atom(index)
    }

    fn words(&self, digits: &[u64]) -> String {
        let mut parts: Vec<String> = self
            .pairs
            .iter()
            .zip(digits)
            .map(|((a, b, total), d)| {
                let op = match (d, total) {
                    (0, _) => "=",
                    (1, true) => "<",
                    (_, true) => ">",
                    _ => "!=",
                };
                format!("`{a} {op} {b}`")
            })
            .collect();
        parts.extend(
            self.plain
                .iter()
                .zip(&digits[self.pairs.len()..])
                .map(|(a, d)| if *d == 1 { format!("`{a}`") } else { format!("not `{a}`") }),
        );
        let cases = &digits[self.pairs.len() + self.plain.len()..];
        parts.extend(self.choices.iter().zip(cases).map(|((subject, of), case)| {
            format!("`{subject} = {}`", self.enums[*of as usize].cases[*case as usize])
        }));
        parts.join(" and ")
    }
}

impl Formula {
    /// `kinds`: the indices in `digits` at which propositions and choices begin.
    fn holds(&self, digits: &[u64], kinds: [usize; 2]) -> bool {
        match self {
            Formula::True => true,
            Formula::Not(x) => !x.holds(digits, kinds),
            Formula::And(x, y) => x.holds(digits, kinds) && y.holds(digits, kinds),
            Formula::Or(x, y) => x.holds(digits, kinds) || y.holds(digits, kinds),
            Formula::Order(i, cases) => cases[digits[*i] as usize],
            Formula::Atom(i) => digits[kinds[0] + i] == 1,
            Formula::Case(i, case) => digits[kinds[1] + i] == *case,
        }
    }
}
