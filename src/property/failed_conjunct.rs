//! Explanation of a false condition: the conjunct that fails, and the values for which it fails.

use crate::ids::ProcessId;
use crate::ir::show::Show;
use crate::ir::{
    Binder, Compare, Expr, ExprKind as K, Fact, Pattern, Quantifier, ScriptFact, Slot, Type, Value,
};
use crate::semantics::Eval;
use crate::semantics::eval::{self, Env};
use crate::source::Span;

/// The smallest part of a condition that explains its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedConjunct {
    pub span: Span,
    /// Names of binders with their values: `p = p2, q = p3`.
    pub bindings: Vec<(String, String)>,
    /// The explanation: `` `p.elected = q.elected` is false, with 3 = 4 ``.
    pub what: String,
}

impl FailedConjunct {
    pub fn text(&self) -> String {
        binding_prefix(&self.bindings) + &self.what
    }
}

/// Return the prefix `for p = p2, q = p3: ` of an explanation; empty without bindings.
pub fn binding_prefix(bindings: &[(String, String)]) -> String {
    if bindings.is_empty() {
        return String::new();
    }
    let list: Vec<String> = bindings.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    format!("for {}: ", list.join(", "))
}

/// Explain why `e` differs from `want`. The caller has established that it does.
pub fn explain_failure(e: &Expr, want: bool, env: &mut Env<'_>) -> Eval<FailedConjunct> {
    match &e.kind {
        K::Not(x) => explain_failure(x, !want, env),
        K::And(x, y) if want => {
            if eval::truth(x, env)? {
                explain_failure(y, true, env)
            } else {
                explain_failure(x, true, env)
            }
        }
        K::Or(x, y) if !want => {
            if eval::truth(x, env)? {
                explain_failure(x, false, env)
            } else {
                explain_failure(y, false, env)
            }
        }
        K::Or(x, y) if want => {
            let (a, b) = (explain_failure(x, true, env)?, explain_failure(y, true, env)?);
            // A side without variables (an option of the problem) explains nothing.
            Ok(match (constant(x), constant(y)) {
                (true, false) => b,
                (false, true) => a,
                _ => FailedConjunct {
                    span: e.span,
                    bindings: Vec::new(),
                    what: format!("{}, and {}", a.text(), b.text()),
                },
            })
        }
        K::Implies(x, y) if want => {
            let mut inner = explain_failure(y, true, env)?;
            if !constant(x) && !matches!(x.kind, K::Fact(Fact::Script(_))) {
                inner.what += &format!(", although `{}` holds", source(x, env));
            }
            Ok(inner)
        }
        K::If(c, x, y) => {
            if eval::truth(c, env)? {
                explain_failure(x, want, env)
            } else {
                explain_failure(y, want, env)
            }
        }
        K::Let(lets, body) => {
            eval::store_all(lets, env)?;
            explain_failure(body, want, env)
        }
        K::Once { value, .. } => explain_failure(value, want, env),
        K::Quantified { quantifier, binders, with, body } => {
            let wanted_body = match quantifier {
                Quantifier::Forall if want => false,
                Quantifier::Some if !want => true,
                _ => return plain(e, want, env),
            };
            let mut found: Option<FailedConjunct> = None;
            // An element whose evaluation fails explains nothing: another element decides.
            eval::each_in_spite_of_failures(binders, env, &mut |env, _| {
                if let Some(w) = with
                    && !eval::truth(w, env)?
                {
                    return Ok(true);
                }
                if eval::truth(body, env)? != wanted_body {
                    return Ok(true);
                }
                let mut inner = explain_failure(body, !wanted_body, env)?;
                let mut bindings = names(binders, env)?;
                bindings.append(&mut inner.bindings);
                inner.bindings = bindings;
                found = Some(inner);
                Ok(false)
            })?;
            match found {
                Some(found) => Ok(found),
                None => plain(e, want, env),
            }
        }
        _ => plain(e, want, env),
    }
}

fn plain(e: &Expr, want: bool, env: &mut Env<'_>) -> Eval<FailedConjunct> {
    let text = source(e, env);
    let what = match &e.kind {
        K::Compare(op, x, y) | K::CompareValues(op, x, y) => {
            let (a, b) = (side(x, env)?, side(y, env)?);
            format!("`{text}` is {}, with {a} {} {b}", !want, sign(*op))
        }
        K::Fact(Fact::Script(fact)) => of_script(fact, &text, env),
        K::Quantified { quantifier: Quantifier::Some, binders, .. } if want => {
            let names: Vec<&str> = binders.iter().map(|b| b.name.as_str()).collect();
            format!("no such {}: `{text}`", names.join(", "))
        }
        _ => format!("`{text}` is {}", !want),
    };
    Ok(FailedConjunct { span: e.span, bindings: Vec::new(), what })
}

