//! *Properties*: each property of a program, evaluated in each configuration of its graph.

use crate::properties::bounds::{self, Claim, INFERRED, MOST};
use crate::properties::liveness::Coins;
use crate::properties::observer::{Count, Moment, Seen, Watch, What, observe_some};
use crate::properties::verdicts::{self, Truth, Verdict};
use crate::specification::configuration::Configuration;
use crate::specification::eval::{Observed, Scope, bound, eval};
use crate::specification::graph::Graph;
use crate::specification::network::System;
use crate::specification::value::{Evaluated, Failure, Value, abort, unspecified};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use synod::internals::ir::{HistoryKind, Metric, PropertyKind};
use synod::internals::syntax::ast::{Binder, Expr};

/// Return the properties of the algorithm and its problem. Those that it gives up are evaluated as well. Properties of layers are not
/// checked.
pub fn claims(system: &System) -> Vec<Claim> {
    let problem = system.component(0).partner;
    let of = |component: usize| {
        let all = system.component(component).properties.iter();
        all.map(move |property| Claim { property, component }).collect::<Vec<_>>()
    };
    [0].into_iter().chain(problem).flat_map(of).collect()
}

/// The observations of the run so far, as an evaluation uses them.
struct Asked<'a> {
    system: &'a System,
    seen: &'a Seen<Value>,
    watch: &'a Watch,
    /// The quantities that the evaluation needs, in addition to those observed.
    more: &'a RefCell<Watch>,
}

impl Asked<'_> {
    fn count(&self, count: Count) -> Evaluated {
        if let Some(number) = self.seen.counts.get(&count) {
            return Ok(Value::Int(*number as i64));
        }
        self.more.borrow_mut().counts.insert(count);
        unspecified("a quantity that is not observed")
    }

    fn measure(&self, metric: Metric, of: &[String]) -> Evaluated {
        match metric {
            Metric::Messages => self.count(Count::Messages(of.to_vec())),
            Metric::MessagesToSelf => self.count(Count::MessagesToSelf(of.to_vec())),
            Metric::Bits if !crate::specification::bits::are_stated(self.system) => unspecified(INFERRED),
            Metric::Bits => self.count(Count::Bits(of.to_vec())),
            Metric::Rounds => self.count(Count::Rounds),
            Metric::Time if self.watch.time => Ok(Value::Int(self.seen.time as i64)),
            Metric::Time => {
                self.more.borrow_mut().time = true;
                unspecified("a quantity that is not observed")
            }
        }
    }

    fn places(&self, a: &Value, b: &Value) -> Result<(usize, usize), Failure> {
        match (a.clone().needed()?, b.clone().needed()?) {
            (Value::Event(a), Value::Event(b)) => Ok((a, b)),
            _ => unspecified("an order of values that are no events"),
        }
    }
}

