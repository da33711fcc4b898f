//! A recorded run as an observer meets it: any of its linearizations may have been what happened. Conditions are asked of
//! all of them at once.

use super::Trace;
use super::conjunction::{Conjuncts, conjuncts};
use super::cut::Cut;
use super::detect::{self, Interval, LocalTruth, Undetected};
use super::histories::Histories;
use super::lattice::TooLarge;
use super::states::States;
use crate::check::Question;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{Expr, ExprKind, ProcessFact, Value};
use crate::property::Reads;
use crate::semantics::eval::{self, World};
use crate::semantics::{Abort, Configuration, History, Metrics};
use crate::syntax::ast::Metric;

/// The histories of a run with the states they lead to.
pub struct Observed<'i> {
    pub histories: Histories,
    pub states: States<'i>,
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Cooper and Marzullo's, cut by cut.
    Lattice,
    /// Garg and Waldecker's, for conjunctions of conditions on single processes.
    Conjunctive,
}

/// What is asked of all observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modality {
    /// Does some consistent run pass through a state with φ?
    Possibly,
    /// Does every one?
    Definitely,
}

/// The answer, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub modality: Modality,
    pub holds: bool,
    pub method: Method,
    /// Consistent cuts looked at; by the conjunctive method, those of the search for a run that avoids φ.
    pub cuts: u64,
    /// By the conjunctive method: local states judged, and pairs of intervals compared.
    pub local_states: u64,
    pub compared: u64,
    /// Where it is possible: a cut with φ and the fewest events.
    pub cut: Option<Cut>,
    /// Where it is not definite: a linearization that never meets φ, as far as one was found within the limit.
    pub avoiding: Option<Vec<usize>>,
    /// Where it is definite, by the lattice: the cuts one of which every run passes.
    pub met: Vec<Cut>,
    /// By the conjunctive method: the stretches of local states that overlap.
    pub intervals: Vec<Interval>,
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    TooLarge(TooLarge),
    /// A sentence.
    Senseless(String),
}

