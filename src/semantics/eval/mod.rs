//! The evaluator for programs, parameters, properties, scenarios and expressions typed in the REPL.
//!
//! Expressions whose results fit a word are implemented in [`word`], all others in [`value`]; each delegates to the other.

mod size;
pub(super) mod binders;
mod builtins;
mod chance;
mod collections;
mod functions;
pub mod neighbourhood;
pub(super) mod ranges;
mod value;
mod word;

use super::abort::{Abort, Eval};
use super::configuration::Configuration;
use super::history::History;
use super::metrics::Metrics;
use crate::ids::ProcessId;
use crate::instance::{Evaluator, Instance};
use crate::ir::show::Show;
use crate::ir::{Expr, ExprKind, HistoryKind, Param, Question, Type, Value, show};
use crate::source::Span;

pub use binders::{bind, each, each_in_spite_of_failures};
pub use builtins::process;
pub use chance::Chance;
pub use collections::elements_of as elements;
pub(super) use functions::power;
pub use size::{MAX_DEPTH, MAX_ELEMENTS};
pub use value::value;
pub(super) use word::{arithmetic, overflow};
pub use word::{store_all, word};

pub(super) use collections::{combine, effort, insert_key, position_in};
pub(super) use size::{limited, limited_in_all};

/// Marks the evaluation of a global expression, without a current process.
pub const NO_PROCESS: ProcessId = ProcessId(u32::MAX);

/// The state that global expressions refer to.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    pub configuration: &'a Configuration,
    pub metrics: &'a Metrics,
    pub history: &'a History,
}

/// The environment of an evaluation. Binders and `Let` store into the frame.
pub struct Env<'a> {
    pub words: &'a mut [i64],
    pub values: &'a mut [Value],
    pub instance: &'a Instance,
    /// The current process, or [`NOBODY`].
    pub process: ProcessId,
    pub world: Option<World<'a>>,
    /// The neighbourhood of the process, in models that use it.
    pub neighbourhood: Option<&'a neighbourhood::Neighbourhood>,
    /// Present while a command runs: guards, properties and parameters draw no random numbers.
    pub chance: Option<Chance<'a>>,
    /// Number of elements that may still be visited.
    pub budget: &'a mut u64,
}

impl Env<'_> {
    /// Return a value as the language writes it, and an event by its description: `p1's call of enter`, `p2's return 3 of enter`.
    pub fn show(&self, value: &Value) -> String {
        let program = &self.instance.program;
        let event = match value {
            Value::Event(number) => self.world.and_then(|world| world.history.get(*number)),
            _ => None,
        };
        let Some(event) = event else { return show::show(program, value) };
        let of = usize::from(event.of);
        let (what, name) = match event.what {
            HistoryKind::Calls => ("call", program.operations.get(of).map(|o| &o.name)),
            HistoryKind::Returns => ("return", program.operations.get(of).map(|o| &o.name)),
            HistoryKind::Upcalls => ("upcall", program.upcalls.get(of)),
        };
        let nth = if event.nth == 1 { String::new() } else { format!(" {}", event.nth) };
        format!("{}'s {what}{nth} of {}", event.process, name.map_or("?", |name| name))
    }

    /// Return the name of an expression in messages: `` `p.boss` ``, or `this` if its text is long or not available.
    fn name_of(&self, span: Span) -> String {
        let text = self.instance.program.sources.slice(span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || text.chars().count() > LONGEST_QUOTED {
            "this".into()
        } else {
            format!("`{text}`")
        }
    }

    /// Count visited elements, and abort if the limit is exceeded.
    #[inline]
    pub(crate) fn count_visits(&mut self, elements: usize, span: Span) -> Eval<()> {
        match self.budget.checked_sub(elements as u64) {
            Some(left) => {
                let before = std::mem::replace(self.budget, left);
                if (before ^ left) >> LOOKS_BETWEEN_QUESTIONS != 0 {
                    self.check_interrupt(span)
                } else {
                    Ok(())
                }
            }
            None => {
                // As after an interrupt.
                *self.budget = 0;
                self.beyond_measure(span)
            }
        }
    }

    /// Abort if the user has interrupted a global evaluation. Commands are short and are not interrupted.
    #[cold]
    fn check_interrupt(&mut self, span: Span) -> Eval<()> {
        let stopped = self.process == NO_PROCESS && self.instance.stop.is_set();
        if stopped {
            // The whole evaluation ends, even if another element could decide.
            *self.budget = 0;
            return abort(span, "interrupted during this evaluation");
        }
        Ok(())
    }

    #[cold]
    fn beyond_measure<T>(&self, span: Span) -> Eval<T> {
        let (most, what) = match self.process {
            NO_PROCESS => (MAX_GLOBAL_VISITS, "in one evaluation"),
            _ => (MAX_VISITS, "in one command"),
        };
        abort(span, format!("more than {most} elements visited {what}: this would take too long"))
    }
}

