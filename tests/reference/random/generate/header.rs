//! The model, the network, the assumptions and the faults of a program.

use super::Generator;
use crate::random::switches::Switch;
use crate::random::tree::Tree;
use synod::internals::ir::{Daemon, Fault};

impl Generator {
    /// Return the algorithm's first two clauses.
    pub fn header(&mut self) -> Tree {
        self.choose_model();
        self.choose_shape();
        let mut words = vec![self.shape_word()];
        words.extend(self.model_words());
        words.extend(self.knowledge());
        words.extend(self.faults());
        let with_outputs = !self.has(Switch::Layer) && !self.has(Switch::Synchronizer);
        if with_outputs && self.use_it(Switch::Outputs, 20) {
            self.outputs = self.outputs();
        }
        let solves = match self.has(Switch::Problem) || self.has(Switch::Outputs) {
            true => [" solves Work", " solves Work(kind: two)"][self.dice.below(2)],
            false => "",
        };
        let words = words.into_iter().map(|word| Tree::fixed(word, vec![])).collect();
        let uses = if self.has(Switch::Layer) { "\nuses lower as Low" } else { "" };
        Tree::fixed(format!("algorithm random{solves}\nassumes #{uses}"), vec![Tree::commas(words, 1)])
    }

    fn choose_model(&mut self) {
        let drawn = match self.profile {
            [] if !self.alike => self.dice.below(100),
            // Rounds, for the profiles that need them.
            profile if profile.contains(&Switch::Rounds) => 58,
            _ => 0,
        };
        self.model = match drawn {
            0..=57 => Switch::Messages,
            58..=75 => Switch::Rounds,
            76..=81 => Switch::Radio,
            82..=91 => Switch::ReadsNeighbours,
            _ => Switch::Pairs,
        };
        self.used.set(self.model, true);
        if self.model == Switch::Messages {
            let drawn = self.dice.below(10);
            if self.use_it(Switch::Layer, if self.profile.contains(&Switch::Layer) { 100 } else { 0 }) {
                return;
            }
            if self.use_it(Switch::Problem, if self.profile.is_empty() { 25 } else { 5 }) {
                if !self.plain && self.dice.chance(15) {
                    self.use_it(Switch::BoundedDelay, 100);
                }
                return;
            }
            match drawn {
                0..=2 if !self.plain => _ = self.use_it(Switch::BoundedDelay, 100),
                3 | 4 if !self.plain => _ = self.use_it(Switch::Timers, 100),
                0 | 5 if self.profile.is_empty() => _ = self.use_it(Switch::Layer, 100),
                _ => {}
            }
        }
        if self.model == Switch::Rounds {
            self.use_it(Switch::Synchronizer, 15);
        }
    }

    fn choose_shape(&mut self) {
        use Switch::*;
        let all: &[Switch] = match self.model {
            Pairs => &[Complete, Complete, UnidirectionalRing, Graph],
            ReadsNeighbours => &[Complete, UnidirectionalRing, BidirectionalRing, Line, Star, Graph],
            Rounds if self.has(Synchronizer) => &[Complete, Graph],
            _ if self.alike => &[Complete, Star, Star],
            _ => &[
                Complete,
                Complete,
                Complete,
                UnidirectionalRing,
                BidirectionalRing,
                UnorientedRing,
                Star,
                Star,
                Line,
                Graph,
            ],
        };
        self.shape = self.take(all).unwrap_or(Complete);
        self.used.set(self.shape, true);
        let three = self.use_it(
            ThreeProcesses,
            match self.shape {
                _ if self.has(Layer) || self.has(Problem) => 15,
                _ if self.alike => 90,
                Star => 80,
                Complete => 50,
                _ => 40,
            },
        );
        let one = !three && self.use_it(OneProcess, if self.has(Layer) { 2 } else { 8 });
        let n = if one {
            1
        } else if three {
            3
        } else {
            2
        };
        let graph = self.graph();
        let network = match self.shape {
            Complete => format!("complete({n})"),
            UnidirectionalRing | BidirectionalRing | UnorientedRing => format!("ring({n})"),
            Star => format!("star({})", if n == 1 { 1 } else { n - 1 }),
            Line => format!("line({n})"),
            _ => graph,
        };
        self.case.network = network;
    }

