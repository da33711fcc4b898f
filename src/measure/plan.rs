//! The runs of a measurement: one for each size, arrangement of ids, and seed.

use super::template;
use serde::{Deserialize, Serialize};

/// Maximum number of sizes: no reader needs a longer table.
const MOST_SIZES: usize = 10_000;
/// Maximum size: larger topologies are rejected elsewhere, with a better message.
const LARGEST: u64 = 1 << 31;

/// The plan of a measurement. Equal plans of equal programs yield equal runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasurePlan {
    /// The program, as the user named it, for commands that reproduce a run.
    pub file: String,
    /// Values of `{n}` in the topology, ascending.
    pub sizes: Vec<u32>,
    /// Topology template: `ring({n})`; see [`template`].
    pub on: String,
    /// Arrangements of ids, as `--ids` takes them.
    pub ids: Vec<String>,
    pub first_seed: u64,
    /// Number of runs for each size and arrangement, with consecutive seeds.
    pub runs: u64,
    pub schedule: String,
    /// Step limit of a run; `None`: the default.
    pub max_steps: Option<u64>,
    /// Properties to check; empty: those that the end of a run decides.
    pub properties: Vec<String>,
    /// Other options of the instance as typed: parameters, initiators, faults.
    pub flags: Vec<String>,
}

/// One run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Index among all runs of the plan.
    pub number: u64,
    /// Index into `sizes` and `ids`.
    pub size: usize,
    pub ids: usize,
    pub seed: u64,
}

impl MeasurePlan {
    /// Return the number of runs.
    pub fn total(&self) -> u64 {
        (self.sizes.len() as u64) * (self.ids.len() as u64) * self.runs
    }

    /// Return the run with this number, which is less than [`MeasurePlan::total`].
    pub fn task(&self, number: u64) -> Task {
        let (group, nth) = (number / self.runs, number % self.runs);
        let ids = self.ids.len() as u64;
        Task {
            number,
            size: (group / ids) as usize,
            ids: (group % ids) as usize,
            seed: self.first_seed + nth,
        }
    }

    /// Return the topology template for display, without braces: `ring(n)`.
    pub fn topologies(&self) -> String {
        self.on.replace(['{', '}'], "")
    }

    /// Return the topology of a size, as `--on` takes it.
    ///
    /// # Errors
    /// If the template has an error, or no value for this size.
    pub fn topology(&self, size: usize) -> Result<String, String> {
        template::fill(&self.on, self.sizes[size])
    }

    /// Return the command that reproduces one of the runs with full monitoring.
    ///
    /// # Errors
    /// The sizes of [`MeasurePlan::topology`].
    pub fn reproducing_command(&self, task: &Task) -> Result<Vec<String>, String> {
        let mut words = self.command(self.topology(task.size)?, &self.ids[task.ids]);
        words.extend(["--schedule".into(), self.schedule.clone(), "--seed".into(), task.seed.to_string()]);
        Ok(words)
    }

    /// Return `synod run FILE --on … --ids …` with the options of the instance, without schedule and seed.
    pub fn command(&self, topology: String, ids: &str) -> Vec<String> {
        let mut words: Vec<String> = vec!["synod".into(), "run".into(), self.file.clone()];
        words.extend(["--on".into(), topology]);
        // Defaults are omitted.
        if ids != "ascending" {
            words.extend(["--ids".into(), ids.into()]);
        }
        words.extend(self.flags.iter().cloned());
        if let Some(steps) = self.max_steps {
            words.extend(["--max-steps".into(), steps.to_string()]);
        }
        words
    }
}

/// Parse sizes: `4..4096` doubles, `4..64:4` adds 4, `4,8,100` is a list; lists may contain ranges.
///
/// # Errors
/// One sentence without a full stop.
pub fn sizes(text: &str) -> Result<Vec<u32>, String> {
    let mut all = Vec::new();
    for part in text.split(',').map(str::trim) {
        let Some((from, to)) = part.split_once("..") else {
            all.push(size(part)?);
            continue;
        };
        let (to, step) = match to.split_once(':') {
            Some((to, step)) => (to, Some(size(step.trim())?)),
            None => (to, None),
        };
        let (from, to) = (size(from.trim())?, size(to.trim())?);
        if from > to {
            return Err(format!("{part} is empty: {from} is greater than {to}"));
        }
        let next = |n: &u32| match step {
            Some(step) => n.checked_add(step),
            None => n.checked_mul(2),
        };
        let range = std::iter::successors(Some(from), next).take_while(|n| *n <= to);
        all.extend(range.take(MOST_SIZES + 1));
        if all.len() > MOST_SIZES {
            return Err(format!("{part} has more than {MOST_SIZES} sizes"));
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

fn size(text: &str) -> Result<u32, String> {
    let number: Option<u64> = match text.split_once('^') {
        Some((base, exponent)) => {
            let base: Option<u64> = base.parse().ok();
            base.zip(exponent.parse().ok()).and_then(|(base, exponent)| base.checked_pow(exponent))
        }
        None => text.replace('_', "").parse().ok(),
    };
    match number {
        Some(0) => Err("a network has at least 1 process".into()),
        Some(n) if n < LARGEST => Ok(n as u32),
        Some(n) => Err(format!("no network has {n} processes")),
        None => Err(match text.split_once('-') {
            Some((from, to)) if from.parse::<u64>().is_ok() && to.parse::<u64>().is_ok() => {
                format!("a range of sizes is written {from}..{to}")
            }
            _ => format!("«{text}» is not a size: sizes are written 8, 4..64, or 4,8,16"),
        }),
    }
}

/// Parse arrangements of ids: names such as `random,worst`, or one list of numbers.
///
/// # Errors
/// If names and numbers are mixed, or a name is unknown.
pub fn arrangements(text: &str) -> Result<Vec<String>, String> {
    const NAMES: [&str; 4] = ["ascending", "descending", "random", "worst"];
    let inner = text.trim();
    let inner = inner.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(inner);
    let words: Vec<&str> = inner.split(',').map(str::trim).collect();
    if words.iter().all(|word| word.parse::<i64>().is_ok()) {
        return Ok(vec![words.join(",")]);
    }
    let mut names: Vec<String> = Vec::new();
    for word in words {
        if !NAMES.contains(&word) {
            return Err(format!("«{word}» is not an arrangement of ids"));
        }
        if !names.iter().any(|name| name == word) {
            names.push(word.into());
        }
    }
    Ok(names)
}

/// Quote a word for a shell if necessary.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=,./:@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
