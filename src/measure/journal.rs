//! Measurements as files (JSON Lines): a header with the plan, then a line for each finished run.
//!
//! The format serves three purposes: an interrupted measurement resumes from its journal, a part of a measurement made
//! elsewhere is a shard, and shards are merged. Lines are in the order in which runs finished.

use super::plan::MeasurePlan;
use super::sample::{Sample, bounds};
use crate::ir::{Compare, Metric, Program, Property};
use crate::property::{Cost, kind_word};
use crate::trace::hash;
use crate::trace::show::Show;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Version of the format; a reader rejects any other.
pub const FORMAT: u32 = 1;

/// The measurement: plan, program and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    #[serde(rename = "synod_measure")]
    pub format: u32,
    /// Version of Synod that makes the runs.
    pub synod: String,
    pub algorithm: String,
    /// Hash of the program text; see [`hash::source`].
    #[serde(with = "hash::hex")]
    pub source: u64,
    pub plan: MeasurePlan,
    /// Names of the message kinds, in the order of the counts in samples.
    pub kinds: Vec<String>,
    /// Names of the operations of the problem, in the order of the counts in samples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<String>,
    pub bounds: Vec<Bounded>,
    /// The shard of this file; `None`: all runs.
    pub shard: Option<Shard>,
}

/// A `bound` or `exactly` of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bounded {
    pub name: String,
    /// `bound` or `exactly`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["bound", "exactly"])))]
    pub kind: String,
    /// Source text: `messages <= n * (n + 1) div 2`.
    pub text: String,
    /// Comparison: `<=`, `=`, `>=`, …; `None` if it does not compare a measure with a number.
    pub sign: Option<Sign>,
    /// The measure whose total is limited, such as `messages`, so that both are drawn together; `None` for a part or a
    /// sum.
    pub of: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum Sign {
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "<")]
    Below,
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = ">")]
    Above,
    #[serde(rename = "=")]
    Exactly,
    #[serde(rename = "!=")]
    Not,
}

/// The i-th of k parts: the runs with the numbers i - 1, i - 1 + k, …, so that all parts have runs of all sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    pub part: u64,
    pub of: u64,
}

impl Shard {
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Parse `2/5`.
    ///
    /// # Errors
    /// If the text is malformed, or there is no such part.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(i, k)| Some((i.parse().ok()?, k.parse().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of => Ok(Shard { part, of }),
            Some((part, of)) => Err(format!("no part {part} of {of}")),
            None => Err(format!("«{text}» is not a part: write 2/5 for the second of five")),
        }
    }

    pub fn has(&self, run: u64) -> bool {
        run % self.of == self.part - 1
    }
}

impl Header {
    pub fn of(program: &Program, plan: MeasurePlan, shard: Option<Shard>) -> Header {
        let show = Show::new(program);
        let name = |kind| match show.kind(kind) {
            name if name.is_empty() => "(value)".into(),
            name => name,
        };
        Header {
            format: FORMAT,
            synod: env!("CARGO_PKG_VERSION").into(),
            algorithm: program.name.clone(),
            source: hash::source(&program.sources),
            plan,
            kinds: program.kinds.iter().map(name).collect(),
            operations: (program.operations.iter())
                .map(|operation| operation.alias.as_ref().unwrap_or(&operation.name).clone())
                .collect(),
            bounds: bounds(program).map(|property| Bounded::of(program, property)).collect(),
            shard,
        }
    }

    /// Return the number of runs of the shard.
    pub fn runs(&self) -> u64 {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let total = self.plan.total();
        total / shard.of + u64::from(shard.part <= total % shard.of)
    }