    /// Return a network given edge by edge.
    fn graph(&mut self) -> String {
        if self.shape != Switch::Graph {
            return String::new();
        }
        if self.use_it(Switch::SelfLoop, 20) {
            return "edges(0-1, 0-0)".into();
        }
        if self.use_it(Switch::TwoLinks, 20) {
            return "edges(0-1, 0-1)".into();
        }
        ["edges(0-1)", "edges(0-1, 1-2)", "edges(0-1, 1-2, 0-2)", "line(2)"][self.dice.below(4)].into()
    }

    fn shape_word(&self) -> String {
        let word = match self.shape {
            Switch::Complete => "complete",
            Switch::UnidirectionalRing => "unidirectional ring",
            Switch::BidirectionalRing => "bidirectional ring",
            Switch::UnorientedRing => "ring",
            Switch::Star => "star",
            Switch::Line => "line",
            _ => "connected graph",
        };
        word.into()
    }

    /// Return the number of processes of the network.
    pub fn processes_of_network(&self) -> usize {
        synod::internals::network::Spec::parse(&self.case.network).map_or(2, |spec| spec.n() as usize)
    }

    fn model_words(&mut self) -> Vec<String> {
        use Switch::*;
        let mut words: Vec<&str> = vec![];
        match self.model {
            Rounds if self.has(Synchronizer) => {
                words.extend(["synchronous by alpha", "reliable", "unordered"])
            }
            Rounds => words.push("synchronous"),
            Radio => {
                words.push("radio");
                if self.use_it(Beeps, 30) {
                    words.push("beeps");
                } else if self.use_it(CollisionDetection, 60) {
                    words.push("collision detection");
                    if self.use_it(TransmitterFeedback, 50) {
                        words.push("transmitter feedback");
                    }
                }
            }
            ReadsNeighbours => {
                words.push("reads neighbours");
                let (daemon, word) = match self.take(&[CentralDaemon, SynchronousDaemon, DistributedDaemon]) {
                    Some(SynchronousDaemon) => (Some(Daemon::Synchronous), "synchronous daemon"),
                    Some(DistributedDaemon) => (Some(Daemon::Distributed), "distributed daemon"),
                    Some(_) => (Some(Daemon::Central), "central daemon"),
                    None => (None, ""),
                };
                if self.dice.chance(50) && !word.is_empty() {
                    words.push(word);
                } else {
                    self.case.daemon = daemon;
                }
            }
            Pairs => {
                words.push("pairwise interactions");
                if self.use_it(Oracle, 40) {
                    words.push("oracle some_true");
                    if self.use_it(OraclesErr, 50) {
                        words.push("oracles err");
                        self.case.faults.push((Fault::OracleError, 1));
                    }
                }
            }
            _ => {
                if self.has(BoundedDelay) {
                    words
                        .push(["delay <= 2", "delay = 1", "delay in 1..2", "delay <= 1"][self.dice.below(4)]);
                }
                if self.has(Timers) {
                    words.push("timers");
                }
            }
        }
        if matches!(self.model, Messages | Rounds) && !self.has(Synchronizer) && self.use_it(Unordered, 60) {
            words.push("unordered");
        }
        words.into_iter().map(String::from).collect()
    }

