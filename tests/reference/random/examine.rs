//! One program under all options: a contradiction is a finding.

use crate::memory;
use crate::random::compare::{self, Effects};
use crate::random::print::{Case, text};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use synod::internals::check::check;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::network::{IdsSpec, Spec};
use synod::internals::setup::{Ids, InstanceOptions, instantiate};
use synod::internals::stop::StopSignal;

/// A defect that an examination shows.
#[derive(Clone, Debug)]
pub struct Finding {
    /// A key that findings with probably the same cause share.
    pub key: String,
    pub message: String,
}

impl Finding {
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Finding {
        Finding { key: key.into(), message: message.into() }
    }
}

/// The result of the examination of a program.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// The reason for which Synod refused the program or its network, if it did.
    pub refused: Option<String>,
    /// The program needs too much memory, so that nothing is known.
    pub is_skipped: bool,
    pub findings: Vec<Finding>,
    pub effects: Effects,
}

/// Return the instance of a case, or the reason for its absence.
pub fn instance(case: &Case) -> Result<Instance, String> {
    let text = text(&case.program);
    let find = |name: &str| {
        let own = case.files.iter().find(|(file, _)| file.eq_ignore_ascii_case(name));
        own.map(|(file, text)| (format!("{file}.syn"), text.clone()))
            .or_else(|| synod::internals::library::source(name))
    };
    let checked = check("random.syn", &text, &find);
    let Some(program) = checked.program else {
        let errors = checked.diagnostics.iter().filter(|d| d.is_error());
        let messages: Vec<String> = errors
            .take(3)
            .map(|d| {
                let (start, end) = (d.span.start as usize, d.span.end as usize);
                format!(
                    "{}: {} at `{}`",
                    d.code(),
                    d.message(),
                    text.get(start..end.min(start + 60)).unwrap_or("")
                )
            })
            .collect();
        return Err(messages.join("\n"));
    };
    let topology = Spec::parse(&case.network).map_err(|e| e.to_string())?;
    let mut wishes = InstanceOptions { topology: Some(topology), ..InstanceOptions::default() };
    if let Some(ids) = &case.ids {
        wishes.ids = Ids::Spec(IdsSpec::Explicit(ids.clone()));
    }
    wishes.settings.initiators =
        case.initiators.as_ref().map(|all| all.iter().copied().map(ProcessId).collect());
    wishes.settings.faults = case.faults.clone();
    wishes.settings.daemon = case.daemon;
    wishes.settings.stop = StopSignal::when(is_over);
    instantiate(&Arc::new(program), &wishes).map_err(|e| format!("instance: {e}"))
}

/// Examine a case. With `only`, run just the checks that may show a finding with this key.
pub fn examine(case: &Case, only: Option<&str>) -> Examined {
    let mut examined = Examined::default();
    let done = catch_unwind(AssertUnwindSafe(|| {
        let instance = match instance(case) {
            Ok(instance) => instance,
            Err(why) => {
                examined.refused = Some(why);
                return;
            }
        };
        compare::compare(case, &instance, only, &mut examined);
        let exchanges = ["star(2)", "complete(3)"].contains(&case.network.as_str());
        examined.effects.twins = examined.effects.symmetry && exchanges;
    }));
    if done.is_err() {
        let (place, message) = LAST_PANIC.take();
        examined
            .findings
            .push(Finding::new(format!("panic {place}"), format!("panic at {place}: {message}")));
    }
    examined
}

thread_local! {
    /// The place and the message of the last panic in this thread.
    static LAST_PANIC: RefCell<(String, String)> = RefCell::default();
}

/// Make panics of Synod findings, without printing them. All other panics are reported as usual.
pub fn catch_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map_or(String::new(), |l| format!("{}:{}", l.file(), l.line()));
        if place.starts_with("tests/") {
            usual(info);
        }
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let message =
            text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("").to_string();
        LAST_PANIC.set((place, message));
    }));
}

// ---- Limits

/// The greatest number of single steps of an exploration in one thread; then it counts as incomplete. Unlike a time limit, it does not
/// depend on the machine.
pub const MOST_STEPS: u64 = 300_000;

thread_local! {
    /// The number of single steps that an exploration may still take in this thread.
    static STEPS_LEFT: Cell<u64> = const { Cell::new(MOST_STEPS) };
    /// Whether steps are counted.
    static COUNTS: Cell<bool> = const { Cell::new(true) };
}

/// Count the steps of an exploration. Other work on the instance is not limited.
pub fn with_limited_steps<T>(explore: impl FnOnce() -> T) -> T {
    STEPS_LEFT.set(MOST_STEPS);
    COUNTS.set(true);
    let found = explore();
    COUNTS.set(false);
    found
}

/// Return the number of steps of the last exploration.
pub fn steps_taken() -> u64 {
    MOST_STEPS - STEPS_LEFT.get()
}

/// Count a step; test whether the limit is reached.
fn is_over() -> bool {
    if memory::is_exhausted() {
        return true;
    }
    if !COUNTS.get() {
        return false;
    }
    let left = STEPS_LEFT.get();
    STEPS_LEFT.set(left.saturating_sub(1));
    left == 0
}

static BEGUN: OnceLock<Instant> = OnceLock::new();

/// Return the time since the first call, in milliseconds.
#[allow(clippy::disallowed_methods, reason = "limits of the test are times")]
pub fn now() -> u64 {
    BEGUN.get_or_init(Instant::now).elapsed().as_millis() as u64
}
