//! Clauses.

use pest::iterators::Pair;

use super::pattern::{parts_without_in, two};
use super::{Builder, Built, fail, first, has, parts};
use crate::diagnostic::Grammar;
use crate::ir::{PropertyKind, ViewKind};
use crate::source::Span;
use crate::syntax::ast::{
    Assumption, Block, ClauseKind, Expr, ExprKind, Handler, MessageDecl, Name, Param, ProblemParam,
    ProblemUse, Property, Trigger, TypeExpr, Use, View, Viewed,
};
use crate::syntax::rule::Rule;

/// The parts of a declaration.
#[derive(Default)]
struct Declared {
    names: Vec<Name>,
    params: Vec<Param>,
    ty: Option<TypeExpr>,
    expr: Option<Expr>,
    alias: Option<Name>,
    body: Block,
}

impl Declared {
    fn name(&mut self) -> Name {
        self.names.remove(0)
    }
}

impl Builder {
    pub(super) fn clause_kind(&mut self, pair: Pair<'_, Rule>) -> Built<ClauseKind> {
        let span = self.span(&pair);
        Ok(match pair.as_rule() {
            Rule::algorithm => self.algorithm(pair),
            Rule::problem => self.problem(pair),
            Rule::assumes => ClauseKind::Assumes(
                parts(pair).into_iter().map(|a| self.assumption(a)).collect::<Built<_>>()?,
            ),
            Rule::uses => {
                ClauseKind::Uses(parts(pair).into_iter().map(|u| self.used(u)).collect::<Built<_>>()?)
            }
            Rule::message => {
                let decls = parts(pair).into_iter().map(|decl| {
                    let mut declared = self.declared(decl)?;
                    Ok(MessageDecl { name: declared.name(), fields: declared.params })
                });
                ClauseKind::Message(decls.collect::<Built<_>>()?)
            }
            Rule::always => ClauseKind::Always,
            Rule::on_handler | Rule::when_handler | Rule::after_handler => {
                ClauseKind::Handler(self.handler(pair, span)?)
            }
            Rule::deferral => {
                let guards = parts(pair).into_iter().map(|guard| self.message_guard(guard));
                ClauseKind::Defer(guards.collect::<Built<_>>()?)
            }
            Rule::ignorance => {
                let guards = parts(pair).into_iter().map(|guard| self.message_guard(guard));
                ClauseKind::Ignore(guards.collect::<Built<_>>()?)
            }
            Rule::view => self.view(pair),
            Rule::property => ClauseKind::Property(self.property(pair)?),
            Rule::scenario => ClauseKind::Scenario(self.scenario(pair)?),
            _ => self.declaration(pair)?,
        })
    }

    fn declaration(&mut self, pair: Pair<'_, Rule>) -> Built<ClauseKind> {
        let rule = pair.as_rule();
        let (output, initial) = (has(&pair, Rule::k_output), has(&pair, Rule::k_initial));
        let persistent = has(&pair, Rule::k_persistent) || has(&pair, Rule::former_stable);
        let initially = has(&pair, Rule::k_initially) || has(&pair, Rule::former_any);
        let mut d = self.declared(pair)?;
        Ok(match rule {
            Rule::variable => {
                ClauseKind::Var { output, persistent, initially, names: d.names, ty: d.ty, init: d.expr }
            }
            Rule::state => ClauseKind::State { initial, names: d.names, body: d.body },
            Rule::enumeration => ClauseKind::Enum { name: d.name(), cases: d.names },
            Rule::record => ClauseKind::Record { name: d.name(), fields: d.params },
            Rule::constant => ClauseKind::Const { name: d.name(), ty: d.ty, value: demanded(d.expr) },
            Rule::parameter => ClauseKind::Param { name: d.name(), ty: d.ty, default: d.expr },
            Rule::function => {
                let name = d.name();
                ClauseKind::Function { name, params: d.params, result: d.ty, body: demanded(d.expr) }
            }
            Rule::procedure => ClauseKind::Procedure { name: d.name(), params: d.params, body: d.body },
            Rule::operation => {
                ClauseKind::Operation { name: d.name(), params: d.params, alias: d.alias, body: d.body }
            }
            Rule::client => ClauseKind::Client { body: d.body },
            Rule::role => ClauseKind::Role { name: d.name() },
            Rule::stamps => ClauseKind::Stamps { variable: d.name() },
            other => unreachable!("{other:?} is not a clause"),
        })
    }

    fn declared(&mut self, pair: Pair<'_, Rule>) -> Built<Declared> {
        let mut declared = Declared::default();
        for part in parts(pair) {
            match part.as_rule() {
                Rule::params => declared.params = self.params(part)?,
                Rule::annotation => declared.ty = Some(self.annotation(part)?),
                Rule::expr => declared.expr = Some(self.expr(part)?),
                Rule::former_any => {
                    let span = self.span(&part);
                    declared.expr = Some(self.make(ExprKind::Any, span)?);
                }
                Rule::alias => declared.alias = Some(self.name(&parts(part).remove(0))),
                Rule::block => declared.body = self.block(part)?,
                _ => declared.names.push(self.name(&part)),
            }
        }
        Ok(declared)
    }