    fn knowledge(&mut self) -> Vec<String> {
        use Switch::*;
        let mut words: Vec<&str> = vec![];
        let messages = self.model == Messages;
        // The problem and the layer below have their own assumptions.
        let anonymous = self.use_it(Anonymous, if self.alike { 100 } else { 70 });
        if anonymous {
            words.push("anonymous");
        } else {
            let equal = self.use_it(EqualIds, 40);
            if !equal {
                words.push("unique ids");
            }
            if equal || self.use_it(IntegerIds, 40) {
                words.push("integer ids");
                self.used.set(IntegerIds, true);
            }
            if !equal
                && matches!(self.model, Messages | Rounds)
                && !self.has(Layer)
                && !self.has(Synchronizer)
            {
                if self.shape == Complete && self.use_it(Peers, 50) {
                    words.push("knows peers");
                } else if messages && self.use_it(AddressableIds, 20) {
                    words.push("addressable ids");
                }
            }
            if !self.has(AddressableIds) && self.use_it(KnowsNeighbours, 20) {
                words.push("knows neighbours");
            }
            if equal {
                let n = self.processes_of_network() as i64;
                self.case.ids = Some((0..n).map(|_| 1 + self.dice.below(2) as i64).collect());
            }
        }
        if self.use_it(KnowsN, 50) {
            words.push("knows n");
        }
        if self.alike {
            if self.use_it(Randomness, 20) {
                words.push("randomness");
            }
            return words.into_iter().map(String::from).collect();
        }
        if matches!(self.shape, Graph | Complete) && !self.by_ids() && self.use_it(Weights, 20) {
            words.push("weights");
        }
        if matches!(self.model, Messages | Rounds)
            && !self.has(Problem)
            && !self.has(Layer)
            && !self.has(Synchronizer)
            && self.use_it(Roles, 30)
        {
            words.push("one Source");
        }
        if self.shape == Complete && !self.by_ids() && messages && self.use_it(VirtualRing, 15) {
            words.push("virtual ring");
        }
        if self.in_rounds() && !self.has(Synchronizer) && self.use_it(SpontaneousStart, 60) {
            words.push("spontaneous start");
        }
        if self.use_it(Randomness, 50) {
            words.push("randomness");
        }
        if messages && !self.has(Layer) && self.use_it(SomeInitiators, 30) {
            let n = self.processes_of_network() as u32;
            self.case.initiators = Some((0..n).filter(|_| self.dice.chance(50)).collect());
        }
        words.into_iter().map(String::from).collect()
    }

    fn faults(&mut self) -> Vec<String> {
        use Switch::*;
        let mut words: Vec<&str> = vec![];
        if self.has(Synchronizer) || self.plain && self.model == Messages {
            return vec![];
        }
        let add = |words: &mut Vec<&str>, case: &mut crate::random::print::Case, word, fault, budget| {
            words.push(word);
            if budget {
                case.faults.push((fault, 1));
            }
        };
        let crashes = self.use_it(Crashes, if self.in_rounds() { 60 } else { 35 });
        if crashes {
            let budget = self.dice.chance(90);
            add(&mut words, &mut self.case, "crashes", Fault::Crash, budget);
            if self.use_it(MessagesSurvive, 30) {
                words.push("messages survive crashes");
            }
            if self.use_it(Restarts, 75) {
                add(&mut words, &mut self.case, "restarts", Fault::Restart, budget);
            }
        }
        if matches!(self.model, Messages | Rounds) && self.use_it(Duplicates, 20) {
            add(&mut words, &mut self.case, "duplicates messages", Fault::Duplication, true);
        }
        if matches!(self.model, Messages | Rounds | Radio) {
            if self.use_it(Loses, 20) {
                add(&mut words, &mut self.case, "loses messages", Fault::Loss, true);
            }
            if self.use_it(LinksFail, 20) {
                add(&mut words, &mut self.case, "links fail", Fault::Link, true);
            }
        }
        if self.model == Messages && crashes {
            if self.use_it(EventuallyPerfect, 25) {
                words.push("eventually perfect detector");
                self.used.set(Detector, true);
                if self.use_it(Suspicions, 60) {
                    self.case.faults.push((Fault::Suspicion, 1));
                }
            } else if self.use_it(Detector, 30) {
                words.push(if self.use_it(PerfectDetector, 50) { "perfect detector" } else { "detector" });
            }
        }
        words.into_iter().map(String::from).collect()
    }
}
