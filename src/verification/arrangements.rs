//! Every arrangement of the ids 1 … n, or every numbering of the ports, and their joint result.

use crate::explore::{Counterexample, End, Exploration, SeparateSearch, StopReason};
use crate::instance::Instance;
use crate::ir::Program;
use crate::network::IdsSpec;
use crate::property::{Judgement, Reason, Verdict};
use crate::setup::{Ids, InstanceOptions, SetupError, instantiate};
use std::sync::Arc;

/// The greatest number of processes; they have 7! = 5040 arrangements.
const MOST: u32 = 7;

/// The greatest number of numberings of the ports.
const MOST_NUMBERINGS: u64 = 10_000;

/// The ids or the ports, of which every arrangement is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arranged {
    Ids,
    Ports,
}

impl Arranged {
    /// Return a noun phrase, to follow a number.
    pub fn as_str(self) -> &'static str {
        match self {
            Arranged::Ids => "arrangements of the ids",
            Arranged::Ports => "numberings of the ports",
        }
    }
}

/// One arrangement, and the result of its search.
pub struct Arrangement<'a> {
    pub options: &'a InstanceOptions,
    pub instance: &'a Arc<Instance>,
    pub exploration: &'a Exploration,
    /// The counterexamples that show something new.
    pub new: &'a [Counterexample],
}

/// The number of searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangements {
    pub what: Arranged,
    /// Fewer than all after a violation or a limit.
    pub searched: u64,
    pub of: u64,
}

/// The joint result of the searches.
pub struct Joint {
    /// The instance of the last arrangement.
    pub instance: Arc<Instance>,
    pub exploration: Exploration,
    pub arrangements: Arrangements,
}

/// Search one arrangement of the ids, or one numbering of the ports, after the other, up to the first violation or limit. `explore` makes
/// the search; it receives the number of configurations of the searches before it, which count towards its limit. `each` receives every
/// result.
///
/// # Errors
/// If the network does not satisfy the assumptions of the algorithm, or if there is nothing to arrange, or too much.
pub fn explore_arrangements(
    program: &Arc<Program>,
    options: &InstanceOptions,
    arranged: Arranged,
    explore: &mut dyn FnMut(&Instance, u64) -> Exploration,
    each: &mut dyn FnMut(Arrangement),
) -> Result<Joint, SetupError> {
    let (all, number) = match arranged {
        Arranged::Ids => all_ids(program, options)?,
        Arranged::Ports => all_numberings(program, options)?,
    };
    explore_each(program, all, Arrangements { what: arranged, searched: 0, of: number }, explore, each)
}

/// Options for one search after the other.
type EachOptions<'o> = Box<dyn Iterator<Item = InstanceOptions> + 'o>;

/// Return the options for every arrangement of the ids, and their number.
fn all_ids<'o>(
    program: &Arc<Program>,
    options: &'o InstanceOptions,
) -> Result<(EachOptions<'o>, u64), SetupError> {
    if program.assumptions.anonymous {
        return Err(SetupError::new(format!("the processes of {} have no ids", program.name)));
    }
    let n = instantiate(program, &InstanceOptions { ids: Ids::Ascending, ..options.clone() })?.n();
    if n > MOST {
        return Err(SetupError {
            hint: Some(format!("--ids all goes up to {MOST} processes")),
            ..SetupError::new(format!("{n} ids have too many arrangements"))
        });
    }
    let with = |ids| InstanceOptions { ids: Ids::Spec(IdsSpec::Explicit(ids)), ..options.clone() };
    Ok((Box::new(arrangements(n).into_iter().map(with)), count(n.into())))
}

