//! The search for the worst case on one network: candidates as instances and runs.

use super::adversary::{Candidate, CandidateResult, Goal, Search, Worst};
use super::sample::{self, CheckedProperties, Sample, sample};
use crate::instance::Instance;
use crate::ir::Program;
use crate::network::{IdsSpec, Spec};
use crate::session::{Keep, run_monitored};
use crate::setup::{Ids, InstanceOptions, SetupError, instantiate};
use crate::simulate::{Outcome, Schedule, SimulateOptions};
use crate::stop::StopSignal;
use crate::trace::Trace;
use std::sync::Arc;

/// Options of the search.
#[derive(Clone, Debug)]
pub struct WorstCaseOptions {
    /// The network, and the seed of the search.
    pub instance: InstanceOptions,
    /// Whether the search varies the ids, if the processes have any.
    pub varies_ids: bool,
    /// Schedules; at least one.
    pub schedules: Vec<Schedule>,
    pub goal: Goal,
    /// Number of runs.
    pub budget: u64,
    /// Step limit of a run. Without it, the search gives up if none of the first runs ends.
    pub max_steps: Option<u64>,
}

/// The search for the worst case on one network.
#[derive(Debug)]
pub struct WorstCase {
    program: Arc<Program>,
    options: WorstCaseOptions,
    search: Search,
}

impl WorstCase {
    /// # Errors
    /// If the network does not satisfy the assumptions of the algorithm.
    pub fn new(program: &Arc<Program>, options: WorstCaseOptions) -> Result<WorstCase, SetupError> {
        let seed = options.instance.seed;
        let ascending = InstanceOptions { ids: Ids::Ascending, ..options.instance.clone() };
        let first = instantiate(program, &ascending)?;
        let n = first.n();
        let mut starts = Vec::new();
        if options.varies_ids && !program.assumptions.anonymous && n >= 2 {
            let specs = [IdsSpec::Descending, IdsSpec::Ascending, IdsSpec::Random];
            starts.extend(specs.iter().map(|spec| spec.resolve(n, seed)));
            starts.extend(declared(program, &first));
        }
        let WorstCaseOptions { schedules, budget, max_steps, .. } = &options;
        let gives_up = max_steps.is_none();
        let search = Search { starts, schedules: schedules.clone(), seed, budget: *budget, gives_up };
        Ok(WorstCase { program: program.clone(), options, search })
    }

    /// Run one of the [`CHAINS`](super::adversary::CHAINS), from 0. `each` is called after each run.
    ///
    /// # Errors
    /// If a candidate has no instance.
    pub fn chain(&self, chain: u64, each: &dyn Fn(&Instance)) -> Result<Worst, SetupError> {
        let mut failure = None;
        let worst = self.search.chain(chain, |candidate| {
            let instance = match self.instance(candidate) {
                Ok(instance) => instance,
                Err(error) => {
                    failure = Some(error);
                    return CandidateResult::Interrupted;
                }
            };
            let run_options = self.run_options(candidate);
            let made = sample::measured_run(&instance, candidate.schedule.as_str(), &run_options);
            each(&instance);
            let run = made.run;
            let cost = CandidateResult::Cost(self.options.goal.of(&run.metrics));
            match run.outcome {
                _ if made.watched.is_some() && !made.repeats => cost,
                Outcome::Terminated | Outcome::Quiescent => cost,
                Outcome::Interrupted | Outcome::Stopped => CandidateResult::Interrupted,
                _ => CandidateResult::Unfinished,
            }
        });
        failure.map_or(Ok(worst), Err)
    }

    /// Repeat a run to evaluate bounds and properties, which the search does not evaluate. Return also the number of processes. The stop
    /// signal does not end this run.
    ///
    /// # Errors
    /// If the candidate has no instance.
    pub fn sample(&self, candidate: &Candidate) -> Result<(u32, Option<Sample>), SetupError> {
        let instance = self.unstoppable(candidate)?;
        let (schedule, options) = (candidate.schedule.as_str(), self.run_options(candidate));
        Ok((instance.n(), sample(&instance, &CheckedProperties::AtEnd, schedule, &options, 0)))
    }

    /// Repeat a run to record it. The stop signal does not end this run.
    ///
    /// # Errors
    /// If the candidate has no instance.
    pub fn trace(&self, candidate: &Candidate) -> Result<Option<Trace>, SetupError> {
        let instance = self.unstoppable(candidate)?;
        let (schedule, options) = (candidate.schedule.as_str(), self.run_options(candidate));
        Ok(run_monitored(&instance, Some(&[]), Keep::Always, schedule, &options).trace)
    }

    fn instance(&self, candidate: &Candidate) -> Result<Instance, SetupError> {
        instantiate(&self.program, &self.instance_options(candidate))
    }

    fn unstoppable(&self, candidate: &Candidate) -> Result<Instance, SetupError> {
        let mut options = self.instance_options(candidate);
        options.settings.stop = StopSignal::NEVER;
        instantiate(&self.program, &options)
    }

    fn instance_options(&self, candidate: &Candidate) -> InstanceOptions {
        let base = &self.options.instance;
        let ids = match &candidate.ids {
            Some(ids) => Ids::Spec(IdsSpec::Explicit(ids.clone())),
            None => base.ids.clone(),
        };
        InstanceOptions { ids, seed: candidate.seed, ..base.clone() }
    }

    fn run_options(&self, candidate: &Candidate) -> SimulateOptions {
        let Candidate { schedule, seed, .. } = *candidate;
        SimulateOptions { schedule, seed, max_steps: self.options.max_steps, ..SimulateOptions::default() }
    }
}

/// Return the worst-case ids that the program declares.
fn declared(program: &Arc<Program>, like: &Instance) -> Option<Vec<i64>> {
    program.worst_id.as_ref()?;
    let topology = Spec::parse(like.network.topology()).ok()?;
    let options = InstanceOptions { topology: Some(topology), ids: Ids::Worst, ..InstanceOptions::default() };
    let network = instantiate(program, &options).ok()?.network;
    Some(network.ids().to_vec())
}
