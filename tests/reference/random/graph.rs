//! The explicit graph of configurations, and the verdicts by definition on properties of single configurations and steps.

use crate::memory;
use crate::random::naive::{meaning, successors};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use synod::internals::instance::Instance;
use synod::internals::ir::PropertyKind;
use synod::internals::property::{Judgement, truths};
use synod::internals::semantics::eval::{self, World};
use synod::internals::semantics::{Configuration, History, Metrics, initial, is_end};
use synod::internals::simulate::{Held, classify};

/// All configurations of an instance, found without any reduction.
#[derive(Default)]
pub struct Graph {
    /// The numbers of configurations, by hash of their identity.
    numbers: FxHashMap<u64, Vec<usize>>,
    nodes: Vec<Node>,
    pub configurations: u64,
    /// Configurations in the middle of a joint step, among these.
    pub between: u64,
    pub steps: u64,
    pub depth: u32,
    pub aborts: bool,
    pub ends: BTreeSet<&'static str>,
    pub verdicts: BTreeMap<String, Judgement>,
}

struct Node {
    configuration: Configuration,
    next: Vec<usize>,
    /// All processes have executed their first commands.
    running: bool,
    /// The configuration is within a joint step, where no property is evaluated.
    between: bool,
    at_end: bool,
    depth: u32,
    /// The truth value for each property and each combination of its binders.
    truths: Vec<Option<Vec<Option<bool>>>>,
}

impl Graph {
    /// Build the graph; return None if it has more than `most` configurations.
    pub fn of(instance: &Instance, names: &[String], most: usize) -> Option<Graph> {
        let mut graph = Graph::default();
        let mut open = VecDeque::from([graph.number(instance, initial(instance), 0).0]);
        while let Some(number) = open.pop_front() {
            let from = graph.nodes[number].configuration.clone();
            let (running, depth) = (graph.nodes[number].running, graph.nodes[number].depth);
            let next = successors(instance, &from, &mut graph.aborts);
            if running {
                graph.configurations += 1;
                graph.between += u64::from(graph.nodes[number].between);
                graph.steps += next.len() as u64;
                graph.depth = graph.depth.max(depth);
            }
            for (_, to) in next {
                let (to, new) = graph.number(instance, to, depth + u32::from(running));
                if new {
                    open.push_back(to);
                }
                graph.nodes[number].next.push(to);
            }
            if graph.nodes.len() > most || memory::is_exhausted() {
                return None;
            }
        }
        graph.look(instance, names);
        Some(graph)
    }

    fn find(&self, instance: &Instance, configuration: &Configuration) -> (u64, Option<usize>) {
        let key = meaning(instance, configuration);
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        let same = self.numbers.get(&hash).into_iter().flatten().copied();
        let mut same = same.filter(|n| meaning(instance, &self.nodes[*n].configuration) == key);
        (hash, same.next())
    }

    pub fn contains(&self, instance: &Instance, configuration: &Configuration) -> bool {
        self.find(instance, configuration).1.is_some()
    }

    fn number(&mut self, instance: &Instance, configuration: Configuration, depth: u32) -> (usize, bool) {
        let (hash, found) = self.find(instance, &configuration);
        if let Some(number) = found {
            return (number, false);
        }
        let number = self.nodes.len();
        self.numbers.entry(hash).or_default().push(number);
        let running = configuration.next_to_start().is_none();
        self.nodes.push(Node {
            running,
            between: configuration.in_joint_step(),
            at_end: running && is_end(instance, &configuration),
            configuration,
            next: vec![],
            depth,
            truths: vec![],
        });
        (number, true)
    }

    fn look(&mut self, instance: &Instance, names: &[String]) {
        let properties: Vec<usize> = (0..instance.program.properties.len())
            .filter(|p| names.contains(&instance.program.properties[*p].name))
            .collect();
        for node in &mut self.nodes {
            if !node.running {
                continue;
            }
            if node.at_end {
                self.ends.insert(classify(instance, &node.configuration, &Held::default()).as_str());
            }
            node.truths = properties.iter().map(|p| evaluate(instance, *p, &node.configuration)).collect();
        }
        for (place, property) in properties.iter().enumerate() {
            let property = &instance.program.properties[*property];
            let judgement = match property.kind {
                // Every start aborts: no configuration exists in which properties could be evaluated.
                _ if self.configurations == 0 => Judgement::NotChecked,
                PropertyKind::Invariant => self.never_false(place, false),
                PropertyKind::Finally => self.never_false(place, true),
                PropertyKind::Stable => self.never_lost(place),
                _ => continue,
            };
            self.verdicts.insert(property.name.clone(), judgement);
        }
    }

    /// Return the judgement of a property that must be true in every configuration, or in every end.
    fn never_false(&self, place: usize, at_ends: bool) -> Judgement {
        let nodes = self.nodes.iter().filter(|n| n.running && !n.between && (!at_ends || n.at_end));
        let mut judgement = Judgement::Holds;
        for node in nodes {
            let Some(truths) = &node.truths[place] else {
                judgement = Judgement::NotChecked;
                continue;
            };
            if truths.contains(&Some(false)) {
                return Judgement::Violated;
            }
            if truths.contains(&None) {
                judgement = Judgement::NotChecked;
            }
        }
        judgement
    }

    /// Return the judgement of a property that no step may make false.
    fn never_lost(&self, place: usize) -> Judgement {
        let mut judgement = Judgement::Holds;
        for (number, node) in self.nodes.iter().enumerate().filter(|(_, n)| n.running && !n.between) {
            let Some(before) = &node.truths[place] else {
                judgement = Judgement::NotChecked;
                continue;
            };
            if before.contains(&None) {
                judgement = Judgement::NotChecked;
            }
            for next in self.after_joint_step(number) {
                let Some(after) = &self.nodes[next].truths[place] else { continue };
                if before.iter().zip(after).any(|sides| sides == (&Some(true), &Some(false))) {
                    return Judgement::Violated;
                }
            }
        }
        judgement
    }

    /// Return the following configurations that are not within a joint step.
    fn after_joint_step(&self, number: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = self.nodes[number].next.clone();
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            match self.nodes[next].between {
                true => open.extend(&self.nodes[next].next),
                false => _ = found.insert(next),
            }
        }
        found
    }
}

/// Evaluate a property for each combination of its binders; return None if a set of a binder cannot be evaluated.
pub fn evaluate(
    instance: &Instance,
    property: usize,
    configuration: &Configuration,
) -> Option<Vec<Option<bool>>> {
    let metrics = Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
    let history = History::new(0);
    let world = World { configuration, metrics: &metrics, history: &history };
    let property = &instance.program.properties[property];
    let all = eval::with_global_frame(instance, Some(world), |env| truths(property, env)).ok();
    all.map(|(all, _)| all.into_iter().map(|sides| sides.right).collect())
}
