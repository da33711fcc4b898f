//! Reasons of verdicts.

use crate::ir::Compare;
use crate::prose;
use std::fmt::Display;

/// Limit of characters of a program text in a reason.
const LONGEST_QUOTED: usize = 60;

phrases! {
    /// The reason of a verdict, as one sentence without a full stop. `whom` names the values of binders, if there are any.
    Reason {
        // The report states it once for all properties.
        Unstated = "";
        Failed(what: String) = "{what}";
        NotStarted = "a process aborts before all processes have started";
        NotEvaluated(error: String) = "it could not be evaluated: {error}";

        // Of a run.
        InAllConfigurations(n: u64) = "{}" (in_all_configurations(*n));
        InFirst(n: u64) = "in the first {n} configurations; the others were not checked";
        InFirstAndLast(n: u64) = "in {}; the others were not checked" (first_and_last(*n));
        OnlyFirst(n: u64) = "{}" (only_first(*n));
        AtEnd = "at the end";
        AtEndAndForever = "at the end, and so forever";
        CutOff = "the run was cut off before its end";
        Aborted = "the run was aborted";
        RunNeverEnds = "the run never ends";
        CameTrue = "it came true";
        NotYet(what: String, touched: u64) =
            "not yet: {what}; no variable that it reads has changed {}; `synod verify` decides it"
            (since(*touched));
        True(now: u64) = "true {}; `synod verify` checks whether it stays true" (since(*now));
        TrueNow = "true now; `synod verify` checks whether it stays true";
        RightFollowed = "the right side followed every time";
        RightMissing(whom: String) =
            "{whom}the left side came true, but the run ended before the right side did";
        RightAwaited(whom: String, from: u64) =
            "{whom}waiting {} for the right side; `synod verify` checks whether it always follows"
            (since(*from));
        RightCutOff(whom: String) = "{whom}the run was cut off before the right side came true";
        TooManyProcesses(most: u32) = "`order` is checked for at most {most} processes";
        InHistory(events: usize) = "in a history of {events} events";
        Cost(cost: String) = "{cost}";
        NoRounds = "this run has no rounds";
        NoRun = "no run to measure";

        // Of a run that repeats a cycle.
        ThroughoutCycle = "throughout the cycle";
        InEveryRepetition = "in every repetition of the cycle";
        CycleNever(whom: String) = "{whom}the run repeats a cycle and never satisfies it";
        CycleLoses(what: String) = "the run repeats a cycle and loses it each time: {what}";
        CycleFails(what: String) = "the run repeats a cycle and never satisfies it: {what}";
        CycleNeverRight(whom: String) = "{whom}the run repeats a cycle and never satisfies the right side";
        CycleCosts(more: i128) = "it grows without bound, by {more} in each cycle";
        ChainGrows(messages: u32) =
            "it grows without bound: a cycle lengthens the causal chain by {}" (chain(*messages));
        ChainOutgrows(time: u32, allowed: i64, messages: u32) =
            "{time}, more than {allowed}; it grows without bound: a cycle lengthens the causal chain by {}"
            (chain(*messages));

        // Of all runs.
        NoRunEnds = "no run ends, so properties of ends hold vacuously";
        AtEveryEnd = "at every end";
        CostsWithinLimits(costs: String, least: i64, greatest: i64) =
            "{costs}; the limit from {least} to {greatest}";
        Costs(least: Option<i64>, most: i64) = "{}" (cost_range(*least, *most));
        CostsOfFinite(least: Option<i64>, most: i64) = "{}" (cost_range_of_finite_runs(*least, *most));
        InEveryRun(fair: &'static str, unless: &'static str) = "in every {fair} run{unless}";
        ForEveryOutcome(fair: &'static str, unless: &'static str) =
            "in every {fair} run, for every outcome of the random choices{unless}";
        AlmostSurely(fair: &'static str, unless: &'static str) =
            "with probability 1 under every {fair} schedule{unless}";
        SoFar(reason: Box<Reason>) = "so far {reason}";
        DoesNotApply(premise: String) = "it does not apply: `{premise}` is false";
        NeverTrue(reason: Box<Reason>, premises: Vec<String>) =
            "{reason}, but {} never came true" (quoted_premises(premises));
        LineNotReached = "no explored run reaches this line: in each run, an earlier line does not happen";
        WithoutMessages(reason: Box<Reason>) = "{reason}; the application sends no messages (see --notes)";

        // Of a search that decides nothing.
        NotComplete = "it is checked once the search is complete";
        NotBegun = "not searched: no time or memory was left after the other properties";
        TooManySchedules =
            "some outcomes of the random choices violate it; whether it holds with probability 1 is undecided: joint steps have too many schedules to try them all";
        ViolatedUnderView =
            "a violating run was found under the view; --no-view may decide whether it exists without the view";
        TooManyConfigurations(limit: u64, detail: &'static str) =
            "there are more than {limit} configurations with {detail}";
        KeepGoing = "--keep-going continues the search";
        StoppedWith(reason: &'static str, detail: &'static str) = "{reason}, in a search with {detail}";
        NotReplayed = "the counterexample could not be replayed";
    }
}

impl Reason {
    /// Return the measured cost with its limit. `each` names the operations by which the limit is multiplied.
    pub fn cost(
        total: impl Display,
        compare: Compare,
        allowed: impl Display,
        is_kept: bool,
        each: &str,
    ) -> Reason {
        Reason::Cost(match compare {
            compare if !is_kept => format!("{total}, {} {allowed}{each}", violation_words(compare)),
            Compare::Equal => format!("{total}{each}"),
            Compare::LessEqual => format!("{total} of at most {allowed}{each}"),
            Compare::Less => format!("{total} of less than {allowed}{each}"),
            Compare::GreaterEqual => format!("{total}, against at least {allowed}{each}"),
            Compare::Greater => format!("{total}, against more than {allowed}{each}"),
            Compare::NotEqual => format!("{total}, and not {allowed}{each}"),
        })
    }

    /// Replace it by a reason that contains it.
    pub fn wrap(&mut self, outer: fn(Box<Reason>) -> Reason) {
        let inner = std::mem::replace(self, Reason::Unstated);
        *self = outer(Box::new(inner));
    }
}

/// Return the words between a measured value and the limit that it violates: `more than`.
pub fn violation_words(compare: Compare) -> &'static str {
    match compare {
        Compare::Equal => "not",
        Compare::NotEqual => "just",
        Compare::LessEqual => "more than",
        Compare::Less => "not less than",
        Compare::GreaterEqual => "less than",
        Compare::Greater => "not more than",
    }
}