    /// Return the numbers of the runs, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        (shard.part - 1..self.plan.total()).step_by(usize::try_from(shard.of).unwrap_or(usize::MAX))
    }

    /// Describe the first difference between two measurements, apart from their shards; `None` if they are the same.
    pub fn difference(&self, other: &Header) -> Option<String> {
        let (a, b) = (&self.plan, &other.plan);
        let list = |words: &[String]| match words.is_empty() {
            true => "none".into(),
            false => words.join(" "),
        };
        let sizes = |plan: &MeasurePlan| plan.sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let limit = |plan: &MeasurePlan| plan.max_steps.map_or("default".into(), |steps| steps.to_string());
        let pairs = [
            ("versions of Synod", self.synod.clone(), other.synod.clone()),
            ("algorithms", self.algorithm.clone(), other.algorithm.clone()),
            ("texts of the program", hash::show(self.source), hash::show(other.source)),
            ("sizes", sizes(a), sizes(b)),
            ("topologies", a.on.clone(), b.on.clone()),
            ("ids", a.ids.join(","), b.ids.join(",")),
            ("first seeds", a.first_seed.to_string(), b.first_seed.to_string()),
            ("numbers of runs", a.runs.to_string(), b.runs.to_string()),
            ("schedules", a.schedule.clone(), b.schedule.clone()),
            ("step limits", limit(a), limit(b)),
            ("properties", list(&a.properties), list(&b.properties)),
            ("flags", list(&a.flags), list(&b.flags)),
        ];
        let different = pairs.into_iter().find(|(_, a, b)| a != b);
        different.map(|(what, a, b)| format!("their {what} differ: {a} and {b}"))
    }

    /// Return the header line, with a newline.
    pub fn line(&self) -> String {
        line(self)
    }
}

impl Bounded {
    fn of(program: &Program, property: &Property) -> Bounded {
        let text = program.sources.slice(property.span);
        // The text of a clause includes its doc comment, which is removed.
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
        let text = words.join(" ");
        let text = text.split_once(": ").map_or(text.clone(), |(_, formula)| formula.to_string());
        let sign = Cost::comparison(property).map(|compare| match compare {
            Compare::LessEqual => Sign::AtMost,
            Compare::Less => Sign::Below,
            Compare::GreaterEqual => Sign::AtLeast,
            Compare::Greater => Sign::Above,
            Compare::Equal => Sign::Exactly,
            Compare::NotEqual => Sign::Not,
        });
        let whole = property.bound.as_ref().filter(|bound| bound.of.is_none());
        let measure = |metric| match metric {
            Metric::Messages => "messages",
            Metric::MessagesToSelf => "messages to self",
            Metric::Bits => "bits",
            Metric::Time => "time",
            Metric::Rounds => "rounds",
        };
        Bounded {
            name: property.name.clone(),
            kind: kind_word(property.kind).into(),
            text,
            sign,
            of: whole.map(|bound| measure(bound.metric).into()),
        }
    }

    /// Whether a run with this measured value keeps this limit.
    pub fn is_kept(&self, measured: i64, limit: i64) -> bool {
        match self.sign {
            Some(Sign::AtMost) | None => measured <= limit,
            Some(Sign::Below) => measured < limit,
            Some(Sign::AtLeast) => measured >= limit,
            Some(Sign::Above) => measured > limit,
            Some(Sign::Exactly) => measured == limit,
            Some(Sign::Not) => measured != limit,
        }
    }

    /// Whether the bound is a lower limit.
    pub fn is_lower(&self) -> bool {
        matches!(self.sign, Some(Sign::AtLeast | Sign::Above))
    }

    pub fn is_exact(&self) -> bool {
        matches!(self.sign, Some(Sign::Exactly))
    }
}

impl Sample {
    /// Return the line of the sample, with a newline.
    pub fn line(&self) -> String {
        line(self)
    }
}

fn line(value: &impl Serialize) -> String {
    // Serialization of plain structs with string keys cannot fail.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// A journal that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    pub header: Header,
    pub samples: Vec<Sample>,
    /// Length of the complete lines in bytes; an incomplete line may follow.
    pub whole: usize,
}

