//! Expressions and types.

use pest::iterators::Pair;

use super::pattern::{parts_without_in, three, two};
use super::{Builder, Built, fail, first, parts};
use crate::diagnostic::{Fix, Grammar, Hint};
use crate::ir::{HistoryKind, Metric, Quantifier};
use crate::prose::foreign_equivalent;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, Name, Param, TypeExpr, TypeExprKind};
use crate::syntax::foreign_types;
use crate::syntax::rule::Rule;

impl Builder {
    pub(super) fn expr(&mut self, pair: Pair<'_, Rule>) -> Built<Expr> {
        self.operators(pair)
    }

    fn boxed(&mut self, pair: Pair<'_, Rule>) -> Built<Box<Expr>> {
        self.expr(pair).map(Box::new)
    }

    /// `operand`, `place`, `place_pattern`, `act_call`: a head, and the suffixes that directly follow it.
    pub(super) fn operand(&mut self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let mut inner = pair.into_inner();
        let head = inner.next().expect("an operand begins with something");
        let mut expr = self.primary(head)?;
        for postfix in inner {
            let span = expr.span.to(self.span(&postfix));
            let kind = match postfix.as_rule() {
                Rule::call => self.call(expr, postfix)?,
                Rule::index => {
                    let index = self.boxed(parts(postfix).remove(0))?;
                    ExprKind::Index(Box::new(expr), index)
                }
                _ => self.field(expr, first(postfix))?,
            };
            expr = self.make(kind, span)?;
        }
        Ok(expr)
    }

    fn field(&mut self, expr: Expr, field: Pair<'_, Rule>) -> Built<ExprKind> {
        if let ExprKind::Int(_) = expr.kind {
            let span = expr.span.to(self.span(&field));
            return fail(span, Grammar::Fraction);
        }
        Ok(ExprKind::Field(Box::new(expr), self.name(&field)))
    }

    fn call(&mut self, callee: Expr, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut args = Vec::new();
        for argument in parts(pair) {
            self.argument(argument, &mut args)?;
        }
        let (layer, name) = match callee.kind {
            ExprKind::Name(name) => (None, name),
            ExprKind::Field(layer, name) => match layer.kind {
                ExprKind::Name(layer) => (Some(layer), name),
                _ => return not_callable(callee.span, foreign_equivalent(&name.text)),
            },
            _ => return not_callable(callee.span, None),
        };
        Ok(ExprKind::Call { layer, name, args })
    }

    /// `1/a` gives two arguments: the tree has no division.
    fn argument(&mut self, pair: Pair<'_, Rule>, args: &mut Vec<Expr>) -> Built<()> {
        let span = self.span(&pair);
        let mut all = parts(pair).into_iter();
        let Some(whole) = all.next() else { return Ok(()) };
        let plain = whole.clone().into_inner().count() == 1;
        args.push(self.expr(whole)?);
        let Some(divisor) = all.next() else { return Ok(()) };
        if !plain {
            return fail(span, Grammar::AmbiguousFraction);
        }
        args.push(self.operand(divisor)?);
        Ok(())
    }

