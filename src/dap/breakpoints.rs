//! The breakpoints of the client, and the breakpoints of the timeline that implement them.

use super::protocol::Request;
use crate::session::timeline::Breakpoints;
use std::collections::{BTreeMap, BTreeSet};

/// The purpose of a breakpoint of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    Line,
    /// Print this text, with `{expressions}`, and do not stop.
    Log(String),
    Function,
    Data,
    Crash,
}

/// A breakpoint of the timeline that implements one of the client.
#[derive(Clone, Debug)]
struct Entry {
    /// The id that the client knows.
    id: usize,
    purpose: Purpose,
}

/// A request that set breakpoints: it is repeated when the run is restarted.
#[derive(Clone, Debug)]
pub struct Setting {
    pub request: Request,
    /// The ids of its breakpoints.
    pub ids: Vec<usize>,
    /// Numbers of the breakpoints of the timeline.
    numbers: Vec<usize>,
}

/// All breakpoints.
#[derive(Default)]
pub struct BreakpointTable {
    /// The breakpoints of the timeline.
    pub looks: Breakpoints,
    by_number: BTreeMap<usize, Entry>,
    /// The settings by what they replace: a source, the functions, the data, the exceptions.
    settings: BTreeMap<String, Setting>,
    /// The exception filters; `None`: the client has sent none.
    pub filters: Option<BTreeSet<String>>,
    ids: usize,
}

impl BreakpointTable {
    /// Remove the breakpoints of an earlier request, and note the new one. `ids`: the ids to use again.
    pub fn replace(&mut self, key: String, request: &Request, ids: Option<Vec<usize>>) {
        for number in self.settings.get(&key).into_iter().flat_map(|setting| &setting.numbers) {
            self.looks.remove(*number);
            self.by_number.remove(number);
        }
        let setting = Setting { request: request.clone(), ids: ids.unwrap_or_default(), numbers: Vec::new() };
        self.settings.insert(key, setting);
    }

    /// Return the id of the breakpoint at this position of a request.
    pub fn id(&mut self, key: &str, position: usize) -> usize {
        let Some(setting) = self.settings.get_mut(key) else { return 0 };
        if let Some(id) = setting.ids.get(position) {
            return *id;
        }
        self.ids += 1;
        setting.ids.push(self.ids);
        self.ids
    }

    /// Add a breakpoint of the timeline for one of the client.
    pub fn add(&mut self, key: &str, number: usize, id: usize, purpose: Purpose) {
        self.by_number.insert(number, Entry { id, purpose });
        self.settings.entry(key.to_string()).and_modify(|setting| setting.numbers.push(number));
    }

    pub fn purpose(&self, number: usize) -> Option<Purpose> {
        self.by_number.get(&number).map(|entry| entry.purpose.clone())
    }

    /// Return the id that the client knows; none for breakpoints that it did not set.
    pub fn client_id(&self, number: usize) -> Option<usize> {
        let entry = self.by_number.get(&number)?;
        (entry.purpose != Purpose::Crash).then_some(entry.id)
    }

    /// Return the requests that set the breakpoints of a former run, and continue its numbering.
    pub fn settings_of(&mut self, former: BreakpointTable) -> Vec<Setting> {
        self.ids = former.ids;
        former.settings.into_values().collect()
    }

    /// Return the breakpoints of the timeline at which a run stops.
    pub fn stopping(&self) -> Breakpoints {
        let mut looks = self.looks.clone();
        let logs = self.by_number.iter().filter(|(_, entry)| matches!(entry.purpose, Purpose::Log(_)));
        for (number, _) in logs {
            looks.remove(*number);
        }
        looks
    }
}
