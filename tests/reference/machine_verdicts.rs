//! Verdicts by definition on the graph of Synod's machine. Synod evaluates each property in single configurations; the consequences for all
//! runs are computed here.

use crate::costs::{Compare, measured};
use crate::liveness::Coins;
use crate::machine_graph::{Steps, kind_name};
use crate::observer::{Count, Moment, Seen, Watch, What, observe};
use crate::verdicts::{self, Truth, Verdict};
use synod::instance::{ExecutionModel, Instance};
use synod::ir::{self, Bound, Property, Value};
use synod::property::{Cost, Reads, combinations, is_constant_upper_limit, needs_history};
use synod::semantics::eval::{self, Env, World};
use synod::semantics::history::Entry;
use synod::semantics::{Abort, Configuration, History, Metrics};
use synod::syntax::ast::{HistoryKind, Metric, PropertyKind};

/// The greatest number of configurations of the product of a graph and an observer.
const MOST: usize = 4_000;

pub fn verdict(instance: &Instance, graph: &Steps, property: &Property, coins: Coins) -> Verdict {
    let program = &instance.program;
    let mut reads = Reads::of(&property.body, program);
    reads.add_binders(&property.binders);
    let right = property.consequent.as_ref().map(|then| Reads::of(then, program));
    let right = right.unwrap_or_else(|| Reads::of(&property.body, program));
    let rounds =
        reads.rounds || right.rounds || property.bound.as_ref().is_some_and(|b| b.metric == Metric::Rounds);
    if rounds && instance.model.execution != ExecutionModel::Rounds {
        return Verdict::Refused("rounds in a model without rounds".into());
    }
    if let Some(bound) = property.bound.as_ref().filter(|_| property.binders.is_empty())
        && let Some(verdict) = plain_bound(instance, graph, bound)
    {
        return verdict;
    }
    let of_the_run = reads.depends_on_run() || right.depends_on_run() || property.bound.is_some();
    let counts =
        if of_the_run && !needs_history(property, program) { all_counts(instance) } else { Vec::new() };
    let watch = Watch {
        time: reads.time || right.time,
        history: needs_history(property, program),
        counts: counts.into_iter().collect(),
        most: None,
    };
    let Ok(product) = observe(graph, &watch, MOST) else {
        return Verdict::Refused("the product with the observer is too large".into());
    };
    let sides: Vec<Vec<[Truth; 2]>> = product
        .configurations
        .iter()
        .map(|moment| {
            there(instance, &graph.configurations[moment.at], &moment.seen, |env| sides(property, env))
        })
        .collect();
    let combinations = sides.iter().map(Vec::len).max().unwrap_or(0);
    let judge = |combination: usize| {
        // A binding that does not exist in a configuration is vacuously true there.
        let side = |which: usize| -> Vec<Truth> {
            let of =
                |all: &Vec<[Truth; 2]>| all.get(combination).map_or(Ok(true), |sides| sides[which].clone());
            sides.iter().map(of).collect()
        };
        let right = side(1);
        match property.kind {
            PropertyKind::Invariant | PropertyKind::Order => verdicts::invariant(&right),
            PropertyKind::Stable => verdicts::stable(&product, &right),
            PropertyKind::Finally | PropertyKind::Exactly | PropertyKind::Bound => {
                verdicts::finally(&product, &right)
            }
            PropertyKind::Eventually => verdicts::eventually(&product, &right, coins),
            PropertyKind::Settles => verdicts::settles(&product, &right, coins),
            PropertyKind::LeadsTo => verdicts::leads(&product, &side(0), &right, coins),
        }
    };
    verdicts::each((0..combinations).map(judge))
}

/// Return both sides of a property for each combination of its binders. Without `leads to`, the left side is false.
fn sides(property: &Property, env: &mut Env<'_>) -> Vec<[Truth; 2]> {
    if property.bound.is_some() && property.binders.is_empty() {
        let kept = Cost::of(property, env).map(|cost| cost.is_none_or(|cost| cost.is_kept()));
        return vec![[Ok(false), kept.map_err(|abort| message(&abort))]];
    }
    let mut all = Vec::new();
    let ranged = combinations(&property.binders, env, &mut |env| {
        let mut truth = |e: &ir::Expr| eval::truth(e, env).map_err(|abort| message(&abort));
        let body = truth(&property.body);
        all.push(match &property.consequent {
            Some(then) => [body, truth(then)],
            None => [Ok(false), body],
        });
        Ok(())
    });
    match ranged {
        Ok(()) => all,
        Err(abort) => vec![[Err(message(&abort)), Err(message(&abort))]],
    }
}

