//! Measurements as files: a header that says what is measured, then a line for each finished run (JSON Lines).
//!
//! One form serves three purposes: an interrupted measurement goes on from its journal, a part of a measurement made
//! elsewhere is a shard, and shards are merged. Lines stand in the order in which runs were finished.

use super::plan::MeasurePlan;
use super::sample::{Sample, bounds};
use crate::ir::{Compare, Program, Property};
use crate::property::Cost;
use crate::property::kind_word;
use crate::syntax::ast::Metric;
use crate::trace::hash;
use crate::trace::show::Show;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Version of the form; a reader refuses any other.
pub const FORMAT: u32 = 1;

/// What is measured, down to the program's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    #[serde(rename = "synod_measure")]
    pub format: u32,
    /// Version of Synod that makes the runs.
    pub synod: String,
    pub algorithm: String,
    /// See [`hash::source`].
    #[serde(with = "hash::hex")]
    pub source: u64,
    pub plan: MeasurePlan,
    /// Names of the kinds of messages; what samples count by kind is in this order.
    pub kinds: Vec<String>,
    pub bounds: Vec<Bounded>,
    /// The part of the runs that this file is for; None: all.
    pub shard: Option<Shard>,
}

/// A `bound` or `exactly` of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounded {
    pub name: String,
    /// `bound` or `exactly`.
    pub kind: String,
    /// As written: `messages <= n * (n + 1) div 2`.
    pub text: String,
    /// `<=`, `=`, `>=` and so on; None: it compares no measure with a number.
    pub sign: Option<Sign>,
    /// The measure whose total it limits, so that it can be drawn with it: `messages`; None: some part, or a sum.
    pub of: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// The i-th of k parts: the runs whose numbers are i - 1, i - 1 + k, …, so that all parts have runs of all sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    pub part: u64,
    pub of: u64,
}

impl Shard {
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Reads `2/5`.
    ///
    /// # Errors
    /// When it is something else, or there is no such part.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(i, k)| Some((i.parse().ok()?, k.parse().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of => Ok(Shard { part, of }),
            Some((part, of)) => Err(format!("there is no part {part} of {of}")),
            None => Err(format!("«{text}» is no part: 2/5 is the second of five")),
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
            bounds: bounds(program).map(|property| Bounded::of(program, property)).collect(),
            shard,
        }
    }

    /// How many runs are to be made: of the shard, where it is one.
    pub fn runs(&self) -> u64 {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let total = self.plan.total();
        total / shard.of + u64::from(shard.part <= total % shard.of)
    }

    /// Their numbers, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        (shard.part - 1..self.plan.total()).step_by(usize::try_from(shard.of).unwrap_or(usize::MAX))
    }

    /// In what two measurements differ, shards apart; None: they are one.
    pub fn difference(&self, other: &Header) -> Option<String> {
        let (a, b) = (&self.plan, &other.plan);
        let list = |words: &[String]| match words.is_empty() {
            true => "none".into(),
            false => words.join(" "),
        };
        let sizes = |plan: &MeasurePlan| plan.sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let limit = |plan: &MeasurePlan| plan.max_steps.map_or("as usual".into(), |steps| steps.to_string());
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
            ("limits of steps", limit(a), limit(b)),
            ("properties", list(&a.properties), list(&b.properties)),
            ("flags", list(&a.flags), list(&b.flags)),
        ];
        let different = pairs.into_iter().find(|(_, a, b)| a != b);
        different.map(|(what, a, b)| format!("their {what} differ: {a} and {b}"))
    }

    /// Its line, with a newline.
    pub fn line(&self) -> String {
        line(self)
    }
}

impl Bounded {
    fn of(program: &Program, property: &Property) -> Bounded {
        let text = program.sources.slice(property.span);
        // A doc comment belongs to its clause; what it says is not what the clause says.
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

    /// Is it kept by a run that measured this much against this limit?
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

    /// Does it say how little a run may cost, not how much?
    pub fn is_lower(&self) -> bool {
        matches!(self.sign, Some(Sign::AtLeast | Sign::Above))
    }

    pub fn is_exact(&self) -> bool {
        matches!(self.sign, Some(Sign::Exactly))
    }
}

impl Sample {
    /// Its line, with a newline.
    pub fn line(&self) -> String {
        line(self)
    }
}

fn line(value: &impl Serialize) -> String {
    // Plain structs with string keys: there is nothing that serde_json could refuse.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// A file that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    pub header: Header,
    pub samples: Vec<Sample>,
    /// So many bytes are whole lines; what follows is a line that was cut off.
    pub whole: usize,
}

impl Journal {
    /// Reads a journal. A last line without its newline was cut off when the measurement was interrupted: it is left out.
    ///
    /// # Errors
    /// One sentence without a full stop, with the number of the line.
    pub fn read(text: &str) -> Result<Journal, String> {
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = (1..).zip(text[..whole].lines());
        let Some((_, first)) = lines.next() else {
            return Err("its first line, which says what is measured, is missing or cut off".into());
        };
        #[derive(Deserialize)]
        struct Version {
            synod_measure: u32,
        }
        match serde_json::from_str(first) {
            Ok(Version { synod_measure: FORMAT }) => {}
            Ok(Version { synod_measure }) => {
                return Err(format!("it has format {synod_measure}, and this Synod reads format {FORMAT}"));
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
            return Err("line 1: it plans no runs that could be made".into());
        }
        let (mut samples, mut seen) = (Vec::new(), BTreeSet::new());
        for (number, line) in lines {
            let sample: Sample = parse(number, line)?;
            let run = sample.run;
            if run >= plan.total() || !shard.has(run) {
                return Err(format!("line {number}: run {run} is not one of those that this file is for"));
            }
            if sample.sent.len() != header.kinds.len() || sample.bounds.len() != header.bounds.len() {
                return Err(format!(
                    "line {number}: it counts other messages or bounds than the first line names"
                ));
            }
            if !seen.insert(run) {
                return Err(format!("line {number}: run {run} is there twice"));
            }
            samples.push(sample);
        }
        Ok(Journal { header, samples, whole })
    }
}

fn parse<T: for<'a> Deserialize<'a>>(number: u64, line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        // serde says «at line 1 column 7», and means our line.
        let said = error.to_string().replace(" at line 1 column ", " at column ");
        format!("line {number}: {said}")
    })
}

/// The whole from its parts, which have names for messages. Samples come in the order of their numbers.
///
/// # Errors
/// When they are not the parts of one measurement, each once and complete.
pub fn merge(parts: Vec<(String, Journal)>) -> Result<(Header, Vec<Sample>), String> {
    let Some((first, journal)) = parts.first() else {
        return Err("there is nothing to merge".into());
    };
    let (first, header) = (first.clone(), Header { shard: None, ..journal.header.clone() });
    let of = journal.header.shard.unwrap_or(Shard::WHOLE).of;
    let mut names: Vec<Option<String>> =
        vec![None; usize::try_from(of).unwrap_or(usize::MAX).min(parts.len())];
    let mut samples = Vec::new();
    for (name, part) in parts {
        if let Some(difference) = header.difference(&part.header) {
            return Err(format!("{first} and {name} are of different measurements: {difference}"));
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
            // There are fewer files than parts: what is missing is said below.
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
        return Err("a part is there twice".into());
    }
    Ok((header, samples))
}
