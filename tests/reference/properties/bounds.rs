//! *Properties*: `bound` and `exactly` properties that compare one measure with a limit that depends on the configuration alone. All others
//! are evaluated as a whole, at ends.

use crate::properties::costs::{Compare, measured};
use crate::properties::observer::{Count, Moment, Watch, observe};
use crate::properties::verdicts::{self, Truth, Verdict};
use crate::specification::configuration::Configuration;
use crate::specification::eval::{Scope, eval};
use crate::specification::graph::Graph;
use crate::specification::network::System;
use crate::specification::value::{Failure, Value};
use synod::internals::ir::{Metric, PropertyKind};
use synod::internals::syntax::ast::{BinaryOp, Expr, ExprKind, Property};

type Configurations = Graph<Configuration, Value>;

/// The greatest number of configurations of the product of a graph and an observer.
pub const MOST: usize = 4_000;

/// The reason for which the specification refuses a measure in bits.
pub const INFERRED: &str = "the bits of a message with a field whose type is inferred";

/// A property of the algorithm or its problem, and the component that its names are looked up in.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub property: &'static Property,
    pub component: usize,
}

/// Return the verdict on such a property; None if the property has another form.
pub fn verdict(system: &System, graph: &Configurations, claim: Claim) -> Option<Verdict> {
    let is_bound = matches!(claim.property.kind, PropertyKind::Bound | PropertyKind::Exactly);
    if !is_bound || !claim.property.each.is_empty() {
        return None;
    }
    let ExprKind::Binary(op, left, limit) = &claim.property.body.kind else { return None };
    let ExprKind::Metric { metric, of, per } = &left.kind else { return None };
    let compare = comparison(*op)?;
    let throughout = is_fixed(limit, system, claim.component);
    let limit = |configuration: &Configuration| {
        eval(limit, &Scope::global(system, configuration, claim.component))?.number()
    };
    let limits = limits(graph, &limit)?;
    let of: Vec<String> = of.iter().map(|name| name.text.clone()).collect();
    let count = match metric {
        Metric::Time => None,
        Metric::Messages => Some(Count::Messages(of)),
        Metric::MessagesToSelf => Some(Count::MessagesToSelf(of)),
        Metric::Bits if !crate::specification::bits::are_stated(system) => {
            return Some(Verdict::Refused(format!("{INFERRED} is not specified")));
        }
        Metric::Bits => Some(Count::Bits(of)),
        Metric::Rounds => Some(Count::Rounds),
    };
    let watch =
        Watch { counts: count.clone().into_iter().collect(), time: count.is_none(), ..Watch::default() };
    let measure = |moment: &Moment<Value>| match &count {
        Some(count) => moment.seen.counts[count],
        None => moment.seen.time,
    };
    if let Some(per) = per {
        let operation = operation(system, &per.text)?;
        return Some(per_operation(graph, watch, operation, (&measure, compare, &limits)));
    }
    Some(measured(graph, watch, &measure, (compare, &limits, throughout), MOST))
}

/// «An upper limit that is the same throughout (`2 * n`, not what has been counted or who has woken)»: the limit consists of numbers, facts
/// of the network, parameters and constants.
fn is_fixed(limit: &'static Expr, system: &System, component: usize) -> bool {
    let fixed = |e: &'static Expr| is_fixed(e, system, component);
    match &limit.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) => true,
        ExprKind::Name(name) => name.text != "initiators" && name.text != "participants",
        ExprKind::Unary(_, of) => fixed(of),
        ExprKind::Binary(_, left, right) => fixed(left) && fixed(right),
        ExprKind::If(condition, then, otherwise) => fixed(condition) && fixed(then) && fixed(otherwise),
        ExprKind::Set(all) | ExprKind::List(all) | ExprKind::Tuple(all) => all.iter().all(fixed),
        ExprKind::Call { layer: None, name, args } => {
            let known =
                |component: &usize| system.component(*component).functions.get(name.text.as_str()).copied();
            let family = [component].into_iter().chain(system.component(component).partner);
            let body = family.into_iter().find_map(|component| known(&component));
            args.iter().all(fixed) && body.is_none_or(|function| fixed(function.body))
        }
        ExprKind::Quantified { binders, with, body, .. } => {
            let sets = binders.iter().filter_map(|binder| binder.set.as_ref());
            sets.chain(with.as_deref()).all(fixed) && fixed(body)
        }
        ExprKind::Field(of, name) => {
            matches!(name.text.as_str(), "id" | "index" | "degree" | "initiator" | "neighbours") && fixed(of)
        }
        _ => false,
    }
}

/// Return the limit in each configuration, or the reason for its absence; None if the limit depends on the cost of the run.
fn limits(
    graph: &Configurations,
    limit: &dyn Fn(&Configuration) -> Result<i64, Failure>,
) -> Option<Vec<Result<i64, String>>> {
    let known = |configuration| match limit(configuration) {
        Ok(limit) => Some(Ok(limit)),
        Err(Failure::Abort(why)) => Some(Err(why)),
        Err(Failure::Unspecified(_)) => None,
    };
    graph.configurations.iter().map(known).collect()
}

fn comparison(op: BinaryOp) -> Option<Compare> {
    Some(match op {
        BinaryOp::Equal => Compare::Equal,
        BinaryOp::NotEqual => Compare::NotEqual,
        BinaryOp::Less => Compare::Less,
        BinaryOp::LessEqual => Compare::LessEqual,
        BinaryOp::Greater => Compare::Greater,
        BinaryOp::GreaterEqual => Compare::GreaterEqual,
        _ => return None,
    })
}

/// Return the operation that `per` names: «`per entry` (an operation or its alias)».
pub fn operation(system: &System, name: &str) -> Option<String> {
    let components = [0].into_iter().chain(system.component(0).partner);
    let mut routines = components.flat_map(|component| &system.component(component).routines);
    let found =
        routines.find(|routine| routine.operation && (routine.name == name || routine.alias == Some(name)));
    found.map(|routine| routine.name.to_string())
}

/// «the limit is then multiplied by the number of completed calls»
fn per_operation(
    graph: &Configurations,
    mut watch: Watch,
    operation: String,
    (cost, compare, limits): (&dyn Fn(&Moment<Value>) -> u64, Compare, &[Result<i64, String>]),
) -> Verdict {
    let returns = Count::Returns(operation);
    watch.counts.insert(returns.clone());
    let Ok(product) = observe(graph, &watch, MOST) else {
        return Verdict::Refused("the measure has too many values".into());
    };
    let truth = |moment: &Moment<Value>| -> Truth {
        let calls = i128::from(moment.seen.counts[&returns]);
        let limit = i128::from(limits[moment.at].clone()?) * calls;
        Ok(compare.is(i128::from(cost(moment)), limit))
    };
    let truth: Vec<Truth> = product.configurations.iter().map(truth).collect();
    verdicts::finally(&product, &truth)
}