fn message(abort: &Abort) -> String {
    abort.to_string().to_string()
}

fn all_counts(instance: &Instance) -> Vec<Count> {
    let kinds = 0..instance.program.kinds.len() as u32;
    let of_kind = |kind| [Count::Messages(vec![kind_name(kind)]), Count::Bits(vec![kind_name(kind)])];
    let returns =
        (0..instance.program.operations.len()).map(|operation| Count::Returns(operation.to_string()));
    kinds.flat_map(of_kind).chain(returns).chain([Count::Rounds]).collect()
}

fn there<T>(
    instance: &Instance,
    configuration: &Configuration,
    seen: &Seen<Value>,
    look: impl FnOnce(&mut Env<'_>) -> T,
) -> T {
    let program = &instance.program;
    let mut metrics = Metrics::new(program.kinds.len(), program.operations.len());
    let count = |count: Count| seen.counts.get(&count).copied().unwrap_or(0);
    for (kind, sent) in metrics.sent.iter_mut().enumerate() {
        *sent = count(Count::Messages(vec![kind_name(kind as u32)]));
    }
    for (kind, bits) in metrics.bits.iter_mut().enumerate() {
        *bits = count(Count::Bits(vec![kind_name(kind as u32)]));
    }
    for (operation, returns) in metrics.returns.iter_mut().enumerate() {
        *returns = count(Count::Returns(operation.to_string()));
    }
    (metrics.rounds, metrics.time) = (count(Count::Rounds), seen.time as u32);
    let entry = |(place, event): (usize, &crate::observer::Event<Value>)| {
        let before = |p: usize| {
            let own = usize::from(p == event.process);
            (event.past.iter().filter(|e| seen.events[**e].process == p).count() + own) as u32
        };
        let time: Vec<u32> = (0..instance.n() as usize).map(before).collect();
        let what = match event.what {
            What::Call => HistoryKind::Calls,
            What::Return => HistoryKind::Returns,
            What::Upcall => HistoryKind::Upcalls,
        };
        debug_assert!(place < seen.events.len());
        let of = event.of.parse().expect("a number");
        Entry::new(
            event.process as u32,
            what,
            of,
            event.nth as u32,
            event.value.clone(),
            time.as_slice().into(),
        )
    };
    let history = History::of(seen.events.iter().enumerate().map(entry).collect());
    let world = World { configuration, metrics: &metrics, history: &history };
    eval::with_global_frame(instance, Some(world), look)
}

/// Return the verdict on a bound on a measure of the whole run whose limit depends on the configuration alone; None for other bounds.
fn plain_bound(instance: &Instance, graph: &Steps, bound: &Bound) -> Option<Verdict> {
    if bound.per.is_some() || Reads::of(&bound.limit, &instance.program).depends_on_run() {
        return None;
    }
    let nothing = Seen::nothing(graph.processes);
    let limit = |configuration: &Configuration| {
        there(instance, configuration, &nothing, |env| {
            eval::word(&bound.limit, env).map_err(|abort| message(&abort))
        })
    };
    let limits: Vec<Result<i64, String>> = graph.configurations.iter().map(limit).collect();
    let kinds = |count: fn(Vec<String>) -> Count| match &bound.of {
        None => vec![count(Vec::new())],
        Some(kinds) => kinds.iter().map(|kind| count(vec![kind_name(*kind)])).collect(),
    };
    let counts = match bound.metric {
        Metric::Messages => kinds(Count::Messages),
        Metric::Bits => kinds(Count::Bits),
        Metric::Rounds => vec![Count::Rounds],
        Metric::Time => Vec::new(),
    };
    let time = bound.metric == Metric::Time;
    let watch = Watch { counts: counts.iter().cloned().collect(), time, ..Watch::default() };
    let measure = |moment: &Moment<Value>| match time {
        true => moment.seen.time,
        false => counts.iter().map(|count| moment.seen.counts[count]).sum(),
    };
    let compare = match bound.compare {
        ir::Compare::Equal => Compare::Equal,
        ir::Compare::NotEqual => Compare::NotEqual,
        ir::Compare::Less => Compare::Less,
        ir::Compare::LessEqual => Compare::LessEqual,
        ir::Compare::Greater => Compare::Greater,
        ir::Compare::GreaterEqual => Compare::GreaterEqual,
    };
    let throughout = is_constant_upper_limit(bound, &instance.program);
    Some(measured(graph, watch, &measure, (compare, &limits, throughout), MOST))
}
