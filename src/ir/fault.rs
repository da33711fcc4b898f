//! Kinds of faults, and fault budgets.

use crate::prose;

/// The entry of `--faults` by which messages in transit arrive even if their sender crashes.
pub const MESSAGES_SURVIVE: &str = "messages survive";

/// A kind of fault, as counted by budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A process stops, forever or until it restarts.
    Crash,
    /// A crashed process restarts.
    Restart,
    /// A message in transit is lost.
    Loss,
    /// A message in transit is duplicated.
    Duplication,
    /// A link stops carrying messages, in one direction.
    Link,
    /// A failure detector suspects a process that is up.
    Suspicion,
    /// The oracles begin to answer a process incorrectly.
    OracleError,
}

impl Fault {
    pub const ALL: [Fault; 7] = [
        Fault::Crash,
        Fault::Restart,
        Fault::Loss,
        Fault::Duplication,
        Fault::Link,
        Fault::Suspicion,
        Fault::OracleError,
    ];

    /// Return the word for this fault in `--faults` and in scenarios.
    pub fn as_str(self) -> &'static str {
        match self {
            Fault::Crash => "crash",
            Fault::Restart => "restart",
            Fault::Loss => "loss",
            Fault::Duplication => "duplication",
            Fault::Link => "link",
            Fault::Suspicion => "suspicion",
            Fault::OracleError => "lie",
        }
    }

    pub fn named(word: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.as_str() == word)
    }

    /// Return the assumption that permits this fault.
    pub fn assumption(self) -> &'static str {
        match self {
            Fault::Crash => "crashes",
            Fault::Restart => "restarts",
            Fault::Loss => "loses messages",
            Fault::Duplication => "duplicates messages",
            Fault::Link => "links fail",
            Fault::Suspicion => "eventually perfect detector",
            Fault::OracleError => "oracles err",
        }
    }
}

/// The maximum number of faults of each kind in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget([u32; Fault::ALL.len()]);

impl Budget {
    pub fn of(&self, fault: Fault) -> u32 {
        self.0[fault as usize]
    }

    pub fn set(&mut self, fault: Fault, count: u32) {
        self.0[fault as usize] = count;
    }

    /// Decrement the budget, not below zero.
    pub fn spend(&mut self, fault: Fault) {
        self.0[fault as usize] = self.of(fault).saturating_sub(1);
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|count| *count == 0)
    }

    /// Return each fault that may occur, with its maximum number.
    pub fn bounds(self) -> impl Iterator<Item = (Fault, u32)> {
        Fault::ALL.into_iter().map(move |fault| (fault, self.of(fault))).filter(|(_, count)| *count > 0)
    }

    /// Return the budget as `--faults` takes it, `crash<=1, loss<=2`; empty if no fault may occur.
    pub fn show(&self) -> String {
        let bounds = self.bounds().map(|(fault, count)| format!("{}<={count}", fault.as_str()));
        bounds.collect::<Vec<_>>().join(", ")
    }
}

/// Faults as `--faults` takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultTexts {
    /// The fault budget.
    pub bounds: Vec<(Fault, u32)>,
    /// Whether messages in transit arrive even if their sender crashes.
    pub messages_survive: bool,
}

impl FaultTexts {
    /// Parse `crash<=1, loss<=2`, and `messages survive` (in a shell also `messages-survive`).
    ///
    /// # Errors
    /// The problem, in a sentence without a full stop.
    pub fn parse(text: &str) -> Result<FaultTexts, String> {
        let mut faults = FaultTexts::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let words =
                || part.split(|c: char| c.is_whitespace() || c == '-').filter(|word| !word.is_empty());
            if words().eq(MESSAGES_SURVIVE.split(' ')) {
                faults.messages_survive = true;
                continue;
            }
            let (fault, count) = bound(part)?;
            if faults.bounds.iter().any(|(other, _)| *other == fault) {
                return Err(format!("the bound on `{}` is given twice", fault.as_str()));
            }
            faults.bounds.push((fault, count));
        }
        Ok(faults)
    }
}

/// Parse `crash<=1`.
fn bound(part: &str) -> Result<(Fault, u32), String> {
    let (word, count) = part
        .split_once("<=")
        .or_else(|| part.split_once('='))
        .ok_or_else(|| format!("`{part}` is not a bound on a fault; write, for example, crash<=1"))?;
    let fault = Fault::named(word.trim()).ok_or_else(|| {
        let word = word.trim();
        let known = Fault::ALL.map(|fault| fault.as_str().to_string());
        // The assumption that permits it, or a misspelling.
        let assumed = Fault::ALL.into_iter().find(|fault| fault.assumption() == word).map(Fault::as_str);
        match assumed.or_else(|| prose::nearest(word, &known)) {
            Some(near) => format!("unknown fault `{word}`; did you mean {near}<={}?", count.trim()),
            None => format!("unknown fault `{word}`; the kinds of faults are {}", known.join(", ")),
        }
    })?;
    let count = count.trim();
    let digits = !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit());
    let count = count.parse().map_err(|_| match digits {
        true => format!("`{count}` faults are too many: the maximum is {}", u32::MAX),
        false => format!("`{count}` is not a number of faults"),
    })?;
    Ok((fault, count))
}
