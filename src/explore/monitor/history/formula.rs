//! Formulas about events, and their truth while further events may follow: three-valued logic (S. C. Kleene, *Introduction to
//! Metamathematics*, 1952, §64).

use crate::ids::ProcessId;
use crate::ir::{Compare, Expr, HistoryKind, Value};
use crate::semantics::History;
use crate::semantics::eval::{self, Env};
use crate::semantics::history::Entry;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Events of one kind: calls or returns of an operation, or upcalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKind {
    pub what: HistoryKind,
    /// Index into `Program::operations` or `Program::upcalls`.
    pub of: u16,
}

/// An event variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventVariable {
    /// Number of event variables bound around it.
    pub depth: usize,
    /// The events over which it ranges.
    pub kind: EventKind,
    /// The index of this kind among those over which variables range.
    pub range: usize,
}

/// A quantified event variable.
#[derive(Clone, Copy, Debug)]
pub struct Quantified {
    pub variable: EventVariable,
    /// An outer variable. For an event of another process, the quantified formula or its condition is false.
    pub beside: Option<EventVariable>,
}

impl Quantified {
    /// Return the variable as quantified over a formula of which these are conjuncts.
    pub fn over<'f>(variable: EventVariable, conjuncts: impl IntoIterator<Item = &'f Formula>) -> Quantified {
        let beside = conjuncts.into_iter().find_map(|conjunct| conjunct.process_of(variable));
        Quantified { variable, beside }
    }
}

/// A formula whose free variables are events.
#[derive(Clone, Debug)]
pub enum Formula {
    And(Vec<Formula>),
    Or(Vec<Formula>),
    /// Contains no quantifier.
    Not(Box<Formula>),
    Some(Quantified, Box<Formula>),
    Before(EventVariable, EventVariable),
    HappenedBefore(EventVariable, EventVariable),
    MulticastBefore(EventVariable, EventVariable),
    /// Both variables denote one event.
    Same(EventVariable, EventVariable),
    /// Both events have the same value.
    SameValue(EventVariable, EventVariable),
    Compare(Compare, Term, Term),
    /// Any other expression, with its event variables and their slots.
    Leaf(Box<Expr>, Vec<(u16, EventVariable)>),
}

impl Formula {
    /// Call `f` for each quantified variable.
    pub fn quantified(&self, f: &mut impl FnMut(&Quantified)) {
        match self {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.quantified(f)),
            Formula::Some(own, body) => {
                f(own);
                body.quantified(f);
            }
            _ => {}
        }
    }

    /// Return an outer variable that denotes an event of the same process wherever this formula is true.
    fn process_of(&self, variable: EventVariable) -> Option<EventVariable> {
        match self {
            Formula::And(parts) => parts.iter().find_map(|part| part.process_of(variable)),
            Formula::Some(_, body) => body.process_of(variable),
            Formula::Compare(Compare::Equal, Term::Process(x), Term::Process(y)) => {
                let outer = |own: &EventVariable, other: &EventVariable| {
                    (own.depth == variable.depth && other.depth < variable.depth).then_some(*other)
                };
                outer(x, y).or_else(|| outer(y, x))
            }
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    Process(EventVariable),
    Nth(EventVariable),
    Number(i64),
}

/// The truth of a formula in all possible futures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    False,
    /// It depends on the future, or the analysis cannot tell.
    Unknown,
    True,
}

impl Truth {
    fn not(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
            Truth::True => Truth::False,
        }
    }
}

impl From<bool> for Truth {
    fn from(known: bool) -> Truth {
        if known { Truth::True } else { Truth::False }
    }
}

/// The event that a variable denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denoted {
    /// An event that has occurred, by its position in the history.
    Past(usize),
    /// Any event of this process that will occur.
    Future(ProcessId),
}

impl Denoted {
    /// Return the position of an event that has occurred.
    pub fn past(&self) -> Option<usize> {
        match self {
            Denoted::Past(at) => Some(*at),
            Denoted::Future(_) => None,
        }
    }
}

/// Number of events so far, by process and kind. Absent: 0.
pub type EventCounts = BTreeMap<(ProcessId, EventKind), u32>;

/// The events over which variables range: the past ones in their order, then a future one of each process at which events of the kind
/// may occur.
#[derive(Debug)]
pub struct Ranges {
    n: usize,
    /// By kind.
    all: Vec<Vec<Denoted>>,
    /// By kind and process.
    by_process: Vec<SmallVec<[Denoted; 2]>>,
    /// By kind and process: the number of events so far.
    counts: Vec<u32>,
}