    pub(super) fn primary(&mut self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let span = self.span(&pair);
        let text = pair.as_str();
        let kind = match pair.as_rule() {
            Rule::int => match text.parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => return fail(span, Grammar::NumberTooLarge),
            },
            Rule::text => ExprKind::Text(unescaped(text, span)?),
            Rule::truth => ExprKind::Bool(text == "true"),
            Rule::none => ExprKind::None,
            Rule::any_value => ExprKind::Any,
            Rule::empty_set => ExprKind::Set(Vec::new()),
            Rule::group => return self.group(pair, span),
            Rule::list => self.list(pair)?,
            Rule::braces => self.braces(pair)?,
            Rule::conditional => {
                let mut all = parts(pair).into_iter();
                let mut next = || all.next().expect("a conditional has three parts");
                let (condition, yes, no) = (next(), next(), next());
                ExprKind::If(self.boxed(condition)?, self.boxed(yes)?, self.boxed(no)?)
            }
            Rule::quantified => self.quantified(pair)?,
            Rule::best => self.best(pair)?,
            Rule::arrived => self.arrived(pair)?,
            Rule::metric => self.metric(pair),
            Rule::history => {
                let what = match first(pair.clone()).as_rule() {
                    Rule::k_calls => HistoryKind::Calls,
                    Rule::k_returns => HistoryKind::Returns,
                    _ => HistoryKind::Upcalls,
                };
                ExprKind::History { what, of: self.name(&parts(pair).remove(0)) }
            }
            _ => ExprKind::Name(self.name(&pair)),
        };
        self.make(kind, span)
    }

    /// `(e)` is `e`, whose span includes the parentheses; several expressions are a tuple.
    fn group(&mut self, pair: Pair<'_, Rule>, span: Span) -> Built<Expr> {
        let mut all = self.all(parts(pair))?;
        if all.len() > 1 {
            return self.make(ExprKind::Tuple(all), span);
        }
        let mut only = all.remove(0);
        only.span = span;
        Ok(only)
    }

    fn all(&mut self, pairs: Vec<Pair<'_, Rule>>) -> Built<Vec<Expr>> {
        pairs.into_iter().map(|pair| self.expr(pair)).collect()
    }

    fn list(&mut self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut all = parts(pair);
        match all.last().map(Pair::as_rule) {
            Some(Rule::comprehension | Rule::filter) => self.collection(true, all),
            _ => Ok(ExprKind::List(self.all(std::mem::take(&mut all))?)),
        }
    }

    fn braces(&mut self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut all = parts(pair);
        match all.last().map(Pair::as_rule) {
            Some(Rule::comprehension | Rule::filter) => self.collection(false, all),
            Some(Rule::empty_map) => Ok(ExprKind::Map(Vec::new())),
            Some(Rule::map_rest) => {
                let [key, rest] = two(all);
                let mut written = vec![key];
                written.extend(parts(rest));
                if written.last().is_some_and(|last| last.as_rule() == Rule::comprehension) {
                    return self.map_of(written);
                }
                let mut flat = self.all(written)?.into_iter();
                let mut entries = Vec::new();
                while let (Some(key), Some(value)) = (flat.next(), flat.next()) {
                    entries.push((key, value));
                }
                Ok(ExprKind::Map(entries))
            }
            _ => Ok(ExprKind::Set(self.all(std::mem::take(&mut all))?)),
        }
    }

    /// `e for p in S | g` and `p in S | g`, in braces or brackets.
    fn collection(&mut self, list: bool, all: Vec<Pair<'_, Rule>>) -> Built<ExprKind> {
        let [head, rest] = two(all);
        let head = self.expr(head)?;
        if rest.as_rule() == Rule::filter {
            let (pattern, set) = self.binder_of(head)?;
            let condition = Box::new(self.guarded(rest)?);
            return Ok(ExprKind::Filter { list, pattern, set: Box::new(set), condition });
        }
        self.described(list, head, rest)
    }

    /// The `k`, `v` and rest of `{ k: v for p in S | g }`.
    fn map_of(&mut self, written: Vec<Pair<'_, Rule>>) -> Built<ExprKind> {
        let [key, value, rest] = three(written);
        let (key, value) = (self.expr(key)?, self.expr(value)?);
        let span = Span { end: value.span.end, ..key.span };
        let pair = self.make(ExprKind::Tuple(vec![key, value]), span)?;
        let pairs = self.described(true, pair, rest)?;
        Ok(ExprKind::MapOf(Box::new(self.make(pairs, span)?)))
    }

    /// `for p in S | g` after its element expression.
    fn described(&mut self, list: bool, head: Expr, rest: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut all = parts(rest).into_iter();
        let binders = all.next().map_or(Ok(Vec::new()), |binders| self.binders(binders))?;
        let condition = all.next().map(|filter| self.guarded(filter).map(Box::new)).transpose()?;
        Ok(ExprKind::Comprehension { list, element: Box::new(head), binders, condition })
    }

    fn quantified(&mut self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut all = parts(pair).into_iter();
        let quantifier = match all.next().map(|sign| sign.as_rule()) {
            Some(Rule::forall) => Quantifier::Forall,
            Some(Rule::count) => Quantifier::Count,
            Some(Rule::sum) => Quantifier::Sum,
            _ => Quantifier::Some,
        };
        let mut binders = Vec::new();
        let mut with = None;
        let mut body = None;
        for part in all {
            match part.as_rule() {
                Rule::binders => binders = self.binders(part)?,
                Rule::with_guard => with = Some(Box::new(self.guarded(part)?)),
                _ => body = Some(self.boxed(part)?),
            }
        }
        let body = body.expect("a quantifier has a body");
        Ok(ExprKind::Quantified { quantifier, binders, with, body })
    }

    fn best(&mut self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut all = parts_without_in(pair).into_iter();
        let mut next = || all.next().expect("`least` has a pattern and a set");
        let (sign, pattern, set) = (next(), next(), next());
        let greatest = sign.as_rule() == Rule::greatest;
        let (pattern, set) = (self.binding(pattern)?, self.boxed(set)?);
        let (mut with, mut by) = (None, None);
        for part in all {
            let place = if part.as_rule() == Rule::by { &mut by } else { &mut with };
            *place = Some(Box::new(self.guarded(part)?));
        }
        Ok(ExprKind::Best { greatest, pattern, set, with, by })
    }

    fn arrived(&mut self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut all = parts(pair).into_iter().skip(1);
        let pattern = self.pattern(all.next().expect("`arrived` has a pattern"))?;
        let (mut from, mut when) = (None, None);
        for part in all {
            match part.as_rule() {
                Rule::arrived_from => from = Some(Box::new(self.origin(part)?)),
                _ => when = Some(Box::new(self.guarded(part)?)),
            }
        }
        Ok(ExprKind::Arrived { pattern, from, when })
    }

    fn metric(&self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut metric = match first(pair.clone()).as_rule() {
            Rule::k_messages => Metric::Messages,
            Rule::k_bits => Metric::Bits,
            Rule::k_time => Metric::Time,
            _ => Metric::Rounds,
        };
        let (mut of, mut per) = (Vec::new(), None);
        for part in parts(pair) {
            match part.as_rule() {
                Rule::metric_of => {
                    of = parts(parts(part).remove(0)).iter().map(|name| self.name(name)).collect();
                }
                Rule::metric_to_self => metric = Metric::MessagesToSelf,
                _ => per = Some(self.name(&parts(part).remove(0))),
            }
        }
        ExprKind::Metric { metric, of, per }
    }

    // ─── Types ───

    /// `: T`
    pub(super) fn annotation(&mut self, pair: Pair<'_, Rule>) -> Built<TypeExpr> {
        self.type_expr(parts(pair).remove(0))
    }

    fn type_expr(&mut self, pair: Pair<'_, Rule>) -> Built<TypeExpr> {
        let whole = self.span(&pair);
        let mut inner = pair.into_inner();
        let base = inner.next().expect("a type begins with something");
        let mut span = self.span(&base);
        let mut kind = self.type_base(base, span)?;
        // `T??` means what `T?` means.
        if inner.next().is_some() {
            let value = TypeExpr { kind, span };
            kind = TypeExprKind::Option(Box::new(value));
            span = whole;
        }
        Ok(TypeExpr { kind, span })
    }

    fn type_base(&mut self, pair: Pair<'_, Rule>, span: Span) -> Built<TypeExprKind> {
        let rule = pair.as_rule();
        if rule == Rule::bounds {
            return self.bounds(pair, span);
        }
        let mut types: Vec<TypeExpr> =
            parts(pair).into_iter().map(|part| self.type_expr(part)).collect::<Built<_>>()?;
        Ok(match rule {
            Rule::set_type => TypeExprKind::Set(Box::new(types.remove(0))),
            Rule::list_type => TypeExprKind::List(Box::new(types.remove(0))),
            Rule::queue_type => TypeExprKind::Queue(Box::new(types.remove(0))),
            Rule::map_type => {
                let [key, value] = two(types);
                TypeExprKind::Map(Box::new(key), Box::new(value))
            }
            _ if types.len() == 1 => types.remove(0).kind,
            _ => TypeExprKind::Tuple(types),
        })
    }

    fn bounds(&mut self, pair: Pair<'_, Rule>, span: Span) -> Built<TypeExprKind> {
        let text = pair.as_str();
        let mut ends = parts(pair).into_iter().filter(|part| part.as_rule() == Rule::bound);
        let low = ends.next().expect("a range has ends");
        let low = self.operators(low)?;
        if let Some(high) = ends.next() {
            let high = self.operators(high)?;
            return Ok(TypeExprKind::Range(Box::new(low), Box::new(high)));
        }
        // `list[Int]` would be an element of a list if it were not a type.
        if !matches!(low.kind, ExprKind::Name(_))
            && let Some(written) = foreign_types::equivalent(text)
        {
            let fix = Fix::replace(span, &written);
            let finding = Grammar::TypeExpected.at(span).hint(Hint::TypeIsWritten(written));
            return Err(Box::new(finding.fix(fix)));
        }
        match low.kind {
            ExprKind::Name(name) => Ok(TypeExprKind::Name(name)),
            _ => fail(span, Grammar::TypeExpected),
        }
    }

    /// `(x: T, y := e)`
    pub(super) fn params(&mut self, pair: Pair<'_, Rule>) -> Built<Vec<Param>> {
        parts(pair)
            .into_iter()
            .map(|param| {
                let mut all = parts(param).into_iter();
                let name: Name = self.name(&all.next().expect("a parameter has a name"));
                let (mut ty, mut default) = (None, None);
                for part in all {
                    match part.as_rule() {
                        Rule::annotation => ty = Some(self.annotation(part)?),
                        _ => default = Some(self.expr(part)?),
                    }
                }
                Ok(Param { name, ty, default })
            })
            .collect()
    }
}

/// Report `v[p].add(x)`, a method as in other languages, or another expression that cannot be called.
fn not_callable<T>(span: Span, meant: Option<&'static str>) -> Built<T> {
    Err(Box::new(Grammar::NotCallable.at(span).hint(meant.map(Hint::Word))))
}

/// Return the text between the quotes, with escapes replaced.
pub(super) fn unescaped(written: &str, span: Span) -> Built<String> {
    let inner = &written[1..written.len() - 1];
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.char_indices();
    while let Some((at, c)) = characters.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match characters.next() {
            Some((_, 'n')) => text.push('\n'),
            Some((_, c @ ('"' | '\\'))) => text.push(c),
            other => {
                let length = 1 + other.map_or(0, |(_, c)| c.len_utf8());
                let start = span.start as usize + 1 + at;
                let place = Span::new(span.file, start, start + length);
                return fail(place, Grammar::UnknownEscape);
            }
        }
    }
    Ok(text)
}
