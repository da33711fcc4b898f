//! One program under all options: a contradiction is a finding.

use crate::random::compare::{self, Effects};
use crate::random::print::{Case, text};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use synod::check::check;
use synod::instance::Instance;
use synod::network::{IdsSpec, Spec};
use synod::setup::{Ids, InstanceOptions, instantiate};

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
    pub findings: Vec<Finding>,
    pub effects: Effects,
}

/// Return the instance of a case, or the reason for its absence.
pub fn instance(case: &Case) -> Result<Instance, String> {
    let text = text(&case.program);
    let find = |name: &str| {
        let own = case.files.iter().find(|(file, _)| file.eq_ignore_ascii_case(name));
        own.map(|(file, text)| (format!("{file}.syn"), text.clone())).or_else(|| synod::library::source(name))
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
                    d.code,
                    d.message,
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
    wishes.settings.initiators = case.initiators.clone();
    wishes.settings.faults = case.faults.clone();
    wishes.settings.daemon = case.daemon;
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
        let (place, message) = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
        examined
            .findings
            .push(Finding::new(format!("panic {place}"), format!("panic at {place}: {message}")));
    }
    examined
}

/// The place and the message of the last panic.
static LAST_PANIC: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));

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
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = (place, message);
    }));
}

// ---- Time

/// The deadline in milliseconds since the first use of the clock; 0 for none.
static DEADLINE: AtomicU64 = AtomicU64::new(0);
static BEGUN: Mutex<Option<Instant>> = Mutex::new(None);

#[allow(clippy::disallowed_methods)]
pub fn now() -> u64 {
    let mut begun = BEGUN.lock().unwrap_or_else(PoisonError::into_inner);
    begun.get_or_insert_with(Instant::now).elapsed().as_millis() as u64
}

/// Set the time after which explorations stop.
pub fn limit_time(milliseconds: u64) {
    DEADLINE.store(now() + milliseconds, Ordering::Relaxed);
}

pub fn is_over() -> bool {
    let deadline = DEADLINE.load(Ordering::Relaxed);
    deadline != 0 && now() >= deadline
}