impl Ranges {
    /// `kinds`: the kinds over which variables range, with the processes at which events of these kinds may occur.
    pub fn new(
        n: usize,
        kinds: &[(EventKind, Vec<ProcessId>)],
        entries: &[Entry],
        counts: &EventCounts,
    ) -> Ranges {
        let mut ranges = Ranges {
            n,
            all: vec![Vec::new(); kinds.len()],
            by_process: vec![SmallVec::new(); kinds.len() * n],
            counts: vec![0; kinds.len() * n],
        };
        for (number, (kind, processes)) in kinds.iter().enumerate() {
            let mut add = |process: ProcessId, event: Denoted| {
                ranges.all[number].push(event);
                ranges.by_process[number * n + process.index()].push(event);
            };
            let past = entries.iter().enumerate().filter(|(_, entry)| kind_of(entry) == *kind);
            past.for_each(|(at, entry)| add(entry.process, Denoted::Past(at)));
            processes.iter().for_each(|process| add(*process, Denoted::Future(*process)));
        }
        for ((process, kind), count) in counts {
            if let Some(number) = kinds.iter().position(|(own, _)| own == kind) {
                ranges.counts[number * n + process.index()] = *count;
            }
        }
        ranges
    }

    /// Return the number of events so far, of the kind over which this variable ranges.
    fn count(&self, process: ProcessId, variable: EventVariable) -> u32 {
        self.counts[variable.range * self.n + process.index()]
    }
}

/// The evaluation of formulas in a history.
pub struct Evaluation<'a, 'e> {
    pub history: &'a History,
    pub ranges: &'a Ranges,
    pub env: &'a mut Env<'e>,
    /// By depth of the variable.
    pub denoted: Vec<Denoted>,
    /// The past events over which quantifiers range.
    pub kept: Vec<bool>,
}