impl Journal {
    /// Parse a journal. An incomplete last line, from an interrupted measurement, is ignored.
    ///
    /// # Errors
    /// One sentence without a full stop, with the line number.
    pub fn read(text: &str) -> Result<Journal, String> {
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = (1..).zip(text[..whole].lines());
        let Some((_, first)) = lines.next() else {
            return Err("the header line is missing or incomplete".into());
        };
        #[derive(Deserialize)]
        struct Version {
            synod_measure: u32,
        }
        match serde_json::from_str(first) {
            Ok(Version { synod_measure: FORMAT }) => {}
            Ok(Version { synod_measure }) => {
                return Err(format!("it has format {synod_measure}, but this Synod reads format {FORMAT}"));
            }
            Err(_) => return Err("it does not begin with {\"synod_measure\":1, …}".into()),
        }
        let header: Header = parse(1, first)?;
        let plan = &header.plan;
        let usable = !plan.sizes.is_empty() && !plan.ids.is_empty() && plan.runs > 0;
        let total = (plan.sizes.len() as u64).checked_mul(plan.ids.len() as u64);
        let total = total.and_then(|total| total.checked_mul(plan.runs));
        let seeds = plan.first_seed.checked_add(plan.runs);
        let shard = header.shard.unwrap_or(Shard::WHOLE);
        if !usable || total.is_none() || seeds.is_none() || shard.part < 1 || shard.part > shard.of {
            return Err("line 1: the plan contains no possible runs".into());
        }
        let (mut samples, mut seen) = (Vec::new(), BTreeSet::new());
        for (number, line) in lines {
            let sample: Sample = parse(number, line)?;
            let run = sample.run;
            if run >= plan.total() || !shard.has(run) {
                return Err(format!("line {number}: run {run} does not belong to this file"));
            }
            if sample.sent.len() != header.kinds.len() || sample.bounds.len() != header.bounds.len() {
                return Err(format!("line {number}: its messages or bounds differ from those of the header"));
            }
            if !seen.insert(run) {
                return Err(format!("line {number}: run {run} occurs twice"));
            }
            samples.push(sample);
        }
        Ok(Journal { header, samples, whole })
    }
}

fn parse<T: for<'a> Deserialize<'a>>(number: u64, line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        // serde says «at line 1 column 7» of the line.
        let said = error.to_string().replace(" at line 1 column ", " at column ");
        format!("line {number}: {said}")
    })
}

/// Merge shards, which have file names for messages. Return the samples in the order of their numbers.
///
/// # Errors
/// If they are not the shards of one measurement, each once and complete.
pub fn merge(parts: Vec<(String, Journal)>) -> Result<(Header, Vec<Sample>), String> {
    let Some((first, journal)) = parts.first() else {
        return Err("no files to merge".into());
    };
    let (first, header) = (first.clone(), Header { shard: None, ..journal.header.clone() });
    let of = journal.header.shard.unwrap_or(Shard::WHOLE).of;
    let mut names: Vec<Option<String>> =
        vec![None; usize::try_from(of).unwrap_or(usize::MAX).min(parts.len())];
    let mut samples = Vec::new();
    for (name, part) in parts {
        if let Some(difference) = header.difference(&part.header) {
            return Err(format!("{first} and {name} belong to different measurements: {difference}"));
        }
        let shard = part.header.shard.unwrap_or(Shard::WHOLE);
        if shard.of != of {
            return Err(format!("{first} is one of {of} parts, and {name} one of {}", shard.of));
        }
        let missing = part.header.runs() - part.samples.len() as u64;
        if missing > 0 {
            return Err(format!(
                "{name} lacks {missing} of its {} runs; --resume {name} with the same settings makes them",
                part.header.runs()
            ));
        }
        match names.get_mut((shard.part - 1) as usize) {
            Some(Some(other)) => {
                return Err(format!("{other} and {name} are both part {} of {of}", shard.part));
            }
            Some(place) => *place = Some(name),
            // With fewer files than parts, the missing part is reported below.
            None => {}
        }
        samples.extend(part.samples);
    }
    let found: BTreeSet<u64> = samples.iter().map(|sample| sample.run % of).collect();
    if let Some(missing) = (0..of.min(header.plan.total())).find(|part| !found.contains(part)) {
        return Err(format!("part {} of {of} is missing", missing + 1));
    }
    samples.sort_by_key(|sample| sample.run);
    if samples.windows(2).any(|pair| pair[0].run == pair[1].run) {
        return Err("a part occurs twice".into());
    }
    Ok((header, samples))
}