    fn view(&self, pair: Pair<'_, Rule>) -> ClauseKind {
        let span = self.span(&pair);
        let inner = parts(pair).remove(0);
        let kind = match inner.as_rule() {
            Rule::view_without => ViewKind::Without,
            _ => ViewKind::UpToShift,
        };
        let viewed = |pair: Pair<'_, Rule>| {
            let mut names = parts(pair).into_iter();
            let name = self.name(&names.next().expect("a view names something"));
            Viewed { name, field: names.next().map(|field| self.name(&field)) }
        };
        ClauseKind::View(View { kind, of: parts(inner).into_iter().map(viewed).collect(), span })
    }

    fn algorithm(&self, pair: Pair<'_, Rule>) -> ClauseKind {
        let mut all = parts(pair).into_iter();
        let name = self.name(&all.next().expect("an algorithm has a name"));
        let (mut variant_of, mut solves) = (None, None);
        for part in all {
            match part.as_rule() {
                Rule::variant_of => variant_of = Some(self.name(&parts(part).remove(0))),
                _ => {
                    let mut inner = parts(part).into_iter();
                    let name = self.name(&inner.next().expect("`solves` names a problem"));
                    let (mut args, mut without) = (Vec::new(), Vec::new());
                    for part in inner {
                        match part.as_rule() {
                            Rule::without => without = parts(part).iter().map(|n| self.name(n)).collect(),
                            _ => args.push(two(parts(part)).map(|word| self.name(&word)).into()),
                        }
                    }
                    solves = Some(ProblemUse { name, args, without });
                }
            }
        }
        ClauseKind::Algorithm { name, variant_of, solves }
    }

    fn problem(&self, pair: Pair<'_, Rule>) -> ClauseKind {
        let mut all = parts(pair).into_iter();
        let name = self.name(&all.next().expect("a problem has a name"));
        let params = all.map(|param| {
            let mut words = parts(param).into_iter();
            let name = self.name(&words.next().expect("a parameter has a name"));
            let (mut options, mut default) = (Vec::new(), None);
            for word in words {
                match word.as_rule() {
                    Rule::default_option => default = Some(self.name(&parts(word).remove(0))),
                    _ => options.push(self.name(&word)),
                }
            }
            ProblemParam { name, options, default }
        });
        ClauseKind::Problem { name, params: params.collect() }
    }

    fn assumption(&mut self, pair: Pair<'_, Rule>) -> Built<Assumption> {
        let span = self.span(&pair);
        let (mut words, mut bound) = (Vec::new(), None);
        for part in parts(pair) {
            if part.as_rule() == Rule::assumption_bound {
                let [op, expr] = two(part.into_inner().collect());
                let op = super::operators::infix(op.as_rule()).expect("a bound begins with a comparison");
                bound = Some((op, self.expr(expr)?));
            } else {
                words.push(self.name(&part));
            }
        }
        Ok(Assumption { words, bound, span })
    }

    fn used(&mut self, pair: Pair<'_, Rule>) -> Built<Use> {
        let mut all = parts(pair).into_iter();
        let algorithm = self.name(&all.next().expect("`uses` names an algorithm"));
        let (mut args, mut alias) = (Vec::new(), None);
        for part in all {
            if part.as_rule() == Rule::alias {
                alias = Some(self.name(&parts(part).remove(0)));
            } else {
                let [key, value] = two(parts(part));
                args.push((self.name(&key), self.expr(value)?));
            }
        }
        Ok(Use { algorithm, args, alias })
    }

    fn handler(&mut self, pair: Pair<'_, Rule>, span: Span) -> Built<Handler> {
        let is_after = pair.as_rule() == Rule::after_handler;
        let [head, body] = two(parts(pair));
        let trigger = match head.as_rule() {
            Rule::message_guard => Trigger::On(self.message_guard(head)?),
            Rule::when_some => {
                let mut all = parts_without_in(head).into_iter().skip(1);
                let mut next = || all.next().expect("`when some` has a pattern and a set");
                let (pattern, set) = (next(), next());
                let with = all.next().map(|with| self.guarded(with)).transpose()?;
                Trigger::WhenSome { pattern: self.binding(pattern)?, set: self.expr(set)?, with }
            }
            _ if is_after => Trigger::After(self.expr(head)?),
            _ => Trigger::When(self.expr(head)?),
        };
        Ok(Handler { trigger, body: self.block(body)?, span })
    }

    fn property(&mut self, pair: Pair<'_, Rule>) -> Built<Property> {
        let word = first(pair.clone());
        let kind = match word.as_str() {
            "invariant" => PropertyKind::Invariant,
            "stable" => PropertyKind::Stable,
            "finally" => PropertyKind::Finally,
            "eventually" => PropertyKind::Eventually,
            "settles" => PropertyKind::Settles,
            "leads" => PropertyKind::LeadsTo,
            "bound" => PropertyKind::Bound,
            "exactly" => PropertyKind::Exactly,
            _ => PropertyKind::Order,
        };
        let mut all = parts(pair).into_iter().skip(1);
        let name = self.name(&all.next().expect("a property has a name"));
        let (mut each, mut body, mut then) = (Vec::new(), None, None);
        for part in all {
            match part.as_rule() {
                Rule::binders => each = self.binders(part)?,
                Rule::leads_to => then = Some(self.guarded(part)?),
                _ => body = Some(self.expr(part)?),
            }
        }
        let leads = kind == PropertyKind::LeadsTo;
        if leads != then.is_some() {
            return fail(
                name.span,
                if leads { Grammar::LeadsWithoutRight(name.text.clone()) } else { Grammar::LeadsToElsewhere },
            );
        }
        Ok(Property { kind, name, each, body: demanded(body), then })
    }
}

fn demanded<T>(part: Option<T>) -> T {
    part.expect("the grammar demands this part")
}
