//! The joint result of many runs, as text.

use crate::cli::output::table;
use crate::cli::run::batch::body::{OutcomeBody, PropertyBody, Range, RunsBody};
use crate::property::quoted_premises;
use crate::prose::counted;
use crate::trace::End;

impl RunsBody {
    /// Return the text for `--quiet`: the verdict, the outcomes stuck and aborted, and the violated properties.
    pub(super) fn brief(&self) -> String {
        let bad = |o: &&OutcomeBody| matches!(o.outcome, End::Stuck | End::Aborted) && o.runs > o.given_up;
        let mut rows: Vec<Vec<String>> = self.outcomes.iter().filter(bad).map(OutcomeBody::row).collect();
        let violated = self.properties.iter().filter(|property| property.promised && property.violated > 0);
        rows.extend(violated.map(|property| property.row(self.runs)));
        let lines = std::iter::once(self.verdict()).chain(table(&rows));
        lines.map(|line| line + "\n").collect()
    }

    pub(super) fn text(&self, is_default: bool) -> String {
        let mut text =
            format!("{} on {} · schedule {}\n", self.algorithm, self.network.topology, self.schedule);
        if is_default {
            text += "(a small network of the assumed topology; --on chooses another)\n";
        }
        text += &self.remarks;
        text += &format!("\n{}\n\n", self.verdict());
        let mut rows: Vec<Vec<String>> = self.outcomes.iter().map(OutcomeBody::row).collect();
        let ranges = [
            ("steps", Some(&self.steps)),
            ("messages", Some(&self.messages)),
            ("bits", Some(&self.bits)),
            ("time", Some(&self.time)),
            ("rounds", self.rounds.as_ref()),
            ("moves", self.moves.as_ref()),
        ];
        let ranges = ranges.into_iter().filter_map(|(what, range)| Some((what, range?)));
        rows.extend(ranges.map(|(what, range)| vec![what.into(), range.text(), String::new()]));
        for action in &self.actions.never_seen {
            rows.push(vec!["never occurs".into(), action.clone()]);
        }
        for guard in &self.actions.never_taken {
            rows.push(vec!["never taken".into(), guard.guard.clone(), guard.at.clone()]);
        }
        text += &(table(&rows).join("\n") + "\n");
        if !self.properties.is_empty() {
            text += "\nproperties\n";
        }
        let rows: Vec<Vec<String>> = self.properties.iter().map(|property| property.row(self.runs)).collect();
        for (line, property) in table(&rows).iter().zip(&self.properties) {
            text += &format!("  {line}\n");
            let indented = |label: &str, what: &Option<String>| match what {
                Some(what) if !what.is_empty() => format!("    {label}{what}\n"),
                _ => String::new(),
            };
            text += &indented("", &property.why);
            text += &indented("", &property.crashed_within.as_ref().map(|command| command.remark.clone()));
            text += &indented("replay: ", &property.replay);
        }
        text
    }
}

impl Range {
    pub(super) fn text(&self) -> String {
        match self.least == self.greatest {
            true => self.least.to_string(),
            false => format!("{} to {}, {:.1} on average", self.least, self.greatest, self.mean),
        }
    }
}

impl OutcomeBody {
    fn row(&self) -> Vec<String> {
        let seed = format!("first with seed {}", self.first_seed);
        let why = self.explanation.as_ref().map_or(String::new(), |why| format!("{seed}: {why}"));
        let runs = match self.given_up {
            0 => counted(self.runs, "run"),
            all if all == self.runs => format!("{}, waived", counted(all, "run")),
            some => format!("{}, {some} of them waived", counted(self.runs, "run")),
        };
        vec![self.outcome.as_str().into(), runs, why]
    }
}

impl PropertyBody {
    pub(super) fn row(&self, runs: u64) -> Vec<String> {
        let of = |n: u64| if n == runs { format!("all {runs}") } else { format!("{n} of {runs}") };
        let verdict = match (self.violated, self.pending, self.not_checked) {
            (0, 0, 0) => {
                let held = format!("held in {} runs", of(self.holds));
                match self.never_true.is_empty() {
                    true => held,
                    false => format!("{held}, but {} never came true", quoted_premises(&self.never_true)),
                }
            }
            (0, 0, n) => format!("not checked in {} runs", of(n)),
            (0, n, _) => format!("undecided in {} runs", of(n)),
            (n, _, _) => {
                let seed = self.violating_seed.unwrap_or_default();
                if self.promised {
                    format!("VIOLATED in {} runs, first with seed {seed}", of(n))
                } else {
                    format!("violated in {} runs, first with seed {seed} (not claimed)", of(n))
                }
            }
        };
        vec![self.name.clone(), self.kind.into(), verdict]
    }
}