impl Observed for Asked<'_> {
    fn metric(&self, metric: Metric, of: &[String], per: Option<&str>) -> Evaluated {
        let measure = self.measure(metric, of);
        let Some(per) = per else { return measure };
        let Some(operation) = bounds::operation(self.system, per) else {
            return unspecified(format!("the operation {per}"));
        };
        // Both are observed from now on.
        let calls = self.count(Count::Returns(operation));
        // «In a larger expression, it is the measure divided by the number of completed calls, rounded down; it cannot be evaluated before
        // the first one.»
        match (measure?.number()?, calls?.number()?) {
            (_, 0) => abort("no call has been completed"),
            (measure, calls) => Ok(Value::Int(measure / calls)),
        }
    }

    fn history(&self, what: HistoryKind, of: &str) -> Evaluated {
        if !self.watch.history {
            self.more.borrow_mut().history = true;
            return unspecified("a quantity that is not observed");
        }
        let what = match what {
            HistoryKind::Calls => What::Call,
            HistoryKind::Returns => What::Return,
            HistoryKind::Upcalls => What::Upcall,
        };
        let all = self.seen.events.iter().enumerate();
        let these = all.filter(|(_, event)| event.what == what && event.of == of);
        Ok(Value::List(these.map(|(place, _)| Value::Event(place)).collect()))
    }

    fn before(&self, a: &Value, b: &Value) -> Evaluated {
        let (a, b) = self.places(a, b)?;
        Ok(Value::Bool(a < b))
    }

    fn happened_before(&self, a: &Value, b: &Value) -> Evaluated {
        let (a, b) = self.places(a, b)?;
        Ok(Value::Bool(self.seen.happened_before(a, b)))
    }

    fn multicast_before(&self, a: &Value, b: &Value) -> Evaluated {
        let (a, b) = self.places(a, b)?;
        Ok(Value::Bool(self.seen.multicast_before(a, b)))
    }

    fn event(&self, event: usize, field: &str) -> Evaluated {
        let event = &self.seen.events[event];
        match field {
            "process" => Ok(Value::Process(event.process)),
            "nth" => Ok(Value::Int(event.nth)),
            "value" => Ok(event.value.clone().unwrap_or(Value::None)),
            field => unspecified(format!("{field} of an event")),
        }
    }
}

/// A truth value, or the reason for its absence: the evaluation fails, or the specification does not define it.
type Known = Result<bool, Failure>;

/// The product graph of a property, and for each binding of its `for` the truth of its sides in each configuration.
struct Evaluation {
    product: Graph<Moment<Value>, Value>,
    /// The product is not cut off.
    is_whole: bool,
    sides: Vec<[Vec<Truth>; 2]>,
}

/// Return the verdicts on a property, with coins by chance and for every outcome of coins.
pub fn verdicts(system: &System, graph: &Graph<Configuration, Value>, claim: Claim) -> [Verdict; 2] {
    if let Some(verdict) = bounds::verdict(system, graph, claim) {
        return [verdict.clone(), verdict];
    }
    match evaluate(system, graph, claim, Watch::default()) {
        Ok(evaluation) => [Coins::ByChance, Coins::Badly].map(|coins| evaluation.verdict(claim, coins)),
        Err(why) => [Verdict::Refused(why.clone()), Verdict::Refused(why)],
    }
}

/// Return the verdict on a property of single configurations if the application may send this number of notes; None for other kinds.
pub fn with_notes(
    system: &System,
    graph: &Graph<Configuration, Value>,
    claim: Claim,
    notes: usize,
) -> Option<Verdict> {
    let is_single = matches!(claim.property.kind, PropertyKind::Invariant | PropertyKind::Order);
    let down = (0..graph.configurations.len()).flat_map(|at| {
        let processes = graph.configurations[at].processes.iter().enumerate();
        processes.filter(|(_, process)| !process.up).map(move |(p, _)| (at, p))
    });
    let watch = Watch { notes, down: down.collect(), history: true, ..Watch::default() };
    is_single.then(|| match evaluate(system, graph, claim, watch) {
        Ok(evaluation) => evaluation.verdict(claim, Coins::ByChance),
        Err(why) => Verdict::Refused(why),
    })
}

impl Evaluation {
    fn verdict(&self, claim: Claim, coins: Coins) -> Verdict {
        let product = &self.product;
        let judge = |[left, right]: &[Vec<Truth>; 2]| match claim.property.kind {
            PropertyKind::Invariant | PropertyKind::Order => verdicts::invariant(left),
            _ if !self.is_whole => Verdict::Holds,
            PropertyKind::Stable => verdicts::stable(product, left),
            PropertyKind::Finally | PropertyKind::Exactly | PropertyKind::Bound => {
                verdicts::finally(product, left)
            }
            PropertyKind::Eventually => verdicts::eventually(product, left, coins),
            PropertyKind::Settles => verdicts::settles(product, left, coins),
            PropertyKind::LeadsTo => verdicts::leads(product, left, right, coins),
        };
        match verdicts::each(self.sides.iter().map(judge)) {
            // A violation in a part of the product is a violation.
            Verdict::Violated => Verdict::Violated,
            _ if !self.is_whole => Verdict::Refused("the product with the observer is too large".into()),
            verdict => verdict,
        }
    }
}

