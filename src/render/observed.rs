//! Answers about all observations of a run (*possibly*, *definitely*), as text.

use super::cuts::CutReport;
use super::space_time::space_time;
use crate::prose::count;
use crate::trace::cut::Cut;
use crate::trace::observed::{Answer, Method, Modality};

/// The maximum number of cuts named, of those that every run passes through.
const MOST_CUTS: usize = 8;

/// The maximum number of events of a run listed and drawn.
const MOST_EVENTS: usize = 1000;

impl CutReport<'_> {
    /// Return the answer, the method, and the evidence.
    pub fn answer(&self, condition: &str, answer: &Answer, diagram: bool) -> String {
        let word = match answer.modality {
            Modality::Possibly => "possibly",
            Modality::Definitely => "definitely",
        };
        let mut out = match (answer.modality, answer.holds) {
            (Modality::Possibly, true) => {
                let cut =
                    answer.cut.as_ref().map_or(String::new(), |cut| format!(" it holds in the cut {cut}"));
                format!("{word} {condition}: yes,{cut}\n")
            }
            (Modality::Possibly, false) => {
                format!("{word} {condition}: no, it holds in no consistent cut\n")
            }
            (Modality::Definitely, true) => {
                format!(
                    "{word} {condition}: yes, every consistent run passes through a state where it holds\n"
                )
            }
            (Modality::Definitely, false) => {
                let shown = if answer.avoiding.is_some() {
                    "this one, for example"
                } else {
                    "none is shown, the search would take too long"
                };
                format!("{word} {condition}: no, there are consistent runs without such a state: {shown}\n")
            }
        };
        out += &format!("  {}\n", how(answer));
        match (&answer.cut, &answer.avoiding) {
            (Some(cut), _) => {
                out += &format!("\nglobal state\n{}", self.event_names().global_state(cut));
                if diagram {
                    out += &format!("\n{}", self.diagram(cut));
                }
            }
            (_, Some(order)) => {
                let tell = self.event_names();
                let shown = order.len().min(MOST_EVENTS);
                let events: Vec<String> = order[..shown].iter().map(|event| tell.event(*event)).collect();
                let more = match order.len() - shown {
                    0 => String::new(),
                    more => format!(" … and {more} more (`--json` has all)"),
                };
                out += &format!("\n  {}{more}\n", events.join(" "));
                if diagram && more.is_empty() {
                    let silent = |event: &usize| self.histories.is_initial(*event);
                    let starts = (0..self.trace.events.len()).filter(silent);
                    let drawn = self.reordered(starts.chain(order.iter().copied()));
                    out += &format!("\n{}", space_time(&drawn, self.options));
                }
            }
            _ => out += &self.met(answer),
        }
        out
    }

    /// Return the reason why every run satisfies the condition.
    fn met(&self, answer: &Answer) -> String {
        let mut out = String::new();
        if !answer.met.is_empty() {
            let shown: Vec<String> = answer.met.iter().take(MOST_CUTS).map(Cut::to_string).collect();
            let more = match answer.met.len().saturating_sub(MOST_CUTS) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            out += &format!("  every run passes through {}{more}\n", shown.join(" or "));
        }
        for interval in &answer.intervals {
            let events = self.histories.of_process(interval.process);
            let tell = self.event_names();
            let at = |number: u32| {
                events.get(number as usize - 1).map_or(String::new(), |e| tell.event_with_number(*e))
            };
            let from = match interval.from {
                0 => "from the beginning".to_string(),
                number => format!("from {}", at(number)),
            };
            let until = match interval.until {
                None => "to the end".to_string(),
                Some(number) => format!("until {}", at(number)),
            };
            out += &format!("  {} satisfies its conjunct {from} {until}\n", tell.name(interval.process));
        }
        if answer.modality == Modality::Definitely && answer.intervals.len() > 1 {
            out += "  each of these intervals begins before any of them can end\n";
        }
        out
    }
}

fn how(answer: &Answer) -> String {
    let cuts = count(answer.cuts as usize, "consistent cut");
    match answer.method {
        Method::Lattice => format!("by the lattice (Cooper and Marzullo): {cuts} examined"),
        Method::Conjunctive => {
            let avoiding = match answer.cuts {
                0 => String::new(),
                _ => format!("; {cuts} examined for a run that avoids it"),
            };
            format!(
                "by intervals of single processes (Garg and Waldecker): {} and {} examined{avoiding}",
                count(answer.local_states as usize, "local state"),
                match answer.compared {
                    1 => "1 pair of intervals".to_string(),
                    n => format!("{n} pairs of intervals"),
                }
            )
        }
    }
}