/// Maximum length of a quoted expression; longer ones are shown by their position only.
const LONGEST_QUOTED: usize = 60;

/// Abort on an option that is `none` although its value is needed, or on an unassigned variable.
#[cold]
fn no_value<T>(of: &Expr, span: Span, env: &Env<'_>) -> Eval<T> {
    let name = env.name_of(of.span);
    match of.ty {
        Type::Option(_) | Type::Value | Type::Int => {
            abort(span, format!("{name} is none, but a value is needed"))
        }
        _ => abort(span, format!("{name} has not been assigned a value")),
    }
}

/// Maximum number of elements of collections and ranges that one command, or one guard, may visit: about one second of work.
pub const MAX_VISITS: u64 = 100_000_000;

/// The same for global evaluations: a property in one configuration, an expression typed by the user. About ten seconds of work.
pub const MAX_GLOBAL_VISITS: u64 = 10 * MAX_VISITS;

/// Logarithm of the number of visited elements between two checks for an interrupt: some milliseconds of work.
const LOOKS_BETWEEN_QUESTIONS: u32 = 20;

/// Return a frame for global expressions, all zero.
pub fn global_frame(instance: &Instance) -> (Vec<i64>, Vec<Value>) {
    empty_frame(instance.program.global_frame)
}

fn empty_frame((words, values): (u16, u16)) -> (Vec<i64>, Vec<Value>) {
    (vec![0; words as usize], vec![Value::None; values as usize])
}

/// Evaluate a global expression: `f` receives an environment with a fresh frame.
pub fn with_global_frame<T>(
    instance: &Instance,
    world: Option<World<'_>>,
    f: impl FnOnce(&mut Env<'_>) -> T,
) -> T {
    in_frame(global_frame(instance), instance, world, f)
}

/// Evaluates global expressions without a configuration.
pub struct GlobalEvaluator;

impl Evaluator for GlobalEvaluator {
    fn value(&self, of: &Expr, instance: &Instance) -> Result<Value, String> {
        with_global_frame(instance, None, |env| value(of, env)).map_err(|abort| abort.message)
    }

    fn check_ranges(&self, param: &Param, value: &Value, instance: &Instance) -> Result<(), String> {
        let e = Expr { kind: ExprKind::Param(0), ty: param.ty.clone(), span: param.span };
        let what = format!("the parameter `{}`", param.name);
        with_global_frame(instance, None, |env| ranges::check_ranges(&param.ranges, value, &what, &e, env))
            .map_err(|abort| abort.message)
    }
}

/// Evaluate a question in a configuration. Words become values of their type.
pub fn evaluate(question: &Question, instance: &Instance, world: World<'_>) -> Eval<Value> {
    in_frame(empty_frame(question.frame), instance, Some(world), |env| value(&question.expr, env))
}

/// Evaluate a question, and return the value as the language writes it. If the question is about the variables of one process, ports
/// are those of this process.
pub fn answer(question: &Question, instance: &Instance, world: World<'_>) -> Eval<String> {
    let value = evaluate(question, instance, world)?;
    let mut owners = Vec::new();
    in_frame(empty_frame(question.frame), instance, Some(world), |env| {
        add_owners(&question.expr, env, &mut owners);
    });
    owners.dedup();
    let show = Show::new(&instance.program);
    Ok(match owners[..] {
        [Some(owner)] => show.at(&instance.network, owner).value(&value),
        _ => show.value(&value),
    })
}

/// Add the processes whose variables an expression reads. `None`: a process that depends on binders, or is unknown.
fn add_owners(e: &Expr, env: &mut Env<'_>, owners: &mut Vec<Option<ProcessId>>) {
    if let ExprKind::Remote(owner, _) = &e.kind {
        let known = owner.is_closed(&|_| false);
        let process = if known { word(owner, env).ok() } else { None };
        owners.push(process.and_then(|process| u32::try_from(process).ok()).map(ProcessId));
    }
    e.parts(&mut |part| add_owners(part, env, owners));
}

fn in_frame<T>(
    (mut words, mut values): (Vec<i64>, Vec<Value>),
    instance: &Instance,
    world: Option<World<'_>>,
    f: impl FnOnce(&mut Env<'_>) -> T,
) -> T {
    f(&mut Env {
        words: &mut words,
        values: &mut values,
        instance,
        process: NO_PROCESS,
        world,
        neighbourhood: None,
        chance: None,
        budget: &mut { MAX_GLOBAL_VISITS },
    })
}

/// Evaluate a condition.
#[inline]
pub fn truth(e: &Expr, env: &mut Env<'_>) -> Eval<bool> {
    Ok(word(e, env)? != 0)
}

#[cold]
fn abort<T>(span: Span, message: impl Into<String>) -> Eval<T> {
    Err(Abort::new(span, message))
}