/// Explain why a fact about a scenario is false. `text`: its line.
fn of_script(fact: &ScriptFact, text: &str, env: &Env<'_>) -> String {
    let position = env.world.and_then(|world| world.configuration.environment().script.as_deref());
    match (fact, position) {
        (ScriptFact::Outcome(line, wanted), Some(position)) => {
            let found =
                position.outcomes.iter().find(|(at, _)| at == line).map_or("open", |(_, found)| found);
            match found {
                "interrupted" => "the run has not ended: it stops at the last `at`".into(),
                found => format!("the outcome is `{found}`, not `{wanted}`"),
            }
        }
        (ScriptFact::IsComplete, Some(position)) => {
            let script = env.instance.script.as_ref();
            let pending = position.pending.first().copied().unwrap_or(position.at);
            let next = script.and_then(|script| script.lines.get(pending as usize));
            let sources = &env.instance.program.sources;
            let (next, place) =
                next.map_or(("", String::new()), |(_, span)| (sources.slice(*span), sources.near(*span)));
            format!("the line `{next}` ({place}) never happens")
        }
        _ => format!("`{text}` is false"),
    }
}

/// Return the value of one side of a comparison, in the syntax of the language. Ports in a variable are those of its process.
fn side(e: &Expr, env: &mut Env<'_>) -> Eval<String> {
    let value = eval::value(e, env)?;
    let variable = if let K::Unwrap(option) = &e.kind { &**option } else { e };
    let K::Remote(owner, _) = &variable.kind else { return Ok(env.show(&value)) };
    let owner = ProcessId(eval::word(owner, env)? as u32);
    Ok(Show::new(&env.instance.program).at(&env.instance.network, owner).value(&value))
}

/// Return the names of the binders with their current values.
pub fn names(binders: &[Binder], env: &mut Env<'_>) -> Eval<Vec<(String, String)>> {
    let mut names = Vec::new();
    for b in binders {
        let ty = match &b.set.ty {
            Type::Set(ty) | Type::List(ty) | Type::Map(ty, _) => ty,
            _ => continue,
        };
        if !matches!(b.pattern, Pattern::Wildcard) {
            names.push((b.name.clone(), matched(&b.pattern, ty, env)));
        }
    }
    Ok(names)
}

/// Return the value that matches a pattern, in the syntax of the language, with `_` for parts without a name.
fn matched(pattern: &Pattern, ty: &Type, env: &Env<'_>) -> String {
    let list = |parts: &[Pattern], types: &[Type]| {
        let parts = parts.iter().zip(types).map(|(part, ty)| matched(part, ty, env));
        format!("({})", parts.collect::<Vec<_>>().join(", "))
    };
    match (pattern, ty) {
        (Pattern::Slot(Slot::Word(slot)), _) => env.show(&Value::from_word(ty, env.words[*slot as usize])),
        (Pattern::Slot(Slot::Value(slot)), _) => env.show(&env.values[*slot as usize]),
        (Pattern::Tuple(parts), Type::Tuple(types)) => list(parts, types),
        (Pattern::Message(kind, parts), _) => {
            let kind = &env.instance.program.kinds[*kind as usize];
            let types: Vec<Type> = kind.fields.iter().map(|field| field.ty.clone()).collect();
            if parts.is_empty() { kind.name.clone() } else { kind.name.clone() + &list(parts, &types) }
        }
        _ => "_".into(),
    }
}

fn source(e: &Expr, env: &Env<'_>) -> String {
    let text = env.instance.program.sources.slice(e.span);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn sign(op: Compare) -> &'static str {
    match op {
        Compare::Equal => "=",
        Compare::NotEqual => "!=",
        Compare::Less => "<",
        Compare::LessEqual => "<=",
        Compare::Greater => ">",
        Compare::GreaterEqual => ">=",
    }
}

/// Whether the condition is constant, independent of the run.
fn constant(e: &Expr) -> bool {
    match &e.kind {
        K::Word(_) | K::Const(_) | K::Param(_) => true,
        K::Not(x) => constant(x),
        K::And(x, y) | K::Or(x, y) | K::Implies(x, y) | K::Compare(_, x, y) => constant(x) && constant(y),
        _ => false,
    }
}