fn evaluate(
    system: &System,
    graph: &Graph<Configuration, Value>,
    claim: Claim,
    mut watch: Watch,
) -> Result<Evaluation, String> {
    loop {
        let (product, is_whole) = observe_some(graph, &watch, MOST);
        let more = RefCell::new(watch.clone());
        let mut all: Vec<BTreeMap<Vec<Value>, [Known; 2]>> = Vec::new();
        for moment in &product.configurations {
            let asked = Asked { system, seen: &moment.seen, watch: &watch, more: &more };
            let configuration = &graph.configurations[moment.at];
            let scope = Scope::global(system, configuration, claim.component);
            all.push(truths(claim, &Scope { observed: Some(&asked), ..scope }));
        }
        let more = more.into_inner();
        if (&more.counts, more.time, more.history) != (&watch.counts, watch.time, watch.history) {
            watch = more;
            continue;
        }
        let keys: BTreeSet<&Vec<Value>> = all.iter().flat_map(BTreeMap::keys).collect();
        let side = |key: &Vec<Value>, which: usize| -> Result<Vec<Truth>, String> {
            // A binding that does not exist in a configuration is vacuously true there.
            let known = all.iter().map(|truths| truths.get(key).map_or(&Ok(true), |sides| &sides[which]));
            known.map(defined).collect()
        };
        let sides = |key: &&Vec<Value>| Ok([side(key, 0)?, side(key, 1)?]);
        let sides = keys.iter().map(sides).collect::<Result<Vec<_>, String>>()?;
        return Ok(Evaluation { product, is_whole, sides });
    }
}

/// Return the truth value for the verdict; an error if the specification does not define it.
pub fn defined(known: &Known) -> Result<Truth, String> {
    match known {
        Ok(truth) => Ok(Ok(*truth)),
        Err(Failure::Abort(why)) => Ok(Err(why.clone())),
        Err(failure) => Err(failure.to_string()),
    }
}

/// Return the truth of both sides for each binding; a missing right side is true.
fn truths(claim: Claim, scope: &Scope<'_>) -> BTreeMap<Vec<Value>, [Known; 2]> {
    let truth = |e: &'static Expr, scope: &Scope<'_>| eval(e, scope)?.truth();
    let mut found = BTreeMap::new();
    bindings(&claim.property.each, scope, Vec::new(), &mut |key, scope| {
        let sides = match scope {
            Err(failure) => [Err(failure.clone()), Err(failure)],
            Ok(scope) => {
                let right = claim.property.then.as_ref().map_or(Ok(true), |right| truth(right, scope));
                [truth(&claim.property.body, scope), right]
            }
        };
        found.insert(key, sides);
    });
    found
}

/// «`for p: …` after the name states it for each `p` on its own.»
fn bindings(
    binders: &'static [Binder],
    scope: &Scope<'_>,
    key: Vec<Value>,
    each: &mut dyn FnMut(Vec<Value>, Result<&Scope<'_>, Failure>),
) {
    let Some((binder, rest)) = binders.split_first() else { return each(key, Ok(scope)) };
    let elements = match &binder.set {
        Some(set) => eval(set, scope).and_then(Value::elements),
        None => Ok((0..scope.system.n()).map(Value::Process).collect()),
    };
    let elements = match elements {
        Ok(elements) => elements,
        Err(failure) => return each(key, Err(failure)),
    };
    for element in elements {
        let mut key = key.clone();
        key.push(element.clone());
        match bound(&binder.pattern, &element, scope) {
            Ok(Some(inner)) => bindings(rest, &inner, key, each),
            Ok(None) => {}
            Err(failure) => each(key, Err(failure)),
        }
    }
}
