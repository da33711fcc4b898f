//! Process ids: how they are specified, and the lookup of a process by its id.

use crate::ids::ProcessId;

use super::error::TopologyError;
use super::rng::{NetworkRng, Purpose};
use std::sync::OnceLock;

/// The specification of the ids of a network.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum IdsSpec {
    /// The ids by position, from process 0.
    Explicit(Vec<i64>),
    /// 1, 2, …, n by position.
    #[default]
    Ascending,
    /// n, …, 2, 1 by position.
    Descending,
    /// A permutation of 1, …, n drawn from the seed.
    Random,
}

impl IdsSpec {
    /// Parse `3,1,4,2` (brackets and spaces allowed), `ascending`, `descending` or `random`.
    ///
    /// # Errors
    /// If the text is another word, or a number is not a 64-bit integer.
    pub fn parse(text: &str) -> Result<IdsSpec, TopologyError> {
        const WORKING: &str = "ids are a list such as 3,1,4,2, or ascending, descending or random";
        let text = text.trim();
        match text {
            "ascending" => return Ok(IdsSpec::Ascending),
            "descending" => return Ok(IdsSpec::Descending),
            "random" => return Ok(IdsSpec::Random),
            "" => return Err(TopologyError::new("no ids are given").hint(WORKING)),
            _ => {}
        }
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        let mut ids = Vec::new();
        for item in inner.split(',').map(str::trim) {
            let digits = item.strip_prefix('-').unwrap_or(item);
            match item.parse() {
                Ok(id) => ids.push(id),
                Err(_) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                    return Err(TopologyError::new(format!("{item} is too large for an id")).hint(format!(
                        "ids lie between {} and {}",
                        i64::MIN,
                        i64::MAX
                    )));
                }
                Err(_) => {
                    return Err(TopologyError::new(format!("«{item}» is not an id")).hint(WORKING));
                }
            }
        }
        Ok(IdsSpec::Explicit(ids))
    }

    /// Return the ids of `n` processes. An explicit list is returned unchanged; [`Network::with_ids`](super::Network::with_ids)
    /// checks its length.
    pub fn resolve(&self, n: u32, seed: u64) -> Vec<i64> {
        let n = i64::from(n);
        match self {
            IdsSpec::Explicit(ids) => ids.clone(),
            IdsSpec::Ascending => (1..=n).collect(),
            IdsSpec::Descending => (1..=n).rev().collect(),
            IdsSpec::Random => {
                let mut ids: Vec<i64> = (1..=n).collect();
                NetworkRng::new(seed, Purpose::Ids).shuffle(&mut ids);
                ids
            }
        }
    }
}

/// The ids by position, with the inverse mapping.
#[derive(Clone, Debug)]
pub(super) struct Ids {
    pub(super) by_process: Vec<i64>,
    /// Built on first use: few algorithms look up a process by its id.
    lookup: OnceLock<Lookup>,
}

/// The inverse of the ids, in three representations, cheapest first.
#[derive(Clone, Debug)]
enum Lookup {
    /// The ids count up from the first, so nothing is stored. This holds for the default ids of large networks.
    Consecutive,
    /// The ids are dense: a table from `id - least` to the process, or [`super::NONE`].
    Table { least: i64, processes: Vec<u32> },
    /// Any other ids: the processes, sorted by id and then by position.
    Sorted(Vec<ProcessId>),
}

impl Ids {
    pub(super) fn new(by_process: Vec<i64>) -> Ids {
        Ids { by_process, lookup: OnceLock::new() }
    }

    /// Return the first process with this id.
    pub(super) fn process(&self, id: i64) -> Option<ProcessId> {
        match self.lookup.get_or_init(|| Lookup::new(&self.by_process)) {
            Lookup::Consecutive => {
                let index = id.checked_sub(*self.by_process.first()?)?;
                (0..self.by_process.len() as i64).contains(&index).then_some(ProcessId(index as u32))
            }
            Lookup::Table { least, processes } => {
                let index = usize::try_from(id.checked_sub(*least)?).ok()?;
                let process = *processes.get(index)?;
                (process != super::NONE).then_some(ProcessId(process))
            }
            Lookup::Sorted(order) => {
                let id_of = |p: ProcessId| self.by_process[p.index()];
                let place = order.partition_point(|&p| id_of(p) < id);
                let process = *order.get(place)?;
                (id_of(process) == id).then_some(process)
            }
        }
    }

    /// Return the first two processes that share an id.
    pub(super) fn duplicate(&self) -> Option<(ProcessId, ProcessId)> {
        let ids = &self.by_process;
        let repeats = match spread(ids) {
            // The dense table suffices to see whether all ids are distinct, as they mostly are.
            Some((least, spread)) => {
                let mut seen = vec![false; spread];
                ids.iter().position(|id| std::mem::replace(&mut seen[(id - least) as usize], true))
            }
            None => (0..).zip(ids).position(|(p, id)| self.process(*id) != Some(ProcessId(p))),
        }?;
        let first = ids.iter().position(|id| *id == ids[repeats])?;
        Some((ProcessId(first as u32), ProcessId(repeats as u32)))
    }
}

/// Return the least id and the size of the range up to the greatest, if the ids are dense.
fn spread(ids: &[i64]) -> Option<(i64, usize)> {
    let least = ids.iter().copied().min()?;
    let greatest = ids.iter().copied().max()?;
    let spread = i128::from(greatest) - i128::from(least) + 1;
    (spread <= 2 * ids.len() as i128).then_some((least, spread as usize))
}

impl Lookup {
    fn new(ids: &[i64]) -> Lookup {
        if ids.windows(2).all(|w| w[0].checked_add(1) == Some(w[1])) {
            return Lookup::Consecutive;
        }
        if let Some((least, spread)) = spread(ids) {
            let mut processes = vec![super::NONE; spread];
            for (p, &id) in (0u32..).zip(ids) {
                let slot = &mut processes[(id - least) as usize];
                *slot = (*slot).min(p);
            }
            return Lookup::Table { least, processes };
        }
        let mut order: Vec<ProcessId> = (0..ids.len() as u32).map(ProcessId).collect();
        order.sort_by_key(|&p| (ids[p.index()], p));
        Lookup::Sorted(order)
    }
}
