//! Coverage: the number of programs in which each switch met each effective reduction.

use crate::random::compare::Effects;
use crate::random::examine::Examined;
use crate::random::specified::Covered;
use crate::random::switches::{Switch, Switches};
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Default)]
pub struct Coverage {
    programs: u64,
    refused: u64,
    /// The number of programs that need too much memory.
    skipped: u64,
    complete: u64,
    configurations: u64,
    /// The number of programs that the specification covered.
    specified: u64,
    /// The reasons for which programs were not covered, and their frequencies.
    unspecified: BTreeMap<String, u64>,
    /// The numbers of programs that violated a property, aborted, had a deadlock, or met each reduction.
    totals: BTreeMap<&'static str, u64>,
    /// The number of programs that used each switch, in total and with each effect.
    by_switch: BTreeMap<Switch, BTreeMap<&'static str, u64>>,
}

const REDUCTIONS: [&str; 6] =
    ["symmetry", "twins", "partial order", "dead messages", "forgotten wake-ups", "view"];

/// The key of the total number of programs that used a switch.
const PROGRAMS: &str = "programs";

impl Coverage {
    pub fn add(&mut self, used: &Switches, examined: &Examined) {
        self.programs += 1;
        if examined.refused.is_some() {
            self.refused += 1;
            return;
        }
        if examined.is_skipped {
            self.skipped += 1;
            return;
        }
        let effects: &Effects = &examined.effects;
        self.complete += u64::from(effects.complete);
        self.configurations += effects.configurations;
        match &effects.covered {
            Covered::Compared => self.specified += 1,
            Covered::TooLarge => *self.unspecified.entry("too large".into()).or_default() += 1,
            Covered::Refused(why) => *self.unspecified.entry(why.clone()).or_default() += 1,
        }
        let mut met = vec![PROGRAMS];
        met.extend(effects.reductions().into_iter().filter(|(_, met)| *met).map(|(name, _)| name));
        for switch in used.all() {
            let row = self.by_switch.entry(switch).or_default();
            met.iter().for_each(|name| *row.entry(name).or_default() += 1);
        }
        let totals =
            [("violated", effects.violated), ("aborts", effects.aborts), ("deadlocks", effects.deadlocks)];
        let totals = totals.into_iter().chain([("compared near the start", effects.near_the_start)]);
        let history = effects.history.iter().map(|name| (*name, true));
        let totals = totals.chain(effects.reductions()).chain(history);
        for (name, _) in totals.filter(|(_, met)| *met) {
            *self.totals.entry(name).or_default() += 1;
        }
    }

    /// Return the fraction of programs that Synod accepted.
    pub fn accepted(&self) -> f64 {
        (self.programs - self.refused) as f64 / self.programs.max(1) as f64
    }

    pub fn programs(&self) -> u64 {
        self.programs
    }

    pub fn complete(&self) -> u64 {
        self.complete
    }

    pub fn specified(&self) -> u64 {
        self.specified
    }

    pub fn total(&self, name: &str) -> u64 {
        self.totals.get(name).copied().unwrap_or(0)
    }

    pub fn summary(&self) -> String {
        let mut text = format!(
            "{} programs, {} refused, {} skipped, {} explored completely, {} covered by the specification, {} configurations",
            self.programs, self.refused, self.skipped, self.complete, self.specified, self.configurations
        );
        for (name, count) in &self.totals {
            let _ = write!(text, ", {name} {count}");
        }
        text
    }

    pub fn table(&self) -> String {
        let mut text = self.summary();
        for (why, count) in &self.unspecified {
            let _ = write!(text, "\nnot specified ({count}): {why}");
        }
        let _ = write!(text, "\n\n{:<22}{PROGRAMS:>10}", "switch");
        REDUCTIONS.iter().for_each(|name| _ = write!(text, "{name:>15}"));
        let of = |switch: Switch, name: &str| {
            self.by_switch.get(&switch).and_then(|row| row.get(name)).copied().unwrap_or(0)
        };
        let mut never: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for switch in Switch::ALL.iter().copied() {
            let _ = write!(text, "\n{:<22}{:>10}", format!("{switch:?}"), of(switch, PROGRAMS));
            for name in REDUCTIONS {
                let _ = write!(text, "{:>15}", of(switch, name));
            }
            for name in [PROGRAMS].into_iter().chain(REDUCTIONS).filter(|name| of(switch, name) == 0) {
                never.entry(name).or_default().push(format!("{switch:?}"));
            }
        }
        text.push('\n');
        for (name, switches) in never {
            let _ = write!(text, "\nnever met ({name}): {}", switches.join(" "));
        }
        text
    }
}
