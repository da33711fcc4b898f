//! Instantiation: program, network and settings yield an instance. Parameters are evaluated here, since their defaults are
//! expressions.

use super::{Instance, InstanceError, LONGEST, Settings};
use crate::ir::show::show;
use crate::ir::{Expr, Fault, LayerBound, LayerLimit, Param, Program, Value};
use crate::network::Network;
use crate::prose;
use std::sync::Arc;

/// The evaluator of expressions without a configuration: the defaults of parameters, and the bounds of assumptions.
///
/// Errors are one sentence without a full stop.
pub trait Evaluator {
    /// Return the value of the expression in the instance, as far as it is determined: with all earlier parameters.
    fn value(&self, of: &Expr, instance: &Instance) -> Result<Value, String>;

    /// Check the numbers in the value of a parameter against the ranges of its type.
    fn check_ranges(&self, param: &Param, value: &Value, instance: &Instance) -> Result<(), String>;
}

impl Instance {
    /// Check the network against the assumptions of the program, assign roles, and evaluate all parameters.
    ///
    /// # Errors
    /// All problems, one sentence each.
    pub fn new(
        program: Arc<Program>,
        network: Network,
        settings: &Settings,
        evaluator: &dyn Evaluator,
    ) -> Result<Instance, InstanceError> {
        let mut instance = Instance::assemble(program.clone(), network, settings)?;
        let mut wrong = Vec::new();
        for (name, _) in &settings.params {
            if !program.params.iter().any(|p| p.name == *name) {
                let known: Vec<String> = program.params.iter().map(|p| p.name.clone()).collect();
                wrong.push(match known.as_slice() {
                    [] => format!("there is no parameter `{name}`: `{}` has none", program.name),
                    [_] => format!("there is no parameter `{name}`; the only one is {}", prose::list(&known)),
                    _ => {
                        format!("there is no parameter `{name}`; the parameters are {}", prose::list(&known))
                    }
                });
            }
        }
        for param in &program.params {
            let given = settings.params.iter().rev().find(|(name, _)| *name == param.name);
            let value = match (given, &param.default) {
                (Some((_, value)), _) if value.has_type(&param.ty) => Ok(value.clone()),
                (Some((_, value)), _) => {
                    Err(format!("the parameter `{}` cannot be {}", param.name, show(&program, value)))
                }
                (None, Some(default)) => evaluator
                    .value(default, &instance)
                    .map_err(|message| format!("the parameter `{}`: {message}", param.name)),
                (None, None) => Err(format!("the parameter `{}` has no value", param.name)),
            };
            let value =
                value.and_then(|value| evaluator.check_ranges(param, &value, &instance).map(|()| value));
            let value = value.unwrap_or_else(|message| {
                wrong.push(message);
                Value::None
            });
            let fits = param.ty.is_word() && value.has_type(&param.ty);
            instance.param_words.push(if fits { value.word() } else { 0 });
            instance.params.push(value);
        }
        instance.bounds(evaluator, &mut wrong);
        if wrong.is_empty() { Ok(instance) } else { Err(InstanceError(wrong)) }
    }

    /// Evaluate the bounds of assumptions, which may mention parameters.
    fn bounds(&mut self, evaluator: &dyn Evaluator, wrong: &mut Vec<String>) {
        if !wrong.is_empty() {
            return;
        }
        let assumes = &self.program.assumptions;
        let mut number = |what: &str, e: &Expr| -> Option<u64> {
            match evaluator.value(e, self).map(|value| value.word()) {
                Ok(w) => match u64::try_from(w) {
                    Ok(w) if w <= LONGEST => Some(w),
                    _ => {
                        wrong.push(format!("{what} cannot be {w}"));
                        None
                    }
                },
                Err(message) => {
                    wrong.push(format!("{what}: {message}"));
                    None
                }
            }
        };
        let most_crashes = assumes.max_crashes.as_ref().and_then(|e| number("the number of crashes", e));
        let delay = assumes.delay.as_ref().and_then(|delay| {
            let most = number("the maximum delay", &delay.max)?;
            let least = match &delay.min {
                Some(e) => number("the minimum delay", e)?,
                None => most.min(1),
            };
            Some((least, most))
        });
        let mut broken = Vec::new();
        if let Some((least, most)) = delay.filter(|(least, most)| least > most) {
            broken.push(format!("the minimum delay, {least}, exceeds the maximum, {most}"));
        }
        let most_by_budget = self.fault_budget.as_ref().map_or(0, |h| u64::from(h.budget.of(Fault::Crash)));
        for LayerBound { layer, words, limit } in &assumes.of_layers {
            let what = format!("the assumption `{words}` of the layer `{layer}`");
            match limit {
                LayerLimit::Delay(wanted) => {
                    let Some((least, most)) = delay else { continue };
                    let at_most = number(&what, &wanted.max);
                    let at_least = wanted.min.as_ref().and_then(|e| number(&what, e));
                    if let Some(at_most) = at_most.filter(|at_most| most > *at_most) {
                        broken.push(format!(
                            "{what}: the maximum delay is {most}, but the layer assumes at most {at_most}"
                        ));
                    } else if let Some(at_least) = at_least.filter(|at_least| least < *at_least) {
                        broken.push(format!(
                            "{what}: the minimum delay is {least}, but the layer assumes at least {at_least}"
                        ));
                    }
                }
                LayerLimit::Crashes(wanted) => {
                    if let Some(most) = number(&what, wanted).filter(|most| most_by_budget > *most) {
                        broken.push(format!(
                            "{what}: the budget permits {}, but the layer assumes at most {most}",
                            counted(most_by_budget, "crash", "crashes")
                        ));
                    }
                }
            }
        }
        wrong.extend(broken);
        for bound in &assumes.sizes {
            let mut limit = |limit: &Expr| evaluator.value(limit, self).map(|value| value.word());
            match bound.misfit(&self.network, &mut limit) {
                Ok(misfit) => wrong.extend(misfit),
                Err(message) => wrong.push(format!("the assumption `{}`: {message}", bound.words)),
            }
        }
        if let (Some(most), Some(hazards)) = (most_crashes, &self.fault_budget)
            && u64::from(hazards.budget.of(Fault::Crash)) > most
        {
            wrong.push(format!(
                "the budget permits {}, but the algorithm assumes at most {most}",
                counted(most_by_budget, "crash", "crashes")
            ));
        }
        if let Some(timing) = &mut self.timing {
            timing.delay = delay;
        }
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