impl<'i> Observed<'i> {
    /// # Errors
    /// A sentence, when the model has no cuts, or the program does not do what was recorded.
    pub fn new(instance: &'i Instance, trace: &Trace) -> Result<Observed<'i>, String> {
        let histories = Histories::of(trace)?;
        let states = States::new(instance, trace, &histories)?;
        Ok(Observed { histories, states })
    }

    /// Asks a condition, a question of type Bool. `method`: None chooses; the conjunctive one is taken only where it fits.
    ///
    /// # Errors
    /// When the lattice is larger than `limit`, or the condition is none that cuts can answer.
    pub fn ask(
        &self,
        question: &Question,
        modality: Modality,
        method: Option<Method>,
        limit: u64,
    ) -> Result<Answer, Unanswered> {
        if let Some(why) = self.unfit(&question.expr) {
            return Err(Unanswered::Senseless(why));
        }
        if method != Some(Method::Lattice)
            && !self.histories.has_interactions()
            && let Some(parts) = conjuncts(question, self.states.instance())
            && let Some(truth) = self.truth(&parts)
        {
            return Ok(self.by_intervals(question, modality, &truth, limit));
        }
        let mut judge = ObservedEvaluator::new(self, question);
        let mut holds = |cut: &Cut| judge.holds(cut);
        let mut answer = Answer {
            modality,
            holds: false,
            method: Method::Lattice,
            cuts: 0,
            local_states: 0,
            compared: 0,
            cut: None,
            avoiding: None,
            met: Vec::new(),
            intervals: Vec::new(),
        };
        match modality {
            Modality::Possibly => {
                let found = detect::possibly(&self.histories, limit, &mut holds).map_err(unanswered)?;
                answer.holds = found.cut.is_some();
                (answer.cut, answer.cuts) = (found.cut, found.looked_at);
            }
            Modality::Definitely => {
                let found = detect::definitely(&self.histories, limit, &mut holds).map_err(unanswered)?;
                answer.holds = found.avoiding.is_none();
                (answer.avoiding, answer.cuts) = (found.avoiding, found.looked_at);
                if answer.holds {
                    answer.met = found.met.into_iter().collect();
                }
            }
        }
        Ok(answer)
    }

    fn by_intervals(
        &self,
        question: &Question,
        modality: Modality,
        truth: &LocalTruth,
        limit: u64,
    ) -> Answer {
        let found = match modality {
            Modality::Possibly => detect::possibly_conjunctive(&self.histories, truth),
            Modality::Definitely => detect::definitely_conjunctive(&self.histories, truth),
        };
        let mut answer = Answer {
            modality,
            holds: found.intervals.is_some(),
            method: Method::Conjunctive,
            cuts: 0,
            local_states: truth.iter().flatten().map(|states| states.len() as u64).sum(),
            compared: found.compared,
            cut: None,
            avoiding: None,
            met: Vec::new(),
            intervals: found.intervals.unwrap_or_default(),
        };
        match (modality, answer.holds) {
            (Modality::Possibly, true) => {
                answer.cut = Some(detect::meeting(&self.histories, &answer.intervals));
            }
            (Modality::Definitely, false) => {
                // The intervals tell that there is a run without φ, not which. Often it is the recorded one. Any other
                // passes one cut more than it has events, so where those are too many no search would find it.
                let events = self.events();
                let cuts = events.len() as u64 + 1;
                if self.recorded_avoids(&events, truth) {
                    (answer.avoiding, answer.cuts) = (Some(events), cuts);
                } else if cuts <= limit {
                    let mut judge = ObservedEvaluator::new(self, question);
                    let mut holds = |cut: &Cut| judge.holds(cut);
                    if let Ok(found) = detect::definitely(&self.histories, limit, &mut holds) {
                        (answer.avoiding, answer.cuts) = (found.avoiding, found.looked_at);
                    }
                }
            }
            _ => {}
        }
        answer
    }

    /// The events of the recorded run that lead from cut to cut.
    fn events(&self) -> Vec<usize> {
        self.histories.events().filter(|event| !self.histories.is_initial(*event)).collect()
    }

    /// Has every cut of the recorded run a process that does not fulfil its part?
    fn recorded_avoids(&self, events: &[usize], truth: &LocalTruth) -> bool {
        let mut cut = self.histories.bottom();
        let fails = |process: usize, cut: &Cut| {
            let states = truth[process].as_ref();
            usize::from(states.is_some_and(|states| !states[cut.0[process] as usize]))
        };
        let mut failing: usize = (0..self.histories.n()).map(|process| fails(process, &cut)).sum();
        for event in events {
            if failing == 0 {
                return false;
            }
            for (process, _) in self.histories.places(*event) {
                let process = *process as usize;
                failing -= fails(process, &cut);
                cut.0[process] += 1;
                failing += fails(process, &cut);
            }
        }
        failing > 0
    }

    /// Which local states fulfil their part. None: a part has no value in some local state, and only the others tell whether
    /// that matters.
    fn truth(&self, parts: &Conjuncts) -> Option<Vec<Option<Vec<bool>>>> {
        let mut configuration = self.states.start();
        let top = self.histories.top();
        let nothing = Nothing::new(self.states.instance());
        let mut truth = Vec::new();
        for (process, own) in (0u32..).zip(parts) {
            if own.is_empty() {
                truth.push(None);
                continue;
            }
            let mut states = Vec::new();
            for count in 0..=top.0[process as usize] {
                self.states.restore(&mut configuration, process, count);
                let mut all = true;
                for part in own {
                    all = all && nothing.truth(part, self.states.instance(), &configuration).ok()?;
                }
                states.push(all);
            }
            truth.push(Some(states));
        }
        Some(truth)
    }

    /// Why a condition cannot be asked of cuts.
    fn unfit(&self, e: &Expr) -> Option<String> {
        let why = match &e.kind {
            ExprKind::Before(..) => Some(
                "`before` compares positions in one run; of all observations only `happened before` can be asked",
            ),
            ExprKind::Metric { metric: Metric::Rounds, .. } => {
                Some("rounds are counted along one run; a cut has none")
            }
            ExprKind::ProcessFact(ProcessFact::Enabled, _)
                if self.states.instance().model.pace != ExecutionModel::Single =>
            {
                Some("who can interact is kept along a run; of cuts only variables can be asked")
            }
            _ => None,
        };
        if let Some(why) = why {
            return Some(why.into());
        }
        let mut found = None;
        e.parts(&mut |part| {
            if found.is_none() {
                found = self.unfit(part);
            }
        });
        found
    }

    /// What a question comes to in a cut.
    ///
    /// # Errors
    /// When it has no value there.
    pub fn answer(&self, question: &Question, cut: &Cut) -> Result<Value, Box<Abort>> {
        let state = self.states.global(&self.histories, cut);
        let world =
            World { configuration: &state.configuration, metrics: &state.metrics, history: &state.history };
        eval::answer(question, self.states.instance(), world)
    }
}

/// Nothing has been counted or observed.
struct Nothing {
    metrics: Metrics,
    history: History,
}

impl Nothing {
    fn new(instance: &Instance) -> Nothing {
        let program = &instance.program;
        Nothing {
            metrics: Metrics::new(program.kinds.len(), program.operations.len()),
            history: History::new(instance.n()),
        }
    }

    fn truth(
        &self,
        question: &Question,
        instance: &Instance,
        configuration: &Configuration,
    ) -> Result<bool, Box<Abort>> {
        let world = World { configuration, metrics: &self.metrics, history: &self.history };
        Ok(eval::answer(question, instance, world)? == Value::Bool(true))
    }
}

/// Asks one question of many cuts.
struct ObservedEvaluator<'o> {
    observed: &'o Observed<'o>,
    question: &'o Question,
    configuration: Configuration,
    nothing: Nothing,
    counts: bool,
    history: bool,
}

impl<'o> ObservedEvaluator<'o> {
    fn new(observed: &'o Observed<'o>, question: &'o Question) -> ObservedEvaluator<'o> {
        let instance = observed.states.instance();
        let reads = Reads::of(&question.expr, &instance.program);
        ObservedEvaluator {
            observed,
            question,
            configuration: observed.states.start(),
            nothing: Nothing::new(instance),
            counts: reads.counts || reads.time,
            history: reads.history,
        }
    }

    fn holds(&mut self, cut: &Cut) -> Result<bool, Box<Abort>> {
        let Observed { histories, states } = self.observed;
        // Conditions cannot see messages under way: the local states are all that is needed.
        for (p, count) in (0u32..).zip(&cut.0) {
            states.restore(&mut self.configuration, p, *count);
        }
        if self.counts {
            self.nothing.metrics = states.metrics(histories, cut);
        }
        if self.history {
            self.nothing.history = states.history(histories, cut);
        }
        self.nothing.truth(self.question, states.instance(), &self.configuration)
    }
}

fn unanswered(why: Undetected<Box<Abort>>) -> Unanswered {
    match why {
        Undetected::TooLarge(limit) => Unanswered::TooLarge(limit),
        Undetected::Senseless(cut, abort) => {
            Unanswered::Senseless(format!("the condition has no value in the cut {cut}: {}", abort))
        }
    }
}
