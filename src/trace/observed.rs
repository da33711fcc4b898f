//! A recorded run as an external observer sees it: any of its linearizations may have occurred. Conditions are
//! evaluated on all of them.

use super::Trace;
use super::conjunction::{Conjuncts, conjuncts};
use super::cut::Cut;
use super::detect::{self, Interval, LocalTruth, Undetected};
use super::histories::Histories;
use super::lattice::TooLarge;
use super::states::States;
use crate::ids::ProcessId;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{Expr, ExprKind, Metric, ProcessFact, Question, Value};
use crate::property::Reads;
use crate::semantics::eval::{self, World};
use crate::semantics::{Abort, Configuration, History, Metrics};

/// The histories of a run with their global states.
pub struct Observed<'i> {
    pub histories: Histories,
    pub states: States<'i>,
}

/// The detection algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Cooper and Marzullo's, cut by cut.
    Lattice,
    /// Garg and Waldecker's, for conjunctions of local conditions.
    Conjunctive,
}

/// Quantification over the linearizations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modality {
    /// Some consistent run passes through a state with φ.
    Possibly,
    /// Every consistent run does.
    Definitely,
}

/// The answer with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub modality: Modality,
    pub holds: bool,
    pub method: Method,
    /// Consistent cuts visited; with the conjunctive algorithm, those of the search for a run that avoids φ.
    pub cuts: u64,
    /// With the conjunctive algorithm: local states evaluated, and pairs of intervals compared.
    pub local_states: u64,
    pub compared: u64,
    /// If φ is possible: a cut with φ and the fewest events.
    pub cut: Option<Cut>,
    /// If φ is not definite: a linearization that avoids φ, if one was found within the limit.
    pub avoiding: Option<Vec<usize>>,
    /// If φ is definite, by the lattice: a set of cuts that every run intersects.
    pub met: Vec<Cut>,
    /// With the conjunctive algorithm: overlapping intervals of local states.
    pub intervals: Vec<Interval>,
}

/// Reason for the lack of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    TooLarge(TooLarge),
    /// A sentence.
    Undefined(String),
}

impl<'i> Observed<'i> {
    /// # Errors
    /// A sentence, if the model has no cuts, or the program does not reproduce the run.
    pub fn new(instance: &'i Instance, trace: &Trace) -> Result<Observed<'i>, String> {
        let histories = Histories::of(trace)?;
        let states = States::new(instance, trace, &histories)?;
        Ok(Observed { histories, states })
    }

    /// Evaluate a condition, a question of type Bool. `method` `None`: choose; the conjunctive algorithm is used only
    /// if it applies.
    ///
    /// # Errors
    /// If the lattice is larger than `limit`, or cuts do not determine the condition.
    pub fn ask(
        &self,
        question: &Question,
        modality: Modality,
        method: Option<Method>,
        limit: u64,
    ) -> Result<Answer, Unanswered> {
        if let Some(why) = self.unfit(&question.expr) {
            return Err(Unanswered::Undefined(why));
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
                answer.cut = Some(detect::common_cut(&self.histories, &answer.intervals));
            }
            (Modality::Definitely, false) => {
                // The intervals show that a run without φ exists, but not which. Often it is the recorded one. Any
                // other passes through one cut more than it has events, so a search is hopeless if these are too many.
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

    /// Return the events of the recorded run that lead from cut to cut.
    fn events(&self) -> Vec<usize> {
        self.histories.events().filter(|event| !self.histories.is_initial(*event)).collect()
    }

    /// Whether in every cut of the recorded run some process violates its local condition.
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
                let process = process.index();
                failing -= fails(process, &cut);
                cut.0[process] += 1;
                failing += fails(process, &cut);
            }
        }
        failing > 0
    }

    /// Evaluate the local conditions in all local states. Return `None` if one has no value in some local state, since
    /// only the others determine whether that matters.
    fn truth(&self, parts: &Conjuncts) -> Option<Vec<Option<Vec<bool>>>> {
        let mut configuration = self.states.start();
        let top = self.histories.top();
        let nothing = Nothing::new(self.states.instance());
        let mut truth = Vec::new();
        for (process, own) in (0..).map(ProcessId).zip(parts) {
            if own.is_empty() {
                truth.push(None);
                continue;
            }
            let mut states = Vec::new();
            for count in 0..=top.0[process.index()] {
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

    /// Explain why cuts do not determine a condition.
    fn unfit(&self, e: &Expr) -> Option<String> {
        let why = match &e.kind {
            ExprKind::Before(..) => {
                Some("`before` compares positions in one run; use `happened before` for all linearizations")
            }
            ExprKind::Metric { metric: Metric::Rounds, .. } => {
                Some("the number of rounds depends on the run; a cut has none")
            }
            ExprKind::ProcessFact(ProcessFact::Enabled, _)
                if self.states.instance().model.execution != ExecutionModel::Single =>
            {
                Some("`enabled` depends on the run; a cut determines only variables")
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

    /// Evaluate a question in a cut.
    ///
    /// # Errors
    /// If it has no value there.
    pub fn answer(&self, question: &Question, cut: &Cut) -> Result<Value, Box<Abort>> {
        let state = self.states.global(&self.histories, cut);
        let world =
            World { configuration: &state.configuration, metrics: &state.metrics, history: &state.history };
        eval::evaluate(question, self.states.instance(), world)
    }
}

/// Empty metrics and history.
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
        Ok(eval::evaluate(question, instance, world)? == Value::Bool(true))
    }
}

/// Evaluator of one question in many cuts.
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
        // Conditions cannot read messages in transit: local states suffice.
        for (p, count) in (0..).map(ProcessId).zip(&cut.0) {
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
        Undetected::Undefined(cut, abort) => {
            Unanswered::Undefined(format!("the condition has no value in the cut {cut}: {}", abort))
        }
    }
}