/// Return the options for every numbering of the ports, and their number.
fn all_numberings<'o>(
    program: &Arc<Program>,
    options: &'o InstanceOptions,
) -> Result<(EachOptions<'o>, u64), SetupError> {
    let with = |number| InstanceOptions { ports: Some(number), ..options.clone() };
    // An error if the topology determines the order of the ports.
    instantiate(program, &with(0))?;
    let instance = instantiate(program, options)?;
    let number = instance.network.port_numberings();
    match number.filter(|number| *number <= MOST_NUMBERINGS) {
        Some(number) => Ok((Box::new((0..number).map(with)), number)),
        None => Err(SetupError {
            hint: Some(format!(
                "--ports all explores at most {MOST_NUMBERINGS} numberings; --ports N selects one, and --seed N draws one"
            )),
            ..SetupError::new(format!(
                "the ports of {} can be numbered in {} ways",
                instance.network.topology(),
                number.map_or("too many".to_string(), |number| number.to_string())
            ))
        }),
    }
}

/// Search with each of these options.
fn explore_each(
    program: &Arc<Program>,
    each_options: EachOptions<'_>,
    arrangements: Arrangements,
    explore: &mut dyn FnMut(&Instance, u64) -> Exploration,
    each: &mut dyn FnMut(Arrangement),
) -> Result<Joint, SetupError> {
    let mut all: Option<Joint> = None;
    for options in each_options {
        let instance = Arc::new(instantiate(program, &options)?);
        let so_far = all.as_ref().map_or(0, |known| known.exploration.configurations);
        let exploration = explore(&instance, so_far);
        // A limit of depth in one arrangement does not affect the others.
        let ends_here = exploration
            .stopped_by
            .is_some_and(|cut| !matches!(cut, StopReason::Depth | StopReason::Waits | StopReason::Starts));
        let mut known = match all {
            None => Joint { instance, exploration: nothing(&exploration), arrangements },
            Some(known) => Joint { instance, ..known },
        };
        let new = add(program, &mut known.exploration, exploration.clone());
        let Joint { instance, .. } = &known;
        each(Arrangement { options: &options, instance, exploration: &exploration, new: &new });
        known.arrangements.searched += 1;
        all = Some(known);
        if ends_here {
            break;
        }
    }
    let mut all = all.ok_or_else(|| SetupError::new("there is no arrangement of no ids"))?;
    all.state_joint_verdicts(program);
    if all.arrangements.searched < all.arrangements.of {
        leave_open(&mut all.exploration);
    }
    Ok(all)
}

impl Joint {
    /// State the joint numbers in the verdicts, which state those of single arrangements.
    fn state_joint_verdicts(&mut self, program: &Program) {
        let configurations = self.exploration.configurations - self.exploration.intermediate;
        for verdict in &mut self.exploration.verdicts {
            if let Reason::InAllConfigurations(n) = &mut verdict.why {
                *n = configurations;
            }
        }
        for (property, least, most) in &self.exploration.extremes {
            let name = &program.properties[*property].name;
            let holds = |v: &&mut Verdict| v.name == *name && v.judgement == Judgement::Holds;
            if let (Some(verdict), Some(most)) = (self.exploration.verdicts.iter_mut().find(holds), most) {
                verdict.why = Reason::Costs(*least, *most);
            }
        }
    }
}

/// Return an empty result with the verdicts of the first arrangement.
fn nothing(first: &Exploration) -> Exploration {
    Exploration {
        counterexamples: Vec::new(),
        disagreements: Vec::new(),
        configurations: 0,
        separate: Vec::new(),
        intermediate: 0,
        steps: 0,
        ends: Vec::new(),
        ..first.clone()
    }
}

/// Return the number of arrangements of n ids.
fn count(n: u64) -> u64 {
    (1..=n).product()
}

