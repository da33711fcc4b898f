//! Liveness with probability 1 by its definition: decision processes with at most 32 configurations, and all sets of configurations
//! in which a fair schedule can stay forever.

use std::collections::BTreeMap;
use synod::internals::instance::Instance;
use synod::internals::semantics::choice::Odds;
use synod::internals::semantics::event::Event;
use synod::internals::semantics::{Chooser, Configuration, Machine, enabled, initial};

/// A set of configurations, by number: one bit each.
pub type Set = u32;

/// Return the numbers of the configurations in a set.
pub fn bits(set: Set) -> impl Iterator<Item = usize> {
    (0..Set::BITS as usize).filter(move |state| set >> state & 1 == 1)
}

/// The alternatives of a step: chosen by the schedule, or drawn at random.
pub enum Tree {
    To(usize),
    Choice(Vec<Tree>),
    Chance(Vec<Tree>),
}

impl Tree {
    /// Return the sets of random outcomes, one for each choice of the schedule.
    pub fn outcomes(&self) -> Vec<Set> {
        match self {
            Tree::To(state) => vec![1 << state],
            Tree::Choice(trees) => trees.iter().flat_map(Tree::outcomes).collect(),
            Tree::Chance(trees) => trees.iter().fold(vec![0], |begun, tree| {
                let more = tree.outcomes();
                begun.iter().flat_map(|b| more.iter().map(move |m| b | m)).collect()
            }),
        }
    }
}

/// A chooser that follows given choices, and records the first one that is missing.
#[derive(Default)]
struct Follow<'a> {
    given: &'a [usize],
    at: usize,
    next: Option<(usize, bool)>,
}

impl Follow<'_> {
    fn decide(&mut self, options: usize, chance: bool) -> usize {
        self.at += 1;
        match self.given.get(self.at - 1) {
            Some(choice) => *choice,
            None => {
                self.next.get_or_insert((options, chance));
                0
            }
        }
    }
}

impl Chooser for Follow<'_> {
    fn choose(&mut self, options: usize) -> usize {
        self.decide(options, false)
    }
    fn draw(&mut self, odds: Odds) -> usize {
        self.decide(odds.outcomes(), true)
    }
}

/// Return the variables of all processes and the messages in transit.
pub fn contents(instance: &Instance, configuration: &Configuration) -> Vec<String> {
    let process = |p| format!("{:?} {:?}", configuration.words(p), configuration.values(p));
    let channel = |c| {
        let messages = configuration.channel(c).map(|m| format!("{} {:?} {:?}", m.kind, m.words, m.values));
        messages.collect::<Vec<_>>().join("; ")
    };
    instance.processes().map(process).chain(instance.channels().map(channel)).collect()
}

/// All configurations with the actions of each process: sets of random outcomes.
#[derive(Default)]
pub struct Process {
    pub states: Vec<Configuration>,
    numbers: BTreeMap<Vec<String>, usize>,
    actions: Vec<Vec<(u32, Set)>>,
}

impl Process {
    pub fn new(actions: Vec<Vec<(u32, Set)>>) -> Process {
        Process { actions, ..Process::default() }
    }

    /// Return all configurations of an instance, the first of which follows the starts of all processes.
    pub fn of(instance: &Instance) -> Process {
        let mut all = Process::default();
        let mut machine = Machine::new(instance);
        let mut first = initial(instance);
        while first.next_to_start().is_some() {
            let event = enabled(instance, &first).remove(0);
            assert!(machine.perform(instance, &mut first, &event, &mut Follow::default()).unwrap());
        }
        all.number(instance, first);
        while all.actions.len() < all.states.len() {
            let from = all.states[all.actions.len()].clone();
            let mut actions = Vec::new();
            for event in enabled(instance, &from) {
                let tree = all.tree(instance, &from, &event, &mut Vec::new());
                actions.extend(tree.outcomes().into_iter().map(|to| (event.process.0, to)));
            }
            all.actions.push(actions);
        }
        all
    }

    fn number(&mut self, instance: &Instance, state: Configuration) -> usize {
        let key = contents(instance, &state);
        let states = &mut self.states;
        *self.numbers.entry(key).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    }

    fn tree(
        &mut self,
        instance: &Instance,
        from: &Configuration,
        event: &Event,
        given: &mut Vec<usize>,
    ) -> Tree {
        let mut machine = Machine::new(instance);
        let mut follow = Follow { given, ..Follow::default() };
        let mut to = from.clone();
        assert!(machine.perform(instance, &mut to, event, &mut follow).unwrap());
        let Some((options, chance)) = follow.next else { return Tree::To(self.number(instance, to)) };
        let mut trees = Vec::new();
        for option in 0..options {
            given.push(option);
            trees.push(self.tree(instance, from, event, given));
            given.pop();
        }
        if chance { Tree::Chance(trees) } else { Tree::Choice(trees) }
    }

    /// Return the process in which every random outcome is a choice of the schedule.
    pub fn with_bad_coins(&self) -> Process {
        let apart = |(process, to): &(u32, Set)| {
            let process = *process;
            bits(*to).map(move |to| (process, 1 << to)).collect::<Vec<_>>()
        };
        let actions = self.actions.iter().map(|actions| actions.iter().flat_map(apart).collect());
        Process::new(actions.collect())
    }

    /// Return the properties that some run violates: `eventually` the first set, `settles` in the second, the third `leads to`
    /// the fourth.
    pub fn violates(&self, sets: &[Set], all: Set) -> [(&'static str, bool); 3] {
        let unanswered = all & !sets[3];
        let reachable = self.reached(1, all, &|_| true);
        [
            ("comes", self.avoids(1, all & !sets[0], all)),
            ("stays", self.avoids(1, all, all & !sets[1])),
            ("answers", self.avoids(sets[2] & unanswered & reachable, unanswered, all)),
        ]
    }

    /// Return the configurations reachable from `from` by steps that stay in `inside`.
    fn reached(&self, from: Set, inside: Set, by: &dyn Fn(Set) -> bool) -> Set {
        let mut found = from & inside;
        loop {
            let steps = bits(found).flat_map(|s| &self.actions[s]).filter(|(_, to)| by(*to));
            let more = steps.fold(found, |found, (_, to)| found | (to & inside));
            if more == found {
                return found;
            }
            found = more;
        }
    }

    /// Decide by definition: steps with all outcomes among the members connect each of them to all others, and no process that is
    /// always enabled is neglected forever.
    fn is_fair_end_component(&self, members: Set) -> bool {
        let stays = |to: Set| to & !members == 0;
        let connected = bits(members).all(|member| {
            let own = self.actions[member].iter().filter(|(_, to)| stays(*to));
            let next = own.fold(0, |next, (_, to)| next | to);
            next != 0 && self.reached(next, members, &stays) == members
        });
        connected
            && (0..2).all(|process| {
                let own = |member: usize| self.actions[member].iter().filter(move |(p, _)| *p == process);
                bits(members).any(|member| own(member).count() == 0 || own(member).any(|(_, to)| stays(*to)))
            })
    }

    /// Return whether the schedule can, with positive probability, lead from `from` to an end or stay within `inside` forever, or
    /// visit one of `bad` infinitely often.
    fn avoids(&self, from: Set, inside: Set, bad: Set) -> bool {
        let reached = self.reached(from, inside, &|_| true);
        bits(reached & bad).any(|state| self.actions[state].is_empty())
            || (1..=reached)
                .any(|set| set & !reached == 0 && set & bad != 0 && self.is_fair_end_component(set))
    }
}