impl<'a> Evaluation<'a, '_> {
    /// Return the events that a quantified variable may denote: the past ones, then the future ones.
    pub fn events(&self, of: &Quantified) -> &'a [Denoted] {
        match of.beside {
            Some(beside) => self.events_of(of, self.process(beside)),
            None => &self.ranges.all[of.variable.range],
        }
    }

    /// Return those of one process.
    pub fn events_of(&self, of: &Quantified, process: ProcessId) -> &'a [Denoted] {
        &self.ranges.by_process[of.variable.range * self.ranges.n + process.index()]
    }

    /// Bind the variable at this depth while `f` is called.
    pub fn with<T>(&mut self, depth: usize, event: Denoted, f: impl FnOnce(&mut Self) -> T) -> T {
        self.denoted.truncate(depth);
        self.denoted.push(event);
        f(self)
    }

    /// Return the truth of a formula. Quantifiers range over the future events and those past events that are kept.
    pub fn truth(&mut self, of: &Formula) -> Truth {
        match of {
            Formula::And(parts) => self.least(parts),
            Formula::Or(parts) => {
                let mut greatest = Truth::False;
                for part in parts {
                    greatest = greatest.max(self.truth(part));
                    if greatest == Truth::True {
                        break;
                    }
                }
                greatest
            }
            Formula::Not(part) => self.truth(part).not(),
            Formula::Some(quantified, body) => {
                let mut greatest = Truth::False;
                for event in self.events(quantified).iter().copied() {
                    let here = match event {
                        Denoted::Past(at) if !self.kept[at] => continue,
                        _ => self.with(quantified.variable.depth, event, |own| own.truth(body)),
                    };
                    // A future event need not occur.
                    let most = if matches!(event, Denoted::Past(_)) { Truth::True } else { Truth::Unknown };
                    greatest = greatest.max(here.min(most));
                    if greatest == Truth::True {
                        break;
                    }
                }
                greatest
            }
            Formula::Before(x, y) => match self.both(*x, *y) {
                (Denoted::Past(a), Denoted::Past(b)) => Truth::from(a < b),
                (Denoted::Past(_), Denoted::Future(_)) => Truth::True,
                (Denoted::Future(_), Denoted::Past(_)) => Truth::False,
                (Denoted::Future(_), Denoted::Future(_)) => Truth::Unknown,
            },
            Formula::HappenedBefore(x, y) => match self.both(*x, *y) {
                (Denoted::Past(a), Denoted::Past(b)) => self.history.happened_before(a, b).into(),
                (past, future) => self.may_precede(past, future),
            },
            Formula::MulticastBefore(x, y) => match self.both(*x, *y) {
                (Denoted::Past(a), Denoted::Past(b)) => self.history.multicast_before(a, b).into(),
                (past, future) => self.may_precede(past, future),
            },
            Formula::Same(x, y) => self.are_same(*x, *y),
            Formula::SameValue(x, y) => match self.both(*x, *y) {
                (Denoted::Past(a), Denoted::Past(b)) => {
                    let value = |at: usize| self.history.entries()[at].value.as_ref().unwrap_or(&Value::None);
                    Truth::from(value(a) == value(b))
                }
                _ => Truth::Unknown,
            },
            Formula::Compare(compare, x, y) => self.compare(*compare, *x, *y),
            Formula::Leaf(e, events) => {
                for (slot, event) in events {
                    match self.denoted[event.depth] {
                        Denoted::Past(at) => self.env.words[usize::from(*slot)] = at as i64,
                        Denoted::Future(_) => return Truth::Unknown,
                    }
                }
                eval::truth(e, self.env).map_or(Truth::Unknown, Truth::from)
            }
        }
    }

    /// Return the truth of a conjunction.
    fn least(&mut self, parts: &[Formula]) -> Truth {
        let mut least = Truth::True;
        for part in parts {
            least = least.min(self.truth(part));
            if least == Truth::False {
                break;
            }
        }
        least
    }

    fn both(&self, x: EventVariable, y: EventVariable) -> (Denoted, Denoted) {
        (self.denoted[x.depth], self.denoted[y.depth])
    }

    /// Return the truth of a causal order between two events, not both in the past.
    fn may_precede(&self, x: Denoted, y: Denoted) -> Truth {
        match (x, y) {
            (_, Denoted::Past(_)) => Truth::False,
            (Denoted::Past(a), Denoted::Future(process)) => {
                if self.history.entries()[a].process == process {
                    Truth::True
                } else {
                    Truth::Unknown
                }
            }
            (Denoted::Future(_), Denoted::Future(_)) => Truth::Unknown,
        }
    }

    fn are_same(&self, x: EventVariable, y: EventVariable) -> Truth {
        match self.both(x, y) {
            _ if x.depth == y.depth => Truth::True,
            (Denoted::Past(a), Denoted::Past(b)) => Truth::from(a == b),
            (Denoted::Future(p), Denoted::Future(q)) if p == q && x.kind == y.kind => Truth::Unknown,
            _ => Truth::False,
        }
    }

    fn process(&self, of: EventVariable) -> ProcessId {
        match self.denoted[of.depth] {
            Denoted::Past(at) => self.history.entries()[at].process,
            Denoted::Future(process) => process,
        }
    }

    fn compare(&self, compare: Compare, x: Term, y: Term) -> Truth {
        if let (Term::Process(x), Term::Process(y)) = (x, y) {
            return compare.holds(self.process(x), self.process(y)).into();
        }
        let ((x_low, x_high), (y_low, y_high)) = (self.range(x), self.range(y));
        let is_below = |x_high: Option<i64>, y_low: i64| x_high.is_some_and(|high| high < y_low);
        let is_at_most = |x_high: Option<i64>, y_low: i64| x_high.is_some_and(|high| high <= y_low);
        let less = match () {
            () if is_below(x_high, y_low) => Truth::True,
            () if is_at_most(y_high, x_low) => Truth::False,
            () => Truth::Unknown,
        };
        let greater = match () {
            () if is_below(y_high, x_low) => Truth::True,
            () if is_at_most(x_high, y_low) => Truth::False,
            () => Truth::Unknown,
        };
        let differ = less.max(greater);
        match compare {
            // Two bounds that are exact and equal.
            Compare::Equal => differ.not(),
            Compare::NotEqual => differ,
            Compare::Less => less,
            Compare::LessEqual => greater.not(),
            Compare::Greater => greater,
            Compare::GreaterEqual => less.not(),
        }
    }

    /// Return the least and the greatest possible value of a number. `None`: no limit.
    fn range(&self, of: Term) -> (i64, Option<i64>) {
        match of {
            Term::Number(number) => (number, Some(number)),
            Term::Nth(event) => match self.denoted[event.depth] {
                Denoted::Past(at) => {
                    let nth = i64::from(self.history.entries()[at].nth);
                    (nth, Some(nth))
                }
                Denoted::Future(process) => (i64::from(self.ranges.count(process, event)) + 1, None),
            },
            // Processes are compared with processes only.
            Term::Process(_) => (i64::MIN, None),
        }
    }

    /// Return whether a `some` of the formula may need this past event as a witness. All past events are kept meanwhile.
    pub fn may_witness(&mut self, of: &Formula, event: usize) -> bool {
        match of {
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().any(|part| self.may_witness(part, event))
            }
            Formula::Some(quantified @ Quantified { variable, .. }, body) => {
                self.events(quantified).iter().any(|denoted| {
                    self.with(variable.depth, *denoted, |own| {
                        let is_possible = own.truth(body) != Truth::False;
                        own.denoted.truncate(variable.depth + 1);
                        is_possible && (*denoted == Denoted::Past(event) || own.may_witness(body, event))
                    })
                })
            }
            Formula::Not(_)
            | Formula::Before(..)
            | Formula::HappenedBefore(..)
            | Formula::MulticastBefore(..)
            | Formula::Same(..)
            | Formula::SameValue(..)
            | Formula::Compare(..)
            | Formula::Leaf(..) => false,
        }
    }
}

/// Return the kind of an event.
pub fn kind_of(entry: &Entry) -> EventKind {
    EventKind { what: entry.what, of: entry.of }
}

/// Return whether the event is a call.
pub fn is_call(entry: &Entry) -> bool {
    entry.what == HistoryKind::Calls
}