/// Return all arrangements of 1 … n, in lexicographic order.
fn arrangements(n: u32) -> Vec<Vec<i64>> {
    let mut found: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = |begun: &Vec<i64>| {
            let free = (1..=i64::from(n)).filter(|id| !begun.contains(id));
            free.map(|id| begun.iter().copied().chain([id]).collect()).collect::<Vec<Vec<i64>>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}

/// Add the result for one more arrangement. Return the counterexamples that show something new.
fn add(program: &Program, all: &mut Exploration, one: Exploration) -> Vec<Counterexample> {
    all.configurations += one.configurations;
    for search in one.separate {
        let same = |s: &&mut SeparateSearch| s.detail == search.detail && s.properties == search.properties;
        match all.separate.iter_mut().find(same) {
            Some(known) => {
                known.configurations += search.configurations;
                known.stopped_by = worse(known.stopped_by, search.stopped_by);
            }
            None => all.separate.push(search),
        }
    }
    all.intermediate += one.intermediate;
    all.steps += one.steps;
    all.depth = all.depth.max(one.depth);
    all.stopped_by = worse(all.stopped_by, one.stopped_by);
    all.bytes = all.bytes.max(one.bytes);
    all.reduced |= one.reduced;
    all.symmetric |= one.symmetric;
    all.accepted_blocked |= one.accepted_blocked;
    all.every_run_ends = match (all.every_run_ends, one.every_run_ends) {
        (Some(a), Some(b)) => Some(a && b),
        (known, other) => known.or(other).filter(|ends| !ends),
    };
    // The soundness of a view does not depend on the ids.
    all.view = one.view;
    all.coverage.add(&one.coverage);
    for end in one.ends {
        let same = |e: &&mut End| e.outcome == end.outcome && e.outputs == end.outputs;
        match all.ends.iter_mut().find(same) {
            Some(known) => known.configurations += end.configurations,
            None => all.ends.push(end),
        }
    }
    all.ends.sort_by_key(|end| std::cmp::Reverse(end.configurations));
    let mut new = Vec::new();
    for verdict in one.verdicts {
        let Some(known) = all.verdicts.iter_mut().find(|v| v.name == verdict.name) else { continue };
        let by_chance =
            |properties: &[usize]| properties.iter().any(|p| program.properties[*p].name == verdict.name);
        let weaker = by_chance(&one.almost_surely) && !by_chance(&all.almost_surely);
        let same = known.judgement == verdict.judgement;
        if rank(verdict.judgement) > rank(known.judgement) || (same && weaker) {
            *known = verdict;
        }
    }
    let new_by_chance = one.almost_surely.iter().filter(|p| !all.almost_surely.contains(p));
    let new_by_chance: Vec<usize> = new_by_chance.copied().collect();
    all.almost_surely.extend(new_by_chance);
    // A range that is unknown for one arrangement is unknown for all.
    all.extremes.retain(|(known, ..)| one.extremes.iter().any(|(property, ..)| known == property));
    for (property, least, most) in one.extremes {
        if let Some((_, a, b)) = all.extremes.iter_mut().find(|(known, ..)| *known == property) {
            *a = a.zip(least).map(|(a, least)| a.min(least));
            *b = b.zip(most).map(|(b, most)| b.max(most));
        }
    }
    for counterexample in one.counterexamples {
        let like = |known: &Counterexample| known.kind.is_same_kind(&counterexample.kind);
        if !all.counterexamples.iter().any(like) {
            all.counterexamples.push(counterexample.clone());
            new.push(counterexample);
        }
    }
    new
}

/// Leave open the properties that hold so far: not all arrangements were explored, and they may fail for another.
fn leave_open(all: &mut Exploration) {
    for verdict in all.verdicts.iter_mut().filter(|verdict| verdict.judgement == Judgement::Holds) {
        verdict.judgement = Judgement::Pending;
        verdict.why.wrap(Reason::SoFar);
    }
}

fn worse(a: Option<StopReason>, b: Option<StopReason>) -> Option<StopReason> {
    match (a, b) {
        (None | Some(StopReason::Found), Some(cut)) => Some(cut),
        // After these, the other arrangements are still explored.
        (Some(StopReason::Depth | StopReason::Waits | StopReason::Starts), Some(cut))
            if cut != StopReason::Found =>
        {
            Some(cut)
        }
        (known, _) => known,
    }
}

/// Rank the verdicts: the joint verdict is the worst one.
fn rank(judgement: Judgement) -> u8 {
    match judgement {
        Judgement::Holds => 0,
        Judgement::Pending => 1,
        Judgement::NotChecked => 2,
        Judgement::Violated => 3,
    }
}
