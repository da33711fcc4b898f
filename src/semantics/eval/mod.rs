//! The one evaluator: of programs, parameters, properties, scenarios and whatever is typed at the REPL.
//!
//! Kinds of expressions whose results fit a word are implemented in [`word`], the others in [`value`]; each hands
//! over to the other what is not its own.

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
use super::show;
use crate::check::Question;
use crate::instance::Instance;
use crate::ir::{Expr, Type, Value};
use crate::source::Span;
use crate::syntax::ast::HistoryKind;
use std::sync::OnceLock;

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

/// No process is at hand: global expressions.
pub const NOBODY: u32 = u32::MAX;

/// What global expressions look at.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    pub configuration: &'a Configuration,
    pub metrics: &'a Metrics,
    pub history: &'a History,
}

/// What an expression is evaluated in. Binders and `Let` store into the frame.
pub struct Env<'a> {
    pub words: &'a mut [i64],
    pub values: &'a mut [Value],
    pub instance: &'a Instance,
    /// The process at hand, or [`NOBODY`].
    pub process: u32,
    pub world: Option<World<'a>>,
    /// What the process sees of others, in models where it does.
    pub around: Option<&'a neighbourhood::Neighbourhood>,
    /// While a command runs: guards that wait, properties and parameters draw nothing.
    pub chance: Option<Chance<'a>>,
    /// So many elements may still be looked at.
    pub budget: &'a mut u64,
}

impl Env<'_> {
    /// A value as the language writes it, and an event by what it was: `p1's call of enter`, `p2's return 3 of enter`.
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
        format!("p{}'s {what}{nth} of {}", event.process, name.map_or("?", |name| name))
    }

    /// How messages speak of an expression: `` `p.boss` ``, or `this` where its text is long or not at hand.
    fn name_of(&self, span: Span) -> String {
        let text = self.instance.program.sources.slice(span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || text.chars().count() > LONGEST_QUOTED {
            "this".into()
        } else {
            format!("`{text}`")
        }
    }

    /// Aborts where so many elements are more than may still be looked at.
    #[inline]
    pub(super) fn look_at(&mut self, elements: usize, span: Span) -> Eval<()> {
        match self.budget.checked_sub(elements as u64) {
            Some(left) => {
                let before = std::mem::replace(self.budget, left);
                if (before ^ left) >> LOOKS_BETWEEN_QUESTIONS != 0 { self.may_go_on(span) } else { Ok(()) }
            }
            None => self.beyond_measure(span),
        }
    }

    /// Asks whether anybody still wants to know: commands are short, and not asked.
    #[cold]
    fn may_go_on(&mut self, span: Span) -> Eval<()> {
        let stopped = self.process == NOBODY && STOP.get().is_some_and(|stop| stop());
        if stopped {
            // The whole evaluation ends, even if another element could decide.
            *self.budget = 0;
            return abort(span, "it was stopped in the middle of this, which takes long");
        }
        Ok(())
    }

    #[cold]
    fn beyond_measure<T>(&self, span: Span) -> Eval<T> {
        let (most, what) = match self.process {
            NOBODY => (MAX_GLOBAL_LOOKS, "to know one value"),
            _ => (MAX_LOOKS, "in one command"),
        };
        abort(span, format!("more than {most} elements are looked at {what}: it would take too long"))
    }
}

/// Longer expressions are shown by their place only.
const LONGEST_QUOTED: usize = 60;

/// An option is used where its value is needed, or a variable that nothing has been assigned to.
#[cold]
fn no_value<T>(of: &Expr, span: Span, env: &Env<'_>) -> Eval<T> {
    let name = env.name_of(of.span);
    match of.ty {
        Type::Option(_) | Type::Value | Type::Int => {
            abort(span, format!("{name} is none, and a value is needed"))
        }
        _ => abort(span, format!("{name} has no value yet, since nothing has been assigned to it")),
    }
}

/// Elements of collections and ranges that one command, or one guard, may look at: about a second's work.
pub const MAX_LOOKS: u64 = 100_000_000;

/// The same for what is evaluated over the whole network: a property in one configuration, an expression that was typed. About
/// ten seconds' work.
pub const MAX_GLOBAL_LOOKS: u64 = 10 * MAX_LOOKS;

/// The logarithm of the number of elements after which it is asked whether to go on: some milliseconds' work.
const LOOKS_BETWEEN_QUESTIONS: u32 = 20;

/// See [`stop_when`].
static STOP: OnceLock<fn() -> bool> = OnceLock::new();

/// From now on what is evaluated over the whole network, in any thread of the program, is aborted soon after `stop` answers true, and
/// as long as it does so. The first that is given counts; for programs with a user who may want no more.
pub fn stop_when(stop: fn() -> bool) {
    let _ = STOP.set(stop);
}

/// A frame for global expressions, all zero.
pub fn global_frame(instance: &Instance) -> (Vec<i64>, Vec<Value>) {
    empty_frame(instance.program.global_frame)
}

fn empty_frame((words, values): (u16, u16)) -> (Vec<i64>, Vec<Value>) {
    (vec![0; words as usize], vec![Value::None; values as usize])
}

/// Evaluates a global expression: `f` gets an environment with a fresh frame.
pub fn globally<T>(instance: &Instance, world: Option<World<'_>>, f: impl FnOnce(&mut Env<'_>) -> T) -> T {
    in_frame(global_frame(instance), instance, world, f)
}

/// What a question comes to in a configuration. Words are values of their type.
pub fn answer(question: &Question, instance: &Instance, world: World<'_>) -> Eval<Value> {
    in_frame(empty_frame(question.frame), instance, Some(world), |env| value(&question.expr, env))
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
        process: NOBODY,
        world,
        around: None,
        chance: None,
        budget: &mut { MAX_GLOBAL_LOOKS },
    })
}

/// A condition.
#[inline]
pub fn truth(e: &Expr, env: &mut Env<'_>) -> Eval<bool> {
    Ok(word(e, env)? != 0)
}

#[cold]
fn abort<T>(span: Span, message: impl Into<String>) -> Eval<T> {
    Err(Abort::new(span, message))
}