/// Return `since event 7` for a value established after `events` events.
fn since(events: u64) -> String {
    match events.checked_sub(1) {
        Some(event) => format!("since event {event}"),
        None => "from the beginning".into(),
    }
}

/// Return program texts as a list, long ones shortened.
/// Return premises as a phrase: `` `a` and `b` ``. Long ones are cut.
pub fn quoted_premises(texts: &[String]) -> String {
    let quote = |text: &String| match text.char_indices().nth(LONGEST_QUOTED) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    };
    prose::and(&texts.iter().map(quote).collect::<Vec<_>>())
}

fn chain(messages: u32) -> String {
    if messages == 1 { "message".into() } else { format!("{messages} messages") }
}

/// Return `in all 3 configurations`, `in the only configuration`, or `in no configuration so far`.
fn first_and_last(n: u64) -> String {
    match n {
        0 => "the last configuration".into(),
        n => format!("the first {n} configurations and in the last"),
    }
}

fn only_first(n: u64) -> String {
    match n {
        0 => "no configuration was checked: one evaluation takes too long".into(),
        n => format!("only the first {n} configurations were checked"),
    }
}

fn in_all_configurations(n: u64) -> String {
    match n {
        0 => "in no configuration so far".into(),
        1 => "in the only configuration".into(),
        n => format!("in all {n} configurations"),
    }
}

/// Return the range of the cost of runs: `4 in every run`, `from 2 to 6`, or `at most 6` if the least cost is unknown.
fn cost_range(least: Option<i64>, most: i64) -> String {
    match least {
        Some(least) if least == most => format!("{most} in every run"),
        Some(least) => format!("from {least} to {most}"),
        None => format!("at most {most}"),
    }
}

/// Return the same range if there may also be infinite runs, which it does not cover: `4 in every run that ends`, `from 2 to 6 in
/// runs that end`.
fn cost_range_of_finite_runs(least: Option<i64>, most: i64) -> String {
    let of_all = cost_range(least, most);
    if least == Some(most) { of_all + " that ends" } else { of_all + " in runs that end" }
}
